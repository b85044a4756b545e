//===- Messages.h - Words for findings --------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All English that several checks share: the notes of a trace, the notes that
// carry a fix, and the phrases of primary messages. docs/messages.md has the
// rules; test/consistency holds every message to them.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_MESSAGES_H
#define CPASYNC_CHECKS_MESSAGES_H

#include "lib/Finding.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class SourceManager;
}

namespace cpasync {

/// A note below a warning.
struct Note {
  clang::SourceLocation Loc;
  std::string Text;
  /// The edit this note offers; points into the finding. Null: none.
  const Repair *Fix = nullptr;
  /// The step this note tells of; points into the finding. Null: none.
  const TraceStep *Step = nullptr;
  unsigned Depth = 0; ///< calls around it that were told before
  unsigned Place = 0; ///< as TraceStep::Place
  /// What the text calls LineMark; invalid: nothing.
  clang::SourceLocation Mentioned = {};
};

/// Stands for the line of Note::Mentioned.
inline constexpr llvm::StringLiteral LineMark = "line $";

/// The text with its line, "line 96" or "line 96 of 'tiles.cuh'".
std::string textWithLine(const Note &N, const clang::SourceManager &SM);

/// Steps of a trace that are printed before the middle is elided. Five notes
/// are read, ten are not; assumptions and the witness come on top.
inline constexpr unsigned MaxTraceNotes = 5;

/// The trace in execution order, \p Primary left out where a note would only
/// repeat it, then the assumptions made, then the witness.
std::vector<Note> traceNotes(const Finding &F, clang::SourceLocation Primary);

/// The whole trace, nothing elided: assumptions, then steps in execution order.
/// The witness stands for the access it tells of.
std::vector<Note> completeTrace(const Finding &F);

/// "copy-issued", "branch-taken": the name of a kind in reports.
llvm::StringRef stepKindName(TraceStep::Kind K);

/// Which threads and which byte; its place is invalid when the finding names
/// none.
Note witnessNote(const Finding &F);

/// Other reads that go wrong for the same reason.
std::vector<Note> alsoReadNotes(const Finding &F);

/// One note per repair, saying its effect, the best first.
std::vector<Note> repairNotes(const Finding &F);

/// The same where another finding offers the edit.
Note sharedRepairNote(const Note &Edit);

/// "'Name'".
std::string quoted(llvm::StringRef Name);

/// "'Tile'", or "shared memory" for an object without a name.
std::string objectName(const Finding &F);

/// "1 group", "2 groups".
std::string counted(int64_t N, llvm::StringRef Noun);

/// "is" when the finding holds whenever its place is reached, else "may be".
llvm::StringRef isOrMayBe(const Finding &F);
/// "thread 5", in a cluster "thread 5 of block 1", in a block that is no row
/// "thread 37 (5, 2)".
std::string threadName(const Finding &F, int Thread);

} // namespace cpasync

#endif // CPASYNC_CHECKS_MESSAGES_H

//===- Repairs.h - What an edit would change --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_REPAIRS_H
#define CPASYNC_LIB_REPORT_REPAIRS_H

#include "lib/report/FlightPaths.h"
#include "clang/AST/ParentMap.h"

namespace cpasync {

/// An operand where its value is written, in the function \p In.
struct WrittenOperand {
  const clang::Expr *E = nullptr;
  clang::SourceRange Range;
  const clang::FunctionDecl *In = nullptr;
  bool IsText = false; ///< a number in the text of an asm statement
};

/// Offers edits, and nothing where one would not be plainly right.
class Repairs : RunPart {
public:
  explicit Repairs(KernelRun &Run) : RunPart(Run) {}

  /// Remembers where the count of \p Wait is written.
  void noteOperand(const State &S, EventId Wait, const clang::Expr *Operand);
  void offerRepair(Finding &F, const FlightPath &Path, const Footprint *Read,
                   const BlockCopies::ThreadClass &Class, int GroupIndex,
                   const State &S);
  void offerInsertion(Finding &F, const State &S, const FlightPath &Path,
                      const Footprint *Read);
  /// A commit on the other side of a branch that has one, where that makes the
  /// wait complete the copy.
  void offerCommit(Finding &F, const State &S, const FlightPath &Path);
  /// `.cg` in the text of an asm statement, as a range of the file; invalid if
  /// it cannot be edited.
  clang::CharSourceRange cacheModifier(const clang::GCCAsmStmt *A,
                                       size_t Offset);

private:
  using Clash = std::pair<EventId, const Footprint *>;
  /// The copies that clash with the read; none if that is not known of all.
  std::optional<std::vector<Clash>>
  clashesWith(const State &S, const Footprint *Read, bool &AllCommitted);
  llvm::StringRef spellingOf(bool Commit, bool AllCommitted,
                             clang::SourceLocation Like);
  /// Through thin wrappers to the argument at their call; none if the value
  /// is made on the way.
  WrittenOperand writtenOperand(const State &S, const clang::Expr *Operand);
  /// What to replace; invalid if that would not be plainly right.
  clang::CharSourceRange editableRange(const WrittenOperand &W);
  /// How many groups the wait may leave for \p Read; none if that is not all
  /// there is to it.
  std::optional<int64_t> neededLimit(const Finding &F, EventId Wait,
                                     const Footprint *Read,
                                     const BlockCopies::ThreadClass &Class,
                                     int GroupIndex, const State &S);
  /// What to write there for the count \p N, which is less by \p Less: with
  /// the symbols that are there now. Empty if that may be below 0 elsewhere.
  std::string countText(const WrittenOperand &W, int64_t N, int64_t Less);
  /// The branch that \p N decides on, if it commits and has no 'else'.
  const clang::IfStmt *committingBranch(const TraceNode *N,
                                        const clang::FunctionDecl *In);
  /// Completes \p R: an 'else' that commits.
  bool insertElse(Repair &R, const clang::IfStmt *Branch,
                  const clang::FunctionDecl *In);
  clang::ParentMap &parentsIn(const clang::FunctionDecl *F);
  /// Completes \p R; false if nothing can be inserted there, or if one of the
  /// copies \p Issued belongs to the same statement.
  bool insertBefore(Repair &R, const UserPlace &Where,
                    llvm::ArrayRef<clang::SourceLocation> Issued,
                    unsigned Wanted, llvm::StringRef Otherwise);
  bool readsOwnData(const Footprint *Read, const Footprint *Copy);

  llvm::DenseMap<EventId, WrittenOperand> WaitOperands;
  /// Of the functions that something was to be inserted in.
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<clang::ParentMap>>
      ParentsIn;
};

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_REPAIRS_H

//===- OmittedCopies.h - Copies that are left out ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beyond the edge of what there is to copy, `if (Row < Rows)` leaves a copy out
// and the slot as it was: shared memory has no initial value (PTX ISA, "State
// Spaces: shared"). That is right if nothing that leaves the block is made of
// it, or only what is beyond the edge, too: results of whole tiles may have
// room for it. It is wrong where a result is made of what was copied to the
// array and of what was not. A source size below cp-size fills with zeros
// instead (PTX ISA, "cp.async").
//
// One run notes such copies. Another has numbers with which they are left out,
// and follows what nobody wrote through all that is made of it.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_OMITTEDCOPIES_H
#define CPASYNC_LIB_DETECT_OMITTEDCOPIES_H

#include "lib/state/ReadLiveness.h"
#include <map>

namespace cpasync {

class OmittedCopies : RunPart {
public:
  OmittedCopies(KernelRun &Run, FindingList &Findings, ReadLiveness &Reads)
      : RunPart(Run), Findings(Findings), Reads(Reads) {}

  /// A copy that a thread leaves out on some path.
  struct Omitted {
    int Thread;
    unsigned Decided; ///< the path, up to that step of its history
    auto operator<=>(const Omitted &) const = default;
  };
  struct CopyPlace {
    const Object *To;
    clang::SourceLocation At;
    bool operator==(const CopyPlace &) const = default;
  };
  struct Found {
    std::vector<CopyPlace> Places; ///< of all copies, in the order they came
    std::vector<Omitted> Copies;
    /// Reads of bytes that nobody writes whatever is left out.
    llvm::DenseSet<clang::SourceLocation> Blank;
  };

  /// \p Copy has just been issued.
  void noteCopy(const State &S, EventId Copy);
  /// The path has decided against a copy, and \p Read reads what nobody wrote.
  void noteUnwritten(const State &S, EventId Read);
  /// \p Read reads what nobody writes.
  void noteBlank(EventId Read) { Known.Blank.insert(Events[Read].Loc); }
  const Found &found() const { return Known; }

  /// This run is about what another has \p Noted.
  void follow(Found Noted);
  bool isFollowing() const { return Follows; }
  /// What \p Read reads goes \p To somewhere; null: it is not followed. \p
  /// Whole: whoever uses what was read uses all its bytes.
  void check(State &S, EventId Read, bool Whole, LoadedParts *To);
  /// What is made of \p Parts has been stored at \p Place.
  void noteStore(State &S, Value Place, llvm::ArrayRef<LoadedPart> Parts,
                 clang::SourceLocation At);

private:
  /// A read of what nobody wrote.
  struct Candidate {
    const WrittenBytes *Written; ///< until then
    Finding F;
  };
  /// Stands for all reads of what was written to \p Of.
  EventId writtenPart(const Object *Of);
  Finding describe(State &S, EventId Read);
  /// The first copy to \p To that is not on the path; invalid: there is none.
  clang::SourceLocation copyBeside(const State &S, const Object *To) const;

  FindingList &Findings;
  ReadLiveness &Reads;
  Found Known;
  llvm::DenseSet<clang::SourceLocation> Noted; ///< of copies and reads
  bool Follows = false;
  std::map<EventId, Candidate> Candidates;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_OMITTEDCOPIES_H

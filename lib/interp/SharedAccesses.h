//===- SharedAccesses.h - Reads and stores of shared memory -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_SHAREDACCESSES_H
#define CPASYNC_LIB_INTERP_SHAREDACCESSES_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// Accesses of shared memory, handed to the detectors.
class SharedAccesses : InterpPart {
public:
  using InterpPart::InterpPart;

  /// \p To: what is loaded goes to a place that can be followed; the caller
  /// says which, by place(). \p Whole: whoever uses it uses all its bytes.
  void sharedRead(State &S, const void *Site, clang::SourceLocation Loc,
                  Value Pointer, int64_t Size, LoadedParts *To = nullptr,
                  bool Whole = false);
  void sharedWrite(State &S, const void *Site, clang::SourceLocation Loc,
                   Value Pointer, int64_t Size);
  /// Meets copies as a read does; nothing races with what it stores.
  void sharedAtomic(State &S, const void *Site, clang::SourceLocation Loc,
                    Value Pointer, int64_t Size);
  void atomicStore(State &S, const Site &Where, Value Pointer, int64_t Size);
  void sharedRead(State &S, const Site &Where, Value Pointer, int64_t Size,
                  LoadedParts *To, bool Whole);
  /// The same of a read that only begins.
  EventId beginRead(State &S, const Site &Where, Value Pointer, int64_t Size,
                    LoadedParts *To = nullptr, bool Whole = false);
  void sharedWrite(State &S, const Site &Where, Value Pointer, int64_t Size);
  /// Whether \p Read, of what is at \p Pointer, meets copies in flight: a
  /// finding says so, or a gap that it may.
  bool meetsCopyInFlight(State &S, EventId Read, Value Pointer,
                         clang::SourceLocation At);

  /// Nobody accesses what \p Pointer points to: the path ends.
  bool stopsBeyond(State &S, clang::SourceLocation Loc, Value Pointer);

private:
  /// No copy or store was issued to a byte of \p Read yet, on a path that did
  /// not decide against a copy.
  bool isBlind(State &S, const Footprint *Read);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_SHAREDACCESSES_H

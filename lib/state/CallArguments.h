//===- CallArguments.h - What a call could depend on ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_CALLARGUMENTS_H
#define CPASYNC_LIB_STATE_CALLARGUMENTS_H

#include "lib/support/Fingerprint.h"
#include "lib/values/Value.h"

namespace cpasync {

/// What a call was given and has read of it so far, equal for equal calls:
/// locals count by the order in which they are met, and so do numbers that are
/// not one constant.
class CallArguments {
public:
  CallArguments() = default;
  /// \p Call: what is called.
  CallArguments(const void *Call, Value This, llvm::ArrayRef<Value> Args);

  /// It reads the local \p Which, which holds \p Bytes; null: nothing is known
  /// of it.
  void read(unsigned Which, const Contents *Bytes);
  Fingerprint::Digest digest() const { return Digest; }

  llvm::SmallVector<const Object *, 8> Reached; ///< locals, each once
  llvm::SmallVector<const Int *, 8> Open;       ///< numbers, each once
  /// One of two numbers is among what it was given: which one may be decided
  /// where it is stored.
  bool HasChoice = false;

private:
  void add(Fingerprint &F, Value X);
  void addNumber(Fingerprint &F, const Int *I);

  Fingerprint::Digest Digest;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_CALLARGUMENTS_H

//===- CallMemo.h - Calls that are run once ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_CALLMEMO_H
#define CPASYNC_LIB_INTERP_CALLMEMO_H

#include "lib/interp/InterpPart.h"
#include "lib/state/MemoizedCalls.h"

namespace cpasync {

/// Calls that compute or access memory are run once for the same arguments;
/// what they did to shared memory is done again from a tape.
class CallMemo : InterpPart {
public:
  using InterpPart::InterpPart;

  /// \p Round begins, in the loop that is \p Where.Op.
  void iteration(State &S, const Site &Where, TraceNode Round);
  /// \p Step is done now.
  void noteStep(const State &S, TapeStep Step);
  /// What was done since something happened that cannot be done again.
  std::vector<TapeStep> &tape();
  /// True if what the call gives is known: it is done.
  bool recallCall(State &S, const clang::FunctionDecl *Callee,
                  const clang::Expr *Call, llvm::ArrayRef<Value> Args,
                  Value This);
  /// \p Done has just left the frames.
  void rememberCall(State &S, const Frame &Done, const Contents *Returned);

  std::vector<RecordedCall> Recordings; ///< by the depth of the frame

private:
  /// What the call does from here on will be remembered.
  void record(State &S, RecordedCall &New);
  /// Does again what the call did. False if that is not all that happens now:
  /// then nothing was done.
  bool replay(State &S, const clang::Expr *Call,
              llvm::ArrayRef<CallStep> Steps);

  llvm::DenseSet<Fingerprint::Digest> CallsOfThisRun; ///< with followed reads
  SideEffects::Mark TapedSince;
  std::vector<TapeStep> Tape; ///< without an effect since
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_CALLMEMO_H

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
#include <unordered_map>

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
  /// Begins again, with nothing recorded.
  void reset();

private:
  /// What the call does from here on will be remembered.
  void record(State &S, RecordedCall &New);
  /// Does again what the call did. False if that is not all that happens now:
  /// then nothing was done.
  bool replay(State &S, const clang::Expr *Call,
              llvm::ArrayRef<CallStep> Steps);
  /// The same of what gave \p R, with its steps. False also if there are not as
  /// many left: run, the call comes to where they end.
  bool countAndReplay(State &S, const clang::Expr *Call,
                      Fingerprint::Digest Key, const CallResult &R);
  /// Of so many calls that give what \p Key stands for, as if they were run
  /// once in this run. Those that it counts for the first time are \p NewHere.
  unsigned stepsOf(Fingerprint::Digest Key, unsigned Times,
                   llvm::SmallVectorImpl<Fingerprint::Digest> &NewHere);

  /// Those that this run has made or counted.
  llvm::DenseSet<Fingerprint::Digest> CallsOfThisRun;
  /// Calls in a row that could not be remembered.
  std::unordered_map<const clang::FunctionDecl *, unsigned> Fruitless;
  unsigned Counted = 0; ///< steps of remembered calls, made or not
  std::vector<Fingerprint::Digest> Inner; ///< those in a row; as the tape
  std::vector<RecordedCall> Recordings;   ///< by the depth of the frame
  SideEffects::Mark TapedSince;
  std::vector<TapeStep> Tape; ///< without an effect since
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_CALLMEMO_H

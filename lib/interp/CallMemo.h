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
  using Result =
      llvm::DenseMap<Fingerprint::Digest, CallResult>::const_iterator;
  static Fingerprint::Digest keyOf(const State &S, const CallArguments &Given,
                                   uint8_t On, const PerThread *Active,
                                   const PerThread *Living, uint64_t Parts);
  /// What is known of a call that is \p Given this, and reads what is put there
  /// and into \p Read.
  Result find(State &S, CallArguments &Given,
              llvm::SmallVectorImpl<unsigned> &Read);
  /// Where it leads to what \p Call, with locals from that \p Number on, has
  /// read, which is put into what it was given. Null: that cannot be said.
  CallNode *nodeOf(RecordedCall &Call, unsigned Number);
  /// What \p Call, which is done and left \p R, hung on.
  uint8_t hungOn(const State &S, const RecordedCall &Call, CallResult &R) const;
  /// A local that it can reach holds what was read and nobody has used yet.
  static bool leadsToUnused(const State &S, const CallArguments &Given);
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

  /// Begins another generation of calls.
  void forgetOldest();
  /// Notes that this run has made or counted a call; false: it had before.
  bool noteCall(Fingerprint::Digest Key);
  /// It has, and that is not long ago.
  bool isOfThisRun(Fingerprint::Digest Key) const {
    return CallsOfThisRun.contains(Key) || OlderCalls.contains(Key);
  }

  /// Those that this run has made or counted.
  llvm::DenseSet<Fingerprint::Digest> CallsOfThisRun;
  /// The generation before: those of them that are made again are no longer
  /// among these.
  llvm::DenseSet<Fingerprint::Digest> OlderCalls;
  /// Calls in a row that could not be remembered.
  std::unordered_map<const clang::FunctionDecl *, unsigned> Fruitless;
  unsigned Counted = 0; ///< steps of remembered calls, made or not
  std::vector<Fingerprint::Digest> Inner; ///< those in a row; as the tape
  std::vector<const Object *> ReadLocals; ///< locals in a row; as the tape
  std::vector<RecordedCall> Recordings;   ///< by the depth of the frame
  SideEffects::Mark TapedSince;
  std::vector<TapeStep> Tape; ///< without an effect since
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_CALLMEMO_H

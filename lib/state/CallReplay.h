//===- CallReplay.h - A remembered call, done again -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_CALLREPLAY_H
#define CPASYNC_LIB_STATE_CALLREPLAY_H

#include <cstddef>

namespace cpasync {

struct CallChain;
struct TraceNode;

/// A call whose effects are known is done again, step by step. It fails where a
/// step would do more than its like did: the call is run then.
class CallReplay {
public:
  /// As long as this lives, steps are those of a remembered call.
  class Scope {
  public:
    explicit Scope(CallReplay &Of) : Of(Of) {
      Of.Active = true;
      Of.Failed = false;
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    ~Scope() {
      Of.Active = false;
      Of.Depth = 0;
    }
    /// \p Loop, \p Calls: around the next step; \p Depth: of the step in the
    /// call.
    void step(const TraceNode *Loop, size_t Depth, const CallChain *Calls) {
      Of.Loop = Loop;
      Of.Depth = Depth;
      Of.Calls = Calls;
    }

  private:
    CallReplay &Of;
  };

  bool isActive() const { return Active; }
  bool hasFailed() const { return Failed; }
  /// A step has more to it than its like had. False if no call is done again.
  bool fail() {
    Failed |= Active;
    return Active;
  }
  const TraceNode *loop() const { return Loop; }
  size_t depth() const { return Depth; }
  const CallChain *calls() const { return Calls; }

private:
  bool Active = false, Failed = false;
  const TraceNode *Loop = nullptr;
  size_t Depth = 0;
  const CallChain *Calls = nullptr;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_CALLREPLAY_H

//===- Workers.cpp - Run pieces of work in processes of their own ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <poll.h>
#include <unistd.h>
#include <vector>

using namespace cpasync;

/// How long to wait for a child before looking at the clock again.
static constexpr int TickMilliseconds = 100;

namespace {

struct Child {
  size_t Index;
  ChildProcess Process;
};

class Pool {
public:
  Pool(const WorkLimits &Limits, llvm::function_ref<std::string(size_t)> Work)
      : Limits(Limits), Work(Work) {}
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;
  ~Pool() { giveBack(); }

  /// There is a core for another child.
  bool mayStart();
  /// Gives back those that no child has.
  void giveBack();
  bool isEmpty() const { return Children.empty(); }
  /// False if there are no more processes to be had.
  bool start(size_t Index);
  /// Reads what the children say for a moment; \p Ended gets those that are
  /// done.
  void wait(llvm::function_ref<void(size_t, WorkResult)> Ended);

private:
  const WorkLimits &Limits;
  llvm::function_ref<std::string(size_t)> Work;
  std::vector<Child> Children;
  size_t Taken = 0; ///< cores, beside that of this process
};

} // namespace

bool Pool::mayStart() {
  if (Children.size() <= Taken)
    return true;
  if (!Limits.Shared || !Limits.Shared->take())
    return false;
  ++Taken;
  return true;
}

void Pool::giveBack() {
  for (; Taken > 0 && Taken >= Children.size(); --Taken)
    Limits.Shared->giveBack();
}

bool Pool::start(size_t Index) {
  std::optional<ChildProcess> Process = ChildProcess::start(Limits, [&] {
    for (const Child &Sibling : Children)
      ::close(Sibling.Process.pipe());
    return Work(Index);
  });
  if (Process)
    Children.push_back({Index, std::move(*Process)});
  return Process.has_value();
}

void Pool::wait(llvm::function_ref<void(size_t, WorkResult)> Ended) {
  std::vector<pollfd> Polled;
  for (const Child &C : Children)
    Polled.push_back({C.Process.pipe(), POLLIN, 0});
  const int Ready = ::poll(Polled.data(), Polled.size(), TickMilliseconds);
  for (Child &C : Children)
    C.Process.killIfLate();
  if (Ready <= 0)
    return;
  std::vector<Child> Running;
  for (auto [C, Poll] : llvm::zip(Children, Polled)) {
    if (Poll.revents == 0 || C.Process.read())
      Running.push_back(std::move(C));
    else
      Ended(C.Index, C.Process.collect());
  }
  Children = std::move(Running);
}

void cpasync::runInChildren(size_t Count, const WorkLimits &Limits,
                            llvm::function_ref<std::string(size_t)> Work,
                            llvm::function_ref<void(size_t, WorkResult)> Done,
                            llvm::function_ref<void(size_t)> Tick,
                            llvm::function_ref<bool()> AreWanted) {
  Pool ThePool(Limits, Work);
  std::map<size_t, WorkResult> Waiting; ///< for those before them
  size_t Started = 0, Ended = 0, Delivered = 0;
  while (Delivered < Count) {
    if (Started < Count && !AreWanted()) {
      Count = Started;
      continue;
    }
    while (Started < Count && ThePool.mayStart() && ThePool.start(Started))
      ++Started;
    if (Started == Count)
      ThePool.giveBack();
    if (ThePool.isEmpty()) {
      // Not one process to be had: that piece of work is lost, and said so.
      Waiting[Started++] = {WorkResult::Kind::NotStarted, "", 0};
      ++Ended;
    } else {
      ThePool.wait([&](size_t Index, WorkResult Result) {
        Waiting[Index] = std::move(Result);
        ++Ended;
      });
    }
    for (auto Next = Waiting.find(Delivered); Next != Waiting.end();
         Next = Waiting.find(++Delivered)) {
      Done(Delivered, std::move(Next->second));
      Waiting.erase(Next);
    }
    Tick(Ended);
  }
}

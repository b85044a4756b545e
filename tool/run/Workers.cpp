//===- Workers.cpp - Run pieces of work in processes of their own ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Workers.h"
#include "tool/run/LastWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cpasync;
using Clock = std::chrono::steady_clock;

/// How long to wait for a child before looking at the clock again.
static constexpr int TickMilliseconds = 100;

/// The system's limit is for a child whose parent does not look at the clock.
static constexpr rlim_t MoreSeconds = 5;

// What the first byte of a child says about the rest; no byte: it was killed.
static constexpr char Answer = '+';
static constexpr char NoMemory = 'm';
static constexpr char NoStack = 's';
static constexpr char Library = 'l';
static constexpr char Signal = 'c';

namespace {

struct Child {
  size_t Index;
  pid_t Process;
  int Pipe; ///< our end
  Clock::time_point Start;
  bool Killed = false;
  std::string Output;
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
  [[noreturn]] void runChild(size_t Index, int Pipe, pid_t Parent);
  void killLate();
  static WorkResult collect(Child &C);

  const WorkLimits &Limits;
  llvm::function_ref<std::string(size_t)> Work;
  std::vector<Child> Children;
  size_t Taken = 0; ///< cores, beside that of this process
};

} // namespace

static void writeAll(int Pipe, llvm::StringRef Text) {
  while (!Text.empty()) {
    const ssize_t Written = ::write(Pipe, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return;
    Text = Text.drop_front(static_cast<size_t>(Written));
  }
}

static void limit(__rlimit_resource What, rlim_t Value) {
  const rlimit Limit = {Value, Value};
  ::setrlimit(What, &Limit); // what is lower already stays
}

static void limitSelf(const WorkLimits &Limits) {
  limit(RLIMIT_CORE, 0);
  if (Limits.Seconds != 0)
    limit(RLIMIT_CPU, Limits.Seconds + MoreSeconds);
#if !__has_feature(address_sanitizer)
  // Sanitizers map more than any machine has.
  if (Limits.MemoryMiB != 0)
    limit(RLIMIT_DATA, rlim_t(Limits.MemoryMiB) << 20);
#endif
}

static int ChildPipe = -1; ///< of this process, if it is a child

static void sayEnd(EndOf What, const char *Words) {
  const char Kind = What == EndOf::Memory    ? NoMemory
                    : What == EndOf::Stack   ? NoStack
                    : What == EndOf::Library ? Library
                                             : Signal;
  writeAll(ChildPipe, llvm::StringRef(&Kind, 1));
  writeAll(ChildPipe, Words);
}

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

void Pool::runChild(size_t Index, int Pipe, pid_t Parent) {
  // Nobody is left to read the answer if the parent dies.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(1); // it has died before
  if (ChildPipe >= 0)
    ::close(ChildPipe); // the parent answers there
  ChildPipe = Pipe;
  std::signal(SIGXCPU, SIG_DFL);
  expectEnds(sayEnd, /*Status=*/1);
  const StackWatch Watch;
  limitSelf(Limits);
  for (const Child &Sibling : Children)
    ::close(Sibling.Pipe);
  const std::string Output = Work(Index);
  writeAll(Pipe, llvm::StringRef(&Answer, 1));
  writeAll(Pipe, Output);
  llvm::outs().flush();
  llvm::errs().flush();
  // Nothing that the parent owns is to be destroyed twice.
  ::_exit(0);
}

bool Pool::start(size_t Index) {
  int Ends[2];
  if (::pipe(Ends) != 0)
    return false;
  llvm::outs().flush();
  llvm::errs().flush();
  const pid_t Parent = ::getpid();
  const pid_t Process = ::fork();
  if (Process < 0) {
    ::close(Ends[0]);
    ::close(Ends[1]);
    return false;
  }
  if (Process == 0) {
    ::close(Ends[0]);
    runChild(Index, Ends[1], Parent);
  }
  ::close(Ends[1]);
  Children.push_back({Index, Process, Ends[0], Clock::now()});
  return true;
}

void Pool::killLate() {
  if (Limits.Seconds == 0)
    return;
  for (Child &C : Children)
    if (!C.Killed &&
        Clock::now() - C.Start >= std::chrono::seconds(Limits.Seconds)) {
      C.Killed = true;
      ::kill(C.Process, SIGKILL);
    }
}

WorkResult Pool::collect(Child &C) {
  ::close(C.Pipe);
  int Status = 0;
  while (::waitpid(C.Process, &Status, 0) < 0 && errno == EINTR)
    ;
  WorkResult Result;
  if (WIFSIGNALED(Status))
    Result.Signal = WTERMSIG(Status);
  using Kind = WorkResult::Kind;
  const char Said = C.Output.empty() ? 0 : C.Output.front();
  if (Said != 0 && (Said != Answer || WIFEXITED(Status)))
    Result.Output = C.Output.substr(1);
  if (C.Killed || Result.Signal == SIGXCPU)
    Result.Ended = Kind::TimedOut;
  else if (!WIFEXITED(Status))
    Result.Ended = Kind::Crashed;
  else if (Said == Answer && WEXITSTATUS(Status) == 0)
    Result.Ended = Kind::Finished;
  else
    Result.Ended = Said == NoMemory  ? Kind::OutOfMemory
                   : Said == NoStack ? Kind::OutOfStack
                   : Said == Library ? Kind::GaveUp
                                     : Kind::Crashed;
  return Result;
}

void Pool::wait(llvm::function_ref<void(size_t, WorkResult)> Ended) {
  std::vector<pollfd> Polled;
  for (const Child &C : Children)
    Polled.push_back({C.Pipe, POLLIN, 0});
  const int Ready = ::poll(Polled.data(), Polled.size(), TickMilliseconds);
  killLate();
  if (Ready <= 0)
    return;
  std::vector<Child> Running;
  for (auto [C, Poll] : llvm::zip(Children, Polled)) {
    bool IsOpen = true;
    if (Poll.revents != 0) {
      char Buffer[1 << 16];
      const ssize_t Got = ::read(C.Pipe, Buffer, sizeof Buffer);
      if (Got > 0)
        C.Output.append(Buffer, static_cast<size_t>(Got));
      IsOpen = Got > 0 || (Got < 0 && errno == EINTR);
    }
    if (IsOpen)
      Running.push_back(std::move(C));
    else
      Ended(C.Index, collect(C));
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

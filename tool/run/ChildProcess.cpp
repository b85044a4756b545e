//===- ChildProcess.cpp - A piece of work in a process of its own ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/ChildProcess.h"
#include "tool/run/LastWords.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cpasync;

/// The system's limit is for a child whose parent does not look at the clock.
static constexpr rlim_t MoreSeconds = 5;

// What the first byte of a child says about the rest; no byte: it was killed.
static constexpr char Answer = '+';
static constexpr char NoMemory = 'm';
static constexpr char NoStack = 's';
static constexpr char Library = 'l';
static constexpr char Signal = 'c';

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

void ChildProcess::run(const WorkLimits &Limits, int Pipe, pid_t Parent,
                       llvm::function_ref<std::string()> Work) {
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
  const std::string Output = Work();
  writeAll(Pipe, llvm::StringRef(&Answer, 1));
  writeAll(Pipe, Output);
  llvm::outs().flush();
  llvm::errs().flush();
  // Nothing that the parent owns is to be destroyed twice.
  ::_exit(0);
}

std::optional<ChildProcess>
ChildProcess::start(const WorkLimits &Limits,
                    llvm::function_ref<std::string()> Work) {
  int Ends[2];
  if (::pipe(Ends) != 0)
    return std::nullopt;
  llvm::outs().flush();
  llvm::errs().flush();
  const pid_t Parent = ::getpid();
  const pid_t Process = ::fork();
  if (Process < 0) {
    ::close(Ends[0]);
    ::close(Ends[1]);
    return std::nullopt;
  }
  if (Process == 0) {
    ::close(Ends[0]);
    run(Limits, Ends[1], Parent, Work);
  }
  ::close(Ends[1]);
  ChildProcess Child;
  Child.Process = Process;
  Child.Pipe = Ends[0];
  Child.Seconds = Limits.Seconds;
  Child.Start = Clock::now();
  return Child;
}

bool ChildProcess::read() {
  char Buffer[1 << 16];
  const ssize_t Got = ::read(Pipe, Buffer, sizeof Buffer);
  if (Got > 0)
    Output.append(Buffer, static_cast<size_t>(Got));
  return Got > 0 || (Got < 0 && errno == EINTR);
}

void ChildProcess::kill() { ::kill(Process, SIGKILL); }

void ChildProcess::killIfLate() {
  if (IsLate || Seconds == 0 ||
      Clock::now() - Start < std::chrono::seconds(Seconds))
    return;
  IsLate = true;
  kill();
}

WorkResult ChildProcess::collect() {
  ::close(Pipe);
  int Status = 0;
  while (::waitpid(Process, &Status, 0) < 0 && errno == EINTR)
    ;
  WorkResult Result;
  if (WIFSIGNALED(Status))
    Result.Signal = WTERMSIG(Status);
  using Kind = WorkResult::Kind;
  const char Said = Output.empty() ? 0 : Output.front();
  if (Said != 0 && (Said != Answer || WIFEXITED(Status)))
    Result.Output = Output.substr(1);
  if (IsLate || Result.Signal == SIGXCPU)
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

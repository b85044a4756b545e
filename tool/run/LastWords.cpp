//===- LastWords.cpp - Why a process ends ---------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/LastWords.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <pthread.h>
#include <typeinfo>
#include <unistd.h>

using namespace cpasync;

/// Enough for the handler below.
static constexpr size_t SignalStackBytes = 64 << 10;

/// How far beyond its end a frame may reach that overflows the stack.
static constexpr uintptr_t MaxFrameBytes = 1 << 20;

/// For the place that the process has come to.
static constexpr unsigned SecondsToAsk = 2;

static void (*SayEnd)(EndOf, const char *Words) = nullptr;
static int EndStatus = 1;
static thread_local uintptr_t StackEnd = 0; ///< its lowest address

/// What was begun last and has not ended: "x.cu:3:7: current parser token ';'".
/// Nothing of what is asked for it is sure to work any more.
static llvm::SmallString<512> lastBegun() {
  static std::atomic_flag IsAsked; // by what goes wrong while asking, too
  llvm::SmallString<512> Text;
  const auto *Entry = static_cast<const llvm::PrettyStackTraceEntry *>(
      llvm::SavePrettyStackState());
  if (!Entry || IsAsked.test_and_set())
    return Text;
  // Who holds a lock does not give it back.
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(SecondsToAsk);
  llvm::raw_svector_ostream Stream(Text);
  Entry->print(Stream);
  ::alarm(0);
  Text.truncate(std::min(Text.size(), Text.str().find('\n')));
  return Text;
}

[[noreturn]] static void end(EndOf What, const char *Words) {
  SayEnd(What, Words);
  ::_exit(EndStatus);
}

[[noreturn]] static void endWithoutMemory() {
  end(EndOf::Memory, lastBegun().c_str());
}

/// What std::terminate() was called for: an exception that nobody catches, as
/// we are built without any.
[[noreturn]] static void onTerminate() {
  const std::type_info *Type = abi::__cxa_current_exception_type();
  const llvm::StringRef Name = Type ? Type->name() : "";
  if (Name.contains("bad_alloc") || Name.contains("bad_array_new_length") ||
      Name.contains("length_error"))
    endWithoutMemory();
  end(EndOf::Library, Type ? Type->name() : "terminated");
}

static void onFault(int Signal, siginfo_t *Info, void *) {
  std::signal(Signal, SIG_DFL);
  const auto Address = reinterpret_cast<uintptr_t>(Info->si_addr);
  const bool IsMemory = (Signal == SIGSEGV || Signal == SIGBUS) &&
                        Info->si_code > 0; // not sent by kill()
  if (IsMemory && StackEnd != 0 && Address + MaxFrameBytes >= StackEnd &&
      Address < StackEnd + MaxFrameBytes)
    end(EndOf::Stack, lastBegun().c_str());
  SayEnd(EndOf::Signal, lastBegun().c_str());
  std::raise(Signal);
}

void cpasync::expectEnds(void (*Say)(EndOf, const char *Words), int Status) {
  SayEnd = Say;
  EndStatus = Status;
  std::set_terminate(onTerminate);
  std::set_new_handler(endWithoutMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endWithoutMemory(); });
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(
      [](void *, const char *Reason, bool) { end(EndOf::Library, Reason); });
  struct sigaction Action = {};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    ::sigaction(Signal, &Action, nullptr);
}

StackWatch::StackWatch() {
  static thread_local char SignalStack[SignalStackBytes];
  stack_t Stack = {};
  Stack.ss_sp = SignalStack;
  Stack.ss_size = sizeof SignalStack;
  ::sigaltstack(&Stack, &Before);
  pthread_attr_t Attributes;
  if (::pthread_getattr_np(::pthread_self(), &Attributes) != 0)
    return;
  void *Lowest = nullptr;
  size_t Size = 0;
  if (::pthread_attr_getstack(&Attributes, &Lowest, &Size) == 0)
    StackEnd = reinterpret_cast<uintptr_t>(Lowest);
  ::pthread_attr_destroy(&Attributes);
}

StackWatch::~StackWatch() {
  StackEnd = 0;
  ::sigaltstack(&Before, nullptr);
}

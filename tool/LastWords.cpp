//===- LastWords.cpp - Why a process ends ---------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/LastWords.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
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

static void (*SayEnd)(EndOf, const char *Words) = nullptr;
static int EndStatus = 1;
static thread_local uintptr_t StackEnd = 0; ///< its lowest address

[[noreturn]] static void end(EndOf What, const char *Words) {
  SayEnd(What, Words);
  ::_exit(EndStatus);
}

/// What std::terminate() was called for: an exception that nobody catches, as
/// we are built without any.
[[noreturn]] static void onTerminate() {
  const std::type_info *Type = abi::__cxa_current_exception_type();
  const llvm::StringRef Name = Type ? Type->name() : "";
  if (Name.contains("bad_alloc") || Name.contains("bad_array_new_length") ||
      Name.contains("length_error"))
    end(EndOf::Memory, "");
  end(EndOf::Library, Type ? Type->name() : "terminated");
}

static void onFault(int Signal, siginfo_t *Info, void *) {
  const auto Address = reinterpret_cast<uintptr_t>(Info->si_addr);
  const bool IsSent = Info->si_code <= 0; // by kill()
  if (!IsSent && StackEnd != 0 && Address + MaxFrameBytes >= StackEnd &&
      Address < StackEnd + MaxFrameBytes)
    end(EndOf::Stack, "");
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
}

void cpasync::expectEnds(void (*Say)(EndOf, const char *Words), int Status) {
  SayEnd = Say;
  EndStatus = Status;
  std::set_terminate(onTerminate);
  std::set_new_handler([] { end(EndOf::Memory, ""); });
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { end(EndOf::Memory, ""); });
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(
      [](void *, const char *Reason, bool) { end(EndOf::Library, Reason); });
  struct sigaction Action = {};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int Signal : {SIGSEGV, SIGBUS})
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

//===- WorkerEndsTest.cpp - Workers say why they end ----------------------===//
//-------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeepRecursion.h"
#include "tool/run/Workers.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace cpasync;
using WorkEnd = WorkResult::Kind;

/// What comes of \p Work as the only piece of work.
static WorkResult run(std::string (*Work)(), const WorkLimits &Limits = {}) {
  WorkResult Result;
  runInChildren(
      1, Limits, [&](size_t) { return Work(); },
      [&](size_t, const WorkResult &R) { Result = R; }, [](size_t) {});
  return Result;
}

/// The same; nothing may appear on standard error.
static WorkResult runSilently(std::string (*Work)(),
                              const WorkLimits &Limits = {}) {
  ::testing::internal::CaptureStderr();
  WorkResult Result = run(Work, Limits);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  return Result;
}

TEST(WorkerEnds, TellTheSignalThatEndsThem) {
  const WorkResult Result = runSilently([]() -> std::string { std::abort(); });
  EXPECT_EQ(Result.Ended, WorkEnd::Crashed);
  EXPECT_EQ(Result.Signal, SIGABRT);
  const WorkResult Fault = runSilently([]() -> std::string {
    std::raise(SIGSEGV);
    return "";
  });
  EXPECT_EQ(Fault.Ended, WorkEnd::Crashed);
  EXPECT_EQ(Fault.Signal, SIGSEGV);
}

static void inTwoPlaces(void (*Do)()) {
  const llvm::PrettyStackTraceString Outer("x.cu:1:1: reading");
  const llvm::PrettyStackTraceString Inner("x.cu:3:7: reading more");
  Do();
}

TEST(WorkerEnds, TellWhatWasBegunLast) {
  const WorkResult Aborted = runSilently([]() -> std::string {
    inTwoPlaces([] { std::abort(); });
    return "";
  });
  EXPECT_EQ(Aborted.Ended, WorkEnd::Crashed);
  EXPECT_EQ(Aborted.Signal, SIGABRT);
  EXPECT_EQ(Aborted.Output, "x.cu:3:7: reading more");
  const WorkResult Full = runSilently([]() -> std::string {
    inTwoPlaces([] { llvm::report_bad_alloc_error("none left"); });
    return "";
  });
  EXPECT_EQ(Full.Ended, WorkEnd::OutOfMemory);
  EXPECT_EQ(Full.Output, "x.cu:3:7: reading more");
}

TEST(WorkerEnds, AnExitIsNoAnswer) {
  const WorkResult Result = runSilently([]() -> std::string { ::_exit(0); });
  EXPECT_EQ(Result.Ended, WorkEnd::Crashed);
  EXPECT_EQ(Result.Signal, 0);
}

TEST(WorkerEnds, TellThatALibraryGaveUp) {
  const WorkResult Result = runSilently(
      []() -> std::string { llvm::report_fatal_error("no such thing"); });
  EXPECT_EQ(Result.Ended, WorkEnd::GaveUp);
  EXPECT_EQ(Result.Output, "no such thing");
}

// What is asked for at once; std::bad_alloc and its like, that nobody catches.
TEST(WorkerEnds, TellThatThereIsNoMemory) {
  EXPECT_EQ(runSilently([]() -> std::string {
              // A thread, as the framework catches what is thrown in a test.
              std::vector<char> All;
              std::thread([&] { All.resize(static_cast<size_t>(-1)); }).join();
              return "";
            }).Ended,
            WorkEnd::OutOfMemory);
  EXPECT_EQ(runSilently([]() -> std::string {
              llvm::report_bad_alloc_error("none left");
            }).Ended,
            WorkEnd::OutOfMemory);
}

#if !__has_feature(address_sanitizer)
TEST(WorkerEnds, MayUseSoMuchMemoryOnly) {
  WorkLimits Limits;
  Limits.MemoryMiB = 256;
  const auto Grow = []() -> std::string {
    std::vector<std::string> Kept;
    for (unsigned I = 0; I < 512; ++I)
      Kept.emplace_back(1 << 20, 'x');
    return std::to_string(Kept.size());
  };
  EXPECT_EQ(runSilently(Grow, Limits).Ended, WorkEnd::OutOfMemory);
  Limits.MemoryMiB = 0;
  EXPECT_EQ(runSilently(Grow, Limits).Output, "512");
}

TEST(WorkerEnds, TellThatTheStackEnds) {
  const WorkResult Result =
      runSilently([] { return std::to_string(deep(1U << 30)); });
  EXPECT_EQ(Result.Ended, WorkEnd::OutOfStack);
}
#endif

TEST(WorkerEnds, AreLimitedByTheSystemToo) {
  WorkLimits Limits;
  Limits.Seconds = 60;
  const WorkResult Result = run(
      [] {
        rlimit Core, Processor;
        ::getrlimit(RLIMIT_CORE, &Core);
        ::getrlimit(RLIMIT_CPU, &Processor);
        return std::to_string(Core.rlim_cur) + " " +
               std::to_string(Processor.rlim_cur);
      },
      Limits);
  EXPECT_EQ(Result.Output, "0 65");
}

TEST(WorkerEnds, ProcessorTimeEndsThemAsTheClockDoes) {
  const WorkResult Result = run([]() -> std::string {
    std::raise(SIGXCPU);
    return "";
  });
  EXPECT_EQ(Result.Ended, WorkEnd::TimedOut);
}

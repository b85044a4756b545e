//===- check.h - What the runs of styles have in common --------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Helpers of the drivers: watchdog, buffers, repeated runs, comparison.
// Include it behind the kernel's file.
//
// Environment: STYLE_WATCHDOG (seconds, 8), STYLE_RUNS (runs of a size, 5).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <initializer_list>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace gpucheck {

static const char *Name = "?";
static char Label[128] = "startup";
static volatile double Deadline = 0.0;
static volatile int CurrentRun = 0;
static int AnyWrong = 0;

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec + 1e-9 * T.tv_nsec;
}

static double envNumber(const char *Variable, double Default) {
  const char *Text = getenv(Variable);
  const double Value = Text ? atof(Text) : 0.0;
  return Value > 0.0 ? Value : Default;
}

// The watchdog barks this long after the last call.
static void arm() { Deadline = now() + envNumber("STYLE_WATCHDOG", 8.0); }

static void *watchdog(void *) {
  for (;;) {
    usleep(50000);
    if (now() < Deadline)
      continue;
    char Line[256];
    const int Length =
        snprintf(Line, sizeof Line, "%s MISTAKE=%d HANG size=%s run %d\n", Name,
                 MISTAKE, Label, CurrentRun);
    if (write(1, Line, Length) != Length)
      _exit(4);
    _exit(3);
  }
  return nullptr;
}

[[noreturn]] static void fail(const char *What) {
  printf("%s MISTAKE=%d size=%s ERROR %s (run %d)\n", Name, MISTAKE, Label,
         What, CurrentRun);
  fflush(stdout);
  _exit(2);
}

static void check(cudaError_t Error) {
  if (Error != cudaSuccess)
    fail(cudaGetErrorString(Error));
}

constexpr int ScrubBytes = 227 * 1024;
constexpr size_t FlushBytes = size_t(96) << 20;
static int Processors = 0;
static void *FlushBuffer = nullptr;

// Leaves a value in all shared memory that nobody can take for data.
static __global__ void scrubShared() {
  extern __shared__ __align__(128) unsigned char ScrubMemory[];
  volatile float *Memory = reinterpret_cast<volatile float *>(ScrubMemory);
  for (int I = threadIdx.x; I < ScrubBytes / 4; I += blockDim.x)
    Memory[I] = 1.0e6f;
}

static void begin(const char *TheName) {
  Name = TheName;
  setvbuf(stdout, nullptr, _IOLBF, 4096);
  arm();
  if (Deadline < now() + 8.0) // the context may take its time
    Deadline = now() + 8.0;
  pthread_t Thread;
  if (pthread_create(&Thread, nullptr, watchdog, nullptr) != 0)
    fail("no watchdog thread");
  check(cudaFree(nullptr));
  check(cudaDeviceGetAttribute(&Processors, cudaDevAttrMultiProcessorCount, 0));
  check(cudaFuncSetAttribute(
      scrubShared, cudaFuncAttributeMaxDynamicSharedMemorySize, ScrubBytes));
  check(cudaMalloc(&FlushBuffer, FlushBytes));
  check(cudaDeviceSynchronize());
  arm();
}

static int finish() {
  fflush(stdout);
  _exit(AnyWrong ? 1 : 0);
}

// Pseudo-random in [Low, High).
static float random(uint64_t Seed, float Low, float High) {
  uint64_t Z = (Seed + 1) * 0x9E3779B97F4A7C15ull;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9ull;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBull;
  Z ^= Z >> 31;
  return Low + (High - Low) * ((Z >> 40) * (1.0f / 16777216.0f));
}

static float *toDevice(const std::vector<float> &Host) {
  float *Device = nullptr;
  check(cudaMalloc(&Device, Host.size() * sizeof(float)));
  check(cudaMemcpy(Device, Host.data(), Host.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  return Device;
}

static float *outputs(size_t Count) {
  float *Device = nullptr;
  check(cudaMalloc(&Device, Count * sizeof(float)));
  return Device;
}

// Calls Launch(), which returns a cudaError_t, several times and compares Out
// with Expected. The outputs are set to Fill bytes before each run.
template <typename LaunchFn>
static void compare(const char *Size, float *Out,
                    const std::vector<double> &Expected, LaunchFn Launch,
                    double Floor = 1e-3, int Fill = 0xff) {
  snprintf(Label, sizeof Label, "%s", Size);
  const int Runs = static_cast<int>(envNumber("STYLE_RUNS", 5));
  const size_t Count = Expected.size();
  std::vector<float> Got(Count);
  size_t MostWrong = 0;
  int WrongRuns = 0;
  double MaxRel = 0.0;
  for (int Run = 1; Run <= Runs; ++Run) {
    CurrentRun = Run;
    arm();
    check(cudaMemset(Out, Fill, Count * sizeof(float)));
    // Cold caches in every second run.
    if (Run & 1)
      check(cudaMemset(FlushBuffer, Run, FlushBytes));
    scrubShared<<<2 * Processors, 512, ScrubBytes>>>();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(Launch());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(Got.data(), Out, Count * sizeof(float),
                     cudaMemcpyDeviceToHost));
    size_t Wrong = 0;
    for (size_t I = 0; I < Count; ++I) {
      const double Magnitude = std::fmax(std::fabs(Expected[I]), Floor);
      const double Off = std::fabs(Got[I] - Expected[I]) / Magnitude;
      if (!(Off <= 1e-3))
        ++Wrong;
      if (Off > MaxRel || Off != Off) // keeps a NaN
        MaxRel = Off;
    }
    if (Wrong > 0)
      ++WrongRuns;
    if (Wrong > MostWrong)
      MostWrong = Wrong;
  }
  if (WrongRuns > 0) {
    AnyWrong = 1;
    printf("%s MISTAKE=%d size=%s WRONG %zu of %zu wrong runs %d of %d "
           "maxrel=%.2g\n",
           Name, MISTAKE, Label, MostWrong, Count, WrongRuns, Runs, MaxRel);
  } else {
    printf("%s MISTAKE=%d size=%s OK wrong runs 0 of %d maxrel=%.2g\n", Name,
           MISTAKE, Label, Runs, MaxRel);
  }
  fflush(stdout);
  arm();
}

static void release(std::initializer_list<float *> Buffers) {
  for (float *Buffer : Buffers)
    check(cudaFree(Buffer));
}

} // namespace gpucheck

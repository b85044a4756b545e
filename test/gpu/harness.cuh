//===- harness.cuh - Run one fixture kernel on a GPU ------------*- CUDA
//-*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel gets a block's `Tiles` tiles of 128 elements and copies In to Out
// through shared memory, so the reference is In itself. Its parameters say how
// it is launched:
//
//   (const T *In, U *Out)             one tile a block
//   (const T *In, U *Out, int Tiles)  eight tiles a block
//   (const T *In, U *Out, bool Flag)  one tile a block, Flag is false
//   (Map, const T *In, U *Out)        one tile a block; Map, a CUtensorMap, is
//   of
//                                     In: a row, and a box, is a block's tile
//
// Every run begins with shared memory full of NaNs, Out full of NaNs and an L2
// cache that holds none of In. Odd runs ask for more shared memory, so that
// fewer blocks share a multiprocessor.
//
//   fixture --list             the table, a JSON object a line
//   fixture KERNEL [RUNS]      runs one kernel, prints a JSON object
//   fixture KERNEL --small     four blocks and one run, for compute-sanitizer
//
// Exits 0 whatever the kernel did; test/gpu/run judges.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_GPU_HARNESS_CUH
#define CPASYNC_TEST_GPU_HARNESS_CUH

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <vector>

namespace gpu {

enum class Outcome {
  Passes,     ///< Out equals In in every run
  Stale,      ///< some elements of Out are wrong
  Misaligned, ///< stops with "misaligned address"
  Trap,       ///< stops with "unspecified launch failure"
  Illegal,    ///< stops with an illegal instruction or an illegal address
  WrongSpace, ///< stops with "operation not supported on global/shared ..."
  Refused,    ///< ptxas does not assemble it
  Slow,       ///< Out holds cycles, more than those of the `_ok` twin
  Timed,      ///< Out holds cycles
};

inline const char *name(Outcome O) {
  static const char *const Names[] = {"passes",  "stale",   "misaligned",
                                      "trap",    "illegal", "wrong_space",
                                      "refused", "slow",    "timed"};
  return Names[static_cast<int>(O)];
}

constexpr unsigned Threads = 128; // as the kernels' __launch_bounds__
constexpr unsigned Blocks = 1024;
constexpr int TilesInALoop = 8;
constexpr size_t PoolBytes = 16 * 1024; // for `extern __shared__`
constexpr size_t CrowdingBytes = 64 * 1024;
constexpr size_t FlushBytes = 256 * 1024 * 1024; // several times the L2 cache

using Launcher = std::function<void(const void *In, void *Out, unsigned Blocks,
                                    size_t Shared)>;

struct Row {
  const char *Name;
  Outcome Declared;
  int Case = 0;            ///< Refused: value of CPASYNC_CASE
  const char *Text = "";   ///< Refused: what ptxas says
  int Tiles = 0;           ///< of a block
  size_t ElementBytes = 0; ///< of In
  Launcher Launch;
};

template <typename K> void allowShared(K *Kernel) {
  cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       PoolBytes + CrowdingBytes);
}

template <typename T, typename U>
Row row(const char *Name, Outcome O, void (*Kernel)(const T *, U *)) {
  return {Name,
          O,
          0,
          "",
          1,
          sizeof(T),
          [=](const void *In, void *Out, unsigned Blocks, size_t Shared) {
            allowShared(Kernel);
            Kernel<<<Blocks, Threads, Shared>>>(static_cast<const T *>(In),
                                                static_cast<U *>(Out));
          }};
}

template <typename T, typename U>
Row row(const char *Name, Outcome O, void (*Kernel)(const T *, U *, int)) {
  return {Name,
          O,
          0,
          "",
          TilesInALoop,
          sizeof(T),
          [=](const void *In, void *Out, unsigned Blocks, size_t Shared) {
            allowShared(Kernel);
            Kernel<<<Blocks, Threads, Shared>>>(static_cast<const T *>(In),
                                                static_cast<U *>(Out),
                                                TilesInALoop);
          }};
}

template <typename T, typename U>
Row row(const char *Name, Outcome O, void (*Kernel)(const T *, U *, bool)) {
  return {Name,
          O,
          0,
          "",
          1,
          sizeof(T),
          [=](const void *In, void *Out, unsigned Blocks, size_t Shared) {
            allowShared(Kernel);
            Kernel<<<Blocks, Threads, Shared>>>(static_cast<const T *>(In),
                                                static_cast<U *>(Out), false);
          }};
}

inline void require(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "harness: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(3);
}

/// Of 4-byte elements, \p Rows tiles.
inline CUtensorMap mapOf(const void *In, unsigned Rows) {
  void *Entry = nullptr;
  cudaDriverEntryPointQueryResult Found;
  require(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &Entry,
                                           12000, cudaEnableDefault, &Found),
          "cuTensorMapEncodeTiled");
  const cuuint64_t Extents[] = {Threads, Rows}, Pitch[] = {Threads * 4};
  const cuuint32_t Box[] = {Threads, 1}, Every[] = {1, 1};
  CUtensorMap Map;
  if (reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(Entry)(
          &Map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<void *>(In),
          Extents, Pitch, Box, Every, CU_TENSOR_MAP_INTERLEAVE_NONE,
          CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::fprintf(stderr, "harness: the tensor map is refused\n");
    std::exit(3);
  }
  return Map;
}

template <typename T, typename U>
Row row(const char *Name, Outcome O,
        void (*Kernel)(CUtensorMap, const T *, U *)) {
  return {Name,
          O,
          0,
          "",
          1,
          sizeof(T),
          [=](const void *In, void *Out, unsigned Blocks, size_t Shared) {
            allowShared(Kernel);
            Kernel<<<Blocks, Threads, Shared>>>(mapOf(In, Blocks),
                                                static_cast<const T *>(In),
                                                static_cast<U *>(Out));
          }};
}

static __global__ void fillInput(float *In, size_t Count) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    In[I] = 1.0f + static_cast<float>(I & 0x7fffff);
}

static __global__ void poisonShared(size_t Bytes) {
  extern __shared__ volatile unsigned HarnessPoison[];
  for (size_t I = threadIdx.x; I < Bytes / 4; I += blockDim.x)
    HarnessPoison[I] = 0xffffffff;
}

/// Result: words that differ; sum of the words that are numbers; their count.
static __global__ void compare(const float *In, const float *Out, size_t Count,
                               unsigned long long *Result) {
  unsigned long long Different = 0, Sum = 0, Numbers = 0;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x) {
    Different += __float_as_uint(In[I]) != __float_as_uint(Out[I]);
    if (Out[I] == Out[I]) {
      Sum += static_cast<unsigned long long>(Out[I]);
      ++Numbers;
    }
  }
  atomicAdd(&Result[0], Different);
  atomicAdd(&Result[1], Sum);
  atomicAdd(&Result[2], Numbers);
}

struct Device {
  float *In = nullptr, *Out = nullptr;
  unsigned long long *Result = nullptr;
  void *Flush = nullptr;
  size_t FlushBytes = 0, SharedBytes = 0;
  unsigned Multiprocessors = 0;

  Device(size_t Bytes, bool Small) {
    int Value = 0;
    require(cudaDeviceGetAttribute(&Value, cudaDevAttrMultiProcessorCount, 0),
            "multiprocessors");
    Multiprocessors = Small ? 1 : Value;
    require(cudaDeviceGetAttribute(&Value,
                                   cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
            "shared memory");
    SharedBytes = Small ? 48 * 1024 : Value;
    FlushBytes = Small ? 4096 : gpu::FlushBytes;
    require(cudaFuncSetAttribute(poisonShared,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 SharedBytes),
            "poison");
    require(cudaMalloc(&In, Bytes), "cudaMalloc");
    require(cudaMalloc(&Out, Bytes), "cudaMalloc");
    require(cudaMalloc(&Result, 3 * sizeof(*Result)), "cudaMalloc");
    require(cudaMalloc(&Flush, FlushBytes), "cudaMalloc");
    fillInput<<<Multiprocessors * 4, 256>>>(In, Bytes / 4);
    require(cudaDeviceSynchronize(), "fill");
  }

  void prepare(size_t Bytes, int Run) {
    require(cudaMemset(Out, 0xff, Bytes), "memset");
    require(cudaMemset(Result, 0, 3 * sizeof(*Result)), "memset");
    require(cudaMemset(Flush, Run, FlushBytes), "memset");
    poisonShared<<<Multiprocessors * 4, 512, SharedBytes>>>(SharedBytes);
    require(cudaDeviceSynchronize(), "prepare");
  }
};

inline int runRow(const Row &R, int Runs, bool Small) {
  const unsigned Grid = Small ? 4 : Blocks;
  const size_t Bytes = size_t(Grid) * R.Tiles * Threads * R.ElementBytes;
  Device D(Bytes, Small);
  const size_t Words = Bytes / 4;
  int RunsWrong = 0;
  double Least = 100, Most = 0, Sum = 0, Cycles = 0;
  const char *Error = "";
  int Run = 0;
  for (; Run < Runs; ++Run) {
    D.prepare(Bytes, Run);
    R.Launch(D.In, D.Out, Grid, PoolBytes + (Run % 2 ? CrowdingBytes : 0));
    cudaError_t E = cudaGetLastError();
    if (E == cudaSuccess)
      E = cudaDeviceSynchronize();
    if (E != cudaSuccess) {
      Error = cudaGetErrorString(E); // the context is lost: no further run
      ++Run;
      break;
    }
    compare<<<D.Multiprocessors * 4, 256>>>(D.In, D.Out, Words, D.Result);
    unsigned long long Result[3] = {};
    require(
        cudaMemcpy(Result, D.Result, sizeof(Result), cudaMemcpyDeviceToHost),
        "compare");
    const double Wrong = 100.0 * static_cast<double>(Result[0]) / Words;
    RunsWrong += Result[0] != 0;
    Least = Wrong < Least ? Wrong : Least;
    Most = Wrong > Most ? Wrong : Most;
    Sum += Wrong;
    Cycles += Result[2] ? static_cast<double>(Result[1]) / Result[2] : 0;
  }
  std::printf("{\"runs\": %d, \"runs_wrong\": %d, \"wrong_least\": %.2f, "
              "\"wrong_mean\": %.2f, \"wrong_most\": %.2f, \"cycles\": %.0f, "
              "\"error\": \"%s\"}\n",
              Run, RunsWrong, Most ? Least : 0, Sum / Run, Most, Cycles / Run,
              Error);
  return 0;
}

inline int main(int Argc, char **Argv, const std::vector<Row> &Rows) {
  if (Argc == 2 && !std::strcmp(Argv[1], "--list")) {
    for (const Row &R : Rows)
      std::printf("{\"name\": \"%s\", \"declared\": \"%s\", \"case\": %d, "
                  "\"text\": \"%s\"}\n",
                  R.Name, name(R.Declared), R.Case, R.Text);
    return 0;
  }
  for (const Row &R : Rows)
    if (Argc > 1 && R.Launch && !std::strcmp(R.Name, Argv[1])) {
      const bool Small = Argc > 2 && !std::strcmp(Argv[2], "--small");
      const int Runs = Small ? 1 : Argc > 2 ? std::atoi(Argv[2]) : 20;
      return runRow(R, Runs, Small);
    }
  std::fprintf(stderr, "usage: %s --list | KERNEL [RUNS | --small]\n", Argv[0]);
  return 2;
}

} // namespace gpu

#define BAD(Kernel, Expected) gpu::row(#Kernel, gpu::Outcome::Expected, Kernel)
#define TWINS(Shape, Expected) BAD(Shape##_bad, Expected), OK(Shape##_ok)
#define OK(Kernel) gpu::row(#Kernel, gpu::Outcome::Passes, Kernel)
#define TIMED(Kernel) gpu::row(#Kernel, gpu::Outcome::Timed, Kernel)
/// Kernel is compiled alone, with -DCPASYNC_CASE=Number, and ptxas says Text.
#define REFUSED(Kernel, Number, Text)                                          \
  gpu::Row { #Kernel, gpu::Outcome::Refused, Number, Text }
#define GPU_TABLE(...)                                                         \
  int main(int Argc, char **Argv) {                                            \
    return gpu::main(Argc, Argv, {__VA_ARGS__});                               \
  }

#endif // CPASYNC_TEST_GPU_HARNESS_CUH

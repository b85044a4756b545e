//===- SharedPipelinesTest.cpp - Pipelines of several threads -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

static constexpr char PipelineHeader[] = R"(
namespace cuda {
enum thread_scope { thread_scope_thread, thread_scope_block };
template <thread_scope S, unsigned char Stages> struct pipeline_shared_state {
  long Count[2 * Stages];
};
template <thread_scope S> struct pipeline {
  __device__ void producer_acquire();
  __device__ void producer_commit();
  __device__ void consumer_wait();
  __device__ void consumer_release();
  long Kept[4];
};
template <typename G, thread_scope S, unsigned char Stages>
__device__ pipeline<S> make_pipeline(const G &,
                                     pipeline_shared_state<S, Stages> *);
template <unsigned long N> struct aligned_size_t {
  unsigned long Value;
  __device__ explicit aligned_size_t(unsigned long V) : Value(V) {}
  __device__ operator unsigned long() const { return Value; }
};
template <unsigned long A, thread_scope S>
__device__ void memcpy_async(void *, const void *, aligned_size_t<A>,
                             pipeline<S> &);
}
namespace cooperative_groups {
struct thread_block { __device__ void sync() const; };
__device__ thread_block this_thread_block();
}
#define MAKE                                                                   \
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> State;   \
  auto Pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(),     \
                                  &State)
#define FETCH(Slot)                                                            \
  Pipe.producer_acquire();                                                     \
  cuda::memcpy_async(Tile + (Slot) * 256 + 4 * T, In,                          \
                     cuda::aligned_size_t<16>(16), Pipe);                      \
  Pipe.producer_commit()
)";

TEST(SharedPipelines, AStageIsFilledAgainWhenAllHaveReleasedIt) {
  EXPECT_EQ(found("MAKE;\nFETCH(0);\nFETCH(1);\n"
                  "Pipe.consumer_wait();\nUSE(Tile[4 * (T ^ 32)]);\n"
                  "Pipe.consumer_release();\nFETCH(0);\n"
                  "Pipe.consumer_wait();\nUSE(Tile[256 + 4 * (T ^ 32)]);",
                  PipelineHeader),
            "");
}

TEST(SharedPipelines, WhatIsReadAfterTheReleaseIsOverwritten) {
  EXPECT_EQ(found("MAKE;\nFETCH(0);\nFETCH(1);\n"
                  "Pipe.consumer_wait();\n"
                  "Pipe.consumer_release();\nUSE(Tile[4 * (T ^ 32)]);\n"
                  "FETCH(0);",
                  PipelineHeader)
                .substr(0, 20),
            "Overwrite(StillRead)");
}

TEST(SharedPipelines, WaitsCountStages) {
  EXPECT_EQ(found("MAKE;\nFETCH(0);\nFETCH(1);\n"
                  "Pipe.consumer_wait();\nUSE(Tile[256 + 4 * T]);",
                  PipelineHeader)
                .substr(0, 12),
            "ReadInFlight");
}

TEST(SharedPipelines, AStageThatNobodyCommitsIsNeverFull) {
  EXPECT_EQ(found("MAKE;\nPipe.producer_acquire();\n"
                  "cuda::memcpy_async(Tile + 4 * T, In,"
                  " cuda::aligned_size_t<16>(16), Pipe);\n"
                  "Pipe.consumer_wait();\nUSE(Tile[4 * T]);",
                  PipelineHeader),
            "ReadInFlight(NotCommitted) copy:3 wait:4 read:5; "
            "UncommittedAtEnd copy:3");
}

TEST(SharedPipelines, AreFollowedWhereTheyAreLocal) {
  const std::string Copy = "COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n",
                    Gap = ": 'cuda::pipeline<cuda::thread_scope_block>::"
                          "consumer_wait' is not analysed yet";
  EXPECT_EQ(found(Copy + "given().consumer_wait();",
                  std::string(PipelineHeader) +
                      "__device__ cuda::pipeline<cuda::thread_scope_block> "
                      "&given();"),
            "3" + Gap);
  EXPECT_EQ(found("__shared__ cuda::pipeline<cuda::thread_scope_block> P;\n" +
                      Copy + "P.consumer_wait();",
                  PipelineHeader),
            "4" + Gap);
}

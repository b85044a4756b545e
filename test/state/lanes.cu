//===- lanes.cu - Order between the lanes of a warp ------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each barrier of lanes leaves that some lane does not come after, where
// lanes are told apart: by the analysis of the one check that does.
//
// lint-flags: --checks=-*,cpasync-unsynchronized-lanes
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void fetch(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __pipeline_commit();
  // expect-state@-1: commit: threads 0-15,32-47: groups [{Tile}] open {}; threads 16-31,48-63: groups [] open {}
  // expect-state@-2: commit: threads 0-63: groups [{Tile}] open {}
  __pipeline_wait_prior(0);
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile}; not ordered in warps {Tile}
}

KERNEL whole_warps(const float *In, float *Out) {
  __shared__ float Tile[64];
  fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  __syncwarp();
  // expect-state@-1: lanes: threads 0-63: groups [] open {}; unordered copies {Tile}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}

// All that is left is parted by who comes after it.
KERNEL quarters(const float *In, float *Out) {
  __shared__ float Tile[64];
  fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  cg::tiled_partition<16>(cg::this_thread_block()).sync();
  // expect-state@-1: lanes: threads 0-63: groups [] open {}; unordered copies {Tile*2}; not ordered in warps {Tile*2}
  __syncwarp();
  // expect-state@-1: lanes: threads 0-63: groups [] open {}; unordered copies {Tile*2}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile*2}

KERNEL one_warp(const float *In, float *Out) {
  __shared__ float Tile[64];
  fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  if (threadIdx.x < 32)
    __syncwarp();
    // expect-state@-1: lanes: threads 0-63: groups [] open {}; unordered copies {Tile}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}; not ordered in warps {Tile}

// The others are expected, and come after what stands behind it.
KERNEL one_side(const float *In, float *Out) {
  __shared__ float Tile[64];
  if (threadIdx.x % 32 < 16) {
    __syncwarp();
    // expect-state@-1: lanes: threads 0-63: groups [] open {}
    fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  } else {
    __syncwarp();
    // expect-state@-1: lanes: threads 0-63: groups [] open {}; unordered copies {Tile}
  }
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}

KERNEL shuffled(const float *In, float *Out) {
  __shared__ float Tile[64];
  fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = __shfl_xor_sync(~0u, In[threadIdx.x], 1);
  // expect-state@-1: lanes: threads 0-63: groups [] open {}; unordered copies {Tile}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}

KERNEL of_the_block(const float *In, float *Out) {
  __shared__ float Tile[64];
  fetch(&Tile[threadIdx.x], &In[threadIdx.x]);
  __syncthreads();
  // expect-state@-1: barrier: threads 0-63: groups [] open {}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}

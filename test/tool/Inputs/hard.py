# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes kernels that are meant to be hard on the analysis into this folder."""

import random

PREAMBLE = """#include <cuda_pipeline.h>
__device__ void stage(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  __pipeline_commit();
}
"""


def junk():
    """10 MB of text in one asm statement."""
    letters = random.Random(1)
    words = ["cp.async", "[%0]", ",", ";", "{", "}", "@p", "//", "0x", "%r1", "'", "|"]
    text = " ".join(letters.choice(words) for _ in range(10_000_000 // 4))
    return f'__global__ void k(unsigned A) {{ asm volatile("{text}" :: "r"(A)); }}\n'


def chain(link, times):
    return f"""
__device__ int chained(int N) {{ return {link * times} N; }}
__global__ void reads_early(const float *In, float *Out) {{
  __shared__ float Tile[128];
  stage(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[threadIdx.x];
}}
__global__ void chains(const float *In, float *Out, int N) {{
  __shared__ float Tile[128];
  stage(&Tile[threadIdx.x], &In[chained(N)]);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}}
"""


KERNELS = {
    "junk": junk,
    # Clang evaluates what each element of an array is initialised with.
    "large-array": lambda: """
__device__ float4 Table[1 << 26];
__global__ void k(float4 *Out) { Out[0] = Table[threadIdx.x]; }
""",
    "large-tile": lambda: """
__global__ void k(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[1 << 20][128];
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[0][threadIdx.x];
}
""",
    "endless-array": lambda: """
struct Zero {
  int X = 0;
  __device__ constexpr Zero() {}
};
__device__ Zero Table[0x7fffffff];
""",
    "endless-member": lambda: """
template <int Size> struct Slots {
  int State = 0;
  alignas(16) char Slot[Size];
  __device__ constexpr Slots() : Slot{} {}
};
__global__ void k(int *Out) {
  __shared__ Slots<0x7fffffff> Ring;
  Out[0] = Ring.State;
}
""",
    "endless-folded": lambda: """
constexpr int Size = 1e38;
__global__ void k(float4 *Out) {
  __shared__ float4 Tile[Size];
  Out[0] = Tile[0];
}
""",
    "large-template": lambda: """
template <int Size> __global__ void k(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[Size];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
template __global__ void k<0x7fffffff>(const float4 *, float4 *);
""",
    "typeless": lambda: """
template <typename T> struct Pair {
  T A, B;
  __device__ Pair(T A, T B) : A(A), B(B) {}
};
template <typename T> __global__ void pattern(const T *In, T *Out) {
  Pair<T> Both(In[0], In[1]);
  Out[0] = Both.A;
}
__global__ void k(float *Out) { Out[0] = 0; }
""",
    "recursion": lambda: """
__device__ void down(float *To, const float *From, int N) {
  stage(To, From);
  if (From[N] > 0)
    down(To, From, N - 1);
}
__global__ void k(const float *In, float *Out, int N) {
  __shared__ float Tile[128];
  down(&Tile[threadIdx.x], &In[threadIdx.x], N);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
""",
    "counted-recursion": lambda: """
__device__ void down(float *To, const float *From, int N) {
  stage(To, From);
  if (N > 0)
    down(To, From, N - 1);
}
__global__ void k(const float *In, float *Out, int N) {
  __shared__ float Tile[128];
  down(&Tile[threadIdx.x], &In[threadIdx.x], N);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
""",
    "long-loop": lambda: """
__global__ void k(const float *In, float *Out) {
  __shared__ float Tile[128];
  for (int I = 0; I < 10000; ++I) {
    stage(&Tile[threadIdx.x], &In[I * 128 + threadIdx.x]);
    __pipeline_wait_prior(0);
    Out[I * 128 + threadIdx.x] = Tile[threadIdx.x];
  }
}
""",
    "goto-loop": lambda: """
__global__ void k(const float *In, float *Out, int N) {
  __shared__ float Tile[128];
  int I = 0;
again:
  stage(&Tile[threadIdx.x], &In[I * 128 + threadIdx.x]);
  __pipeline_wait_prior(0);
  Out[I * 128 + threadIdx.x] = Tile[threadIdx.x];
  if (++I < N)
    goto again;
}
""",
    "branches": lambda: "__global__ void k(const float *In, float *Out, int N) {\n"
    "  __shared__ float Tile[60][128];\n"
    + "".join(
        f"  if (In[{i}] > 0) stage(&Tile[{i}][threadIdx.x], &In[threadIdx.x + {i}]);\n"
        for i in range(60)
    )
    + "  __pipeline_wait_prior(0);\n  Out[threadIdx.x] = Tile[0][threadIdx.x];\n}\n",
    # Chains of operators, each nested in the next as Clang sees them.
    "chained-assignments": lambda: chain("N = ", 20_000),
    "chained-conditions": lambda: chain("N && ", 20_000),
    "chained-commas": lambda: chain("N++, ", 20_000),
    "deep-expression": lambda: "__global__ void k(float *Out, int N) {\n  Out[0] = "
    + "(" * 3000
    + "N"
    + " + 1)" * 3000
    + ";\n}\n",
}

for name, kernel in KERNELS.items():
    with open(f"{name}.cu", "w", encoding="ascii") as file:
        file.write(PREAMBLE + kernel())

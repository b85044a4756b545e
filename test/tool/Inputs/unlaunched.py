# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints kernel templates whose launches are lost for want of a header."""

print(
    """#include "missing.h"
template <int N> __device__ void copy(unsigned To, const void *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(To), "l"(From),
               "n"(N));
}
template <class T> __device__ void copyAll(T *To, const T *From) {
  copy<sizeof(T)>(unsigned(__cvta_generic_to_shared(To)), From);
}
template <class T> struct Loader {
  __device__ void load(T *To, const T *From) { copyAll(To, From); }
  __device__ static void wait() { asm volatile("cp.async.wait_all;"); }
};
"""
)
KERNELS = {
    "direct": 'asm volatile("cp.async.wait_all;");',
    "through_wrapper": "copyAll(&Tile[threadIdx.x], In);",
    "through_member": "Loader<T> L; L.load(&Tile[threadIdx.x], In);",
    "through_class": "Loader<T>::wait();",
    "without_copies": "Tile[threadIdx.x] = In[threadIdx.x];",
}
for name, body in KERNELS.items():
    print(f"template <class T> __global__ void {name}(const T *In) {{")
    print(f"  __shared__ T Tile[32];\n  {body}\n}}")
print("void launch(Tensor In) {")
for name in KERNELS:
    print(f"  {name}<float><<<1, 32>>>(In.data());")
print("}")

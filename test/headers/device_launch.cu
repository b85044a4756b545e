// RUN: %clang_cuda -fgpu-rdc -Xclang -verify %s
// expected-no-diagnostics

// A kernel that starts a kernel.
__global__ void child(int *out) { out[threadIdx.x] = 1; }
__global__ void parent(int *out) { child<<<1, 32>>>(out); }

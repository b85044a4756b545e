#include "copies.h"

__global__ void reversed(const float *In, float *Out) {
  __shared__ float Tile[256];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  commit();
  waitAll();
  __syncwarp();
  Out[0] = Tile[blockDim.x - 1 - threadIdx.x];
}

// Nobody outside can launch it; here it is, with one warp.
static __global__ void own(const float *In, float *Out) {
  __shared__ float Tile[256];
  copy4(&Tile[threadIdx.x], In + threadIdx.x);
  commit();
  waitAll();
  __syncthreads();
  Out[0] = Tile[blockDim.x - 1 - threadIdx.x];
}
void launchOwn(const float *In, float *Out) { own<<<1, 32>>>(In, Out); }

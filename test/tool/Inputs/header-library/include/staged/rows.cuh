#pragma once
#include <staged/copy.cuh>

namespace staged {

constexpr int Columns = 12, Rows = 20;

// Launched with blocks of 12 x 20 threads.
__global__ void transpose(const float *In, float *Out) {
  __shared__ float Tile[Rows][Columns];
  const int X = threadIdx.x, Y = threadIdx.y;
  copy<4>(&Tile[Y][X], &In[Y * Columns + X]);
  commit();
  wait<0>();
  __syncthreads();
  const int I = Y * Columns + X;
  Out[I] = Tile[I % Rows][I / Rows];
}

// Wrong: no barrier behind the wait.
__global__ void transposeAtOnce(const float *In, float *Out) {
  __shared__ float Tile[Rows][Columns];
  const int X = threadIdx.x, Y = threadIdx.y;
  copy<4>(&Tile[Y][X], &In[Y * Columns + X]);
  commit();
  wait<0>();
  const int I = Y * Columns + X;
  Out[I] = Tile[I % Rows][I / Rows];
}

// Wrong: only the thread's own element has been waited for.
template <class T> __device__ T shift(const T *In, T *Slots) {
  copy<sizeof(T)>(&Slots[threadIdx.x], &In[threadIdx.x]);
  commit();
  wait<0>();
  return Slots[threadIdx.x < 160 ? threadIdx.x + 32 : threadIdx.x - 160];
}

} // namespace staged

// Kernels that make the same calls, some of them within each other, all or one
// of them: test/tool/budgets.test.
#include <cuda_pipeline.h>

#define STEP X = (X * 5 + 1) % 32;
#define SIX STEP STEP STEP STEP STEP STEP

__device__ int inner(int X) {
  SIX SIX SIX
  return X;
}

__device__ int outer(int X) {
  SIX
  return inner(X) + inner(X + 1) + inner(X);
}

__device__ int outermost(int X) { return outer(X) + outer(X + 1) + inner(X); }

// Reads, which are done again each time.
__device__ float sum(const float *Row, int Count) {
  float Sum = 0;
  for (int K = 0; K < Count; ++K)
    Sum += Row[K];
  return Sum;
}

__shared__ float Rows[4][64];

#define COPY(ROW)                                                              \
  __pipeline_memcpy_async(&Rows[ROW][threadIdx.x], In, 4);                     \
  __pipeline_commit();                                                         \
  __pipeline_wait_prior(0);                                                    \
  __syncthreads();

#if !defined ONLY || ONLY == 1
__global__ void first(const float *In, float *Out) {
  COPY(outermost(3) % 4)
  Out[threadIdx.x] = sum(Rows[1], 5) + sum(Rows[0], outer(1) % 4 + 1);
}
void launch(const float *In, float *Out) { first<<<1, 64>>>(In, Out); }
#endif

#if !defined ONLY || ONLY == 2
__global__ void second(const float *In, float *Out) {
  COPY(outer(3) % 4)
  Out[threadIdx.x] = sum(Rows[outermost(3) % 4], outer(1) % 4 + 1);
  Out[threadIdx.x + 64] = sum(Rows[inner(2) % 4], 5);
}
void launch2(const float *In, float *Out) { second<<<1, 64>>>(In, Out); }
#endif

#if !defined ONLY || ONLY == 3
__global__ void third(const float *In, float *Out) {
  COPY(outermost(3) % 4)
  Out[threadIdx.x] = sum(Rows[outer(3) % 4], 6) + sum(Rows[1], 5);
  Out[threadIdx.x + 64] = sum(Rows[1], 5) + sum(Rows[outer(1) % 4], 5);
}
void launch3(const float *In, float *Out) { third<<<1, 64>>>(In, Out); }
#endif

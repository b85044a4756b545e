#include <staged/rows.cuh>

__global__ void shifted(const int *In, int *Out) {
  __shared__ int Slots[192];
  Out[threadIdx.x] = staged::shift(In, Slots);
}

void rows(const float *In, float *Out, const int *From, int *To) {
  const dim3 Block(staged::Columns, staged::Rows);
  staged::transpose<<<1, Block>>>(In, Out);
  staged::transposeAtOnce<<<1, Block>>>(In, Out);
  shifted<<<1, 192>>>(From, To);
}

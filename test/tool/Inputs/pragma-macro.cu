// Macros that stand for a pragma.
#define UNROLL #pragma unroll
#define UNROLL_TWICE #pragma unroll 2
#define STRINGIFY(X) #X
#define HASH #

__global__ void k(const float *Src, float *Dst) {
  __shared__ float Tile[2][128];
  UNROLL
  for (int I = 0; I < 2; ++I) {
    unsigned To = static_cast<unsigned>(
        __cvta_generic_to_shared(&Tile[I][threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
                 "l"(Src + threadIdx.x)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  float Sum = 0;
  UNROLL_TWICE
  for (int I = 0; I < 2; ++I)
    Sum += Tile[I][threadIdx.x];
  Dst[threadIdx.x] = Sum + sizeof(STRINGIFY(Sum));
}

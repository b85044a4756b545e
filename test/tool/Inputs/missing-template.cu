// nvcc takes a template of members without 'template' where the type of the object
// depends on a parameter.
#include <cuda_runtime.h>

namespace sizes {
constexpr int Vector = 16;
}

template <int Pitch> struct View {
  float4 *Base;
  template <int Step> static __device__ unsigned moved(const unsigned &By) {
    return By + Step;
  }
  template <int Step>
  static __device__ unsigned moved(const unsigned &By, const unsigned &Times) {
    return By + Step * Times;
  }
  template <int Bytes, class T>
  __device__ void fill(unsigned At, const T *From, bool Wanted) const {
    const unsigned To =
        static_cast<unsigned>(__cvta_generic_to_shared(Base + At));
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0;\n"
                 "@p cp.async.cg.shared.global [%1], [%2], %3; }" ::"r"(
                     int(Wanted)),
                 "r"(To), "l"(From), "n"(Bytes));
  }
};

template <int Pitch, class T>
__device__ void stage(const View<Pitch> &To, unsigned &At, const T *From, unsigned Limit) {
  for (unsigned I = 0; I < 2; ++I) {
    To.fill<sizes::Vector>(At, From + At, At < Limit);
    At = To.moved<Pitch>(At);
  }
}

template <int Pitch> __global__ void kernel(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[2 * Pitch];
  View<Pitch> All{Tile};
  unsigned At = threadIdx.x;
  stage(All, At, In, 2 * Pitch);
  asm volatile("cp.async.commit_group;");
  __syncthreads();
  unsigned Next = All.moved<Pitch>(threadIdx.x); Out[threadIdx.x] = Tile[threadIdx.x];
  Out[Next] = In[Next];
}

void launch(const float4 *In, float4 *Out) { kernel<64><<<1, 64>>>(In, Out); }

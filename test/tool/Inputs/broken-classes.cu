#include <cuda_pipeline.h>
template <typename T> struct Tile {
  T Rows[4];
  typename T::missing Extra;
};
template <typename T> struct Holder {
  Tile<T> Parts[2];
  operator float() const;
};
struct Later;
template <int N> struct Odd { int Bits : N; alignas(Unknown) float V; Later Field; };
__global__ void k(const float *In, float *Out) {
  __shared__ float Shared[128];
  Holder<float> H;
  Odd<3> O;
  __pipeline_memcpy_async(&Shared[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  H.Parts[0].Rows[0] = In[0];
  O.V = In[1];
  Out[threadIdx.x] = Shared[threadIdx.x] + H.Parts[0].Rows[0];
}

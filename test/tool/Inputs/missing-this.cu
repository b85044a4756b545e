// A member of a base that depends on a template parameter.
template <class T> struct Tile {
  T Data[128];
  template <class U> __device__ U *row(U *From) { return From; }
  static __device__ void commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
};
template <class T> struct Ring : Tile<T> {
  __device__ void fill(const T *Src) {
    unsigned To = static_cast<unsigned>(
        __cvta_generic_to_shared(row(&this->Data[threadIdx.x])));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
                 "l"(Src + threadIdx.x)
                 : "memory");
    this->commit();
  }
};

__global__ void k(const float *Src, float *Dst) {
  __shared__ Ring<float> R;
  R.fill(Src);
  Dst[threadIdx.x] = R.Data[threadIdx.x];
}


template <class T> struct Either {
  using Value = T;
};
template <> struct Either<int> {
  static constexpr int Value = 4;
};
template <class T> __device__ float pick(float X) { return sizeof(T) * X; }
template <int N> __device__ float pick(float X) { return N * X; }
template <class T> __device__ float use(float X) {
  return pick<Either<T>::Value>(X);
}
__global__ void both(float *Out) { Out[0] = use<int>(1) + use<float>(2); }

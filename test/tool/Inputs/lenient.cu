// What nvcc accepts and Clang does not, and a forgotten wait. Nothing is
// included: nvcc's implicit include is enough.
template <int N> struct Tile {
  static constexpr int Columns = N;
  template <int M> using Part = Tile<M>;
  float Data[N];
};

// A reference whose object is not known, in a constant expression.
template <class T> __device__ int columns(const T &Of) {
  constexpr int Result = Of.Columns;
  return Result;
}

// 'template' left out.
template <class T> __device__ float first(T &Of) {
  return reinterpret_cast<typename T::Part<1> *>(&Of)->Data[0];
}

// 'restrict' of what is no pointer.
using Real = float;
__device__ float sum(Real __restrict__ Of[], int N) {
  float Result = 0;
  for (int I = 0; I < N; ++I)
    Result += Of[I];
  return Result;
}

template <int N> __global__ void kernel(const float *In, float *Out) {
  // No array, and 'extern' all the same.
  extern __shared__ Tile<N> Buffer;
  const unsigned To = static_cast<unsigned>(
      __cvta_generic_to_shared(&Buffer.Data[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
               "l"(&In[threadIdx.x]));
  asm volatile("cp.async.commit_group;");
  Out[threadIdx.x] = first(Buffer) + columns(Buffer) + sum(Out, 4);
}

struct Sizes {
  unsigned long Rows;
};

// Functions of the host that the kernel's launch depends on, and a narrowing.
void launch(const float *In, float *Out, int Rows, float Scale) {
  Sizes S{Rows};
  if (isnan(Scale) || isinf(double(Scale)))
    fprintf(stderr, "no number\n");
  assert(Rows);
  srand(time(nullptr));
  std::pair<clock_t, int> Started(clock(), std::numeric_limits<int>::max());
  std::swap(Started.second, Rows);
  qsort(&Rows, 1, sizeof(Rows), nullptr);
  kernel<64><<<std::min(5u, max(1, min(Rows, 4u))), 64>>>(In, Out);
}

// What nvcc takes and Clang does not, on the way to a forgotten wait.
#include <utility>

// 64 bits under a name that the C library has for another type of 64 bits.
typedef unsigned long long uint64_t;

// Another template called `get`, which `get<0>(P)` does not mean.
template <int N, class T> __device__ T get(const T *P) { return P[N]; }
template <class T> __device__ T get<0, T>(const T *P) { return P[0]; }

// A function of the host, called in one of both sides.
inline int onlyForHosts(int X) { return X + 1; }
template <class T> __host__ __device__ int next(T X) { return onlyForHosts(X); }

// 'template' left out behind a class, and before an operator.
template <class T, class U> struct Cast {
  template <int N> static __device__ void all(const T *In, U *Out) {
    for (int I = 0; I < N; ++I)
      Out[I] = U(In[I]);
  }
};
template <class T> struct Load {
  template <int N> __device__ T operator()(const T *P) const { return P[N]; }
};
template <class T> struct Loads {
  Load<T> One;
  __device__ T sum(const T *In) {
    T First = One.operator()<4>(In);
    return First + One.operator() <5>(In);
  }
};

template <class T, class U> __global__ void kernel(const T *In, U *Out) {
  __shared__ float Tile[64];
  const unsigned To =
      static_cast<unsigned>(__cvta_generic_to_shared(&Tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
               "l"(&In[threadIdx.x]));
  asm volatile("cp.async.commit_group;");
  using Sum = decltype(std::declval<T>() + std::declval<U>());
  uint64_t Count = next(3);
  Cast<T, U>::all<4>(In, Out); Sum All = Loads<T>().sum(In) + get<0>(In); Out[threadIdx.x] = Tile[threadIdx.x] + All + Count;
}

void launch(const float *In, float *Out) { kernel<<<1, 64>>>(In, Out); }

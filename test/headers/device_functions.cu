// RUN: %clang_cuda -Xclang -verify %s
// RUN: %clang_cuda -nostdlibinc -Xclang -verify %s
// expected-no-diagnostics

// What a kernel may call without including anything, with the headers of the
// C library (first run) and on a machine that has none (second run).

__device__ float mathFunctions(float x, double y, int n) {
  float r = sqrtf(x) + sqrt(x) + std::sqrt(x) + rsqrtf(x) + __expf(x);
  r += fmaxf(x, 0.f) + max(x, 1.f) + fabs(x) + std::abs(x) + floorf(x);
  r += pow(x, 2) + powf(x, 2.f) + exp(y) + sqrt(n) + M_PI + INFINITY;
  r += __fdividef(x, 2.f) + __fmaf_rn(x, x, x) + __saturatef(x) + erff(x);
  if (isnan(x) || isinf(y))
    r = __int_as_float(0x7fc00000);
  return r;
}

__device__ unsigned integerFunctions(unsigned a, int b, long long c) {
  static_assert(sizeof(min(a, b)) == 4, "mixed signs have an overload");
  return min(a, 7u) + max(b, 3) + __popc(a) + __clz(b) + __ffsll(c) +
         __umulhi(a, a) + __byte_perm(a, a, 0x3210) + __brev(a) +
         __funnelshift_l(a, a, 8) + __dp4a(b, b, b) + __vadd4(a, a) + abs(b);
}

__global__ void communication(int *g, float *f, unsigned *u) {
  extern __shared__ int s[];
  unsigned lane = threadIdx.x % warpSize;
  __syncthreads();
  __syncwarp();
  if (__syncthreads_or(g[0]) && __any_sync(0xffffffff, lane == 0))
    g[1] = __ballot_sync(__activemask(), 1);
  f[0] = __shfl_xor_sync(0xffffffff, f[0], 16) +
         __shfl_down_sync(0xffffffff, f[1], 1, 16);
  u[0] = __reduce_add_sync(0xffffffff, lane) + __match_any_sync(0xffffffff, 1);
  atomicAdd(g, 1);
  atomicAdd(f, 1.f);
  atomicCAS(u, 0u, 1u);
  atomicMax_block(g, 3);
  __threadfence();
  g[2] = __ldg(g) + __ldcs(g + 1);
  __stcs(reinterpret_cast<float4 *>(f), __ldcg((const float4 *)f));
  __stcg(f, __ldca(f));
  __stwb(f, __ldlu(f));
  __stwt(f, __ldcv(f));
  u[1] = static_cast<unsigned>(__cvta_generic_to_shared(&s[lane]));
  memcpy(g, s, 16);
  printf("%d\n", g[0]);
  assert(g[0] == 0);
  long long start = clock64();
  __nanosleep(start);
}

struct Pair {
  int a, b;
};
__global__ void placement(Pair *p) { new (p) Pair{1, 2}; }

// Registers with one '%', as nvcc takes them.
__device__ unsigned lane() {
  unsigned Lane;
  asm("mov.u32 %0, %laneid;" : "=r"(Lane));
  return Lane;
}
__device__ unsigned where(unsigned X) {
  unsigned R;
  asm volatile("{\n\t.reg .pred %p;\n\t"
               "setp.ne.u32 %p, %1, 0;\n\t"
               "@%p mov.u32 %0, %%smid;\n\t"
               "@!%p mov.u32 %0, %nsmid; }"
               : "=r"(R)
               : "r"(X));
  return R;
}
__global__ __launch_bounds__(32) void k(const float *Src, float *Dst) {
  __shared__ float Tile[32];
  unsigned To =
      static_cast<unsigned>(__cvta_generic_to_shared(&Tile[lane()]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
               "l"(Src + lane()));
  asm volatile("cp.async.commit_group;"); Dst[lane()] = Tile[lane()] + where(1);
}

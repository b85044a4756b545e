
template <class T> __global__ void bulk(const T *In, T *Out, unsigned long *Bar) {
  extern __shared__ T Tile[];
  // Both on one line.
  Out[0] = sum<Traits<T>::Number>(In[0], In[1]);       asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(0), "l"(In), "r"(16));
}
template __global__ void bulk(const float *, float *, unsigned long *);

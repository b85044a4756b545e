//===- cluster.h - Blocks of a cluster -------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The instructions behind cuda::ptx and cooperative groups that name other
// blocks of a cluster. PTX ISA, "mapa", "Special Registers".
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CLUSTER_H
#define CPASYNC_CLUSTER_H

#pragma clang system_header

#include "bulk.h"

#define __CPASYNC_REGISTER(NAME, REGISTER)                                     \
  __CPASYNC_API_D inline uint32_t __cpasync_##NAME() {                         \
    uint32_t Number;                                                           \
    asm("mov.u32 %0, %%" REGISTER ";" : "=r"(Number));                         \
    return Number;                                                             \
  }
__CPASYNC_REGISTER(laneid, "laneid")
__CPASYNC_REGISTER(cluster_ctarank, "cluster_ctarank")
__CPASYNC_REGISTER(cluster_nctarank, "cluster_nctarank")
#define __CPASYNC_REGISTERS(NAME)                                              \
  __CPASYNC_REGISTER(NAME##_x, #NAME ".x")                                     \
  __CPASYNC_REGISTER(NAME##_y, #NAME ".y")                                     \
  __CPASYNC_REGISTER(NAME##_z, #NAME ".z")
__CPASYNC_REGISTERS(cluster_ctaid)
__CPASYNC_REGISTERS(cluster_nctaid)
__CPASYNC_REGISTERS(clusterid)
__CPASYNC_REGISTERS(nclusterid)
#undef __CPASYNC_REGISTERS
#undef __CPASYNC_REGISTER

template <class T>
__CPASYNC_API_D inline T *__cpasync_mapa(T *Address, uint32_t Rank) {
  T *There;
  asm("mapa.u64 %0, %1, %2;" : "=l"(There) : "l"(Address), "r"(Rank));
  return There;
}
__CPASYNC_API_D inline void __cpasync_cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" : : : "memory");
}
__CPASYNC_API_D inline void __cpasync_cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed;" : : : "memory");
}
__CPASYNC_API_D inline void __cpasync_cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" : : : "memory");
}
__CPASYNC_API_D inline void __cpasync_mbarrier_init_fence() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}
__CPASYNC_API_D inline void __cpasync_mbarrier_arrive_there(uint64_t *Bar,
                                                            uint32_t Count) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], "
               "%1;"
               :
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Count)
               : "memory");
}
__CPASYNC_API_D inline void
__cpasync_mbarrier_arrive_expect_tx_there(uint64_t *Bar, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 "
               "_, [%0], %1;"
               :
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Bytes)
               : "memory");
}
#define __CPASYNC_THERE(NAME, OPCODE)                                          \
  __CPASYNC_API_D inline void __cpasync_##NAME(void *To, const void *From,     \
                                               uint32_t Size, uint64_t *Bar) { \
    asm volatile(OPCODE " [%0], [%1], %2, [%3];"                               \
                 :                                                             \
                 : "r"(__CPASYNC_SHARED(To)), "r"(__CPASYNC_SHARED(From)),     \
                   "r"(Size), "r"(__CPASYNC_SHARED(Bar))                       \
                 : "memory");                                                  \
  }
__CPASYNC_THERE(bulk_copy_there,
                "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_"
                "tx::bytes")
__CPASYNC_THERE(bulk_reduce_there,
                "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::"
                "complete_tx::bytes.add.u32")
#undef __CPASYNC_THERE
/// A value of \p Bytes bytes.
template <int Bytes>
__CPASYNC_API_D inline void __cpasync_store_there(void *To, uint64_t *Bar) {
#define __CPASYNC_STORE(TYPE, VALUE)                                           \
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::"         \
               "bytes" TYPE " [%0], " VALUE ", [%2];"                          \
               :                                                               \
               : "r"(__CPASYNC_SHARED(To)), "r"(0),                            \
                 "r"(__CPASYNC_SHARED(Bar))                                    \
               : "memory")
  if constexpr (Bytes == 4)
    __CPASYNC_STORE(".b32", "%1");
  else if constexpr (Bytes == 8)
    __CPASYNC_STORE(".v2.b32", "{%1, %1}");
  else if constexpr (Bytes == 16)
    __CPASYNC_STORE(".v4.b32", "{%1, %1, %1, %1}");
  else
    static_assert(Bytes == 4, "st.async stores 4, 8 or 16 bytes");
#undef __CPASYNC_STORE
}
template <int Bytes>
__CPASYNC_API_D inline void __cpasync_reduce_there(void *To, uint64_t *Bar) {
#define __CPASYNC_REDUCE(TYPE, CONSTRAINT)                                     \
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_" \
               "tx::bytes.add." TYPE " [%0], %1, [%2];"                        \
               :                                                               \
               : "r"(__CPASYNC_SHARED(To)), CONSTRAINT(0),                     \
                 "r"(__CPASYNC_SHARED(Bar))                                    \
               : "memory")
  if constexpr (Bytes == 4)
    __CPASYNC_REDUCE("u32", "r");
  else
    __CPASYNC_REDUCE("u64", "l");
#undef __CPASYNC_REDUCE
}
__CPASYNC_API_D inline void
__cpasync_bulk_load_to_blocks(void *To, const void *From, uint32_t Size,
                              uint64_t *Bar, uint16_t Blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               :
               : "r"(__CPASYNC_SHARED(To)), "l"(From), "r"(Size),
                 "r"(__CPASYNC_SHARED(Bar)), "h"(Blocks)
               : "memory");
}
__CPASYNC_API_D inline void
__cpasync_tensor_load_to_blocks(void *To, const void *Map, int At,
                                const void *Bar, uint16_t Blocks) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%2}], [%3], "
               "%4;"
               :
               : "r"(__CPASYNC_SHARED(To)), "l"(Map), "r"(At),
                 "r"(__CPASYNC_SHARED(Bar)), "h"(Blocks)
               : "memory");
}

#endif // CPASYNC_CLUSTER_H

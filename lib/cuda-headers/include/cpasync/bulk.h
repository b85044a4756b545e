//===- bulk.h - Bulk copies ------------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The instructions behind cuda::ptx and cuda::device::experimental: what these
// do to shared memory is what the analysis knows of them. PTX ISA, "Data
// Movement and Conversion Instructions: cp.async.bulk".
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_BULK_H
#define CPASYNC_BULK_H

#pragma clang system_header

#include "cpasync_api.h"
#include <stdint.h>

#define __CPASYNC_SHARED(P)                                                    \
  static_cast<uint32_t>(reinterpret_cast<uintptr_t>(P))

__CPASYNC_API_D inline void __cpasync_bulk_load(void *To, const void *From,
                                                uint32_t Size, uint64_t *Bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];"
               :
               : "r"(__CPASYNC_SHARED(To)), "l"(From), "r"(Size),
                 "r"(__CPASYNC_SHARED(Bar))
               : "memory");
}
__CPASYNC_API_D inline void __cpasync_bulk_store(void *To, const void *From,
                                                 uint32_t Size) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               :
               : "l"(To), "r"(__CPASYNC_SHARED(From)), "r"(Size)
               : "memory");
}
__CPASYNC_API_D inline void __cpasync_bulk_reduce(void *To, const void *From,
                                                  uint32_t Size) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
               "[%0], [%1], %2;"
               :
               : "l"(To), "r"(__CPASYNC_SHARED(From)), "r"(Size)
               : "memory");
}
/// A tile of as many dimensions as the tensor has.
__CPASYNC_API_D inline void
__cpasync_tensor_load(void *To, const void *Map, int At, const void *Bar) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2}], [%3];"
               :
               : "r"(__CPASYNC_SHARED(To)), "l"(Map), "r"(At),
                 "r"(__CPASYNC_SHARED(Bar))
               : "memory");
}
__CPASYNC_API_D inline void __cpasync_tensor_store(const void *Map, int At,
                                                   const void *From) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group "
               "[%0, {%1}], [%2];"
               :
               : "l"(Map), "r"(At), "r"(__CPASYNC_SHARED(From))
               : "memory");
}
__CPASYNC_API_D inline void __cpasync_tensor_reduce(const void *Map, int At,
                                                    const void *From) {
  asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add."
               "bulk_group [%0, {%1}], [%2];"
               :
               : "l"(Map), "r"(At), "r"(__CPASYNC_SHARED(From))
               : "memory");
}
__CPASYNC_API_D inline void __cpasync_bulk_commit() {
  asm volatile("cp.async.bulk.commit_group;" : : : "memory");
}
template <int N> __CPASYNC_API_D inline void __cpasync_bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" : : "n"(N) : "memory");
}
template <int N> __CPASYNC_API_D inline void __cpasync_bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(N) : "memory");
}
__CPASYNC_API_D inline void __cpasync_proxy_fence() {
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}
__CPASYNC_API_D inline void __cpasync_mbarrier_init(uint64_t *Bar,
                                                    uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Count)
               : "memory");
}
__CPASYNC_API_D inline uint64_t __cpasync_mbarrier_arrive(uint64_t *Bar,
                                                          uint32_t Count) {
  uint64_t Phase;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
               : "=l"(Phase)
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Count)
               : "memory");
  return Phase;
}
__CPASYNC_API_D inline uint64_t
__cpasync_mbarrier_arrive_no_complete(uint64_t *Bar, uint32_t Count) {
  uint64_t Phase;
  asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], %2;"
               : "=l"(Phase)
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Count)
               : "memory");
  return Phase;
}
__CPASYNC_API_D inline uint64_t
__cpasync_mbarrier_arrive_expect_tx(uint64_t *Bar, uint32_t Bytes) {
  uint64_t Phase;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
               : "=l"(Phase)
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Bytes)
               : "memory");
  return Phase;
}
__CPASYNC_API_D inline void __cpasync_mbarrier_expect_tx(uint64_t *Bar,
                                                         uint32_t Bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               :
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Bytes)
               : "memory");
}
__CPASYNC_API_D inline bool __cpasync_mbarrier_wait(uint64_t *Bar,
                                                    uint64_t Phase) {
  uint32_t Done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(Done)
               : "r"(__CPASYNC_SHARED(Bar)), "l"(Phase)
               : "memory");
  return Done;
}
__CPASYNC_API_D inline bool __cpasync_mbarrier_wait_parity(uint64_t *Bar,
                                                           uint32_t Parity) {
  uint32_t Done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, "
               "[%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(Done)
               : "r"(__CPASYNC_SHARED(Bar)), "r"(Parity)
               : "memory");
  return Done;
}
__CPASYNC_API_D inline void __cpasync_copies_arrive(uint64_t *Bar) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];"
               :
               : "r"(__CPASYNC_SHARED(Bar))
               : "memory");
}
__CPASYNC_API_D inline void __cpasync_copies_arrive_noinc(uint64_t *Bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
               :
               : "r"(__CPASYNC_SHARED(Bar))
               : "memory");
}
/// A form that is not listed here.
__CPASYNC_API_D inline void __cpasync_bulk_other() {
  asm volatile("cp.async.bulk.other [%0], [%1];" : : "r"(0), "r"(0) : "memory");
}

#endif // CPASYNC_BULK_H

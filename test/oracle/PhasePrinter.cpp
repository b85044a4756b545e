//===- PhasePrinter.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhasePrinter.h"

using namespace oracle;

const char *const oracle::PhasePreamble = R"cuda(
using Mbarrier = unsigned long long;
__device__ __forceinline__ void init(Mbarrier *On, unsigned Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SHARED(On)),
               "r"(Count) : "memory");
}
__device__ __forceinline__ void arrive(Mbarrier *On) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SHARED(On))
               : "memory");
}
__device__ __forceinline__ void announce(Mbarrier *On, unsigned Bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                   SHARED(On)), "r"(Bytes) : "memory");
}
__device__ __forceinline__ void arriveWith(Mbarrier *On, unsigned Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   SHARED(On)), "r"(Bytes) : "memory");
}
__device__ __forceinline__ bool tryWait(Mbarrier *On, unsigned Parity) {
  unsigned Done;
  asm volatile("{ .reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(Done) : "r"(SHARED(On)), "r"(Parity) : "memory");
  return Done;
}
__device__ __forceinline__ void waitPhase(Mbarrier *On, unsigned Parity) {
  asm volatile("{ .reg .pred p;\n"
               "AGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\n"
               "bra AGAIN;\n"
               "DONE: }" ::"r"(SHARED(On)), "r"(Parity) : "memory");
}
__device__ __forceinline__ void load(void *To, const void *From, unsigned Bytes,
                                     Mbarrier *On) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(SHARED(To)),
               "l"(From), "r"(Bytes), "r"(SHARED(On)) : "memory");
}
__device__ __forceinline__ void store(void *To, const void *From,
                                      unsigned Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
                   "l"(To), "r"(SHARED(From)), "r"(Bytes) : "memory");
}
__device__ __forceinline__ void commitBulk() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int N> __device__ __forceinline__ void waitBulk() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}
template <int N> __device__ __forceinline__ void waitBulkRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
)cuda";

static std::string instruction(const std::string &Text,
                               const std::string &Operands) {
  return "asm volatile(\"" + Text + ";\" ::" + Operands + " : \"memory\");";
}

static std::string shared(const std::string &Address) {
  return "\"r\"(SHARED(" + Address + "))";
}

static std::string asPtx(const Stmt &S, const PhaseOperands &O) {
  const std::string Bytes = std::to_string(S.At.Bytes);
  const std::string On = shared(O.Mbarrier), N = std::to_string(S.N);
  const std::string Value = ", \"r\"(" + O.Value + ")";
  const std::string Of = ".shared::cta.b64 ";
  switch (S.K) {
  case Stmt::Kind::Init:
    return instruction("mbarrier.init" + Of + "[%0], %1", On + Value);
  case Stmt::Kind::Arrive:
    return instruction("mbarrier.arrive" + Of + "_, [%0]", On);
  case Stmt::Kind::Announce:
    return instruction("mbarrier.expect_tx.relaxed.cta" + Of + "[%0], %1",
                       On + Value);
  case Stmt::Kind::ArriveWith:
    return instruction("mbarrier.arrive.expect_tx" + Of + "_, [%0], %1",
                       On + Value);
  case Stmt::Kind::WaitPhase:
    return instruction("{ .reg .pred p; W%=: mbarrier.try_wait.parity" + Of +
                           "p, [%0], %1; @!p bra W%=; }",
                       On + Value);
  case Stmt::Kind::Fence:
    return instruction("fence.proxy.async.shared::cta", "");
  case Stmt::Kind::BulkCommit:
    return instruction("cp.async.bulk.commit_group", "");
  case Stmt::Kind::BulkWait:
    return instruction("cp.async.bulk.wait_group" +
                           std::string(S.OnlyReads ? ".read " : " ") + N,
                       "");
  case Stmt::Kind::BulkLoad:
    return instruction(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1], %2, [%3]",
        shared(O.Shared) + ", \"l\"(" + O.Global + "), \"r\"(" + Bytes + "), " +
            On);
  default:
    return instruction("cp.async.bulk.global.shared::cta.bulk_group [%0], "
                       "[%1], %2",
                       "\"l\"(" + O.Global + "), " + shared(O.Shared) +
                           ", \"r\"(" + Bytes + ")");
  }
}

std::string oracle::phaseText(const Stmt &S, Kernel::Spelling Spelled,
                              const PhaseOperands &O) {
  if (Spelled == Kernel::Spelling::Ptx)
    return asPtx(S, O);
  const std::string Bytes = std::to_string(S.At.Bytes);
  switch (S.K) {
  case Stmt::Kind::Init:
    return "init(" + O.Mbarrier + ", " + O.Value + ");";
  case Stmt::Kind::Arrive:
    return "arrive(" + O.Mbarrier + ");";
  case Stmt::Kind::Announce:
    return "announce(" + O.Mbarrier + ", " + O.Value + ");";
  case Stmt::Kind::ArriveWith:
    return "arriveWith(" + O.Mbarrier + ", " + O.Value + ");";
  case Stmt::Kind::WaitPhase:
    return Spelled == Kernel::Spelling::PtxOfWrappers
               ? "waitPhase(" + O.Mbarrier + ", " + O.Value + ");"
               : "while (!tryWait(" + O.Mbarrier + ", " + O.Value + ")) {}";
  case Stmt::Kind::Fence:
    return "fence();";
  case Stmt::Kind::BulkCommit:
    return "commitBulk();";
  case Stmt::Kind::BulkWait:
    return "waitBulk" + std::string(S.OnlyReads ? "Read<" : "<") +
           std::to_string(S.N) + ">();";
  case Stmt::Kind::BulkLoad:
    return "load(" + O.Shared + ", " + O.Global + ", " + Bytes + ", " +
           O.Mbarrier + ");";
  default:
    return "store(" + O.Global + ", " + O.Shared + ", " + Bytes + ");";
  }
}

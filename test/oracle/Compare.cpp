//===- Compare.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "llvm/ADT/STLExtras.h"

using namespace oracle;
using cpasync::FindingKind;

/// Some defects need more iterations than parameters usually ask for.
static constexpr int64_t SecondLook = 8;

namespace {
/// What two accesses are, and where; lines of the kernel.
struct Pair {
  enum class Access {
    None,
    Copy,
    Read,
    Store,
    UnfencedStore,
    BulkStore,
    Init,
    Use, ///< of an mbarrier
    Arrival,
    WaitPhase,
  } First,
      Second;
  unsigned FirstLine, SecondLine;
  bool operator==(const Pair &) const = default;
};
} // namespace

static Pair pairOf(const Defect &D) {
  using Access = Pair::Access;
  switch (D.K) {
  case Defect::Kind::OwnReadInFlight:
  case Defect::Kind::ReadInFlight:
  case Defect::Kind::Unsynchronized:
    return {Access::Copy, Access::Read, D.Earlier, D.Later};
  case Defect::Kind::ReadBeforeCopy:
  case Defect::Kind::CopyOverRead:
    return {Access::Read, Access::Copy, D.Earlier, D.Later};
  case Defect::Kind::CopyOverCopy:
    return {Access::Copy, Access::Copy, D.Earlier, D.Later};
  case Defect::Kind::CopyOverStore:
    return {Access::Store, Access::Copy, D.Earlier, D.Later};
  case Defect::Kind::StoreOverCopy:
    return {Access::Copy, Access::Store, D.Earlier, D.Later};
  case Defect::Kind::StoreOverRead:
    return {Access::Read, Access::Store, D.Earlier, D.Later};
  case Defect::Kind::StoreUnderRead:
    return {Access::Store, Access::Read, D.Earlier, D.Later};
  case Defect::Kind::CopyOverBulkStore:
    return {Access::BulkStore, Access::Copy, D.Earlier, D.Later};
  case Defect::Kind::StoreOverBulkStore:
    return {Access::BulkStore, Access::Store, D.Earlier, D.Later};
  case Defect::Kind::MissingFence:
    return {Access::UnfencedStore, Access::BulkStore, D.Earlier, D.Later};
  case Defect::Kind::UnorderedSource:
    return {Access::Store, Access::BulkStore, D.Earlier, D.Later};
  case Defect::Kind::Stuck:
    return {Access::None, Access::WaitPhase, 0, D.Later};
  case Defect::Kind::ExtraArrivals:
  case Defect::Kind::ArrivalAhead:
    return {Access::None, Access::Arrival, 0, D.Later};
  case Defect::Kind::UnorderedInit:
    return {Access::Init, Access::Use, D.Earlier, D.Later};
  }
}

static std::optional<Pair> pairOf(const Kernel &K, const EngineFinding &E) {
  using Access = Pair::Access;
  const unsigned Copy = K.lineOf(E.CopyLine), Read = K.lineOf(E.ReadLine),
                 Write = K.lineOf(E.WriteLine);
  const Access Writes = E.F.ByStore ? Access::Store : Access::Copy;
  switch (E.F.Kind) {
  case FindingKind::ReadInFlight:
  case FindingKind::UnsynchronizedRead:
    return Pair{Access::Copy, Access::Read, Copy, Read};
  case FindingKind::ReadBeforeCopy:
    return Pair{Access::Read, Access::Copy, Read, Copy};
  case FindingKind::Overwrite:
    switch (E.F.Overwritten) {
    case cpasync::OverwriteCause::InFlight:
    case cpasync::OverwriteCause::AfterCopy:
      return Pair{Access::Copy, Writes, Copy, Write};
    case cpasync::OverwriteCause::StillRead:
      return Pair{Access::Read, Writes, Read, Write};
    case cpasync::OverwriteCause::AfterStore:
      return Pair{Access::Store, Writes, Read, Write};
    case cpasync::OverwriteCause::BulkRead:
    case cpasync::OverwriteCause::SentRead:
    case cpasync::OverwriteCause::BulkReadOtherKind:
      return Pair{Access::BulkStore, Writes, Copy, Write};
    case cpasync::OverwriteCause::MatrixRead:
      break; // no kernel here has any
    }
    break;
  case FindingKind::MissingFence:
    return Pair{Access::UnfencedStore, Access::BulkStore, Write, Copy};
  case FindingKind::UnorderedSource:
    return Pair{Access::Store, Access::BulkStore, Write, Copy};
  case FindingKind::StuckPhase:
    return Pair{Access::None, Access::WaitPhase, 0, K.lineOf(E.WaitLine)};
  case FindingKind::ExtraArrivals:
    return Pair{Access::None, Access::Arrival, 0, K.lineOf(E.OperandLine)};
  case FindingKind::UnorderedInit:
    return Pair{Access::Init, Access::Use, Write, K.lineOf(E.OperandLine)};
  default:
    break;
  }
  return std::nullopt;
}

/// Whether the oracle knows of what the analysis found. Where nothing orders
/// two accesses of different threads, either may be called the first.
static bool confirms(const Kernel &K, const Verdict &V,
                     const EngineFinding &E) {
  if (E.F.Kind == FindingKind::OverWait)
    return true; // costs time only
  if (E.F.Kind == FindingKind::UnwrittenRead)
    return true; // the oracle does not tell what memory held before
  if (E.F.Kind == FindingKind::UncommittedAtEnd)
    return V.OpenAtEnd.contains(K.lineOf(E.CopyLine));
  const std::optional<Pair> Found = pairOf(K, E);
  if (!Found)
    return false; // these kernels have no defects of other kinds
  const Pair Swapped = {Found->Second, Found->First, Found->SecondLine,
                        Found->FirstLine};
  auto IsIt = [&](const Defect &D) {
    const bool Ordered = D.K == Defect::Kind::ReadBeforeCopy ||
                         D.K == Defect::Kind::OwnReadInFlight;
    return pairOf(D) == *Found || (!Ordered && pairOf(D) == Swapped);
  };
  return llvm::any_of(V.Beyond, IsIt) ||
         llvm::any_of(V.Defects,
                      [&](const auto &Known) { return IsIt(Known.first); });
}

/// Whether the analysis has to say something about a kernel with this. It lets
/// roles run in one order, in which whoever uses an mbarrier finds complete
/// what only lacks bytes that are on their way.
static bool isIn(Scope S, const Verdict &V, const Defect &D, const Witness &W) {
  if (S == Scope::OwnThread)
    return D.K == Defect::Kind::OwnReadInFlight;
  // It does not speak of one instruction's copies to one place, unless the
  // bytes are read.
  auto IsRivalry = [&](unsigned Line) {
    const auto Known = V.Defects.find({Defect::Kind::CopyOverCopy, Line, Line});
    return Known != V.Defects.end() &&
           Known->second.Earlier != Known->second.Later;
  };
  const bool OfRivals = D.K == Defect::Kind::CopyOverCopy &&
                        D.Earlier == D.Later && IsRivalry(D.Earlier);
  return W.HasWork && W.InStep && !OfRivals &&
         D.K != Defect::Kind::ReadBeforeCopy &&
         D.K != Defect::Kind::StoreUnderRead &&
         D.K != Defect::Kind::ArrivalAhead && !V.AnnouncesLate &&
         (D.K != Defect::Kind::Stuck || V.AlwaysStuck);
}

std::string oracle::describe(const Kernel &K, const EngineFinding &E) {
  std::string S =
      "finding of kind " + std::to_string(static_cast<int>(E.F.Kind));
  if (const std::optional<Pair> P = pairOf(K, E))
    S += ": line " + std::to_string(P->FirstLine) + ", then line " +
         std::to_string(P->SecondLine);
  return S + ", threads " + std::to_string(E.F.Thread) + " and " +
         std::to_string(std::max(E.F.Reader, E.F.Other));
}

std::optional<Disagreement> oracle::compare(const Kernel &K, const Verdict &V,
                                            const EngineReport &E, Scope S) {
  using Kind = Disagreement::Kind;
  if (V.Contradicts)
    return Disagreement{Kind::Contradiction,
                        "what is read depends on timing, and the oracle knows "
                        "of no defect"};
  if (!E.Analysed)
    return Disagreement{Kind::NotLookedAt, "the analysis has no report"};
  std::optional<Verdict> Wider;
  for (const EngineFinding &F : E.Findings) {
    if (confirms(K, V, F))
      continue;
    if (!Wider)
      Wider = judge(K, SecondLook);
    if (Wider->Invalid.empty() && !confirms(K, *Wider, F))
      return Disagreement{Kind::FalseAlarm,
                          describe(K, F) + "; the oracle is silent"};
  }
  // Silence about a kernel with a gap promises nothing.
  auto IsAboutOrder = [&](const EngineFinding &F) {
    return pairOf(K, F).has_value();
  };
  if (llvm::any_of(E.Findings, IsAboutOrder) || !E.Gaps.empty())
    return std::nullopt;
  for (const auto &[D, W] : V.Defects)
    if (isIn(S, V, D, W))
      return Disagreement{Kind::Missed,
                          describe(D, W) + "; the analysis is silent"};
  return std::nullopt;
}

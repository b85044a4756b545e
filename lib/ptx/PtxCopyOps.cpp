//===- PtxCopyOps.cpp - The cp.async family -------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts as malformed follows ptxas 13.0, which is more liberal than the
// syntax lines of the PTX ISA: it takes modifiers in any order and constant
// expressions for constants. PtxOps.PtxasAgrees tests it.
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxClassifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace cpasync {

void PtxClassifier::cp() {
  if (I.startsWith("cp.async.bulk") || I.startsWith("cp.reduce.async.bulk"))
    return bulk();
  if (!I.startsWith("cp.async")) {
    Op.Kind = PtxOpKind::Other;
    return;
  }
  StringRef What = I.Parts.size() > 2 ? StringRef(I.Parts[2]) : "";
  if (What == "commit_group") {
    Op.Kind = PtxOpKind::Commit;
    onlyParts(3);
    takesNoOperands();
  } else if (What == "wait_all") {
    Op.Kind = PtxOpKind::WaitAll;
    onlyParts(3);
    takesNoOperands();
  } else if (What == "wait_group") {
    Op.Kind = PtxOpKind::WaitGroup;
    onlyParts(3);
    waitGroup();
  } else if (What == "mbarrier") {
    mbarrierOfCopies();
  } else {
    copy();
  }
}

void PtxClassifier::waitGroup() {
  Op.Size = operand(0);
  if (I.Operands.size() != 1)
    malformed("'" + I.opcode() + "' takes one operand");
  else if (isNotInteger(*Op.Size))
    malformed("the group count is not an integer constant");
}

void PtxClassifier::mbarrierOfCopies() {
  Op.Kind = PtxOpKind::CopyMbarrierArrive;
  Op.NoInc = I.has("noinc");
  Op.Mbarrier = operand(0);
  if (!I.startsWith("cp.async.mbarrier.arrive"))
    malformed("expected '.arrive'");
  for (StringRef Part : llvm::drop_begin(I.Parts, 3))
    if (Part != "arrive" && Part != "noinc" && Part != "shared" &&
        Part != "shared::cta" && Part != "b64")
      malformed("unexpected modifier '." + Part + "'");
  if (llvm::count(I.Parts, "noinc") > 1)
    malformed("more than one '.noinc'");
  if (!I.has("b64"))
    malformed("missing '.b64'");
  if (I.Operands.size() != 1 || !isAddress(Op.Mbarrier))
    malformed("expected the address of an mbarrier");
}

void PtxClassifier::copy() {
  auto IsCopyPart = [](StringRef Part) {
    return Part == "ca" || Part == "cg" || spaceOf(Part) != PtxSpace::Generic;
  };
  if (!llvm::any_of(llvm::drop_begin(I.Parts, 2), IsCopyPart)) {
    Op.Kind = PtxOpKind::Other;
    malformed(I.Parts.size() > 2 ? "unknown modifier '." + I.Parts[2] + "'"
                                 : std::string("missing '.ca' or '.cg'"));
    return;
  }
  Op.Kind = PtxOpKind::Copy;
  Op.CacheGlobal = I.has("cg");
  copyModifiers();
  copyOperands();
}

void PtxClassifier::copyModifiers() {
  unsigned Caches = 0, Prefetches = 0, Hints = 0;
  llvm::SmallVector<StringRef, 2> Spaces;
  for (StringRef Part : llvm::drop_begin(I.Parts, 2)) {
    if (Part == "ca" || Part == "cg")
      ++Caches;
    else if (spaceOf(Part) != PtxSpace::Generic)
      Spaces.push_back(Part);
    else if (Part == "L2::64B" || Part == "L2::128B" || Part == "L2::256B")
      ++Prefetches;
    else if (Part == "L2::cache_hint")
      ++Hints;
    else if (Part.starts_with("L2::"))
      malformed("unknown prefetch size '." + Part + "'");
    else
      malformed("unknown modifier '." + Part + "'");
  }
  if (Caches == 0)
    malformed("missing '.ca' or '.cg'");
  if (Caches > 1)
    malformed("more than one of '.ca' and '.cg'");
  if (Prefetches > 1)
    malformed("more than one prefetch size");
  if (Hints > 1)
    malformed("more than one '.L2::cache_hint'");
  bool SpacesRight = Spaces.size() == 2 &&
                     (Spaces[0] == "shared" || Spaces[0] == "shared::cta") &&
                     Spaces[1] == "global";
  if (!SpacesRight)
    malformed("the state spaces are not '.shared.global'");
}

/// [dst], [src], cp-size {, src-size | ignore-src} {, cache-policy}
void PtxClassifier::copyOperands() {
  size_t Count = I.Operands.size();
  Op.Dst = operand(0);
  Op.Src = operand(1);
  Op.Size = operand(2);
  if (Count < 3)
    return malformed("expected a destination, a source and a size");
  if (!isAddress(Op.Dst))
    malformed("the destination is not in brackets");
  if (!isAddress(Op.Src))
    malformed("the source is not in brackets");
  if (isNotInteger(*Op.Size))
    malformed("cp-size is not an integer constant");

  bool Hint = I.has("L2::cache_hint");
  size_t End = Count;
  PtxOperandType LastType = typeOf(I.Operands.back());
  if (Hint) {
    if (Count == 3 || LastType == PtxOperandType::Predicate ||
        LastType == PtxOperandType::Bits32)
      malformed("'.L2::cache_hint' without a cache-policy operand");
    else
      Op.CachePolicy = operand(--End);
  } else if (Count > 3 && LastType == PtxOperandType::Bits64) {
    malformed("cache-policy operand without '.L2::cache_hint'");
    Op.CachePolicy = operand(--End);
  }
  for (size_t Index = 3; Index < End; ++Index) {
    const PtxOperand *O = operand(Index);
    if (typeOf(*O) == PtxOperandType::Predicate)
      Op.IgnoreSrc = O;
    else if (!Op.SrcSize)
      Op.SrcSize = O;
  }
  if (Op.SrcSize && Op.IgnoreSrc)
    malformed("src-size together with ignore-src");
  if (End > 4)
    malformed("too many operands");
}

void PtxClassifier::bulk() {
  StringRef What = I.Parts.size() > 3 ? StringRef(I.Parts[3]) : "";
  if (What == "commit_group") {
    Op.Kind = PtxOpKind::BulkCommit;
    onlyParts(4);
    return takesNoOperands();
  }
  if (What == "wait_group") {
    Op.Kind = PtxOpKind::BulkWaitGroup;
    Op.Read = I.has("read");
    onlyParts(Op.Read ? 5 : 4);
    return waitGroup();
  }
  if (I.has("prefetch")) {
    Op.Kind = PtxOpKind::BulkPrefetch;
    Op.Src = operand(0);
    return;
  }
  if (What == "wait_all" || What.empty()) { // wait_all exists for cp.async only
    Op.Kind = PtxOpKind::Other;
    return malformed(What.empty() ? StringRef("missing state spaces")
                                  : "unknown modifier '.wait_all'");
  }
  Op.Kind = PtxOpKind::BulkCopy;
  Op.Dst = operand(0);
  Op.Src = operand(1);
  if (I.Operands.size() < 2)
    malformed("expected a destination and a source");
  if (I.has("mbarrier::complete_tx::bytes"))
    return I.has("global") ? bulkLoad() : clusterCopy();
  // .global.shared::cta.bulk_group [dst], [src], size; of a tensor
  // [map, {coordinates}], [src]
  if (I.has("global") && I.has("shared::cta") && I.has("bulk_group") &&
      I.Operands.size() >= (I.has("tensor") ? 2 : 3)) {
    Op.Kind = PtxOpKind::BulkStore;
    Op.Size = I.has("tensor") ? nullptr : operand(2);
  }
}

/// [dst], [src], size, [mbar] {, mask} {, policy}, or of a tensor:
/// [dst], [map, {coordinates}], [mbar] {, {offsets}} {, mask} {, policy}
void PtxClassifier::bulkLoad() {
  Op.Kind = PtxOpKind::BulkLoad;
  Op.OtherBlocks = I.has("multicast::cluster");
  Op.OfPair = I.has("cta_group::2");
  const bool IsTensor = I.has("tensor");
  Op.Size = IsTensor ? nullptr : operand(2);
  const size_t Mbarrier = IsTensor ? 2 : 3;
  Op.Mbarrier = operand(Mbarrier);
  const PtxOperand *Next = operand(Mbarrier + 1);
  if (Op.OtherBlocks)
    Op.Blocks = Next && Next->K == PtxOperand::Kind::Vector
                    ? operand(Mbarrier + 2)
                    : Next;
  if (Op.OtherBlocks && !Op.Blocks)
    malformed("expected a mask of blocks");
  if (!isAddress(Op.Dst) || !isAddress(Op.Src))
    malformed("the destination or the source is not in brackets");
  if (!isAddress(Op.Mbarrier))
    malformed("expected the address of an mbarrier");
}

/// .shared::cluster.shared::cta [dst], [src], size, [mbar]
void PtxClassifier::clusterCopy() {
  Op.Size = operand(2);
  Op.Mbarrier = operand(3);
  Op.Reduces = I.startsWith("cp.reduce");
  if (!I.has("shared::cluster") || !I.has("shared::cta") || I.has("tensor"))
    return malformed("the state spaces are not '.shared::cluster.shared::cta'");
  Op.Kind = PtxOpKind::ClusterCopy;
  if (I.Operands.size() != 4)
    malformed("expected a destination, a source, a size and an mbarrier");
  else if (!isAddress(Op.Dst) || !isAddress(Op.Src))
    malformed("the destination or the source is not in brackets");
  else if (!isAddress(Op.Mbarrier))
    malformed("expected the address of an mbarrier");
}

/// st.async [a], value, [mbar]; red.async is the same. 4, 8 or 16 bytes.
void PtxClassifier::clusterStore() {
  Op.Kind = PtxOpKind::BulkCopy; // ptxas takes it without an mbarrier
  if (I.Operands.size() == 2)
    return;
  Op.Kind = PtxOpKind::ClusterStore;
  Op.Reduces = I.Parts[0] == "red";
  Op.Mbarrier = operand(2);
  if (I.Operands.size() != 3 || !isAddress(operand(0)))
    malformed("expected an address, a value and an mbarrier");
  else if (!isAddress(Op.Mbarrier))
    malformed("expected the address of an mbarrier");
  else if (Op.AccessBytes != 4 && Op.AccessBytes != 8 && Op.AccessBytes != 16)
    malformed("expected a type, or a vector, of 4, 8 or 16 bytes");
}

} // namespace cpasync

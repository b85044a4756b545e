//===- LaneOrder.cpp - What brings the lanes of a warp together -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the lanes of a warp are told apart. PTX ISA: bar.warp.sync orders the
// memory accesses of its threads. Other instructions with .sync make them wait
// for each other, and nothing is said of memory; lanes that have met there go
// on in step, so that what they did before is taken to be ordered.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace clang;
using namespace cpasync;

void WarpOps::joinGroups(State &S, llvm::ArrayRef<int64_t> Groups,
                         SourceLocation At) {
  Run.Effects.note();
  S.Copies.unordered().orderLanes(L, Footprints, L.perThread(Groups), S.Active,
                                  Run.livingThreads(S));
  Printer.printState(S, "lanes", Run.userLoc(S, At));
}

void WarpOps::joinMask(State &S, Value Mask, SourceLocation At) {
  Mask = Run.simplify(S, Mask);
  std::vector<int64_t> Groups(Shape.threads(), -1);
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    if (!(*S.Active)[T])
      continue;
    const unsigned Warp = T / WarpThreads * WarpThreads;
    const uint32_t Lanes = Mask.isInt() && Mask.I->isKnown()
                               ? uint32_t((*Mask.I->base())[T])
                               : UINT32_MAX;
    if (!(Lanes >> (T - Warp) & 1))
      continue;
    for (unsigned I = 0; I < WarpThreads && Warp + I < Shape.threads(); ++I)
      if (Lanes >> I & 1)
        Groups[Warp + I] = Warp + llvm::countr_zero(Lanes);
  }
  joinGroups(S, Groups, At);
}

// 0: it is not said.
static unsigned threadsOfTile(const CallExpr *E) {
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(E->getDirectCallee());
  const auto *Tile =
      M ? dyn_cast<ClassTemplateSpecializationDecl>(M->getParent()) : nullptr;
  if (!Tile || !Tile->getTemplateArgs().size() ||
      Tile->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return 0;
  return unsigned(int64Of(Tile->getTemplateArgs()[0].getAsIntegral()));
}

static bool isOfCoalescedGroup(const CallExpr *E) {
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(E->getDirectCallee());
  return M && M->getParent()->getIdentifier() &&
         M->getParent()->getName() == "coalesced_group";
}

void WarpOps::join(State &S, const CallExpr *E, ApiKind K) {
  if (!S.Copies.unordered().tellsLanesApart())
    return;
  // Of those that are there: who that was when the group was made.
  if (isOfCoalescedGroup(E)) {
    std::vector<int64_t> Groups(Shape.threads(), -1);
    std::vector<int64_t> First(Shape.threads() / WarpThreads + 1, -1);
    for (unsigned T = 0; T < Shape.threads(); ++T)
      if ((*S.Active)[T]) {
        int64_t &Leader = First[T / WarpThreads];
        Groups[T] = Leader = Leader < 0 ? T : Leader;
      }
    joinGroups(S, Groups, E->getBeginLoc());
    return;
  }
  if (const unsigned Size = threadsOfTile(E); Size && Size < WarpThreads) {
    std::vector<int64_t> Groups(Shape.threads());
    for (unsigned T = 0; T < Shape.threads(); ++T)
      Groups[T] = T / Size * Size;
    joinGroups(S, Groups, E->getBeginLoc());
    return;
  }
  const bool HasMask = K == ApiKind::WarpBarrier || K == ApiKind::Shuffle ||
                       K == ApiKind::Vote || K == ApiKind::Matching ||
                       K == ApiKind::Election || K == ApiKind::OfWarp;
  joinMask(S,
           HasMask && E->getNumArgs() && !E->getArg(0)->isGLValue()
               ? Eval.eval(S, E->getArg(0))
               : Value::unknown(),
           E->getBeginLoc());
}

void WarpOps::join(AsmRun &Asm, const PtxOp &Op) {
  const bool IsBarrier = Op.Kind == PtxOpKind::WarpBarrier;
  if (!Asm.S.Copies.unordered().tellsLanesApart() ||
      !(IsBarrier || joinsLanes(*Op.Inst)))
    return;
  static constexpr llvm::StringLiteral WithMask[] = {"elect", "match", "redux",
                                                     "shfl", "vote"};
  const PtxInstruction &I = *Op.Inst;
  const bool HasMask = IsBarrier || llvm::is_contained(WithMask, I.Parts[0]);
  joinMask(Asm.S,
           HasMask && !I.Operands.empty()
               ? Ptx.asmOperand(Asm, I.Operands.back())
               : Value::unknown(),
           Asm.Loc);
}

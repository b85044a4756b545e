//===- WarpOps.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the threads of a warp tell each other: shuffles, votes, elections. Where
// the operands are known so is the result. Where they are not, the result is
// still the same in all threads of the warp, which is what branches on it need.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/WarpOps.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace cpasync;

static const PerThread *permuted(PerThreadContext &L, const PerThread *Of,
                                 llvm::ArrayRef<unsigned> From) {
  if (Of->isUniform())
    return Of;
  std::vector<int64_t> R(From.size());
  for (size_t T = 0; T < From.size(); ++T)
    R[T] = (*Of)[From[T]];
  return L.perThread(R);
}

Value WarpOps::shuffle(Shuffle How, Value Val, Value Lane, Value Width) {
  if (!Val.isInt() || !Lane.isInt() || !Width.isInt())
    return Value::unknown();
  if (Val.I->isUniform())
    return Val;
  const int64_t Segment = Width.I->isConstant() ? Width.I->constant() : 0;
  if (!Lane.I->isKnown() || Segment < 1 || Segment > WarpThreads ||
      llvm::any_of(Val.I->terms(), [](const Int::Term &T) {
        return T.A->Same == Uniformity::Thread;
      }))
    return Value::unknown();
  std::vector<unsigned> From(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    const int64_t Begin = T / Segment * Segment, By = (*Lane.I->base())[T];
    int64_t At = T;
    switch (How) {
    case Shuffle::Index:
      At = Begin + (By & (Segment - 1));
      break;
    case Shuffle::Up:
      At = T - By;
      break;
    case Shuffle::Down:
      At = T + By;
      break;
    case Shuffle::Xor:
      At = T ^ By;
      break;
    }
    // From beyond its segment a thread takes its own.
    const bool Inside = At >= Begin && At < Begin + Segment;
    From[T] = std::min<unsigned>(Inside ? At : T, Shape.threads() - 1);
  }
  const Int *R = V.known(permuted(L, Val.I->base(), From));
  for (const Int::Term &T : Val.I->terms())
    R = V.add(R, V.mul(T.A->Alone, V.known(permuted(L, T.Coefficient, From))));
  return Value::integer(R);
}

const PerThread *WarpOps::voters(const State &S, Value Mask) {
  // Under a condition that is open for each thread, who is there is not known.
  for (const MayCondition &C : S.May)
    if (!C.first->isUniform())
      return nullptr;
  ++Run.ThreadUses.Running;
  if (!Mask.isInt() || !Mask.I->isKnown())
    return S.Active;
  std::vector<int64_t> R(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T)
    R[T] = (*S.Active)[T] && ((*Mask.I->base())[T] >> (T % WarpThreads) & 1);
  return L.perThread(R);
}

// The voters of each warp for which Mask holds, as bits.
static const PerThread *bitsOf(PerThreadContext &L, const PerThread *Mask) {
  std::vector<int64_t> R(L.threads());
  for (unsigned Begin = 0; Begin < L.threads(); Begin += WarpThreads) {
    const unsigned End = std::min(Begin + WarpThreads, L.threads());
    int64_t Bits = 0;
    for (unsigned T = Begin; T < End; ++T)
      Bits |= ((*Mask)[T] ? int64_t(1) : 0) << (T - Begin);
    std::fill(R.begin() + Begin, R.begin() + End, Bits);
  }
  return L.perThread(R);
}

Value WarpOps::vote(State &S, Vote How, const Int *Predicate, Value Mask,
                    unsigned Neighbours, const void *Other) {
  const PerThread *Voters = voters(S, Mask);
  if (!Voters)
    return Value::unknown();
  switch (How) {
  case Vote::Any:
    return Value::integer(V.any(Predicate, Voters, Neighbours));
  case Vote::All:
    return Value::integer(
        V.isZero(V.any(V.isZero(Predicate), Voters, Neighbours)));
  case Vote::Ballot: {
    if (Predicate->isKnown())
      return Value::integer(V.known(
          bitsOf(L, L.both(Voters, L.apply(LaneOp::Ne, Predicate->base(),
                                           L.uniform(0))))));
    // Not zero if one of them holds.
    const Int *Bits = Names.freshName(S, Other, ~int64_t(S.frame().Number),
                                      Uniformity::Warp, {1, UINT32_MAX});
    return Value::integer(
        V.select(V.any(Predicate, Voters, Neighbours), Bits, V.constant(0)));
  }
  }
  llvm_unreachable("all votes are counted");
}

// PTX ISA, "elect.sync": which one is not said, but always the same.
Value WarpOps::elect(State &S, Value Mask) {
  const PerThread *Voters = voters(S, Mask);
  if (!Voters)
    return Value::unknown();
  UsedElection = true;
  Run.Effects.note(); // others have to be told
  std::vector<int64_t> R(Shape.threads());
  for (unsigned Begin = 0; Begin < Shape.threads(); Begin += WarpThreads) {
    const unsigned End = std::min(Begin + WarpThreads, Shape.threads());
    int Elected = -1;
    for (unsigned T = Begin; T < End; ++T)
      if ((*Voters)[T] && (Elected < 0 || ElectLast))
        Elected = T;
    if (Elected >= 0)
      R[Elected] = 1;
  }
  return Value::integer(V.known(L.perThread(R)));
}

Value WarpOps::matching(State &S, Value Val, Value Mask) {
  const PerThread *Voters = voters(S, Mask);
  if (!Voters || !Val.isInt())
    return Value::unknown();
  if (Val.I->sharing() >= Uniformity::Warp)
    return Value::integer(V.known(bitsOf(L, Voters)));
  if (!Val.I->isKnown())
    return Value::unknown();
  const PerThread &Of = *Val.I->base();
  std::vector<int64_t> R(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    const unsigned Begin = T / WarpThreads * WarpThreads;
    const unsigned End = std::min(Begin + WarpThreads, Shape.threads());
    for (unsigned Mate = Begin; Mate < End; ++Mate)
      if ((*Voters)[Mate] && Of[Mate] == Of[T])
        R[T] |= int64_t(1) << (Mate - Begin);
  }
  return Value::integer(V.known(L.perThread(R)));
}

bool WarpOps::warpOperation(State &S, const CallExpr *E, ApiKind K,
                            llvm::StringRef Name) {
  auto Arg = [&](unsigned I) -> Value {
    if (I >= E->getNumArgs())
      return Value::unknown();
    const Expr *A = E->getArg(I);
    return A->isGLValue() ? Eval.address(S, A) : Eval.eval(S, A);
  };
  auto Finish = [&](Value Val, Uniformity Otherwise) {
    if (Val.isUnknown() && E->getType()->isIntegralOrEnumerationType())
      Val = Names.freshSymbol(S, E, Otherwise);
    Frames.setTemp(S, E, Val);
    return true;
  };
  switch (K) {
  case ApiKind::Shuffle: {
    const Shuffle How = llvm::StringSwitch<Shuffle>(Name)
                            .Case("__shfl_up_sync", Shuffle::Up)
                            .Case("__shfl_down_sync", Shuffle::Down)
                            .Case("__shfl_xor_sync", Shuffle::Xor)
                            .Default(Shuffle::Index);
    const bool Whole =
        E->getNumArgs() < 4 || isa<CXXDefaultArgExpr>(E->getArg(3));
    const Value Lane = Arg(2),
                Width =
                    Whole ? Value::integer(V.constant(WarpThreads)) : Arg(3);
    const bool OfWarp = How == Shuffle::Index && Lane.isInt() &&
                        Lane.I->sharing() >= Uniformity::Warp &&
                        Width.isInt() && Width.I->isConstant(WarpThreads);
    return Finish(shuffle(How, Arg(1), Lane, Width),
                  OfWarp ? Uniformity::Warp : Uniformity::Thread);
  }
  case ApiKind::Vote: {
    if (E->getNumArgs() != 2)
      return false;
    const Vote How = llvm::StringSwitch<Vote>(Name)
                         .Case("__all_sync", Vote::All)
                         .Case("__ballot_sync", Vote::Ballot)
                         .Default(Vote::Any);
    const Int *Predicate =
        Eval.condition(S, Run.simplify(S, Arg(1)), E->getArg(1));
    return Finish(vote(S, How, Predicate, Arg(0), WarpThreads, E),
                  Uniformity::Warp);
  }
  case ApiKind::Matching:
    return Finish(matching(S, Run.simplify(S, Arg(1)), Arg(0)),
                  Uniformity::Thread);
  case ApiKind::Election:
    return Finish(elect(S, Arg(0)), Uniformity::Thread);
  case ApiKind::OfWarp:
    for (unsigned I = 0; I < E->getNumArgs(); ++I)
      if (E->getArg(I)->getType()->isPointerType())
        Store.forgetTarget(S, Arg(I));
    return Finish(Value::unknown(), Uniformity::Warp);
  default:
    return false;
  }
}

bool WarpOps::warpInstruction(AsmRun &Asm, const PtxInstruction &I) {
  State &S = Asm.S;
  const auto &O = I.Operands;
  const llvm::StringRef Name = I.Parts[0];
  auto OfWarp = [&] {
    return Value::integer(
        Names.freshName(S, &I, S.frame().Number, Uniformity::Warp));
  };
  Value R;
  if (Name == "elect" && O.size() == 2) {
    const Value Chosen = elect(S, Ptx.asmOperand(Asm, O[1]));
    if (Chosen.isInt()) {
      // The other result is its lane, in all threads of the warp.
      std::vector<int64_t> Lane(Shape.threads());
      for (unsigned T = 0; T < Shape.threads(); ++T)
        if ((*Chosen.I->base())[T]) {
          const unsigned Begin = T / WarpThreads * WarpThreads;
          std::fill(Lane.begin() + Begin,
                    Lane.begin() +
                        std::min(Begin + WarpThreads, Shape.threads()),
                    T - Begin);
        }
      R = Value::integer(V.known(L.perThread(Lane)));
    }
    Ptx.asmAssign(Asm, O[0], R);
    for (const PtxOperand &P : O[0].Paired)
      Ptx.asmAssign(Asm, P, Chosen);
    return true;
  }
  if (Name == "vote" && O.size() == 3 && I.Parts.size() >= 3) {
    const llvm::StringRef Mode = I.Parts[2];
    if (Mode != "any" && Mode != "all" && Mode != "ballot")
      return false;
    const Int *Predicate = Math.truth(Ptx.asmOperand(Asm, O[1]));
    if (!Predicate)
      Predicate =
          Names.freshName(S, Asm.Asm, Asm.index(I), Uniformity::Thread, {0, 1});
    else if (O[1].Negated)
      Predicate = V.isZero(Predicate);
    R = vote(S,
             Mode == "any"   ? Vote::Any
             : Mode == "all" ? Vote::All
                             : Vote::Ballot,
             Predicate, Ptx.asmOperand(Asm, O[2]), WarpThreads, &I);
    Ptx.asmAssign(Asm, O[0], R.isUnknown() ? OfWarp() : R);
    return true;
  }
  if (Name == "shfl" && O.size() == 5 && I.Parts.size() >= 3)
    return shuffleInstruction(Asm, I);
  if (Name == "match" && O.size() == 3 && I.has("any")) {
    R = matching(S, Run.simplify(S, Ptx.asmOperand(Asm, O[1])),
                 Ptx.asmOperand(Asm, O[2]));
    Ptx.asmAssign(Asm, O[0], R);
    return true;
  }
  if (((Name == "match" || Name == "redux") && O.size() == 3) ||
      (Name == "activemask" && O.size() == 1)) {
    Ptx.asmAssign(Asm, O[0], OfWarp());
    return true;
  }
  return false;
}

bool WarpOps::shuffleInstruction(AsmRun &Asm, const PtxInstruction &I) {
  const auto &O = I.Operands;
  const auto How = llvm::StringSwitch<std::optional<Shuffle>>(I.Parts[2])
                       .Case("idx", Shuffle::Index)
                       .Case("up", Shuffle::Up)
                       .Case("down", Shuffle::Down)
                       .Case("bfly", Shuffle::Xor)
                       .Default(std::nullopt);
  const Value Lane = Ptx.asmOperand(Asm, O[2]),
              Clamp = Ptx.asmOperand(Asm, O[3]);
  if (!How || !Clamp.isInt() || !Clamp.I->isConstant())
    return false;
  // PTX ISA, "shfl.sync": bits 0-4 are the last lane of a segment, bits 8-12
  // those of a lane that are the same in all of it.
  const int64_t Width = WarpThreads - (Clamp.I->constant() >> 8 & 31);
  const int64_t Last = *How == Shuffle::Up ? 0 : WarpThreads - 1;
  Value R;
  if (llvm::isPowerOf2_64(Width) && (Clamp.I->constant() & 31) == Last)
    R = shuffle(*How, Ptx.asmOperand(Asm, O[1]), Lane,
                Value::integer(V.constant(Width)));
  const bool OfWarp = *How == Shuffle::Index && Width == WarpThreads &&
                      Lane.isInt() && Lane.I->sharing() >= Uniformity::Warp;
  if (R.isUnknown() && OfWarp)
    R = Value::integer(
        Names.freshName(Asm.S, &I, Asm.S.frame().Number, Uniformity::Warp));
  Ptx.asmAssign(Asm, O[0], R);
  for (const PtxOperand &P : O[0].Paired)
    Ptx.asmAssign(Asm, P, Value::unknown());
  return true;
}

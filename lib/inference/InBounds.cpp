//===- InBounds.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes an index leads to, where it is not known who or how often
// (Subobjects.h). Told apart from a mistake of the kernel's own, which stays
// one: some threads of an access under an open condition are beyond the part,
// or all of them, and the index grows with the rounds of a loop whose end is
// not known. A ring with one slot too few does neither.
//
//===----------------------------------------------------------------------===//

#include "lib/inference/InBounds.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void InBounds::notePart(const Object *Local, int64_t At, Value To) {
  if (Local->Name.empty() || !To.isPtr() || !To.Obj->isShared() ||
      isa<ParmVarDecl>(static_cast<const VarDecl *>(Local->Origin)))
    return;
  if (To.I && To.I->isConstant())
    Divided.point(Local->Origin, At, To.Obj, To.I->constant());
  else
    Divided.pointElsewhere(Local->Origin, At);
}

bool InBounds::hangsOnUnknowns(const State &S) {
  return !S.May.empty() || llvm::any_of(S.Loops, [](const LoopVisit &Loop) {
    return Loop.mayGoOn();
  });
}

bool InBounds::goesFurther(State &S, LoopVisit &Loop, bool Leaves, Value P,
                           int64_t To, SourceLocation At) {
  auto &Before = Loop.Beyond;
  if (Before.At.isInvalid()) {
    if (Leaves)
      Before = {At, To, Loop.Visits};
    return false;
  }
  if (Before.At != At || Before.Visit == Loop.Visits)
    return false;
  if (Leaves && To > Before.To)
    return true;
  if (!Leaves) {
    Known.FoundRings.insert(Loop.Head);
    Run.gap(S, At,
            "in a round of the loop, '" + Run.nameOf(P.Obj).str() +
                "' is left, and in a later one it is not");
  }
  return false;
}

// A slot that begins again one too late leaves its ring in any number of
// rounds: a loop that ended there would hide it.
bool InBounds::isNoRound(State &S, Value To, SourceLocation At) {
  if (!To.isPtr() || To.Obj->K != Object::Kind::Shared || To.Obj->Size <= 0 ||
      !To.I || !To.I->isKnown() || !S.May.empty())
    return false;
  const auto Loop = llvm::find_if(llvm::reverse(S.Loops),
                                  [](auto &X) { return X.mayGoOn(); });
  if (Loop == S.Loops.rend())
    return false;
  bool AnyLeaves = false, AllLeave = true;
  int64_t Furthest = 0;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T]) {
      const int64_t Place =
          Run.Blocks.byteOf(IndexedPlace::byteAt((*To.I->base())[T]));
      Furthest = std::max(Furthest, Place);
      const bool Leaves = Place >= To.Obj->Size;
      AnyLeaves |= Leaves;
      AllLeave &= Leaves;
    }
  // Where the block is looked for, that speaks against its shape.
  const bool Leaves =
      AllLeave || (AnyLeaves && Loop->Visits > 1 && !Shape.Open);
  if (Known.Endless.contains(Loop->Head))
    return goesFurther(S, *Loop, Leaves, To, Furthest, At);
  if (Leaves)
    Known.FoundEnds.insert(Loop->Head);
  return Leaves;
}

// All threads do what another path does with one.
static bool isBesideOne(const State &S) {
  const TraceNode *N = S.Within;
  while (N && N->Over != TraceNode::Spread::BesideOne)
    N = N->Within;
  return N;
}

// The row of an array may be meant as a whole, and an array of one element as
// one of any.
bool InBounds::decidedTooMany(const State &S, const Expr *Base, Value From,
                              Value Index) const {
  Base = Base->IgnoreParenImpCasts();
  const ConstantArrayType *Array =
      Run.Ctx.getAsConstantArrayType(Base->getType());
  if (!Array || Array->getZExtSize() <= 1 || !S.May.empty())
    return false;
  const bool HasRows = Array->getElementType()->isArrayType() ||
                       Array->getElementType()->isRecordType();
  const bool MayLoop = !From.Obj->isShared() &&
                       !isa<ArraySubscriptExpr>(Base) && hangsOnUnknowns(S);
  const bool MayCount = From.Obj->isShared() && HasRows;
  if (!MayLoop && !MayCount)
    return false;
  Index = Run.simplify(S, Index);
  const int64_t Size = Array->getZExtSize();
  if (!Index.I->isKnown() || Index.I->base()->max() < Size)
    return false;
  const PerThread *Beyond = L.both(
      S.Active, L.apply(LaneOp::Lt, L.uniform(Size - 1), Index.I->base()));
  return MayLoop ? Beyond == S.Active
                 : !PerThreadContext::isEmpty(Beyond) && isBesideOne(S);
}

// The array that E is a row of, or E.
static const Expr *wholeArray(const Expr *E) {
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Outer = A->getBase()->IgnoreParenImpCasts();
    if (!Outer->getType()->isConstantArrayType())
      break;
    E = Outer;
  }
  return E;
}

// It ends before its object does.
static bool isDeclaredWithin(const Expr *Array) {
  const auto *D = dyn_cast<DeclRefExpr>(Array);
  return isa<MemberExpr>(Array) ||
         (D && D->getDecl()->getType()->isReferenceType());
}

// The address of all of the memory, to be divided.
static bool isRaw(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const QualType T = E->getType();
  if (!T->isIntegerType() && !T->isVoidPointerType() &&
      !(T->isPointerType() && (T->getPointeeType()->isCharType() ||
                               T->getPointeeType()->isStdByteType())))
    return false;
  auto IsShared = [](const Stmt *S, auto &Self) -> bool {
    const auto *D = dyn_cast_if_present<DeclRefExpr>(S);
    if (D && D->getDecl()->hasAttr<CUDASharedAttr>())
      return true;
    return S && llvm::any_of(S->children(),
                             [&](const Stmt *C) { return Self(C, Self); });
  };
  const VarDecl *Var = namedVariable(E);
  return !Var || !Var->getInit() || IsShared(Var->getInit(), IsShared);
}

// As many threads at least that have a place of their own for a row or a warp;
// what fewer have is where each of them begins.
static constexpr unsigned MinThreadsOfPart = 8;

std::vector<Subobject> InBounds::partsOf(State &S, const Expr *Base,
                                         Value From) {
  const unsigned Threads = Shape.threads();
  const PerThread &At = *From.I->base();
  std::vector<Subobject> Found;
  Found.reserve(Threads);
  const Expr *Array = Base->IgnoreParenImpCasts();
  if (Array->getType()->isConstantArrayType()) {
    const Expr *Whole = wholeArray(Array);
    const Value Begin = Eval.address(S, Whole);
    if (!Begin.isPtr() || Begin.Obj != From.Obj || !Begin.I ||
        !Begin.I->isConstant())
      return {};
    // From its first row, an array may be meant as a whole.
    const int64_t First = Begin.I->constant();
    if (Whole != Array && !At.isUniform(First))
      for (unsigned T = 0; T < Threads; ++T)
        Found.push_back({At[T], At[T] + P.sizeOf(Array->getType())});
    else if (isDeclaredWithin(Whole))
      Found.assign(Threads, {First, First + P.sizeOf(Whole->getType())});
    return Found;
  }
  if (Base->IgnoreParenCasts()->getType()->isArrayType() ||
      (At.max() == 0 && isRaw(Base)))
    return {};
  // Where others have theirs, a part ends too.
  llvm::SmallVector<int64_t, 32> Begins;
  for (unsigned T = 0; T < Threads; ++T)
    if (Begins.empty() || Begins.back() != At[T])
      Begins.push_back(At[T]);
  llvm::sort(Begins);
  Begins.erase(llvm::unique(Begins), Begins.end());
  if (Begins.size() * MinThreadsOfPart > Threads)
    Begins.clear();
  if (Begins.size() <= 1) {
    if (auto P = Divided.around(From.Obj, At.min(), At.max()))
      Found.assign(Threads, *P);
    return Found;
  }
  for (unsigned T = 0; T < Threads; ++T) {
    if (T > 0 && At[T] == At[T - 1]) { // as in most
      Found.push_back(Found.back());
      continue;
    }
    Subobject P{At[T], INT64_MAX};
    if (auto Next = llvm::upper_bound(Begins, At[T]); Next != Begins.end())
      P.End = *Next;
    if (auto Around = Divided.around(From.Obj, At[T], At[T]))
      P.End = std::min(P.End, Around->End);
    Found.push_back(P);
  }
  return Found;
}

void InBounds::stayInPart(State &S, const AffineAddress &How, const Expr *Base,
                          Value From, Value To,
                          std::vector<IndexedPlace> &Places) {
  const PerThread &Bytes = *To.I->base(), &At = *From.I->base();
  // What most do is plain to see.
  if (const QualType T = Base->IgnoreParenImpCasts()->getType();
      T->isConstantArrayType()) {
    const int64_t Size = P.sizeOf(T);
    bool IsWithin = true;
    for (unsigned I = 0; I < Shape.threads() && IsWithin; ++I)
      IsWithin = Bytes[I] >= At[I] && Bytes[I] < At[I] + Size;
    if (IsWithin)
      return;
  } else if (From.I->isConstant()) {
    const auto P = Divided.around(From.Obj, At.min(), At.min());
    if (!P || (Bytes.min() >= P->Begin && Bytes.max() < P->End))
      return;
  }
  const std::vector<Subobject> Parts = partsOf(S, Base, From);
  if (Parts.empty())
    return;
  auto Within = [&](unsigned T) {
    return Places.empty() ? Bytes[T] : Places[T].within();
  };
  bool SomeInside = false, SomeBeyond = false, SomeBefore = false;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T])
      (Within(T) >= Parts[T].End    ? SomeBeyond
       : Within(T) < Parts[T].Begin ? SomeBefore
                                    : SomeInside) = true;
  if (!SomeBeyond && !SomeBefore)
    return;
  Run.Effects.note(); // who calls has a say in it
  const bool SomeThreads = SomeBeyond && SomeInside && !S.May.empty();
  if (!SomeThreads && !How.IndexGoes)
    return;
  begin(Places, Bytes);
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if (!Parts[T].contains(Within(T)))
      Places[T].leave(Parts[T].Begin);
}

void InBounds::begin(std::vector<IndexedPlace> &Places,
                     const PerThread &Bytes) {
  if (Places.empty())
    for (unsigned T = 0; T < Shape.threads(); ++T)
      Places.emplace_back(Bytes[T]);
}

Value InBounds::indexed(State &S, const Expr *Base, const Expr *Index,
                        Value From, Value To) {
  if (!To.isPtr() || !To.Obj->isShared() || To.Obj->K == Object::Kind::Choice ||
      !To.I)
    return To;
  ++TimesAsked;
  if (To.I->isKnown() && !hangsOnUnknowns(S))
    return To;
  const Value Known = Run.simplify(S, To); // the path may know more
  if (!Known.I->isKnown())
    return withinPart(S, Base, Index, From, To);
  if (!hangsOnUnknowns(S) || !From.I || !From.I->isKnown())
    return To;
  const AffineAddress &How = Sums.of(S, Base, Index);
  std::vector<IndexedPlace> Places; // none: they are where To is
  stayInRows(S, How, Known, Places);
  stayInPart(S, How, Base, From, Known, Places);
  if (Places.empty())
    return To;
  S.Copies.history().storeAnywhere(
      Run.Written); // what is in a room now may be read elsewhere
  std::vector<int64_t> Bytes;
  for (const IndexedPlace &X : Places)
    Bytes.push_back(X.inRooms());
  return Value::pointer(To.Obj, V.known(L.perThread(Bytes)));
}

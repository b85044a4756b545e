//===- ObjectCopies.cpp - Objects that are copied whole -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `const Params P = All[blockIdx.x];`: each number in it is one from here on,
// wherever the kernel asks for it.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/IntegerBits.h"
#include "lib/interp/Interpreter.h"
#include "lib/interp/Padding.h"
#include "lib/interp/Storage.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Numbers in one object that are told apart.
static constexpr size_t MaxMembers = 64;

void Storage::loadMember(State &S, Value From, int64_t At, QualType T,
                         const Expr *E, llvm::SmallVectorImpl<Cell> &To) {
  Value Val;
  if (From.Obj->K == Object::Kind::Local) {
    Val = loadKept(S, Math.offsetBy(From, V.constant(At)), T, E);
  } else if (T->isPointerType()) {
    if (From.I && From.I->isConstant() && !From.Obj->isShared())
      Val = pointerFrom(S, From.Obj, From.I->constant() + At, T);
  } else if (T->isIntegralOrEnumerationType() || T->isRealFloatingType()) {
    Interval Range;
    if (T->isUnsignedIntegerOrEnumerationType() || T->isBooleanType())
      Range.Lo = 0;
    if (T->isBooleanType())
      Range.Hi = 1;
    const int64_t Number = ((At + 1) << 32) + S.frame().Number;
    Val = Value::integer(Names.freshName(
        S, E, Number, From.I ? From.I->sharing() : Uniformity::Thread, Range));
    if (From.I)
      Interp.Leaving.noteLoad(Val.I, V.add(From.I, V.constant(At)));
  }
  if (!Val.isUnknown())
    To.push_back({At, P.sizeOf(T), Val});
}

void Storage::loadMembers(State &S, Value From, int64_t At, QualType T,
                          const Expr *E, llvm::SmallVectorImpl<Cell> &To) {
  if (To.size() >= MaxMembers)
    return;
  if (const ConstantArrayType *A = Ctx.getAsConstantArrayType(T)) {
    const QualType Element = A->getElementType();
    for (uint64_t I = 0; I < std::min<uint64_t>(A->getZExtSize(), MaxMembers);
         ++I)
      loadMembers(S, From, At + int64_t(I) * P.sizeOf(Element), Element, E, To);
    return;
  }
  const auto *R = T->getAsRecordDecl();
  if (!R) {
    loadMember(S, From, At, T, E, To);
    return;
  }
  const auto *C = dyn_cast<CXXRecordDecl>(R);
  // Other classes of system headers, such as halves, hold numbers that are
  // none.
  const bool IsOthers =
      Ctx.getSourceManager().isInSystemHeader(R->getLocation()) && C &&
      !C->isAggregate();
  if (R->isUnion() || !R->getDefinition() || IsOthers || (C && C->isLambda()))
    return;
  if (C)
    for (const CXXBaseSpecifier &B : C->bases())
      if (const auto Offset =
              P.layouts().offsetOf(B.getType()->getAsCXXRecordDecl(), C))
        loadMembers(S, From, At + *Offset, B.getType(), E, To);
  for (const FieldDecl *F : R->fields())
    if (const auto Offset = P.layouts().offsetOf(F);
        Offset && !F->isBitField() && !F->getType()->isReferenceType())
      loadMembers(S, From, At + *Offset, F->getType(), E, To);
}

// Where users look for what is read: behind the "=" of an assignment.
static SourceLocation placeOfSource(const Expr *At) {
  if (const auto *Call = dyn_cast_if_present<CXXOperatorCallExpr>(At);
      Call && Call->isAssignmentOp() && Call->getNumArgs() == 2)
    At = withoutCopies(Call->getArg(1));
  return At ? At->getExprLoc() : SourceLocation();
}

void Storage::keepOthers(const State &S, const Contents &Old, int64_t Begin,
                         int64_t End, llvm::SmallVectorImpl<Cell> &New) {
  // What was forgotten is not known of those that do not set it.
  Run.ThreadUses.Running +=
      Old.empty() || llvm::any_of(Old, [&](const Cell &C) {
        return C.Offset < End && Begin < C.Offset + C.Size;
      });
  if (Run.livingThreads(S) != S.Active) {
    if (Old.empty())
      New.clear();
    for (Cell &C : New)
      if (llvm::any_of(Old, [&](const Cell &Had) {
            return Had.Offset < C.Offset + C.Size &&
                   C.Offset < Had.Offset + Had.Size;
          })) {
        const Int *Bits = bytesIn(V, Old, C.Offset, C.Size);
        const Cell *Same = llvm::find_if(Old, [&](const Cell &Had) {
          return Had.Offset == C.Offset && Had.Size == C.Size;
        });
        C.V = V.blend(S.Active, C.V,
                      Same != Old.end() ? Same->V
                      : Bits            ? Value::integer(Bits)
                                        : Value::unknown());
      }
    llvm::erase_if(New, [](const Cell &C) { return C.V.isUnknown(); });
  }
  for (const Cell &C : Old)
    if (C.Offset + C.Size <= Begin || C.Offset >= End)
      New.push_back(C);
}

void Storage::copyObject(State &S, Value To, Value From, QualType T,
                         const Expr *At) {
  int64_t Size = P.sizeOf(T);
  LoadedParts Parts;
  LoadedParts *Follow =
      ReadLiveness::isFollowed(To) || Reads.followsSums() ? &Parts : nullptr;
  if (!From.isPtr())
    Reads.useAll(S);
  else if (From.Obj->isShared())
    Accesses.sharedRead(S, At, placeOfSource(At), From, Size, Follow,
                        /*Whole=*/!hasPadding(Run.P, T));
  else {
    Reads.loadUnused(S, From, Size, Follow);
    Reads.followOn(From.Obj, To);
  }
  if (At)
    Detect.Omitted.noteStore(S, To, Parts, At->getExprLoc());
  if (!To.isPtr()) {
    Run.Effects.note();
    S.Copies.history().storeAnywhere(Run.Written);
    return;
  }
  if (To.Obj->K != Object::Kind::Local) {
    storeBytes(S, To, Size, Value::unknown(), At);
    return;
  }
  V.Uses.note(To.I);
  V.Uses.note(From.I);
  // Threads that do not copy may have another.
  auto PlaceOf = [&](Value X) {
    return X.I ? V.commonIn(X.I, S.Active) : std::optional<int64_t>();
  };
  const auto There = PlaceOf(To);
  if (!There) {
    S.Mem.set(To.Obj, V.contents({}));
    return;
  }
  const int64_t Begin = *There;
  if (S.Mem.unused().any())
    S.Mem.unused().overwrite(L, To.Obj, Begin, Begin + Size, S.Active);
  Reads.place(S, To, Parts);
  llvm::SmallVector<Cell, 8> New;
  const auto Source = From.isPtr() ? PlaceOf(From) : std::nullopt;
  const bool HasKept = Source && contentsOf(S, From.Obj);
  if (HasKept) {
    for (const Cell &C : *contentsOf(S, From.Obj))
      if (C.Offset >= *Source && C.Offset + C.Size <= *Source + Size)
        New.push_back({C.Offset - *Source + Begin, C.Size, C.V});
  } else if (From.isPtr() && At) {
    loadMembers(S, From, 0, T, At, New);
    for (Cell &C : New)
      C.Offset += Begin;
  }
  // Names may be others by now.
  const Contents *Old = S.Mem.find(To.Obj);
  // Nobody has set anything yet.
  if (!Old && New.empty() && From.isPtr() &&
      From.Obj->K == Object::Kind::Local && !HasKept)
    return;
  if (Old)
    keepOthers(S, *Old, Begin, Begin + Size, New);
  llvm::sort(New,
             [](const Cell &A, const Cell &B) { return A.Offset < B.Offset; });
  S.Mem.set(To.Obj, V.contents(New));
}

//===- Storage.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Storage.h"
#include "lib/interp/IntegerBits.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Zero-initialised arrays above this are accumulators, not address tables.
static constexpr uint64_t MaxFilledElements = 64;

const Footprint *Storage::footprint(const State &S, Value P, int64_t Size) {
  P = Run.Blocks.placeOf(P);
  Names.hold(P.I);
  return Footprints.get(P.Obj, P.I, Size, S.Active);
}

// The pointer found at Offset in something the block did not write.
Value Storage::pointerFrom(State &, const Object *Base, int64_t Offset,
                           QualType T) {
  Object O{Object::Kind::Opaque};
  if (Base->K == Object::Kind::Param || Base->K == Object::Kind::Device ||
      (Base->K == Object::Kind::Local && Base->Call == 0))
    O.K = Object::Kind::Global;
  O.Origin = Base;
  O.Number = Offset;
  O.Name = Base->Name;
  if (!T->isPointerType())
    return Value::unknown();
  O.IsReadOnly = T->getPointeeType().isConstQualified();
  return Value::pointer(V.object(O), V.constant(0));
}

// Of a table that an index chooses from.
static constexpr unsigned MaxPointers = 4;

// One of the elements, at a place that is not one constant; none if it hangs on
// more than they hold.
std::optional<Value> Storage::oneOf(const Contents &Bytes, Value P,
                                    int64_t Size) {
  // One of several elements: known if they are all the same.
  const Value &First = Bytes.front().V;
  if (int64_t(Bytes.size()) * Size >= P.Obj->Size &&
      llvm::all_of(
          Bytes, [&](const Cell &C) { return C.Size == Size && C.V == First; }))
    return First;
  // A table of pointers into shared memory.
  if (P.I && First.isPtr() && First.Obj->isShared()) {
    Value R = First;
    for (const Cell &C : Bytes) {
      if (C.Size != Size || !C.V.isPtr())
        return Value::unknown();
      const Int *Here = V.isZero(V.sub(P.I, V.constant(C.Offset)));
      R = V.select(Here, C.V, R);
    }
    return Bytes.size() > MaxPointers ? Value::pointer(R.Obj, nullptr) : R;
  }
  // Known per thread: pick for each.
  if (P.I && P.I->isKnown() && First.isInt()) {
    const Int *R = nullptr;
    for (const Cell &C : Bytes) {
      if (C.Size != Size || !C.V.isInt())
        return Value::unknown();
      const Int *Here = V.isZero(V.sub(P.I, V.constant(C.Offset)));
      R = R ? V.select(Here, C.V.I, R) : C.V.I;
    }
    return Value::integer(R);
  }
  return std::nullopt;
}

Value Storage::loadKept(State &S, Value P, QualType T, const Expr *E) {
  const Object *O = P.Obj;
  const bool IsInteger = T->isIntegralOrEnumerationType();
  const int64_t Size = Run.P.sizeOf(T);
  const Contents *Bytes = contentsOf(S, O);
  if (Bytes && P.I && P.I->isConstant()) {
    for (const Cell &C : *Bytes)
      if (C.Offset == P.I->constant() && C.Size == Size)
        return IsInteger && C.V.isInt() && C.V.I->isKnown()
                   ? Math.convert(C.V, T) // it may have another type
                   : C.V;
    // It was written as something else, or in parts.
    if (const Int *Parts = IsInteger && Size > 0
                               ? bytesIn(V, *Bytes, P.I->constant(), Size)
                               : nullptr)
      return Math.convert(Value::integer(Parts), T);
  } else if (Bytes && !Bytes->empty() && Size > 0) {
    if (const auto Found = oneOf(*Bytes, P, Size))
      return *Found;
  }
  // A by-value kernel parameter's members, constants filled in elsewhere.
  bool IsParameter =
      O->K == Object::Kind::Local && O->Call == 0 && !Bytes &&
      S.Frames[0].Fn->decl()->hasAttr<CUDAGlobalAttr>() &&
      llvm::is_contained(S.Frames[0].Fn->decl()->parameters(), O->Origin);
  if ((IsParameter || O->K == Object::Kind::Device) && P.I) {
    int64_t At = P.I->isConstant() ? P.I->constant() : -1;
    if (T->isPointerType() && At >= 0)
      return pointerFrom(S, O, At, T);
    if ((IsInteger || T->isRealFloatingType()) && At >= 0) {
      Interval Range;
      if (T->isUnsignedIntegerOrEnumerationType() || T->isBooleanType())
        Range.Lo = 0;
      if (T->isBooleanType())
        Range.Hi = 1;
      if (!IsParameter)
        return Names.freshSymbol(S, E, Uniformity::Block);
      const Int *Given =
          V.symbol(O->Origin, At, Uniformity::Block, Range, /*Stable=*/true);
      Run.Shared.Origins.named(
          Given, {nullptr, E, T, static_cast<const VarDecl *>(O->Origin)});
      // As the number that it is, where that is chosen.
      return Interp.Known.Numbers.empty()
                 ? Value::integer(Given)
                 : Run.simplify(S, Value::integer(Given));
    }
    if (IsInteger)
      return Names.freshSymbol(S, E, P.I->sharing());
  }
  if (Reads.beginsAtCheckpoints() && !Bytes)
    Reads.noteMissed(O, T);
  return Value::unknown();
}

// Other threads may hold a pointer to something else there.
Value Storage::loadedHere(State &S, Value Loaded) {
  if (!Loaded.isPtr() || Loaded.Obj->K != Object::Kind::Choice)
    return Loaded;
  ++Run.ThreadUses.Running;
  return chosenBy(V, Loaded, S.Active);
}

Value Storage::load(State &S, Value P, QualType T, const Expr *E) {
  LoadedParts *To = Eval.partsToStore(E);
  if (!P.isPtr()) {
    Reads.useAll(S);
    return Value::unknown();
  }
  V.Uses.note(P.I);
  bool IsInteger = T->isIntegralOrEnumerationType();
  const Object *O = P.Obj;
  if (!O->isShared() || IsInteger) // or it is done by those who look at it
    P = Run.simplify(S, P);
  // Threads that do not load may have another place.
  if (!O->isShared() && P.I)
    if (const auto At = V.commonIn(P.I, S.Active))
      P.I = V.constant(*At);
  int64_t Size = Run.P.sizeOf(T);
  if (T->isRecordType() || T->isArrayType())
    return P; // an aggregate is known by its place
  switch (O->K) {
  case Object::Kind::Local:
  case Object::Kind::Device:
    Reads.loadUnused(S, P, Size, To);
    if (const FieldDecl *F = E ? E->getSourceBitField() : nullptr)
      return loadBitField(S, P, F);
    return loadedHere(S, loadKept(S, P, T, E));
  case Object::Kind::Shared:
  case Object::Kind::Dynamic:
  case Object::Kind::Choice:
    Accesses.sharedRead(S, E, E->getExprLoc(), P, Size, To, /*Whole=*/true);
    // What shared memory holds is not known, but all threads that load one
    // address after a barrier get the same: those of a warp, if it has its own.
    return IsInteger ? loadedSymbol(S, E, P) : Value::unknown();
  case Object::Kind::Param:
  case Object::Kind::Global:
  case Object::Kind::Opaque: {
    // What each thread has its own of is what is computed with.
    if (IsInteger || (T->isRealFloatingType() && P.I && P.I->isUniform()))
      return loadedSymbol(S, E, P);
    if (T->isPointerType() && P.I && P.I->isConstant())
      return pointerFrom(S, O, P.I->constant(), T);
    return Value::unknown();
  }
  case Object::Kind::Function:
  case Object::Kind::Class:
    return Value::unknown();
  }
  return Value::unknown();
}

Value Storage::besideKept(State &S, const Cell &New, const Cell &Kept,
                          const Contents &Old, bool IsFirst) {
  ++Run.ThreadUses.Running;
  if (Run.livingThreads(S) == S.Active)
    return New.V;
  if (Kept.Offset == New.Offset && Kept.Size == New.Size)
    return V.blend(S.Active, New.V, Kept.V);
  if (!IsFirst)
    return New.V;
  const Int *Bits = bytesIn(V, Old, New.Offset, New.Size);
  return V.blend(S.Active, New.V,
                 Bits ? Value::integer(Bits) : Value::unknown());
}

void Storage::storeBytes(State &S, Value P, int64_t Size, Value Val,
                         const Stmt *At) {
  if (!P.isPtr()) {
    // Through an address that is not known: most of these are global memory
    // or accumulators, but nothing says so.
    Run.Effects.note();
    S.Copies.history().storeAnywhere(Run.Written);
    return;
  }
  V.Uses.note(P.I);
  const Object *O = P.Obj;
  if (O->isShared()) {
    Accesses.sharedWrite(S, At, At ? At->getBeginLoc() : SourceLocation(), P,
                         Size);
    return;
  }
  P = Run.simplify(S, P);
  if (O->K == Object::Kind::Opaque) {
    Run.Effects.note();
    S.Copies.history().storeAnywhere(Run.Written);
    return;
  }
  if (O->K != Object::Kind::Local)
    return;
  // Threads that do not store may have another.
  const auto Known = P.I ? V.commonIn(P.I, S.Active) : std::optional<int64_t>();
  if (!Known) {
    S.Mem.set(O, V.contents({}));
    return;
  }
  const int64_t Offset = *Known;
  if (Val.isInt() && isChosen(Val.I)) // which one may have been decided
    Val.I = asChosen(V, S.Condition, asIn(V, Val.I, S.Active));
  Bounds.notePart(O, Offset, Val);
  if (S.Mem.unused().any())
    S.Mem.unused().overwrite(L, O, Offset, Offset + Size, S.Active);
  const Contents *Old = S.Mem.find(O);
  llvm::SmallVector<Cell, 8> New;
  bool Placed = false;
  const int64_t End = Offset + Size;
  // What was forgotten is still there in the threads that do not store; what
  // nobody has set, they may not ask for.
  if (Old && Old->empty()) {
    ++Run.ThreadUses.Running;
    if (Run.livingThreads(S) != S.Active)
      return;
  }
  auto Place = [&] {
    if (!Placed && !Val.isUnknown())
      New.push_back({Offset, Size, Val});
    Placed = true;
  };
  if (Old)
    for (const Cell &C : *Old) {
      if (C.Offset + C.Size <= Offset) {
        New.push_back(C);
        continue;
      }
      if (C.Offset >= End) {
        Place();
        New.push_back(C);
        continue;
      }
      Val = besideKept(S, {Offset, Size, Val}, C, *Old, /*IsFirst=*/!Placed);
      // What it held around that.
      if (C.Offset < Offset)
        New.push_back(partOf(V, C, C.Offset, Offset));
      Place();
      if (C.Offset + C.Size > End)
        New.push_back(partOf(V, C, End, C.Offset + C.Size));
    }
  Place();
  llvm::erase_if(New, [](const Cell &C) { return C.V.isUnknown(); });
  S.Mem.set(O, V.contents(New));
}

void Storage::store(State &S, Value P, Value Val, QualType T, const Stmt *At) {
  if (T->isRecordType()) {
    copyObject(S, P, Val, T, dyn_cast_if_present<Expr>(At));
    return;
  }
  storeBytes(S, P, Run.P.sizeOf(T), Math.convert(Val, T), At);
}

Value Storage::noLayout(State &S, const RecordDecl *Class) {
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  Class->getNameForDiagnostic(Out, Ctx.getPrintingPolicy(),
                              /*Qualified=*/true);
  Run.gap(S, Class->getLocation(),
          "the layout of '" + Name + "', which does not compile, is not known");
  return Value::unknown();
}

Value Storage::memberOf(State &S, Value Of, const FieldDecl *F) {
  const auto At = P.layouts().offsetOf(F);
  return At ? Math.offsetBy(Of, V.constant(*At)) : noLayout(S, F->getParent());
}

Value Storage::baseOf(State &S, Value Of, QualType Base,
                      const CXXRecordDecl *Class) {
  const auto At = P.layouts().offsetOf(Base->getAsCXXRecordDecl(), Class);
  return At ? Math.offsetBy(Of, V.constant(*At)) : noLayout(S, Class);
}

void Storage::initialiseList(State &S, Value To, const InitListExpr *List,
                             QualType T) {
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  if (const auto *R = T->getAsRecordDecl()) {
    unsigned I = 0;
    if (const auto *C = dyn_cast<CXXRecordDecl>(R))
      for (const CXXBaseSpecifier &B : C->bases())
        if (I < List->getNumInits())
          initialise(S, baseOf(S, To, B.getType(), C), List->getInit(I++),
                     B.getType());
    if (R->isUnion()) {
      if (const FieldDecl *F = List->getInitializedFieldInUnion();
          F && List->getNumInits())
        initialiseMember(S, To, F, List->getInit(0));
      return;
    }
    for (const FieldDecl *F : R->fields())
      if (!F->isUnnamedBitField() && I < List->getNumInits())
        initialiseMember(S, To, F, List->getInit(I++));
    return;
  }
  if (const ConstantArrayType *A = Ctx.getAsConstantArrayType(T)) {
    QualType ET = A->getElementType();
    uint64_t N = std::min(A->getZExtSize(), MaxFilledElements);
    for (uint64_t I = 0; I < N; ++I) {
      const Expr *X =
          I < List->getNumInits() ? List->getInit(I) : List->getArrayFiller();
      if (X)
        initialise(S, Math.offsetBy(To, V.constant(I * P.sizeOf(ET))), X, ET);
    }
    for (uint64_t I = N; I < List->getNumInits(); ++I)
      Eval.useWithin(S, List->getInit(I));
    return;
  }
  if (List->getNumInits() == 1)
    return initialise(S, To, List->getInit(0), T);
  Eval.useWithin(S, List);
  if (List->getNumInits() == 0)
    storeBytes(S, To, P.sizeOf(T), Value::integer(V.constant(0)), List);
}

void Storage::initialiseMember(State &S, Value Of, const FieldDecl *F,
                               const Expr *Init) {
  const Value Place = memberOf(S, Of, F);
  if (F->isBitField())
    storeMember(S, Place, F, Eval.eval(S, Init), Init);
  else
    initialise(S, Place, Init, F->getType());
}

void Storage::initialiseStdList(State &S, Value To,
                                const CXXStdInitializerListExpr *List,
                                QualType T) {
  // A pointer to the backing array and, in one of two forms, its length.
  const auto *R = T->getAsRecordDecl();
  const ConstantArrayType *A =
      Ctx.getAsConstantArrayType(List->getSubExpr()->getType());
  Value Array = Eval.address(S, List->getSubExpr());
  for (const FieldDecl *F : R ? R->fields() : RecordDecl::field_range({}, {}))
    if (F->getType()->isPointerType() && F->getFieldIndex() == 0)
      storeBytes(S, memberOf(S, To, F), P.sizeOf(F->getType()), Array, List);
    else if (F->getType()->isIntegerType() && A)
      storeBytes(S, memberOf(S, To, F), P.sizeOf(F->getType()),
                 Value::integer(V.constant(A->getZExtSize())), List);
}

void Storage::initialise(State &S, Value To, const Expr *Init, QualType T) {
  if (!Init) { // only where the code does not compile
    Run.gap(S, S.frame().Fn->decl()->getLocation(), CodePassedOver.str());
    return;
  }
  const Expr *E = Init->IgnoreParens();
  while (true) {
    if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr()->IgnoreParens();
    else if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
      E = B->getSubExpr()->IgnoreParens();
    else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
      E = D->getExpr()->IgnoreParens();
    else
      break;
  }
  auto Member = [&](const FieldDecl *F) { return memberOf(S, To, F); };
  if (T->isReferenceType()) {
    storeBytes(S, To, 8, Eval.address(S, E), E);
    return;
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    auto Captured = Lambda->capture_init_begin();
    for (const FieldDecl *F : Lambda->getLambdaClass()->fields())
      initialise(S, Member(F), *Captured++, F->getType());
    return;
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    initialiseList(S, To, List, T);
    return;
  }
  if (isa<ImplicitValueInitExpr>(E) && !T->isRecordType()) {
    if (const ConstantArrayType *A = Ctx.getAsConstantArrayType(T)) {
      uint64_t N = std::min(A->getZExtSize(), MaxFilledElements);
      for (uint64_t I = 0; I < N; ++I)
        initialise(
            S, Math.offsetBy(To, V.constant(I * P.sizeOf(A->getElementType()))),
            E, A->getElementType());
      return;
    }
    storeBytes(S, To, P.sizeOf(T), Value::integer(V.constant(0)), E);
    return;
  }
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E)) {
    initialiseStdList(S, To, List, T);
    return;
  }
  if (isa<ArrayInitLoopExpr, StringLiteral>(E) || T->isArrayType()) {
    Eval.useWithin(S, E);
    return; // contents not followed
  }
  if (T->isRecordType()) {
    Value From = E->isGLValue() ? Eval.address(S, E) : Eval.eval(S, E);
    if (From.isPtr() && From.Obj == To.Obj)
      return;
    copyObject(S, To, From, T, E);
    return;
  }
  LoadedParts Parts;
  Value Val = Eval.evalToStore(S, E, Parts);
  // Whoever asks for a flag asks for the same.
  if (T->isBooleanType() && Val.isUnknown())
    Val = Names.freshSymbol(S, E, Uniformity::Thread);
  store(S, To, Val, T, E);
  Reads.place(S, To, Parts);
}

void Storage::fillFromConstant(Memory &Mem, const Object *O, int64_t Offset,
                               const APValue &A, QualType T) {
  if (A.isInt()) {
    llvm::SmallVector<Cell, 8> New;
    if (const Contents *Old = Mem.find(O))
      New.assign(Old->begin(), Old->end());
    New.push_back(
        {Offset, P.sizeOf(T), Value::integer(V.constant(int64Of(A.getInt())))});
    llvm::sort(
        New, [](const Cell &X, const Cell &Y) { return X.Offset < Y.Offset; });
    Mem.set(O, V.contents(New));
  } else if (A.isArray()) {
    const ConstantArrayType *AT = Ctx.getAsConstantArrayType(T);
    if (!AT)
      return;
    QualType ET = AT->getElementType();
    unsigned N = std::min<unsigned>(A.getArraySize(), 4 * MaxFilledElements);
    for (unsigned I = 0; I < N; ++I)
      fillFromConstant(Mem, O, Offset + I * P.sizeOf(ET),
                       I < A.getArrayInitializedElts()
                           ? A.getArrayInitializedElt(I)
                           : A.getArrayFiller(),
                       ET);
  } else if (A.isStruct()) {
    const auto *R = T->getAsRecordDecl();
    unsigned I = 0;
    if (const auto *C = dyn_cast<CXXRecordDecl>(R))
      for (const CXXBaseSpecifier &B : C->bases()) {
        if (const auto At =
                P.layouts().offsetOf(B.getType()->getAsCXXRecordDecl(), C))
          fillFromConstant(Mem, O, Offset + *At, A.getStructBase(I),
                           B.getType());
        ++I;
      }
    I = 0;
    for (const FieldDecl *F : R->fields()) {
      if (const auto At = P.layouts().offsetOf(F))
        fillFromConstant(Mem, O, Offset + *At, A.getStructField(I),
                         F->getType());
      ++I;
    }
  }
}

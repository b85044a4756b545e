//===- Elements.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Elements.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace cpasync;

void Elements::name(Finding &F, const Footprint *Bytes) {
  if (F.Byte < 0 || F.Byte != IndexedPlace::byteAt(F.Byte))
    return; // nobody knows how far an index goes
  if (const std::optional<Way> W = declared(Bytes->Obj))
    tell(F, *W, Run.Blocks.byteOf(F.Byte), Bytes->Size);
}

void Elements::nameNow(Finding &F, const State &S, const Footprint *Bytes,
                       unsigned Thread) {
  name(F, Bytes);
  if (!F.Element.Name.empty() || F.Byte < 0 ||
      F.Byte != IndexedPlace::byteAt(F.Byte))
    return;
  const int64_t Byte = Run.Blocks.byteOf(F.Byte);
  if (const auto W = accessed(S, Bytes->Obj, Thread, Byte))
    F.Element.OfPointer =
        tell(F, *W, Byte - W->Begin, Bytes->Size) && W->Name != F.Object;
}

std::optional<Elements::Way> Elements::declared(const Object *O) {
  if (O->K != Object::Kind::Shared || !O->Origin)
    return std::nullopt;
  const auto *Var = static_cast<const VarDecl *>(O->Origin);
  return Way{O->Name, Var->getType(), 0, /*IsPointer=*/false};
}

std::optional<Elements::Way> Elements::pointedTo(const State &S,
                                                 const VarDecl *Pointer,
                                                 const Object *O,
                                                 unsigned Thread) {
  const QualType T = Pointer->getType();
  if (const IncompleteArrayType *Pool = Ctx.getAsIncompleteArrayType(T);
      Pool && O->K == Object::Kind::Dynamic)
    return Way{KernelRun::nameOf(Pointer), Pool->getElementType(), 0, true};
  if (!T->isPointerType())
    return std::nullopt;
  const Object *Holder = nullptr; // in the innermost call that has one
  for (const auto &[Local, Bytes] : S.Mem.entries())
    if (Local->Origin == Pointer && Local->K == Object::Kind::Local &&
        Local->Call / CallsPerRole == S.frame().Number / CallsPerRole &&
        (!Holder || Holder->Call < Local->Call))
      Holder = Local;
  const Contents *Held = Holder ? S.Mem.find(Holder) : nullptr;
  if (!Held || Held->size() != 1 || Held->front().Offset != 0)
    return std::nullopt;
  const cpasync::Value To = Held->front().V;
  if (!To.isPtr() || To.Obj != O || !To.I || !To.I->isKnown())
    return std::nullopt;
  return Way{KernelRun::nameOf(Pointer), T->getPointeeType(),
             (*To.I->base())[Thread], /*IsPointer=*/true};
}

static void collectVariables(const Stmt *S,
                             llvm::SmallVectorImpl<const VarDecl *> &To) {
  if (!S)
    return;
  if (const VarDecl *Var = namedVariable(S))
    To.push_back(Var);
  for (const Stmt *Child : S->children())
    collectVariables(Child, To);
}

std::optional<Elements::Way> Elements::accessed(const State &S, const Object *O,
                                                unsigned Thread, int64_t Byte) {
  llvm::SmallVector<const VarDecl *, 8> Named;
  collectVariables(Run.userStatement(S).St, Named);
  std::optional<Way> Nearest;
  for (const VarDecl *Var : Named)
    if (const auto W = pointedTo(S, Var, O, Thread);
        W && W->Begin <= Byte && (!Nearest || Nearest->Begin < W->Begin))
      Nearest = W;
  return Nearest;
}

bool Elements::tell(Finding &F, const Way &W, int64_t Byte, int64_t Size) {
  QualType T = W.Type;
  std::string Path;
  if (W.IsPointer) {
    const int64_t Each = P.sizeOf(T);
    if (Each <= 0)
      return false;
    Path = "[" + std::to_string(Byte / Each) + "]";
    Byte %= Each;
  }
  Path += P.layouts().pathTo(T, Byte, Size);
  // Bytes of storage that is meant for something else say nothing, and a
  // variable that is no array is named as it is.
  if (W.Name.empty() || Path.empty() || (P.sizeOf(T) == 1 && Size > 1))
    return false;
  F.Element.Name = W.Name.str() + Path;
  F.Element.Byte = Byte;
  return true;
}

std::string Elements::partAround(const Object *O, int64_t Begin, int64_t End) {
  const std::optional<Way> W = declared(O);
  const ConstantArrayType *Array =
      W ? Ctx.getAsConstantArrayType(W->Type) : nullptr;
  std::string Path;
  while (Array) {
    const QualType Element = Array->getElementType();
    const int64_t Each = P.sizeOf(Element);
    if (Each <= 0)
      return Path;
    const int64_t First = Begin / Each, Last = (End - 1) / Each;
    if (First != Last && (First > 0 || Array->getSize().ugt(Last + 1)))
      return Path + "[" + std::to_string(First) + ".." + std::to_string(Last) +
             "]";
    if (First != Last)
      return Path;
    Path += "[" + std::to_string(First) + "]";
    Begin -= First * Each;
    End -= First * Each;
    Array = Ctx.getAsConstantArrayType(Element);
  }
  return Path;
}

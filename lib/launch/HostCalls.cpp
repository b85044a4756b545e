//===- HostCalls.cpp - Calls and launches of host code --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostClusters.h"
#include "lib/launch/HostTensorMaps.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;
using namespace cpasync;

/// Calls of functions that are followed inside each other.
static constexpr unsigned MaxDepth = 24;

bool HostRun::canEnter(const FunctionDecl *F) const {
  return F && F->hasBody() && !F->isDependentContext() && !isOnHeap(F) &&
         Stack.size() < MaxDepth && !llvm::is_contained(Stack, F) &&
         (Facts.isActive(F) || Facts.isWanted(F));
}

HostRun::Worlds HostRun::bind(const FunctionDecl *F,
                              llvm::ArrayRef<const Expr *> Arguments,
                              HostWorld World) {
  Worlds R{std::move(World)};
  for (const auto &[P, Argument] : llvm::zip(F->parameters(), Arguments)) {
    Worlds Bound;
    for (HostWorld &W : R) {
      const auto Place =
          P->getType()->isReferenceType() ? placeOf(Argument, W) : std::nullopt;
      Outcomes Values = Place ? Outcomes{{W, HostValue::address(*Place)}}
                        : isa<CXXConstructorDecl>(F) || Facts.isWanted(P) ||
                                Facts.matters(Argument, Stack.back())
                            ? evaluate(Argument, std::move(W))
                            : Outcomes{{std::move(W), {}}};
      for (auto &[After, Value] : Values) {
        After.write({P, {}}, std::move(Value));
        add(Bound, std::move(After));
      }
    }
    R = std::move(Bound);
  }
  return R;
}

HostRun::Outcomes HostRun::enter(const FunctionDecl *F, Worlds In,
                                 const HostWorld &Outer) {
  Stack.push_back(F);
  const auto Leave = llvm::scope_exit([&] { Stack.pop_back(); });
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : C->inits())
      if (Init->isMemberInitializer() || Init->isDelegatingInitializer()) {
        Worlds Next;
        for (HostWorld &World : In)
          for (auto &[After, Value] :
               evaluate(Init->getInit(), std::move(World))) {
            const HostPlace This = After.read({F, {}}).At;
            const FieldDecl *Member = Init->getMember();
            After.write(Member ? This.member(Member->getFieldIndex()) : This,
                        std::move(Value));
            add(Next, std::move(After));
          }
        In = std::move(Next);
      }
  Ways Of = run(F->getBody(), std::move(In));
  if (Steps <= MaxSteps)
    Followed.insert(F);
  add(Of.Return, std::move(Of.Next));
  Outcomes R;
  for (HostWorld &World : Of.Return) {
    HostValue Value = std::exchange(World.Returned, {});
    // A temporary that it returns the address of, or a variable of its own.
    if (Value.K == HostValue::Kind::Address && !Outer.holds(Value.At.Variable))
      Value = {};
    World.leave(Outer);
    R.push_back({std::move(World), std::move(Value)});
  }
  return R;
}

HostRun::Outcomes HostRun::forget(const Expr *E, HostWorld World) {
  forEachChanged(E, Stack.back(), [&](const Decl *D) {
    if (!World.holds(D))
      return;
    const HostValue Value = World.read({D, {}});
    World.write(Value.K == HostValue::Kind::Address ? Value.At.whole()
                                                    : HostPlace{D, {}},
                {});
  });
  return {{std::move(World), {}}};
}

HostRun::Outcomes HostRun::call(const CallExpr *E, HostWorld World) {
  if (launchOf(E))
    return launch(E, std::move(World));
  if (encodingOf(E))
    return HostTensorMaps(*this).encode(E, std::move(World));
  const FunctionDecl *F = definitionOf(E->getDirectCallee());
  if (!F)
    F = only(E->getCallee(), World).Called;
  if (F && F->isNoReturn())
    return {};
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(F);
  const Expr *Object = objectOf(E);
  if (M && Object &&
      (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator()) &&
      (M->isTrivial() || M->isDefaulted()))
    return assign(Object, E->getArg(isa<CXXOperatorCallExpr>(E)),
                  std::move(World));
  // A conversion of dim3 and the like: what is converted.
  if (M && Object && isa<CXXConversionDecl>(M) && !canEnter(M))
    return evaluate(Object, std::move(World));
  if (!canEnter(F))
    return forget(E, std::move(World));

  HostWorld Outer = World;
  if (M && Object && !M->isStatic()) {
    const bool IsPointer = Object->getType()->isPointerType();
    HostValue This;
    if (IsPointer) {
      This = only(Object, World);
    } else if (const auto At = placeOf(Object, World)) {
      This = HostValue::address(*At);
    } else {
      // A temporary.
      Outcomes Values = evaluate(Object, std::move(World));
      if (Values.empty())
        return {};
      World = std::move(Values.front().World);
      World.write({Object, {}}, std::move(Values.front().Value));
      This = HostValue::address({Object, {}});
    }
    World.write({M, {}}, std::move(This));
  }
  return enter(F, bind(F, boundArguments(E), std::move(World)), Outer);
}

HostRun::Outcomes HostRun::construct(const CXXConstructExpr *E,
                                     HostWorld World) {
  const CXXConstructorDecl *Declared = E->getConstructor();
  const llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  if (Declared->isCopyOrMoveConstructor() && Declared->isTrivial() &&
      !Arguments.empty())
    return evaluate(Arguments.front(), std::move(World));
  const auto *C = cast<CXXConstructorDecl>(definitionOf(Declared));
  if (!C->hasBody() || isOnHeap(C) || Stack.size() >= MaxDepth ||
      llvm::is_contained(Stack, C))
    return forget(E, std::move(World));
  const HostWorld Outer = World;
  const HostPlace Object{E, {}};
  World.write(Object, HostValue::structure(0));
  World.write({C, {}}, HostValue::address(Object));
  HostWorld WithObject = Outer;
  WithObject.write(Object, {});
  Outcomes R = enter(C, bind(C, Arguments, std::move(World)), WithObject);
  for (auto &[After, Value] : R) {
    Value = After.read(Object);
    Value.BuiltIn = E;
    After.leave(Outer);
  }
  return R;
}

/// The block that \p Value, a dim3 or an integer, is.
static std::optional<BlockShape> shapeOf(const HostValue &Value) {
  unsigned Extents[3] = {1, 1, 1};
  const auto Fit = [&](unsigned Axis, const HostValue &Of) {
    const int64_t N = Of.number().value_or(0);
    Extents[Axis] = unsigned(N);
    return N >= 1 && N <= BlockShape::MaxThreads;
  };
  bool IsKnown = false;
  if (Value.K == HostValue::Kind::Structure && Value.Members.size() == 3)
    IsKnown = Fit(0, Value.Members[0]) && Fit(1, Value.Members[1]) &&
              Fit(2, Value.Members[2]);
  else
    IsKnown = Fit(0, Value);
  const BlockShape Shape{Extents[0], Extents[1], Extents[2]};
  return IsKnown && Shape.threads() <= BlockShape::MaxThreads
             ? std::optional(Shape)
             : std::nullopt;
}

/// The member of a cudaLaunchConfig_t that is the block; null: \p Config is
/// none, and no pointer to one.
static const FieldDecl *blockMember(const Expr *Config) {
  QualType T = Config->getType();
  if (T->isVoidPointerType())
    T = Config->IgnoreParenImpCasts()->getType();
  if (T->isPointerType())
    T = T->getPointeeType();
  if (const RecordDecl *Class = T->getAsRecordDecl())
    for (const FieldDecl *Field : Class->fields())
      if (Field->getIdentifier() && Field->getName() == "blockDim")
        return Field;
  return nullptr;
}

HostRun::Outcomes HostRun::launch(const CallExpr *E, HostWorld World) {
  const LaunchCall Of = launchOf(E);
  const FieldDecl *Field = Of.Config ? blockMember(Of.Config) : nullptr;
  const HostWorld After = World;
  for (auto &[Between, Kernel] : evaluate(Of.Kernel, std::move(World))) {
    if (Kernel.K != HostValue::Kind::Function)
      continue;
    const Expr *From = Of.Config ? Of.Config : Of.Block;
    for (auto &[Last, Block] : evaluate(From, std::move(Between))) {
      ClusterShape Cluster = Of.Config ? ClusterShape() : ClusterShape{1, 1, 1};
      if (Field) {
        if (Block.K == HostValue::Kind::Address)
          Block = Last.read(Block.At);
        const QualType T =
            Field->getASTContext().getCanonicalTagType(Field->getParent());
        Cluster = HostClusters(*this).clusterOf(Block, T, Last);
        Block = Field->getFieldIndex() < Block.Members.size()
                    ? HostValue(Block.Members[Field->getFieldIndex()])
                    : HostValue();
      }
      Launches.push_back(
          {Kernel.Called, shapeOf(Block), E->getBeginLoc(),
           HostTensorMaps(*this).boxesOf(Of, Kernel.Called, Last), Cluster});
    }
  }
  return {{After, {}}};
}

//===- ScopedCopies.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memcpy_async of libcu++ and of cooperative groups. A copy is cp.async in
// pieces as large as the promised alignment allows, from global to shared
// memory with a promise of 4 bytes or more; any other is an ordinary one, but
// that cooperative groups look at the pointers at run time. Of a copy that a
// group shares, nothing says which thread copies what: each is taken to copy
// all of it. Where it is not known how much is copied, each thread copies a
// piece somewhere in the destination, as far as the most that it may be.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ScopedCopies.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/Interpreter.h"
#include "lib/source/DeviceArch.h"
#include "lib/values/Bounds.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace cpasync;

/// Bytes of the smallest and of the largest cp.async.
static constexpr int64_t Word = 4;
static constexpr int64_t MaxPiece = 16;
/// What a barrier counts in is one bulk copy from here on, if it may be.
static constexpr unsigned FirstArchWithBulk = 900;

struct ScopedCopies::MemcpyAsync {
  const Expr *DstExpr = nullptr, *SrcExpr = nullptr, *SizeExpr = nullptr;
  Value Dst, Src;
  const Int *Size = nullptr; ///< bytes; null: that is no one number
  Interval Bytes;
  int64_t Alignment = 1;       ///< promised of both ends
  const Expr *Group = nullptr; ///< whose threads share it; null: it is one's
  bool MayBeBulk = false;      ///< one of them may copy all of it
};

static const ClassTemplateSpecializationDecl *specialization(QualType T) {
  return dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
}

static std::optional<int64_t>
firstNumber(const ClassTemplateSpecializationDecl *D) {
  if (!D || !D->getTemplateArgs().size() ||
      D->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return int64Of(D->getTemplateArgs()[0].getAsIntegral());
}

static bool isNamed(const ClassTemplateSpecializationDecl *D, StringRef Name) {
  return D && D->getIdentifier() && D->getName() == Name;
}

Value ScopedCopies::argument(State &S, const Expr *E) {
  return E->isGLValue() ? Eval.address(S, E) : Eval.eval(S, E);
}

// A number, or aligned_size_t<Alignment>, whose only member is the number.
const Int *ScopedCopies::shapeOf(State &S, const Expr *E, int64_t &Alignment) {
  Value N = argument(S, E);
  const auto *R = specialization(E->getType());
  if (isNamed(R, "aligned_size_t")) {
    Alignment = firstNumber(R).value_or(1);
    N = Store.load(S, N, Ctx.getSizeType(), E);
  } else if (E->isGLValue()) {
    N = Store.load(S, N, E->getType(), E);
  }
  N = Run.simplify(S, N);
  return N.isInt() && (N.I->isConstant() || isDecided(S, N.I)) ? N.I : nullptr;
}

Interval ScopedCopies::boundsOf(const State &S, const Int *N) {
  return N ? S.Condition.bounds(V, N) : Interval{};
}

// The most that is copied is what there is room for.
Interval ScopedCopies::fitting(State &S, const Int *Bytes, const Expr *ToExpr,
                               Value To) {
  if (Bytes && !Bytes->isKnown() && To.isPtr() && To.Obj->isShared())
    if (const int64_t Room =
            Bounds.roomFor(S, Bytes, InBounds::arrayAt(ToExpr), To);
        Room > 0)
      Math.assumeAtMost(S, Bytes, Room);
  return boundsOf(S, Bytes);
}

// Some bytes of what To points to, Piece at a time, of as many as M has at
// most.
Value ScopedCopies::somewhereIn(State &S, Value To, const Expr *ToExpr,
                                const MemcpyAsync &M, int64_t Piece) {
  if (!To.isPtr() || !To.Obj->isShared() || !To.I)
    return To;
  int64_t Room = Bounds.roomFor(S, M.Size, ToExpr, To);
  if (const int64_t Row =
          Bounds.rowAt(S, ToExpr, To, Interp.From.givenNumber(S, M.SizeExpr));
      Row && (!Room || Row < Room))
    Room = Row;
  if (!Room || M.Bytes.Hi < Room)
    Room = M.Bytes.Hi;
  if (Room < Piece || Room == INT64_MAX)
    return Value::pointer(To.Obj, nullptr);
  const Int *At = somewhere(V, ToExpr, Piece, Room / Piece);
  return Math.offsetBy(To, V.mul(V.constant(Piece), At));
}

// A group of one thread shares with nobody.
static const Expr *ifShared(const Expr *Group) {
  const auto *R = specialization(Group->getType());
  return isNamed(R, "thread_block_tile") && firstNumber(R) == 1 ? nullptr
                                                                : Group;
}

static bool isOfCooperativeGroups(const CXXRecordDecl *R) {
  const DeclContext *Outer = R->getDeclContext();
  while (!Outer->getParent()->isTranslationUnit())
    Outer = Outer->getParent();
  const auto *N = dyn_cast<NamespaceDecl>(Outer);
  return N && N->getName() == "cooperative_groups";
}

/// The threads of a tile, or 0 for those of a block; nothing: of a group of
/// others, or whoever is there.
static std::optional<unsigned> tileOf(QualType Group) {
  const auto *R = Group.getNonReferenceType()->getAsCXXRecordDecl();
  if (!R || !R->getIdentifier() || R->getDeclContext()->isTranslationUnit() ||
      !isOfCooperativeGroups(R))
    return std::nullopt;
  if (R->getName() == "thread_block")
    return 0;
  const int64_t Tile = firstNumber(specialization(Group)).value_or(0);
  return R->getName() == "thread_block_tile" && Tile > 0
             ? std::optional(unsigned(Tile))
             : std::nullopt;
}

void ScopedCopies::checkGroup(State &S, const CallExpr *E,
                              const MemcpyAsync &M) {
  if (!M.Group || M.MayBeBulk || !M.Dst.isPtr() || !M.Dst.Obj->isShared())
    return;
  if (const auto Tile = tileOf(M.Group->getType()))
    Detect.Partial.checkCopy(S, M.Dst.Obj, *Tile, E->getBeginLoc());
}

bool ScopedCopies::copyBytes(State &S, const CallExpr *E, MemcpyAsync M) {
  if (M.Bytes.Hi <= 0)
    return M.Bytes.Hi == 0;
  checkGroup(S, E, M);
  const int64_t Piece = std::min(MaxPiece, M.Alignment);
  int64_t Bytes = M.Bytes.Hi;
  if (!M.Bytes.isPoint()) {
    // Whatever it copies of that.
    if (M.Bytes.Hi != INT64_MAX && M.Dst.isPtr() && M.Dst.I)
      S.Copies.history().issue(Run.Written,
                               Store.footprint(S, M.Dst, M.Bytes.Hi));
    else
      Run.Written.noteAnywhere();
    M.Dst = somewhereIn(S, M.Dst, M.DstExpr, M, Piece);
    M.Src = somewhereIn(S, M.Src, M.SrcExpr, M, Piece);
    Bytes = Piece;
  }
  const SourceLocation Loc = E->getBeginLoc();
  auto MayBe = [](Value P, bool Shared) {
    return !P.isPtr() || P.Obj->K == Object::Kind::Opaque ||
           P.Obj->isShared() == Shared;
  };
  if (M.Alignment < Word || !MayBe(M.Dst, true) || !MayBe(M.Src, false)) {
    if (M.Src.isPtr() && M.Src.Obj->isShared())
      Accesses.sharedRead(S, E, Loc, M.Src, Bytes);
    if (M.Dst.isPtr() && M.Dst.Obj->isShared())
      Accesses.sharedWrite(S, E, Loc, M.Dst, Bytes);
    else
      Store.forgetTarget(S, M.Dst);
    return true;
  }
  CopyRequest R;
  R.Site = E;
  R.Loc = Loc;
  R.Dst = M.Dst;
  R.Src = M.Src;
  R.Size = Value::integer(V.constant(Piece));
  R.Bytes = Bytes;
  R.Shared = M.Group;
  Copies.copy(S, R);
  return true;
}

// In whole pieces; what has no end stays so.
static Interval inPieces(Interval Bytes, int64_t Alignment, bool Upwards) {
  const int64_t Piece = std::min(MaxPiece, Alignment);
  const auto Round = [&](int64_t N) {
    if (N == INT64_MIN || N == INT64_MAX)
      return N;
    return Piece * (Upwards ? llvm::divideCeilSigned(N, Piece)
                            : llvm::divideFloorSigned(N, Piece));
  };
  return {Round(Bytes.Lo), Round(Bytes.Hi)};
}

bool ScopedCopies::scopedCopy(State &S, const CallExpr *E) {
  const unsigned Arguments = E->getNumArgs();
  if (Arguments != 4 && Arguments != 5)
    return false;
  const unsigned First = Arguments - 4;
  const Expr *Dst = E->getArg(First), *Sync = E->getArg(First + 3);
  if (!Dst->getType()->isPointerType())
    return false;
  MemcpyAsync M;
  M.Group = First ? ifShared(E->getArg(0)) : nullptr;
  int64_t Promised = 1;
  const Int *Bytes = shapeOf(S, E->getArg(First + 2), Promised);
  if (Asked.isUndecided())
    return true;
  QualType T = Dst->getType()->getPointeeType();
  const int64_t Natural = P.layouts().alignmentOf(T);
  M.Alignment = std::max(Natural, Promised);
  M.DstExpr = Dst;
  M.SrcExpr = E->getArg(First + 1);
  M.SizeExpr = E->getArg(First + 2);
  M.Dst = argument(S, M.DstExpr);
  M.Size = Bytes;
  M.Bytes = inPieces(fitting(S, Bytes, Dst, M.Dst), M.Alignment,
                     /*Upwards=*/true);
  // What annotated_ptr points to is not looked for.
  if (!isNamed(specialization(M.SrcExpr->getType()), "annotated_ptr"))
    M.Src = argument(S, M.SrcExpr);
  const auto *Completes = specialization(Sync->getType());
  if (!isNamed(Completes, "pipeline") && !isNamed(Completes, "barrier"))
    return false;
  M.MayBeBulk = isNamed(Completes, "barrier") && M.Alignment >= MaxPiece;
  if (!copyBytes(S, E, M))
    return false;
  if (Asked.isUndecided() || isNamed(Completes, "pipeline"))
    return true;

  // A barrier in shared memory counts the copies in; for any other the thread
  // waits here.
  const Value Barrier = argument(S, Sync);
  if (Barrier.isPtr() && !Barrier.Obj->isShared() &&
      Barrier.Obj->K != Object::Kind::Opaque) {
    Copies.waitAll(S, E, E->getBeginLoc());
    return true;
  }
  return Phases.copyTo(S, Barrier,
                       M.MayBeBulk && deviceArch(Ctx) >= FirstArchWithBulk);
}

bool ScopedCopies::bulkLoad(State &S, const CallExpr *E) {
  if (E->getNumArgs() != 4)
    return false;
  CopyRequest R;
  R.Site = E;
  R.Loc = E->getBeginLoc();
  R.SizeExpr = E->getArg(2);
  int64_t Alignment = 1;
  const Int *Size = shapeOf(S, R.SizeExpr, Alignment);
  if (Asked.isUndecided())
    return true;
  R.Dst = argument(S, E->getArg(0));
  if (const Interval Bytes = fitting(S, Size, E->getArg(0), R.Dst);
      Bytes.isPoint())
    R.Size = Value::integer(V.constant(Bytes.Lo));
  else if (Size)
    R.Size = Value::integer(Size);
  R.Src = argument(S, E->getArg(1));
  R.Mbarrier = argument(S, E->getArg(3));
  Copies.bulkLoad(S, R);
  return true;
}

static bool isMultiple(PerThreadContext &L, const Int *I, int64_t Of) {
  const auto Divides = [&](const PerThread *N) {
    return L.apply(LaneOp::Rem, N, L.uniform(Of))->isUniform(0);
  };
  return Divides(I->base()) &&
         llvm::all_of(I->terms(), [&](const Int::Term &T) {
           return Divides(T.Coefficient);
         });
}

/// The offset of \p To is a whole number of words, and that of \p From is not
/// known to be none.
static bool mayBothBeAligned(PerThreadContext &L, Value To, Value From) {
  if (!To.isPtr() || !To.I || !isMultiple(L, To.I, Word))
    return false;
  if (!From.isPtr() || !From.I || !From.I->isKnown() ||
      From.Obj->K == Object::Kind::Opaque)
    return true;
  return isMultiple(L, From.I, Word);
}

bool ScopedCopies::groupCopy(State &S, const CallExpr *E) {
  const unsigned Arguments = E->getNumArgs();
  if (Arguments != 4 && Arguments != 5)
    return false;
  const bool Elements = Arguments == 5;
  const Expr *Dst = E->getArg(1), *Src = E->getArg(Elements ? 3 : 2);
  if (!Dst->getType()->isPointerType() || !Src->getType()->isPointerType())
    return false;
  QualType T = Dst->getType()->getPointeeType();
  MemcpyAsync M;
  M.Group = ifShared(E->getArg(0));
  M.SizeExpr = E->getArg(Arguments - 1);
  M.Alignment = P.layouts().alignmentOf(T);
  const Int *Number = shapeOf(S, E->getArg(Arguments - 1), M.Alignment);
  const Int *Elsewhere = Elements && !Asked.isUndecided()
                             ? shapeOf(S, E->getArg(2), M.Alignment)
                             : nullptr;
  if (Asked.isUndecided())
    return true;
  M.DstExpr = Dst;
  M.SrcExpr = Src;
  M.Dst = argument(S, Dst);
  if (Elements) {
    const Interval Has = boundsOf(S, Number), Room = boundsOf(S, Elsewhere);
    M.Bytes = scaled({std::min(Room.Lo, Has.Lo), std::min(Room.Hi, Has.Hi)},
                     P.sizeOf(T));
  } else {
    M.Size = Number;
    M.Bytes = fitting(S, Number, Dst, M.Dst);
  }
  M.Src = argument(S, Src);
  // For types of one or two bytes the library looks at the pointers; what is
  // left of the last piece it copies at once.
  if (M.Alignment < Word && M.Bytes.Hi >= MaxPiece &&
      mayBothBeAligned(L, M.Dst, M.Src))
    M.Alignment = Word;
  // What does not fill a piece is not copied.
  M.Bytes = inPieces(M.Bytes, M.Alignment, /*Upwards=*/false);
  if (!copyBytes(S, E, M))
    return false;
  if (!Asked.isUndecided())
    Copies.commit(S, E, E->getBeginLoc());
  return true;
}

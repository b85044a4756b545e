//===- Value.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Value.h"
#include "llvm/Support/MathExtras.h"

using namespace cpasync;

bool Int::isUniform() const {
  if (!Base->isUniform())
    return false;
  for (const Term &T : Terms)
    if (!T.A->isUniform() || !T.Coefficient->isUniform())
      return false;
  return true;
}

static bool isUniformIn(const PerThread *L, const PerThread *Mask) {
  if (L->isUniform() || Mask->isUniform())
    return L->isUniform() || Mask->isUniform(0);
  const llvm::ArrayRef<int64_t> Values = L->key(), In = Mask->key();
  const int64_t *First = nullptr;
  for (size_t T = 0; T < Values.size(); ++T) {
    if (!In[T])
      continue;
    if (First && *First != Values[T])
      return false;
    First = &Values[T];
  }
  return true;
}

bool ValueContext::isUniformIn(const Int *A, const PerThread *Mask) {
  if (A->isUniform())
    return true;
  return ::isUniformIn(A->base(), Mask) &&
         llvm::all_of(A->terms(), [&](const Int::Term &T) {
           if (!::isUniformIn(T.Coefficient, Mask))
             return false;
           if (T.A->isUniform() || T.A->Kind == Atom::Op::Symbol)
             return T.A->isUniform();
           for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
             if (Operand && !isUniformIn(Operand, Mask))
               return false;
           return true;
         });
}

static Uniformity sharingOf(const PerThread *L) {
  return L->isUniform()          ? Uniformity::Block
         : L->isUniformInWarps() ? Uniformity::Warp
                                 : Uniformity::Thread;
}

Uniformity Int::sharing() const {
  Uniformity R = sharingOf(Base);
  for (const Term &T : Terms)
    R = std::min({R, T.A->Same, sharingOf(T.Coefficient)});
  return R;
}

unsigned Int::hash(const Key &K) {
  unsigned H = llvm::DenseMapInfo<const PerThread *>::getHashValue(K.first);
  for (const Term &T : K.second)
    H = llvm::DenseMapInfo<
        std::tuple<unsigned, const Atom *,
                   const PerThread *>>::getHashValue({H, T.A, T.Coefficient});
  return H;
}

const Int *ValueContext::intern(const PerThread *Base,
                                llvm::ArrayRef<Int::Term> T) {
  return Ints.get({Base, T}, [&](Int &New) {
    New.Base = Base;
    New.Terms = T.copy(Terms);
    New.Id = Ints.size();
    for (const Int::Term &T : New.Terms) {
      New.Symbols |= T.A->symbols();
      New.Weight += 1;
      for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
        if (Operand)
          New.Weight = std::min(1u << 16, New.Weight + Operand->weight());
    }
  });
}

unsigned Atom::hash(const Key &K) {
  auto [Kind, Same, Origin, A, B, C, Number] = K;
  return llvm::DenseMapInfo<
      std::tuple<unsigned, const void *, const Int *, const Int *, const Int *,
                 uint64_t>>::getHashValue({unsigned(Kind) * 4 + unsigned(Same),
                                           Origin, A, B, C, uint64_t(Number)});
}

uint64_t Atom::symbols() const {
  if (Kind == Op::Symbol)
    return uint64_t(1) << (Id % 64);
  uint64_t R = 0;
  for (const Int *I : {A, B, C})
    if (I)
      R |= I->symbols();
  return R;
}

// What an operation gives whatever its operands are.
static Interval rangeOf(const Atom &A) {
  switch (A.Kind) {
  case Atom::Op::Eq:
  case Atom::Op::Lt:
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
  case Atom::Op::Any:
    return {0, 1};
  case Atom::Op::Rem:
    if (A.B->isConstant() && A.B->constant() > 0)
      return {0, A.B->constant() - 1};
    return {};
  case Atom::Op::And:
    if (A.B->isConstant() && A.B->constant() >= 0)
      return {0, A.B->constant()};
    return {};
  case Atom::Op::Select:
    if (A.B->isConstant() && A.C->isConstant())
      return {std::min(A.B->constant(), A.C->constant()),
              std::max(A.B->constant(), A.C->constant())};
    return {};
  default:
    return {};
  }
}

const Int *ValueContext::known(const PerThread *Base) {
  if (Base->id() >= Known.size())
    Known.resize(Base->id() + 1);
  const Int *&I = Known[Base->id()];
  if (!I)
    I = intern(Base, {});
  return I;
}

// What is left to do for a new atom.
void ValueContext::enrol(Atom &A) {
  A.Id = Atoms.size();
  A.Alone = intern(L.uniform(0), Int::Term{&A, L.uniform(1)});
}

const Int *ValueContext::symbol(const void *Origin, int64_t Number,
                                Uniformity Same, Interval Range, bool Stable) {
  if (Same == Uniformity::Warp && L.threads() <= WarpThreads)
    Same = Uniformity::Block;
  Atom::Key K(Atom::Op::Symbol, Same, Origin, nullptr, nullptr, nullptr,
              Number);
  return Atoms
      .get(K,
           [&](Atom &New) {
             New.Same = Same;
             New.Stable = Stable;
             New.Range = Range;
             New.Origin = Origin;
             New.Number = Number;
             enrol(New);
           })
      ->Alone;
}

const Int *ValueContext::operation(Atom::Op Op, const Int *A, const Int *B,
                                   const Int *C) {
  Atom::Key K(Op, Uniformity::Thread, nullptr, A, B, C, 0);
  return Atoms
      .get(K,
           [&](Atom &New) {
             New.Kind = Op;
             New.Same = Uniformity::Block;
             for (const Int *Operand : {A, B, C})
               if (Operand)
                 New.Same = std::min(New.Same, Operand->sharing());
             if (Op == Atom::Op::Any)
               New.Same = C->constant() >= L.threads()   ? Uniformity::Block
                          : C->constant() >= WarpThreads ? Uniformity::Warp
                                                         : Uniformity::Thread;
             New.A = A;
             New.B = B;
             New.C = C;
             New.Range = rangeOf(New);
             enrol(New);
           })
      ->Alone;
}

const Int *ValueContext::add(const Int *A, const Int *B) {
  const PerThread *Base = L.apply(LaneOp::Add, A->Base, B->Base);
  llvm::SmallVector<Int::Term, 2> Terms;
  auto I = A->Terms.begin(), IE = A->Terms.end();
  auto J = B->Terms.begin(), JE = B->Terms.end();
  while (I != IE || J != JE) {
    if (J == JE || (I != IE && I->A->Id < J->A->Id)) {
      Terms.push_back(*I++);
    } else if (I == IE || J->A->Id < I->A->Id) {
      Terms.push_back(*J++);
    } else {
      const PerThread *C = L.apply(LaneOp::Add, I->Coefficient, J->Coefficient);
      if (!C->isUniform(0))
        Terms.push_back({I->A, C});
      ++I;
      ++J;
    }
  }
  return intern(Base, Terms);
}

const Int *ValueContext::scale(const Int *A, const PerThread *By) {
  llvm::SmallVector<Int::Term, 2> Terms;
  for (const Int::Term &T : A->Terms) {
    const PerThread *C = L.apply(LaneOp::Mul, T.Coefficient, By);
    if (!C->isUniform(0))
      Terms.push_back({T.A, C});
  }
  return intern(L.apply(LaneOp::Mul, A->Base, By), Terms);
}

const Int *ValueContext::sub(const Int *A, const Int *B) {
  return add(A, scale(B, L.uniform(-1)));
}

const Int *ValueContext::mul(const Int *A, const Int *B) {
  if (A->isKnown())
    return scale(B, A->Base);
  if (B->isKnown())
    return scale(A, B->Base);
  return A->Id < B->Id ? operation(Atom::Op::Mul, A, B)
                       : operation(Atom::Op::Mul, B, A);
}

// Splits A = By * Q + R, where Q takes every term whose coefficients are
// multiples of By and the multiple part of the base. Null if a term remains.
const Int *ValueContext::divideExactly(const Int *A, int64_t By,
                                       bool WantRemainder) {
  const PerThread *D = L.uniform(By);
  llvm::SmallVector<Int::Term, 2> Quotient;
  for (const Int::Term &T : A->Terms) {
    const PerThread *R = L.apply(LaneOp::Rem, T.Coefficient, D);
    if (!R->isUniform(0))
      return nullptr;
    Quotient.push_back({T.A, L.apply(LaneOp::Div, T.Coefficient, D)});
  }
  // Floor, not truncation: the whole value is taken as not negative, the base
  // alone may be.
  const PerThread *Rem = L.apply(LaneOp::Rem, A->Base, D);
  Rem = L.apply(LaneOp::Rem, L.apply(LaneOp::Add, Rem, D), D);
  if (WantRemainder)
    return known(Rem);
  const PerThread *Div =
      L.apply(LaneOp::Div, L.apply(LaneOp::Sub, A->Base, Rem), D);
  return intern(Div, Quotient);
}

// A % 2 by the remainder of as little as possible: (x + 2 * y - 3) % 2 is
// 1 - x % 2. So buffers that take turns are known to.
const Int *ValueContext::parity(const Int *A) {
  llvm::SmallVector<Int::Term, 2> Odd;
  for (const Int::Term &T : A->Terms) {
    const PerThread *R = L.apply(LaneOp::And, T.Coefficient, L.uniform(1));
    if (!R->isUniform(0))
      Odd.push_back({T.A, R});
  }
  const Int *Rest =
      operation(Atom::Op::Rem, intern(L.uniform(0), Odd), constant(2));
  // Where the base is odd, 1 - rest.
  const PerThread *Flip = L.apply(LaneOp::And, A->Base, L.uniform(1));
  const PerThread *Sign =
      L.apply(LaneOp::Sub, L.uniform(1), L.apply(LaneOp::Add, Flip, Flip));
  return add(known(Flip), scale(Rest, Sign));
}

// What has the same remainder by By as A and is made of numbers below By. So a
// ring that is counted down, or from a number that is not known, comes back to
// where it was.
const Int *ValueContext::residue(const Int *A, int64_t By) {
  const PerThread *D = L.uniform(By);
  auto Below = [&](const PerThread *X) {
    return L.apply(LaneOp::Rem,
                   L.apply(LaneOp::Add, L.apply(LaneOp::Rem, X, D), D), D);
  };
  llvm::SmallVector<Int::Term, 2> Terms;
  for (const Int::Term &T : A->Terms)
    if (const PerThread *C = Below(T.Coefficient); !C->isUniform(0))
      Terms.push_back({T.A, C});
  return intern(Below(A->Base), Terms);
}

static std::optional<LaneOp> laneOp(Atom::Op Op) {
  switch (Op) {
  case Atom::Op::Mul:
    return LaneOp::Mul;
  case Atom::Op::Div:
    return LaneOp::Div;
  case Atom::Op::Rem:
    return LaneOp::Rem;
  case Atom::Op::Shl:
    return LaneOp::Shl;
  case Atom::Op::Shr:
    return LaneOp::AShr;
  case Atom::Op::And:
    return LaneOp::And;
  case Atom::Op::Or:
    return LaneOp::Or;
  case Atom::Op::Xor:
    return LaneOp::Xor;
  case Atom::Op::Min:
    return LaneOp::Min;
  case Atom::Op::Max:
    return LaneOp::Max;
  default:
    return std::nullopt;
  }
}

// Whether \p A is 0 or 1 in every thread.
static bool isTruth(const Int *A) {
  if (A->isKnown())
    return A->base()->min() >= 0 && A->base()->max() <= 1;
  return A->terms().size() == 1 && A->base()->isUniform(0) &&
         A->terms()[0].Coefficient->isUniform(1) &&
         A->terms()[0].A->Range.Lo >= 0 && A->terms()[0].A->Range.Hi <= 1;
}

const Int *ValueContext::apply(Atom::Op Op, const Int *A, const Int *B) {
  if (A->isKnown() && B->isKnown())
    return known(L.apply(*laneOp(Op), A->Base, B->Base));
  bool BConst = B->isConstant();
  int64_t C = BConst ? B->constant() : 0;
  switch (Op) {
  case Atom::Op::Mul:
    return mul(A, B);
  case Atom::Op::Shl:
    if (BConst && C >= 0 && C < 63)
      return scale(A, L.uniform(int64_t(1) << C));
    break;
  case Atom::Op::Shr:
    if (BConst && C >= 0 && C < 63)
      return apply(Atom::Op::Div, A, constant(int64_t(1) << C));
    break;
  case Atom::Op::Div:
    if (BConst && C == 1)
      return A;
    if (BConst && C > 0)
      if (const Int *Q = divideExactly(A, C, /*WantRemainder=*/false))
        return Q;
    break;
  case Atom::Op::Rem:
    if (BConst && C == 1)
      return constant(0);
    if (BConst && C > 0)
      if (const Int *R = divideExactly(A, C, /*WantRemainder=*/true))
        return R;
    if (BConst && C == 2)
      return parity(A);
    if (BConst && C > 2)
      return operation(Op, residue(A, C), B);
    break;
  case Atom::Op::And:
    if (isTruth(A) && isTruth(B))
      return logicalAnd(A, B);
    if (A->isConstant())
      return apply(Op, B, A);
    if (BConst && C == 0)
      return B;
    if (BConst && C == -1)
      return A;
    if (BConst && C > 0 && llvm::isPowerOf2_64(C + 1))
      return apply(Atom::Op::Rem, A, constant(C + 1));
    // x & ~(2^n - 1)
    if (BConst && C < 0 && llvm::isPowerOf2_64(-C))
      return sub(A, apply(Atom::Op::Rem, A, constant(-C)));
    break;
  case Atom::Op::Or:
    if (isTruth(A) && isTruth(B))
      return logicalOr(A, B);
    [[fallthrough]];
  case Atom::Op::Xor:
    if (A->isConstant(0))
      return B;
    if (BConst && C == 0)
      return A;
    break;
  case Atom::Op::Min:
  case Atom::Op::Max: {
    const Int *D = sub(A, B);
    if (D->isConstant())
      return ((D->constant() <= 0) == (Op == Atom::Op::Min)) ? A : B;
    break;
  }
  default:
    break;
  }
  return operation(Op, A, B);
}

const Int *ValueContext::cast(const Int *A, int Bits) {
  if (A->isKnown())
    return known(L.apply(LaneOp::Wrap, A->Base, L.uniform(Bits)));
  int Width = Bits < 0 ? -Bits : Bits;
  if (Width >= 32)
    return A;
  bool Fits = A->terms().size() == 1 && A->Base->isUniform(0) &&
              A->terms()[0].Coefficient->isUniform(1) &&
              A->terms()[0].A->Range.Lo >= 0 &&
              A->terms()[0].A->Range.Hi < (int64_t(1) << (Width - 1));
  return Fits ? A : operation(Atom::Op::Cast, A, constant(Bits));
}

const Int *ValueContext::isZero(const Int *A) {
  if (A->isKnown())
    return known(L.apply(LaneOp::Eq, A->Base, L.uniform(0)));
  // Zero or else positive: as the condition says.
  if (A->Terms.size() == 1 && A->Base->isUniform(0) &&
      A->Terms[0].Coefficient->isUniform(1)) {
    const Atom *T = A->Terms[0].A;
    if (T->Kind == Atom::Op::Select && T->C->isConstant(0) &&
        T->B->terms().size() == 1 && T->B->terms()[0].A->Range.Lo > 0 &&
        T->B == T->B->terms()[0].A->Alone)
      return isZero(T->A);
  }
  // !!x of a truth value is x.
  if (A->Terms.size() == 1 && A->Base->isUniform(0) &&
      A->Terms[0].Coefficient->isUniform(1)) {
    const Atom *T = A->Terms[0].A;
    if (T->Kind == Atom::Op::Eq && T->A->terms().size() == 1) {
      const Atom *Inner = T->A->terms()[0].A;
      if (Inner->Range == Interval{0, 1} && T->A->base()->isUniform(0) &&
          T->A->terms()[0].Coefficient->isUniform(1))
        return T->A;
    }
  }
  return operation(Atom::Op::Eq, A);
}

const Int *ValueContext::isNegative(const Int *A) {
  if (A->isKnown())
    return known(L.apply(LaneOp::Lt, A->Base, L.uniform(0)));
  return operation(Atom::Op::Lt, A);
}

static bool isFalse(const Int *A) { return A->isConstant(0); }
static bool isTrue(const Int *A) {
  return A->isConstant() && A->constant() != 0;
}

const Int *ValueContext::logicalAnd(const Int *A, const Int *B) {
  if (isFalse(A) || isTrue(B))
    return A;
  if (isFalse(B) || isTrue(A))
    return B;
  if (A->isKnown() && B->isKnown())
    return known(L.apply(LaneOp::And,
                         L.apply(LaneOp::Ne, A->Base, L.uniform(0)),
                         L.apply(LaneOp::Ne, B->Base, L.uniform(0))));
  return A == B ? A : operation(Atom::Op::LAnd, A, B);
}

const Int *ValueContext::logicalOr(const Int *A, const Int *B) {
  if (isTrue(A) || isFalse(B))
    return A;
  if (isTrue(B) || isFalse(A))
    return B;
  if (A->isKnown() && B->isKnown())
    return known(L.apply(LaneOp::Or, L.apply(LaneOp::Ne, A->Base, L.uniform(0)),
                         L.apply(LaneOp::Ne, B->Base, L.uniform(0))));
  return A == B ? A : operation(Atom::Op::LOr, A, B);
}

const Int *ValueContext::select(const Int *Condition, const Int *A,
                                const Int *B) {
  if (A == B || isTrue(Condition))
    return A;
  if (isFalse(Condition))
    return B;
  if (Condition->isKnown()) {
    const Int *D = sub(A, B);
    const PerThread *Mask = L.apply(LaneOp::Ne, Condition->Base, L.uniform(0));
    if (D->isKnown()) // B + (mask ? A - B : 0)
      return add(B, known(L.blend(Mask, D->Base, L.uniform(0))));
    return add(scale(A, Mask), scale(B, L.except(L.all(), Mask)));
  }
  return operation(Atom::Op::Select, Condition, A, B);
}

const Int *ValueContext::any(const Int *A, const PerThread *Voters,
                             unsigned Neighbours) {
  if (A->isKnown())
    return known(
        L.anyAmong(L.both(Voters, L.apply(LaneOp::Ne, A->Base, L.uniform(0))),
                   Neighbours));
  if (A->isUniform() && L.anyAmong(Voters, Neighbours)->isUniform(1))
    return isZero(isZero(A));
  return operation(Atom::Op::Any, A, known(Voters), constant(Neighbours));
}

Value ValueContext::select(const Int *Condition, Value A, Value B) {
  if (A == B || isTrue(Condition))
    return A;
  if (isFalse(Condition))
    return B;
  if (A.K != B.K || A.Obj != B.Obj || !A.I || !B.I)
    return choose(Condition, A, B);
  const Int *I = select(Condition, A.I, B.I);
  return A.isPtr() ? Value::pointer(A.Obj, I) : Value::integer(I);
}

Value ValueContext::blend(const PerThread *Mask, Value A, Value B) {
  return select(known(Mask), A, B);
}

unsigned Object::hash(const Key &K) {
  auto [Kind, Origin, Call, Number] = K;
  using Plain = std::tuple<unsigned, const void *, unsigned, uint64_t>;
  return llvm::DenseMapInfo<Plain>::getHashValue(
      {unsigned(Kind), Origin, Call, uint64_t(Number)});
}

const Object *ValueContext::object(const Object &O) {
  return Objects.get(O.key(), [&](Object &New) {
    New = O;
    New.Id = Objects.size() + 1;
  });
}

unsigned Contents::hash(Key K) {
  uint64_t H = K.size();
  auto Mix = [&H](uint64_t Word) {
    H = (H ^ Word) * 0x9e3779b97f4a7c15;
    H ^= H >> 29;
  };
  for (const Cell &C : K) {
    Mix(uint64_t(C.Offset) << 8 | uint64_t(C.V.K));
    Mix(uint64_t(C.Size));
    Mix(reinterpret_cast<uintptr_t>(C.V.Obj));
    Mix(reinterpret_cast<uintptr_t>(C.V.I));
  }
  return unsigned(H);
}

const Contents *ValueContext::contents(llvm::ArrayRef<Cell> C) {
  return Memories.get(C, [&](Contents &New) { New = Contents(C.copy(Cells)); });
}

size_t ValueContext::bytes() const {
  return L.bytes() + Terms.getTotalMemory() + Cells.getTotalMemory() +
         Ints.bytes() + Atoms.bytes() + Objects.bytes() + Memories.bytes();
}

bool cpasync::dependsOn(const Int *I, const Atom *A) {
  if (!I || (A->symbols() & ~I->symbols()) != 0)
    return false;
  for (const Int::Term &T : I->terms())
    if (T.A == A || dependsOn(T.A->A, A) || dependsOn(T.A->B, A) ||
        dependsOn(T.A->C, A))
      return true;
  return false;
}

bool cpasync::isStable(const Int *I) {
  return llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Symbol
               ? T.A->Stable
               : llvm::all_of(std::array{T.A->A, T.A->B, T.A->C},
                              [](const Int *X) { return !X || isStable(X); });
  });
}

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

static bool areEqualIn(const PerThread *L, const PerThread *Mask) {
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

static bool isOne(const PerThread *Mask) {
  return !Mask->isUniform() &&
         llvm::count_if(Mask->key(), [](int64_t In) { return In != 0; }) == 1;
}

bool cpasync::isUniformIn(const Int *A, const PerThread *Mask) {
  if (A->isUniform() || isOne(Mask))
    return true;
  return areEqualIn(A->base(), Mask) &&
         llvm::all_of(A->terms(), [&](const Int::Term &T) {
           if (!areEqualIn(T.Coefficient, Mask))
             return false;
           if (T.A->isUniform() || T.A->isName())
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
  case Atom::Op::Within:
    return {0, A.B->constant() - 1};
  case Atom::Op::And:
    if (A.B->isConstant() && A.B->constant() >= 0)
      return {0, A.B->constant()};
    return {};
  case Atom::Op::Select:
    if (A.B->isConstant() && A.C->isConstant())
      return {std::min(A.B->constant(), A.C->constant()),
              std::max(A.B->constant(), A.C->constant())};
    return {};
  case Atom::Op::Load:
    if (A.Number > 0 && A.Number <= 32)
      return {0, (int64_t(1) << A.Number) - 1};
    return {A.Number > 0 ? 0 : INT64_MIN, INT64_MAX};
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
  ++Uses.Times; // what is given may be the same
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
  ++Uses.Times;
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

const Int *ValueContext::load(const Object *Table, const Int *At, int Bits) {
  ++Uses.Times;
  Atom::Key K(Atom::Op::Load, Uniformity::Thread, Table, At, nullptr, nullptr,
              Bits);
  return Atoms
      .get(K,
           [&](Atom &New) {
             New.Kind = Atom::Op::Load;
             New.Same = Uniformity::Block;
             New.A = At;
             New.Origin = Table;
             New.Number = Bits;
             New.Range = rangeOf(New);
             enrol(New);
           })
      ->Alone;
}

const Int *ValueContext::merge(const Int *A, LaneOp AddOrSub, const Int *B) {
  Uses.note(A);
  Uses.note(B);
  const PerThread *Base = L.apply(AddOrSub, A->Base, B->Base);
  llvm::SmallVector<Int::Term, 8> Terms;
  auto I = A->Terms.begin(), IE = A->Terms.end();
  auto J = B->Terms.begin(), JE = B->Terms.end();
  while (I != IE || J != JE) {
    if (J == JE || (I != IE && I->A->Id < J->A->Id)) {
      Terms.push_back(*I++);
    } else if (I == IE || J->A->Id < I->A->Id) {
      Terms.push_back({J->A, L.apply(AddOrSub, L.uniform(0), J->Coefficient)});
      ++J;
    } else {
      const PerThread *C = L.apply(AddOrSub, I->Coefficient, J->Coefficient);
      if (!C->isUniform(0))
        Terms.push_back({I->A, C});
      ++I;
      ++J;
    }
  }
  return intern(Base, Terms);
}

const Int *ValueContext::add(const Int *A, const Int *B) {
  return merge(A, LaneOp::Add, B);
}

const Int *ValueContext::scale(const Int *A, const PerThread *By) {
  if (By->isUniform(1))
    return A;
  Uses.note(A);
  llvm::SmallVector<Int::Term, 8> Terms;
  for (const Int::Term &T : A->Terms) {
    const PerThread *C = L.apply(LaneOp::Mul, T.Coefficient, By);
    if (!C->isUniform(0))
      Terms.push_back({T.A, C});
  }
  return intern(L.apply(LaneOp::Mul, A->Base, By), Terms);
}

const Int *ValueContext::sub(const Int *A, const Int *B) {
  return merge(A, LaneOp::Sub, B);
}

const Int *ValueContext::primitive(const Int *A, int64_t Factor) {
  Uses.note(A);
  if (Factor == 1)
    return A->Base->isUniform(0) ? A : intern(L.uniform(0), A->Terms);
  llvm::SmallVector<Int::Term, 8> Terms;
  for (const Int::Term &T : A->Terms)
    Terms.push_back({T.A, L.uniform(T.Coefficient->min() / Factor)});
  return intern(L.uniform(0), Terms);
}

const Int *ValueContext::mul(const Int *A, const Int *B) {
  Uses.note(A);
  Uses.note(B);
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

// What an operation on numbers gives, with operands as those threads have them.
static const Int *resultIn(ValueContext &V, const Atom *A,
                           const PerThread *Mask) {
  const Int *X = A->A ? asIn(V, A->A, Mask) : nullptr,
            *Y = A->B ? asIn(V, A->B, Mask) : nullptr;
  if (X == A->A && Y == A->B)
    return A->Alone;
  switch (A->Kind) {
  case Atom::Op::Eq:
    return V.isZero(X);
  case Atom::Op::Lt:
    return V.isNegative(X);
  case Atom::Op::LAnd:
    return V.logicalAnd(X, Y);
  case Atom::Op::LOr:
    return V.logicalOr(X, Y);
  case Atom::Op::Symbol:
  case Atom::Op::Cast:
  case Atom::Op::Within:
  case Atom::Op::Select:
  case Atom::Op::Any:
  case Atom::Op::Load:
    return A->Alone;
  default:
    return V.apply(A->Kind, X, Y);
  }
}

const Int *cpasync::asIn(ValueContext &V, const Int *A, const PerThread *Mask) {
  if (A->isUniform() || PerThreadContext::isEmpty(Mask))
    return A;
  const int Thread = V.lanes().first(Mask);
  auto In = [&](const PerThread *P) {
    return areEqualIn(P, Mask) ? V.lanes().uniform((*P)[Thread]) : P;
  };
  const Int *R = V.known(In(A->base()));
  for (const Int::Term &T : A->terms()) {
    const PerThread *Factor = In(T.Coefficient);
    if (Factor->isUniform(0))
      continue;
    R = V.add(R, V.mul(T.A->isUniform() ? T.A->Alone : resultIn(V, T.A, Mask),
                       V.known(Factor)));
  }
  return R;
}

bool cpasync::isChosen(const Int *I) {
  return llvm::any_of(I->terms(), [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Min || T.A->Kind == Atom::Op::Max ||
           T.A->Kind == Atom::Op::Select;
  });
}

bool cpasync::isStable(const Int *I) {
  return llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.A->isName()
               ? T.A->Stable
               : llvm::all_of(std::array{T.A->A, T.A->B, T.A->C},
                              [](const Int *X) { return !X || isStable(X); });
  });
}

bool cpasync::isFromTable(const Int *I) {
  return llvm::any_of(I->terms(), [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Load ||
           llvm::any_of(std::array{T.A->A, T.A->B, T.A->C},
                        [](const Int *X) { return X && isFromTable(X); });
  });
}

//===- Value.h - Integers and pointers of a whole block ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is seen by all threads of the block at once:
//   Int      base + sum of coefficient * atom, where the base and the
//            coefficients are PerThread (known per thread) and an atom is
//            something unknown: a kernel parameter, blockIdx, or an operation
//            on unknowns
//   Ptr      an object and an Int, the byte offset in it; a 32-bit shared
//            address is a pointer too
//   Unknown  anything else
// A floating-point number that is a parameter or was loaded is the integer of
// its bits, so that it is the same wherever it is asked for; one that was
// computed is unknown.
// Ints are kept in this normal form, so that the difference of two addresses,
// or of a counter and a bound, is free of atoms whenever they cancel.
// Everything is interned: equal values compare equal by pointer.
//
// Integers with atoms are taken as mathematical ones: no overflow, and division
// and remainder by a constant as if the dividend were not negative.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_VALUE_H
#define CPASYNC_LIB_VALUES_VALUE_H

#include "lib/support/PerThread.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clang {
class Stmt;
class ValueDecl;
} // namespace clang

namespace cpasync {

class Int;
struct Object;

/// Bounds of an integer, inclusive; unbounded by default.
struct Interval {
  int64_t Lo = INT64_MIN, Hi = INT64_MAX;
  bool operator==(const Interval &) const = default;
  bool isEmpty() const { return Lo > Hi; }
  bool isPoint() const { return Lo == Hi; }
};

/// The threads that have one value of something unknown between them.
enum class Uniformity : uint8_t { Thread, Warp, Block };

/// Something whose integer is not known.
struct Atom {
  enum class Op : uint8_t {
    Symbol, ///< named by Decl/Origin/Key
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Min,
    Max,    ///< of A and B
    Cast,   ///< A wrapped to B bits
    Within, ///< A, which is taken to lie in [0, B)
    Eq,     ///< A == 0, as 0 or 1
    Lt,     ///< A < 0
    LAnd,
    LOr,    ///< of truth values A and B
    Select, ///< A ? B : C
    Any,    ///< A != 0 in some thread of the mask B, among C neighbours; 0 or 1
    Load,   ///< what the table Origin, an object, holds at the byte A; Number
            ///< says of what type
  };
  Op Kind = Op::Symbol;
  Uniformity Same = Uniformity::Thread;
  bool Stable = false; ///< Symbol: the same whenever the kernel asks for it
  unsigned Id = 0;     ///< order of creation
  Interval Range;      ///< known at creation: blockIdx is never negative
  const Int *A = nullptr, *B = nullptr, *C = nullptr;
  const void *Origin = nullptr; ///< Symbol: the declaration or expression
  int64_t Number = 0;           ///< Symbol: tells several of one origin apart
  const Int *Alone = nullptr;   ///< the integer that is this atom
  bool isUniform() const { return Same == Uniformity::Block; }
  /// Nothing that it is computed from says what it is.
  bool isName() const { return Kind == Op::Symbol || Kind == Op::Load; }
  uint64_t symbols() const; ///< as Int::symbols

  using Key = std::tuple<Op, Uniformity, const void *, const Int *, const Int *,
                         const Int *, int64_t>;
  Key key() const {
    return {
        Kind,  Kind == Op::Symbol ? Same : Uniformity::Thread, Origin, A, B, C,
        Number};
  }
  static unsigned hash(const Key &K);
};

class Int {
public:
  struct Term {
    const Atom *A;
    const PerThread *Coefficient; ///< never uniform 0
    bool operator==(const Term &) const = default;
  };
  const PerThread *base() const { return Base; }
  llvm::ArrayRef<Term> terms() const { return Terms; }
  bool isKnown() const { return Terms.empty(); }
  bool isConstant() const { return Terms.empty() && Base->isUniform(); }
  bool isConstant(int64_t V) const { return isConstant() && Base->min() == V; }
  int64_t constant() const { return Base->min(); }
  bool isUniform() const;
  /// The most threads of which it is sure that they have the same.
  Uniformity sharing() const;
  unsigned id() const { return Id; }
  /// A bit for every symbol it is computed from, by id modulo 64.
  uint64_t symbols() const { return Symbols; }
  /// Operations it is built from, each as often as it is used. Anything above
  /// MaxWeight is better given a name of its own.
  unsigned weight() const { return Weight; }
  static constexpr unsigned MaxWeight = 24;

  using Key = std::pair<const PerThread *, llvm::ArrayRef<Term>>;
  Key key() const { return {Base, Terms}; }
  static unsigned hash(const Key &K);

private:
  friend class ValueContext;
  const PerThread *Base = nullptr;
  llvm::ArrayRef<Term> Terms; ///< sorted by atom id
  unsigned Id = 0;
  uint64_t Symbols = 0;
  unsigned Weight = 0;
};

struct Value {
  enum class Kind : uint8_t { Unknown, Int, Ptr };
  Kind K = Kind::Unknown;
  const Object *Obj = nullptr; ///< Ptr
  const Int *I = nullptr; ///< Int: the value; Ptr: byte offset, may be null
                          ///< (an unknown place in the object)
  bool operator==(const Value &) const = default;

  bool isUnknown() const { return K == Kind::Unknown; }
  bool isInt() const { return K == Kind::Int; }
  bool isPtr() const { return K == Kind::Ptr; }
  static Value unknown() { return {}; }
  static Value integer(const Int *I) {
    return I ? Value{Kind::Int, nullptr, I} : Value{};
  }
  static Value pointer(const Object *O, const Int *Offset) {
    return {Kind::Ptr, O, Offset};
  }
};

/// A scalar in memory.
struct Cell {
  int64_t Offset; ///< bytes
  int64_t Size;   ///< bytes
  Value V;
  bool operator==(const Cell &) const = default;
};

/// What an object holds: cells sorted by offset, disjoint. Bytes that none
/// covers may hold anything.
class Contents : public llvm::ArrayRef<Cell> {
public:
  Contents() = default;
  explicit Contents(llvm::ArrayRef<Cell> Cells) : ArrayRef(Cells) {}

  using Key = llvm::ArrayRef<Cell>;
  Key key() const { return *this; }
  static unsigned hash(Key K);
};

/// A piece of memory that pointers point into.
struct Object {
  enum class Kind : uint8_t {
    Shared,   ///< a __shared__ variable
    Dynamic,  ///< the extern __shared__ pool: one for the whole block
    Local,    ///< a local variable, parameter or temporary of a call
    Param,    ///< a kernel parameter's own bytes
    Global,   ///< what a kernel parameter, or a pointer in it, points to
    Device,   ///< a __device__, __constant__ or static variable
    Opaque,   ///< what an unknown pointer points to
    Function, ///< what a function pointer points to; Origin: the declaration
    Class,    ///< what the hidden pointer of a polymorphic object points to;
              ///< Origin: the class
    Choice,   ///< one of several of these, shared ones among them
  };
  Kind K = Kind::Opaque;
  unsigned Id = 0;
  const void *Origin = nullptr; ///< declaration or expression
  unsigned Call = 0;            ///< Local: Frame::Number
  int64_t Number = 0;           ///< tells several of one origin apart
  llvm::StringRef Name;         ///< lives as long as the declaration it is from
  int64_t Size = 0;             ///< bytes; 0 if unknown
  unsigned Alignment = 0;       ///< declared, in bytes; 0 if not declared
  bool IsReadOnly = false;      ///< declared: the pointer is one to const
  /// Or may be.
  bool isShared() const {
    return K == Kind::Shared || K == Kind::Dynamic || K == Kind::Choice;
  }

  using Key = std::tuple<Kind, const void *, unsigned, int64_t>;
  Key key() const { return {K, Origin, Call, Number}; }
  static unsigned hash(const Key &K);
};

/// How often anything was made of numbers that are no constants, or asked of
/// them; to hand one on is neither.
struct NumberUses {
  unsigned Times = 0;
  void note(const Int *I) { Times += I && !I->isConstant(); }
};

class ValueContext {
public:
  explicit ValueContext(unsigned Threads) : L(Threads) {}
  PerThreadContext &lanes() { return L; }

  const Int *constant(int64_t V) { return known(L.uniform(V)); }
  const Int *known(const PerThread *Base);
  /// \p Range is what is known of every symbol with these \p Origin and
  /// \p Number; they are all the same number if \p Stable, else only until the
  /// name is used again.
  const Int *symbol(const void *Origin, int64_t Number, Uniformity Same,
                    Interval Range = {}, bool Stable = false);

  const Int *add(const Int *A, const Int *B);
  const Int *sub(const Int *A, const Int *B);
  const Int *mul(const Int *A, const Int *B);
  /// \p A without its base, its coefficients, which are uniform and multiples
  /// of \p Factor, divided by that.
  const Int *primitive(const Int *A, int64_t Factor);
  /// Div, Rem, Shl, Shr, And, Or, Xor, Min, Max.
  const Int *apply(Atom::Op Op, const Int *A, const Int *B);
  /// \p Bits wide, negative if signed. Values with atoms are left alone when
  /// the type has 32 bits or more; 0: a pointer.
  const Int *cast(const Int *A, int Bits);

  /// \p A, which is taken to lie in [0, \p End): an index to stay in its part.
  const Int *within(const Int *A, int64_t End);
  /// \p I with nothing taken for granted by within(): what cancels in a
  /// difference does so in theirs.
  const Int *plain(const Int *I);
  /// What \p Table, which nobody writes to, holds at the byte \p At, the same
  /// for all threads, in an integer of so many \p Bits, negative if signed.
  const Int *load(const Object *Table, const Int *At, int Bits);

  /// Truth values: 0 or 1 in each thread.
  const Int *isZero(const Int *A);
  /// What \p I is in all the threads \p In, of which there are some; none if it
  /// is not known, or not one number. Others may have another.
  std::optional<int64_t> commonIn(const Int *I, const PerThread *In);
  /// Calls \p Do with each value that \p I has in threads of \p In, and with
  /// those threads; false if it is not known.
  bool forEachValue(const Int *I, const PerThread *In,
                    llvm::function_ref<void(int64_t, const PerThread *)> Do);
  const Int *isNegative(const Int *A);
  const Int *logicalAnd(const Int *A, const Int *B);
  const Int *logicalOr(const Int *A, const Int *B);
  const Int *select(const Int *Condition, const Int *A, const Int *B);
  /// Is \p A true in some thread of \p Voters, among \p Neighbours threads
  /// that begin at a multiple of that?
  const Int *any(const Int *A, const PerThread *Voters, unsigned Neighbours);
  Value select(const Int *Condition, Value A, Value B);
  /// Of a Choice, what the byte \p At stands for; null: nothing.
  const Object *chosen(const Object *Choice, int64_t At) const;
  /// The threads in which \p P, known, points to \p One of its objects.
  const PerThread *choosing(Value P, const Object *One);
  /// \p P where it points to \p One.
  Value asChosen(Value P, const Object *One);
  /// Thread by thread Mask ? A : B.
  Value blend(const PerThread *Mask, Value A, Value B);

  /// The object of this kind, origin, depth and number; new if there is none.
  const Object *object(const Object &O);
  const Contents *contents(llvm::ArrayRef<Cell> Cells);

  NumberUses Uses;

  /// Memory in use, in bytes.
  size_t bytes() const;

private:
  const Int *intern(const PerThread *Base, llvm::ArrayRef<Int::Term> Terms);
  const Int *operation(Atom::Op Op, const Int *A, const Int *B = nullptr,
                       const Int *C = nullptr);
  void enrol(Atom &A);
  const Int *merge(const Int *A, LaneOp AddOrSub, const Int *B);
  const Int *scale(const Int *A, const PerThread *By);
  const Int *divideExactly(const Int *A, int64_t By, bool WantRemainder);
  const Int *parity(const Int *A);
  Value choose(const Int *Condition, Value A, Value B);
  const Int *offsetInChoice(const Object *Choice, Value P);
  const Int *residue(const Int *A, int64_t By);

  PerThreadContext L;
  llvm::BumpPtrAllocator Terms, Cells;
  Interner<Int> Ints;
  Interner<Atom> Atoms;
  Interner<Object> Objects;
  Interner<Contents> Memories;
  llvm::SmallVector<const Int *, 0> Known; ///< by the id of their lanes
  /// What there is to choose from, by the number of the choice: null or an
  /// object each.
  std::vector<std::vector<const Object *>> Choices;
};

/// \p P; where it points to one object in all \p Threads, into that.
Value chosenBy(ValueContext &V, Value P, const PerThread *Threads);

/// What \p A is in the threads of \p Mask; of what it is computed from, what is
/// the same in all of them is written as a number of the whole block.
const Int *asIn(ValueContext &V, const Int *A, const PerThread *Mask);
/// \p A is the same in all threads of \p Mask.
bool isUniformIn(const Int *A, const PerThread *Mask);
/// It is one of two numbers, or computed from that by sums.
bool isChosen(const Int *I);
/// True if \p I depends on \p A, also through operations.
bool dependsOn(const Int *I, const Atom *A);
/// A place that nobody knows, the same wherever it is asked for.
inline const Int *somewhere(ValueContext &V, const void *Origin, int64_t Number,
                            int64_t Places) {
  return V.symbol(Origin, Number, Uniformity::Thread, {0, Places - 1},
                  /*Stable=*/true);
}
/// \p I hangs on nothing but what the kernel was given and can ask for again.
bool isStable(const Int *I);
/// \p I hangs on what a table holds.
bool isFromTable(const Int *I);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_VALUE_H

//===- HostValue.h - What variables of host code hold -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that a launch may be made of: integers, structures of them such as
// dim3, arrays, addresses, tensor maps, and the kernels themselves. Everything
// else is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_HOSTVALUE_H
#define CPASYNC_LIB_LAUNCH_HOSTVALUE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace cpasync {

/// A temporary is named by its expression, and what `this` is by the method.
using HostVariable =
    llvm::PointerUnion<const clang::Decl *, const clang::Expr *>;

/// A variable, or a part of one.
struct HostPlace {
  /// Elements of an array that are told apart.
  static constexpr unsigned MaxElements = 64;
  struct Part {
    unsigned Index; ///< of a field, or of an element
    bool IsElement;
    bool operator==(const Part &) const = default;
  };
  HostVariable Variable;
  llvm::SmallVector<Part, 2> Parts; ///< outermost first

  HostPlace member(unsigned Field) const;
  HostPlace element(unsigned Index) const;
  /// The array that it is an element of, or itself: what a pointer to it leads
  /// to.
  HostPlace whole() const;
  bool operator==(const HostPlace &) const = default;
};

struct HostValue {
  enum class Kind : uint8_t {
    Unknown,
    Integer,
    Structure, ///< or array
    Address,
    Function,
    TensorMap
  };

  Kind K = Kind::Unknown;
  int64_t Number = 0; ///< of a TensorMap: bytes of its box
  const clang::FunctionDecl *Called = nullptr;
  HostPlace At; ///< of an Address
  /// Of a Structure, by the index of the field or the element.
  std::vector<HostValue> Members;
  clang::SourceLocation Encoded; ///< of a TensorMap
  /// Of a Structure that goes where it is told to be: what it was built in.
  /// Addresses of its own parts go with it.
  HostVariable BuiltIn;

  static HostValue integer(int64_t Number);
  static HostValue function(const clang::FunctionDecl *F);
  static HostValue address(HostPlace At);
  /// With \p Fields unknown members.
  static HostValue structure(unsigned Fields);
  static HostValue tensorMap(int64_t BoxBytes, clang::SourceLocation Encoded);

  std::optional<int64_t> number() const;
  /// What the address leads to, \p Next elements on; nothing: it is none, or
  /// that is beyond what is told apart.
  std::optional<HostPlace> pointee(int64_t Next) const;
  /// Of a variable that holds it, what lies at \p At.
  HostValue part(const HostPlace &At) const;
  /// The addresses in it that lead into \p From lead into \p To.
  void rebase(HostVariable From, const HostPlace &To);
  bool operator==(const HostValue &) const = default;
};

/// What the variables hold where host code has come to on one way.
class HostWorld {
public:
  HostValue read(const HostPlace &At) const;
  void write(const HostPlace &At, HostValue New);
  /// If not, nothing is known of it here, not even what it began with.
  bool holds(HostVariable V) const { return Variables.contains(V); }
  /// Keeps what \p Outer has variables for: those of a function that has
  /// returned are gone.
  void leave(const HostWorld &Outer);
  /// What differs from \p Other becomes unknown.
  void join(const HostWorld &Other);
  bool operator==(const HostWorld &) const = default;

  HostValue Returned; ///< by the function that is being left

private:
  std::map<HostVariable, HostValue> Variables;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_HOSTVALUE_H

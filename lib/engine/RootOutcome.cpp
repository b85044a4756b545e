//===- RootOutcome.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/RootOutcome.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;
using llvm::StringRef;

namespace {
/// Stands for the initialiser of any field.
struct Anything {
  template <typename T> operator T() const { return T(); }
};

template <typename S, typename... Some> constexpr size_t countFields() {
  if constexpr (requires { S{Some{}..., Anything{}}; })
    return countFields<S, Some..., Anything>();
  else
    return sizeof...(Some);
}

template <typename T> constexpr bool IsVector = false;
template <typename T> constexpr bool IsVector<std::vector<T>> = true;

template <typename T> constexpr bool IsOptional = false;
template <typename T> constexpr bool IsOptional<std::optional<T>> = true;

/// Goes as its bytes.
template <typename T>
constexpr bool IsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Packer {
public:
  template <typename T> void add(const T &X) {
    if constexpr (IsPlain<T>) {
      Text.append(reinterpret_cast<const char *>(&X), sizeof X);
    } else if constexpr (std::is_same_v<T, std::string>) {
      add(X.size());
      Text += X;
    } else if constexpr (std::is_same_v<T, SourceLocation>) {
      add(X.getRawEncoding());
    } else if constexpr (std::is_same_v<T, CharSourceRange>) {
      add(X.getBegin());
      add(X.getEnd());
      add(X.isTokenRange());
    } else if constexpr (IsVector<T>) {
      add(X.size());
      for (const auto &Each : X)
        add(Each);
    } else if constexpr (IsOptional<T>) {
      add(X.has_value());
      if (X)
        add(*X);
    } else {
      const auto Fields = fieldsOf(X);
      static_assert(std::tuple_size_v<decltype(Fields)> == countFields<T>(),
                    "fieldsOf() leaves a field out");
      std::apply([&](const auto &...Each) { (add(Each), ...); }, Fields);
    }
  }

  std::string Text;
};

class Unpacker {
public:
  explicit Unpacker(StringRef Rest) : Rest(Rest) {}

  template <typename T> bool take(T &X) {
    if constexpr (IsPlain<T>) {
      if (Rest.size() < sizeof X)
        return false;
      llvm::copy(Rest.take_front(sizeof X), reinterpret_cast<char *>(&X));
      Rest = Rest.drop_front(sizeof X);
      return true;
    } else if constexpr (std::is_same_v<T, std::string>) {
      size_t Size = 0;
      if (!take(Size) || Rest.size() < Size)
        return false;
      X = Rest.take_front(Size).str();
      Rest = Rest.drop_front(Size);
      return true;
    } else if constexpr (std::is_same_v<T, SourceLocation>) {
      SourceLocation::UIntTy Encoding = 0;
      const bool IsThere = take(Encoding);
      X = SourceLocation::getFromRawEncoding(Encoding);
      return IsThere;
    } else if constexpr (std::is_same_v<T, CharSourceRange>) {
      SourceLocation Begin, End;
      bool IsOfTokens = false;
      const bool IsThere = take(Begin) && take(End) && take(IsOfTokens);
      X = CharSourceRange(SourceRange(Begin, End), IsOfTokens);
      return IsThere;
    } else if constexpr (IsVector<T>) {
      size_t Size = 0;
      bool IsThere = take(Size);
      for (size_t I = 0; IsThere && I < Size; ++I)
        IsThere = take(X.emplace_back());
      return IsThere;
    } else if constexpr (IsOptional<T>) {
      bool HasValue = false;
      return take(HasValue) && (!HasValue || take(X.emplace()));
    } else {
      return std::apply([&](auto &...Each) { return (take(Each) && ...); },
                        fieldsOf(X));
    }
  }
  bool isAtEnd() const { return Rest.empty(); }

private:
  StringRef Rest;
};
} // namespace

std::string cpasync::pack(const RootOutcome &Found) {
  Packer To;
  To.add(Found);
  return std::move(To.Text);
}

std::optional<RootOutcome> cpasync::unpack(StringRef Text) {
  Unpacker From(Text);
  RootOutcome Found;
  if (!From.take(Found) || !From.isAtEnd())
    return std::nullopt;
  return Found;
}

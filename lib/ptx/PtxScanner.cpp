//===- PtxScanner.cpp - Characters, names and constants of PTX ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxScanner.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace cpasync {

/// Parentheses, signs and '?:' inside each other; a bound on the recursion.
constexpr unsigned MaxExpressionNest = 32;

namespace {
struct BinaryOperator {
  StringRef Spelling;
  unsigned Precedence;
};
} // namespace

/// Binary operators of constant expressions, longest spelling first. "%%" is
/// the template's way to write '%'.
constexpr BinaryOperator BinaryOperators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6},  {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"%%", 10}, {"|", 3},  {"^", 4},  {"&", 5},
    {"<", 7},  {">", 7},  {"+", 9},   {"-", 9},  {"*", 10}, {"/", 10}};
constexpr unsigned ProductPrecedence = 10;

static const BinaryOperator *operatorAt(StringRef Rest) {
  for (const BinaryOperator &Op : BinaryOperators)
    if (Rest.starts_with(Op.Spelling))
      return &Op;
  return nullptr;
}

/// No result for a division by zero.
static std::optional<int64_t> applyBinary(StringRef Op, int64_t L, int64_t R) {
  // Unsigned, so that overflow wraps as it does in the assembler.
  uint64_t A = L, B = R;
  if (Op == "/" || Op == "%%") {
    if (R == 0)
      return std::nullopt;
    if (R == -1)
      return Op == "/" ? -A : 0;
    return Op == "/" ? L / R : L % R;
  }
  switch (Op[0]) {
  case '+':
    return A + B;
  case '-':
    return A - B;
  case '*':
    return A * B;
  case '^':
    return A ^ B;
  case '=':
    return L == R;
  case '!':
    return L != R;
  case '|':
    return Op == "||" ? (L || R) : (L | R);
  case '&':
    return Op == "&&" ? (L && R) : (L & R);
  case '<':
    if (Op == "<<")
      return B < 64 ? A << B : 0;
    return Op == "<=" ? L <= R : L < R;
  default: // '>'
    if (Op == ">>")
      return L >> (B < 64 ? B : 63);
    return Op == ">=" ? L >= R : L > R;
  }
}

bool isPtxNameStart(char C) { return llvm::isAlpha(C) || C == '_' || C == '$'; }
bool isPtxNameChar(char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; }

bool PtxScanner::consume(char C) {
  if (atEnd() || peek() != C)
    return false;
  ++Pos;
  return true;
}

void PtxScanner::skipBlanks() {
  while (!atEnd()) {
    if (llvm::isSpace(peek())) {
      ++Pos;
    } else if (peek() == '/' && peek(1) == '/') {
      skipLine();
    } else if (peek() == '/' && peek(1) == '*') {
      size_t End = Text.find("*/", Pos + 2);
      if (End == StringRef::npos)
        UnterminatedComment = Pos;
      Pos = End == StringRef::npos ? Text.size() : End + 2;
    } else {
      if (peek() == '%' && (peek(1) == '{' || peek(1) == '|' || peek(1) == '}'))
        ++Pos;
      return;
    }
  }
}

void PtxScanner::skipLine() {
  Pos = std::min(Text.find('\n', Pos), Text.size());
}

bool PtxScanner::fail(const llvm::Twine &Message) {
  FailOffset = std::min(Pos, Text.size());
  FailMessage = Message.str();
  return false;
}

StringRef PtxScanner::name() {
  size_t Begin = Pos;
  while (isPtxNameChar(peek()) ||
         (peek() == '%' && (peek(1) == '=' || llvm::isDigit(peek(1)))))
    Pos += peek() == '%' ? 2 : 1;
  return Text.slice(Begin, Pos);
}

StringRef PtxScanner::modifier() {
  size_t Begin = Pos;
  for (;;) {
    if (isPtxNameChar(peek()))
      ++Pos;
    else if (peek() == ':' && peek(1) == ':' && isPtxNameChar(peek(2)))
      Pos += 2;
    else
      return Text.slice(Begin, Pos);
  }
}

bool PtxScanner::readRaw(std::string &Raw) {
  size_t Begin = Pos, Open = 0;
  for (; !atEnd() && peek() != ';'; ++Pos) {
    char C = peek();
    if (C == '(' || C == '[' || C == '{')
      ++Open;
    else if (Open == 0 && (C == ',' || C == ')' || C == ']' || C == '}'))
      break;
    else if (C == ')' || C == ']' || C == '}')
      --Open;
  }
  if (Open > 0)
    return fail("expected a closing bracket");
  Raw = Text.slice(Begin, Pos).rtrim().str();
  return true;
}

bool PtxScanner::readInteger(int64_t &Value) {
  size_t Begin = Pos;
  while (isPtxNameChar(peek()))
    ++Pos;
  StringRef Digits = Text.slice(Begin, Pos);
  if (Digits.ends_with_insensitive("u"))
    Digits = Digits.drop_back();
  uint64_t Result = 0;
  if (Digits.getAsInteger(0, Result)) { // radix by prefix, as in C
    Pos = Begin;
    return fail("malformed integer constant");
  }
  Value = static_cast<int64_t>(Result);
  return true;
}

bool PtxScanner::readConstant(int64_t &Value, bool ProductOnly) {
  return ProductOnly ? readBinary(Value, ProductPrecedence, 0)
                     : readConditional(Value, 0);
}

bool PtxScanner::readConditional(int64_t &Value, unsigned Nest) {
  if (!readBinary(Value, 0, Nest))
    return false;
  if (!consume('?'))
    return true;
  int64_t IfTrue = 0, IfFalse = 0;
  skipBlanks();
  if (!readConditional(IfTrue, Nest + 1))
    return false;
  if (!consume(':'))
    return fail("expected ':'");
  skipBlanks();
  if (!readConditional(IfFalse, Nest + 1))
    return false;
  Value = Value ? IfTrue : IfFalse;
  return true;
}

/// Precedence climbing. Leaves the position behind the blanks that follow.
bool PtxScanner::readBinary(int64_t &Value, unsigned MinPrecedence,
                            unsigned Nest) {
  if (!readUnary(Value, Nest))
    return false;
  for (skipBlanks();; skipBlanks()) {
    const BinaryOperator *Op = operatorAt(Text.substr(Pos));
    if (!Op || Op->Precedence < MinPrecedence)
      return true;
    Pos += Op->Spelling.size();
    skipBlanks();
    int64_t Right = 0;
    if (!readBinary(Right, Op->Precedence + 1, Nest))
      return false;
    std::optional<int64_t> Result = applyBinary(Op->Spelling, Value, Right);
    if (!Result)
      return fail("division by zero");
    Value = *Result;
  }
}

bool PtxScanner::readUnary(int64_t &Value, unsigned Nest) {
  if (Nest > MaxExpressionNest)
    return fail("expression nests too deeply");
  if (llvm::isDigit(peek()))
    return readInteger(Value);
  char Op = peek();
  if (Op != '+' && Op != '-' && Op != '~' && Op != '!' && Op != '(')
    return fail("expected a constant");
  ++Pos;
  skipBlanks();
  if (Op == '(')
    return readConditional(Value, Nest + 1) &&
           (consume(')') || fail("expected ')'"));
  if (!readUnary(Value, Nest + 1))
    return false;
  if (Op == '-')
    Value = *applyBinary("-", 0, Value);
  else if (Op == '~')
    Value = ~Value;
  else if (Op == '!')
    Value = !Value;
  return true;
}

bool PtxScanner::readFloat(std::string &Spelling) {
  StringRef Rest = Text.substr(Pos);
  auto Digits = [&](auto IsDigit) {
    size_t Before = Rest.size();
    Rest = Rest.drop_while(IsDigit);
    return Before - Rest.size();
  };
  if (!Rest.consume_front("-"))
    Rest.consume_front("+");
  bool IsHex =
      Rest.starts_with_insensitive("0f") || Rest.starts_with_insensitive("0d");
  if (IsHex) {
    Rest = Rest.drop_front(2);
    if (Digits(llvm::isHexDigit) == 0)
      return false;
  } else {
    size_t Whole = Digits(llvm::isDigit);
    bool HasPoint = Rest.consume_front(".");
    size_t Fraction = HasPoint ? Digits(llvm::isDigit) : 0;
    bool HasExponent = Rest.consume_front_insensitive("e");
    if (Whole + Fraction == 0 || (!HasPoint && !HasExponent))
      return false;
    if (HasExponent) {
      if (!Rest.consume_front("-"))
        Rest.consume_front("+");
      if (Digits(llvm::isDigit) == 0)
        return false;
    }
  }
  size_t End = Text.size() - Rest.size();
  if (!Rest.empty() && isPtxNameChar(Rest[0]))
    return false;
  Spelling = Text.slice(Pos, End).str();
  Pos = End;
  return true;
}

bool PtxScanner::atOperator() const {
  return peek() == '?' || operatorAt(Text.substr(Pos));
}

} // namespace cpasync

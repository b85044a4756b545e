//===- PtxOperands.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of an inline-PTX instruction: names, numbers, addresses, vectors.
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxReader.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace cpasync {

/// Comma-separated operands up to and including \p Close; a ';' may be missing
/// at the very end of the template.
bool PtxReader::readOperands(std::vector<PtxOperand> &Operands, char Close,
                             Context In) {
  skipBlanks();
  if (consume(Close) || (Close == ';' && atEnd()))
    return true;
  for (;;) {
    if (OperandsLeft-- == 0) {
      OperandsLeft = 0;
      return fail("too many operands");
    }
    PtxOperand Op;
    if (!readOperand(Op, In))
      return false;
    Operands.push_back(std::move(Op));
    skipBlanks();
    if (consume(Close) || (Close == ';' && atEnd()))
      return true;
    if (!consume(','))
      return fail(llvm::Twine("expected ',' or '") + llvm::Twine(Close) + "'");
  }
}

bool PtxReader::readOperand(PtxOperand &Op, Context In) {
  skipBlanks();
  size_t Begin = Pos;
  if (peek() == '{') {
    if (In == Context::Vector)
      return fail("unexpected '{'");
    ++Pos;
    Op.K = PtxOperand::Kind::Vector;
    return readOperands(Op.Elements, '}', Context::Vector);
  }
  if (peek() == '[')
    return readAddress(Op, In);
  if (!readScalar(Op))
    return false;
  skipBlanks();
  using Kind = PtxOperand::Kind;
  if (Op.K == Kind::Immediate || Op.K == Kind::Other)
    return true;
  if (peek() == '[')
    return readIndex(Op, In);
  if (peek() == '|' && peek(1) != '|') {
    ++Pos;
    skipBlanks();
    Op.Paired.emplace_back();
    return readScalar(Op.Paired.back());
  }
  // `%1 - 1`, `buffer + 16`: a constant for the assembler, not for us.
  return !atOperator() || readOther(Op, Begin);
}

/// `array[4]`, the same as `[array + 4]`; \p Op is `array`.
bool PtxReader::readIndex(PtxOperand &Op, Context In) {
  PtxOperand Index;
  if (!readAddress(Index, In))
    return false;
  PtxOperand &First = Index.Elements[0];
  if (Index.Elements.size() != 1 || Index.OffsetIndex >= 0 ||
      First.K != PtxOperand::Kind::Immediate)
    return fail("expected a constant index");
  Index.Imm += First.Imm;
  First = std::move(Op);
  Op = std::move(Index);
  return true;
}

bool PtxReader::readAddress(PtxOperand &Op, Context In) {
  if (In != Context::Instruction)
    return fail("unexpected '['");
  ++Pos;
  Op.K = PtxOperand::Kind::Address;
  Op.Elements.emplace_back();
  skipBlanks();
  if (!readScalar(Op.Elements.back()))
    return false;
  for (skipBlanks(); peek() == '+' || peek() == '-'; skipBlanks())
    if (!readOffset(Op))
      return false;
  if (consume(',')) {
    if (!readOperands(Op.Elements, ']', Context::Address))
      return false;
  } else if (!consume(']')) {
    return fail("expected ']'");
  }
  if (peek() == '.') { // `ld.global.f32 f, [a].unified`
    ++Pos;
    modifier();
  }
  return true;
}

bool PtxReader::readOffset(PtxOperand &Address) {
  bool Minus = consume('-');
  if (!Minus)
    consume('+');
  skipBlanks();
  if (peek() == '%' && peek(1) != '%') {
    PtxOperand Offset;
    if (Minus || Address.OffsetIndex >= 0 || !readPercent(Offset) ||
        Offset.K != PtxOperand::Kind::AsmOperand)
      return fail("expected a constant offset");
    Address.OffsetIndex = Offset.AsmIndex;
    return true;
  }
  int64_t Offset = 0;
  if (!readConstant(Offset, /*ProductOnly=*/true))
    return false;
  // Unsigned, because junk may overflow.
  uint64_t Sum = Address.Imm, Step = Offset;
  Address.Imm = static_cast<int64_t>(Minus ? Sum - Step : Sum + Step);
  return true;
}

bool PtxReader::readScalar(PtxOperand &Op) {
  if (peek() == '!' &&
      (isPtxNameStart(peek(1)) || peek(1) == '%' || llvm::isSpace(peek(1)))) {
    ++Pos;
    skipBlanks();
    Op.Negated = true;
  }
  if (isPtxNameStart(peek()) || peek() == '%')
    return readName(Op);
  if (atEnd())
    return fail("expected an operand");
  if (llvm::isDigit(peek()) || StringRef("+-~!(.").contains(peek()))
    return readExpression(Op);
  if (!llvm::isPrint(peek()))
    return fail("unexpected character");
  return fail(llvm::Twine("unexpected '") + llvm::Twine(peek()) + "'");
}

bool PtxReader::readName(PtxOperand &Op) {
  if (peek() == '%' && peek(1) != '=')
    return readPercent(Op);
  Op.Text = name().str();
  if (Op.Text == "WARP_SZ") {
    Op.K = PtxOperand::Kind::Immediate;
    Op.Imm = 32;
    Op.Text.clear();
    return true;
  }
  bool Known = Op.Text == "_" || isRegister(Op.Text);
  Op.K = Known ? PtxOperand::Kind::Register : PtxOperand::Kind::Symbol;
  if (Known)
    readComponent(Op);
  return true;
}

/// `%0`, `%[name]`, either with a modifier (`%c0`); `%%tid.x`; or a register
/// whose '%' is not doubled, as in asm statements without operands.
bool PtxReader::readPercent(PtxOperand &Op) {
  ++Pos;
  bool Doubled = consume('%');
  if (!Doubled) {
    if (llvm::isAlpha(peek()) && (llvm::isDigit(peek(1)) || peek(1) == '['))
      ++Pos;
    if (consume('['))
      return readOperandName(Op);
    if (llvm::isDigit(peek())) {
      size_t Begin = Pos;
      while (llvm::isDigit(peek()))
        ++Pos;
      Op.K = PtxOperand::Kind::AsmOperand;
      return !Text.slice(Begin, Pos).getAsInteger(10, Op.AsmIndex) ||
             fail("operand number is too large");
    }
  }
  StringRef Name = name();
  if (Name.empty())
    return fail("unexpected '%'");
  Op.K = PtxOperand::Kind::Register;
  Op.Text = ("%" + Name).str();
  readComponent(Op);
  return true;
}

bool PtxReader::readOperandName(PtxOperand &Op) {
  Op.Text = name().str();
  auto *Found = llvm::find(OperandNames, Op.Text);
  if (Op.Text.empty() || Found == OperandNames.end())
    return fail("unknown operand name '" + Op.Text + "'");
  Op.K = PtxOperand::Kind::AsmOperand;
  Op.AsmIndex = static_cast<int>(Found - OperandNames.begin());
  return consume(']') || fail("expected ']'");
}

/// The ".x" of `%tid.x` or of an element of a vector register.
void PtxReader::readComponent(PtxOperand &Op) {
  if (peek() != '.' || !isPtxNameStart(peek(1)))
    return;
  ++Pos;
  Op.Text += ("." + name()).str();
}

/// An integer constant expression, a floating-point constant, or an expression
/// that only the assembler can evaluate.
bool PtxReader::readExpression(PtxOperand &Op) {
  size_t Begin = Pos;
  Op.K = PtxOperand::Kind::Other;
  if (readFloat(Op.Text))
    return true;
  int64_t Value = 0;
  if (readConstant(Value)) {
    Op.K = PtxOperand::Kind::Immediate;
    Op.Imm = Value;
    return true;
  }
  // `(%0 + 1)`, `4 * %2`, a cast, the parameter list of a call.
  bool IsSymbolic =
      Text[Begin] == '(' || peek() == '%' || isPtxNameStart(peek());
  return IsSymbolic && readOther(Op, Begin);
}

/// Keeps the operand that starts at \p Begin as it is written.
bool PtxReader::readOther(PtxOperand &Op, size_t Begin) {
  Pos = Begin;
  Op = PtxOperand();
  return readRaw(Op.Text);
}

} // namespace cpasync

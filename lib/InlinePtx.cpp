//===- InlinePtx.cpp - Read the text of an inline-PTX template ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recursive-descent reader whose recursion is bounded: operands nest at most
// three deep (address, vector, scalar), constant expressions MaxExpressionNest.
// Every character is looked at a constant number of times.
//
// Known holes, all reported as problems: casts in constant expressions,
// initialisers that contain ';', a name glued together from an asm operand.
//
//===----------------------------------------------------------------------===//

#include "InlinePtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

using llvm::StringRef;

namespace cpasync {

bool PtxInstruction::has(StringRef Part) const {
  for (const std::string &P : Parts)
    if (P == Part)
      return true;
  return false;
}

bool PtxInstruction::startsWith(StringRef Prefix) const {
  for (const std::string &P : Parts) {
    auto [Head, Tail] = Prefix.split('.');
    if (P != Head)
      return false;
    if (Tail.empty())
      return true;
    Prefix = Tail;
  }
  return false;
}

std::string PtxInstruction::opcode() const { return llvm::join(Parts, "."); }

namespace {

// Bounds on what one template may produce, so that junk costs no memory. The
// largest real ones: 20 instructions, 265 operands (wgmma, 256 accumulators).
constexpr size_t MaxInstructions = 100'000;
constexpr size_t MaxOperands = 4096; // in one instruction, elements included
constexpr size_t MaxParts = 64;      // in one opcode
constexpr size_t MaxProblems = 64;
constexpr unsigned MaxExpressionNest = 32;

bool isNameStart(char C) { return llvm::isAlpha(C) || C == '_' || C == '$'; }
bool isNameChar(char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; }

/// A barrier counts: to overlook one would make a correct kernel look wrong.
bool touchesAsync(StringRef Text) {
  for (StringRef Word :
       {"async", "shared", "mbarrier", "barrier", "bar.", "matrix"})
    if (Text.contains(Word))
      return true;
  return false;
}

/// Binary operators of PTX constant expressions, longest spelling first.
struct BinaryOperator {
  StringRef Spelling;
  unsigned Precedence;
};
constexpr BinaryOperator BinaryOperators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6},  {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"%%", 10}, {"|", 3},  {"^", 4},  {"&", 5},
    {"<", 7},  {">", 7},  {"+", 9},   {"-", 9},  {"*", 10}, {"/", 10}};
constexpr unsigned MultiplicativePrecedence = 10;

std::optional<int64_t> applyBinary(StringRef Op, int64_t L, int64_t R) {
  // Unsigned, so that overflow wraps as it does in the assembler.
  uint64_t A = L, B = R;
  if (Op == "/" || Op == "%%") {
    if (B == 0 || R == -1)
      return B == 0 ? std::nullopt : std::optional<int64_t>(Op == "/" ? -A : 0);
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

class Reader {
public:
  Reader(StringRef Text, llvm::ArrayRef<std::string> OperandNames)
      : Text(Text), OperandNames(OperandNames) {}

  PtxTemplate read();

private:
  // What may stand inside an operand depends on what is around it.
  enum class Context { Instruction, Address, Vector };

  bool readStatement(PtxInstruction &I);
  bool readGuard(PtxInstruction &I);
  bool readOpcode(PtxInstruction &I);
  bool readDirective(PtxInstruction &I);
  bool readDeclaredName(PtxInstruction &I);
  bool readOperands(std::vector<PtxOperand> &Operands, char Close, Context In);
  bool readOperand(PtxOperand &Op, Context In);
  bool readAddress(PtxOperand &Op, Context In);
  bool readScalar(PtxOperand &Op);
  bool readName(PtxOperand &Op);
  bool readAsmOperand(PtxOperand &Op);
  bool readExpression(PtxOperand &Op);
  bool readConstant(int64_t &Value, unsigned MinPrecedence, unsigned Nest);
  bool readUnary(int64_t &Value, unsigned Nest);
  bool readInteger(int64_t &Value);
  bool readFloat(PtxOperand &Op);
  bool readOther(PtxOperand &Op, size_t Begin);
  std::string identifier();
  const BinaryOperator *binaryOperator() const;

  void skipBlanks();
  char peek(size_t Ahead = 0) const {
    return Pos + Ahead < Text.size() ? Text[Pos + Ahead] : '\0';
  }
  bool atEnd() const { return Pos >= Text.size(); }
  bool consume(char C);
  bool fail(const llvm::Twine &Message);
  void recover();
  void problem(size_t Offset, std::string Message, bool TouchesAsync);

  void enterBlock();
  void leaveBlock();
  void declare(const PtxOperand &Op);
  bool isRegister(StringRef Name) const;

  StringRef Text;
  llvm::ArrayRef<std::string> OperandNames;
  PtxTemplate Out;
  size_t Pos = 0;
  size_t StatementStart = 0;
  size_t OperandsLeft = 0;
  size_t FailOffset = 0;
  std::string FailMessage;
  /// Names declared by `.reg` -> how many of the blocks around us declare them.
  llvm::StringMap<unsigned> Declared;
  std::vector<std::string> DeclarationOrder;
  /// For each open block, the size DeclarationOrder had at its '{'.
  std::vector<size_t> Blocks;
};

PtxTemplate Reader::read() {
  for (skipBlanks(); !atEnd(); skipBlanks()) {
    StatementStart = Pos;
    if (consume(';'))
      continue;
    if (consume('{')) {
      enterBlock();
      continue;
    }
    if (consume('}')) {
      // Blocks may be opened and closed by different asm statements.
      leaveBlock();
      continue;
    }
    if (Out.Instructions.size() == MaxInstructions) {
      problem(Pos, "too many instructions", touchesAsync(Text.substr(Pos)));
      break;
    }
    PtxInstruction I;
    I.Offset = StatementStart;
    I.Depth = Blocks.size();
    OperandsLeft = MaxOperands;
    if (readStatement(I))
      Out.Instructions.push_back(std::move(I));
    else
      recover();
  }
  return std::move(Out);
}

bool Reader::readStatement(PtxInstruction &I) {
  if (consume('@') && !readGuard(I))
    return false;
  skipBlanks();
  if (peek() == '.' && I.Guard.empty())
    return readDirective(I);
  if (!isNameStart(peek()))
    return fail("expected an instruction");
  I.Parts.push_back(identifier());
  skipBlanks();
  if (peek() == ':' && peek(1) != ':') {
    ++Pos;
    I.K = PtxInstruction::Kind::Label;
    return true;
  }
  return readOpcode(I) && readOperands(I.Operands, ';', Context::Instruction);
}

bool Reader::readGuard(PtxInstruction &I) {
  PtxOperand P;
  skipBlanks();
  P.Negated = consume('!');
  skipBlanks();
  if (!isNameStart(peek()) && peek() != '%')
    return fail("expected a predicate after '@'");
  if (!readName(P))
    return false;
  if (P.K == PtxOperand::Kind::Symbol)
    P.K = PtxOperand::Kind::Register;
  if (P.K == PtxOperand::Kind::Immediate)
    return fail("expected a predicate after '@'");
  I.Guard.push_back(std::move(P));
  return true;
}

bool Reader::readOpcode(PtxInstruction &I) {
  for (skipBlanks(); peek() == '.'; skipBlanks()) {
    if (I.Parts.size() == MaxParts)
      return fail("too many modifiers");
    size_t Begin = ++Pos;
    while (isNameChar(peek()) ||
           (peek() == ':' && peek(1) == ':' && isNameChar(peek(2))))
      Pos += peek() == ':' ? 2 : 1;
    if (Pos == Begin)
      return fail("expected a modifier after '.'");
    I.Parts.push_back(Text.slice(Begin, Pos).str());
  }
  return true;
}

bool Reader::readDirective(PtxInstruction &I) {
  I.K = PtxInstruction::Kind::Directive;
  if (!readOpcode(I))
    return false;
  if (I.Parts[0] == "loc" || I.Parts[0] == "file") {
    Pos = std::min(Text.find('\n', Pos), Text.size());
    return true;
  }
  for (skipBlanks(); !atEnd() && !consume(';'); skipBlanks()) {
    if (consume(','))
      continue;
    if (peek() == '.') {
      if (!readOpcode(I))
        return false;
    } else if (llvm::isDigit(peek())) { // `.align 16`
      size_t Begin = Pos;
      if (I.Parts.size() == MaxParts)
        return fail("too many modifiers");
      while (isNameChar(peek()))
        ++Pos;
      I.Parts.push_back(Text.slice(Begin, Pos).str());
    } else if (!readDeclaredName(I)) {
      return false;
    }
  }
  return true;
}

/// One name of a declaration with its `<count>`, `[extent]` and `= value`, or
/// the string of a `.pragma`.
bool Reader::readDeclaredName(PtxInstruction &I) {
  if (OperandsLeft-- == 0)
    return fail("too many names");
  PtxOperand Op;
  bool IsRegister = I.Parts[0] == "reg";
  if (peek() == '"') {
    Op.Text = Text.slice(Pos, Text.find('"', Pos + 1)).str();
    Pos = std::min(Text.size(), Pos + Op.Text.size() + 1);
    I.Operands.push_back(std::move(Op));
    return true;
  }
  if (peek() == '%' && peek(1) == '%') {
    Pos += 2;
    Op.Text = "%";
  } else if (!isNameStart(peek())) {
    return fail("expected a name");
  }
  Op.Text += identifier();
  Op.K = IsRegister ? PtxOperand::Kind::Register : PtxOperand::Kind::Symbol;
  skipBlanks();
  if (consume('<')) { // `r<4>` declares r0 to r3
    skipBlanks();
    if (!readInteger(Op.Imm))
      return false;
    skipBlanks();
    if (!consume('>'))
      return fail("expected '>'");
    skipBlanks();
  }
  PtxOperand Ignored;
  if ((peek() == '[' || peek() == '=') && !readOther(Ignored, Pos))
    return false;
  if (IsRegister)
    declare(Op);
  I.Operands.push_back(std::move(Op));
  return true;
}

/// Comma-separated operands up to and including \p Close; a ';' may be missing
/// at the very end of the template.
bool Reader::readOperands(std::vector<PtxOperand> &Operands, char Close,
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

bool Reader::readOperand(PtxOperand &Op, Context In) {
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
  bool IsName = Op.K == Kind::AsmOperand || Op.K == Kind::Register ||
                Op.K == Kind::Symbol;
  if (!IsName)
    return true;
  if (peek() == '[') { // `array[4]` is `[array + 4]`
    PtxOperand Base = std::move(Op), Index;
    if (!readAddress(Index, In))
      return false;
    if (Index.Elements.size() != 1 ||
        Index.Elements[0].K != PtxOperand::Kind::Immediate)
      return fail("expected a constant index");
    Op = PtxOperand();
    Op.K = PtxOperand::Kind::Address;
    Op.Imm = Index.Imm + Index.Elements[0].Imm;
    Op.Elements.push_back(std::move(Base));
    return true;
  }
  if (peek() == '|' && peek(1) != '|') {
    ++Pos;
    skipBlanks();
    Op.Paired.emplace_back();
    return readScalar(Op.Paired.back());
  }
  // `%1 - 1`, `buffer + 16`: a constant for the assembler, not for us.
  if (binaryOperator() || peek() == '?')
    return readOther(Op, Begin);
  return true;
}

bool Reader::readAddress(PtxOperand &Op, Context In) {
  if (In != Context::Instruction)
    return fail("unexpected '['");
  ++Pos;
  Op.K = PtxOperand::Kind::Address;
  Op.Elements.emplace_back();
  skipBlanks();
  if (!readScalar(Op.Elements.back()))
    return false;
  for (skipBlanks(); peek() == '+' || peek() == '-'; skipBlanks()) {
    bool Minus = peek() == '-';
    ++Pos;
    skipBlanks();
    if (peek() == '%' && peek(1) != '%') {
      PtxOperand Offset;
      if (Minus || Op.OffsetIndex >= 0 || !readName(Offset) ||
          Offset.K != PtxOperand::Kind::AsmOperand)
        return fail("expected a constant offset");
      Op.OffsetIndex = Offset.AsmIndex;
      continue;
    }
    int64_t Offset = 0;
    if (!readConstant(Offset, MultiplicativePrecedence, 0))
      return false;
    Op.Imm = *applyBinary(Minus ? "-" : "+", Op.Imm, Offset);
  }
  if (consume(',')) {
    if (!readOperands(Op.Elements, ']', Context::Address))
      return false;
  } else if (!consume(']')) {
    return fail("expected ']'");
  }
  // `ld.global.f32 f, [a].unified`
  if (peek() == '.' && isNameStart(peek(1))) {
    ++Pos;
    while (isNameChar(peek()))
      ++Pos;
  }
  return true;
}

bool Reader::readScalar(PtxOperand &Op) {
  if (peek() == '!' &&
      (isNameStart(peek(1)) || peek(1) == '%' || llvm::isSpace(peek(1)))) {
    ++Pos;
    skipBlanks();
    Op.Negated = true;
  }
  if (isNameStart(peek()) || peek() == '%')
    return readName(Op);
  if (llvm::isDigit(peek()) || StringRef("+-~!(.").contains(peek()))
    return readExpression(Op);
  if (atEnd())
    return fail("expected an operand");
  if (!llvm::isPrint(peek()))
    return fail("unexpected character");
  return fail(llvm::Twine("unexpected '") + llvm::Twine(peek()) + "'");
}

bool Reader::readName(PtxOperand &Op) {
  if (peek() == '%' && peek(1) != '%' && peek(1) != '=')
    return readAsmOperand(Op);
  bool Percent = peek() == '%' && peek(1) == '%';
  Pos += Percent ? 2 : 0;
  Op.Text = Percent ? "%" + identifier() : identifier();
  if (Percent && Op.Text.size() == 1)
    return fail("expected a register after '%%'");
  if (Op.Text == "WARP_SZ") {
    Op.K = PtxOperand::Kind::Immediate;
    Op.Imm = 32;
    return true;
  }
  bool Known = Percent || Op.Text == "_" || isRegister(Op.Text);
  Op.K = Known ? PtxOperand::Kind::Register : PtxOperand::Kind::Symbol;
  if (Known && peek() == '.' && isNameStart(peek(1))) { // `%tid.x`
    size_t Begin = Pos++;
    while (isNameChar(peek()))
      ++Pos;
    Op.Text += Text.slice(Begin, Pos);
  }
  return true;
}

/// `%0`, `%[name]`, with a modifier (`%c0`), or a register whose '%' is not
/// doubled, as in asm statements without operands (`%laneid`).
bool Reader::readAsmOperand(PtxOperand &Op) {
  size_t Begin = Pos++;
  if (llvm::isAlpha(peek()) && (llvm::isDigit(peek(1)) || peek(1) == '['))
    ++Pos;
  if (llvm::isDigit(peek())) {
    size_t Digits = Pos;
    while (llvm::isDigit(peek()))
      ++Pos;
    Op.K = PtxOperand::Kind::AsmOperand;
    if (Text.slice(Digits, Pos).getAsInteger(10, Op.AsmIndex))
      return fail("operand number is too large");
    return true;
  }
  if (consume('[')) {
    size_t NameBegin = Pos;
    while (isNameChar(peek()))
      ++Pos;
    Op.Text = Text.slice(NameBegin, Pos).str();
    if (!consume(']'))
      return fail("expected ']'");
    Op.K = PtxOperand::Kind::AsmOperand;
    for (size_t I = 0; I < OperandNames.size() && !Op.Text.empty(); ++I)
      if (OperandNames[I] == Op.Text) {
        Op.AsmIndex = I;
        return true;
      }
    Pos = Begin;
    return fail("unknown operand name '" + Op.Text + "'");
  }
  if (!isNameStart(peek()))
    return fail("unexpected '%'");
  Op.K = PtxOperand::Kind::Register;
  Op.Text = "%" + identifier();
  if (peek() == '.' && isNameStart(peek(1))) {
    ++Pos;
    Op.Text += "." + identifier();
  }
  return true;
}

/// An integer constant expression, a floating-point constant, or an expression
/// that only the assembler can evaluate.
bool Reader::readExpression(PtxOperand &Op) {
  size_t Begin = Pos;
  if (readFloat(Op))
    return true;
  if (readConstant(Op.Imm, 0, 0)) {
    skipBlanks();
    if (!binaryOperator()) {
      Op.K = PtxOperand::Kind::Immediate;
      return true;
    }
  }
  Op.Imm = 0;
  // `(%0 + 1)`, `4 * %2`, the parameter list of a call.
  return Text[Begin] == '(' || peek() == '%' || isNameStart(peek())
             ? readOther(Op, Begin)
             : false;
}

const BinaryOperator *Reader::binaryOperator() const {
  for (const BinaryOperator &Op : BinaryOperators)
    if (Text.substr(Pos).starts_with(Op.Spelling))
      return &Op;
  return nullptr;
}

bool Reader::readConstant(int64_t &Value, unsigned MinPrecedence,
                          unsigned Nest) {
  if (!readUnary(Value, Nest))
    return false;
  for (;;) {
    skipBlanks();
    const BinaryOperator *Op = binaryOperator();
    if (!Op || Op->Precedence < MinPrecedence)
      break;
    Pos += Op->Spelling.size();
    int64_t Right = 0;
    skipBlanks();
    if (!readConstant(Right, Op->Precedence + 1, Nest))
      return false;
    std::optional<int64_t> Result = applyBinary(Op->Spelling, Value, Right);
    if (!Result)
      return fail("division by zero");
    Value = *Result;
  }
  if (MinPrecedence > 0 || peek() != '?')
    return true;
  if (Nest == MaxExpressionNest)
    return fail("expression nests too deeply");
  int64_t IfTrue = 0, IfFalse = 0;
  ++Pos;
  skipBlanks();
  if (!readConstant(IfTrue, 0, Nest + 1))
    return false;
  skipBlanks();
  if (!consume(':'))
    return fail("expected ':'");
  skipBlanks();
  if (!readConstant(IfFalse, 0, Nest + 1))
    return false;
  Value = Value ? IfTrue : IfFalse;
  return true;
}

bool Reader::readUnary(int64_t &Value, unsigned Nest) {
  if (Nest == MaxExpressionNest)
    return fail("expression nests too deeply");
  char Op = peek();
  if (llvm::isDigit(Op))
    return readInteger(Value);
  if (!StringRef("+-~!(").contains(Op) || atEnd())
    return fail("expected a constant");
  ++Pos;
  skipBlanks();
  if (Op == '(') {
    if (!readConstant(Value, 0, Nest + 1))
      return false;
    skipBlanks();
    return consume(')') || fail("expected ')'");
  }
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

bool Reader::readInteger(int64_t &Value) {
  size_t Begin = Pos;
  while (isNameChar(peek()))
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

/// `1.5`, `-2e10`, `0f3F800000`, `0d3FF0000000000000`.
bool Reader::readFloat(PtxOperand &Op) {
  size_t End = Pos;
  auto At = [&] { return End < Text.size() ? Text[End] : '\0'; };
  if (At() == '-' || At() == '+')
    ++End;
  size_t Begin = End;
  auto SkipDigits = [&] {
    while (llvm::isDigit(At()))
      ++End;
  };
  SkipDigits();
  bool IsFloat = false;
  if (Text.slice(Begin, End) == "0" && At() != '\0' &&
      StringRef("fFdD").contains(At())) {
    ++End;
    while (llvm::isHexDigit(At()))
      ++End;
    IsFloat = true;
  } else {
    if (At() == '.') {
      ++End;
      SkipDigits();
      IsFloat = End > Begin + 1;
    }
    if (End > Begin && (At() == 'e' || At() == 'E')) {
      ++End;
      if (At() == '-' || At() == '+')
        ++End;
      SkipDigits();
      IsFloat = true;
    }
  }
  if (!IsFloat || isNameChar(At()))
    return false;
  Op.K = PtxOperand::Kind::Other;
  Op.Text = Text.slice(Pos, End).str();
  Pos = End;
  return true;
}

/// Everything from \p Begin to the next ',' ';' or closing bracket outside
/// brackets of its own.
bool Reader::readOther(PtxOperand &Op, size_t Begin) {
  size_t Open = 0;
  for (Pos = Begin; !atEnd(); ++Pos) {
    char C = peek();
    if (C == ';' || C == '@' || (Open == 0 && C == ','))
      break;
    if (C == '(' || C == '[' || C == '{')
      ++Open;
    if ((C == ')' || C == ']' || C == '}') && Open-- == 0)
      break;
  }
  Op = PtxOperand();
  Op.Text = Text.slice(Begin, Pos).rtrim().str();
  return true;
}

/// A name; "%=" (a number unique to the asm statement) and "%0" inside one are
/// kept as written.
std::string Reader::identifier() {
  size_t Begin = Pos;
  while (isNameChar(peek()) ||
         (peek() == '%' && (peek(1) == '=' || llvm::isDigit(peek(1)))))
    Pos += peek() == '%' ? 2 : 1;
  return Text.slice(Begin, Pos).str();
}

void Reader::skipBlanks() {
  while (!atEnd()) {
    StringRef Rest = Text.substr(Pos);
    if (llvm::isSpace(Rest[0])) {
      ++Pos;
    } else if (Rest.starts_with("//")) {
      Pos = std::min(Text.find('\n', Pos), Text.size());
    } else if (Rest.starts_with("/*")) {
      size_t End = Text.find("*/", Pos + 2);
      if (End == StringRef::npos) {
        problem(Pos, "unterminated comment", touchesAsync(Rest));
        Pos = Text.size();
      } else {
        Pos = End + 2;
      }
    } else if (Rest.size() > 1 && Rest[0] == '%' &&
               StringRef("{|}").contains(Rest[1])) {
      ++Pos; // GCC's escape for the character that follows
      return;
    } else {
      return;
    }
  }
}

bool Reader::consume(char C) {
  if (peek() != C || atEnd())
    return false;
  ++Pos;
  return true;
}

bool Reader::fail(const llvm::Twine &Message) {
  FailOffset = std::min(Pos, Text.size());
  FailMessage = Message.str();
  return false;
}

/// Reports the statement that could not be read and goes on behind its ';'.
void Reader::recover() {
  size_t End = std::min(Text.find(';', Pos), Text.size());
  StringRef Skipped = Text.slice(StatementStart, End);
  problem(FailOffset, std::move(FailMessage), touchesAsync(Skipped));
  for (char C : Skipped) {
    if (C == '{')
      enterBlock();
    else if (C == '}')
      leaveBlock();
  }
  Pos = End;
}

void Reader::problem(size_t Offset, std::string Message, bool TouchesAsync) {
  if (Out.Problems.size() < MaxProblems)
    Out.Problems.push_back({Offset, std::move(Message), TouchesAsync});
  else
    Out.Problems.back().TouchesAsync |= TouchesAsync;
}

void Reader::enterBlock() { Blocks.push_back(DeclarationOrder.size()); }

void Reader::leaveBlock() {
  if (Blocks.empty())
    return;
  for (; DeclarationOrder.size() > Blocks.back(); DeclarationOrder.pop_back())
    if (--Declared[DeclarationOrder.back()] == 0)
      Declared.erase(DeclarationOrder.back());
  Blocks.pop_back();
}

void Reader::declare(const PtxOperand &Op) {
  // "r<" cannot be a name of its own, so it stands for r0, r1, ...
  std::string Key = Op.Imm > 0 ? Op.Text + "<" : Op.Text;
  ++Declared[Key];
  DeclarationOrder.push_back(std::move(Key));
}

bool Reader::isRegister(StringRef Name) const {
  if (Declared.empty())
    return false;
  if (Declared.contains(Name))
    return true;
  StringRef Base = Name.rtrim("0123456789");
  return Base.size() < Name.size() && Declared.contains((Base + "<").str());
}

} // namespace

PtxTemplate readPtx(StringRef Template,
                    llvm::ArrayRef<std::string> OperandNames) {
  return Reader(Template, OperandNames).read();
}

} // namespace cpasync

//===- InlinePtx.cpp - Read the text of an inline-PTX template ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements, operands and register scopes. Operands nest at most three deep
// (address, vector, scalar) and every character is looked at a constant number
// of times, so junk costs linear time and no stack.
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/InlinePtx.h"
#include "lib/ptx/PtxScanner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

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

// Bounds on what one template may produce, so that junk costs no memory. Real
// ones stay far below: 135 operands (wgmma, 128 accumulators), some hundred
// instructions (long multiplications).
constexpr size_t MaxInstructions = 4096;
constexpr size_t MaxOperands = 4096; // in one instruction, elements included
constexpr size_t MaxParts = 64;      // in one opcode
constexpr size_t MaxProblems = 64;

/// A barrier counts: to overlook one would make a correct kernel look wrong.
static bool touchesAsync(StringRef Text) {
  for (StringRef Word :
       {"async", "shared", "mbarrier", "barrier", "bar.", "matrix"})
    if (Text.contains(Word))
      return true;
  return false;
}

namespace {

class Reader : PtxScanner {
public:
  Reader(StringRef Text, llvm::ArrayRef<std::string> OperandNames)
      : PtxScanner(Text), OperandNames(OperandNames) {}

  PtxTemplate read();

private:
  // What may stand inside an operand depends on what is around it.
  enum class Context { Instruction, Address, Vector };

  bool readStatement(PtxInstruction &I);
  bool readGuard(PtxInstruction &I);
  bool readModifiers(PtxInstruction &I);
  bool readDirective(PtxInstruction &I);
  bool readDeclaredName(PtxInstruction &I);
  bool readOperands(std::vector<PtxOperand> &Operands, char Close, Context In);
  bool readOperand(PtxOperand &Op, Context In);
  bool readAddress(PtxOperand &Op, Context In);
  bool readOffset(PtxOperand &Address);
  bool readIndex(PtxOperand &Op, Context In);
  bool readScalar(PtxOperand &Op);
  bool readName(PtxOperand &Op);
  bool readPercent(PtxOperand &Op);
  bool readOperandName(PtxOperand &Op);
  bool readExpression(PtxOperand &Op);
  bool readOther(PtxOperand &Op, size_t Begin);
  void readComponent(PtxOperand &Op);

  void recover();
  void problem(size_t Offset, std::string Message, bool TouchesAsync);

  void enterBlock();
  void leaveBlock();
  void declare(const PtxOperand &Op);
  bool isRegister(StringRef Name) const;

  llvm::ArrayRef<std::string> OperandNames;
  PtxTemplate Out;
  size_t StatementStart = 0;
  size_t OperandsLeft = 0;
  /// Names declared by `.reg` -> how many of the blocks around us declare them.
  llvm::StringMap<unsigned> Declared;
  std::vector<std::string> DeclarationOrder;
  /// For each open block, the size DeclarationOrder had at its '{'.
  std::vector<size_t> Blocks;
};

} // namespace

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
  if (UnterminatedComment)
    problem(*UnterminatedComment, "unterminated comment",
            touchesAsync(Text.substr(*UnterminatedComment)));
  return std::move(Out);
}

bool Reader::readStatement(PtxInstruction &I) {
  if (consume('@') && !readGuard(I))
    return false;
  skipBlanks();
  if (peek() == '.' && I.Guard.empty())
    return readDirective(I);
  if (!isPtxNameStart(peek()))
    return fail("expected an instruction");
  I.Parts.push_back(name().str());
  skipBlanks();
  if (peek() == ':' && peek(1) != ':') {
    ++Pos;
    I.K = PtxInstruction::Kind::Label;
    return true;
  }
  return readModifiers(I) &&
         readOperands(I.Operands, ';', Context::Instruction);
}

bool Reader::readGuard(PtxInstruction &I) {
  PtxOperand P;
  skipBlanks();
  P.Negated = consume('!');
  skipBlanks();
  if (!isPtxNameStart(peek()) && peek() != '%')
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

/// The modifiers of an opcode; blanks may stand before a dot.
bool Reader::readModifiers(PtxInstruction &I) {
  for (skipBlanks(); consume('.'); skipBlanks()) {
    if (I.Parts.size() == MaxParts)
      return fail("too many modifiers");
    StringRef Part = modifier();
    if (Part.empty())
      return fail("expected a modifier after '.'");
    I.Parts.push_back(Part.str());
  }
  return true;
}

bool Reader::readDirective(PtxInstruction &I) {
  I.K = PtxInstruction::Kind::Directive;
  if (!readModifiers(I))
    return false;
  if (I.Parts[0] == "loc" || I.Parts[0] == "file") {
    skipLine();
    return true;
  }
  for (skipBlanks(); !atEnd() && !consume(';'); skipBlanks()) {
    if (consume(','))
      continue;
    if (peek() == '.') {
      if (!readModifiers(I))
        return false;
    } else if (llvm::isDigit(peek())) { // `.align 16`
      if (I.Parts.size() == MaxParts)
        return fail("too many modifiers");
      I.Parts.push_back(modifier().str());
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
  if (consume('"')) {
    Op.Text = Text.slice(Pos, Text.find('"', Pos)).str();
    Pos = std::min(Text.size(), Pos + Op.Text.size() + 1);
    I.Operands.push_back(std::move(Op));
    return true;
  }
  if (consume('%')) { // doubled in an asm statement with operands
    consume('%');
    Op.Text = "%";
  }
  StringRef Name = name();
  if (Name.empty())
    return fail("expected a name");
  Op.Text += Name;
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
    return false; // an extent or an initial value
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
bool Reader::readIndex(PtxOperand &Op, Context In) {
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

bool Reader::readAddress(PtxOperand &Op, Context In) {
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

bool Reader::readOffset(PtxOperand &Address) {
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

bool Reader::readScalar(PtxOperand &Op) {
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

bool Reader::readName(PtxOperand &Op) {
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
bool Reader::readPercent(PtxOperand &Op) {
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

bool Reader::readOperandName(PtxOperand &Op) {
  Op.Text = name().str();
  auto *Found = llvm::find(OperandNames, Op.Text);
  if (Op.Text.empty() || Found == OperandNames.end())
    return fail("unknown operand name '" + Op.Text + "'");
  Op.K = PtxOperand::Kind::AsmOperand;
  Op.AsmIndex = static_cast<int>(Found - OperandNames.begin());
  return consume(']') || fail("expected ']'");
}

/// The ".x" of `%tid.x` or of an element of a vector register.
void Reader::readComponent(PtxOperand &Op) {
  if (peek() != '.' || !isPtxNameStart(peek(1)))
    return;
  ++Pos;
  Op.Text += ("." + name()).str();
}

/// An integer constant expression, a floating-point constant, or an expression
/// that only the assembler can evaluate.
bool Reader::readExpression(PtxOperand &Op) {
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
bool Reader::readOther(PtxOperand &Op, size_t Begin) {
  Pos = Begin;
  Op = PtxOperand();
  return readRaw(Op.Text);
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

PtxTemplate readPtx(StringRef Template,
                    llvm::ArrayRef<std::string> OperandNames) {
  return Reader(Template, OperandNames).read();
}

} // namespace cpasync

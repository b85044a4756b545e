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
#include "lib/ptx/PtxReader.h"
#include "llvm/ADT/StringExtras.h"

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

/// A barrier counts: to overlook one would make a correct kernel look wrong.
static bool touchesAsync(StringRef Text) {
  for (StringRef Word :
       {"async", "shared", "mbarrier", "barrier", "bar.", "matrix"})
    if (Text.contains(Word))
      return true;
  return false;
}

PtxTemplate PtxReader::read() {
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

bool PtxReader::readStatement(PtxInstruction &I) {
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

bool PtxReader::readGuard(PtxInstruction &I) {
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
bool PtxReader::readModifiers(PtxInstruction &I) {
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

bool PtxReader::readDirective(PtxInstruction &I) {
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
bool PtxReader::readDeclaredName(PtxInstruction &I) {
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
  }
  PtxOperand Ignored;
  if ((peek() == '[' || peek() == '=') && !readOther(Ignored, Pos))
    return false; // an extent or an initial value
  if (IsRegister)
    declare(Op);
  I.Operands.push_back(std::move(Op));
  return true;
}

/// Reports the statement that could not be read and goes on behind its ';'.
void PtxReader::recover() {
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

void PtxReader::problem(size_t Offset, std::string Message, bool TouchesAsync) {
  if (Out.Problems.size() < MaxProblems)
    Out.Problems.push_back({Offset, std::move(Message), TouchesAsync});
  else
    Out.Problems.back().TouchesAsync |= TouchesAsync;
}

void PtxReader::enterBlock() { Blocks.push_back(DeclarationOrder.size()); }

void PtxReader::leaveBlock() {
  if (Blocks.empty())
    return;
  for (; DeclarationOrder.size() > Blocks.back(); DeclarationOrder.pop_back())
    if (--Declared[DeclarationOrder.back()] == 0)
      Declared.erase(DeclarationOrder.back());
  Blocks.pop_back();
}

void PtxReader::declare(const PtxOperand &Op) {
  // "r<" cannot be a name of its own, so it stands for r0, r1, ...
  std::string Key = Op.Imm > 0 ? Op.Text + "<" : Op.Text;
  ++Declared[Key];
  DeclarationOrder.push_back(std::move(Key));
}

bool PtxReader::isRegister(StringRef Name) const {
  if (Declared.empty())
    return false;
  if (Declared.contains(Name))
    return true;
  StringRef Base = Name.rtrim("0123456789");
  return Base.size() < Name.size() && Declared.contains((Base + "<").str());
}

PtxTemplate readPtx(StringRef Template,
                    llvm::ArrayRef<std::string> OperandNames) {
  return PtxReader(Template, OperandNames).read();
}

} // namespace cpasync

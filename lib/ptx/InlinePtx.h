//===- InlinePtx.h - Read the text of an inline-PTX template ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the template string of an `asm` statement into PTX instructions. Pure
// text: no Clang types, no knowledge of what an instruction means (PtxOps.h
// has that). Grammar: PTX ISA, "Syntax" (comments, identifiers, integer
// constants) and "Instruction Statements" (labels, guard predicates, operands).
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PTX_INLINEPTX_H
#define CPASYNC_LIB_PTX_INLINEPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cpasync {

/// One operand of a PTX instruction.
struct PtxOperand {
  enum class Kind {
    AsmOperand, ///< `%0` or `%[name]`: AsmIndex names the asm operand
    Register,   ///< a PTX register, `p`, `%r1` or a special one, `%tid.x`; Text
    Immediate,  ///< an integer constant: Imm (decimal, hex, octal, binary, U
                ///< suffix)
    Symbol,     ///< any other identifier (a label, a variable): Text
    Address, ///< `[base + Imm]`: Elements[0] is the base, Imm the byte offset;
             ///< further elements are the other operands in the brackets
             ///< (tensor coordinates): `[map, {x, y}]`
    Vector,  ///< `{a, b, c, d}`: Elements
    Other,   ///< floating-point constants and anything else: Text
  };
  Kind K = Kind::Other;
  int AsmIndex = -1;
  int64_t Imm = 0;
  /// Address `[%0 + %1]`: the asm operand added to base and Imm, or -1.
  int OffsetIndex = -1;
  bool Negated = false; ///< `!p`
  std::string Text;
  std::vector<PtxOperand> Elements;
  /// The second half of a paired destination, `p|q`; empty if there is none.
  std::vector<PtxOperand> Paired;
};

/// One instruction, label or directive of the template.
struct PtxInstruction {
  enum class Kind {
    Instruction, ///< Parts is the opcode split at dots
    Directive,   ///< `.reg .pred p`: Parts holds "reg", "pred"; Operands the
                 ///< names
    Label,       ///< `LOOP:`: Parts[0] is the name
  };
  Kind K = Kind::Instruction;
  /// `cp.async.cg.shared::cta.global.L2::128B` is {"cp", "async", "cg",
  /// "shared::cta", "global", "L2::128B"}.
  std::vector<std::string> Parts;
  /// Guard predicate, `@p` or `@!%0`; empty or one element (Negated is set).
  std::vector<PtxOperand> Guard;
  std::vector<PtxOperand> Operands;
  /// Byte offset of the instruction in the template, for messages.
  size_t Offset = 0;
  /// Nesting of `{ }` around it; a `.reg` is local to its block.
  unsigned Depth = 0;

  /// True if some dot-separated part equals \p Part.
  bool has(llvm::StringRef Part) const;
  /// True if the first parts are those of \p Prefix ("cp.async.bulk").
  bool startsWith(llvm::StringRef Prefix) const;
  /// The opcode as written, parts joined by dots.
  std::string opcode() const;
};

/// A place where the text is not PTX that the reader understands.
struct PtxProblem {
  size_t Offset = 0;   ///< byte offset in the template
  std::string Message; ///< lower case, no period: "expected ']'"
  /// The statement mentions cp.async, mbarrier or shared memory, so that
  /// ignoring it could hide a copy.
  bool TouchesAsync = false;
};

struct PtxTemplate {
  std::vector<PtxInstruction> Instructions;
  std::vector<PtxProblem> Problems;
};

/// Reads a whole template. \p OperandNames holds the symbolic name of each asm
/// operand, outputs first, empty where it has none. Never fails: what is not
/// understood becomes a PtxProblem and reading goes on after the next ';'.
/// Linear in the length of \p Template. "%%" stands for '%', as in GCC asm;
/// operand modifiers (`%c0`) are accepted and ignored.
PtxTemplate readPtx(llvm::StringRef Template,
                    llvm::ArrayRef<std::string> OperandNames = {});

} // namespace cpasync

#endif // CPASYNC_LIB_PTX_INLINEPTX_H

//===- invalid-copy-size.cpp - Operand values ptxas refuses ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp-size is an integer constant, 16 for .cg and 4, 8 or 16 for .ca; src-size
// is at most cp-size. PTX ISA, "cp.async". The assembler says so at a line of a
// temporary file and only for kernels it sees; a size in a register or a call
// of
// __pipeline_memcpy_async fails at run time or not at all. Reported where the
// value was chosen.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool InvalidCopySize::owns(const Finding &F) {
  return F.Kind == FindingKind::BadOperand;
}

static std::string ruleText(const Finding &F) {
  const std::string Value = std::to_string(F.Value);
  const std::string Limit = std::to_string(F.Limit);
  switch (F.Rule) {
  case OperandRule::CacheGlobalSize:
    return "copy size " + Value + " is not 16, the only one '.cg' takes";
  case OperandRule::CopySize:
    return "copy size " + Value + " is not 4, 8 or 16";
  case OperandRule::SrcSize:
    return "source size " + Value + " is larger than the copy size " + Limit;
  case OperandRule::SrcSizeNegative:
    return "source size " + Value + " is negative";
  case OperandRule::ZeroFill:
    return "zero fill of " + counted(F.Value, "byte") +
           " is larger than the copy size " + Limit;
  case OperandRule::BulkSize:
    return "bulk copy size " + Value + " is not a multiple of 16";
  case OperandRule::Malformed:
    return "instruction is not valid PTX: " + F.Text;
  }
  llvm_unreachable("all rules have words");
}

Primary InvalidCopySize::describe(const Finding &F) {
  return {F.At.Operand.isValid() ? F.At.Operand : F.At.Copy, ruleText(F)};
}

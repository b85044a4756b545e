//===- Padding.h - Bytes of a structure that hold nothing -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_PADDING_H
#define CPASYNC_LIB_INTERP_PADDING_H

#include "lib/source/FunctionInfo.h"
#include "clang/AST/Decl.h"

namespace cpasync {

/// Who copies a \p T may copy bytes that nobody ever stores to.
inline bool hasPadding(Program &P, clang::QualType T) {
  const clang::RecordDecl *R = T->getAsRecordDecl();
  if (!R)
    return false;
  int64_t Data = 0;
  for (const clang::FieldDecl *F : R->fields()) {
    if (F->isBitField() || hasPadding(P, F->getType()))
      return true;
    Data += P.sizeOf(F->getType());
  }
  return Data != P.sizeOf(T);
}

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_PADDING_H

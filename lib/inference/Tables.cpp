//===- Tables.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/Tables.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace cpasync;

bool cpasync::isTable(const Object *From, const Expr *Load) {
  const auto *Cast = dyn_cast_if_present<CastExpr>(Load);
  const QualType Of = Cast ? Cast->getSubExpr()->getType() : QualType();
  return From->K == Object::Kind::Global && From->IsReadOnly && Cast &&
         Of.isConstQualified() && !Of.isVolatileQualified() &&
         Of->isIntegralOrEnumerationType();
}

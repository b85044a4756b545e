//===- SymbolSet.h - The symbols in integers --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_SYMBOLSET_H
#define CPASYNC_LIB_VALUES_SYMBOLSET_H

#include "lib/values/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace cpasync {

/// All that integers are computed from; each integer is looked at once.
class SymbolSet {
public:
  /// \p I may be null.
  void add(const Int *I);
  bool contains(const Atom *Symbol) const { return Symbols.contains(Symbol); }

private:
  llvm::DenseSet<const Atom *> Symbols;
  llvm::DenseSet<const Int *> Seen;
};

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_SYMBOLSET_H

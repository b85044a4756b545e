//===- group_operators.h - Operators of reduce and scan --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_GROUP_OPERATORS_H
#define CPASYNC_GROUP_OPERATORS_H

#include <cooperative_groups.h>

namespace cooperative_groups {

#define __CPASYNC_OPERATOR(NAME)                                               \
  template <class T> struct NAME {                                             \
    __CPASYNC_HD T operator()(T, T) const;                                     \
  };
__CPASYNC_OPERATOR(plus)
__CPASYNC_OPERATOR(less)
__CPASYNC_OPERATOR(greater)
__CPASYNC_OPERATOR(bit_and)
__CPASYNC_OPERATOR(bit_or)
__CPASYNC_OPERATOR(bit_xor)
#undef __CPASYNC_OPERATOR

} // namespace cooperative_groups

#endif // CPASYNC_GROUP_OPERATORS_H

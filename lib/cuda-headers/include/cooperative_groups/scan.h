//===- scan.h - Group scans ------------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H

#include <cpasync/names_begin.h>

#include <cpasync/group_operators.h>

namespace cooperative_groups {

template <class Group, class T> __CPASYNC_D T inclusive_scan(const Group &, T);
template <class Group, class T, class Op>
__CPASYNC_D T inclusive_scan(const Group &, T, Op);
template <class Group, class T> __CPASYNC_D T exclusive_scan(const Group &, T);
template <class Group, class T, class Op>
__CPASYNC_D T exclusive_scan(const Group &, T, Op);

} // namespace cooperative_groups

#include <cpasync/names_end.h>

#endif // _COOPERATIVE_GROUPS_SCAN_H

//===- LaunchIndex.h - What files launch of each other ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_LAUNCHINDEX_H
#define CPASYNC_LIB_SUPPORT_LAUNCHINDEX_H

#include <array>
#include <map>
#include <set>
#include <string>

namespace cpasync {

/// By a name of a kernel, the mangled one where files tell each other: threads
/// along x, y and z of the blocks it is launched with.
using LaunchIndex = std::map<std::string, std::set<std::array<unsigned, 3>>>;

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_LAUNCHINDEX_H

//===- HostClusters.h - Clusters that launches ask for ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_HOSTCLUSTERS_H
#define CPASYNC_LIB_LAUNCH_HOSTCLUSTERS_H

#include "lib/launch/HostRun.h"

namespace cpasync {

class HostClusters {
public:
  explicit HostClusters(HostRun &Run) : Run(Run) {}

  /// By the attributes of \p Config, a cudaLaunchConfig_t of type \p T; without
  /// one there is one block. CUDA Runtime API, "cudaLaunchKernelExC".
  ClusterShape clusterOf(const HostValue &Config, clang::QualType T,
                         const HostWorld &World);

private:
  HostRun &Run;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_HOSTCLUSTERS_H

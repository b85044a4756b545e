//===- HostTensorMaps.h - Tensor maps on the way to launches ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_HOSTTENSORMAPS_H
#define CPASYNC_LIB_LAUNCH_HOSTTENSORMAPS_H

#include "lib/launch/HostRun.h"

namespace cpasync {

class HostTensorMaps {
public:
  explicit HostTensorMaps(HostRun &Run) : Run(Run) {}

  /// \p E encodes one.
  HostRun::Outcomes encode(const clang::CallExpr *E, HostWorld World);
  /// Those that \p Kernel is launched with.
  std::vector<TensorBox> boxesOf(const LaunchCall &Of,
                                 const clang::FunctionDecl *Kernel,
                                 const HostWorld &World);

private:
  std::optional<int64_t> boxOf(const EncodingCall &Of, const HostWorld &World);
  /// Adds those in \p Of, a value of type \p T that lies at \p In.
  void collectBoxes(const HostValue &Of, clang::QualType T, TensorBox In,
                    std::vector<TensorBox> &Boxes);

  HostRun &Run;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_HOSTTENSORMAPS_H

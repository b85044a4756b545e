//===- Analysis.h - Analyse a translation unit ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ANALYSIS_H
#define CPASYNC_LIB_ANALYSIS_H

#include "lib/Finding.h"
#include "lib/Options.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/templates/Uninstantiated.h"

namespace clang {
class ASTContext;
}
namespace cpasync {

struct AnalysisResult {
  /// In source order, without duplicates.
  std::vector<Finding> Findings;
  /// Every kernel that issues, commits or waits for copies, and every one that
  /// could not be looked at; in source order.
  std::vector<KernelReport> Kernels;
  /// Kernels defined in the file, with or without copies.
  unsigned KernelCount = 0;
  /// The device pass at sm_80 or above; findings are meaningless otherwise.
  bool IsDevicePass = false;
  unsigned DeviceArch = 0; ///< 800 for sm_80, 0 if unknown
  /// If asked for: what the file launches, whether it defines that or not, and
  /// the kernels with copies that it does not launch, by mangled name.
  LaunchIndex Launches;
  std::vector<std::string> Unlaunched;
  /// If asked for: what is in flight behind each operation, in the order in
  /// which it was met; of each place some (KeptStates::MaxOfPlace).
  std::vector<OperationState> States;
};

/// What there is to analyse in a translation unit. Found once: from then on the
/// instances that it makes count as code.
struct DeviceCode {
  DeviceCode(clang::ASTContext &Ctx, const AnalysisOptions &Options)
      : Declared(Ctx),
        Templates(uninstantiatedTemplates(Ctx, Declared, Options)) {}

  const DeviceFunctions Declared;
  const std::vector<UninstantiatedTemplate> Templates;
};

/// Analyses every kernel of the translation unit. Never throws, never aborts:
/// what it cannot do is a gap in a KernelReport.
AnalysisResult analyze(clang::ASTContext &Ctx, const DeviceCode &Code,
                       const AnalysisOptions &Options);
/// Of \p Apart, an analysis with AnalysisOptions::LanesApart, keeps what one
/// without does not say: findings that are OfLanes, and gaps of kernels that it
/// has analysed fully.
void keepOfLanes(AnalysisResult &Apart, const AnalysisResult &InStep);
/// Of what is analysed once.
AnalysisResult analyze(clang::ASTContext &Ctx, const AnalysisOptions &Options);

} // namespace cpasync

#endif // CPASYNC_LIB_ANALYSIS_H

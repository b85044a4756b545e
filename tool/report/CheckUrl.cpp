//===- CheckUrl.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/CheckUrl.h"
#include "checks/Check.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;
using llvm::StringRef;

std::string cpasync::checkUrl(StringRef Check, StringRef Base) {
  if (Base.empty() || !Check.consume_front("cpasync-") ||
      llvm::none_of(allChecks(),
                    [&](const CheckInfo &Info) { return Info.Name == Check; }))
    return "";
  return (Base.rtrim('/') + "/" + Check + ".md").str();
}

std::string cpasync::checkUrl(StringRef Check) {
  return checkUrl(Check, CPASYNC_DOCS_URL);
}

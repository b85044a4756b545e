//===- EditedTexts.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/EditedTexts.h"
#include "tool/input/CompileDatabase.h"

using namespace cpasync;
using llvm::StringRef;

void EditedTexts::set(StringRef File, std::string Text) {
  ByRealPath[realPath(File)] = std::move(Text);
}

std::optional<StringRef> EditedTexts::find(StringRef File) const {
  if (ByRealPath.empty())
    return std::nullopt;
  const auto Found = ByRealPath.find(realPath(File));
  if (Found == ByRealPath.end())
    return std::nullopt;
  return Found->second;
}

EditedTexts &cpasync::editedTexts() {
  static EditedTexts Texts;
  return Texts;
}

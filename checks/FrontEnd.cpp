//===- FrontEnd.cpp - Between the clang-tidy module and the tool ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/FrontEnd.h"
#include "llvm/ADT/StringExtras.h"

cpasync::FrontEnd &cpasync::frontEnd() {
  static FrontEnd TheFrontEnd;
  return TheFrontEnd;
}

std::optional<std::array<unsigned, 3>>
cpasync::parseBlock(llvm::StringRef Text) {
  std::array<unsigned, 3> Block = {1, 1, 1};
  uint64_t Threads = 1;
  for (unsigned I = 0; I < 3; ++I) {
    const auto [Number, Rest] = Text.split(',');
    if (Number.getAsInteger(10, Block[I]) || Block[I] < 1 || Block[I] > 1024)
      return std::nullopt;
    Threads *= Block[I];
    if (Number.size() == Text.size())
      return Threads <= 1024 && Block[2] <= 64 ? std::optional(Block)
                                               : std::nullopt;
    Text = Rest;
  }
  return std::nullopt;
}

std::optional<cpasync::BlockOption> cpasync::parseBlocks(llvm::StringRef Text) {
  BlockOption Option;
  bool HasAny = false;
  for (llvm::StringRef Entry : llvm::split(Text, ';')) {
    const auto [Kernel, Numbers] = Entry.rsplit('=');
    const bool IsForAny = Kernel.size() == Entry.size();
    const auto Block = parseBlock((IsForAny ? Kernel : Numbers).trim());
    if (!Block || (IsForAny ? HasAny : Kernel.trim().empty()))
      return std::nullopt;
    if (IsForAny)
      Option.Any = *Block;
    else
      Option.ByKernel[Kernel.trim().str()].insert(*Block);
    HasAny |= IsForAny;
  }
  return Option;
}

//===- Check.cpp - The table of checks ------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"

using namespace cpasync;

llvm::ArrayRef<CheckInfo> cpasync::allChecks() {
  constexpr bool On = true;
  [[maybe_unused]] constexpr bool Off = false;
  static constexpr CheckInfo Checks[] = {
#define CHECK(Class, Name, Group, Default, Summary)                            \
  {Name, CheckGroup::Group, Default, Summary, &Class::owns, &Class::describe},
#include "checks/Checks.def"
#undef CHECK
  };
  return Checks;
}

llvm::ArrayRef<CheckOption> cpasync::checkOptions() {
  static constexpr CheckOption Options[] = {
      {"uncommitted-copy", "AtKernelEnd", FindingKind::UncommittedAtEnd},
  };
  return Options;
}

llvm::StringRef cpasync::groupName(CheckGroup Group) {
  switch (Group) {
  case CheckGroup::Groups:
    return "groups";
  case CheckGroup::Ordering:
    return "ordering";
  case CheckGroup::Lanes:
    return "lanes";
  case CheckGroup::Operands:
    return "operands";
  case CheckGroup::Performance:
    return "performance";
  }
  llvm_unreachable("all groups are named");
}

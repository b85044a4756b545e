//===- MadeUpFindings.h - Findings that nobody found ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_UNIT_MADEUPFINDINGS_H
#define CPASYNC_TEST_UNIT_MADEUPFINDINGS_H

#include "Locations.h"
#include "checks/Check.h"
#include "checks/Messages.h"
#include <gtest/gtest.h>

namespace cpasync {

/// A finding with a place for everything.
inline Finding readInFlight(InFlightCause Cause) {
  Finding F;
  F.At.Copy = loc(1);
  F.At.Commit = loc(2);
  F.At.Wait = loc(3);
  F.At.Read = loc(4);
  F.At.Operand = loc(5);
  F.Object = "Tile";
  F.Kind = FindingKind::ReadInFlight;
  F.Cause = Cause;
  F.OnEveryPath = true;
  return F;
}

/// The only check that owns \p F.
inline const CheckInfo &owner(const Finding &F) {
  const CheckInfo *Owner = nullptr;
  for (const CheckInfo &Info : allChecks())
    if (Info.Owns(F)) {
      EXPECT_EQ(Owner, nullptr) << "two owners";
      Owner = &Info;
    }
  EXPECT_NE(Owner, nullptr) << "no owner";
  return *Owner;
}

struct Expected {
  const char *Check;
  unsigned Loc;
  const char *Certain;
  const char *Uncertain;
};

inline void expectPrimary(Finding F, const Expected &E) {
  const CheckInfo &Info = owner(F);
  EXPECT_EQ(Info.Name, E.Check);
  F.OnEveryPath = true;
  EXPECT_EQ(Info.Describe(F).Text, E.Certain);
  EXPECT_EQ(Info.Describe(F).Loc, loc(E.Loc));
  F.OnEveryPath = false;
  EXPECT_EQ(Info.Describe(F).Text, E.Uncertain);
}

inline std::vector<std::string> texts(const std::vector<Note> &Notes) {
  std::vector<std::string> Texts;
  for (const Note &N : Notes)
    Texts.push_back(N.Text);
  return Texts;
}

} // namespace cpasync

#endif // CPASYNC_TEST_UNIT_MADEUPFINDINGS_H

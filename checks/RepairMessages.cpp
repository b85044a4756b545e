//===- RepairMessages.cpp - Words for edits -------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Messages.h"
#include "llvm/ADT/StringExtras.h"

using namespace cpasync;

/// What keeps the overlap that the edit costs.
static std::string instead(Repair::Slowness Slow) {
  switch (Slow) {
  case Repair::Slowness::None:
    return "";
  case Repair::Slowness::ByCommits:
    return "; slow: better commit also where nothing is copied";
  case Repair::Slowness::ByLoopEnd:
    return "; slow: better wait for all groups behind the loop";
  case Repair::Slowness::ByStart:
    return "; slow: better commit each copy before the loop by itself";
  }
  llvm_unreachable("all of them have words");
}

/// An insertion, in one line.
static std::string inserted(const Repair &Fix) {
  std::string Code;
  for (const llvm::StringRef Part : llvm::split(Fix.Code, '\n')) {
    if (!Code.empty() && !Part.trim().empty())
      Code += " ";
    Code += Part.trim().str();
  }
  return "insert " + quoted(Code);
}

static std::string repairText(const Repair &Fix) {
  switch (Fix.K) {
  case Repair::Kind::WaitForAll:
    return (Fix.N == 0 ? std::string("wait for all groups")
                       : "wait until at most " + counted(Fix.N, "group") +
                             (Fix.N == 1 ? " is" : " are") + " in flight") +
           instead(Fix.Slow);
  case Repair::Kind::InsertCommit:
    return "commit the copy: " + inserted(Fix);
  case Repair::Kind::InsertWait:
    return "wait for all copies: " + inserted(Fix);
  case Repair::Kind::CommitAlways:
    return "commit also where nothing is copied: " + inserted(Fix);
  case Repair::Kind::UseCacheAll:
    return "copy with '.ca', which takes 4, 8 or 16 bytes";
  }
  llvm_unreachable("all repairs have words");
}

std::vector<Note> cpasync::repairNotes(const Finding &F) {
  std::vector<Note> Notes;
  for (const bool Slow : {false, true})
    for (const Repair &Fix : F.Repairs)
      if ((Fix.Slow != Repair::Slowness::None) == Slow)
        Notes.push_back({Fix.Loc, repairText(Fix), &Fix});
  return Notes;
}

Note cpasync::sharedRepairNote(const Note &Edit) {
  return {Edit.Loc, "the edit that is offered here repairs this as well"};
}

//===- StatePrinter.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/StatePrinter.h"
#include "lib/interp/Interpreter.h"
#include "lib/state/KeptStates.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

static std::string threads(const PerThreadContext &L, const PerThread *Mask,
                           unsigned Count) {
  std::string R;
  for (unsigned T = 0; T < Count; ++T) {
    if (!(*Mask)[T])
      continue;
    unsigned End = T;
    while (End + 1 < Count && (*Mask)[End + 1])
      ++End;
    if (!R.empty())
      R += ",";
    R += std::to_string(T);
    if (End > T)
      R += "-" + std::to_string(End);
    T = End;
    if (R.size() > 40)
      return R + ",...";
  }
  (void)L;
  return R;
}

void StatePrinter::printState(State &S, llvm::StringRef What,
                              SourceLocation Loc) {
  const AnalysisOptions &Options = Run.Options;
  if (Reads.beginsAtCheckpoints())
    return;
  Loc = Ctx.getSourceManager().getExpansionLoc(Loc);
  if (Options.States && Options.States->hasRoom(Loc))
    Options.States->add({Loc, (What + ": " + describe(S)).str()});
  if (!Options.PrintState)
    return;
  PresumedLoc At = Ctx.getSourceManager().getPresumedLoc(Loc);
  std::string Line;
  llvm::raw_string_ostream(Line) << (At.isValid() ? At.getFilename() : "?")
                                 << ":" << (At.isValid() ? At.getLine() : 0)
                                 << ":" << (At.isValid() ? At.getColumn() : 0)
                                 << ": state: " << What << ": " << describe(S);
  Options.PrintState(Line);
}

std::string StatePrinter::describe(const State &S) {
  std::string R;
  auto List = [&](llvm::ArrayRef<EventId> Copies) {
    // Copies by object, with their number.
    std::vector<std::pair<std::string, unsigned>> Names;
    for (EventId Id : Copies) {
      std::string Name = Run.nameOf(Events[Id].Bytes->Obj).str();
      if (!Names.empty() && Names.back().first == Name)
        ++Names.back().second;
      else
        Names.push_back({Name, 1});
    }
    std::string T;
    for (auto &[Name, N] : Names)
      T += (T.empty() ? "" : " ") + Name +
           (N > 1 ? "*" + std::to_string(N) : "");
    return T;
  };
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    if (!R.empty())
      R += "; ";
    R += "threads " + threads(L, C.Mask, Shape.threads()) + ": groups [";
    bool FirstGroup = true;
    for (const Group &G : C.Queue.groups()) {
      R += (FirstGroup ? "" : ", ") + ("{" + List(G.Copies)) + "}";
      FirstGroup = false;
    }
    R += "] open {" + List(C.Queue.open()) + "}";
    for (const auto &[Name, Reads] :
         {std::pair(" bulk", &C.Bulk), std::pair(" wgmma", &C.Wgmma)})
      if (!Reads->isEmpty())
        R += Name + (" groups " + std::to_string(Reads->groups().size())) +
             " open {" + List(Reads->open()) + "}";
  }
  // Accesses that no barrier has ordered before every thread yet.
  auto NotOrdered = [&](llvm::StringRef What, Event::Kind K) {
    llvm::SmallVector<EventId, 8> Ids;
    for (const Access &A : S.Copies.unordered().inOrder())
      if (Events[A.Event].K == K)
        Ids.push_back(A.Event);
    if (!Ids.empty())
      R += "; " + What.str() + " {" + List(Ids) + "}";
  };
  NotOrdered("unordered copies", Event::Kind::Copy);
  NotOrdered("reads", Event::Kind::Read);
  NotOrdered("stores", Event::Kind::Store);
  return R;
}

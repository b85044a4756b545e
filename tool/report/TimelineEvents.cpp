//===- TimelineEvents.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/TimelineEvents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace cpasync;
using llvm::StringRef;
using Step = ReportedPipeline::Step;

namespace {

/// A kind of step, as stepKindName() calls it, and how a timeline does.
struct KindOfMark {
  StringRef Kind, Text;
  bool IsAccess = false;
};

} // namespace

static constexpr KindOfMark Kinds[] = {
    {"copy-issued", "copy", true},
    {"copy-of-later-slot", "copy", true},
    {"read", "read", true},
    {"stored", "store", true},
    {"overwritten", "overwrite", true},
    {"copied-in-bulk", "bulk copy", true},
    {"matrix-read", "matrix", true},
    {"committed", "commit"},
    {"commit-skipped", "commit"},
    {"waited", "wait"},
    {"waited-all", "wait all"},
    {"wait-done", "wait"},
    {"wait-skipped", "wait"},
    {"waited-early", "early wait"},
    {"tried-once", "try"},
    {"barrier", "barrier"},
    {"barrier-skipped", "barrier"},
    {"bulk-committed", "bulk commit"},
    {"bulk-waited", "bulk wait"},
    {"matrices-committed", "matrix commit"},
    {"matrices-waited", "matrix wait"},
    {"mbarrier-init", "init"},
    {"mbarrier-arrived", "arrive"},
    {"mbarrier-used", "use"},
    {"bytes-announced", "announce"},
    {"phase-awaited", "wait"},
    {"block-reached", "reach"},
    {"left", "leave"},
    {"kernel-end", "end"},
};

static const KindOfMark *findKind(StringRef Kind) {
  const auto *Found =
      llvm::find_if(Kinds, [&](const KindOfMark &K) { return K.Kind == Kind; });
  return Found == std::end(Kinds) ? nullptr : Found;
}

bool cpasync::isAccess(const Step &S) {
  const KindOfMark *K = findKind(S.Kind);
  return K && K->IsAccess;
}

bool cpasync::isCopy(const Step &S) {
  return S.Kind == "copy-issued" || S.Kind == "copy-of-later-slot";
}

bool cpasync::isCommit(const Step &S) { return S.Kind == "committed"; }

bool cpasync::isGroupWait(const Step &S) {
  return S.Kind == "waited" || S.Kind == "waited-all";
}

std::string cpasync::markText(const Step &S) {
  const KindOfMark *K = findKind(S.Kind);
  std::string Text = K ? K->Text.str() : S.Kind;
  if (S.Kind == "waited")
    Text += " " + std::to_string(S.N);
  return Text;
}

/// Another loop has a variable of that name.
static bool isAmbiguous(const ReportedPipeline &P,
                        const ReportedPipeline::Round &R) {
  return llvm::any_of(P.Rounds, [&](const ReportedPipeline::Round &O) {
    return O.Variable == R.Variable && O.Where.Line != R.Where.Line;
  });
}

/// "K = 1, Stage = 0", outermost first.
static std::string labelOf(const ReportedPipeline &P, int Round) {
  if (Round < 0 || size_t(Round) >= P.Rounds.size())
    return {};
  const ReportedPipeline::Round &R = P.Rounds[Round];
  // Rounds come after those that they are in.
  std::string Label = R.Outer < Round ? labelOf(P, R.Outer) : "";
  if (!Label.empty())
    Label += ", ";
  if (!R.Variable.empty())
    Label += R.Variable + " = " + std::to_string(R.Value);
  else
    Label +=
        R.N < 0 ? "a later iteration" : "iteration " + std::to_string(R.N + 1);
  if (isAmbiguous(P, R))
    Label += " (line " + std::to_string(R.Where.Line) + ")";
  return Label;
}

/// Names what is in no iteration by those around.
static void nameOutside(std::vector<TimelineEvent> &List) {
  const auto IsInside = [](const TimelineEvent &E) { return E.S.Round >= 0; };
  for (auto It = List.begin(); It != List.end(); ++It) {
    if (IsInside(*It))
      continue;
    const bool Before = std::any_of(It, List.end(), IsInside);
    const bool After = std::any_of(List.begin(), It, IsInside);
    if (Before || After)
      It->Column = Before && After ? "between loops"
                   : Before        ? "before the loop"
                                   : "after the loop";
  }
}

TimelineEvents::TimelineEvents(const ReportedFinding &F) {
  if (F.Around.Steps.empty())
    takePath(F);
  else
    takeAround(F);
  nameOutside(List);
}

/// "threads 0-31, 64"; all of the block: "all threads".
static std::string roleOf(StringRef Threads) {
  if (Threads.empty())
    return "all threads";
  const bool IsOne = Threads.find_first_of("-,") == Threads.npos;
  return (IsOne ? "thread " : "threads ") + Threads.str();
}

/// Tells \p E of the step of \p Path that it is.
static void findTold(TimelineEvent &E, const std::vector<PathStep> &Path) {
  for (bool IsExact : {true, false})
    for (const auto &[I, P] : llvm::enumerate(Path)) {
      const bool IsIt =
          P.At &&
          (IsExact ? P.At == E.S.At
                   : P.Kind == E.S.Kind && E.S.At < P.At && P.At <= E.S.LastAt);
      if (IsIt && (findKind(P.Kind) || P.Kind == "witness")) {
        E.Told = I + 1;
        return;
      }
    }
}

void TimelineEvents::takeAround(const ReportedFinding &F) {
  Before = F.Around.Before;
  Owner = F.Around.Owner;
  IsInFlight = F.Around.IsInFlight;
  IsAlone = F.Around.IsAlone;
  for (const Step &S : F.Around.Steps) {
    TimelineEvent E{S, labelOf(F.Around, S.Round)};
    findTold(E, F.Path);
    if (!isAccess(S)) // who waits for a phase is not said
      E.Lane = S.Kind == "wait-done" ? "phases" : roleOf(S.Threads);
    List.push_back(std::move(E));
  }
}

/// "second iteration" of "in the second iteration of this loop".
static std::string iterationOf(const PathStep &P) {
  if (!P.Values.empty()) {
    const auto &[Name, Value] = *P.Values.begin();
    return Name + " = " + std::to_string(Value);
  }
  StringRef Text = P.Message;
  Text.consume_front("in ");
  Text.consume_front("the ");
  Text.consume_back(" of this loop");
  return Text.str();
}

/// The kind of step that a witness tells of.
static std::string witnessed(StringRef Message) {
  return Message.contains(" overwrites ") ? "overwritten"
         : Message.contains(" reaches ")  ? "block-reached"
         : Message.contains(" uses ")     ? "copy-issued"
                                          : "read";
}

void TimelineEvents::takePath(const ReportedFinding &F) {
  // What is told of a phase tells whose it is, and not to where is copied.
  const bool IsOfPhase = llvm::any_of(F.Path, [](const PathStep &P) {
    return P.Kind == "mbarrier-init" || P.Kind == "phase-awaited";
  });
  std::string Column;
  int Round = -1, Rounds = 0;
  for (const auto &[I, P] : llvm::enumerate(F.Path)) {
    if (P.Kind == "iteration") {
      Round = Rounds++;
      Column = iterationOf(P);
    } else if (P.Kind == "loop-left") {
      Round = -1;
      Column.clear();
    }
    if (!findKind(P.Kind) && P.Kind != "witness")
      continue;
    Step S;
    S.Kind = P.Kind == "witness" ? witnessed(P.Message) : P.Kind;
    S.Where = P.Where;
    S.Round = Round;
    S.Slot = F.Object;
    if (P.Kind == "waited") // the message has the number
      S.Kind = "wait-done";
    TimelineEvent E{std::move(S), Column, unsigned(I) + 1};
    if (IsOfPhase)
      E.Lane = F.Object.empty() ? "mbarrier" : F.Object;
    else if (!isAccess(E.S))
      E.Lane = "operations";
    List.push_back(std::move(E));
  }
  // Where the warning stands it goes wrong.
  for (TimelineEvent &E : llvm::reverse(List))
    if (E.S.Where.Offset == F.Where.Offset && E.S.Where.File == F.Where.File) {
      E.S.Clashes = true;
      return;
    }
}

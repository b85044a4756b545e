//===- Timeline.cpp - The way to a finding, as a picture ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Timeline.h"
#include "tool/report/SlotLanes.h"
#include "tool/report/TimelineEvents.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;
using Step = ReportedPipeline::Step;
using Bar = Timeline::Bar;

/// Roles that are told apart; a reader cannot follow more.
static constexpr size_t MaxRoles = 6;

namespace {

class Drawer {
public:
  explicit Drawer(const TimelineEvents &Of) : Of(Of), Slots(Of.List) {}
  Timeline draw();

private:
  void placeMoments();
  unsigned addMoment(const std::string &Column, unsigned Hidden);
  void addMarks();
  std::vector<Timeline::Mark> &marksOf(const std::string &Name);
  void addBars();
  void copy(size_t Event);
  void commit(size_t Event);
  void wait(size_t Event);
  void completeOpen(size_t Wait, Timeline::Row &Row);
  void clash(size_t Event);
  void endBars();
  std::string slotsOf(llvm::ArrayRef<unsigned> Groups) const;
  /// Calls \p Each with every bar of \p Group.
  void forBars(unsigned Group, llvm::function_ref<void(Bar &)> Each);

  const TimelineEvents &Of;
  const SlotLanes Slots;
  Timeline T;
  std::vector<bool> IsShown;      ///< of events
  std::vector<unsigned> MomentOf; ///< the same; of what is not shown, the gap's
  std::vector<unsigned> InFlight; ///< groups, oldest first
  std::vector<size_t> Open;       ///< own copies in no group, events
  bool IsCounted = false;         ///< waits tell what they complete
};

} // namespace

/// "group 1", "groups 1, 2 and 3".
static std::string groupNames(llvm::ArrayRef<unsigned> Groups) {
  std::string Text = Groups.size() == 1 ? "group " : "groups ";
  for (const auto &[I, G] : llvm::enumerate(Groups))
    Text += (I == 0                   ? ""
             : I + 1 == Groups.size() ? " and "
                                      : ", ") +
            std::to_string(G + 1);
  return Text;
}

unsigned Drawer::addMoment(const std::string &Column, unsigned Hidden) {
  if (T.Columns.empty() || T.Columns.back().Label != Column || Hidden ||
      T.Columns.back().Hidden)
    T.Columns.push_back({Column, T.Moments, T.Moments, Hidden});
  T.Columns.back().End = T.Moments + 1;
  return T.Moments++;
}

// The steps that the path tells and the clash, and of the others the newest.
void Drawer::placeMoments() {
  const size_t Count = Of.List.size();
  IsShown.resize(Count);
  size_t Shown = 0;
  for (size_t I = 0; I < Count; ++I)
    if (Of.List[I].Told || Of.List[I].S.Clashes) {
      IsShown[I] = true;
      ++Shown;
    }
  for (size_t I = Count; I-- > 0 && Shown < Timeline::MaxMoments;)
    if (!IsShown[I]) {
      IsShown[I] = true;
      ++Shown;
    }
  unsigned Hidden = Of.Before;
  for (size_t I = 0; I < Count; ++I) {
    if (!IsShown[I]) {
      Hidden += Of.List[I].S.Count;
      MomentOf.push_back(T.Moments);
      continue;
    }
    if (Hidden)
      addMoment("", std::exchange(Hidden, 0));
    MomentOf.push_back(addMoment(Of.List[I].Column, 0));
  }
}

/// Of a lane behind the slots.
std::vector<Timeline::Mark> &Drawer::marksOf(const std::string &Name) {
  size_t Roles = 0;
  for (Timeline::Lane &L : T.Lanes) {
    if (L.Name == Name && !L.IsSlot)
      return L.Marks;
    Roles += !L.IsSlot;
  }
  if (Roles == MaxRoles) {
    T.Lanes.back().Name = "other threads";
    return T.Lanes.back().Marks;
  }
  T.Lanes.push_back({Name, /*IsSlot=*/false, {}, {}});
  return T.Lanes.back().Marks;
}

void Drawer::addMarks() {
  for (const SlotLanes::Lane &L : Slots.lanes())
    T.Lanes.push_back({L.Name, /*IsSlot=*/true, {}, {}});
  for (size_t I = 0; I < Of.List.size(); ++I) {
    if (!IsShown[I])
      continue;
    const Step &S = Of.List[I].S;
    const Timeline::Mark M{MomentOf[I], markText(S), Of.List[I].Told,
                           S.Threads,   S.Count,     S.Clashes};
    if (const std::string &Name = Of.List[I].Lane; !Name.empty())
      marksOf(Name).push_back(M);
    else
      for (size_t Lane : Slots.of(S))
        T.Lanes[Lane].Marks.push_back(M);
  }
}

void Drawer::forBars(unsigned Group, llvm::function_ref<void(Bar &)> Each) {
  for (Timeline::Lane &L : T.Lanes)
    for (Bar &B : L.Bars)
      if (B.Group == Group)
        Each(B);
}

std::string Drawer::slotsOf(llvm::ArrayRef<unsigned> Groups) const {
  std::string Text;
  for (const Timeline::Lane &L : T.Lanes)
    if (llvm::any_of(L.Bars, [&](const Bar &B) {
          return B.Group && llvm::is_contained(Groups, *B.Group);
        }))
      Text += (Text.empty() ? "" : ", ") + L.Name;
  return Text;
}

// A bar for each slot that a group copies to. Copies in no group have one where
// it is known that they are in flight.
void Drawer::copy(size_t Event) {
  const Step &S = Of.List[Event].S;
  const bool IsClash = S.Clashes && Of.IsInFlight;
  if (!S.IsOwn)
    return;
  if (!S.Group && !IsClash) {
    Open.push_back(Event);
    return;
  }
  for (size_t Lane : Slots.of(S)) {
    std::vector<Bar> &Bars = T.Lanes[Lane].Bars;
    auto Old = llvm::find_if(
        Bars, [&](const Bar &B) { return S.Group && B.Group == S.Group; });
    if (Old != Bars.end()) {
      Old->Clashes |= IsClash;
      continue;
    }
    Bar New;
    New.Begin = New.End = MomentOf[Event];
    New.Group = S.Group;
    New.Clashes = IsClash;
    if (IsClash && Of.IsAlone)
      New.Commit = New.Begin; // it needs none
    Bars.push_back(New);
  }
}

void Drawer::commit(size_t Event) {
  const Step &S = Of.List[Event].S;
  if (!S.IsOwn || !S.Group)
    return;
  InFlight.push_back(*S.Group);
  forBars(*S.Group, [&](Bar &B) { B.Commit = B.End = MomentOf[Event]; });
}

// A wait for all copies, in groups or not.
void Drawer::completeOpen(size_t Wait, Timeline::Row &Row) {
  for (size_t Copy : std::exchange(Open, {}))
    for (size_t Lane : Slots.of(Of.List[Copy].S)) {
      Bar New;
      New.Begin = MomentOf[Copy];
      New.End = MomentOf[Wait];
      New.How = Bar::Ending::Complete;
      T.Lanes[Lane].Bars.push_back(New);
      const std::string &Name = T.Lanes[Lane].Name;
      if (!llvm::StringRef(Row.Slots).contains(Name))
        Row.Slots += (Row.Slots.empty() ? "" : ", ") + Name;
      Row.Does = Row.Does == "nothing" ? "copies in no group"
                 : llvm::StringRef(Row.Does).ends_with("in no group")
                     ? Row.Does
                     : Row.Does + " and copies in no group";
    }
}

void Drawer::wait(size_t Event) {
  const Step &S = Of.List[Event].S;
  if (!S.IsOwn)
    return;
  Timeline::Row Row{Of.List[Event].Column, markText(S)};
  Row.Step = Of.List[Event].Told;
  Row.InFlight = S.InFlight;
  if (S.Kind == "waited")
    Row.N = S.N;
  IsCounted = S.InFlight && S.Completes;
  if (IsCounted) {
    // Those that are not among the steps come first.
    const size_t Known = std::min<size_t>(InFlight.size(), *S.InFlight);
    InFlight.erase(InFlight.begin(), InFlight.end() - Known);
    const size_t Older = *S.InFlight - Known;
    const size_t Done = *S.Completes - std::min<size_t>(*S.Completes, Older);
    const std::vector<unsigned> Groups(InFlight.begin(),
                                       InFlight.begin() + Done);
    InFlight.erase(InFlight.begin(), InFlight.begin() + Done);
    for (unsigned G : Groups)
      forBars(G, [&](Bar &B) {
        B.End = MomentOf[Event];
        B.How = Bar::Ending::Complete;
      });
    Row.Slots = slotsOf(Groups);
    Row.Does = Groups.empty() ? *S.Completes ? "earlier groups" : "nothing"
                              : groupNames(Groups);
    if (S.Kind == "waited-all")
      completeOpen(Event, Row);
  } else {
    InFlight.clear();
  }
  if (IsShown[Event])
    T.Rows.push_back(std::move(Row));
}

// The access that meets a copy, which comes last.
void Drawer::clash(size_t Event) {
  const Step &S = Of.List[Event].S;
  Timeline::Row Row{Of.List[Event].Column, markText(S)};
  Row.Step = Of.List[Event].Told;
  Row.Clashes = true;
  for (size_t Lane : Slots.of(S))
    Row.Slots += (Row.Slots.empty() ? "" : ", ") + T.Lanes[Lane].Name;
  if (IsCounted)
    Row.InFlight = InFlight.size();
  for (const TimelineEvent &E : Of.List)
    if (Of.IsInFlight && E.S.Clashes && isCopy(E.S) && E.S.IsOwn)
      Row.Does =
          (E.S.Group ? groupNames(*E.S.Group) : "the copy") + " is in flight";
  T.Rows.push_back(std::move(Row));
}

void Drawer::endBars() {
  // What began and ended where nothing is shown is not shown either.
  for (Timeline::Lane &L : T.Lanes)
    llvm::erase_if(L.Bars, [&](const Bar &B) {
      return B.Begin == B.End && B.How == Bar::Ending::Complete;
    });
  for (Timeline::Lane &L : T.Lanes)
    for (Bar &B : L.Bars) {
      const bool IsLeft =
          IsCounted && B.Group && llvm::is_contained(InFlight, *B.Group);
      if (B.How != Bar::Ending::Unknown || !(IsLeft || B.Clashes))
        continue;
      B.How = Bar::Ending::InFlight;
      B.End = T.Moments - 1;
    }
  for (Timeline::Lane &L : T.Lanes) {
    std::vector<unsigned> Ends; // of the rows
    for (Bar &B : L.Bars) {
      while (B.Row < Ends.size() && Ends[B.Row] >= B.Begin)
        ++B.Row;
      Ends.resize(std::max<size_t>(Ends.size(), B.Row + 1));
      Ends[B.Row] = B.End;
    }
  }
}

void Drawer::addBars() {
  for (size_t I = 0; I < Of.List.size(); ++I) {
    const Step &S = Of.List[I].S;
    if (isCopy(S) && Of.List[I].Lane.empty())
      copy(I);
    else if (isCommit(S))
      commit(I);
    else if (isGroupWait(S))
      wait(I);
    if (S.Clashes && I + 1 == Of.List.size() && Of.List[I].Lane.empty())
      clash(I);
  }
  endBars();
}

Timeline Drawer::draw() {
  T.Owner = Of.Owner;
  T.OtherSlots = Slots.others();
  placeMoments();
  addMarks();
  addBars();
  return std::move(T);
}

bool Timeline::isGap(unsigned Moment) const {
  return llvm::any_of(Columns, [&](const Column &C) {
    return C.Hidden && C.Begin <= Moment && Moment < C.End;
  });
}

unsigned Timeline::Lane::barRows() const {
  unsigned Rows = 0;
  for (const Bar &B : Bars)
    Rows = std::max(Rows, B.Row + 1);
  return Rows;
}

Timeline cpasync::makeTimeline(const ReportedFinding &F) {
  const TimelineEvents Events(F);
  if (Events.List.size() < 2)
    return {}; // no picture
  return Drawer(Events).draw();
}

/// "Tile = 0", or how a moment without an iteration is called.
static std::string columnAt(const Timeline &T, unsigned Moment) {
  for (const Timeline::Column &C : T.Columns)
    if (C.Begin <= Moment && Moment < C.End && !C.Label.empty())
      return " (" + C.Label + ")";
  return {};
}

static std::string sentence(const Timeline &T, const Bar &B) {
  std::string Text = B.Group ? groupNames(*B.Group) : "a copy in no group";
  Text += ": copied" + columnAt(T, B.Begin);
  if (B.Commit && *B.Commit != B.Begin)
    Text += ", committed" + columnAt(T, *B.Commit);
  if (B.How == Bar::Ending::Complete)
    Text += ", complete" + columnAt(T, B.End);
  else if (B.How == Bar::Ending::InFlight)
    Text += B.Clashes ? ", in flight where it goes wrong" : ", in flight";
  return Text;
}

std::string cpasync::describe(const Timeline &T) {
  std::string Text;
  for (const Timeline::Lane &L : T.Lanes) {
    std::string Of;
    for (const Bar &B : L.Bars)
      Of += (Of.empty() ? "" : "; ") + sentence(T, B);
    for (const Timeline::Mark &M : L.Marks)
      if (M.Text != "copy" || L.Bars.empty() || M.Clashes)
        Of += (Of.empty() ? "" : "; ") + M.Text + columnAt(T, M.Moment) +
              (M.Clashes ? ", which goes wrong" : "");
    Text += L.Name + ": " + Of + ". ";
  }
  return Text;
}

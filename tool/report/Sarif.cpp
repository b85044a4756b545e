//===- Sarif.cpp - SARIF 2.1.0 --------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Sarif.h"
#include "checks/Check.h"
#include "checks/Messages.h"
#include "tool/input/Embedded.h"
#include "tool/input/SourceText.h"
#include "tool/report/CheckUrl.h"
#include "tool/report/Formats.h"
#include "tool/report/Suppressions.h"
#include "tool/report/Uri.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::fixUTF8;
using llvm::json::Object;

/// What relative addresses in the log start from.
static constexpr llvm::StringLiteral RootId = "SRCROOT";

namespace {

/// What a log holds; each step down leaves something out.
enum class Detail { Full, NoPaths, PlacesOnly };

class LogWriter {
public:
  LogWriter(const RunReport &Run, const SarifLimits &Limits, Detail Level)
      : Run(Run), Limits(Limits), Level(Level), Found(listFindings(Run)) {
    if (Run.ShowsSuppressed)
      llvm::append_range(Found, listSilenced(Run));
  }

  llvm::json::Value log();
  /// Says in the log what was left out of it.
  void addNote(std::string Id, std::string Message) {
    Notes.push_back({Notification::Level::Warning, std::move(Id),
                     std::move(Message), "", 0, 0});
  }

private:
  Object run();
  Object driver();
  Object invocation();
  Array artifacts();
  Object result(const ListedFinding &F);
  Object codeFlow(const ListedFinding &F);
  Array relatedLocations(const ListedFinding &F);
  Array fixes(const ListedFinding &F);
  Object fixChange(const Edit &E, StringRef Directory);
  Object location(const Place &P, StringRef Directory);
  Object region(const Place &P, StringRef Directory);

  const RunReport &Run;
  const SarifLimits &Limits;
  const Detail Level;
  std::vector<ListedFinding> Found;
  std::vector<Notification> Notes;
  SourceCache Sources;
};

} // namespace

static Object text(StringRef Text) { return Object{{"text", fixUTF8(Text)}}; }

static Object artifactLocation(const std::string &Path) {
  Object Location{{"uri", pathToUri(Path)}};
  if (!llvm::sys::path::is_absolute(Path))
    Location["uriBaseId"] = RootId;
  return Location;
}

Object LogWriter::region(const Place &P, StringRef Directory) {
  const SourceText *Text = Sources.get(P.File, Directory);
  const auto Column = [&](unsigned Line, unsigned Bytes) {
    return Text ? characterColumn(Text->line(Line), Bytes) : Bytes;
  };
  return Object{{"startLine", P.Line},
                {"startColumn", Column(P.Line, P.Column)},
                {"endLine", P.EndLine},
                {"endColumn", Column(P.EndLine, P.EndColumn)}};
}

Object LogWriter::location(const Place &P, StringRef Directory) {
  Object Physical{{"artifactLocation",
                   artifactLocation(Run.displayPath(P.File, Directory))}};
  if (P.isValid())
    Physical["region"] = region(P, Directory);
  return Object{{"physicalLocation", std::move(Physical)}};
}

static Object stateOf(const PathStep &Step) {
  Object State;
  for (const auto &[Variable, Number] : Step.Values)
    State[fixUTF8(Variable)] = text(std::to_string(Number));
  return State;
}

Object LogWriter::codeFlow(const ListedFinding &F) {
  const std::vector<PathStep> &Path = F.Finding->Path;
  // The ends of a path tell more than its middle.
  const size_t Front = Path.size() > Limits.Steps ? Limits.Steps / 2 : 0;
  const size_t Gone = Path.size() - std::min(Path.size(), Limits.Steps);
  if (Gone)
    addNote("steps-left-out", counted(Gone, "step") + " of a path left out");
  Array Steps;
  for (const auto &[I, Step] : llvm::enumerate(Path)) {
    if (Gone && I >= Front && I < Front + Gone)
      continue;
    Object Where = location(Step.Where, F.Unit->Directory);
    Where["message"] = text(Step.Message);
    Steps.push_back(Object{{"location", std::move(Where)},
                           {"executionOrder", I + 1},
                           {"nestingLevel", Step.Depth},
                           {"state", stateOf(Step)},
                           {"kinds", Array{Step.Kind}}});
  }
  Object Flow{{"locations", std::move(Steps)}};
  if (const PathStep *Given = numbersOf(*F.Finding))
    Flow["immutableState"] = stateOf(*Given);
  return Object{{"threadFlows", Array{std::move(Flow)}}};
}

Array LogWriter::relatedLocations(const ListedFinding &F) {
  Array Related;
  for (const auto &[I, Note] : llvm::enumerate(F.Finding->Notes)) {
    if (Related.size() + 1 >= Limits.Related) { // with the result's own
      addNote("locations-left-out",
              counted(F.Finding->Notes.size() - I, "note") + " left out");
      break;
    }
    Object Where = location(Note.Where, F.Unit->Directory);
    Where["id"] = I + 1;
    Where["message"] = text(Note.Message);
    Related.push_back(std::move(Where));
  }
  return Related;
}

Object LogWriter::fixChange(const Edit &E, StringRef Directory) {
  Object Replacement{{"deletedRegion", region(E.Where, Directory)},
                     {"insertedContent", text(E.Replacement)}};
  return Object{{"artifactLocation",
                 artifactLocation(Run.displayPath(E.Where.File, Directory))},
                {"replacements", Array{std::move(Replacement)}}};
}

Array LogWriter::fixes(const ListedFinding &F) {
  Array Fixes;
  const auto Add = [&](const std::string &Effect,
                       const std::vector<Edit> &Edits) {
    Array Changes;
    for (const Edit &E : Edits)
      if (E.Where.isValid())
        Changes.push_back(fixChange(E, F.Unit->Directory));
    if (!Changes.empty())
      Fixes.push_back(Object{{"description", text(Effect)},
                             {"artifactChanges", std::move(Changes)}});
  };
  Add(F.Finding->Message, F.Finding->Fix);
  for (const ReportedNote &Note : F.Finding->Notes)
    Add(Note.Message, Note.Fix);
  return Fixes;
}

/// Behind those of Checks.def comes the one for suppressions.
static int64_t ruleIndex(StringRef Check) {
  const auto Checks = allChecks();
  const auto *It = llvm::find_if(Checks, [&](const CheckInfo &Info) {
    return Check == ("cpasync-" + Info.Name).str();
  });
  return It - Checks.begin();
}

/// Where some results are suppressed, the others have an empty list
/// (SARIF 2.1.0, 3.27.23).
static Array suppressions(const ReportedFinding &F) {
  if (!F.IsSilenced)
    return {};
  Object Comment{{"kind", "inSource"}};
  if (!F.Reason.empty())
    Comment["justification"] = fixUTF8(F.Reason);
  return Array{std::move(Comment)};
}

Object LogWriter::result(const ListedFinding &Listed) {
  const ReportedFinding &F = *Listed.Finding;
  Object Where = location(F.Where, Listed.Unit->Directory);
  if (!F.Function.empty())
    Where["logicalLocations"] =
        Array{Object{{"fullyQualifiedName", F.Function}, {"kind", "function"}}};
  Object Result{{"ruleId", F.Check},
                {"ruleIndex", ruleIndex(F.Check)},
                {"level", F.IsError || F.WarningAsError ? "error" : "warning"},
                {"message", text(F.Message)},
                {"locations", Array{std::move(Where)}},
                {"properties", Object{{"kernels", F.Kernels}}}};
  if (!Listed.Identity.empty())
    Result["partialFingerprints"] =
        Object{{"cpasyncFinding/v1", Listed.Identity}};
  if (Run.ShowsSuppressed)
    Result["suppressions"] = suppressions(F);
  if (Level == Detail::PlacesOnly)
    return Result;
  if (Array Related = relatedLocations(Listed); !Related.empty())
    Result["relatedLocations"] = std::move(Related);
  if (Array Fixes = fixes(Listed); !Fixes.empty())
    Result["fixes"] = std::move(Fixes);
  if (Level == Detail::Full && !F.Path.empty())
    Result["codeFlows"] = Array{codeFlow(Listed)};
  return Result;
}

static StringRef pageOf(StringRef Check) {
  const auto Pages = checkPages();
  const auto *Page = llvm::find_if(
      Pages, [&](const EmbeddedFile &P) { return Check == P.Name; });
  return Page == Pages.end() ? StringRef() : Page->text();
}

Object LogWriter::driver() {
  Array Rules;
  for (const CheckInfo &Info : allChecks()) {
    const StringRef Page = pageOf(Info.Name);
    const std::string Id = ("cpasync-" + Info.Name).str();
    Object Rule{
        {"id", Id},
        {"shortDescription", text(Info.Summary)},
        {"fullDescription", text(Info.Summary)},
        {"help", Object{{"text", fixUTF8(Page)}, {"markdown", fixUTF8(Page)}}},
        {"defaultConfiguration",
         Object{{"level", "warning"}, {"enabled", Info.OnByDefault}}},
        {"properties", Object{{"tags", Array{"cuda", groupName(Info.Group)}},
                              {"problem.severity", "warning"},
                              {"precision", "high"}}}};
    if (const std::string Url = checkUrl(Id); !Url.empty())
      Rule["helpUri"] = Url;
    Rules.push_back(std::move(Rule));
  }
  Rules.push_back(
      Object{{"id", UnusedSuppression},
             {"shortDescription", text("A comment silences no finding.")},
             {"fullDescription", text("A comment silences no finding.")},
             {"help", text("Remove the comment, or correct the name of the "
                           "check in it.")},
             {"defaultConfiguration",
              Object{{"level", "warning"}, {"enabled", false}}}});
  return Object{{"name", "cpasync-tidy"},
                {"version", CPASYNC_VERSION},
                {"semanticVersion", CPASYNC_VERSION},
                {"rules", std::move(Rules)}};
}

Object LogWriter::invocation() {
  Array Messages;
  const auto Add = [&](const Notification &N) {
    Object Message{{"level", severityName(N.Severity)},
                   {"message", text(N.Message)},
                   {"descriptor", Object{{"id", N.Id}}}};
    if (!N.Path.empty()) {
      Object Where{{"artifactLocation", artifactLocation(N.Path)}};
      if (N.Line)
        Where["region"] = Object{{"startLine", N.Line}};
      Message["locations"] =
          Array{Object{{"physicalLocation", std::move(Where)}}};
    }
    Messages.push_back(std::move(Message));
  };
  for (const Notification &N : Notes)
    Add(N);
  for (const Notification &N : listNotifications(Run))
    Add(N);
  return Object{{"executionSuccessful", Run.ExitCode != 2},
                {"exitCode", Run.ExitCode},
                {"toolExecutionNotifications", std::move(Messages)}};
}

Array LogWriter::artifacts() {
  std::vector<std::string> Paths;
  for (const FileReport &File : Run.Files)
    Paths.push_back(Run.displayPath(File.File, Run.Directory));
  llvm::sort(Paths);
  Paths.erase(llvm::unique(Paths), Paths.end());
  Array Artifacts;
  for (const std::string &Path : Paths)
    Artifacts.push_back(Object{{"location", artifactLocation(Path)},
                               {"roles", Array{"analysisTarget"}}});
  return Artifacts;
}

Object LogWriter::run() {
  Array Results;
  for (const ListedFinding &F :
       llvm::ArrayRef(Found).take_front(Limits.Results))
    Results.push_back(result(F));
  if (Found.size() > Limits.Results)
    addNote("results-left-out",
            counted(Found.size() - Limits.Results, "finding") +
                " left out: an upload holds " + std::to_string(Limits.Results) +
                " at most");
  else if (Found.size() > Limits.ShownResults)
    addNote("results-not-shown", "GitHub shows " +
                                     std::to_string(Limits.ShownResults) +
                                     " of these findings");
  return Object{{"tool", Object{{"driver", driver()}}},
                {"columnKind", "unicodeCodePoints"},
                {"originalUriBaseIds",
                 Object{{RootId, Object{{"uri", pathToUri(Run.Root) + "/"}}}}},
                {"artifacts", artifacts()},
                {"results", std::move(Results)},
                {"invocations", Array{invocation()}}};
}

llvm::json::Value LogWriter::log() {
  return Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Array{run()}}};
}

static bool fits(StringRef Log, size_t Limit) {
  if (Log.size() <= Limit)
    return true;
  if (!llvm::compression::zlib::isAvailable())
    return false;
  llvm::SmallVector<uint8_t, 0> Compressed;
  llvm::compression::zlib::compress(
      llvm::ArrayRef(Log.bytes_begin(), Log.bytes_end()), Compressed);
  return Compressed.size() <= Limit;
}

std::string cpasync::sarifLog(const RunReport &Run, const SarifLimits &Limits) {
  std::string Text;
  for (const Detail Level :
       {Detail::Full, Detail::NoPaths, Detail::PlacesOnly}) {
    LogWriter Writer(Run, Limits, Level);
    if (Level != Detail::Full)
      Writer.addNote("detail-left-out",
                     Level == Detail::NoPaths
                         ? "paths left out to keep the file small"
                         : "paths, notes and fixes left out to keep the file "
                           "small");
    Text.clear();
    llvm::raw_string_ostream OS(Text);
    llvm::json::OStream(OS, /*IndentSize=*/1).value(Writer.log());
    OS << '\n';
    if (fits(Text, Limits.CompressedBytes))
      break;
  }
  return Text;
}

void cpasync::writeSarif(const RunReport &Run, llvm::raw_ostream &OS) {
  OS << sarifLog(Run);
}

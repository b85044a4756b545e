//===- Suppressions.cpp - Comments that silence findings ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Suppressions.h"
#include "checks/Check.h"
#include "clang-tidy/GlobList.h"
#include "tool/report/Fingerprint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <optional>

using namespace cpasync;
using llvm::StringRef;

bool Suppression::covers(const ReportedFinding &F) const {
  return FirstLine <= F.Where.Line && F.Where.Line <= LastLine &&
         clang::tidy::GlobList(Checks).contains(F.Check);
}

namespace {

enum class Form { Line, NextLine, Begin, End };

/// One NOLINT with a list of checks.
struct Directive {
  Form F;
  Suppression S;
};

} // namespace

/// The next directive in \p Line from \p Column on; moves \p Column past it.
static std::optional<Directive> nextDirective(StringRef Line, size_t &Column) {
  const size_t Begin = Line.find("NOLINT", Column);
  if (Begin == StringRef::npos) {
    Column = StringRef::npos;
    return std::nullopt;
  }
  StringRef Rest = Line.drop_front(Begin + 6);
  Directive D;
  D.F = Rest.consume_front("NEXTLINE") ? Form::NextLine
        : Rest.consume_front("BEGIN")  ? Form::Begin
        : Rest.consume_front("END")    ? Form::End
                                       : Form::Line;
  D.S.Where.Column = Begin + 1;
  D.S.Where.Length = Line.size() - Begin - Rest.size();
  const size_t Close = Rest.starts_with("(") ? Rest.find(')') : StringRef::npos;
  if (Close != StringRef::npos) {
    D.S.Checks = Rest.substr(1, Close - 1).str();
    D.S.Where.Length += Close + 1;
    Rest = Rest.drop_front(Close + 1);
    Rest.consume_back("*/");
    D.S.Reason = Rest.ltrim(" \t:,-").rtrim().str();
  }
  Column = Line.size() - Rest.size();
  return D;
}

/// Only a comment that says so is about us: a bare NOLINT or `*` silences our
/// findings too, but was written for others.
static bool namesOurs(StringRef Checks) {
  return llvm::any_of(llvm::split(Checks, ','), [](StringRef Glob) {
    return Glob.trim().starts_with("cpasync");
  });
}

std::vector<Suppression> cpasync::findSuppressions(StringRef File,
                                                   const SourceText &Text) {
  std::vector<Suppression> Found;
  std::vector<Suppression> Open; // blocks without their end yet
  if (!Text.text().contains("NOLINT"))
    return Found;
  for (unsigned Line = 1; Line <= Text.lineCount(); ++Line)
    for (size_t Column = 0; Column != StringRef::npos;) {
      std::optional<Directive> D = nextDirective(Text.line(Line), Column);
      if (!D || !namesOurs(D->S.Checks))
        continue;
      D->S.Where.File = File.str();
      D->S.Where.Offset =
          Text.line(Line).data() - Text.text().data() + D->S.Where.Column - 1;
      Text.locate(D->S.Where);
      D->S.FirstLine = D->S.LastLine = Line + (D->F == Form::NextLine);
      switch (D->F) {
      case Form::Line:
      case Form::NextLine:
        Found.push_back(std::move(D->S));
        break;
      case Form::Begin:
        Open.push_back(std::move(D->S));
        break;
      case Form::End:
        // clang-tidy pairs equal lists, and complains of the others itself.
        const auto It =
            llvm::find_if(llvm::reverse(Open), [&](const Suppression &S) {
              return S.Checks == D->S.Checks;
            });
        if (It == Open.rend())
          break;
        It->LastLine = Line;
        Found.push_back(*It);
        Open.erase(std::next(It).base());
      }
    }
  llvm::sort(Found, [](const Suppression &A, const Suppression &B) {
    return A.Where.Offset < B.Where.Offset;
  });
  return Found;
}

std::vector<std::string> cpasync::unknownChecks(const Suppression &S) {
  std::vector<std::string> Unknown;
  for (StringRef Name : llvm::split(S.Checks, ',')) {
    Name = Name.trim();
    if (!Name.starts_with("cpasync") || Name.contains('*') ||
        Name == UnusedSuppression)
      continue;
    const auto IsIt = [&](const CheckInfo &Info) {
      return Name == ("cpasync-" + Info.Name).str();
    };
    if (llvm::none_of(allChecks(), IsIt))
      Unknown.push_back(Name.str());
  }
  return Unknown;
}

namespace {

/// One source file with comments of ours, over all that included it.
struct Silenced {
  std::vector<Suppression> Comments;
  std::vector<bool> Used;
  FileReport *Unit = nullptr; ///< the first to read it
  bool Complete = true;       ///< every unit that read it was analysed in full
};

} // namespace

static bool isComplete(const FileReport &Unit) {
  return Unit.Failure.empty() && Unit.ParseErrors == 0 && Unit.Gaps.empty();
}

/// True if a check that \p S names did not run in \p Unit; one that is off by
/// default only if its name is written out.
static bool namesIdleCheck(const Suppression &S, const FileReport &Unit) {
  const clang::tidy::GlobList Globs(S.Checks);
  return llvm::any_of(allChecks(), [&](const CheckInfo &Info) {
    const std::string Name = ("cpasync-" + Info.Name).str();
    const bool Meant =
        Info.OnByDefault || llvm::StringRef(S.Checks).contains(Name);
    return Meant && Globs.contains(Name) &&
           !llvm::is_contained(Unit.Checks, Name);
  });
}

/// Marks the comments that silence \p F and takes the reason from the first.
static void explain(ReportedFinding &F, Silenced &File) {
  for (const auto &[I, Comment] : llvm::enumerate(File.Comments)) {
    if (!Comment.covers(F))
      continue;
    File.Used[I] = true;
    F.IsSilenced = true;
    if (F.Reason.empty())
      F.Reason = Comment.Reason;
  }
}

std::vector<UnusedComment>
cpasync::judgeSuppressions(RunReport &Run, SourceCache &Sources,
                           unsigned &NotJudged,
                           std::vector<MisspeltComment> &Misspelt) {
  std::map<std::string, Silenced> Files; // by displayed path
  for (FileReport &Unit : Run.Files)
    for (const std::string &Source : Unit.Sources) {
      const std::string Path = Run.displayPath(Source, Unit.Directory);
      auto [It, New] = Files.try_emplace(Path);
      Silenced &File = It->second;
      if (New) {
        File.Unit = &Unit;
        if (const SourceText *Text = Sources.get(Source, Unit.Directory))
          File.Comments = findSuppressions(Source, *Text);
        File.Used.resize(File.Comments.size());
      }
      File.Complete &= isComplete(Unit);
    }
  for (FileReport &Unit : Run.Files)
    for (ReportedFinding &F : Unit.Suppressed) {
      const std::string Path = Run.displayPath(F.Where.File, Unit.Directory);
      explain(F, Files[Path]);
      // No filter of headers leaves out the file itself: there is a comment
      // that names no check.
      F.IsSilenced |= Path == Run.displayPath(Unit.File, Unit.Directory);
    }
  std::vector<UnusedComment> Unused;
  for (auto &[Path, File] : Files)
    for (const auto &[I, Comment] : llvm::enumerate(File.Comments)) {
      for (std::string &Check : unknownChecks(Comment))
        Misspelt.push_back(
            {Path, Comment.Where.Line, Comment.Where.Column, std::move(Check)});
      if (File.Used[I])
        continue;
      if (!File.Complete || namesIdleCheck(Comment, *File.Unit)) {
        ++NotJudged;
        continue;
      }
      ReportedFinding F;
      F.Check = UnusedSuppression.str();
      F.Message = "suppression of '" + Comment.Checks + "' silences nothing";
      F.Where = Comment.Where;
      setFingerprints(F, Sources, File.Unit->Directory);
      Unused.push_back({File.Unit, std::move(F)});
    }
  return Unused;
}

//===- TidyOptions.cpp - Which checks run, and how ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/TidyOptions.h"
#include "checks/Check.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/ReadFile.h"
#include "tool/run/KnownNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <functional>
#include <optional>

using namespace cpasync;
using namespace clang::tidy;
using llvm::StringRef;

static constexpr StringRef TooDeep = "nested too deeply";

/// Far below what overflows the stack.
static constexpr size_t MaxOpenings = 5000;

using FileParser =
    std::function<llvm::ErrorOr<ClangTidyOptions>(llvm::MemoryBufferRef)>;

namespace {

/// The files of the machine; a .clang-tidy that is too large counts as an empty
/// one, and Refused hears of it.
class ConfigFiles : public llvm::vfs::ProxyFileSystem {
public:
  explicit ConfigFiles(std::function<void(std::string)> Refused)
      : ProxyFileSystem(llvm::vfs::getRealFileSystem()),
        Refused(std::move(Refused)) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    const std::error_code Code = checkFile(Path, MaxConfigBytes);
    if (!Code || Code.category() == std::generic_category())
      return ProxyFileSystem::openFileForRead(Path);
    Refused((Path + ": " + Code.message()).str());
    Empty->addFile(Path, /*ModificationTime=*/0,
                   llvm::MemoryBuffer::getMemBuffer(""));
    return Empty->openFileForRead(Path);
  }

private:
  std::function<void(std::string)> Refused;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Empty =
      llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
};

} // namespace

static bool namesOurs(StringRef Text) { return Text.contains("cpasync"); }

namespace {

/// A .clang-tidy that never names a cpasync check was written for other checks:
/// its `-*` is not about ours. Everything else in it is honoured.
template <class Provider> class OurChecks : public Provider {
public:
  using Provider::Provider;

  void parseFilesWith(const FileParser &Parse) {
    this->ConfigHandlers = {{".clang-tidy", Parse}};
  }

  std::vector<ClangTidyOptionsProvider::OptionsSource>
  getRawOptions(StringRef File) override {
    auto Sources = Provider::getRawOptions(File);
    for (auto &[Values, Source] : Sources)
      if (Values.Checks && !namesOurs(*Values.Checks) &&
          Source !=
              ClangTidyOptionsProvider::OptionsSourceTypeCheckCommandLineOption)
        Values.Checks.reset();
    return Sources;
  }
};

} // namespace

/// Switches a filter off that is no regular expression: it would match nothing.
static std::string checkFilter(std::optional<std::string> &Filter,
                               StringRef Name) {
  std::string Wrong;
  if (!Filter || Filter->empty() || llvm::Regex(*Filter).isValid(Wrong))
    return "";
  const std::string Text = *Filter;
  Filter.reset();
  return (Name + " '" + Text + "' is no regular expression: " + Wrong).str();
}

/// Whether \p Yaml has more brackets and indicators than anybody writes: the
/// library takes a piece of the stack for each level of nesting. The first two
/// of a line, as of "- key: value", are free: for levels that have a line each,
/// indentation alone would exceed the size of a configuration.
static bool mayBeTooDeep(StringRef Yaml) {
  size_t Openings = 0;
  llvm::SmallVector<StringRef> Lines;
  llvm::SplitString(Yaml, Lines, "\r\n");
  for (StringRef Line : Lines) {
    size_t Indicators = 0;
    for (size_t I = 0; I < Line.size(); ++I)
      if (StringRef("[{").contains(Line[I]))
        ++Openings;
      else if (StringRef("-?:").contains(Line[I]) &&
               (I + 1 == Line.size() || llvm::isSpace(Line[I + 1])))
        ++Indicators;
    Openings += Indicators > 2 ? Indicators - 2 : 0;
  }
  return Openings > MaxOpenings;
}

/// Reads a .clang-tidy file or the value of --config; \p Problem says what is
/// wrong with it.
static ClangTidyOptions parseTidyOptions(llvm::MemoryBufferRef Text,
                                         std::string &Problem) {
  if (mayBeTooDeep(Text.getBuffer())) {
    Problem = TooDeep;
    return {};
  }
  llvm::ErrorOr<ClangTidyOptions> Parsed =
      parseConfigurationWithDiags(Text, [&](const llvm::SMDiagnostic &What) {
        if (Problem.empty())
          Problem = "line " + std::to_string(What.getLineNo()) + ": " +
                    What.getMessage().str();
      });
  if (!Parsed) {
    if (Problem.empty())
      Problem = Parsed.getError().message();
    return {};
  }
  for (const auto &[Filter, Name] :
       {std::pair(&Parsed->HeaderFilterRegex, "HeaderFilterRegex"),
        std::pair(&Parsed->ExcludeHeaderFilterRegex,
                  "ExcludeHeaderFilterRegex")})
    if (std::string Wrong = checkFilter(*Filter, Name); !Wrong.empty())
      Problem = Wrong;
  if (Parsed->Checks)
    if (std::string Wrong = wrongChecks(*Parsed->Checks, /*AllAreOurs=*/false);
        !Wrong.empty())
      Problem = Wrong;
  for (const auto &Option : Parsed->CheckOptions)
    if (std::string Wrong = wrongOption(Option.getKey()); !Wrong.empty())
      Problem = Wrong;
  return std::move(*Parsed);
}

llvm::Expected<std::unique_ptr<ClangTidyOptionsProvider>>
cpasync::makeTidyOptions(const Options &Opts,
                         std::vector<ConfigProblem> *Problems, bool Header) {
  if (std::string Wrong = wrongChecks(Opts.Checks, /*AllAreOurs=*/true);
      !Wrong.empty())
    return llvm::createStringError("'--checks': " + Wrong);
  ClangTidyOptions Defaults = ClangTidyOptions::getDefaults();
  Defaults.Checks = "-*";
  for (const CheckInfo &Info : allChecks())
    if (Info.OnByDefault)
      *Defaults.Checks += (",cpasync-" + Info.Name).str();
  Defaults.HeaderFilterRegex = ".*";
  ClangTidyOptions Override;
  // "*" means our checks; the library brings the static analyser along.
  Override.Checks = Opts.Checks + ",-clang-analyzer-*,-clang-diagnostic-*";
  if (!Opts.HeaderFilter.empty())
    Override.HeaderFilterRegex = Opts.HeaderFilter;
  else if (Header)
    Override.HeaderFilterRegex = ".*";
  if (Header) {
    Override.ExcludeHeaderFilterRegex = "^$";
    Override.SystemHeaders = true;
  }
  const auto SetOption = [&](StringRef Name, const std::string &Value) {
    if (!Value.empty())
      Override.CheckOptions[Name] =
          ClangTidyOptions::ClangTidyValue(Value, 10000);
  };
  SetOption("AssumedThreads", Opts.AssumedThreads);
  SetOption("TimeBudget", Opts.TimeoutPerKernel);
  SetOption("MemoryBudget", Opts.MemoryPerKernel);
  const FileParser Parse = [Problems](llvm::MemoryBufferRef Text) {
    std::string Problem;
    ClangTidyOptions Result = parseTidyOptions(Text, Problem);
    if (Problems && !Problem.empty())
      Problems->push_back({(Text.getBufferIdentifier() + ": " + Problem).str(),
                           namesOurs(Text.getBuffer()) || Problem == TooDeep});
    return Result;
  };
  if (Opts.Config.empty()) {
    const auto Refused = [Problems](std::string Problem) {
      if (Problems)
        Problems->push_back({std::move(Problem), /*NamesOurs=*/true});
    };
    auto Provider = std::make_unique<OurChecks<FileOptionsProvider>>(
        ClangTidyGlobalOptions(), Defaults, Override,
        llvm::makeIntrusiveRefCnt<ConfigFiles>(Refused));
    Provider->parseFilesWith(Parse);
    return Provider;
  }
  std::string Problem;
  const ClangTidyOptions Config =
      parseTidyOptions(llvm::MemoryBufferRef(Opts.Config, "--config"), Problem);
  if (!Problem.empty())
    return llvm::createStringError("'--config': " + Problem);
  return std::make_unique<OurChecks<ConfigOptionsProvider>>(
      ClangTidyGlobalOptions(), Defaults, Config, Override,
      llvm::vfs::getRealFileSystem());
}

void cpasync::readConfigurations(ClangTidyOptionsProvider &Provider,
                                 llvm::ArrayRef<Job> Jobs) {
  for (const Job &J : Jobs)
    // The library prints where there is no folder; what is not there is said
    // later.
    if (std::string Source = absolutePath(J.Source, J.Directory);
        llvm::sys::fs::exists(Source))
      Provider.getOptions(Source);
}

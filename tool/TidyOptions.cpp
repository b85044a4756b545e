//===- TidyOptions.cpp - Which checks run, and how ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/TidyOptions.h"
#include "checks/Check.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace cpasync;
using namespace clang::tidy;
using llvm::StringRef;

namespace {

/// A .clang-tidy that never names a cpasync check was written for other checks:
/// its `-*` is not about ours. Everything else in it is honoured.
template <class Provider> class OurChecks : public Provider {
public:
  using Provider::Provider;

  std::vector<ClangTidyOptionsProvider::OptionsSource>
  getRawOptions(StringRef File) override {
    auto Sources = Provider::getRawOptions(File);
    for (auto &[Values, Source] : Sources)
      if (Values.Checks && !StringRef(*Values.Checks).contains("cpasync") &&
          Source !=
              ClangTidyOptionsProvider::OptionsSourceTypeCheckCommandLineOption)
        Values.Checks.reset();
    return Sources;
  }
};

} // namespace

llvm::Expected<std::unique_ptr<ClangTidyOptionsProvider>>
cpasync::makeTidyOptions(const Options &Opts) {
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
  if (!Opts.AssumedThreads.empty())
    Override.CheckOptions["AssumedThreads"] =
        ClangTidyOptions::ClangTidyValue(Opts.AssumedThreads, 10000);
  if (Opts.Config.empty())
    return std::make_unique<OurChecks<FileOptionsProvider>>(
        ClangTidyGlobalOptions(), Defaults, Override,
        llvm::vfs::getRealFileSystem());
  llvm::ErrorOr<ClangTidyOptions> Config = parseConfiguration(
      llvm::MemoryBufferRef(Opts.Config, "the value of --config"));
  if (!Config)
    return llvm::createStringError("'--config' is not valid YAML for "
                                   "clang-tidy: " +
                                   Config.getError().message());
  return std::make_unique<OurChecks<ConfigOptionsProvider>>(
      ClangTidyGlobalOptions(), Defaults, *Config, Override,
      llvm::vfs::getRealFileSystem());
}

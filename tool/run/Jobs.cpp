//===- Jobs.cpp - What a run analyses -------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Jobs.h"
#include "tool/input/Architectures.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/CompilerFlags.h"
#include "tool/input/Cuda.h"
#include "tool/input/IncludeScan.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace cpasync;
using llvm::StringRef;

std::string cpasync::shortPath(StringRef Path, StringRef Directory) {
  StringRef Rest = Path;
  return Rest.consume_front(Directory) && Rest.consume_front("/") ? Rest.str()
                                                                  : Path.str();
}

/// Files through which a header is analysed at most.
static constexpr size_t MaxIncluders = 8;

/// Flags of a kind that a note names.
static constexpr size_t MaxNamedFlags = 100;

/// In the order in which they were met.
using FlagSet = llvm::SetVector<std::string, std::vector<std::string>,
                                std::set<std::string>>;

namespace {

class Planner {
public:
  Planner(const Options &Opts, StringRef Directory)
      : Opts(Opts), Directory(Directory) {}

  llvm::Error addFilesAlone();
  llvm::Error addDatabase();
  Plan finish();

private:
  /// One for each architecture.
  llvm::Expected<std::vector<Job>> jobs(StringRef File, StringRef Source,
                                        StringRef In, const CompilerFlags &User,
                                        const CudaHeaders &Cuda,
                                        StringRef OnlyIn = "") const;
  llvm::Expected<std::vector<Job>> jobsOf(StringRef File, StringRef Source,
                                          const CudaCommand &Command,
                                          StringRef OnlyIn = "");
  llvm::Error add(llvm::Expected<std::vector<Job>> Jobs);
  /// Those that include \p Header, the nearest first.
  std::vector<const CudaCommand *> includersOf(const CompileDatabase &Database,
                                               StringRef Header);
  llvm::Error addHeader(StringRef File, StringRef Path,
                        llvm::ArrayRef<const CudaCommand *> Users);
  llvm::Error addFile(const CompileDatabase &Database, StringRef File);
  const CompilerFlags &flagsOf(const CudaCommand &Command);
  llvm::Expected<const CudaHeaders *> headersFor(const CudaCommand &Command,
                                                 const CompilerFlags &User);
  llvm::Expected<std::vector<std::string>>
  architectures(const CompilerFlags &User, StringRef Source,
                StringRef In) const;
  /// Remembers what of \p User, the flags of \p Whose, is not passed on, each
  /// once.
  void noteIgnored(const CompilerFlags &User, StringRef Whose);
  void addError(StringRef Error);

  const Options &Opts;
  std::string Directory;
  Plan Result;
  FlagSet Unknown, Dropped;
  llvm::StringMap<CudaHeaders> Headers; ///< by compiler and --cuda-path
  std::map<const CudaCommand *, CompilerFlags> Translated;
  IncludeScan Includes;
};

} // namespace

/// Flags of the device side, in the order that lets a user's own flags win
/// where that makes sense and ours where it does not.
static std::vector<std::string>
allFlags(const CudaHeaders &Cuda, const CompilerFlags &User, StringRef Arch) {
  std::vector<std::string> Flags = Cuda.FlagsBefore;
  llvm::append_range(Flags, User.Kept);
  llvm::append_range(Flags, Cuda.FlagsAfter);
  Flags.insert(Flags.end(),
               {"-fsyntax-only", "--cuda-device-only", "--no-offload-arch=all",
                ("--offload-arch=" + Arch).str(), "-nocudalib",
                "-Wno-unknown-cuda-version", "-ferror-limit=0",
                // Only then may a variable be 'extern __shared__' that is no
                // array; nvcc allows it always.
                "-fgpu-rdc",
                // nvcc warns of it.
                "-Wno-c++11-narrowing"});
  return Flags;
}

/// What --offload-arch says; empty if it is no architecture to analyse.
static Architectures askedFor(const Options &Opts) {
  Architectures Asked;
  if (StringRef(Opts.OffloadArch).starts_with("sm_") &&
      Asked.add(Opts.OffloadArch).empty())
    return Asked;
  return {};
}

void Planner::addError(StringRef Error) {
  std::string Short = shortPath(Error, Directory);
  if (!llvm::is_contained(Result.Errors, Short))
    Result.Errors.push_back(std::move(Short));
}

void Planner::noteIgnored(const CompilerFlags &User, StringRef Whose) {
  Unknown.insert_range(User.Unknown);
  Dropped.insert_range(User.Dropped);
  for (StringRef Error : User.Unreadable)
    addError(Error);
  for (const std::string &Remark :
       Opts.OffloadArch.empty() ? User.ArchRemarks : askedFor(Opts).remarks())
    if (!llvm::is_contained(Result.Notes, Remark))
      Result.Notes.push_back(Remark);
  if (!User.TooMany.empty())
    addError((Whose + ": " + User.TooMany + "; analysed without them").str());
}

llvm::Expected<std::vector<std::string>>
Planner::architectures(const CompilerFlags &User, StringRef Source,
                       StringRef In) const {
  if (Opts.OffloadArch.empty() && !User.AsksForArch &&
      User.ArchRemarks.empty()) {
    llvm::SmallString<128> Path = Source;
    llvm::sys::path::make_absolute(In, Path);
    const auto Text = readFile(Path, MaxSourceBytes);
    return std::vector{archFor(Text ? (*Text)->getBuffer() : "")};
  }
  if (Opts.OffloadArch.empty())
    return Opts.AllArchs ? User.Archs : std::vector{User.Archs.front()};
  const Architectures Asked = askedFor(Opts);
  if (Asked.empty())
    return llvm::createStringError("'--offload-arch' is sm_" +
                                   llvm::Twine(MinArch) + " or above, not '" +
                                   Opts.OffloadArch + "'");
  return std::vector{Asked.usable().front()};
}

llvm::Expected<std::vector<Job>> Planner::jobs(StringRef File, StringRef Source,
                                               StringRef In,
                                               const CompilerFlags &User,
                                               const CudaHeaders &Cuda,
                                               StringRef OnlyIn) const {
  auto Archs = architectures(User, Source, In);
  if (!Archs)
    return Archs.takeError();
  std::vector<Job> New;
  for (const std::string &Arch : *Archs)
    New.push_back({File.str(), Source.str(), In.str(),
                   allFlags(Cuda, User, Arch), OnlyIn.str(),
                   /*Others=*/{}});
  return New;
}

llvm::Error Planner::add(llvm::Expected<std::vector<Job>> Jobs) {
  if (!Jobs)
    return Jobs.takeError();
  for (Job &New : *Jobs) {
    const auto IsSame = [&](const Job &Other) {
      return Other.File == New.File && Other.Source == New.Source &&
             Other.Directory == New.Directory && Other.Flags == New.Flags;
    };
    if (llvm::none_of(Result.Jobs, IsSame))
      Result.Jobs.push_back(std::move(New));
  }
  return llvm::Error::success();
}

llvm::Error Planner::addFilesAlone() {
  const CompilerFlags User =
      readCompilerFlags(Opts.CompilerFlags, Dialect::Either, Directory);
  noteIgnored(User, "command line");
  llvm::Expected<CudaHeaders> Cuda = findCudaHeaders(
      Opts.Cuda, Opts.CudaPath.empty() ? User.CudaPath : Opts.CudaPath);
  if (!Cuda)
    return Cuda.takeError();
  for (const std::string &File : Opts.Files)
    if (llvm::Error Err = add(jobs(File, File, Directory, User, *Cuda)))
      return Err;
  return llvm::Error::success();
}

const CompilerFlags &Planner::flagsOf(const CudaCommand &Command) {
  const auto [It, IsNew] = Translated.try_emplace(&Command);
  if (!IsNew)
    return It->second;
  CompilerFlags &User = It->second;
  User = readCompilerFlags(Command.Flags, Command.Language, Command.Directory);
  // Flags after `--` come on top of every command.
  CompilerFlags Extra =
      readCompilerFlags(Opts.CompilerFlags, Dialect::Either, Directory);
  llvm::append_range(User.Kept, Extra.Kept);
  if (!Extra.CudaPath.empty())
    User.CudaPath = Extra.CudaPath;
  if (Extra.AsksForArch)
    User.Archs = Extra.Archs;
  noteIgnored(User, Command.File);
  noteIgnored(Extra, "command line");
  return User;
}

llvm::Expected<const CudaHeaders *>
Planner::headersFor(const CudaCommand &Command, const CompilerFlags &User) {
  const std::string Path =
      Opts.CudaPath.empty() ? User.CudaPath : Opts.CudaPath;
  // ROOT/bin/nvcc; a bare name is looked up like any other toolkit.
  std::string Hint;
  if (Command.Language == Dialect::Nvcc &&
      llvm::sys::path::has_parent_path(Command.Compiler))
    Hint =
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(absolutePath(
                                         Command.Compiler, Command.Directory)))
            .str();
  const std::string Key = Path + '\n' + Hint;
  auto Found = Headers.find(Key);
  if (Found == Headers.end()) {
    llvm::Expected<CudaHeaders> Cuda = findCudaHeaders(Opts.Cuda, Path, Hint);
    if (!Cuda)
      return Cuda.takeError();
    Found = Headers.try_emplace(Key, std::move(*Cuda)).first;
  }
  return &Found->second;
}

llvm::Expected<std::vector<Job>> Planner::jobsOf(StringRef File,
                                                 StringRef Source,
                                                 const CudaCommand &Command,
                                                 StringRef OnlyIn) {
  const CompilerFlags &User = flagsOf(Command);
  auto Cuda = headersFor(Command, User);
  if (!Cuda)
    return Cuda.takeError();
  return jobs(File, Source, Command.Directory, User, **Cuda, OnlyIn);
}

static bool mayBeHeader(StringRef File) {
  const StringRef Extension = llvm::sys::path::extension(File);
  static constexpr StringRef Sources[] = {".cu", ".c", ".cc", ".cpp", ".cxx"};
  return !llvm::is_contained(Sources, Extension);
}

std::vector<const CudaCommand *>
Planner::includersOf(const CompileDatabase &Database, StringRef Header) {
  std::vector<std::pair<unsigned, const CudaCommand *>> Found;
  for (const CudaCommand &Command : Database.commands()) {
    if (Found.size() == MaxIncluders)
      break;
    if (const auto Distance = Includes.distance(
            Command.File, Header, flagsOf(Command).Kept, Command.Directory))
      Found.emplace_back(*Distance, &Command);
  }
  llvm::sort(Found); // the commands lie in one array
  const auto Users = llvm::make_second_range(Found);
  return {Users.begin(), Users.end()};
}

llvm::Error Planner::addHeader(StringRef File, StringRef Path,
                               llvm::ArrayRef<const CudaCommand *> Users) {
  auto First = jobsOf(File, Users.front()->File, *Users.front(), Path);
  if (!First)
    return First.takeError();
  for (const CudaCommand *User : Users.drop_front()) {
    auto More = jobsOf(File, User->File, *User, Path);
    if (!More)
      return More.takeError();
    for (auto [J, Other] : llvm::zip(*First, *More))
      J.Others.push_back(std::move(Other));
  }
  return add(std::move(First));
}

llvm::Error Planner::addFile(const CompileDatabase &Database, StringRef File) {
  const std::string Path = absolutePath(File, Directory);
  // What is not there is said where it would be parsed.
  if (!llvm::sys::fs::exists(Path)) {
    Result.Jobs.push_back({File.str(), File.str(), Directory, {}, "", {}});
    return llvm::Error::success();
  }
  const auto Commands = Database.commandsFor(Path);
  for (const CudaCommand *Command : Commands)
    if (llvm::Error Err = add(jobsOf(File, Path, *Command)))
      return Err;
  if (!Commands.empty())
    return llvm::Error::success();
  if (mayBeHeader(File))
    if (const auto Users = includersOf(Database, Path); !Users.empty())
      return addHeader(File, Path, Users);
  const CudaCommand &Nearest = Database.nearest(Path);
  Result.Notes.push_back((File + ": no CUDA file of " + Database.path() +
                          "; analysed with the flags of " +
                          shortPath(Nearest.File, Directory))
                             .str());
  return add(jobsOf(File, Path, Nearest));
}

llvm::Error Planner::addDatabase() {
  llvm::Expected<CompileDatabase> Database = CompileDatabase::load(Opts.Build);
  if (!Database)
    return Database.takeError();
  for (const std::string &File : Opts.Files)
    if (llvm::Error Err = addFile(*Database, File))
      return Err;
  if (!Opts.Files.empty())
    return llvm::Error::success();
  // The commands of one file need not be neighbours there.
  llvm::StringSet<> Done;
  for (const CudaCommand &Each : Database->commands())
    if (Done.insert(Each.RealPath).second)
      for (const CudaCommand *Command : Database->commandsFor(Each.File))
        if (llvm::Error Err = add(jobsOf(shortPath(Each.File, Directory),
                                         Command->File, *Command)))
          return Err;
  return llvm::Error::success();
}

/// The first of \p Flags: nobody reads a thousand.
static std::string namesOf(const FlagSet &Flags) {
  const llvm::ArrayRef<std::string> First =
      Flags.getArrayRef().take_front(MaxNamedFlags);
  std::string Text = llvm::join(First, " ");
  if (const size_t More = Flags.size() - First.size())
    Text += " and " + std::to_string(More) + " more";
  return Text;
}

Plan Planner::finish() {
  if (!Unknown.empty())
    Result.Notes.push_back("ignored unknown compiler flags: " +
                           namesOf(Unknown));
  if (!Dropped.empty())
    Result.Notes.push_back(
        "ignored compiler flags that make Clang write or print: " +
        namesOf(Dropped));
  return std::move(Result);
}

llvm::Expected<Plan> cpasync::planJobs(const Options &Opts,
                                       StringRef Directory) {
  if (Opts.Files.empty() && Opts.Build.empty())
    return llvm::createStringError("no file to check; see --help");
  Planner ThePlanner(Opts, Directory);
  if (llvm::Error Err = Opts.Build.empty() ? ThePlanner.addFilesAlone()
                                           : ThePlanner.addDatabase())
    return std::move(Err);
  return ThePlanner.finish();
}

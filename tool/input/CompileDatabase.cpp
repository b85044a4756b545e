//===- CompileDatabase.cpp - compile_commands.json of a build -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/CompileDatabase.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace cpasync;
using llvm::StringRef;

std::string cpasync::absolutePath(StringRef Path, StringRef Directory) {
  llvm::SmallString<128> Written = Path, Real;
  llvm::sys::path::make_absolute(Directory, Written);
  llvm::SmallString<128> Result = Written;
  llvm::sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  // Behind a link ".." is not what was before it.
  if (Written.str().contains("/../") && !llvm::sys::fs::exists(Result) &&
      !llvm::sys::fs::real_path(Written, Real))
    return Real.str().str();
  return Result.str().str();
}

std::string cpasync::realPath(StringRef Path) {
  llvm::SmallString<128> Real;
  return llvm::sys::fs::real_path(Path, Real) ? Path.str() : Real.str().str();
}

static bool isClang(StringRef Compiler) {
  return llvm::sys::path::filename(Compiler).starts_with("clang");
}

static bool isLauncher(StringRef Name) {
  static constexpr StringRef Launchers[] = {
      "ccache", "sccache", "distcc",   "icecc", "buildcache",      "env",
      "time",   "nice",    "cachepot", "cmake", "__run_co_compile"};
  return llvm::is_contained(Launchers, Name);
}

/// Where the compiler stands behind launchers and their arguments:
/// "cmake -E env X=1 nvcc ...", "timeout 60 nvcc ...".
static size_t compilerPosition(llvm::ArrayRef<std::string> Words) {
  if (Words.empty() || isClang(Words.front()))
    return 0;
  // A launcher that nobody here has heard of is seen by what it launches.
  const auto *Nvcc = llvm::find_if(Words, [](StringRef Word) {
    const StringRef Name = llvm::sys::path::filename(Word);
    return Name == "nvcc" || Name == "nvcc.exe";
  });
  if (Nvcc != Words.end())
    return static_cast<size_t>(Nvcc - Words.begin());
  size_t At = 0;
  if (isLauncher(llvm::sys::path::stem(Words.front())))
    while (At + 1 < Words.size() &&
           (isLauncher(llvm::sys::path::stem(Words[At])) ||
            StringRef(Words[At]).starts_with("-") ||
            StringRef(Words[At]).contains('=')))
      ++At;
  return At;
}

std::string cpasync::takeCompiler(std::vector<std::string> &Flags,
                                  Dialect &Language) {
  const size_t At = compilerPosition(Flags);
  if (Flags.empty())
    return "";
  std::string Compiler = Flags[At];
  Flags.erase(Flags.begin(), Flags.begin() + static_cast<ptrdiff_t>(At) + 1);
  // Whoever is not Clang is read like nvcc, whose host flags are GCC's.
  Language = isClang(Compiler) ? Dialect::Clang : Dialect::Nvcc;
  return Compiler;
}

static bool compilesCuda(StringRef File, llvm::ArrayRef<std::string> Flags) {
  if (llvm::sys::path::extension(File).equals_insensitive(".cu"))
    return true;
  for (size_t I = 0; I < Flags.size(); ++I) {
    StringRef Flag = Flags[I];
    if ((Flag == "-x" || Flag == "--x") && I + 1 < Flags.size())
      Flag = Flags[I + 1];
    else if (!Flag.consume_front("-x=") && !Flag.consume_front("--x=") &&
             !Flag.consume_front("-x"))
      continue;
    if (Flag == "cu" || Flag == "cuda")
      return true;
  }
  return false;
}

static std::vector<std::string> wordsOf(StringRef Command) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 64> Words;
  llvm::cl::TokenizeGNUCommandLine(Command, Saver, Words);
  return {Words.begin(), Words.end()};
}

llvm::Error CompileDatabase::parse(StringRef Text, StringRef Base) {
  llvm::Expected<llvm::json::Value> Json = parseJson(Text);
  if (!Json)
    return llvm::createStringError(
        Path + ": not valid JSON: " + llvm::toString(Json.takeError()));
  const llvm::json::Array *Entries = Json->getAsArray();
  if (!Entries)
    return llvm::createStringError(Path + ": not a list of compile commands");
  for (const auto &[I, Value] : llvm::enumerate(*Entries)) {
    const llvm::json::Object *Entry = Value.getAsObject();
    const auto File = Entry ? Entry->getString("file") : std::nullopt;
    const auto Directory = Entry ? Entry->getString("directory") : std::nullopt;
    if (!File || !Directory)
      return llvm::createStringError(Path + ": entry " + llvm::Twine(I + 1) +
                                     " has no '" +
                                     (File ? "directory" : "file") + "'");
    CudaCommand Command;
    if (const auto Line = Entry->getString("command"))
      Command.Flags = wordsOf(*Line);
    else if (const llvm::json::Array *Words = Entry->getArray("arguments"))
      for (const llvm::json::Value &Word : *Words)
        Command.Flags.push_back(Word.getAsString().value_or("").str());
    if (Command.Flags.empty())
      return llvm::createStringError(Path + ": entry " + llvm::Twine(I + 1) +
                                     " has no 'command' and no 'arguments'");
    Command.Directory = absolutePath(*Directory, Base);
    Command.File = absolutePath(*File, Command.Directory);
    Command.Compiler = takeCompiler(Command.Flags, Command.Language);
    if (!compilesCuda(Command.File, Command.Flags))
      continue;
    Command.RealPath = realPath(Command.File);
    ByRealPath[Command.RealPath].push_back(Commands.size());
    Commands.push_back(std::move(Command));
  }
  if (Commands.empty())
    return llvm::createStringError(
        Path + ": compiles no CUDA file (" + llvm::Twine(Entries->size()) +
        (Entries->size() == 1 ? " command)" : " commands)"));
  return llvm::Error::success();
}

llvm::Expected<CompileDatabase> CompileDatabase::load(StringRef Path) {
  CompileDatabase Database;
  llvm::SmallString<128> Name = Path;
  if (llvm::sys::fs::is_directory(Name))
    llvm::sys::path::append(Name, "compile_commands.json");
  Database.Path = Name.str().str();
  auto Buffer = readFile(Name, MaxDatabaseBytes);
  if (!Buffer)
    return llvm::createStringError(Database.Path + ": " +
                                   Buffer.getError().message());
  if (std::error_code Code = llvm::sys::fs::make_absolute(Name))
    return llvm::createStringError(Database.Path + ": " + Code.message());
  if (llvm::Error Err = Database.parse((*Buffer)->getBuffer(),
                                       llvm::sys::path::parent_path(Name)))
    return std::move(Err);
  return Database;
}

std::vector<const CudaCommand *>
CompileDatabase::commandsFor(StringRef File) const {
  std::vector<const CudaCommand *> Found;
  for (size_t I : ByRealPath.lookup(realPath(File)))
    Found.push_back(&Commands[I]);
  return Found;
}

const CudaCommand &CompileDatabase::nearest(StringRef File) const {
  const CudaCommand *Best = &Commands.front();
  size_t BestLength = 0;
  for (const CudaCommand &Command : Commands) {
    const auto Differ = llvm::mismatch(File, Command.File);
    // A shared part of a name is no nearer than its directory.
    const size_t Length =
        File.take_front(static_cast<size_t>(Differ.first - File.begin()))
            .rfind('/') +
        1;
    if (Length > BestLength) {
      Best = &Command;
      BestLength = Length;
    }
  }
  return *Best;
}

std::string cpasync::findDatabaseAbove(StringRef File) {
  for (StringRef Above = llvm::sys::path::parent_path(File); !Above.empty();
       Above = llvm::sys::path::parent_path(Above)) {
    llvm::SmallString<128> Build = Above;
    llvm::sys::path::append(Build, "build");
    for (const StringRef Folder : {Above, Build.str()}) {
      llvm::SmallString<128> Database = Folder;
      llvm::sys::path::append(Database, "compile_commands.json");
      if (llvm::sys::fs::is_regular_file(Database))
        return Folder.str();
    }
  }
  return "";
}

//===- ReplaceFile.cpp - Files change as a whole or not at all ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/ReplaceFile.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <unistd.h>

using namespace cpasync;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;
using Writer = llvm::function_ref<void(llvm::raw_ostream &)>;

/// As many as Linux follows.
static constexpr unsigned MaxLinks = 40;

/// How often a file may be replaced by others while we wait for it.
static constexpr unsigned MaxTries = 100;

/// A fix of another run takes a moment.
static constexpr std::chrono::seconds LockTimeout(30);

/// For what is tried, and may fail.
static void ignore(std::error_code) {}

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

namespace {

/// The file that a name stands for in the end; it need not be there.
struct Target {
  std::string Path;
  /// Named as one that this process has open: whoever opened it looks at that
  /// very file.
  bool IsDescriptor = false;
};

} // namespace

static Target followLinks(StringRef File) {
  Target Result;
  llvm::SmallString<128> Path = File;
  ignore(fs::make_absolute(Path)); // else the name as it is will do
  for (unsigned Links = 0; Links < MaxLinks; ++Links) {
    const StringRef Name = Path;
    Result.IsDescriptor |=
        Name.starts_with("/proc/") || Name.starts_with("/dev/fd/");
    char Link[PATH_MAX];
    const ssize_t Length = ::readlink(Path.c_str(), Link, sizeof Link);
    if (Length < 0)
      break;
    llvm::SmallString<128> Next(StringRef(Link, static_cast<size_t>(Length)));
    path::make_absolute(path::parent_path(Path), Next);
    Path = Next;
  }
  Result.Path = Path.str().str();
  return Result;
}

/// Writes and looks at what came of it.
static std::error_code writeTo(llvm::raw_fd_ostream &OS, Writer Write) {
  Write(OS);
  OS.flush();
  const std::error_code Code = OS.error();
  OS.clear_error(); // or the stream ends the program
  return Code;
}

static std::error_code writeInPlace(StringRef File, Writer Write) {
  std::error_code Code;
  llvm::raw_fd_ostream OS(File, Code, fs::OF_None);
  return Code ? Code : writeTo(OS, Write);
}

/// Gives the open file \p FD owner and mode of the one it is to replace. Only
/// root may give a file away; a group of ours anybody may name.
static std::error_code takeOwnerAndMode(int FD, const fs::file_status &Old) {
  fs::file_status New;
  if (std::error_code Code = fs::status(FD, New))
    return Code;
  if ((New.getUser() != Old.getUser() || New.getGroup() != Old.getGroup()) &&
      fs::changeFileOwnership(FD, Old.getUser(), Old.getGroup()))
    ignore(fs::changeFileOwnership(FD, New.getUser(), Old.getGroup()));
  return fs::setPermissions(FD, Old.permissions());
}

static std::error_code fill(int FD, const fs::file_status *Old, Writer Write) {
  if (Old)
    if (std::error_code Code = takeOwnerAndMode(FD, *Old))
      return Code;
  llvm::raw_fd_ostream OS(FD, /*shouldClose=*/false);
  if (std::error_code Code = writeTo(OS, Write))
    return Code;
  return ::fsync(FD) == 0 ? std::error_code() : lastError();
}

/// Replaces the regular file \p Path; \p Old is null if there is none yet.
static std::error_code replace(StringRef Path, const fs::file_status *Old,
                               Writer Write) {
  llvm::SmallString<128> Model = path::parent_path(Path);
  path::append(Model, ".cpasync-tidy-%%%%%%%%");
  const unsigned Mode =
      Old ? fs::owner_read | fs::owner_write : fs::all_read | fs::all_write;
  llvm::Expected<fs::TempFile> Beside = fs::TempFile::create(Model, Mode);
  if (!Beside)
    return llvm::errorToErrorCode(Beside.takeError());
  // Temporary files bring LLVM's signal handlers, for which this is a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  std::error_code Code = fill(Beside->FD, Old, Write);
  // TempFile::keep(Name) would copy where it cannot rename.
  if (!Code)
    Code = fs::rename(Beside->TmpName, Path);
  llvm::consumeError(Code ? Beside->discard() : Beside->keep());
  return Code;
}

static std::error_code writeTarget(StringRef File, Writer Write) {
  const Target To = followLinks(File);
  fs::file_status Status;
  std::error_code Code = fs::status(To.Path, Status);
  if (Code == std::errc::no_such_file_or_directory && !To.IsDescriptor)
    return replace(To.Path, nullptr, Write);
  if (To.IsDescriptor || (!Code && !fs::is_regular_file(Status)))
    return writeInPlace(File, Write);
  if (!Code)
    Code = fs::access(To.Path, fs::AccessMode::Write);
  return Code ? Code : replace(To.Path, &Status, Write);
}

llvm::Error cpasync::writeFile(StringRef File, Writer Write) {
  const std::error_code Code =
      File == "-" ? writeInPlace(File, Write) : writeTarget(File, Write);
  return Code ? llvm::createStringError(File + ": " + Code.message())
              : llvm::Error::success();
}

/// Opens \p Path and locks it. Who held the lock before may have replaced the
/// file: then it is another that has to be locked.
static llvm::Expected<int> openLocked(StringRef Path, fs::file_status &Status) {
  for (unsigned Try = 0; Try < MaxTries; ++Try) {
    int FD = -1;
    if (std::error_code Code = fs::openFileForReadWrite(
            Path, FD, fs::CD_OpenExisting, fs::OF_None))
      return llvm::errorCodeToError(Code);
    llvm::scope_exit Close(
        [&] { ignore(llvm::sys::Process::SafelyCloseFileDescriptor(FD)); });
    if (fs::tryLockFile(FD, LockTimeout))
      return llvm::createStringError("locked by another program");
    if (std::error_code Code = fs::status(FD, Status))
      return llvm::errorCodeToError(Code);
    fs::file_status Now;
    if (fs::status(Path, Now) || !fs::equivalent(Status, Now))
      continue;
    Close.release();
    return FD;
  }
  return llvm::createStringError("others keep replacing it");
}

llvm::Error cpasync::changeFile(
    StringRef File,
    llvm::function_ref<llvm::Expected<std::string>(StringRef)> Change) {
  const Target To = followLinks(File);
  if (std::error_code Code = checkFile(To.Path, MaxSourceBytes))
    return llvm::errorCodeToError(Code);
  fs::file_status Status;
  llvm::Expected<int> FD = openLocked(To.Path, Status);
  if (!FD)
    return FD.takeError();
  const llvm::scope_exit Unlock(
      [&] { ignore(llvm::sys::Process::SafelyCloseFileDescriptor(*FD)); });
  auto Old = llvm::MemoryBuffer::getOpenFile(
      fs::convertFDToNativeFile(*FD), To.Path, Status.getSize(),
      /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!Old)
    return llvm::errorCodeToError(Old.getError());
  llvm::Expected<std::string> New = Change((*Old)->getBuffer());
  if (!New)
    return New.takeError();
  return llvm::errorCodeToError(
      replace(To.Path, &Status, [&](llvm::raw_ostream &OS) { OS << *New; }));
}

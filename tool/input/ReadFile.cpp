//===- ReadFile.cpp - Input of a bounded size -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/ReadFile.h"
#include "tool/input/EditedTexts.h"
#include "llvm/Support/FileSystem.h"
#include <sys/vfs.h>

using namespace cpasync;
namespace fs = llvm::sys::fs;
using llvm::StringRef;

/// PROC_SUPER_MAGIC of Linux.
static constexpr long ProcMagic = 0x9fa0;

/// Levels of brackets in a JSON file; those that we read have four.
static constexpr unsigned MaxNesting = 1000;

namespace {

/// Errors of checkFile(): the limit that was exceeded in MiB, or NotRegular.
class InputCategory : public std::error_category {
public:
  static constexpr int NotRegular = -1;

  const char *name() const noexcept override { return "input"; }
  std::string message(int Value) const override {
    return Value == NotRegular
               ? "not a regular file"
               : "larger than " + std::to_string(Value) + " MiB";
  }
};

} // namespace

static std::error_code inputError(int Value) {
  static const InputCategory Category;
  return {Value, Category};
}

/// What /proc has are no files on a disk, though they look like empty ones.
static bool isInProc(const llvm::Twine &File) {
  struct statfs Found;
  return ::statfs(File.str().c_str(), &Found) == 0 && Found.f_type == ProcMagic;
}

std::error_code cpasync::checkFile(const llvm::Twine &File, uint64_t MaxBytes) {
  fs::file_status Status;
  if (std::error_code Code = fs::status(File, Status))
    return Code;
  if (fs::is_directory(Status))
    return std::make_error_code(std::errc::is_a_directory);
  if (!fs::is_regular_file(Status) || (Status.getSize() == 0 && isInProc(File)))
    return inputError(InputCategory::NotRegular);
  if (Status.getSize() > MaxBytes)
    return inputError(static_cast<int>(MaxBytes >> 20));
  return {};
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
cpasync::readFile(const llvm::Twine &File, uint64_t MaxBytes) {
  if (std::error_code Code = checkFile(File, MaxBytes))
    return Code;
  const std::string Path = File.str();
  if (const auto Edited = editedTexts().find(Path))
    return llvm::MemoryBuffer::getMemBufferCopy(*Edited, Path);
  // A mapped file that somebody cuts ends the program.
  return llvm::MemoryBuffer::getFile(File, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/true,
                                     /*IsVolatile=*/true);
}

/// Where \p Text is nested too deeply; npos: nowhere.
static size_t findTooDeep(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (InString && C == '\\')
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (!InString && (C == '[' || C == '{') && ++Depth > MaxNesting)
      return I;
    else if (!InString && (C == ']' || C == '}') && Depth > 0)
      --Depth;
  }
  return StringRef::npos;
}

llvm::Expected<llvm::json::Value> cpasync::parseJson(StringRef Text) {
  const size_t At = findTooDeep(Text);
  if (At != StringRef::npos)
    return llvm::createStringError("nested too deeply at byte " +
                                   llvm::Twine(At));
  return llvm::json::parse(Text);
}

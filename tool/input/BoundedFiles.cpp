//===- BoundedFiles.cpp - What Clang may read -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/BoundedFiles.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/EditedTexts.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace cpasync;
using llvm::vfs::File;
using llvm::vfs::Status;

std::string cpasync::digestOf(llvm::StringRef Text) {
  const llvm::XXH128_hash_t Hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(Text));
  return llvm::utohexstr(Hash.high64) + "-" + llvm::utohexstr(Hash.low64);
}

namespace {

/// A file of the disk with another text.
class EditedFile : public File {
public:
  EditedFile(const Status &OnDisk, llvm::StringRef Text)
      : Shown(Status::copyWithNewSize(OnDisk, Text.size())), Text(Text) {}

  llvm::ErrorOr<Status> status() override { return Shown; }
  std::error_code close() override { return {}; }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &Name, int64_t /*FileSize*/,
            bool /*RequiresNullTerminator*/, bool /*IsVolatile*/) override {
    return llvm::MemoryBuffer::getMemBufferCopy(Text, Name);
  }

protected:
  void setPath(const llvm::Twine &Path) override {
    Shown = Status::copyWithNewName(Shown, Path);
  }

private:
  Status Shown;
  llvm::StringRef Text;
};

/// Notes the digest of what is read.
class DigestedFile : public File {
public:
  DigestedFile(std::unique_ptr<File> Inner, std::string Path,
               llvm::StringMap<std::string> &Digests)
      : Inner(std::move(Inner)), Path(std::move(Path)), Digests(Digests) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return Inner->status(); }
  llvm::ErrorOr<std::string> getName() override { return Inner->getName(); }
  std::error_code close() override { return Inner->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &Name, int64_t FileSize,
            bool RequiresNullTerminator, bool IsVolatile) override {
    auto Buffer =
        Inner->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    if (!Buffer)
      return Buffer;
    std::string Digest = digestOf((*Buffer)->getBuffer());
    const auto [It, IsNew] = Digests.try_emplace(Path, Digest);
    if (!IsNew && It->second != Digest)
      It->second.clear();
    return Buffer;
  }

protected:
  void setPath(const llvm::Twine &NewPath) override {
    Inner = std::move(*getWithPath(std::move(Inner), NewPath));
  }

private:
  std::unique_ptr<File> Inner;
  std::string Path;
  llvm::StringMap<std::string> &Digests;
};

} // namespace

llvm::ErrorOr<Status> BoundedFiles::status(const llvm::Twine &Path) {
  auto OnDisk = ProxyFileSystem::status(Path);
  llvm::SmallString<128> Absolute;
  Path.toVector(Absolute);
  if (!OnDisk || makeAbsolute(Absolute))
    return OnDisk;
  if (const auto Edited = editedTexts().find(Absolute))
    return Status::copyWithNewSize(*OnDisk, Edited->size());
  return OnDisk;
}

llvm::ErrorOr<std::unique_ptr<File>>
BoundedFiles::openFileForRead(const llvm::Twine &Path) {
  llvm::SmallString<128> Absolute;
  Path.toVector(Absolute);
  if (std::error_code Code = makeAbsolute(Absolute))
    return Code;
  const std::error_code Code = checkFile(Absolute, MaxSourceBytes);
  // A directory is none that an include can mean; the search goes on.
  if (Code && Code != std::errc::is_a_directory)
    return Code;
  if (const auto Edited = editedTexts().find(Absolute))
    if (auto OnDisk = ProxyFileSystem::status(Path))
      return std::make_unique<DigestedFile>(
          std::make_unique<EditedFile>(*OnDisk, *Edited), realPath(Absolute),
          Digests);
  auto Opened = ProxyFileSystem::openFileForRead(Path);
  if (!Opened)
    return Opened;
  return std::make_unique<DigestedFile>(std::move(*Opened), realPath(Absolute),
                                        Digests);
}

std::string BoundedFiles::digest(llvm::StringRef File) const {
  return Digests.lookup(realPath(File));
}

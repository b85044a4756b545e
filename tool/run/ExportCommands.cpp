//===- ExportCommands.cpp - A database for other tools --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/ExportCommands.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/Cuda.h"
#include "tool/input/Embedded.h"
#include "tool/input/ReplaceFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;
using llvm::json::fixUTF8;

/// Beside the database.
static constexpr StringRef HeaderFolder = "cpasync-tidy-cuda";

static llvm::Error cannotWrite(const llvm::Twine &File, std::error_code Code) {
  return llvm::createStringError(File + ": " + Code.message());
}

/// Writes our CUDA headers below \p Folder.
static llvm::Error writeHeaders(StringRef Folder) {
  for (const EmbeddedFile &Header : cudaHeaders()) {
    llvm::SmallString<128> Path = Folder;
    llvm::sys::path::append(Path, Header.Name);
    if (std::error_code Code = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(Path)))
      return cannotWrite(Path, Code);
    if (llvm::Error Err = writeFile(
            Path, [&](llvm::raw_ostream &OS) { OS << Header.text(); }))
      return Err;
  }
  return llvm::Error::success();
}

/// True if a command names our headers; they are to be in \p Folder.
static bool writeCommands(llvm::ArrayRef<Job> Jobs, StringRef Folder,
                          llvm::raw_ostream &OS) {
  bool NeedsHeaders = false;
  llvm::json::OStream Json(OS, /*IndentSize=*/2);
  Json.array([&] {
    for (const Job &J : Jobs) {
      const std::string Source = absolutePath(J.Source, J.Directory);
      Json.object([&] {
        Json.attribute("directory", fixUTF8(J.Directory));
        Json.attribute("file", fixUTF8(Source));
        Json.attributeArray("arguments", [&] {
          Json.value("clang++");
          for (StringRef Flag : J.Flags) {
            if (!Flag.consume_front(cudaMountPoint())) {
              Json.value(fixUTF8(Flag));
              continue;
            }
            NeedsHeaders = true;
            Json.value(fixUTF8((Folder + Flag).str()));
          }
          for (StringRef Word : {"-x", "cuda"})
            Json.value(Word);
          Json.value(fixUTF8(Source));
        });
      });
    }
  });
  OS << '\n';
  return NeedsHeaders;
}

llvm::Error cpasync::exportCommands(llvm::ArrayRef<Job> Jobs, StringRef File) {
  llvm::SmallString<128> Folder = File;
  if (std::error_code Code = llvm::sys::fs::make_absolute(Folder))
    return cannotWrite(File, Code);
  llvm::sys::path::remove_filename(Folder);
  llvm::sys::path::append(Folder, HeaderFolder);

  bool NeedsHeaders = false;
  llvm::Error Err = writeFile(File, [&](llvm::raw_ostream &OS) {
    NeedsHeaders = writeCommands(Jobs, Folder, OS);
  });
  if (Err || !NeedsHeaders)
    return Err;
  return writeHeaders(Folder);
}

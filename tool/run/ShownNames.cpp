//===- ShownNames.cpp - Names of files as they are printed ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/ShownNames.h"
#include "tool/input/CompileDatabase.h"
#include "tool/report/Escape.h"

using namespace cpasync;
using clang::tooling::DiagnosticMessage;
using llvm::StringRef;

namespace {

class Renamer {
public:
  Renamer(llvm::vfs::FileSystem &Files, StringRef Directory)
      : Files(Files), Directory(Directory) {}

  void show(DiagnosticMessage &Message);

  /// Null if every name can be shown.
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Renamed;

private:
  llvm::vfs::FileSystem &Files;
  StringRef Directory;
};

} // namespace

void Renamer::show(DiagnosticMessage &Message) {
  Message.Message = escaped(Message.Message);
  std::string Shown = escapedPath(Message.FilePath);
  if (Shown == Message.FilePath)
    return;
  if (!Renamed)
    Renamed = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (auto Text = Files.getBufferForFile(Message.FilePath))
    Renamed->addFile(absolutePath(Shown, Directory), /*ModificationTime=*/0,
                     std::move(*Text));
  Message.FilePath = std::move(Shown);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
cpasync::withShownNames(std::vector<clang::tidy::ClangTidyError> &Errors,
                        llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
                        StringRef Directory) {
  Renamer TheRenamer(*Files, Directory);
  for (clang::tidy::ClangTidyError &Error : Errors) {
    TheRenamer.show(Error.Message);
    for (DiagnosticMessage &Note : Error.Notes)
      TheRenamer.show(Note);
  }
  if (!TheRenamer.Renamed)
    return Files;
  auto Both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Files);
  Both->pushOverlay(TheRenamer.Renamed);
  return Both;
}

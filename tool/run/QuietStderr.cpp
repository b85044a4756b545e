//===- QuietStderr.cpp - Hold back what a library prints ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/QuietStderr.h"
#include "tool/run/Lint.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace cpasync;

QuietStderr::QuietStderr() {
  llvm::errs().flush();
  Memory = ::memfd_create("stderr", MFD_CLOEXEC);
  if (Memory < 0)
    return;
  Saved = ::dup(STDERR_FILENO);
  ::dup2(Memory, STDERR_FILENO);
}

void QuietStderr::release() {
  if (Memory < 0)
    return;
  llvm::errs().flush();
  ::dup2(Saved, STDERR_FILENO);
  ::close(Saved);

  std::string Text;
  char Buffer[4096];
  ::lseek(Memory, 0, SEEK_SET);
  for (ssize_t Got; (Got = ::read(Memory, Buffer, sizeof Buffer)) > 0;)
    Text.append(Buffer, static_cast<size_t>(Got));
  ::close(Memory);
  Memory = -1;

  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    const auto [Line, Next] = Rest.split('\n');
    if (!Line.starts_with("Error while processing "))
      printNote(Line);
    Rest = Next;
  }
}

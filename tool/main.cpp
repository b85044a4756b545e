//===- main.cpp - cpasync-tidy --------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "tool/input/Embedded.h"
#include "tool/lsp/Server.h"
#include "tool/run/LastWords.h"
#include "tool/run/Lint.h"
#include "tool/run/Options.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace cpasync;

static void listChecks() {
  for (const CheckInfo &Info : allChecks())
    llvm::outs() << llvm::format("cpasync-%-20s  %-3s  %-8s  ",
                                 Info.Name.str().c_str(),
                                 Info.OnByDefault ? "on" : "off",
                                 groupName(Info.Group).str().c_str())
                 << Info.Summary << '\n';
}

static ExitCode explain(llvm::StringRef Check) {
  Check.consume_front("cpasync-");
  for (const EmbeddedFile &Page : checkPages())
    if (Check == Page.Name) {
      llvm::outs() << Page.text();
      return NothingFound;
    }
  printError("no check is called '" + Check + "'; see --list-checks");
  return NotAnalysed;
}

static int run(llvm::ArrayRef<const char *> Args) {
  llvm::Expected<Options> Opts = parseOptions(Args);
  if (!Opts) {
    printError(llvm::toString(Opts.takeError()));
    return NotAnalysed;
  }
  if (Opts->Help)
    return printHelp(llvm::outs()), NothingFound;
  if (Opts->Version) {
    llvm::outs() << "cpasync-tidy " CPASYNC_VERSION " (clang "
                 << CLANG_VERSION_STRING << ")\n";
    return NothingFound;
  }
  if (Opts->ListChecks)
    return listChecks(), NothingFound;
  if (!Opts->Explain.empty())
    return explain(Opts->Explain);
  if (Opts->Lsp)
    return serveEditor(*Opts, Args);
  return lint(*Opts);
}

/// Of this process; workers have their own.
static void sayEnd(EndOf What, const char *Words) {
  const auto Write = [](const char *Text) {
    (void)!::write(STDERR_FILENO, Text, std::strlen(Text));
  };
  Write("cpasync-tidy: error: ");
  Write(What == EndOf::Memory   ? "out of memory"
        : What == EndOf::Stack  ? "input is nested too deeply"
        : What == EndOf::Signal ? "internal error: crashed"
                                : "internal error: ");
  if (What == EndOf::Library)
    Write(Words);
  Write("\n");
}

int main(int Count, const char **Args) {
  expectEnds(sayEnd, NotAnalysed);
  const StackWatch Watch;
  // A file may not grow: the error of the write says so.
  std::signal(SIGXFSZ, SIG_IGN);
  const int Status = run(llvm::ArrayRef(Args, Count).drop_front());
  llvm::outs().flush();
  const std::error_code Lost = llvm::outs().error();
  if (!Lost)
    return Status;
  printError("standard output: " + Lost.message());
  llvm::outs().clear_error(); // or the stream ends the program
  return NotAnalysed;
}

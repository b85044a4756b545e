//===- Formats.cpp - Output formats ---------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Formats.h"
#include "tool/input/ReplaceFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;
using llvm::StringRef;

static constexpr Format Formats[] = {
    {"text", writeText},     {"sarif", writeSarif},   {"json", writeJson},
    {"github", writeGitHub}, {"gitlab", writeGitLab}, {"html", writeHtml},
};

const Format *cpasync::findFormat(StringRef Name) {
  const Format *Found =
      llvm::find_if(Formats, [&](const Format &F) { return F.Name == Name; });
  return Found == std::end(Formats) ? nullptr : Found;
}

std::string cpasync::formatNames() {
  std::string Names;
  for (const auto &[I, F] : llvm::enumerate(Formats))
    Names += (I == 0                        ? ""
              : I + 1 == std::size(Formats) ? " or "
                                            : ", ") +
             F.Name.str();
  return Names;
}

llvm::Expected<OutputFile> cpasync::parseOutput(StringRef Text) {
  const auto [Name, File] = Text.split('=');
  const Format *As = findFormat(Name);
  if (!As || File.empty())
    return llvm::createStringError(
        "'--output' is FORMAT=FILE with a format of " + formatNames() +
        ", not '" + Text + "'");
  return OutputFile{As, File.str()};
}

llvm::Error cpasync::writeOutput(const RunReport &Run,
                                 const OutputFile &Output) {
  return writeFile(Output.File,
                   [&](llvm::raw_ostream &OS) { Output.As->Write(Run, OS); });
}

//===- GitHubFormat.cpp - Workflow commands of GitHub Actions -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line of a step's log that GitHub turns into an annotation. It shows ten of
// a kind per step; the log has them all.
//
//===----------------------------------------------------------------------===//

#include "tool/report/Escape.h"
#include "tool/report/Formats.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;

/// A property ends at a comma or colon, a message at the end of the line.
static std::string escape(StringRef Text, bool IsProperty) {
  std::string Escaped;
  for (const char C : Text) {
    const bool Special = C == '%' || C == '\r' || C == '\n' ||
                         (IsProperty && (C == ':' || C == ','));
    switch (Special ? C : 0) {
    case '%':
      Escaped += "%25";
      break;
    case '\r':
      Escaped += "%0D";
      break;
    case '\n':
      Escaped += "%0A";
      break;
    case ':':
      Escaped += "%3A";
      break;
    case ',':
      Escaped += "%2C";
      break;
    default:
      Escaped += C;
    }
  }
  // GitHub has no words for the other characters that nobody can see.
  return escaped(Escaped);
}

static void writeCommand(llvm::raw_ostream &OS, StringRef Command,
                         StringRef Path, const Place &Where, StringRef Title,
                         StringRef Message) {
  OS << "::" << Command << ' ';
  if (!Path.empty()) {
    OS << "file=" << escape(Path, true) << ',';
    if (Where.Line)
      OS << "line=" << Where.Line << ',';
    if (Where.EndLine)
      OS << "endLine=" << Where.EndLine << ',';
    if (Where.Column)
      OS << "col=" << Where.Column << ',';
    if (Where.EndColumn && Where.EndLine == Where.Line)
      OS << "endColumn=" << Where.EndColumn << ',';
  }
  OS << "title=" << escape(Title, true) << "::" << escape(Message, false)
     << '\n';
}

void cpasync::writeGitHub(const RunReport &Run, llvm::raw_ostream &OS) {
  for (const ListedFinding &Listed : listFindings(Run)) {
    const ReportedFinding &F = *Listed.Finding;
    // One line each, whatever is in a name.
    std::string Message = escaped(F.Message);
    for (const ReportedNote &Note : F.Notes)
      Message += "\n" +
                 escapedPath(
                     Run.displayPath(Note.Where.File, Listed.Unit->Directory)) +
                 ":" + std::to_string(Note.Where.Line) + ": " +
                 escaped(Note.Message);
    writeCommand(OS, F.IsError || F.WarningAsError ? "error" : "warning",
                 Listed.Path, F.Where, F.Check, Message);
  }
  for (const Notification &N : listNotifications(Run)) {
    Place Where;
    Where.Line = N.Line;
    Where.Column = N.Column;
    writeCommand(OS,
                 N.Severity == Notification::Level::Error ? "error" : "notice",
                 N.Path, Where, N.Id, escaped(N.Message));
  }
}

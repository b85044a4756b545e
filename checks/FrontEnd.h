//===- FrontEnd.h - Between the clang-tidy module and the tool --*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy hands a check nothing but a context, and a program nothing but
// diagnostics. What else has to cross that border goes through this one
// process-wide record: the tool sets it before a file is parsed, the module
// fills it. Under stock clang-tidy it stays empty. One file at a time; no
// locks.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_FRONTEND_H
#define CPASYNC_CHECKS_FRONTEND_H

#include "lib/support/LaunchIndex.h"
#include "lib/support/WorkDivider.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace cpasync {

/// A stretch of a source file, usually one token. Lines and columns count from
/// 1, columns in bytes; the end is exclusive.
struct Place {
  std::string File; ///< absolute, or as the compiler was given it
  unsigned Offset = 0;
  unsigned Length = 0;
  unsigned Line = 0; ///< 0: no line is known, or the place has no file
  unsigned Column = 0;
  unsigned EndLine = 0;
  unsigned EndColumn = 0;

  bool isValid() const { return !File.empty() && Line != 0; }
};

/// Replaces the text at a place, which may be empty.
struct Edit {
  Place Where;
  std::string Replacement;
};

/// A note below a warning, as the text output prints it.
struct ReportedNote {
  Place Where;
  std::string Message;
  std::vector<Edit> Fix;
};

/// A step of the path that leads to the finding, in execution order. Unlike the
/// notes, the path is complete: nothing is elided.
struct PathStep {
  Place Where;
  std::string Message;
  std::string Kind;   ///< stepKindName() of Messages.h, or "witness"
  unsigned Depth = 0; ///< calls around this place that the path names
  /// Extent of the function around the place; 0: none.
  unsigned FunctionLine = 0;
  unsigned FunctionEndLine = 0;
  std::map<std::string, int64_t> Values; ///< of variables that it names
  unsigned At = 0;                       ///< as TraceStep::Place
};

/// Pipeline of lib/Finding.h, with no pointer into Clang.
struct ReportedPipeline {
  struct Round {
    Place Where;
    std::string Variable;
    int64_t Value = 0;
    int64_t N = 0;
    int Outer = -1;
  };
  struct Step {
    std::string Kind; ///< stepKindName() of Messages.h
    Place Where;
    unsigned At = 0, LastAt = 0, Count = 1;
    int Round = -1;
    std::string Threads;
    bool IsOwn = true;
    std::string Slot;
    int64_t Begin = -1, End = 0;
    int64_t N = 0;
    std::optional<unsigned> Group, InFlight, Completes;
    bool Clashes = false;
  };
  std::string Owner; ///< "thread 5"; empty: nobody's groups are told
  bool IsInFlight = false;
  bool IsAlone = false;
  std::vector<Round> Rounds;
  std::vector<Step> Steps;
  unsigned Before = 0;
};

/// One diagnostic. Those of Clang and clang-tidy themselves have no path.
struct ReportedFinding {
  std::string Check;           ///< "cpasync-unwaited-read", "clang-tidy-config"
  bool IsError = false;        ///< Clang's own errors
  bool WarningAsError = false; ///< by WarningsAsErrors of .clang-tidy
  std::string Message;
  Place Where; ///< may be invalid for clang-tidy's own
  std::vector<ReportedNote> Notes;
  std::vector<Edit> Fix; ///< of the warning itself; our checks have none

  // The rest is known of cpasync checks only.
  std::vector<PathStep> Path;
  ReportedPipeline Around;
  std::vector<std::string> Kernels; ///< it was found in, first one first
  std::string Function;   ///< qualified name of the function around the place
  std::string Object;     ///< the user's name of the memory concerned
  std::string Advice;     ///< what to do; empty: a note with an edit says it
  bool IsSlowFix = false; ///< that edit is right, but keeps copies from
                          ///< overlapping
  unsigned FunctionLine = 0; ///< its extent; 0: there is none
  unsigned FunctionEndLine = 0;
  std::string Fingerprint; ///< see tool/report/Fingerprint.h
  /// The same without the function's name.
  std::string StatementFingerprint;
  bool IsSilenced = false; ///< by a comment
  std::string Reason;      ///< why, if the comment says so

  bool isOurs() const { return Check.compare(0, 8, "cpasync-") == 0; }
};

/// A construct that kept a kernel, or a device function analysed by itself,
/// from being fully analysed.
struct ReportedGap {
  std::string Kernel;
  Place Where;
  std::string Reason;
};

/// What is in flight behind an operation, as --print-state says it.
struct ReportedState {
  Place Where;      ///< a point: it has no length
  std::string Text; ///< "copy: threads 0-127: groups [] open {Tile}"
};

/// "16x8 threads" or "pitch = 1024, stages = 4", and how many of the kernels
/// and functions that copy were analysed for such blocks or sizes because
/// nothing tells theirs.
using Assumptions = std::map<std::string, unsigned>;

/// "128", "16,8", "8,8,4": a block of 1 to 1024 threads, at most 64 along z
/// (CUDA C++ Programming Guide, Compute Capabilities). Nothing of other texts.
std::optional<std::array<unsigned, 3>> parseBlock(llvm::StringRef Text);

/// The option AssumedThreads.
struct BlockOption {
  std::array<unsigned, 3> Any = {0, 1, 1}; ///< as AnalysisOptions::AssumedBlock
  LaunchIndex ByKernel;                    ///< as AnalysisOptions::ToldBlocks
};
/// "96", "gemm=16,16; ns::ring<3, 128>=64; ring=128; 32,8": blocks with the
/// kernel they are for, or for any other, at most one. Nothing of other texts.
std::optional<BlockOption> parseBlocks(llvm::StringRef Text);
/// What parseBlocks() wants.
inline constexpr llvm::StringLiteral BlockOptionSyntax =
    "[KERNEL=]X[,Y[,Z]], several with ';' between, from 1 to 1024 threads";

/// Where Clang, unlike nvcc, wants a 'typename', 'template', 'this->' or '%'
/// and cannot go on without.
struct MissingKeyword {
  Place Where;
  llvm::StringRef Text; ///< as it is to be put in; lives for ever
};

/// What the analysis of one file says beside its diagnostics.
struct PassReport {
  bool Analysed = false; ///< the device pass was seen, at sm_80 or above
  unsigned Kernels = 0;
  unsigned Functions = 0;        ///< device functions analysed by themselves
  unsigned NotFullyAnalysed = 0; ///< of both, those with a gap
  Assumptions AssumedBlocks, AssumedSizes;
  /// Templates looked at with arguments that nothing in the file gives them.
  unsigned MadeUp = 0;
  std::vector<ReportedGap> Gaps;
  std::vector<ReportedGap> Refuted; ///< findings that were dropped, and why
  /// What was handed to clang-tidy, which may still suppress it; without notes.
  std::vector<ReportedFinding> Emitted;
  std::vector<std::string> Sources; ///< files read, system headers apart
  std::vector<std::string> Checks;  ///< those of ours that ran
  std::vector<MissingKeyword> MissingKeywords;
  std::vector<ReportedState> States; ///< if FrontEnd::TellsStates
  // As in AnalysisResult; if FrontEnd::TellsLaunches.
  LaunchIndex Launches;
  std::vector<std::string> Unlaunched;
};

/// Templates that are looked at though nothing instantiates them.
struct AskedTemplates {
  std::string File; ///< they are in; empty: what is parsed
  /// Instances are made of those that are named in these lines; none: of all.
  std::optional<std::set<unsigned>> Lines;
};

struct FrontEnd {
  /// No checks but ours look at the file.
  bool IsAlone = false;
  /// Takes each line of --print-state, without its end; null: nobody does.
  std::function<void(llvm::StringRef Line)> PrintState;
  /// Keep to ourselves which keywords Clang misses that nvcc does not.
  bool HidesRepaired = false;
  /// What other files launch; see AnalysisOptions.
  const LaunchIndex *LaunchesElsewhere = nullptr;
  bool TellsLaunches = false;
  bool TellsStates = false; ///< as in AnalysisOptions
  WorkDivider Divide;       ///< see AnalysisOptions
  AskedTemplates Templates;
  /// Called before anything is parsed; null: nothing to do.
  void (*Prepare)(clang::Preprocessor &) = nullptr;
  PassReport Report;
};

FrontEnd &frontEnd();

} // namespace cpasync

#endif // CPASYNC_CHECKS_FRONTEND_H

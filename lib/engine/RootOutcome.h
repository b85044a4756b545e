//===- RootOutcome.h - What the analysis of a root says ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots may be analysed in processes of their own, forked from one that has
// parsed the file. What one of them says goes back as bytes, which only that
// process understands: places in the source are numbers of its SourceManager.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_ROOTOUTCOME_H
#define CPASYNC_LIB_ENGINE_ROOTOUTCOME_H

#include "lib/Finding.h"
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace cpasync {

struct RootOutcome {
  KernelReport Report;
  std::vector<Finding> Findings;
  /// Of a template that nothing instantiates: which instances are meant.
  std::vector<unsigned> Meant;
  /// As Program::rightModifiers().
  std::vector<clang::SourceLocation> RightModifiers;
  std::vector<OperationState> States; ///< if asked for
};

std::string pack(const RootOutcome &Found);
/// What pack() made \p Text of; nothing if it is cut short, or of something
/// else.
std::optional<RootOutcome> unpack(llvm::StringRef Text);

/// All fields of a structure that is handed over, in their order.
template <typename T> auto fieldsOf(T &X) {
  using S = std::remove_const_t<T>;
  if constexpr (std::is_same_v<S, RootOutcome>)
    return std::tie(X.Report, X.Findings, X.Meant, X.RightModifiers, X.States);
  else if constexpr (std::is_same_v<S, KernelReport>)
    return std::tie(X.Name, X.Loc, X.IsKernel, X.Copies, X.AssumedBlock,
                    X.AssumedSizes, X.LoadsInBulk, X.OrderIsGuessed, X.MadeUp,
                    X.Gaps, X.Refuted);
  else if constexpr (std::is_same_v<S, AnalysisGap>)
    return std::tie(X.Loc, X.Reason);
  else if constexpr (std::is_same_v<S, OperationState>)
    return std::tie(X.Loc, X.Text);
  else if constexpr (std::is_same_v<S, Finding>)
    return std::tie(X.Kind, X.At, X.Kernel, X.Object, X.Cause, X.Split,
                    X.Overwritten, X.ByStore, X.Rule, X.Text, X.Value, X.Limit,
                    X.Copied, X.NewerGroups, X.IsLiteral, X.IsSource,
                    X.OnEveryPath, X.Thread, X.Reader, X.Other, X.Byte,
                    X.Element, X.Path, X.Trace, X.Repairs);
  else if constexpr (std::is_same_v<S, Finding::Places>)
    return std::tie(X.Copy, X.Commit, X.Wait, X.Read, X.Operand, X.Write,
                    X.Barrier, X.Call, X.OtherReads);
  else if constexpr (std::is_same_v<S, Finding::Root>)
    return std::tie(X.Name, X.Loc, X.Others, X.IsTold);
  else if constexpr (std::is_same_v<S, Finding::ElementName>)
    return std::tie(X.Name, X.Byte, X.OfPointer);
  else if constexpr (std::is_same_v<S, Finding::WitnessPath>)
    return std::tie(X.Length, X.Decided, X.Iteration, X.ThreadsOfBlock,
                    X.BlockX, X.BlockY, X.OfLanes, X.OrderIsGuessed,
                    X.HangsOnThreads, X.LeavesOpen, X.Calls, X.Around);
  else if constexpr (std::is_same_v<S, TraceStep>)
    return std::tie(X.K, X.Loc, X.Name, X.N, X.Flag, X.Value, X.Depth, X.Place,
                    X.Numbers);
  else if constexpr (std::is_same_v<S, NamedNumber>)
    return std::tie(X.Name, X.Value);
  else if constexpr (std::is_same_v<S, Pipeline>)
    return std::tie(X.Owner, X.IsInFlight, X.IsAlone, X.Rounds, X.Steps,
                    X.Before);
  else if constexpr (std::is_same_v<S, Pipeline::Round>)
    return std::tie(X.Loc, X.Variable, X.Value, X.N, X.Outer);
  else if constexpr (std::is_same_v<S, Pipeline::Step>)
    return std::tie(X.K, X.Loc, X.Place, X.LastPlace, X.Count, X.Round,
                    X.Threads, X.IsOwn, X.Slot, X.Begin, X.End, X.Group, X.N,
                    X.InFlight, X.Completes, X.Clashes);
  else {
    static_assert(std::is_same_v<S, Repair>);
    return std::tie(X.K, X.Loc, X.Range, X.Code, X.N, X.Slow);
  }
}

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_ROOTOUTCOME_H

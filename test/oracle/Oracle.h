//===- Oracle.h - What goes wrong in a kernel, slowly -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs every thread of a block one by one, for all values of the parameters and
// some patterns of what they load, and looks at every word of shared memory
// that they touch. It shares no code with the analysis and knows no classes of
// threads, no symbols and no paths.
//
//   a copy writes its words at any time between
//     its issue        by the thread that copies, and
//     its completion   by a wait of the same thread that covers its group
//
//   X comes before Y   X and Y are by one thread and X is earlier, or a barrier
//                      in which both threads took part lies after X and before
//                      Y, or a phase of an mbarrier for which one arrived after
//                      X and which the other found complete before Y; and what
//                      follows from these (vector clocks)
//
// An access A of a word that a copy writes is right if A comes before the issue
// or the completion comes before A. A bulk load is complete for those who come
// after the phase in which its bytes counted. A bulk store reads until a wait
// of its thread, and what was stored by then has to be fenced, by whomever.
// Whether a refill needs a fence as well is not settled: order is all that is
// asked. Everything else is a defect, unless both are copies of the same input.
// So is a store to a word that another thread may still read from a copy.
//
// Threads run in step, as the hardware would like to, each operation by all
// that get to it; defects are named after what came first then. Those between
// threads of one warp are kept apart: warps do run in step as a rule.
//
// The oracle checks itself by what the words hold: every launch is run with all
// copies landing as late as possible and as early as possible, and with the
// threads one after the other from either end. A kernel in which that changes
// what some thread reads has a defect, or stores race with plain accesses,
// which is nobody's business here.
//
// Which phase a wait finds hangs on the order of the threads. Kernels with
// mbarriers are judged in several, in most of which warps run in step.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_ORACLE_H
#define CPASYNC_TEST_ORACLE_ORACLE_H

#include "Unroller.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace oracle {

/// Two accesses of a word, in the order in which they happened here.
struct Defect {
  enum class Kind {
    OwnReadInFlight, ///< a thread reads what its own copy may still be writing
    ReadInFlight,    ///< ... what another's copy may still be writing
    Unsynchronized,  ///< another's copy is complete; nothing orders it before
                     ///< the read
    ReadBeforeCopy,  ///< no write of the word comes before the read, which
                     ///< comes before the copy
    CopyOverRead,    ///< another thread may still read what a copy overwrites
    CopyOverCopy,    ///< two copies may write at the same time
    CopyOverStore,   ///< another thread may still store what a copy overwrites
    StoreOverCopy,   ///< a store while a copy may still be writing
    StoreOverRead,   ///< another thread may still read what was copied before
    StoreUnderRead,  ///< the same, but here the store came first
    CopyOverBulkStore,  ///< a bulk store may still read what a copy overwrites
    StoreOverBulkStore, ///< ... what a store overwrites
    MissingFence,    ///< a bulk store reads what was stored through the generic
                     ///< proxy, with no fence between
    UnorderedSource, ///< nothing orders a store before a bulk store of the word
    Stuck,           ///< a thread waits for a phase that never completes
    ExtraArrivals,   ///< a phase does not wait for all that arrive at once
    ArrivalAhead,    ///< the same, but for bytes that are on their way
    UnorderedInit,   ///< nothing orders a use of an mbarrier behind Earlier,
                     ///< where it is initialised
  };
  Kind K;
  unsigned Earlier, Later; ///< lines; 0: none
  auto operator<=>(const Defect &) const = default;
};

/// The first time that a defect was seen, or a clearer one.
struct Witness {
  Inputs In;
  unsigned Earlier = 0, Later = 0; ///< threads
  unsigned Word = 0;
  bool HasWork = true;    ///< see Unroller::HasWork
  bool InStep = false;    ///< a defect even if warps run in step
  bool IsUniform = false; ///< all threads loaded the same
  bool isBetterThan(const Witness &W) const {
    return std::tuple(HasWork && InStep, InStep, IsUniform) >
           std::tuple(W.HasWork && W.InStep, W.InStep, W.IsUniform);
  }
};

struct Verdict {
  /// Out of bounds, a deadlock, or something no run can mean: why. Says
  /// nothing about defects then.
  std::string Invalid;
  std::map<Defect, Witness> Defects;
  /// What nobody has to tell: arrivals of one instruction in several phases,
  /// and defects of those who no longer wait for a phase that never completes,
  /// as if they had tried often enough; or that follow on extra arrivals.
  std::set<Defect> Beyond;
  /// In some launch a thread is stuck whatever the order.
  bool AlwaysStuck = false;
  /// Bytes were announced that a phase which has all of its arrivals has
  /// copied: it may have been complete before they came.
  bool AnnouncesLate = false;
  std::set<unsigned> OpenAtEnd; ///< lines of copies left in no group
  unsigned Copies = 0;          ///< that ran, over all threads and parameters
  bool PlainRace = false;       ///< two accesses, none of them a copy
  bool Arrives = false;         ///< some thread at a barrier, without waiting
  /// What is read depends on timing and nothing explains it: this oracle is
  /// wrong.
  bool Contradicts = false;
};

/// \p More: parameters take so many values beyond their limit, and what is
/// loaded has so many more patterns.
Verdict judge(const Kernel &K, int64_t More = 0);

/// How many combinations of inputs are tried.
uint64_t launchesOf(const Kernel &K);

std::string describe(const Defect &D, const Witness &W);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_ORACLE_H

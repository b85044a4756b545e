//===- divergent-commit.cpp - Commits only some threads run ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups belong to a thread: a commit or a wait run by other threads does
// nothing for its copies. Threads that skip a commit keep their copies out of
// every group, threads that skip a wait read early. PTX ISA,
// "cp.async.commit_group": the group is made of the executing thread's copies.
//
// A copy that a cooperative group shares is divided among its threads: what is
// left to those that do not run it is not copied. CUDA C++ Programming Guide,
// "Cooperative Groups", memcpy_async.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/Messages.h"

using namespace cpasync;

bool DivergentCommit::owns(const Finding &F) {
  return F.Kind == FindingKind::PartialGroup ||
         (F.Kind == FindingKind::ReadInFlight &&
          F.Cause == InFlightCause::Divergent);
}

/// The commit that ran for other threads, if that is what went wrong.
static clang::SourceLocation skippedCommit(const Finding &F) {
  for (const TraceStep &Step : F.Trace)
    if (Step.K == TraceStep::Kind::CommitSkipped)
      return Step.Loc;
  return F.At.Wait.isValid() ? clang::SourceLocation() : F.At.Commit;
}

static llvm::StringRef whom(const Finding &F) {
  switch (F.Split) {
  case Divergence::Threads:
    return "of the threads that copy";
  case Divergence::Warps:
    return "of the warps that copy";
  case Divergence::Lanes:
    return "lanes of a warp that copies";
  }
  llvm_unreachable("all ways to diverge have words");
}

Primary DivergentCommit::describe(const Finding &F) {
  if (F.Kind == FindingKind::PartialGroup)
    return {F.At.Copy, "copy into " + objectName(F) + " that " +
                           counted(F.Limit, "thread") + " share " +
                           isOrMayBe(F).str() + " run by " +
                           std::to_string(F.Value) + " of them"};
  const clang::SourceLocation Commit = skippedCommit(F);
  const bool IsCommit = Commit.isValid();
  return {IsCommit ? Commit : F.At.Wait,
          std::string(IsCommit ? "commit" : "wait") + " " + isOrMayBe(F).str() +
              " run by only some " + whom(F).str() + " into " + objectName(F)};
}

//===- Messages.cpp - Words for findings ----------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Messages.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace cpasync;
using Kind = TraceStep::Kind;

std::string cpasync::quoted(llvm::StringRef Name) {
  return ("'" + Name + "'").str();
}

std::string cpasync::objectName(const Finding &F) {
  return F.Object.empty() ? "shared memory" : quoted(F.Object);
}

std::string cpasync::counted(int64_t N, llvm::StringRef Noun) {
  return (llvm::Twine(N) + " " + Noun + (N == 1 ? "" : "s")).str();
}

llvm::StringRef cpasync::isOrMayBe(const Finding &F) {
  return F.OnEveryPath ? "is" : "may be";
}

std::string cpasync::threadName(const Finding &F, int Thread) {
  const int OfBlock = int(F.Path.ThreadsOfBlock);
  const int InBlock = OfBlock && Thread >= 0 ? Thread % OfBlock : Thread;
  std::string Name = "thread " + std::to_string(InBlock);
  if (F.Path.BlockX && Thread >= 0) {
    const int X = int(F.Path.BlockX), Y = int(F.Path.BlockY);
    Name += " (" + std::to_string(InBlock % X) + ", " +
            std::to_string(InBlock / X % Y);
    if (InBlock / X / Y)
      Name += ", " + std::to_string(InBlock / X / Y);
    Name += ")";
  }
  if (OfBlock && Thread >= 0)
    Name += " of block " + std::to_string(Thread / OfBlock);
  return Name;
}

std::string cpasync::textWithLine(const Note &N,
                                  const clang::SourceManager &SM) {
  const size_t At = N.Text.find(LineMark);
  if (At == std::string::npos || N.Mentioned.isInvalid())
    return N.Text;
  const clang::PresumedLoc There = SM.getPresumedLoc(N.Mentioned),
                           Here = SM.getPresumedLoc(N.Loc);
  std::string Line = "line " + std::to_string(There.getLine());
  if (Here.isValid() &&
      llvm::StringRef(Here.getFilename()) != There.getFilename())
    Line += " of " + quoted(llvm::sys::path::filename(There.getFilename()));
  return N.Text.substr(0, At) + Line + N.Text.substr(At + LineMark.size());
}

static bool isAssumption(const TraceStep &Step) {
  return Step.K == TraceStep::Kind::AssumedThreads ||
         Step.K == TraceStep::Kind::MadeUpArguments ||
         Step.K == TraceStep::Kind::LaunchedWith ||
         Step.K == TraceStep::Kind::AssumedAligned ||
         Step.K == TraceStep::Kind::TileSize ||
         Step.K == TraceStep::Kind::TileRoom ||
         Step.K == TraceStep::Kind::TilesTogether ||
         Step.K == TraceStep::Kind::WithNumbers ||
         Step.K == TraceStep::Kind::AssumedHarmless;
}

/// "thread 5", "threads 0-31, 64".
static std::string threads(llvm::StringRef Ranges) {
  const bool One = Ranges.find_first_of("-,") == Ranges.npos;
  return ((One ? "thread " : "threads ") + Ranges).str();
}

/// "first", "12th".
static std::string ordinal(int64_t N) {
  static constexpr llvm::StringLiteral Words[] = {"first", "second", "third"};
  if (N >= 1 && N <= 3)
    return Words[N - 1].str();
  const bool IsTeen = N / 10 % 10 == 1;
  const llvm::StringRef Ending = IsTeen        ? "th"
                                 : N % 10 == 1 ? "st"
                                 : N % 10 == 2 ? "nd"
                                 : N % 10 == 3 ? "rd"
                                               : "th";
  return (llvm::Twine(N) + Ending).str();
}

static std::string iterationText(const TraceStep &Step) {
  if (Step.Value)
    return std::string("in the iteration of this loop ") +
           (Step.Flag ? "that begins with " : "with ") + Step.Name + " = " +
           std::to_string(*Step.Value);
  return "in " + (Step.N < 0 ? "a later" : "the " + ordinal(Step.N + 1)) +
         " iteration of this loop";
}

static std::string loopEnteredText(const TraceStep &Step) {
  if (Step.Flag)
    return "loop skipped here";
  return "loop run for " + (Step.N < 0
                                ? "a number of iterations that is not known"
                                : counted(Step.N, "iteration"));
}

static llvm::StringRef leftThing(int64_t What) {
  switch (What) {
  case LeftKernel:
    return "kernel";
  case LeftIteration:
    return "iteration";
  case LeftLoop:
    return "loop";
  default:
    return "function";
  }
}

/// The words of one step; the list is closed (docs/messages.md).
static std::string stepText(const TraceStep &Step, const Finding &F) {
  const std::string Name = quoted(Step.Name);
  switch (Step.K) {
  case Kind::CopyIssued:
    return "copy issued here";
  case Kind::CopyOfLaterSlot:
    return "first copy into these bytes issued here";
  case Kind::Committed:
    return F.Cause == InFlightCause::WaitTooWeak && F.NewerGroups == 0
               ? "committed here as the newest group"
               : "committed here";
  case Kind::CommitSkipped:
    return Step.Name.empty() ? "commit runs here without the copy"
                             : "committed here only by " + threads(Step.Name);
  case Kind::Waited:
    return Step.N == 0
               ? "wait for all groups is here"
               : "wait leaves up to " + counted(Step.N, "group") + " in flight";
  case Kind::WaitedAll:
    return "wait for all copies is here";
  case Kind::TriedOnce:
    return Step.Flag
               ? "when this gives up before the phase is complete"
               : "this may return before the phase is complete, and nothing "
                 "asks";
  case Kind::WaitedEarly:
    return "wait may return at once: parity " + std::to_string(Step.N) +
           " is that of the phase before";
  case Kind::WaitSkipped:
    return "waited for here only by " + threads(Step.Name);
  case Kind::BarrierSkipped:
    return std::string("barrier reached here ") +
           (Step.Flag ? "by " : "only by ") + threads(Step.Name);
  case Kind::Left:
    return leftThing(Step.N).str() + " left here by " + threads(Step.Name);
  case Kind::BranchTaken:
    if (!Step.Name.empty())
      return "taken when this condition is true only in " + threads(Step.Name);
    return std::string("taken when this condition is ") +
           (Step.Flag ? "true" : "false");
  case Kind::CaseTaken:
    return Step.Flag ? "taken in this case" : "taken when no case matches";
  case Kind::LoopEntered:
    return loopEnteredText(Step);
  case Kind::Iteration:
    return iterationText(Step);
  case Kind::LoopLeft:
    return "after the last iteration of this loop";
  case Kind::Barrier:
    return "barrier is here";
  case Kind::BulkCommitted:
    return "bulk copies committed here";
  case Kind::BulkWaited:
    return Step.N > 0 ? "wait leaves " + counted(Step.N, "group") +
                            " of bulk copies in flight"
                      : "bulk copies waited for here";
  case Kind::WaitDone:
    return "its thread waits for the copy here";
  case Kind::MbarrierInit:
    return Name + " initialised here, a phase expects " +
           counted(Step.N, "arrival");
  case Kind::MbarrierArrived:
    return "arrived at " + Name + " here";
  case Kind::MbarrierUsed:
    return "thread " + std::to_string(Step.N) + " uses " + Name + " here";
  case Kind::BlockReached:
    return Name + " of another block reached here";
  case Kind::BytesAnnounced:
    return "bytes of the phase announced here";
  case Kind::PhaseAwaited:
    return "phase of " + Name + " waited for here";
  case Kind::CopiedInBulk:
    return "copied in bulk here";
  case Kind::MatrixRead:
    return "matrix product issued here";
  case Kind::MatricesCommitted:
    return "matrix products committed here";
  case Kind::MatricesWaited:
    return "matrix products waited for here";
  case Kind::KernelEnd:
    return "kernel ends here";
  case Kind::Read:
    return "read here";
  case Kind::Stored:
    return "stored here";
  case Kind::CopyLeftOut:
    return "left out here where a condition around the copy does not hold";
  case Kind::ResultStored:
    return "what is made of it is stored here";
  case Kind::Overwritten:
    return "overwritten here";
  case Kind::Called:
    return (Step.Name.empty() ? "lambda" : Name) + " called here";
  case Kind::InstanceOf:
    return "in instantiation of " + Name +
           (F.Kernel.Others.empty() ? ""
            : F.Kernel.Others.size() == 1
                ? " and of " + quoted(F.Kernel.Others.front())
                : ", and in " + counted(F.Kernel.Others.size(), "more kernel"));
  case Kind::CalledFrom:
    return "while analysing the call to " + Name + " here";
  case Kind::AssumedThreads:
    return "assuming blocks of " + Step.Name;
  case Kind::MadeUpArguments:
    return "instantiated with " +
           (Step.Name.empty() ? "its defaults" : Step.Name) +
           ", as nothing in this file does";
  case Kind::LaunchedWith:
    return (Step.Flag ? "launched here with blocks of "
                      : "launched elsewhere with blocks of ") +
           Step.Name;
  case Kind::AssumedAligned:
    return "assuming that " + Name + " is aligned to " +
           counted(Step.N, "byte");
  case Kind::TileSize:
    return Step.Flag
               ? "the box of this tensor map has " + counted(Step.N, "byte")
               : "a tile has " + counted(Step.N, "byte") +
                     " by what is announced here";
  case Kind::TileRoom:
    return "a tile that is copied here has room for " + counted(Step.N, "byte");
  case Kind::TilesTogether:
    return "the tiles of a phase have " + counted(Step.N, "byte") +
           " together by what is announced here";
  case Kind::WithNumbers:
    if (Step.Numbers.empty())
      return "whether a run takes this path is not decided within the budget";
    return "with " + textOfNumbers(Step.Numbers) +
           (Step.Flag ? "" : " it is not confirmed within the budget");
  case Kind::AssumedHarmless:
    return "assuming that this code, which does not compile, does not matter";
  }
  llvm_unreachable("all steps have words");
}

static llvm::StringRef earlierAccess(const Finding &F) {
  switch (F.Overwritten) {
  case OverwriteCause::InFlight:
  case OverwriteCause::AfterCopy:
    return "copied";
  case OverwriteCause::StillRead:
    return "read";
  case OverwriteCause::BulkRead:
  case OverwriteCause::SentRead:
  case OverwriteCause::BulkReadOtherKind:
    return "copied in bulk";
  case OverwriteCause::MatrixRead:
    return "used in a matrix product";
  case OverwriteCause::AfterStore:
    return "stored";
  }
  llvm_unreachable("all causes have words");
}

static std::string byteOf(int64_t Byte, llvm::StringRef Of) {
  return "byte " + std::to_string(Byte) + " of " + Of.str();
}

/// What clashes: an element, or a byte.
static std::string bytesOf(const Finding &F) {
  if (F.Byte < 0) // it may hang on a number that is not known
    return objectName(F);
  if (F.Element.Name.empty())
    return byteOf(F.Byte, objectName(F));
  const std::string Element = quoted(F.Element.Name);
  return (F.Element.Byte ? byteOf(F.Element.Byte, Element) : Element) +
         (F.Element.OfPointer ? " (" + byteOf(F.Byte, objectName(F)) + ")"
                              : "");
}

Note cpasync::witnessNote(const Finding &F) {
  if (F.Kind == FindingKind::Misaligned) {
    if (F.Thread < 0)
      return {};
    return {F.At.Copy, threadName(F, F.Thread) +
                           " uses a misaligned address here" +
                           (F.Text.empty() ? "" : " if " + F.Text + " is 1")};
  }
  if (F.Kind == FindingKind::EndedBlock || F.Kind == FindingKind::MissingBlock)
    return {F.At.Operand, threadName(F, F.Thread) + " reaches block " +
                              std::to_string(F.Value) + " here"};
  if (F.Kind == FindingKind::PartialGroup)
    return {F.At.Copy,
            threadName(F, F.Thread) + " shares it and does not run it"};
  const std::string Where = bytesOf(F) + " here";
  if (F.Kind == FindingKind::Overwrite) {
    if (F.Thread < 0)
      return {};
    std::string Text = threadName(F, F.Thread) + " overwrites " + Where;
    if (F.Other >= 0)
      Text += ", " + earlierAccess(F).str() + " by " + threadName(F, F.Other);
    return {F.At.Write, std::move(Text)};
  }
  if (F.Kind == FindingKind::MissingFence ||
      F.Kind == FindingKind::UnorderedSource)
    return {F.At.Copy, std::string(F.Overwritten == OverwriteCause::MatrixRead
                                       ? "matrix product"
                                       : "bulk copy") +
                           " of " + threadName(F, F.Thread) + " reads " +
                           Where + ", " + (F.ByStore ? "stored" : "copied") +
                           " by " + threadName(F, F.Other)};
  if (F.Reader < 0)
    return {};
  std::string Text = threadName(F, F.Reader) + " reads " + Where;
  if ((F.Kind == FindingKind::ReadInFlight ||
       F.Kind == FindingKind::UnsynchronizedRead) &&
      F.Thread >= 0 && F.Thread != F.Reader)
    Text += ", copied by " + threadName(F, F.Thread);
  return {F.At.Read, std::move(Text)};
}

/// It says what the steps below are in, and is nothing that happens itself.
static bool isSurrounding(const TraceStep &Step) {
  return Step.K == Kind::InstanceOf || Step.K == Kind::Iteration ||
         Step.K == Kind::LoopLeft || Step.K == Kind::Called;
}

namespace {
/// A step with the notes above it that say what it is in.
struct ToldStep {
  std::vector<Note> Around;
  Note Of;
};
} // namespace

/// Of calls in a row, the first and the last: where the code around is left,
/// and where the step is.
static void shortenCalls(std::vector<Note> &Around) {
  const auto IsCall = [](const Note &N) {
    return N.Step && N.Step->K == Kind::Called;
  };
  for (size_t I = 1; I + 1 < Around.size();)
    if (IsCall(Around[I - 1]) && IsCall(Around[I]) && IsCall(Around[I + 1]))
      Around.erase(Around.begin() + I);
    else
      ++I;
}

/// Keeps the first and the last steps and says how many are missing between.
static void elideMiddle(std::vector<ToldStep> &Steps) {
  if (Steps.size() <= MaxTraceNotes + 1) // hiding one step saves nothing
    return;
  constexpr unsigned Front = 2, Back = MaxTraceNotes - Front;
  const size_t Gone = Steps.size() - MaxTraceNotes;
  Steps[Front].Around.clear();
  Steps[Front].Of.Text = counted(Gone, "step") + " not shown from here";
  Steps.erase(Steps.begin() + Front + 1, Steps.end() - Back);
}

/// The step that the witness tells of.
static Kind witnessedStep(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::Misaligned:
    return Kind::CopyIssued;
  case FindingKind::Overwrite:
    return Kind::Overwritten;
  case FindingKind::MissingFence:
  case FindingKind::UnorderedSource:
    return F.Overwritten == OverwriteCause::MatrixRead ? Kind::MatrixRead
                                                       : Kind::CopiedInBulk;
  default:
    return Kind::Read;
  }
}

/// The step that the warning itself tells, where it stands.
static std::optional<Kind> toldByWarning(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::UnwrittenRead:
    if (F.Cause == InFlightCause::Divergent)
      return std::nullopt;
    return witnessedStep(F);
  case FindingKind::ReadBeforeCopy:
  case FindingKind::UnsynchronizedRead:
  case FindingKind::Misaligned:
    return witnessedStep(F);
  case FindingKind::Overwrite:
    if (F.Overwritten == OverwriteCause::BulkReadOtherKind)
      return F.At.Commit.isValid() ? Kind::Committed : Kind::Waited;
    return Kind::Overwritten;
  case FindingKind::WrongSpace:
  case FindingKind::MapSpace:
  case FindingKind::UncommittedAtEnd:
    return Kind::CopyIssued;
  case FindingKind::OverWait:
    return Kind::Waited;
  case FindingKind::StuckPhase:
  case FindingKind::StuckStage:
    return Kind::PhaseAwaited;
  case FindingKind::StuckBarrier:
    return Kind::Barrier;
  case FindingKind::ExtraArrivals:
    return Kind::MbarrierArrived;
  case FindingKind::UnorderedInit:
    return Kind::MbarrierUsed;
  case FindingKind::EndedBlock:
    return Kind::BlockReached;
  case FindingKind::MissingFence:
  case FindingKind::UnorderedSource:
    return F.Overwritten == OverwriteCause::MatrixRead ? Kind::MatrixRead
                                                       : Kind::CopiedInBulk;
  case FindingKind::BadOperand:
  case FindingKind::WaitCountRange:
  case FindingKind::MissingBlock:
  case FindingKind::PartialGroup:
    return std::nullopt;
  case FindingKind::ReadInFlight:
    break;
  }
  switch (F.Cause) {
  case InFlightCause::NeverWaited:
    return Kind::Read;
  case InFlightCause::NotCommitted:
    return Kind::CopyIssued;
  case InFlightCause::WaitBeforeCommit:
  case InFlightCause::WaitTooWeak:
    return Kind::Waited;
  case InFlightCause::Divergent:
  case InFlightCause::Entangled:
    return std::nullopt; // a note says which threads
  case InFlightCause::OtherKind:
    return F.At.Commit.isValid() ? Kind::BulkCommitted : Kind::BulkWaited;
  case InFlightCause::LeftOut:
    break; // of no read in flight
  }
  llvm_unreachable("all causes are named");
}

/// The steps of \p Trace in order, each with what it is in, the last perhaps
/// without a step. \p IsLeftOut says which are told elsewhere.
static std::vector<ToldStep>
toldSteps(llvm::ArrayRef<TraceStep> Trace, const Finding &F,
          llvm::function_ref<bool(const TraceStep &)> IsLeftOut) {
  std::vector<ToldStep> Told(1);
  for (const TraceStep &Step : Trace) {
    if (isAssumption(Step) || IsLeftOut(Step))
      continue;
    Note N{Step.Loc, stepText(Step, F), /*Fix=*/nullptr, &Step};
    if (isSurrounding(Step)) {
      Told.back().Around.push_back(std::move(N));
      continue;
    }
    const Note *Before = Told.size() > 1 && Told.back().Around.empty()
                             ? &Told[Told.size() - 2].Of
                             : nullptr;
    if (Before && Before->Loc == N.Loc && Before->Text == N.Text)
      continue;
    Told.back().Of = std::move(N);
    Told.emplace_back();
  }
  for (ToldStep &S : Told)
    shortenCalls(S.Around);
  return Told;
}

static void append(std::vector<Note> &To, std::vector<ToldStep> Steps) {
  for (ToldStep &S : Steps) {
    llvm::append_range(To, S.Around);
    if (S.Of.Loc.isValid())
      To.push_back(std::move(S.Of));
  }
}

std::vector<Note> cpasync::traceNotes(const Finding &F,
                                      clang::SourceLocation Primary) {
  const Note Witness = witnessNote(F);
  const llvm::ArrayRef<TraceStep> Trace = F.Trace;
  const TraceStep *Accessed = llvm::find_if(Trace, [&](const TraceStep &Step) {
    return Step.K == witnessedStep(F) && Witness.Loc.isValid();
  });
  const auto IsIteration = [&](size_t I) {
    return I < Trace.size() && Trace[I].K == Kind::Iteration;
  };
  const auto IsTold = [&](const TraceStep &Step) {
    if (Step.K == witnessedStep(F) && Witness.Loc.isValid())
      return true; // the witness says more
    // Between two iterations it says which was its own.
    const size_t I = &Step - Trace.begin();
    return Step.K == toldByWarning(F) && Step.Loc == Primary &&
           !(I > 0 && IsIteration(I - 1) && IsIteration(I + 1));
  };
  std::vector<ToldStep> Before =
      toldSteps(llvm::ArrayRef(Trace.begin(), Accessed), F, IsTold);
  const std::vector<ToldStep> After =
      toldSteps(llvm::ArrayRef(Accessed, Trace.end()), F, IsTold);
  ToldStep Last = std::move(Before.back()); // what the access itself is in
  Before.pop_back();
  elideMiddle(Before);
  std::vector<Note> Notes, Assumptions;
  append(Notes, std::move(Before));
  for (const TraceStep &Step : Trace)
    if (isAssumption(Step))
      Assumptions.push_back({Step.Loc, stepText(Step, F)});
  // What was assumed goes before the witness if that ends the story.
  const bool IsEnd = After.size() == 1;
  if (IsEnd)
    llvm::append_range(Notes, Assumptions);
  llvm::append_range(Notes, Last.Around);
  if (Witness.Loc.isValid())
    Notes.push_back(Witness);
  append(Notes, After);
  if (!IsEnd)
    llvm::append_range(Notes, Assumptions);
  return Notes;
}

std::vector<Note> cpasync::completeTrace(const Finding &F) {
  const Note Witness = witnessNote(F);
  bool Told = Witness.Loc.isInvalid();
  std::vector<Note> Notes, Steps;
  for (const TraceStep &Step : F.Trace) {
    Note N{Step.Loc, stepText(Step, F), /*Fix=*/nullptr, &Step};
    if (!Told && Step.K == witnessedStep(F)) {
      Told = true;
      N = Witness;
    }
    N.Depth = Step.Depth;
    N.Place = Step.Place;
    (isAssumption(Step) ? Notes : Steps).push_back(std::move(N));
  }
  Notes.insert(Notes.end(), Steps.begin(), Steps.end());
  if (!Told)
    Notes.push_back(Witness);
  return Notes;
}

std::vector<Note> cpasync::alsoReadNotes(const Finding &F) {
  constexpr size_t MaxReads = 4; // more are counted
  std::vector<Note> Notes;
  for (const clang::SourceLocation Read : F.At.OtherReads)
    if (Notes.size() < MaxReads)
      Notes.push_back({Read, "also read here"});
  if (const size_t More = F.At.OtherReads.size() - Notes.size())
    Notes.back().Text += ", and in " + counted(More, "more place");
  return Notes;
}

//===- Division.cpp - One file by several processes -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Division.h"
#include "llvm/Support/BinaryStreamReader.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <sys/mman.h>
#include <vector>

using namespace cpasync;
using llvm::StringRef;

namespace {

/// Which pieces are left, in memory that the children share.
class Queue {
public:
  /// Pieces from \p First to \p End - 1. No memory: \p End is next.
  Queue(size_t First, size_t End, size_t Children)
      : End(End), Bytes((Children + 1) * sizeof(Counter)) {
    void *Memory = ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (Memory == MAP_FAILED)
      return;
    Counters = static_cast<Counter *>(Memory);
    for (size_t I = 0; I <= Children; ++I)
      new (Counters + I) Counter(I == 0 ? First : End);
  }
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
  ~Queue() {
    if (Counters)
      ::munmap(Counters, Bytes);
  }

  bool isEmpty() const { return !Counters || Counters[0] >= End; }
  /// The next one, for \p Child; at or behind the end: none is left.
  size_t take(size_t Child) {
    const size_t Piece = Counters[0]++;
    if (Piece < End)
      Counters[Child + 1] = Piece;
    return Piece;
  }
  /// The last one that \p Child took; the end: it took none.
  size_t lastOf(size_t Child) const { return Counters[Child + 1]; }

private:
  using Counter = std::atomic<size_t>;
  static_assert(Counter::is_always_lock_free, "processes share no locks");

  const size_t End;
  const size_t Bytes;
  Counter *Counters = nullptr; ///< what is next; by child, what it took
};

} // namespace

/// What a child did: for each piece its number, the length of what it returned,
/// and that.
static std::string doPieces(Queue &Pieces, size_t Child, size_t End,
                            llvm::function_ref<std::string(size_t)> Work) {
  std::string All;
  llvm::raw_string_ostream Stream(All);
  llvm::support::endian::Writer To(Stream, llvm::endianness::native);
  for (size_t I; (I = Pieces.take(Child)) < End;) {
    const std::string Text = Work(I);
    To.write<uint64_t>(I);
    To.write<uint64_t>(Text.size());
    Stream << Text;
  }
  return All;
}

static void readPieces(StringRef All,
                       std::vector<std::optional<std::string>> &To) {
  llvm::BinaryStreamReader From(All, llvm::endianness::native);
  while (!From.empty()) {
    uint64_t Piece = 0, Size = 0;
    StringRef Text;
    llvm::cantFail(From.readInteger(Piece));
    llvm::cantFail(From.readInteger(Size));
    llvm::cantFail(From.readFixedString(Text, Size));
    To.at(Piece) = Text.str();
  }
}

std::optional<WorkResult>
cpasync::divide(size_t Count, const WorkLimits &Limits,
                llvm::function_ref<std::string(size_t)> Work,
                llvm::function_ref<void(size_t, StringRef)> Take) {
  const auto IsAlone = [&] { return !Limits.Shared->isOneFree(); };
  size_t First = 0;
  for (; First < Count && (First + 1 == Count || IsAlone()); ++First)
    Take(First, Work(First));
  if (First == Count)
    return std::nullopt;

  const size_t Children = std::min(Count - First, Limits.Shared->count());
  Queue Pieces(First, Count, Children);
  std::vector<std::optional<std::string>> Texts(Count);
  std::optional<WorkResult> Lost;
  size_t FirstLost = Count;
  runInChildren(
      Children, Limits,
      [&](size_t Child) { return doPieces(Pieces, Child, Count, Work); },
      [&](size_t Child, WorkResult Result) {
        using Kind = WorkResult::Kind;
        if (Result.Ended == Kind::Finished) {
          readPieces(Result.Output, Texts);
        } else if (Result.Ended != Kind::NotStarted &&
                   Pieces.lastOf(Child) < FirstLost) {
          FirstLost = Pieces.lastOf(Child);
          Lost = std::move(Result);
        }
      },
      [](size_t) {}, [&] { return !Pieces.isEmpty(); });
  for (size_t I = First; I < Count; ++I)
    if (Texts[I])
      Take(I, *Texts[I]);
    else if (!Lost) // there was no process to be had
      Take(I, Work(I));
  return Lost;
}

//===- TileSizes.h - How much a copy of a tensor's tile moves ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor copy moves the box of its tensor map, which the host has encoded.
// Where that is not seen, the kernel tells, too: the tiles of a phase have
// together as many bytes as are announced (PTX ISA, "mbarrier.expect_tx"), and
// none reaches into the next one. So a tile that is alone in its phase has what
// is announced, and tiles that have room for no more than that fill their
// rooms. A tile that is stored has the room of its slot. Phases that contradict
// each other say nothing, unless one of them fills the room.
//
// Where the author has announced a wrong number, this believes him, unless it
// cannot be right. If the tiles have no room for that much, or no tiles have
// it, they are taken to fill their rooms: the phase does not add up then. If
// there is room for more and several tiles are not known, each gets its share:
// one of them is not longer than that, so that where all are read behind their
// shares, something is read that was not copied.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_TILESIZES_H
#define CPASYNC_LIB_INFERENCE_TILESIZES_H

#include "lib/values/Value.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace cpasync {

/// All numbers are bytes.
class TileSizes {
public:
  /// What has one box: a tensor map, by its declaration and its place there;
  /// or copies of one place in the program, where the map is not known. Those
  /// have a size only if they fill their rooms.
  struct Tile {
    const void *Origin;
    int64_t At;
    bool IsPlace = false; ///< in the program
    auto operator<=>(const Tile &) const = default;
  };
  struct Size {
    int64_t Bytes;
    clang::SourceLocation From; ///< where it is announced, or encoded
    enum class By {
      Announcement, ///< of a phase
      Map,          ///< encoded by the host
      Slot,         ///< that it is stored from
      Room,         ///< no tiles can have what is announced
      Share,        ///< of what is announced for several
    } Told = By::Announcement;
    int64_t Together = 0; ///< Share: what is announced
    bool operator==(const Size &O) const { return Bytes == O.Bytes; }
  };
  /// How many copies of which tile a phase has.
  using Copies = llvm::ArrayRef<std::pair<unsigned, int64_t>>;

  /// A number for \p T, for this run.
  unsigned number(Tile T);
  std::optional<Size> sizeOf(Tile T) const;

  /// The box of \p T is encoded so, whatever the kernel announces.
  void tell(Tile T, int64_t Bytes, clang::SourceLocation From) {
    Known[T] = {Bytes, From, Size::By::Map};
  }

  /// A copy of \p T goes to \p Begin in \p Obj; nothing: that is not known.
  void place(Tile T, const Object *Obj, std::optional<int64_t> Begin);
  /// The same of a copy from there. Nothing is announced for it: it fills its
  /// room if it has several that are as large, or the whole of an object.
  void placeSource(Tile T, const Object *Obj, std::optional<int64_t> Begin);
  /// Something else begins at \p Begin in \p Obj.
  void limit(const Object *Obj, int64_t Begin) { Begins[Obj].insert(Begin); }
  /// A phase is complete that has \p Of, and \p Announced for them.
  void complete(Copies Of, int64_t Announced, clang::SourceLocation At);

  /// The tile that \p Byte of \p Obj belongs to, if it has a share only.
  std::optional<Tile> sharerAt(const Object *Obj, int64_t Byte) const;
  /// All who share with \p T.
  std::vector<Tile> sharersWith(Tile T) const;

  /// The run has shown all that there is: what is left open now cannot be what
  /// was announced.
  void end() { HasEnded = true; }
  /// Sizes follow that were not known in this run.
  bool cameLate() const { return Known != solve(); }
  /// What is known for another run.
  TileSizes forNextRun() const;

private:
  using Sizes = std::map<Tile, Size>;
  using Place = std::pair<const Object *, int64_t>;
  /// Where something begins.
  using Limits = std::map<const Object *, std::set<int64_t>>;
  struct Places {
    std::set<Place> Begins;
    bool AreKnown = true;
  };
  struct Phase {
    std::vector<std::pair<Tile, int64_t>> Tiles; ///< and how many of each
    int64_t Announced;
    clang::SourceLocation At;
    auto key() const {
      return std::tuple(Tiles, Announced, At.getRawEncoding());
    }
    bool operator<(const Phase &O) const { return key() < O.key(); }
  };

  void add(Places &To, const Object *Obj, std::optional<int64_t> Begin);
  /// Up to what begins next, or to the end; 0: that is not known.
  static int64_t roomAt(Place At, const Limits &Of);
  /// How much a copy of \p T can move at most; 0: that is not known.
  int64_t roomOf(Tile T, const Limits &Of) const;
  /// Of the tiles of \p P only: what memory is used for at other times may
  /// begin anywhere.
  Limits limitsIn(const Phase &P) const;
  /// What a copy from \p Sources moves, 0: that is not known.
  int64_t filledBy(const Places &Sources) const;
  /// Those of Known, and what follows from the phases.
  Sizes solve() const;
  /// What follows from \p P alone, for tiles that are not in \p Found.
  Sizes follow(const Phase &P, const Sizes &Found) const;
  /// Of tiles that are not in \p Found, if \p P announces what they cannot
  /// have, or less than they have room for.
  Sizes settle(const Phase &P, const Sizes &Found) const;

  bool HasEnded = false;
  Sizes Known;
  std::vector<Tile> Numbered;
  std::map<Tile, Places> Destinations, Sources;
  Limits Begins; ///< of anything
  std::set<Phase> Phases;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_TILESIZES_H

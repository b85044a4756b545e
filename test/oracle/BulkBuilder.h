//===- BulkBuilder.h - What generators of bulk copies share -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_BULKBUILDER_H
#define CPASYNC_TEST_ORACLE_BULKBUILDER_H

#include "Builder.h"

namespace oracle {

/// A ring of slots that bulk copies move as a whole.
class BulkBuilder : protected Builder {
public:
  BulkBuilder(Random &R, const char *Family);

protected:
  using Op = Expr::Op;

  void addRing(unsigned MaxSlots);
  unsigned addMbarriers() {
    K.Mbarriers.push_back(Slots);
    return K.Mbarriers.size() - 1;
  }

  // Statements.
  static Stmt on(Stmt::Kind Kind, Phases On, ExprRef Value = nullptr);
  static Stmt fence() { return simple(Stmt::Kind::Fence); }
  Stmt bulkWait(int64_t N);
  /// All that belongs to tile \p Tile: announced and loaded.
  Block fill(unsigned Full, const ExprRef &Slot, const ExprRef &Tile);
  /// From the slot to where the tile belongs, in a group.
  Block drain(const ExprRef &Slot, const ExprRef &Tile);
  /// Of each thread.
  Stmt touch(Stmt::Kind Kind, const ExprRef &Slot, Reader Who) {
    return access(Kind, place(Ring, Bytes, Slot, whose(Who)));
  }
  /// By one thread, or one a slot; and a barrier.
  void initialise(unsigned Mbarriers, int64_t Count);
  void endInitialisation() { K.Body.push_back(barrier()); }

  // A thread that does what one is enough for.
  ExprRef isElected() const { return binary(thread(), Op::Equal, Elected); }
  Stmt byElected(Block B) const { return branch(isElected(), std::move(B)); }

  /// How a loop knows its slot and parity: from its count, or in variables.
  struct Turn {
    ExprRef Slot, Parity;
    Block Next; ///< at the end of a round
  };
  Turn newTurn(const ExprRef &Tile);
  ExprRef slotOf(const ExprRef &Tile) const {
    return Slots == 1 ? number(0) : binary(Tile, Op::Rem, Slots);
  }
  ExprRef parityOf(const ExprRef &Tile) const {
    return binary(Slots == 1 ? Tile : binary(Tile, Op::Div, Slots), Op::And, 1);
  }

  static void append(Block &To, const Block &B) {
    To.insert(To.end(), B.begin(), B.end());
  }

  unsigned Slots = 1, Bytes = 16; ///< Bytes: of a thread
  unsigned Ring = 0, SlotBytes = 0, Pieces = 1, Elected = 0;
  bool AnnouncesFirst = true; ///< before it arrives, in a statement of its own
  ExprRef Tiles;
};

/// BulkLoads.cpp: one thread loads, all wait.
Kernel bulkLoads(Random &R);
/// BulkRoles.cpp: a warp that loads, others that read, full and empty slots.
Kernel bulkRoles(Random &R);
/// BulkStores.cpp: tiles that threads fill, or change, and one stores.
Kernel bulkStores(Random &R);
Kernel bulkThrough(Random &R);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_BULKBUILDER_H

//===- PhaseBytesTest.cpp - Bulk copies and their phases ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

static std::string at(const std::string &Operands) {
  return " :: " + Operands + " : \"memory\");";
}

static std::string shared(const std::string &Place) {
  return "\"r\"((uint32_t)__cvta_generic_to_shared(" + Place + "))";
}

static std::string init(const std::string &Count) {
  return "__shared__ unsigned long long Full; if (T == 0) asm volatile("
         "\"mbarrier.init.shared.b64 [%0], %1;\"" +
         at(shared("&Full") + ", \"r\"(" + Count + ")") + " SYNC;\n";
}

static std::string announce(int Bytes) {
  return "asm volatile(\"mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;\"" +
         at(shared("&Full") + ", \"r\"(" + std::to_string(Bytes) + ")") + "\n";
}

static std::string load(int Bytes) {
  return "asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::"
         "complete_tx::bytes [%0], [%1], %2, [%3];\"" +
         at(shared("Tile") + ", \"l\"(In), \"r\"(" + std::to_string(Bytes) +
            "), " + shared("&Full")) +
         "\n";
}

static std::string wait(int Parity) {
  return "asm volatile(\"{ .reg .pred P; AGAIN: mbarrier.try_wait.parity."
         "shared.b64 P, [%0], %1; @!P bra AGAIN; }\"" +
         at(shared("&Full") + ", \"r\"(" + std::to_string(Parity) + ")") + "\n";
}

/// Line 1: the barrier; 3: announced; 4: copied; 6: waited for; 7: read.
static std::string tile(const std::string &Count, int Announced, int Copied,
                        int Parity) {
  return found(init(Count) + "if (T == 0) {\n" + announce(Announced) +
               load(Copied) + "}\n" + wait(Parity) + "USE(Tile[T]);");
}

TEST(PhaseBytes, AreThoseThatWereAnnounced) {
  EXPECT_EQ(tile("1", 256, 256, 0), "");
  EXPECT_EQ(tile("1", 512, 256, 0), "StuckPhase wait:6");
  EXPECT_EQ(tile("1", 64, 256, 0), "StuckPhase wait:6");
}

TEST(PhaseBytes, ComeWithTheArrivals) {
  EXPECT_EQ(tile("2", 256, 256, 0), "StuckPhase wait:6");
}

TEST(PhaseBytes, OfTheOtherParityAreNotThere) {
  EXPECT_EQ(tile("1", 256, 256, 1), "ReadInFlight(NeverWaited) copy:4 read:7");
}

TEST(PhaseBytes, AreAMultipleOfSixteen) {
  EXPECT_EQ(tile("1", 24, 24, 0).find("BadOperand"), 0u);
}

// A copy of nothing is none, and nothing is lacking.
TEST(PhaseBytes, MayBeNone) {
  EXPECT_EQ(found(init("1") + "if (T == 0) {\n" + announce(0) + load(0) +
                  "}\n" + wait(0)),
            "");
}

TEST(PhaseBytes, OfAnUnknownBarrierAreAGapAndNothingElse) {
  const std::string Text = found(
      init("1") + "unsigned long long *Bar = &Full + N;\nif (T == 0) {\n" +
      announce(256) + load(256) +
      "}\nasm volatile(\"{ .reg .pred P; mbarrier.try_wait.parity."
      "shared.b64 P, [%0], 0; }\"" +
      at(shared("Bar")) + "\nUSE(Tile[T]);");
  EXPECT_NE(Text.find("which mbarrier this is is not known"), std::string::npos)
      << Text;
  EXPECT_EQ(Text.find("ReadInFlight"), std::string::npos) << Text;
}

// Two threads arrive; the one that drops out is not expected again.
TEST(PhaseBytes, AThreadThatDropsOutIsNotWaitedFor) {
  auto Arrive = [](const std::string &How) {
    return "asm volatile(\"mbarrier." + How + ".shared.b64 _, [%0];\"" +
           at(shared("&Full")) + "\n";
  };
  auto TwoPhases = [&](const std::string &How) {
    return found(init("2") + "if (T == 0)\n" + Arrive(How) + "if (T == 32)\n" +
                 Arrive("arrive") + wait(0) + "if (T == 32)\n" +
                 Arrive("arrive") + wait(1) +
                 "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);");
  };
  EXPECT_EQ(TwoPhases("arrive_drop"), "");
  EXPECT_EQ(TwoPhases("arrive"), "StuckPhase wait:9");
}

// Of two barriers in one array.
TEST(UnorderedInits, AreOfTheBarrierThatIsUsed) {
  auto With = [](const std::string &Between) {
    auto Init = [](const std::string &Place) {
      return "asm volatile(\"mbarrier.init.shared.b64 [%0], 1;\"" +
             at(shared(Place));
    };
    auto Arrive = [](const std::string &Place) {
      return "asm volatile(\"mbarrier.arrive.shared.b64 _, [%0];\"" +
             at(shared(Place));
    };
    return found("__shared__ unsigned long long Full[3];\nif (T == 0) {\n" +
                 Init("&Full[0]") + "\n" + Init("&Full[1]") + "\n}\n" +
                 Between + "\nif (T == 33)\n" + Arrive("&Full[0]") + "\n" +
                 "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);");
  };
  EXPECT_EQ(With("SYNC;"), "");
  EXPECT_EQ(With("SYNC; if (T == 1) Full[0] = 3;"), "");
  EXPECT_EQ(With("SYNC; if (T == 1) Full[2] = 3;"), "");
  EXPECT_EQ(With("if (T == 1) Full[2] = 3;"), With(""));
  EXPECT_EQ(With(""), "UnorderedInit write:3 operand:8");
}

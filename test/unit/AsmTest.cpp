//===- AsmTest.cpp - Inline PTX, instruction by instruction ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// What \p Instructions leave in a register that was 13 before; the operands
/// are %0 (the register), %1 (T) and %2 (N).
static std::string gives(const std::string &Instructions,
                         const std::string &Condition) {
  return behind("int A = 13; asm volatile(\"" + Instructions +
                    "\" : \"+r\"(A) : \"r\"(T), \"r\"(N));",
                Condition);
}

TEST(Asm, ComputesWithRegisters) {
  const struct {
    const char *Instruction, *Result;
  } Cases[] = {
      {"add.s32 %0, %1, 5;", "A == T + 5"},
      {"add.s32 %0, %0, %0;", "A == 26"},
      {"sub.s32 %0, %1, 5;", "A == T - 5"},
      {"mul.lo.s32 %0, %1, 5;", "A == T * 5"},
      {"div.s32 %0, %1, 5;", "A == T / 5"},
      {"rem.s32 %0, %1, 5;", "A == T % 5"},
      {"shl.b32 %0, %1, 2;", "A == T * 4"},
      {"shr.u32 %0, %1, 2;", "A == T / 4"},
      {"and.b32 %0, %1, 5;", "A == (T & 5)"},
      {"or.b32 %0, %1, 5;", "A == (T | 5)"},
      {"xor.b32 %0, %1, 5;", "A == (T ^ 5)"},
      {"mov.u32 %0, %1;", "A == T"},
      {"mov.u32 %0, 7;", "A == 7"},
      {"mov.u32 %0, %%tid.x;", "A == T"},
      {"mov.u32 %0, %%laneid;", "A == T % 32"},
      {"mov.u32 %0, %%ntid.x;", "A == 64"},
      {"mov.u32 %0, WARP_SZ;", "A == 32"},
      {"{ .reg .u32 r; mov.u32 r, %1; add.u32 %0, r, 1; }", "A == T + 1"},
      {"add.s32 %0, %2, 1;", "A == N + 1"},
  };
  for (const auto &[Instruction, Result] : Cases)
    EXPECT_EQ(gives(Instruction, Result), "always") << Instruction;
}

TEST(Asm, WhatItDoesNotKnowIsForgotten) {
  EXPECT_EQ(gives("popc.b32 %0, %1;", "A == 13"), "both");
  EXPECT_EQ(gives("mul.hi.s32 %0, %1, 5;", "A == T * 5"), "both");
  EXPECT_EQ(gives("ld.global.u32 %0, [%2];", "A == 13"), "both");
  EXPECT_EQ(gives("popc.b32 %0, %1;", "A == A + 0 * T"), "always");
}

TEST(Asm, ComparesAndSelects) {
  const struct {
    const char *Comparison, *Result;
  } Cases[] = {{"eq", "T == 7"}, {"ne", "T != 7"}, {"lt", "T < 7"},
               {"le", "T <= 7"}, {"gt", "T > 7"},  {"ge", "T >= 7"}};
  for (const auto &[Comparison, Result] : Cases) {
    const std::string Set =
        "{ .reg .pred p; setp." + std::string(Comparison) + ".s32 p, %1, 7; ";
    const std::string Holds = std::string("(") + Result + ")";
    EXPECT_EQ(gives(Set + "selp.s32 %0, 1, 2, p; }", "A == 2 - " + Holds),
              "always")
        << Comparison;
    EXPECT_EQ(gives(Set + "@p mov.s32 %0, 1; }", "A == 13 - 12 * " + Holds),
              "always")
        << Comparison;
    EXPECT_EQ(gives(Set + "@!p mov.s32 %0, 1; }", "A == 1 + 12 * " + Holds),
              "always")
        << Comparison;
    EXPECT_EQ(gives(Set + "not.pred p, p; selp.s32 %0, 1, 2, p; }",
                    "A == 1 + " + Holds),
              "always")
        << Comparison;
  }
}

TEST(Asm, AGuardThatNobodyKnowsMayHold) {
  const std::string Set = "{ .reg .pred p; setp.gt.s32 p, %2, 0; ";
  EXPECT_EQ(gives(Set + "@p mov.s32 %0, 14; }", "A >= 13"), "always");
  EXPECT_EQ(gives(Set + "@p mov.s32 %0, 14; }", "A <= 14"), "always");
}

TEST(Asm, VotesAndShuffles) {
  const struct {
    const char *Instruction, *Result;
  } Cases[] = {
      {"shfl.sync.idx.b32 %0, %1, 3, 31, -1;", "A == T / 32 * 32 + 3"},
      {"shfl.sync.up.b32 %0, %1, 1, 0, -1;", "A == (T % 32 ? T - 1 : T)"},
      {"shfl.sync.down.b32 %0, %1, 1, 31, -1;",
       "A == (T % 32 < 31 ? T + 1 : T)"},
      {"shfl.sync.bfly.b32 %0, %1, 4, 31, -1;", "A == (T ^ 4)"},
      {"shfl.sync.idx.b32 %0, %1, 1, 6175, -1;", "A == T / 8 * 8 + 1"},
      {"{ .reg .pred p; setp.eq.s32 p, %1, 40;"
       " vote.sync.ballot.b32 %0, p, -1; }",
       "A == (T < 32 ? 0 : 256)"},
      {"{ .reg .pred p; .reg .pred q; setp.eq.s32 p, %1, 40;"
       " vote.sync.any.pred q, p, -1; selp.s32 %0, 1, 0, q; }",
       "A == (T >= 32)"},
      {"{ .reg .pred p; .reg .pred q; setp.lt.s32 p, %1, 40;"
       " vote.sync.all.pred q, p, -1; selp.s32 %0, 1, 0, q; }",
       "A == (T < 32)"},
      {"match.any.sync.b32 %0, %1, -1;", "A == 1 << T % 32"},
  };
  for (const auto &[Instruction, Result] : Cases)
    EXPECT_EQ(gives(Instruction, Result), "always") << Instruction;
}

/// A copy of \p Operands, in a kernel that waits for it.
static std::string copying(const std::string &Instruction) {
  return found("asm volatile(\"" + Instruction +
               "\" :: \"r\"((uint32_t)__cvta_generic_to_shared(Tile + 4 * T)),"
               " \"l\"(In + 4 * T), \"r\"(N), \"r\"(T) : \"memory\");\n"
               "COMMIT;\nWAIT(0);");
}

TEST(Asm, CopiesHaveTheirSize) {
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 16;"), "");
  EXPECT_EQ(copying("cp.async.ca.shared.global [%0], [%1], 4;"), "");
  EXPECT_EQ(copying("cp.async.ca.shared.global [%0], [%1], 8;"), "");
  EXPECT_EQ(copying("cp.async.ca.shared.global [%0], [%1], 12;"),
            "BadOperand(12) copy:1 operand:1");
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 8;"),
            "BadOperand(8) copy:1 operand:1");
}

TEST(Asm, CopiesReadNoMoreThanTheyCopy) {
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 16, 16;"), "");
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 16, 17;"),
            "BadOperand(17) copy:1 operand:1");
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 16, 0;"), "");
  EXPECT_EQ(copying("cp.async.ca.shared.global [%0], [%1], 4, 8;"),
            "BadOperand(8) copy:1 operand:1");
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 16, %2;"), "");
  // In the first thread that says so.
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1], 16, %3;"),
            "BadOperand(17) copy:1 operand:1");
}

TEST(Asm, CopiesArriveAtABarrier) {
  const std::string At = "[%0];\" :: \"r\"((uint32_t)"
                         "__cvta_generic_to_shared(&Bar)))";
  auto Of = [&](const std::string &Arrive) {
    return found("__shared__ long Bar;\nif (T == 0) asm volatile(\""
                 "mbarrier.init.shared.b64 [%0], 64;\" :: \"r\"((uint32_t)"
                 "__cvta_generic_to_shared(&Bar)));\nSYNC;\n"
                 "COPY(Tile + 4 * T, In + 4 * T);\nasm volatile(\"" +
                 Arrive + At +
                 ";\nasm volatile(\"{ .reg .pred p; W: mbarrier.test_wait."
                 "parity.shared.b64 p, [%0], 0; @!p bra W; }\" :: \"r\"("
                 "(uint32_t)__cvta_generic_to_shared(&Bar)));\n"
                 "USE(Tile[4 * (T ^ 32)]);");
  };
  EXPECT_EQ(Of("cp.async.mbarrier.arrive.noinc.shared.b64 "), "");
  EXPECT_EQ(Of("mbarrier.arrive.shared.b64 _, "),
            "ReadInFlight(NeverWaited) copy:4 read:7; UncommittedAtEnd copy:4");
}

TEST(Asm, OneThreadOfAWarpIsElected) {
  EXPECT_EQ(found("int P;\nasm volatile(\"{ .reg .pred p; elect.sync _|p, "
                  "0xffffffff; selp.b32 %0, 1, 0, p; }\" : \"=r\"(P));\n"
                  "if (P)\nCOPY(Tile + 4 * T, In);\nCOMMIT;\nif (P)\n"
                  "USE(Tile[4 * T]);\nWAIT(0);"),
            "ReadInFlight(NeverWaited) copy:4 commit:5 read:7");
}

TEST(Asm, AddressesHaveOffsets) {
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0 + 16], [%1], 16;"), "");
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0 + 8], [%1], 16;"),
            "Misaligned copy:1");
  EXPECT_EQ(copying("cp.async.cg.shared.global [%0], [%1 + 8], 16;"),
            "Misaligned copy:1");
}

/// What is found where thread T loads, stores or does both at 16 T + \p Offset
/// while its copy to 16 T is in flight.
static std::string accessing(const std::string &Instruction, int Offset) {
  return found("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n"
               "float A = 0, B = 0, C = 0, D = 0; asm volatile(\"" +
               Instruction +
               "\" : \"+f\"(A), \"+f\"(B), \"+f\"(C), \"+f\"(D) : \"r\"("
               "(uint32_t)__cvta_generic_to_shared(Tile + 4 * T) + " +
               std::to_string(Offset) +
               ") : \"memory\"); USE(A + B + C + D);\n"
               "WAIT(0);");
}

TEST(Asm, LoadsReadAsManyBytesAsTheySay) {
  const char *InFlight = "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";
  EXPECT_EQ(accessing("ld.shared.f32 %0, [%4];", 0), InFlight);
  EXPECT_EQ(accessing("ld.shared.f32 %0, [%4];", 12), InFlight);
  // Beyond the last thread's copy.
  EXPECT_EQ(accessing("ld.shared.f32 %0, [%4];", 1024), "");
  EXPECT_EQ(accessing("ld.shared.f32 %0, [%4+1024];", 0), "");
  EXPECT_EQ(accessing("ld.shared.f32 %0, [%4+-1024];", 1024), InFlight);
  EXPECT_EQ(accessing("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];", 0), InFlight);
  EXPECT_EQ(accessing("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];", 1024), "");
}

TEST(Asm, StoresWriteAsManyBytesAsTheySay) {
  const char *Overrun = "Overwrite(InFlight) copy:1 write:3";
  EXPECT_EQ(accessing("st.shared.f32 [%4], %0;", 0), Overrun);
  EXPECT_EQ(accessing("st.shared.f32 [%4], %0;", 1024), "");
}

TEST(Asm, AGuardThatIsNotKnownLeavesBothValues) {
  const char *Body = R"(
    int A = 13;
    asm("{ .reg .pred p; setp.gt.s32 p, %1, 0; @p mov.s32 %0, 14; }"
        : "+r"(A) : "r"(N));)";
  EXPECT_EQ(behind(Body, "A == 14"), "both");
  EXPECT_EQ(behind(Body, "A == 13 || A == 14"), "always");
}

TEST(Asm, WhatCameBeforeACopyThatIsRepeatedIsDoneOnce) {
  EXPECT_EQ(
      found("COPY(Tile + 4 * T, In);\n"
            "float *To = Tile + (N > 0 ? 256 : 512) + 4 * T;\n"
            "asm volatile(\"cp.async.commit_group;\"\n"
            "\"cp.async.cg.shared.global [%0], [%1], 16;\"\n"
            ":: \"r\"((uint32_t)__cvta_generic_to_shared(To)), \"l\"(In));\n"
            "COMMIT;\nWAIT(2);\nUSE(Tile[4 * T]);\nWAIT(0);"),
      "maybe ReadInFlight(WaitTooWeak) copy:1 commit:3 wait:7 read:8");
}

TEST(Asm, ASizeInARegisterOf64BitsIsRefused) {
  auto From = [](const std::string &Size) {
    return found("asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 "\" :: \"r\"((uint32_t)__cvta_generic_to_shared(Tile)), "
                 "\"l\"(In), " +
                 Size + ");\nCOMMIT;\nWAIT(0);");
  };
  EXPECT_EQ(From("\"r\"(8)"), "");
  EXPECT_EQ(From("\"n\"(8)"), "");
  EXPECT_EQ(From("\"l\"(8L)").substr(0, 10), "BadOperand");
}

TEST(Asm, WhatAnUnknownVoteGivesIsNotKnown) {
  const std::string Predicate = "{ .reg .pred p; setp.lt.s32 p, %1, 99; ";
  EXPECT_EQ(gives(Predicate + "vote.sync.ballot.b32 %0, p, -1; }", "A == 13"),
            "never");
  EXPECT_EQ(gives(Predicate + "vote.sync.uni.b32 %0, p, -1; }", "A == 13"),
            "both");
}

TEST(Asm, AStoreToAnyPlaceInSharedMemoryMayHaveFilledIt) {
  auto ReadAfter = [](const std::string &Store) {
    return found(
        "asm volatile(\"" + Store +
        "\" :: \"r\"(N), \"l\"((size_t)M));\nUSE(Tile[4 * T]);\nSYNC;\n"
        "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);");
  };
  for (const char *Store :
       {"st.shared.u32 [%0], 1;", "st.shared.v2.u32 [%0], {1, 2};",
        "red.shared.add.u32 [%0], 1;"})
    EXPECT_EQ(ReadAfter(Store), "") << Store;
  // Others are taken to go elsewhere.
  for (const char *Store :
       {"st.u32 [%1], 1;", "red.add.u32 [%1], 1;", "st.global.u32 [%1], 1;",
        "red.global.add.u32 [%1], 1;"})
    EXPECT_EQ(ReadAfter(Store), "ReadBeforeCopy copy:4 read:2") << Store;
}

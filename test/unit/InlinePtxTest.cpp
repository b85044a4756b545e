//===- InlinePtxTest.cpp - Forms of inline PTX, as text -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/InlinePtx.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace cpasync;

namespace {

std::string str(const std::vector<PtxOperand> &Operands);

/// `%0`, `r:p`, `s:smem`, `16`, `[%0+16]`, `[%0+%1]`, `{%0, %1}`, `"1.0"`, with
/// '!' and '|' as in PTX.
std::string str(const PtxOperand &Op) {
  using Kind = PtxOperand::Kind;
  std::string S = Op.Negated ? "!" : "";
  switch (Op.K) {
  case Kind::AsmOperand:
    S += "%" + std::to_string(Op.AsmIndex);
    break;
  case Kind::Register:
    S += "r:" + Op.Text;
    if (Op.Imm) // a declaration, `r<4>`
      S += "<" + std::to_string(Op.Imm) + ">";
    break;
  case Kind::Symbol:
    S += "s:" + Op.Text;
    break;
  case Kind::Immediate:
    S += std::to_string(Op.Imm);
    break;
  case Kind::Address: {
    std::vector<PtxOperand> Rest(Op.Elements.begin() + 1, Op.Elements.end());
    S += "[" + str(Op.Elements.front());
    if (Op.OffsetIndex >= 0)
      S += "+%" + std::to_string(Op.OffsetIndex);
    if (Op.Imm)
      S += (Op.Imm > 0 ? "+" : "") + std::to_string(Op.Imm);
    S += (Rest.empty() ? "" : ", ") + str(Rest) + "]";
    break;
  }
  case Kind::Vector:
    S += "{" + str(Op.Elements) + "}";
    break;
  case Kind::Other:
    S += "\"" + Op.Text + "\"";
    break;
  }
  return S + (Op.Paired.empty() ? "" : "|" + str(Op.Paired));
}

std::string str(const std::vector<PtxOperand> &Operands) {
  std::string S;
  for (const PtxOperand &Op : Operands)
    S += (S.empty() ? "" : ", ") + str(Op);
  return S;
}

/// One instruction a piece, "; " between: "1 @!r:p mov.u32 %0, 1" with the
/// block depth in front when it is not 0; `.reg.pred r:p`; `LOOP:`. Problems
/// follow as "?OFFSET message", with '!' when they touch async copies.
std::string str(const PtxTemplate &Ptx) {
  using Kind = PtxInstruction::Kind;
  std::string S;
  for (const PtxInstruction &I : Ptx.Instructions) {
    S += S.empty() ? "" : "; ";
    if (I.Depth)
      S += std::to_string(I.Depth) + " ";
    if (!I.Guard.empty())
      S += "@" + str(I.Guard) + " ";
    S += (I.K == Kind::Directive ? "." : "") + I.opcode();
    S += I.K == Kind::Label ? ":" : "";
    S += (I.Operands.empty() ? "" : " ") + str(I.Operands);
  }
  for (const PtxProblem &P : Ptx.Problems)
    S += (S.empty() ? "?" : " ?") + std::to_string(P.Offset) +
         (P.TouchesAsync ? "! " : " ") + P.Message;
  return S;
}

struct ReadCase {
  const char *Template;
  const char *Expected;
};

void check(llvm::ArrayRef<ReadCase> Cases,
           llvm::ArrayRef<std::string> Names = {}) {
  for (const ReadCase &Case : Cases)
    EXPECT_EQ(str(readPtx(Case.Template, Names)), Case.Expected)
        << "  template: " << Case.Template;
}

TEST(InlinePtx, CopiesAndWaits) {
  check({
      {"cp.async.cg.shared.global [%0], [%1], 16;",
       "cp.async.cg.shared.global [%0], [%1], 16"},
      {"cp.async.cg.shared.global [%0], [%1], %2;\n",
       "cp.async.cg.shared.global [%0], [%1], %2"},
      {"cp.async.ca.shared::cta.global.L2::128B [%0 + 16], [%1 + -8], 4, %2;",
       "cp.async.ca.shared::cta.global.L2::128B [%0+16], [%1-8], 4, %2"},
      {"cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;",
       "cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3"},
      {"cp.async.commit_group;", "cp.async.commit_group"},
      {"cp.async.commit_group;\n\t", "cp.async.commit_group"},
      {"cp.async.wait_group %0;", "cp.async.wait_group %0"},
      {"cp.async.wait_group 1", "cp.async.wait_group 1"},
      {"cp.async.wait_all ; ;; ", "cp.async.wait_all"},
      {"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];",
       "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0]"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
       "bytes\n\t[%0], [%1, {%3, %4}], [%2];",
       "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
       "bytes [%0], [%1, {%3, %4}], [%2]"},
  });
}

TEST(InlinePtx, OtherInstructionsAroundCopies) {
  check({
      {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];",
       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, "
       "[%4]"},
      {"stmatrix.sync.aligned.x1.m8n8.shared.b16 [%0], {%1};",
       "stmatrix.sync.aligned.x1.m8n8.shared.b16 [%0], {%1}"},
      {"ld.shared.v4.f32 {%0, %1, %2, _}, [%4+32];",
       "ld.shared.v4.f32 {%0, %1, %2, r:_}, [%4+32]"},
      {"st.shared.v2.u32 [%0], {0, -1};", "st.shared.v2.u32 [%0], {0, -1}"},
      {"bar.sync 1, 128;", "bar.sync 1, 128"},
      {"barrier.cta.sync.aligned %0, %1;", "barrier.cta.sync.aligned %0, %1"},
      {"{ .reg .u64 u64addr;\n cvta.to.shared.u64 u64addr, %1;\n"
       " cvt.u32.u64 %0, u64addr; }\n",
       "1 .reg.u64 r:u64addr; 1 cvta.to.shared.u64 r:u64addr, %1; "
       "1 cvt.u32.u64 %0, r:u64addr"},
      {"shfl.sync.idx.b32 %0|p, %1, 0, 0x1f, 0xffffffff;",
       "shfl.sync.idx.b32 %0|s:p, %1, 0, 31, 4294967295"},
      {"setp.ne.b32 p|q, %0, 0;", "setp.ne.b32 s:p|s:q, %0, 0"},
      {"mov.b64 {%0, _}, %1;", "mov.b64 {%0, r:_}, %1"},
      {"ld.global.f32 %0, [%1].unified;", "ld.global.f32 %0, [%1]"},
      {"call (%0), func, (%1, %2);", "call \"(%0)\", s:func, \"(%1, %2)\""},
      {"fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cta"},
  });
}

TEST(InlinePtx, GuardsAndRegisterScopes) {
  check({
      {"{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n @p cp.async.cg.shared."
       "global [%1], [%2], %3;\n}\n",
       "1 .reg.pred r:p; 1 setp.ne.b32 r:p, %0, 0; 1 @r:p cp.async.cg.shared."
       "global [%1], [%2], %3"},
      {"@!p st.shared.u32 [%0], 0;", "@!r:p st.shared.u32 [%0], 0"},
      {"@ ! p bra DONE;", "@!r:p bra s:DONE"},
      {"@%0 exit;", "@%0 exit"},
      {"@%%p1 exit;", "@r:%p1 exit"},
      // A declaration ends with its block.
      {"{.reg .b32 a; mov.b32 a, 1;} mov.b32 a, 2;",
       "1 .reg.b32 r:a; 1 mov.b32 r:a, 1; mov.b32 s:a, 2"},
      {".reg .b32 a; {.reg .b32 a;} mov.b32 a, 2;",
       ".reg.b32 r:a; 1 .reg.b32 r:a; mov.b32 r:a, 2"},
      {".reg .b32 a, %%b, r<3>; mov.b32 r2, rx;",
       ".reg.b32 r:a, r:%b, r:r<3>; mov.b32 r:r2, s:rx"},
      {".reg .b32 r< 2 > , a; mov.b32 a, r1;",
       ".reg.b32 r:r<2>, r:a; mov.b32 r:a, r:r1"},
      {".reg .v4 .b32 v; mov.b32 %0, v.x;",
       ".reg.v4.b32 r:v; mov.b32 %0, r:v.x"},
      // Blocks may be opened and closed by different asm statements.
      {"{ .reg .pred p;", "1 .reg.pred r:p"},
      {"} exit;", "exit"},
      {"{{{ exit; }} exit; }", "3 exit; 1 exit"},
  });
}

TEST(InlinePtx, DirectivesAndLabels) {
  check({
      {".shared .align 16 .b8 tile[1024];", ".shared.align.16.b8 s:tile"},
      {".extern .shared .b8 pool[];", ".extern.shared.b8 s:pool"},
      {".const .u32 t[2] = {1, 2}, u; exit;", ".const.u32 s:t, s:u; exit"},
      {".pragma \"nounroll\"; exit;", ".pragma \"nounroll\"; exit"},
      {".loc 1 20 3\n exit;", ".loc; exit"},
      {"LOOP: @p bra LOOP;", "LOOP:; @r:p bra s:LOOP"},
      {"L%=:\n bra L%=;", "L%=:; bra s:L%="},
      {"$L_1:exit;", "$L_1:; exit"},
  });
}

TEST(InlinePtx, Operands) {
  const std::string Names[] = {"dst", "", "src"};
  check({{"mov.u32 %[dst], %[src];", "mov.u32 %0, %2"},
         {"ld.shared.u32 %c[dst], [%[src]+4];", "ld.shared.u32 %0, [%2+4]"}},
        Names);
  check({
      {"cp.async.wait_group %c0;", "cp.async.wait_group %0"},
      {"mov.u32 %0, %%tid.x;", "mov.u32 %0, r:%tid.x"},
      {"mov.u32 %0, %%laneid;", "mov.u32 %0, r:%laneid"},
      {"mov.u32 %0, %laneid;", "mov.u32 %0, r:%laneid"},
      {"mov.u32 %12, WARP_SZ;", "mov.u32 %12, 32"},
      {"mov.f32 %0, 0f3F800000;", "mov.f32 %0, \"0f3F800000\""},
      {"mov.f32 %0, -1.5e3;", "mov.f32 %0, \"-1.5e3\""},
      {"mov.f64 %0, .5;", "mov.f64 %0, \".5\""},
      {"ld.shared.u32 %0, [buf];", "ld.shared.u32 %0, [s:buf]"},
      {"ld.shared.u32 %0, buf[4];", "ld.shared.u32 %0, [s:buf+4]"},
      {"ld.shared.u32 %0, [%1 + %2];", "ld.shared.u32 %0, [%1+%2]"},
      {"ld.shared.u32 %0, [%1+%2+16];", "ld.shared.u32 %0, [%1+%2+16]"},
      {"ld.shared.u32 %0, [%1 + 16 - 2*4];", "ld.shared.u32 %0, [%1+8]"},
      {"ld.shared.u32 %0, [128];", "ld.shared.u32 %0, [128]"},
      {"add.u32 %0, %1, !p;", "add.u32 %0, %1, !s:p"},
      // Constants for the assembler only.
      {"cp.async.wait_group %0 - 1;", "cp.async.wait_group \"%0 - 1\""},
      {"cp.async.wait_group (%0);", "cp.async.wait_group \"(%0)\""},
      {"cp.async.wait_group 2 * %0;", "cp.async.wait_group \"2 * %0\""},
      {"mov.u32 %0, smem+16;", "mov.u32 %0, \"smem+16\""},
      {"mov.u32 %0, (.s64)1;", "mov.u32 %0, \"(.s64)1\""},
      // GCC's escapes for characters with a meaning in templates.
      {"%{ mov.b64 %{%0, %1%}, %2; %}", "1 mov.b64 {%0, %1}, %2"},
  });
}

TEST(InlinePtx, ConstantExpressions) {
  const std::pair<const char *, int64_t> Cases[] = {
      {"16", 16},
      {"0x10", 16},
      {"0X1fU", 31},
      {"020", 16},
      {"0b10000", 16},
      {"16U", 16},
      {"-1", -1},
      {"4 - 2", 2},
      {"(4-2)", 2},
      {"1 - 2 - 3", -4},
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"-4+8", 4},
      {"- -4", 4},
      {"~0", -1},
      {"!0 + !7", 1},
      {"7 %% 4", 3},
      {"-7 / 2", -3},
      {"1 << 4 | 1", 17},
      {"256 >> 4 & 0x1c", 16},
      {"1 + 1 << 2 & 12", 8},
      {"4 | 2 ^ 6 & 3", 4},
      {"1 | 2 == 2 && 0", 0},
      {"6 ^ 3", 5},
      {"1 << 64", 0},
      {"8 >> 63", 0},
      {"8 >> 64", 0},
      {"-8 >> 64", -1},
      {"5 > 3 ? 2 : 1", 2},
      {"0 ? 2 : 0 ? 3 : 4", 4},
      {"(3 >= 3) + (3 <= 2) + (1 == 1) + (1 != 1)", 2},
      {"1 && 0 || 1", 1},
      {"2 < 1 || 3 > 1", 1},
      {"/* a */ 4 // b\n * 4", 16},
      {"0xffffffffffffffff", -1},
      {"-9223372036854775808 / -1", INT64_MIN},
      {"9223372036854775807 + 1", INT64_MIN},
  };
  for (auto [Text, Value] : Cases) {
    std::string Template = "cp.async.wait_group " + std::string(Text) + ";";
    EXPECT_EQ(str(readPtx(Template)),
              "cp.async.wait_group " + std::to_string(Value))
        << Text;
  }
}

TEST(InlinePtx, BlanksAndComments) {
  check({
      {"", ""},
      {" \t\n\v\f\r", ""},
      {"// cp.async.commit_group;", ""},
      {"/* cp.async.commit_group; */ exit // ; mov\n;", "exit"},
      {"cp.async\n\t.cg .shared .global\n[ %0 ]\t,[%1],/* 4 */16 ;",
       "cp.async.cg.shared.global [%0], [%1], 16"},
      {"exit;exit;", "exit; exit"},
  });
}

TEST(InlinePtx, ProblemsSkipOneStatement) {
  check({
      {"cp.async.cg.shared.global [%0, [%1], 16; exit;",
       "exit ?31! unexpected '['"},
      {"cp.async.wait_group 1 cp.async.commit_group; exit;",
       "exit ?22! expected ',' or ';'"},
      {"mov.u32 %0 %1; exit;", "exit ?11 expected ',' or ';'"},
      {"?; exit;", "exit ?0 expected an instruction"},
      {"%0 exit; exit;", "exit ?0 expected an instruction"},
      {"exit; # 1 \"x.cu\"", "exit ?6 expected an instruction"},
      {"ld.shared.u32 %0, [%1; exit;", "exit ?21! expected ']'"},
      {"ld.global.u32 %0, [%1; exit;", "exit ?21 expected ']'"},
      {"@1 exit; bar.arrive 1, 32;",
       "bar.arrive 1, 32 ?1 expected a predicate after '@'"},
      {"bar.sync $, ?;", "?12! unexpected '?'"},
      {"mov.u32 %0, 09;", "?12 malformed integer constant"},
      {"mov.u32 %0, 1 / 0;", "?17 division by zero"},
      {"mov.u32 %0, 1 ? : 2;", "?16 expected a constant"},
      {"mov.u32 %0, 1 ? 2 : ;", "?20 expected a constant"},
      {"mov.u32 %0, a[; exit;", "exit ?14 unexpected ';'"},
      {"mov.u32 %0, a[1; exit;", "exit ?15 expected ']'"},
      {"mov.u32 %0, 18446744073709551616;", "?12 malformed integer constant"},
      {"mov.u32 %0, ;", "?12 unexpected ';'"},
      {"mov.u32 %0,", "?11 expected an operand"},
      {"mov.u32 %99999999999, 1;", "?20 operand number is too large"},
      {"mov.u32 %[x], 1;", "?11 unknown operand name 'x'"},
      {"mov.u32 %, 1;", "?9 unexpected '%'"},
      {"mov.u32 {{%0}}, 1;", "?9 unexpected '{'"},
      {"mov.u32 [[%0]], 1;", "?9 unexpected '['"},
      {"mov.u32 (%0, 1; exit;", "exit ?14 expected a closing bracket"},
      {"mov. %0, 1;", "?4 expected a modifier after '.'"},
      {"mov.u32 %0, \x01;", "?12 unexpected character"},
      {".reg .b32 r<x>; exit;", "exit ?12 malformed integer constant"},
      {".reg .b32 r<4; exit;", "exit ?13 expected '>'"},
      {"exit; /* mbarrier", "exit ?6! unterminated comment"},
      {"exit", "exit"},
      {"cp.async.wait_all // all", "cp.async.wait_all"},
      {"exit; /*/", "exit ?6 unterminated comment"},
      {"mov.f32 %0, 1.5e;", "?13 expected ',' or ';'"},
      // The block goes on behind a statement that is skipped; its '}' still
      // ends it.
      {"{ .reg .b32 a; ?; mov.u32 a, 1; }",
       "1 .reg.b32 r:a; 1 mov.u32 r:a, 1 ?15 expected an instruction"},
      {"{ .reg .b32 a; ld.shared.u32 a, [%0] } ; mov.u32 a, 1;",
       "1 .reg.b32 r:a; mov.u32 s:a, 1 ?37! expected ',' or ';'"},
  });
  // A NUL is a character like any other.
  EXPECT_EQ(str(readPtx(llvm::StringRef("exit\0;exit;", 11))),
            "exit ?4 unexpected character");
}

TEST(InlinePtx, PrefixesOfOpcodes) {
  PtxTemplate Ptx = readPtx("cp.async.bulk.commit_group;");
  const PtxInstruction &I = Ptx.Instructions.at(0);
  EXPECT_EQ(I.opcode(), "cp.async.bulk.commit_group");
  EXPECT_TRUE(I.startsWith("cp"));
  EXPECT_TRUE(I.startsWith("cp.async.bulk"));
  EXPECT_TRUE(I.startsWith("cp.async.bulk.commit_group"));
  EXPECT_FALSE(I.startsWith("cp.async.b"));
  EXPECT_FALSE(I.startsWith("cp.async.bulk.commit_group.x"));
  EXPECT_TRUE(I.has("bulk"));
  EXPECT_FALSE(I.has("cp.async"));
}

TEST(InlinePtx, OffsetsPointAtInstructions) {
  PtxTemplate Ptx = readPtx(" { @p exit;\n/* x */ L: mov.u32 %0, 1; }");
  ASSERT_EQ(Ptx.Instructions.size(), 3u);
  EXPECT_EQ(Ptx.Instructions[0].Offset, 3u);
  EXPECT_EQ(Ptx.Instructions[1].Offset, 20u);
  EXPECT_EQ(Ptx.Instructions[2].Offset, 23u);
}

TEST(InlinePtx, ManyOperands) {
  std::string Vector = "{%0";
  for (unsigned I = 1; I < 256; ++I)
    Vector += ", %" + std::to_string(I);
  PtxTemplate Ptx = readPtx("wgmma.mma_async.sync.aligned.m64n256k16.f32 " +
                            Vector + "}, %256, %257, p, 1, 1, 0, 0;");
  EXPECT_EQ(Ptx.Problems.size(), 0u);
  ASSERT_EQ(Ptx.Instructions.size(), 1u);
  EXPECT_EQ(Ptx.Instructions[0].Operands.size(), 8u);
  EXPECT_EQ(Ptx.Instructions[0].Operands[0].Elements[255].AsmIndex, 255);
}

/// A megabyte made of one piece each, then ten of all together. What is not
/// linear takes minutes.
TEST(InlinePtx, JunkCostsLinearTimeAndBoundedMemory) {
  const char *Pieces[] = {"?;",
                          "a;",
                          "a,",
                          "{",
                          "}",
                          "(",
                          "[",
                          "/*",
                          "//\n",
                          "@",
                          "@!",
                          "\"",
                          "-",
                          "x|",
                          ".",
                          ":",
                          ";",
                          " ",
                          "%",
                          "!",
                          "1+",
                          "1?",
                          "0 ? 1 : ",
                          "[%0 + 1] ",
                          "a b ",
                          "%0 + ",
                          "(1+(",
                          ".ca",
                          "\xff",
                          "'",
                          "%%",
                          "%[a]",
                          "{a;",
                          "a: ",
                          "a;}{",
                          "{1,",
                          "[a, {",
                          "0x",
                          "a[",
                          "=",
                          ".reg .b32 r<999999999>;",
                          "{.reg .b32 a, b;"};
  auto Read = [](const std::string &Start, const std::string &Piece,
                 size_t Size) {
    std::string Text = Start;
    Text.reserve(Size + Piece.size());
    while (Text.size() < Size)
      Text += Piece;
    auto Begin = std::chrono::steady_clock::now();
    PtxTemplate Ptx = readPtx(Text);
    std::chrono::duration<double> Time =
        std::chrono::steady_clock::now() - Begin;
    EXPECT_LT(Time.count(), 10) << Start << Piece;
    EXPECT_LE(Ptx.Instructions.size(), 5000u) << Start << Piece;
    EXPECT_LE(Ptx.Problems.size(), 100u) << Start << Piece;
  };
  std::string All;
  for (const char *Piece : Pieces) {
    for (const char *Start :
         {"", "mov.u32 %0, ", "cp.async.cg.shared.global ", ".reg .b32 a "})
      Read(Start, Piece, 1'000'000);
    All += Piece;
  }
  Read("", All, 10'000'000);
  Read("", "?;", 10'000'000);
}

TEST(InlinePtx, WhatIsCutOffStillTouchesAsync) {
  std::string Problems, Instructions;
  for (unsigned I = 0; I < 10000; ++I) {
    Problems += "?;";
    Instructions += "exit;";
  }
  for (const std::string &Text : {Problems, Instructions}) {
    EXPECT_FALSE(readPtx(Text).Problems.back().TouchesAsync);
    EXPECT_TRUE(readPtx(Text + "? cp.async;").Problems.back().TouchesAsync);
  }
}

} // namespace

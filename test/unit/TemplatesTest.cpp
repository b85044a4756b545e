//===- TemplatesTest.cpp - Templates that nothing instantiates ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Analysis.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/source/FunctionInfo.h"
#include "lib/templates/ArgumentChoices.h"
#include "lib/templates/PatternSearch.h"
#include "lib/templates/Uninstantiated.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace cpasync;

static constexpr char TemplatePrelude[] = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#include <__clang_cuda_builtin_vars.h>
typedef unsigned long size_t;
struct __half { unsigned short Bits; };
__device__ void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
#define COPY __pipeline_memcpy_async(To, From, 16)
)";

static std::unique_ptr<clang::ASTUnit> unitOf(const std::string &Code) {
  auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      TemplatePrelude + Code,
      {"-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
       "--offload-arch=sm_80", "-nocudainc", "-nocudalib", "-w", "-std=c++17",
       "-resource-dir", CPASYNC_RESOURCE_DIR},
      "templates.cu");
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred() || !Unit->hasSema())
    ADD_FAILURE() << "does not compile:\n" << Code;
  return Unit;
}

static AnalysisOptions optionsFor(clang::ASTUnit &Unit) {
  AnalysisOptions Options;
  Options.MakesInstances = &Unit.getSema();
  Options.IsAskedFor =
      Options.MayMake = [](const clang::FunctionDecl *) { return true; };
  return Options;
}

/// "k: T = float, N = 64 | T = __half, N = 32; f: why": each template with the
/// arguments of its instances.
static std::string made(const std::string &Code) {
  const auto Unit = unitOf(Code);
  const DeviceFunctions Declared(Unit->getASTContext());
  std::string Text;
  for (const UninstantiatedTemplate &Of : uninstantiatedTemplates(
           Unit->getASTContext(), Declared, optionsFor(*Unit))) {
    Text += (Text.empty() ? "" : "; ") + Of.Pattern->getNameAsString() + ": ";
    if (Of.Instances.empty())
      Text += Of.Why;
    for (const MadeUpInstance &X : Of.Instances)
      Text += (&X == &Of.Instances.front() ? "" : " | ") + X.Arguments;
  }
  EXPECT_FALSE(Unit->getDiagnostics().getClient()->getNumErrors());
  return Text;
}

TEST(Templates, ANameTellsANumber) {
  EXPECT_EQ(likelyNumbers("kStages").front(), 2);
  EXPECT_EQ(likelyNumbers("THREADS").front(), 128);
  EXPECT_EQ(likelyNumbers("ThreadsPerRow").front(), 128);
  EXPECT_EQ(likelyNumbers("thread_m_blocks").front(), 4);
  EXPECT_EQ(likelyNumbers("block_size_n").front(), 128);
  EXPECT_EQ(likelyNumbers("BM").front(), 64);
  EXPECT_EQ(likelyNumbers("TileElems").front(), 256);
  EXPECT_EQ(likelyNumbers("kVec").front(), 4);
  EXPECT_EQ(likelyNumbers("A_PAD").front(), 8);
}

TEST(Templates, WhereNoLikelyNumberFitsAnyOtherIsTried) {
  EXPECT_EQ(made("template <int Stages> __global__ void k(int *To, int *From)"
                 " { static_assert(Stages > 100); COPY; }"),
            "k: Stages = 128");
}

TEST(Templates, DifferentArguments) {
  EXPECT_EQ(
      made("template <class T, int Stages> __global__ void k(T *To, T *From)"
           " { COPY; }"),
      "k: T = float, Stages = 2 | T = __half, Stages = 4 | "
      "T = signed char, Stages = 3");
  EXPECT_EQ(made("template <bool B> __global__ void k(int *To, int *From)"
                 " { COPY; }"),
            "k: B = true | B = false");
  EXPECT_EQ(made("enum E { First = 3, Second };"
                 "template <E X> __global__ void k(int *To, int *From)"
                 " { COPY; }"),
            "k: X = First | X = Second");
}

TEST(Templates, OnlyWhatCopiesAndHasNoInstance) {
  EXPECT_EQ(made("template <class T> __global__ void k(T *To) { *To = 1; }"
                 "template <class T> __device__ void f(T *To) { *To = 1; }"),
            "");
  EXPECT_EQ(
      made("template <class T> __global__ void k(T *To, T *From) { COPY; }"
           "template __global__ void k(int *, int *);"),
      "");
  EXPECT_EQ(
      made("template <class T> __global__ void k(T *To, T *From) { COPY; }"
           "template <> __global__ void k(int *To, int *From) { COPY; }"),
      "");
  // Through a kernel that is made.
  EXPECT_EQ(
      made("template <int N> __device__ void f(int *To, int *From) { COPY; }"
           "template <int N> __global__ void k(int *To, int *From)"
           " { f<N>(To, From); }"),
      "k: N = 64 | N = 32 | N = 128");
  // What it is given may copy.
  EXPECT_EQ(
      made("struct Copy { __device__ void operator()(int *To, int *From)"
           " { COPY; } };"
           "struct Fill { __device__ void operator()(int *To, int *)"
           " { *To = 0; } };"
           "template <int N> __device__ void f(int *To, int *From) { COPY; }"
           "template <class F> __global__ void k(F Do, int *To, int *From)"
           " { Do(To, From); f<3>(To, From); }"),
      "k: F = Fill | F = Copy");
}

TEST(Templates, Defaults) {
  EXPECT_EQ(
      made("template <class T, int N = 3> __global__ void k(T *To, T *From)"
           " { static_assert(N == 3 && sizeof(T) == 2); COPY; }"),
      "k: T = __half");
  EXPECT_EQ(made("template <int N = 3> __device__ void f(int *To, int *From)"
                 " { COPY; }"),
            "f: ");
}

TEST(Templates, AnythingMayBeNamedLikeAVector) {
  EXPECT_EQ(made("struct Four { float X[4]; }; typedef Four float4;"
                 "template <class T> __global__ void k(T *To, T *From)"
                 " { static_assert(sizeof(T) == 8); COPY; }"),
            "k: T = double");
}

TEST(Templates, AssertionsHold) {
  EXPECT_EQ(
      made("template <int M, int N, int Threads> __global__ void k(int *To,"
           " int *From) { static_assert(M * N % Threads == 0, \"\");"
           " static_assert(Threads > 128); static_assert(M < 64); COPY; }"),
      "k: M = 32, N = 64, Threads = 256 | M = 32, N = 32, Threads = 256 | "
      "M = 32, N = 128, Threads = 256");
  EXPECT_EQ(made("template <int M, int N, int K> __global__ void k(int *To,"
                 " int *From) { static_assert(M == 17 && N == 9 && K == 21);"
                 " COPY; }"),
            "k: M = 17, N = 9, K = 21");
  EXPECT_EQ(made("template <int M, int N> __global__ void k(int *To, int *From)"
                 " { static_assert(M == 17); static_assert(N == 9); COPY; }"),
            "k: M = 17, N = 9");
  EXPECT_EQ(made("template <unsigned long N> __global__ void k(int *To, int"
                 " *From) { static_assert(N == 4000000000u); COPY; }"),
            "k: N = 4000000000");
  EXPECT_EQ(made("template <int N> __global__ void k(int *To, int *From)"
                 " { static_assert(N > 100000, \"large\"); COPY; }"),
            "k: N = 100001");
  // In a class that it names; there is one error for many arguments.
  EXPECT_EQ(
      made("template <int N> struct Half { static_assert(N < 30);"
           " static constexpr int Of = N / 2; };"
           "template <int N, bool B> __global__ void k(int *To, int *From)"
           " { int X[Half<N>::Of]; COPY; }"),
      "k: N = 16, B = true | N = 16, B = false");
  // Of one class an error is told once, to the first who names it.
  EXPECT_EQ(made("template <int N> struct Half { int Of[N == 64 ? -1 : 1]; };"
                 "template <int N> __global__ void k(int *To, int *From)"
                 " { Half<N> X; COPY; }"
                 "template <int N> __global__ void l(int *To, int *From)"
                 " { Half<N> X; COPY; }"),
            "k: N = 32 | N = 128; l: N = 32 | N = 128");
}

// Each alone would take more instances than are tried.
TEST(Templates, ManyNumbersThatHangOnEachOther) {
  EXPECT_EQ(
      made(R"(
template <int Dim, int AtomM, int AtomN, int AtomK, int WarpsQ, int WarpsK,
          int RowsQ, int RowsK, int RowsP, int DimV, int Stages, int Pad>
__global__ void k(float *To, const float *From) {
  static_assert(AtomM == 16 && AtomN == 8 && AtomK == 16);
  static_assert(WarpsQ <= 8 && WarpsK == 1);
  static_assert(RowsQ == 1 && RowsK == 7 && RowsP == RowsQ &&
                DimV == Dim / (AtomN * WarpsK));
  static_assert(Stages > 0 && Stages < 3, "one or two");
  static_assert(Pad >= 0 && Pad % 16 == 0);
  constexpr int Rows = AtomM * WarpsQ * RowsQ;
  static_assert(Rows == 96);
  COPY;
})"),
      "k: Dim = 64, AtomM = 16, AtomN = 8, AtomK = 16, WarpsQ = 6, WarpsK = 1, "
      "RowsQ = 1, RowsK = 7, RowsP = 1, DimV = 8, Stages = 2, Pad = 0 | "
      "Dim = 32, AtomM = 16, AtomN = 8, AtomK = 16, WarpsQ = 6, WarpsK = 1, "
      "RowsQ = 1, RowsK = 7, RowsP = 1, DimV = 4, Stages = 2, Pad = 0 | "
      "Dim = 128, AtomM = 16, AtomN = 8, AtomK = 16, WarpsQ = 6, WarpsK = 1, "
      "RowsQ = 1, RowsK = 7, RowsP = 1, DimV = 16, Stages = 2, Pad = 0");
}

TEST(Templates, SizesAndConstantsInAssertions) {
  EXPECT_EQ(made(R"(
constexpr int Warp = 32;
template <class T, int Cols> struct Traits {
  static constexpr int Bytes = Cols * sizeof(T);
  static_assert(Bytes == 12 * sizeof(int) * Warp, "a row");
  static __device__ void f(float *To, const float *From) { COPY; }
};)"),
            "f: T = float, Cols = 384 | T = __half, Cols = 768 | "
            "T = signed char, Cols = 1536");
}

TEST(Templates, ARestIsNoLine) {
  EXPECT_EQ(made("template <int Width> __global__ void k(int *To, int *From)"
                 " { static_assert(Width % 96 == 0); COPY; }"),
            "k: Width = 96");
}

TEST(Templates, ConstantsOfAClassHaveValues) {
  EXPECT_EQ(made("template <int N> struct C { static constexpr int Items ="
                 " 1000 / N + (1 << N); static constexpr bool Any = N;};"
                 "template <class P> __global__ void k(int *To, int *From)"
                 " { for (int I = 0; I < P::Items; ++I) COPY; }"),
            "k: P = C<16>");
}

TEST(Templates, WhatAMemberIsAskedFor) {
  EXPECT_EQ(made("struct Op { static constexpr int First = 0; };"
                 "template <class T> struct C { using Handed = T; };"
                 "template <class P> __global__ void k(int *To, int *From)"
                 " { To[0] = P::Handed::First; COPY; }"),
            "k: P = C<Op>");
}

TEST(Templates, InstancesDifferWhereTheyMay) {
  EXPECT_EQ(made("template <int Stages> __global__ void k(int *To, int *From)"
                 " { static_assert(Stages > 2); COPY; }"),
            "k: Stages = 4 | Stages = 3");
}

TEST(Templates, AssertionsThatNoNumbersMeet) {
  EXPECT_EQ(made(R"(
template <int Rows>
__global__ void k(float *To, const float *From) {
  static_assert(Rows > 8 && Rows < 4 && Rows / 0 == 1);
  COPY;
})"),
            "k: no arguments that were tried compile: line 15: static "
            "assertion failed due to requirement "
            "'64 < 4'");
}

TEST(Templates, AssertionsThatAreTooMuchAreLeftToClang) {
  // Each constant asks for the one before twice.
  std::string Code = "template <unsigned long Most = ~0ul, int N = 1, class T>"
                     "__global__ void k(T *To, const T *From) {"
                     " constexpr int C0 = N;";
  for (int I = 1; I < 24; ++I)
    Code += llvm::formatv(" constexpr int C{0} = C{1} + C{1};", I, I - 1).str();
  Code += " static_assert(C23 == 1 << 23 && Most > 7";
  for (int I = 0; I < 300; ++I)
    Code += llvm::formatv(" && N + {0} > 0", I).str();
  EXPECT_EQ(made(Code + "); COPY; }"),
            "k: Most = 18446744073709551615, N = 1, T = float | "
            "Most = 18446744073709551615, N = 1, T = __half | "
            "Most = 18446744073709551615, N = 1, T = signed char");
}

TEST(Templates, WhatIsHandedOn) {
  EXPECT_EQ(made("template <int N> __global__ void k(int *To, int *From)"
                 " { COPY; __pipeline_wait_prior(N); }"),
            "k: N = 0");
  EXPECT_EQ(made("template <int N> __device__ void wait_for()"
                 " { __pipeline_wait_prior(N); }"
                 "template <int N> __global__ void k(int *To, int *From)"
                 " { COPY; wait_for<N>(); }"),
            "k: N = 0");
  EXPECT_EQ(made("template <int N> __device__ void f(int *To, int *From)"
                 " { __pipeline_memcpy_async(To, From, N); }"),
            "f: N = 16 | N = 8 | N = 4");
  EXPECT_EQ(made("template <int N> __device__ void f(unsigned To, int *From)"
                 " { asm(\"cp.async.ca.shared.global [%0], [%1], %2;\" ::"
                 " \"r\"(To), \"l\"(From), \"n\"(N)); }"),
            "f: N = 16 | N = 8 | N = 4");
}

TEST(Templates, ClassesWithTheMembersThatAreNamed) {
  const std::string Kernel =
      "template <class Traits> __global__ void k(int *To, int *From)"
      " { __shared__ typename Traits::T Tile[Traits::N]; COPY; }";
  EXPECT_EQ(
      made("struct Other { static constexpr int N = 4; };"
           "struct Right { static constexpr int N = 4; using T = int; };" +
           Kernel),
      "k: Traits = Right");
  EXPECT_EQ(made("template <class E, int Size> struct Both"
                 " { static constexpr int N = Size; using T = E; };" +
                 Kernel),
            "k: Traits = Both<float, 256> | Traits = Both<__half, 128>");
  EXPECT_EQ(made(Kernel), "k: nothing in this file tells what 'Traits' may be");
  EXPECT_EQ(made("struct Right { using T = int; };"
                 "template <class Traits> __global__ void k(int *To, int *From)"
                 " { __shared__ typename Traits::T Tile[4]; COPY; }"),
            "k: Traits = Right");
}

TEST(Templates, PointersAfterWhatIsNone) {
  EXPECT_EQ(made("template <class P> __global__ void k(P To, P From)"
                 " { COPY; }"),
            "k: P = float *");
}

TEST(Templates, WhatCopiesThroughOthersIsNamed) {
  EXPECT_EQ(made("template <class T> __device__ void note(T *To);"
                 "template <class T> __device__ void f(T *To, T *From)"
                 " { COPY; }"
                 "template <class T> __global__ void k(T *To, T *From)"
                 " { typename T::Missing X; note(To); f(To, From); }"),
            "k: nothing in this file tells what 'T' may be; f: T = float | "
            "T = __half | T = signed char");
}

TEST(Templates, AWaitOfAClassTellsACount) {
  EXPECT_EQ(made("struct Ops { template <int N> static __device__ void wait()"
                 " { __pipeline_wait_prior(N); } };"
                 "template <class C, int N> __global__ void k(int *To,"
                 " int *From) { COPY; C::template wait<N>(); }"),
            "k: C = Ops, N = 0");
}

TEST(Templates, MembersOfClasses) {
  const std::string Class =
      "template <int N> struct Loader {"
      "  Loader() = default; __device__ Loader(int *To) : To(To) {}"
      "  __device__ void low(int *From) { COPY; }"
      "  __device__ void high(int *From) { low(From); }"
      "  template <class T> __device__ void other(T *From) { COPY; }"
      "  int *To; };";
  EXPECT_EQ(
      made(Class),
      "other: N = 64, T = float | N = 32, T = __half | N = 128, T = signed "
      "char; high: N = 64 | N = 32 | N = 128");
  // With arguments that somebody else gives, it is there; it is not called.
  EXPECT_EQ(made(Class + "__device__ void use(Loader<5> L, int *P) { L.low(P);"
                         " L.high(P); L.other(P); }"),
            "");
  EXPECT_EQ(made("template <class T, int N> struct Loader;"
                 "template <class T> struct Loader<T, 2> {"
                 "  __device__ void load(int *To, int *From) { COPY; } };"),
            "load: it belongs to a partial specialization");
}

TEST(Templates, DefaultsBeforeOthers) {
  // It counts, although what is behind it has to be given.
  EXPECT_EQ(made("template <int Stages = 3, class T> __global__ void k(T *To,"
                 "    T *From) { COPY; }"),
            "k: Stages = 3, T = float | Stages = 3, T = __half | Stages = 3, T "
            "= signed char");
  EXPECT_EQ(made("template <class T = double, int N, int M = N> __global__ void"
                 "    k(T *To, T *From) { COPY; }"),
            "k: T = double, N = 64 | T = double, N = 32 | T = double, N = 128");
}

TEST(Templates, ParametersOfOtherMembers) {
  // What the one asks of its T is nothing to the other.
  EXPECT_EQ(made("template <int N> struct Loader {"
                 "  template <class T> __device__ void one(T *To, T *From) {"
                 "    To->x = 0; COPY; }"
                 "  template <class T> __device__ void other(T *To, T *From) {"
                 "    COPY; } };"),
            "other: N = 64, T = float | N = 32, T = __half | N = 128, T = "
            "signed char; one: nothing in this file tells what 'T' may be");
  // Nor is how often the other uses its N.
  EXPECT_EQ(made("template <int A> struct Loader {"
                 "  template <int N> __device__ void one(int *To, int *From) {"
                 "    COPY; __pipeline_wait_prior(N); }"
                 "  template <int N> __device__ void other(int *To) {"
                 "    To[N] = N; } };"),
            "one: A = 64, N = 0 | A = 32, N = 0 | A = 128, N = 0");
}

// They cost time, and an error in them is told of whoever is made next.
TEST(Templates, WhatIsCalledGetsNoArgumentsOfItsOwn) {
  const auto Unit =
      unitOf("template <int N> __device__ void f(int *To, int *From) { COPY; }"
             "template <int N> __global__ void k(int *To, int *From)"
             " { f<3>(To, From); }");
  const DeviceFunctions Declared(Unit->getASTContext());
  ASSERT_EQ(Declared.FunctionPatterns.size(), 1u);
  const clang::FunctionDecl *F = Declared.FunctionPatterns.front();
  uninstantiatedTemplates(Unit->getASTContext(), Declared, optionsFor(*Unit));
  unsigned Instances = 0;
  for (const clang::FunctionDecl *Of :
       F->getDescribedFunctionTemplate()->specializations())
    Instances += Of->hasBody();
  EXPECT_EQ(Instances, 1u);
}

TEST(Templates, EachThatIsCalledIsRunWithItsCaller) {
  const std::string Called =
      "template <int N> __device__ void f(int *To, int *From) { COPY; }"
      "template <int N> __device__ void g(int *To, int *From) { COPY; }"
      "template <int N> struct Tile {"
      "  __device__ Tile(int *To, int *From) { COPY; }"
      "  __device__ void fill(int *To, int *From) { COPY; } };";
  auto MadeOf = [&](const std::string &Body) {
    return made(Called +
                "template <int N> __global__ void k(int *To, int *From)"
                " { " +
                Body + " }");
  };
  const std::string K = "k: N = 64 | N = 32 | N = 128";
  const std::string All = "f<N>(To, From); g<N>(To, From);"
                          "Tile<N> Of(To, From); Of.fill(To, From);";
  EXPECT_EQ(MadeOf(All), K);
  EXPECT_EQ(MadeOf("Tile<N> Of(To, From); Of.fill(To, From);"
                   "g<N>(To, From); f<N>(To, From);"),
            K);
  // A name is a use.
  EXPECT_EQ(MadeOf(All + "auto *Of2 = &f<N>; Of2(To, From);"), K);
  EXPECT_NE(MadeOf("f<N>(To, From);").find("g: "), std::string::npos);
  EXPECT_NE(MadeOf("g<N>(To, From);").find("fill: "), std::string::npos);
}

TEST(Templates, MembersThatAreNamedByTheirClassCopy) {
  const std::string Classes =
      "template <class T> struct Tile { int Of;"
      "  __device__ static void fill(int *To, int *From) { COPY; }"
      "  __device__ static void clear(int *To, int *) { *To = 0; }"
      "  __device__ void fillOwn(int *From) { fill(&Of, From); } };"
      "namespace a { template <class T> struct Row {"
      "  __device__ static void fill(int *To, int *From) { COPY; } }; }";
  auto Mentions = [&](const std::string &Body) {
    const auto Unit =
        unitOf(Classes +
               "template <class T> __global__ void k(int *To, int *From) { " +
               Body + " }");
    const DeviceFunctions Declared(Unit->getASTContext());
    Program P(Unit->getASTContext());
    return PatternSearch(P, EffectCopy)
        .mentionsCopies(Declared.KernelPatterns.front());
  };
  for (const char *Copies :
       {"Tile<T>::fill(To, From);", "a::Row<T>::fill(To, From);",
        "Tile<T> Of; Of.fill(To, From);", "Tile<T> Of; Of.fillOwn(From);",
        "Tile<T> Of, *P = &Of; P->fillOwn(From);",
        "auto F = Tile<T>::fill; F(To, From);", "COPY;"})
    EXPECT_TRUE(Mentions(Copies)) << Copies;
  for (const char *Not :
       {"Tile<T>::clear(To, From);", "Tile<T> Of; Of.clear(To, From);",
        "*To = sizeof(Tile<T>);", ""})
    EXPECT_FALSE(Mentions(Not)) << Not;
}

TEST(Templates, WhoeverIsToldOfErrorsIsSoAgainAfterwards) {
  for (const bool IsOwned : {false, true}) {
    clang::DiagnosticConsumer OfTest;
    auto *Client = IsOwned ? new clang::DiagnosticConsumer : &OfTest;
    const auto Unit =
        unitOf("template <int N> __global__ void k(int *To, int *From)"
               " { static_assert(N == 32); COPY; }");
    Unit->getDiagnostics().setClient(Client, IsOwned);
    uninstantiatedTemplates(Unit->getASTContext(),
                            DeviceFunctions(Unit->getASTContext()),
                            optionsFor(*Unit));
    EXPECT_EQ(Unit->getDiagnostics().getClient(), Client);
    EXPECT_EQ(Unit->getDiagnostics().ownsClient(), IsOwned);
    EXPECT_EQ(Client->getNumErrors(), 0u);
  }
}

/// What is found in a file with \p Code, and what is not analysed.
static std::string foundIn(const std::string &Code) {
  const auto Unit = unitOf(Code);
  const AnalysisResult R = analyze(Unit->getASTContext(), optionsFor(*Unit));
  std::string Text;
  for (const Finding &F : R.Findings)
    for (const TraceStep &Step : F.Trace)
      if (Step.K == TraceStep::Kind::MadeUpArguments)
        Text += (Text.empty() ? "" : "; ") + Step.Name;
  for (const KernelReport &K : R.Kernels) {
    EXPECT_TRUE(K.MadeUp || !K.Gaps.empty());
    for (const AnalysisGap &G : K.Gaps)
      Text += (Text.empty() ? "" : "; ") + G.Reason;
  }
  return Text;
}

TEST(Templates, FindingsNameTheirArguments) {
  EXPECT_EQ(foundIn("template <int Stages> __global__ void k(int *From) {"
                    " __shared__ int Tile[4];"
                    " __pipeline_memcpy_async(Tile, From, 16);"
                    " if (Stages != 2) __pipeline_commit();"
                    " __pipeline_wait_prior(0); }"),
            "Stages = 2");
  // Copies of three bytes were not meant.
  EXPECT_EQ(foundIn("template <int N> __global__ void k(int *From) {"
                    " __shared__ int Tile[64]; __pipeline_memcpy_async(Tile, "
                    "From, 4 * N);"
                    " __pipeline_commit(); __pipeline_wait_prior(0); }"),
            "N = 64");
  EXPECT_EQ(foundIn("template <class T> __global__ void k(T *From) {"
                    " __shared__ T Tile[64];"
                    " __pipeline_memcpy_async(Tile, From, sizeof(T));"
                    " __pipeline_commit(); __pipeline_wait_prior(0); }"),
            "");
}

TEST(Templates, ObjectsOfMembersAreMade) {
  const std::string Ring =
      "template <int Stages> class Ring { public:"
      "  __device__ Ring(int (&Tile)[Stages][512]) : Tile(Tile) {}"
      "  __device__ void put(const int *From) {"
      "    __pipeline_memcpy_async(&Tile[Head][4 * threadIdx.x], From, 16);"
      "    __pipeline_commit(); Head = (Head + 1) % Stages; }"
      "  __device__ int take() { __pipeline_wait_prior(Stages - LAST);"
      "    int X = Tile[Tail][4 * threadIdx.x]; Tail = (Tail + 1) % Stages;"
      "    return X; }"
      "  static constexpr int N = Stages; private: int (&Tile)[Stages][512]; "
      "int Head = 0, Tail = 0; };"
      "template <class R> __device__ void use(R &In, const int *From, int "
      "*Out) {"
      "  for (int I = 0; I < R::N; ++I) In.put(From + I); *Out = In.take(); }";
  EXPECT_EQ(foundIn("#define LAST 1\n" + Ring), "");
  EXPECT_EQ(foundIn("#define LAST 0\n" + Ring), "R = Ring<2>");
}

TEST(Templates, WhatDoesNotCopyIsNotTheAnswer) {
  EXPECT_EQ(
      foundIn("template <int Mode> __global__ void k(int *To, int *From)"
              " { if constexpr (Mode == 1) COPY; }"),
      "template is never instantiated: it does not copy with the arguments "
      "that were tried");
  EXPECT_EQ(
      foundIn("template <bool Async> __global__ void k(int *From, int N) {"
              " __shared__ int Tile[128]; if constexpr (Async)"
              " __pipeline_memcpy_async(Tile, From, N); else Tile[0] = 1; }"),
      "cp-size is not known");
}

// A number that is also a ring's size is not only what a wait leaves.
TEST(Templates, OtherUsesOfAWaitCount) {
  EXPECT_EQ(made("template <int N> __global__ void k(int *To, int *From)"
                 " { int X[N]; COPY; __pipeline_wait_prior(N); }"),
            "k: N = 64 | N = 32 | N = 128");
}

TEST(Templates, PlacesToCopyToAreNotLocal) {
  EXPECT_EQ(
      foundIn("struct Tile { int Of[512]; __device__ Tile() {}"
              "  template <int N> __device__ void put(int *From) {"
              "    __pipeline_memcpy_async(&Of[4 * threadIdx.x], From, 16);"
              "    __pipeline_commit(); __pipeline_wait_prior(0); } };"),
      "");
}

// It is all that runs, though elsewhere it would be no more than its caller.
TEST(Templates, AFunctionOfOneStatementIsLookedAtByItself) {
  EXPECT_EQ(foundIn("template <int N> __device__ void f(int *To, int *From)"
                    " { __pipeline_memcpy_async(To, From, 3); }"),
            "N = 64");
  EXPECT_EQ(foundIn("template <int N> __device__ void f(int *To, int *From)"
                    " { COPY; }"),
            "");
}

//===- LaunchesTest.cpp - The blocks that host code launches --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/LaunchTable.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;

static constexpr char HostPrelude[] = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
typedef unsigned long size_t;
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};
typedef int cudaError_t;
enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore, cudaLaunchAttributeClusterDimension = 4 };
union cudaLaunchAttributeValue { char pad[64]; int cooperative; struct { unsigned x, y, z; } clusterDim; };
struct cudaLaunchAttribute { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim; size_t Bytes; void *stream;
  cudaLaunchAttribute *attrs; unsigned numAttrs;
};
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0, void * = 0);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
void exit(int) __attribute__((noreturn));
namespace std {
template <class T> const T &min(const T &A, const T &B) { return B < A ? B : A; }
template <class T> class initializer_list {
  const T *First; size_t Count;
public:
  const T *begin() const { return First; }
  const T *end() const { return First + Count; }
};
}
void measure(int *Threads);
int asked();
__global__ void k();
__global__ void k() {}
template <int> __global__ void t() {}
)";

/// Calls \p Tell for each kernel of \p Code, host functions and what they need,
/// and of the prelude, by name, with what launches are known of.
static void
forEachKernel(const std::string &Code,
              llvm::function_ref<void(const std::string &, const LaunchTable &,
                                      const clang::FunctionDecl *)>
                  Tell) {
  const std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          HostPrelude + Code,
          {"-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
           "--offload-arch=sm_90", "-nocudainc", "-nocudalib", "-w",
           "-std=c++20", "-resource-dir", CPASYNC_RESOURCE_DIR},
          "snippet.cu");
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    ADD_FAILURE() << "does not compile:\n" << Code;
    return;
  }
  using namespace clang::ast_matchers;
  clang::ASTContext &Ctx = Unit->getASTContext();
  const AnalysisOptions Options;
  const LaunchTable Table(Ctx, Options);
  std::map<std::string, const clang::FunctionDecl *> Kernels;
  for (const BoundNodes &N :
       match(functionDecl(hasAttr(clang::attr::CUDAGlobal), isDefinition())
                 .bind("kernel"),
             Ctx)) {
    const auto *F = N.getNodeAs<clang::FunctionDecl>("kernel");
    if (F->isDependentContext())
      continue;
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    F->getNameForDiagnostic(OS, Ctx.getPrintingPolicy(), false);
    Kernels[Name] = F;
  }
  for (const auto &[Name, F] : Kernels)
    Tell(Name, Table, F);
}

/// The blocks that \p Code launches the kernels of the prelude with: "k 16x5,
/// 64; t<4> 8, ?", by name; "?": there may be others.
static std::string launched(const std::string &Code) {
  std::string All;
  forEachKernel(Code, [&](const std::string &Kernel, const LaunchTable &Table,
                          const clang::FunctionDecl *F) {
    std::string Blocks;
    for (const LaunchedBlock &X : Table.launchesOf(F).Blocks) {
      const std::string Text = X.Shape.text();
      Blocks += Blocks.empty() ? " " : ", ";
      Blocks += Text.substr(0, Text.find(' '));
    }
    if (Table.mayBeLaunchedOtherwise(F))
      Blocks += ", ?";
    if (!Blocks.empty())
      All += (All.empty() ? "" : "; ") + Kernel + Blocks;
  });
  return All;
}

TEST(Launches, Constants) {
  EXPECT_EQ(launched("void f() { k<<<1, 64>>>(); }"), "k 64");
  EXPECT_EQ(launched("void f() { k<<<dim3(2), dim3(16, 8)>>>(); }"), "k 16x8");
  EXPECT_EQ(launched("void f() { dim3 B{4, 5, 6}; k<<<1, B>>>(); }"),
            "k 4x5x6");
  EXPECT_EQ(
      launched("enum { Threads = 96 }; void f() { k<<<1, Threads>>>(); }"),
      "k 96");
  EXPECT_EQ(
      launched("struct Traits { static constexpr int Warps = 3; };"
               "template <class T> void f() { k<<<1, T::Warps * 32>>>(); }"
               "template void f<Traits>();"),
      "k 96");
  EXPECT_EQ(launched("void f() { k<<<1, 2048>>>(); }"), "");
  EXPECT_EQ(launched("void f() { k<<<1, dim3(0, 8)>>>(); }"), "");
  EXPECT_EQ(launched("void f() { k<<<1, dim3(64, 64)>>>(); }"), "");
}

TEST(Launches, ACopyKeepsWhatItWasMadeOf) {
  EXPECT_EQ(launched("void f() { int N = 64; int M = N; N = 32;"
                     "  k<<<1, M>>>(); }"),
            "k 64");
}

TEST(Launches, Steps) {
  EXPECT_EQ(launched("void f() { dim3 B; B.x = 16; B.y = 5; k<<<1, B>>>(); }"),
            "k 16x5");
  EXPECT_EQ(launched("void f() { int N = 32; N *= 2; N += 16; ++N;"
                     "  k<<<1, N>>>(); }"),
            "k 81");
  EXPECT_EQ(launched("void f() { dim3 B(8); B = dim3(4, 4); k<<<1, B>>>(); }"),
            "k 4x4");
  EXPECT_EQ(launched("struct S { int Warps = 2, More = 5;"
                     "  dim3 B{unsigned(Warps * 32 + More)}; };"
                     "void f() { S Of; k<<<1, Of.B>>>(); }"),
            "k 69");
  EXPECT_EQ(launched("void f() { int N = 64; int &M = N; M = 32;"
                     "  k<<<1, N>>>(); }"),
            "k 32");
}

TEST(Launches, Choices) {
  EXPECT_EQ(launched("void f(int R) { k<<<1, R > 9 ? 82 : 64>>>(); }"),
            "k 82, 64");
  EXPECT_EQ(launched("void f(int R) { int N = 64; if (R > 9) N = 32;"
                     "  k<<<1, N>>>(); }"),
            "k 32, 64");
  // What belongs together stays together.
  EXPECT_EQ(launched("void f(int R) { int X = 16, Y = 16;"
                     "  if (R) { X = 32; Y = 4; } k<<<1, dim3(X, Y)>>>(); }"),
            "k 32x4, 16x16");
  EXPECT_EQ(launched("void f(int R) { dim3 B; switch (R) {"
                     "  case 1: B = dim3(64); break;"
                     "  case 2: case 3: B = dim3(8, 8); break;"
                     "  default: return; } k<<<1, B>>>(); }"),
            "k 64, 8x8");
  EXPECT_EQ(
      launched("void f() { int N = 1; switch (2) { case 1: N = 2;"
               "  case 2: N += 4; case 3: N += 8; break; default: N = 0; }"
               "  k<<<1, N>>>(); }"),
      "k 13");
  EXPECT_EQ(launched("void f() { if (sizeof(int) == 4) k<<<1, 32>>>();"
                     "  else k<<<1, 64>>>(); }"),
            "k 32");
  EXPECT_EQ(launched("void f(int R) { if (R < 0) exit(1);"
                     "  int N = 32; if (R == 0) { N = 5; return; }"
                     "  k<<<1, N>>>(); }"),
            "k 32");
  EXPECT_EQ(launched("void f(bool W) { auto Run = W ? t<1> : t<2>;"
                     "  Run<<<1, 32>>>(); }"),
            "t<1> 32; t<2> 32");
}

TEST(Launches, OneOperandMayDecide) {
  auto Of = [](const std::string &Condition) {
    return launched("void f(int R) { k<<<1, (" + Condition +
                    ") ? 64 : 32>>>(); }");
  };
  EXPECT_EQ(Of("R > 9 || true"), "k 64");
  EXPECT_EQ(Of("true || R > 9"), "k 64");
  EXPECT_EQ(Of("R > 9 && false"), "k 32");
  EXPECT_EQ(Of("false && R > 9"), "k 32");
  EXPECT_EQ(Of("R > 9 || false"), "k 64, 32");
  EXPECT_EQ(Of("R > 9 && true"), "k 64, 32");
}

TEST(Launches, Loops) {
  EXPECT_EQ(launched("void f() { for (int N = 32; N < 256; N *= 2)"
                     "  k<<<1, N>>>(); }"),
            "k 32, 64, 128");
  EXPECT_EQ(launched("void f() { for (int N : {32, 96}) k<<<1, N>>>(); }"),
            "k 32, 96");
  EXPECT_EQ(launched("void f(int R) { int N = 192;"
                     "  while (N > 64 && R < N) N /= 2; k<<<1, N>>>(); }"),
            "k 192, 96, 48");
  EXPECT_EQ(launched("void f(int R) { int N = 32; for (int I = 0; I < R; ++I)"
                     "  { if (I == 3) continue; if (I == 4) break; }"
                     "  k<<<1, N>>>(); }"),
            "k 32");
  // Any number of threads, of which the first are told.
  EXPECT_EQ(launched("void f(int R) { int N = 1; while (N < R) N += 3;"
                     "  k<<<1, N>>>(); }"),
            "k 1, 4, 7, 10, ?");
  // More rounds than are followed; what comes after them does not get lost.
  EXPECT_EQ(launched("void f() { int N = 32, I = 0;"
                     "  for (; I < 1000; ++I) t<1><<<1, I % 2 + 1>>>();"
                     "  k<<<1, N>>>(); t<2><<<1, I>>>(); }"),
            "k 32, ?; t<1> 1, 2, ?");
  EXPECT_EQ(launched("void f(int I) { static const int N[] = {64, 96};"
                     "  k<<<1, N[I]>>>(); k<<<1, N[1]>>>(); }"),
            "k 64, 96");
}

TEST(Launches, LoopsThatAreLeft) {
  EXPECT_EQ(launched("void f() { int N = 8; for (int X : {32, 64, 96})"
                     "  { N = X; if (asked()) break; } k<<<1, N>>>(); }"),
            "k 32, 64, 96");
  EXPECT_EQ(launched("void f() { int N = 8; for (int X : {32, 64})"
                     "  { if (asked()) continue; N = X; } k<<<1, N>>>(); }"),
            "k 64, 32, 8");
  EXPECT_EQ(launched("void f() { for (int X : {32, 64})"
                     "  { k<<<1, X>>>(); if (asked()) return; }"
                     "  k<<<1, 8>>>(); }"),
            "k 32, 64, 8");
  EXPECT_EQ(
      launched("void f() { int N = 8; do { if (asked()) continue; N = 16; }"
               "  while (false); k<<<1, N>>>(); }"),
      "k 16, 8");
}

TEST(Launches, ListsThatAreNotTooLong) {
  auto OfList = [](unsigned Elements) {
    std::string List = "1";
    for (unsigned I = 1; I < Elements; ++I)
      List += ", 1";
    return launched("void f() { int N = 0; for (int X : {" + List +
                    "}) N += X; k<<<1, N>>>(); }");
  };
  EXPECT_EQ(OfList(64), "k 64");
  EXPECT_EQ(OfList(65), "");
}

TEST(Launches, Wrappers) {
  EXPECT_EQ(launched("template <class K> void go(K Run, dim3 B) {"
                     "  Run<<<1, B>>>(); }"
                     "void f() { go(k, 48); go(t<3>, dim3(8, 2)); }"),
            "k 48; t<3> 8x2");
  EXPECT_EQ(launched("void go(void (*Run)(), int N) { Run<<<1, N>>>(); }"
                     "void f() { go(&k, 48); go(t<3>, 16); }"),
            "k 48; t<3> 16");
  EXPECT_EQ(
      launched("void f() { int N = 80;"
               "  auto Go = [&](auto Run, int M) { Run<<<1, N + M>>>(); };"
               "  Go(k, 5); Go(t<1>, 6); }"),
      "k 85; t<1> 86");
  EXPECT_EQ(launched("void set(dim3 &G, dim3 &B) { G = 4; B = dim3(43, 2); }"
                     "void f() { dim3 G, B; set(G, B); k<<<G, B>>>(); }"),
            "k 43x2");
  EXPECT_EQ(launched("struct Setter { Setter(int &N, int To) { N = To; } };"
                     "struct Other { Other(int *N); };"
                     "void f() { int N = 1, M = 2; Setter S(N, 40);"
                     "  Other O(&M); k<<<1, N>>>(); k<<<1, M>>>(); }"),
            "k 40, ?");
  EXPECT_EQ(launched("void set(int *N) { *N = 40; }"
                     "void f() { int N; set(&N); k<<<1, N>>>(); }"),
            "k 40");
  EXPECT_EQ(launched("int usual() { return 97; }"
                     "void go(int N = 0) { if (N == 0) N = usual();"
                     "  k<<<1, N>>>(); }"
                     "void f() { go(); }"),
            "k 97");
  EXPECT_EQ(launched("void go(const dim3 &B) { k<<<1, B>>>(); }"
                     "void f() { go(dim3(2, 46)); }"),
            "k 2x46");
  EXPECT_EQ(launched("void f() { int N = std::min(256, 40 * 3);"
                     "  k<<<1, N>>>(); }"),
            "k 120");
  EXPECT_EQ(launched("struct Launcher { int N;"
                     "  explicit Launcher(int W) : N(W * 32) {}"
                     "  dim3 block() const { return dim3(N - 9); }"
                     "  Launcher &less() { N -= 1; return *this; }"
                     "  void run() { k<<<1, block()>>>(); } };"
                     "void f() { Launcher(3).run(); Launcher L(2); L.less();"
                     "  L.run(); }"),
            "k 87, 54");
  EXPECT_EQ(launched("template <int N> struct Of {"
                     "  static void run() { t<N><<<1, N * 32>>>(); } };"
                     "void f(int R) { if (R > 2) Of<4>::run();"
                     "  else Of<2>::run(); }"),
            "t<2> 64; t<4> 128");
  // A default argument is one of many.
  EXPECT_EQ(launched("void f(int R = 1) { if (R == 1) k<<<1, 32>>>();"
                     "  else k<<<1, 64>>>(); }"),
            "k 32, 64");
  // Nobody in the file calls what launches.
  EXPECT_EQ(launched("void f(int N) { k<<<1, N>>>(); k<<<1, 32>>>(); }"),
            "k 32, ?");
}

TEST(Launches, Interfaces) {
  EXPECT_EQ(
      launched("void f() { cudaLaunchKernel((const void *)k, 1, 66, 0); }"),
      "k 66");
  EXPECT_EQ(launched("void f() { cudaLaunchConfig_t C = {}; C.gridDim = 3;"
                     "  C.blockDim = dim3(8, 3);"
                     "  cudaLaunchKernelExC(&C, (void *)t<5>, 0); }"),
            "t<5> 8x3");
  EXPECT_EQ(launched("cudaLaunchConfig_t with(dim3 B) {"
                     "  cudaLaunchConfig_t C{dim3(1), B}; return C; }"
                     "void f() { auto C = with(77);"
                     "  cudaLaunchKernelExC(&C, (void *)k, 0); }"),
            "k 77");
}

TEST(Launches, WhatEndsNowhereEnds) {
  EXPECT_EQ(
      launched("void f() { int N = N + N; void (*Run)() = Run; Run<<<1, N>>>();"
               "  k<<<1, 32>>>(); }"),
      "k 32");
  EXPECT_EQ(launched("int a(int N); int b(int N) { return a(N); }"
                     "int a(int N) { return b(N); }"
                     "void f() { k<<<1, a(32)>>>(); k<<<1, 64>>>(); }"),
            "k 64, ?");
  EXPECT_EQ(launched("void f() { for (int N = 1;; N = 3 - N) k<<<1, N>>>(); }"),
            "k 1, 2");
  std::string Sum = "1";
  for (int I = 0; I < 1500; ++I)
    Sum += " + asked()";
  EXPECT_EQ(launched("void f() { k<<<1, 32>>>(); k<<<1, " + Sum + ">>>(); }"),
            "k 32, ?");
  std::string Nested;
  for (int I = 0; I < 200; ++I)
    Nested += "if (asked()) { N += 1; for (;;) ";
  EXPECT_EQ(launched("void f() { int N = 1; " + Nested + ";" +
                     std::string(200, '}') + " k<<<1, 32>>>(); }"),
            "k 32");
}

// What is not known is not made up.
TEST(Launches, Unknown) {
  EXPECT_EQ(launched("void f() { int N = 128; measure(&N); k<<<1, N>>>(); }"),
            "");
  EXPECT_EQ(launched("void f() { k<<<1, asked()>>>(); }"), "");
  EXPECT_EQ(launched("void f(float R) { k<<<1, int(R * 8)>>>(); }"), "");
  EXPECT_EQ(launched("void g(int N); void f() { int N = 64;"
                     "  g(N); k<<<1, N>>>(); }"),
            "k 64");
  EXPECT_EQ(launched("void f(int N) { if (N > 0) f(N - 1); k<<<1, N>>>(); }"),
            "");
  EXPECT_EQ(launched("int Threads = 64; void g() { Threads = asked(); }"
                     "void f() { k<<<1, Threads>>>(); }"),
            "");
  EXPECT_EQ(launched("int Threads = 64; void f() { k<<<1, Threads>>>(); }"),
            "k 64");
}

/// The clusters that \p Code launches kernels in: "k 2x1x1", by name.
static std::string clusters(const std::string &Code) {
  std::string All;
  forEachKernel(Code, [&](const std::string &Kernel, const LaunchTable &Table,
                          const clang::FunctionDecl *F) {
    const ClusterShape C = Table.launchesOf(F).Cluster;
    if (C.blocks())
      All += (All.empty() ? "" : "; ") + Kernel + " " + std::to_string(C.X) +
             "x" + std::to_string(C.Y) + "x" + std::to_string(C.Z);
  });
  return All;
}

/// A launch of k with attributes that \p Setup fills in.
static std::string withAttributes(const std::string &Setup) {
  return "void f(bool Large, int N) { cudaLaunchConfig_t C{}; C.blockDim = 64; "
         "cudaLaunchAttribute A[2]; C.attrs = A; C.numAttrs = 1; " +
         Setup + " cudaLaunchKernelExC(&C, (void *)k, nullptr); }";
}

TEST(Clusters, OfLaunches) {
  EXPECT_EQ(clusters("void f() { k<<<1, 64>>>(); }"), "k 1x1x1");
  EXPECT_EQ(clusters(withAttributes("C.numAttrs = 0;")), "k 1x1x1");
  const std::string Pair = "A[0].id = cudaLaunchAttributeClusterDimension; "
                           "A[0].val.clusterDim.x = 2; "
                           "A[0].val.clusterDim.y = 1; "
                           "A[0].val.clusterDim.z = 1; ";
  EXPECT_EQ(clusters(withAttributes(Pair)), "k 2x1x1");
  EXPECT_EQ(clusters(withAttributes(Pair + "A[0].val.clusterDim.y = N;")), "");
  EXPECT_EQ(clusters(withAttributes(Pair + "C.numAttrs = N;")), "");
  EXPECT_EQ(clusters(withAttributes(
                Pair + "A[1] = A[0]; A[0].id = cudaLaunchAttributeIgnore; "
                       "C.numAttrs = 2;")),
            "k 2x1x1");
  EXPECT_EQ(clusters(withAttributes(Pair + "if (Large) C.numAttrs = 0;")), "");
  EXPECT_EQ(clusters("void f(); void g() { f(); }"), "");
}

// Launchers keep what they launch with beside the attributes that it points to.
TEST(Clusters, OfLaunchers) {
  const std::string Class =
      "struct Launcher { cudaLaunchConfig_t C{}; cudaLaunchAttribute A[2];"
      "  Launcher(dim3 Block, dim3 Cluster) : Launcher(Block, Cluster.x) {}"
      "  Launcher(dim3 Block, int X) {"
      "    A[1].id = cudaLaunchAttributeClusterDimension;"
      "    A[1].val.clusterDim = {unsigned(X), 2, 1};"
      "    A[0].id = cudaLaunchAttributeIgnore;"
      "    C.blockDim = Block; C.attrs = A; C.numAttrs = 2; }"
      "  operator cudaLaunchConfig_t *() { return &C; } };";
  EXPECT_EQ(clusters(Class + "void f() { Launcher L(64, dim3(4));"
                             "  cudaLaunchKernelExC(L, (void *)k, nullptr); }"),
            "k 4x2x1");
  // Where it is returned, it is built where it goes.
  EXPECT_EQ(clusters(Class + "Launcher make(int X) { Launcher L(64, X);"
                             "  return L; }"
                             "void f() { Launcher L = make(2);"
                             "  cudaLaunchKernelExC(&L.C, (void *)k, nullptr);"
                             "}"),
            "k 2x2x1");
  // A copy points to the attributes of the other.
  EXPECT_EQ(clusters(Class + "void f() { Launcher L(64, 2), M = L;"
                             "  L.A[1].val.clusterDim.x = 8;"
                             "  cudaLaunchKernelExC(M, (void *)k, nullptr); }"),
            "k 8x2x1");
}

// What takes too long by itself does not hide what it leads to.
TEST(Clusters, OfWhatIsNotComeTo) {
  std::string Slow;
  for (int I = 0; I < 6; ++I)
    Slow += "for (int I = 0; I < 60; ++I) ";
  EXPECT_EQ(clusters("void g() { cudaLaunchConfig_t C{}; C.blockDim = 64;"
                     "  C.numAttrs = 0;"
                     "  cudaLaunchKernelExC(&C, (void *)k, nullptr); }"
                     "int Sum; void f() { dim3 B; " +
                     Slow + "{ Sum += I; B.x = Sum; } k<<<1, B>>>(); g(); }"),
            "k 1x1x1");
}

TEST(Clusters, OfKernels) {
  const std::string Kernel =
      "template <int N> __global__ __attribute__((cluster_dims(N, 2))) "
      "void c() {} ";
  EXPECT_EQ(clusters(Kernel + "void f() { c<4><<<1, 64>>>(); }"), "c<4> 4x2x1");
  EXPECT_EQ(clusters(Kernel + "void f() { c<8><<<1, 64>>>(); }"), "c<8> 8x2x1");
  EXPECT_EQ(clusters(Kernel + "void f() { c<9><<<1, 64>>>(); }"), "");
}

TEST(Launches, ListsOfOne) {
  for (const char *Block :
       {"unsigned X{96};", "unsigned X = {96};",
        "const unsigned X{unsigned{96}};",
        "struct One { unsigned N; } Of{96}; unsigned X = Of.N;",
        "struct One { unsigned N; } Of = {96}; unsigned X{Of.N};",
        "unsigned Of[1] = {96}; unsigned X = Of[0];",
        "unsigned Of[2] = {96}; unsigned X = Of[0] + Of[1];",
        "struct Two { unsigned A[1]; } Of = {{96}}; unsigned X{Of.A[0]};"})
    EXPECT_EQ(
        launched(std::string("void f() { ") + Block + " k<<<1, X>>>(); }"),
        "k 96")
        << Block;
}

TEST(Launches, BehindACallOfAFunctionThatNobodyKnows) {
  const std::string Go = "void go(unsigned X) { k<<<1, X>>>(); }";
  EXPECT_EQ(launched(Go + "void f(void (*Before)()) { Before(); go(96); }"),
            "k 96");
  EXPECT_EQ(launched("void f(unsigned (*Before)()) { Before();"
                     " unsigned X = 64; X /= 2; k<<<1, X>>>(); }"),
            "k 32");
  EXPECT_EQ(launched("void first(void (*Before)()) { Before(); }" + Go +
                     "void f() { go(96); }"),
            "k 96");
}

static constexpr char Maps[] = R"(
struct CUtensorMap_st { alignas(64) unsigned long opaque[16]; };
typedef CUtensorMap_st CUtensorMap;
enum Type { UINT8, FLOAT16 = 6, FLOAT32 = 7, PACKED = 13 };
enum Interleave { NONE, BYTES16 };
typedef int Encode(CUtensorMap *, Type, unsigned, void *, const size_t *,
                   const size_t *, const unsigned *, const unsigned *,
                   Interleave, int, int, int);
Encode cuTensorMapEncodeTiled;
void *entryPoint();
template <class T> __global__ void m(const T A) {}
struct Both { int N; CUtensorMap A, B; };
const unsigned Ones[5] = {1, 1, 1, 1, 1};
)";

/// The boxes that \p Code launches kernels with: "k 0+64 4096", by name,
/// parameter and offset, all in bytes.
static std::string boxes(const std::string &Code) {
  std::string All;
  forEachKernel(Maps + Code, [&](const std::string &Kernel,
                                 const LaunchTable &Table,
                                 const clang::FunctionDecl *F) {
    for (const TensorBox &X : Table.launchesOf(F).Boxes) {
      EXPECT_TRUE(X.Loc.isValid());
      All += (All.empty() ? "" : "; ") + Kernel + " " +
             std::to_string(X.Parameter) + "+" + std::to_string(X.Offset) +
             " " + std::to_string(X.Bytes);
    }
  });
  return All;
}

/// A function that encodes M, with \p Box, and does what \p Then says.
static std::string encoding(const std::string &Box, const std::string &Then) {
  return "void f(bool Large, size_t N) { size_t Dims[2] = {N, N}; "
         "CUtensorMap M{}; " +
         Box +
         " cuTensorMapEncodeTiled(&M, FLOAT32, 2, nullptr, Dims, Dims, Box, "
         "Ones, NONE, 0, 0, 0); " +
         Then + " m<<<1, 32>>>(M); }";
}

TEST(Boxes, Constants) {
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {32, 16};", "")),
            "m<CUtensorMap_st> 0+0 2048");
  EXPECT_EQ(boxes(encoding("unsigned Box[2]; Box[0] = 8; Box[1] = 4;", "")),
            "m<CUtensorMap_st> 0+0 128");
  EXPECT_EQ(boxes(encoding("unsigned All[3] = {5, 8, 4}, *Box = All + 1;", "")),
            "m<CUtensorMap_st> 0+0 128");
  EXPECT_EQ(boxes(encoding("unsigned Box[] = {8};", "")), "");
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {unsigned(N), 4};", "")), "");
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {8, 4}; Box[N] = 2;", "")), "");
}

TEST(Boxes, ThoseThatTheDriverRefusesAreNone) {
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {512, 1};", "")), "");
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {3, 4};", "")), "");
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {0, 4};", "")), "");
}

TEST(Boxes, WhatChangesTheMapIsSeen) {
  EXPECT_EQ(boxes("void replace(CUtensorMap *);" +
                  encoding("unsigned Box[2] = {8, 4};", "replace(&M);")),
            "");
  EXPECT_EQ(boxes("void look(const CUtensorMap *);" +
                  encoding("unsigned Box[2] = {8, 4};", "look(&M);")),
            "m<CUtensorMap_st> 0+0 128");
  EXPECT_EQ(boxes("void fill(unsigned *);" +
                  encoding("unsigned Box[2] = {8, 4}; fill(Box);", "")),
            "");
  EXPECT_EQ(boxes("void fill(unsigned *);" +
                  encoding("unsigned Box[2] = {8, 4}; fill(Box + 1);", "")),
            "");
}

TEST(Boxes, WhatStandsBehindTheMapIsSeenToo) {
  auto Launched = [](const std::string &Before, const std::string &Then) {
    return launched(Maps + Before +
                    encoding("unsigned Box[2] = {8, 4};", Then));
  };
  EXPECT_EQ(Launched("void go(unsigned X) { k<<<1, X>>>(); }", "go(96);"),
            "k 96; m<CUtensorMap_st> 32");
  EXPECT_EQ(Launched("", "unsigned X = 32; X = 64; k<<<1, X>>>();"),
            "k 64; m<CUtensorMap_st> 32");
  EXPECT_EQ(Launched("struct Run { unsigned X = 32;"
                     " void set(unsigned Y) { X = Y; } };",
                     "Run R; R.set(128); k<<<1, R.X>>>();"),
            "k 128; m<CUtensorMap_st> 32");
}

TEST(Boxes, Functions) {
  const std::string Make =
      "template <class T> struct TypeOf { static const Type Is = FLOAT32; };"
      "template <> struct TypeOf<short> { static const Type Is = FLOAT16; };"
      "template <class T> CUtensorMap make(T *P, size_t N, unsigned Width,"
      "                                    unsigned Height) {"
      "  CUtensorMap M; size_t Dims[2] = {N, N};"
      "  unsigned Box[2] = {Width, Height};"
      "  auto *Of = (Encode *)entryPoint();"
      "  if (Of(&M, TypeOf<T>::Is, 2, P, Dims, Dims, Box, Ones, NONE, 0, 0, 0))"
      "    exit(1);"
      "  return M; }";
  EXPECT_EQ(boxes(Make + "void f(short *P, float *Q) {"
                         "  Both B; B.N = 1; B.A = make(P, 64, 64, 8);"
                         "  B.B = make(Q, 64, 16, 2); m<<<1, 32>>>(B); }"),
            "m<Both> 0+64 1024; m<Both> 0+192 128");
  EXPECT_EQ(boxes(Make + "void f(short *P, float *Q) {"
                         "  const CUtensorMap M = make(P, 64, 64, 8);"
                         "  const void *Is[] = {&M};"
                         "  cudaLaunchKernel((const void *)m<CUtensorMap>, 1,"
                         "                   32, (void **)Is); }"),
            "m<CUtensorMap_st> 0+0 1024");
}

TEST(Boxes, OfLaunchesThatDifferNothingIsKnown) {
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {Large ? 32u : 16u, 4};", "")),
            "");
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {32, 4};",
                           "if (Large) { Box[0] = 16; }")),
            "m<CUtensorMap_st> 0+0 512");
  EXPECT_EQ(boxes(encoding("unsigned Box[2] = {32, 4};",
                           "m<<<1, 32>>>(CUtensorMap());")),
            "");
}

TEST(Boxes, Elements) {
  EXPECT_EQ(boxBytes(0, {64, 4, 2}, {1, 1, 1}), 512);  // UINT8
  EXPECT_EQ(boxBytes(9, {64, 4}, {1, 1}), 512);        // BFLOAT16
  EXPECT_EQ(boxBytes(8, {16, 5}, {1, 2}), 16 * 8 * 3); // FLOAT64, every second
  EXPECT_EQ(boxBytes(8, {16, 5}, {2, 1}), 16 * 8 * 5); // all of a row
  EXPECT_EQ(boxBytes(13, {128, 4}, {1, 1}), std::nullopt); // packed
  EXPECT_EQ(boxBytes(0, {16, 4}, {1, 9}), std::nullopt);
}

//===- GlobalPointersTest.cpp - What leads to global memory ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/GlobalPointers.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;
using namespace clang::ast_matchers;

/// For each call of pointer() and place() in \p Code, in its order, whether its
/// argument is known to lead to global memory: "+-". Kernels are followed.
static std::string known(const std::string &Code) {
  const std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          "#define __global__ __attribute__((global))\n"
          "#define __device__ __attribute__((device))\n"
          "#define __shared__ __attribute__((shared))\n"
          "struct Given { float *To; int N; struct { float *To; } In; };"
          "__device__ void pointer(const float *);"
          "__device__ void place(const float &);"
          "__device__ float *some();" +
              Code,
          {"-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
           "--offload-arch=sm_80", "-nocudainc", "-nocudalib", "-w",
           "-resource-dir", CPASYNC_RESOURCE_DIR},
          "pointers.cu");
  EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred()) << Code;
  clang::ASTContext &Ctx = Unit->getASTContext();
  std::vector<const clang::FunctionDecl *> Roots;
  for (const BoundNodes &N :
       match(functionDecl(hasAttr(clang::attr::CUDAGlobal), isDefinition())
                 .bind("kernel"),
             Ctx))
    Roots.push_back(N.getNodeAs<clang::FunctionDecl>("kernel"));
  GlobalPointers Pointers;
  Pointers.follow(Roots);
  std::string Text;
  for (const BoundNodes &N :
       match(callExpr(callee(functionDecl(hasAnyName("pointer", "place"))))
                 .bind("call"),
             Ctx)) {
    const auto *Call = N.getNodeAs<clang::CallExpr>("call");
    const bool Is = Call->getDirectCallee()->getName() == "place"
                        ? Pointers.isBehindGlobal(Call->getArg(0))
                        : Pointers.isGlobal(Call->getArg(0));
    Text += Is ? '+' : '-';
  }
  return Text;
}

static std::string inKernel(const std::string &Body,
                            const std::string &Before = "") {
  return known(Before +
               "__global__ void k(float *In, Given G, int N) {"
               " __shared__ float Tile[64]; " +
               Body + " }");
}

TEST(GlobalPointers, AreWhatAKernelIsGiven) {
  EXPECT_EQ(inKernel("pointer(In); pointer(In + N); pointer(2 + In);"
                     "pointer(In - N); pointer(&In[N]); pointer((float *)In);"),
            "++++++");
  EXPECT_EQ(inKernel("pointer(G.To); pointer(G.In.To + 3);"), "++");
  EXPECT_EQ(inKernel("pointer(Tile); pointer(&Tile[N]); pointer(some());"
                     "pointer(&Tile[In - G.To]);"),
            "----");
}

TEST(GlobalPointers, PlacesBehindThem) {
  EXPECT_EQ(inKernel("place(In[N]); place(*In); place(*(In + N));"
                     "place((*(float (*)[4])In)[N]);"),
            "++++");
  EXPECT_EQ(inKernel("place(Tile[N]); place(*Tile); place(*some());"), "---");
}

TEST(GlobalPointers, VariablesThatOnlyMoveOn) {
  EXPECT_EQ(inKernel("float *P = In; pointer(P); P += N; P -= 2; ++P; P--;"),
            "+");
  for (const char *Replaced :
       {"P = Tile;", "P = In;", "float *&R = P; R = Tile;",
        "float **Q = &P; *Q = Tile;", "[&] { P = Tile; }();",
        "P += (P = Tile) - In;"})
    EXPECT_EQ(inKernel(std::string("float *P = In; pointer(P); ") + Replaced),
              "-")
        << Replaced;
  EXPECT_EQ(inKernel("float *P = Tile; pointer(P);"), "-");
  EXPECT_EQ(inKernel("float *P; pointer(P);"), "-");
  EXPECT_EQ(inKernel("In = Tile; pointer(In);"), "-");
  EXPECT_EQ(inKernel("G.To = Tile; pointer(G.To);"), "-");
  EXPECT_EQ(inKernel("G.N = 3; ++G.N; pointer(G.To);"), "-");
}

TEST(GlobalPointers, ArgumentsOfEveryCall) {
  const std::string Use = "__device__ void use(float *P) { pointer(P); }";
  EXPECT_EQ(inKernel("use(In); use(In + N);", Use), "+");
  EXPECT_EQ(inKernel("use(In); use(Tile);", Use), "-");
  EXPECT_EQ(inKernel("use(Tile); use(In);", Use), "-");
  EXPECT_EQ(inKernel("auto *F = use; use(In); F(Tile);", Use), "-");
  EXPECT_EQ(inKernel("use(In); use(use2(In));",
                     Use + "__device__ float *use2(float *P) { return P; }"),
            "-");
  // Through others, and through itself.
  EXPECT_EQ(inKernel("first(In, 3);",
                     Use + "__device__ void first(float *Q, int N)"
                           " { if (N) first(Q + 1, N - 1); use(Q); }"),
            "-");
  EXPECT_EQ(inKernel("first(In);",
                     Use + "__device__ void first(float *Q) { use(Q); }"),
            "+");
  // Nobody says with what it is called.
  EXPECT_EQ(inKernel("", Use), "-");
}

TEST(GlobalPointers, ArgumentsOfMethodsAndConstructors) {
  const std::string Use =
      "struct Use { __device__ void use(float *P) { pointer(P); }"
      " __device__ void operator()(int, float *P) { pointer(P); } };";
  EXPECT_EQ(inKernel("Use U; U.use(In); U(3, In);", Use), "++");
  EXPECT_EQ(inKernel("Use U; U.use(Tile); U(3, Tile);", Use), "--");
  EXPECT_EQ(inKernel("Use U; U.use(In);", Use), "+-");
}

TEST(GlobalPointers, StructuresThatAreHandedOn) {
  EXPECT_EQ(inKernel("use(G);", "__device__ void use(const Given &X)"
                                " { pointer(X.To); }"),
            "+");
  EXPECT_EQ(inKernel("use(G);", "__device__ void use(Given X)"
                                " { pointer(X.In.To); }"),
            "+");
  // It may have been changed.
  EXPECT_EQ(inKernel("use(G);", "__device__ void use(Given &X)"
                                " { pointer(X.To); }"),
            "-");
  EXPECT_EQ(inKernel("Given Own; use(Own);",
                     "__device__ void use(const Given &X) { pointer(X.To); }"),
            "-");
}

//===- CallsTest.cpp - Calls and what they return -------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

TEST(Calls, TakeValuesAndGiveOne) {
  const char *F = "__device__ int f(int A, int B) { A = A * 10; int C = A + B;"
                  "if (C > 1000) return 0; return C; }";
  EXPECT_EQ(behind("int A = 3, B = f(A, 4);", "A == 3 && B == 34", F),
            "always");
  EXPECT_EQ(behind("int B = f(4, 3);", "B == 43", F), "always");
  EXPECT_EQ(behind("int B = f(T, 1);", "B == 10 * T + 1", F), "always");
  EXPECT_EQ(behind("int B = f(100, 1);", "B == 0", F), "always");
  EXPECT_EQ(behind("int B = f(f(1, 2), 3);", "B == 123", F), "always");
  EXPECT_EQ(behind("int B = f(0, N);", "B <= 1000", F), "always");
}

TEST(Calls, WriteThroughReferencesAndPointers) {
  const char *F = "__device__ void f(int &A, int *B, int C) { A = C; B[1] = C;"
                  "C = 0; }";
  EXPECT_EQ(behind("int A = 1, B[2] = {2, 3}, C = 4; f(A, B, C);",
                   "A == 4 && B[0] == 2 && B[1] == 4 && C == 4", F),
            "always");
}

TEST(Calls, ReturnObjectsAndReferences) {
  const char *Before = "struct P { int X, Y;"
                       "__device__ P &set(int V) { X = V; return *this; } };"
                       "__device__ P make(int X) { return P{X, X + 1}; }"
                       "__device__ int &second(P &O) { return O.Y; }";
  EXPECT_EQ(behind("P A = make(3), B = make(5);",
                   "A.X == 3 && A.Y == 4 && B.X == 5", Before),
            "always");
  EXPECT_EQ(
      behind("P A = make(3); second(A) = 9;", "A.X == 3 && A.Y == 9", Before),
      "always");
  EXPECT_EQ(
      behind("P A = make(3); A.set(6).Y = 2;", "A.X == 6 && A.Y == 2", Before),
      "always");
  EXPECT_EQ(behind("", "make(T).Y == T + 1", Before), "always");
}

TEST(Calls, DefaultArgumentsAreEvaluated) {
  const char *Before = "__device__ int three(int A) { A += 1; return A; }"
                       "__device__ int f(int A, int B = three(2)) {"
                       "int C = A * 10; return C + B; }";
  EXPECT_EQ(behind("int A = f(1);", "A == 13", Before), "always");
  EXPECT_EQ(behind("int A = f(1, 2);", "A == 12", Before), "always");
}

TEST(Calls, LambdasHaveWhatTheyCaptured) {
  EXPECT_EQ(behind("int A = 1; auto F = [=](int B) { return A + B; }; A = 5;"
                   "int C = F(2);",
                   "C == 3"),
            "always");
  EXPECT_EQ(behind("int A = 1; auto F = [&](int B) { A += B; }; A = 5; F(2);",
                   "A == 7"),
            "always");
  EXPECT_EQ(behind("int A = 1; auto F = [B = A + 1] { return B; };"
                   "int C = F();",
                   "C == 2"),
            "always");
  EXPECT_EQ(behind("int A = 1; auto F = [=]() mutable { return ++A; };"
                   "int C = F() * 10 + F();",
                   "C == 23 && A == 1"),
            "always");
}

TEST(Calls, MethodsOfLambdasSeeTheObject) {
  EXPECT_EQ(behind("Box B{4}; int A = B.get(3);", "A == 7",
                   "struct Box { int V; __device__ int get(int By) {"
                   "auto F = [this, By] { return V + By; }; return F(); } };"),
            "always");
}

TEST(Calls, FunctionsAreFollowedThroughPointers) {
  const char *Before =
      "__device__ int one(int A) { A += 1; return A; }"
      "__device__ int two(int A) { A += 2; return A; }"
      "template <typename F> __device__ int with(F Do, int A) {"
      "return Do(A) * 10; }";
  EXPECT_EQ(behind("int (*F)(int) = two; int A = F(T);", "A == T + 2", Before),
            "always");
  EXPECT_EQ(behind("int A = with(one, 3), B = with(two, 3);",
                   "A == 40 && B == 50", Before),
            "always");
}

TEST(Calls, WhatIsNotFollowedMayWriteWhatItIsGiven) {
  const char *Before =
      "__device__ int fill(int *X, int N) {"
      " if (N > 0) return fill(X, N - 1) + 1; *X = N; return 0; }";
  EXPECT_EQ(behind("int A = 5, B = 6; fill(&A, 20);", "A == 5", Before),
            "both");
  EXPECT_EQ(behind("int A = 5, B = 6; fill(&A, 20);", "B == 6", Before),
            "always");
}

TEST(Calls, RecursionEndsWhereItIsTooDeep) {
  const char *F = "__device__ int sum(int A) { if (A == 0) return 0;"
                  "return A + sum(A - 1); }";
  EXPECT_EQ(behind("int A = sum(4);", "A == 10", F), "always");
  EXPECT_EQ(behind("int A = sum(15);", "A == 120", F), "always");
  EXPECT_EQ(behind("int A = sum(16);", "A == 136", F), "both");
  EXPECT_EQ(
      found("int A = sum(16);\nCOPY(Tile + 4 * A, In); COMMIT; WAIT(0);", F)
              .find("recursive call of 'sum'") == std::string::npos,
      false);
}

TEST(Calls, ConstantFunctionsAreNotEntered) {
  const char *Before = "__device__ int seven(int) { return 7; }"
                       "constexpr __device__ int twice(int A) { return 2 * A; }"
                       "struct Five { __device__ static int get() { return 5; }"
                       "__device__ operator int() const { return 5; } };";
  for (const char *Condition :
       {"seven(T) == 7", "twice(3) + T == 6 + T", "twice(T) == 2 * T",
        "Five::get() + T == T + 5", "Five() + T == T + 5"})
    EXPECT_EQ(behind("", Condition, Before), "always") << Condition;
}

TEST(Calls, OfFunctionsThatForgetToReturnGiveSomeNumber) {
  for (const char *Before :
       {"__device__ int some() {}", "__device__ int some() { ; }",
        "__device__ int some() { if (threadIdx.x > 99) return 4; }"}) {
    EXPECT_EQ(behind("int A = 3; some();", "A == 3", Before), "always")
        << Before;
    EXPECT_EQ(behind("int A = some();", "A == 3", Before), "both") << Before;
  }
}

TEST(Calls, OfFunctionsWithoutABodyGiveSomeNumber) {
  const char *Before = "__device__ int some(); __device__ int more(int &);"
                       "__device__ int less(const int &);";
  EXPECT_EQ(behind("int A = some(), B = some();", "A == A + 0 * B", Before),
            "always");
  EXPECT_EQ(behind("int A = some(), B = some();", "A == B", Before), "both");
  EXPECT_EQ(behind("int A = 1; int B = more(A);", "A == 1 + 0 * B", Before),
            "both");
  EXPECT_EQ(behind("int A = 1; int B = less(A);", "A == 1 + 0 * B", Before),
            "always");
}

TEST(Calls, WithConditionsHangOnTheirArguments) {
  const char *F = "__device__ int sign(int A) { int R = 0; if (A > 0) R = 1;"
                  "if (A < 0) R = -1; return R; }";
  EXPECT_EQ(behind("int A = sign(T), B = sign(-T);", "A + B == 0", F),
            "always");
  EXPECT_EQ(behind("int A = sign(T - 64);", "A == -1", F), "always");
  EXPECT_EQ(behind("int A = sign(N);", "A <= 1 && A >= -1", F), "always");
  EXPECT_EQ(behind("int A = sign(N);", "A == 1", F), "both");
  EXPECT_EQ(behind("int A = 0; if (N > 0) { SYNC; A = sign(N); } else A = 1;",
                   "A == 1", F),
            "always");
}

TEST(Calls, AreDoneAgainWithOtherArguments) {
  const char *Before = "__device__ void put(int *To, int V) {"
                       "for (int I = 0; I < 3; ++I) To[I] = V + I; }"
                       "__device__ int get(const int *P, int I) { int R = 0;"
                       "for (int K = 0; K <= I; ++K) R = P[K]; return R; }";
  EXPECT_EQ(behind("int A[3], B[3]; put(A, 1); put(B, 5); put(A, 1);",
                   "A[2] == 3 && B[2] == 7", Before),
            "always");
  EXPECT_EQ(behind("int A[3]; put(A, 1); int X = get(A, 2); A[2] = 9;"
                   "int Y = get(A, 2), Z = get(A, 1);",
                   "X == 3 && Y == 9 && Z == 2", Before),
            "always");
  EXPECT_EQ(behind("int A[3], B[3]; put(A, 1); put(B, 1); A[0] = 6;"
                   "int X = get(A, 0), Y = get(B, 0);",
                   "X == 6 && Y == 1", Before),
            "always");
}

TEST(Calls, ByOtherThreadsAreDoneByThose) {
  const char *F = "__device__ void put(int *To, int V) {"
                  "To[0] = V; To[1] = V + 1; }";
  EXPECT_EQ(behind("int A[3] = {}; if (T < 32) put(A, 1); else put(A, 5);",
                   "A[1] == (T < 32 ? 2 : 6)", F),
            "always");
  EXPECT_EQ(behind("int A[3] = {}; if (T < 32) put(A, 1);",
                   "A[1] == (T < 32 ? 2 : 0)", F),
            "always");
}

TEST(Calls, ReadSharedMemoryEachTime) {
  const char *F = "__device__ void fetch(float *To, const float *From) {\n"
                  "for (int I = 0; I < 2; ++I) To[I] = From[I]; }";
  EXPECT_EQ(found(R"(float A[2];
    Tile[4 * T] = Tile[4 * T + 1] = 0;
    fetch(A, Tile + 4 * T);
    fetch(A, Tile + 4 * T);
    USE(A[0]);
    COPY(Tile + 4 * T, In);
    COMMIT;
    WAIT(0);
    fetch(A, Tile + 4 * T);
    USE(A[0]);)",
                  F),
            "");
  EXPECT_EQ(found(R"(float A[2];
    COPY(Tile + 4 * T, In);
    COMMIT;
    WAIT(0);
    fetch(A, Tile + 4 * T);
    USE(A[0]);
    COPY(Tile + 4 * T, In);
    COMMIT;
    fetch(A, Tile + 4 * T);
    USE(A[0]);
    WAIT(0);)",
                  F)
                .find("ReadInFlight(WaitTooWeak)"),
            std::string::npos);
}

TEST(Calls, StoreToSharedMemoryEachTime) {
  const char *F = "__device__ void clear(float *To) {\n"
                  "for (int I = 0; I < 2; ++I) To[I] = 0; }";
  EXPECT_EQ(found("clear(Tile + 4 * T);\nclear(Tile + 4 * T);\n"
                  "COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n",
                  F),
            "");
  EXPECT_EQ(found("clear(Tile + 4 * T);\nSYNC;\n"
                  "COPY(Tile + 4 * T, In);\nCOMMIT;\n"
                  "clear(Tile + 4 * (T ^ 32));\nWAIT(0);",
                  F)
                .substr(0, 9),
            "Overwrite");
}

TEST(Calls, AreFollowedSoDeep) {
  const char *F = "template <int I> __device__ int f(int A) { A += 1;"
                  "if constexpr (I > 1) A = f<I - 1>(A); return A; }";
  EXPECT_EQ(behind("int A = f<63>(T);", "A == T + 63", F), "always");
  EXPECT_EQ(behind("int A = f<64>(T);", "A == T + 64", F), "both");
  EXPECT_NE(
      found("int A = f<64>(0); COPY(Tile + 4 * A, In); COMMIT; WAIT(0);", F)
          .find("call of 'f' is not followed"),
      std::string::npos);
}

TEST(Calls, ANumberThatIsNoArgumentIsSaidToBeWrongWhereItIsWritten) {
  EXPECT_EQ(found("auto Copy = [&](int Bytes) {\n"
                  "__pipeline_memcpy_async(Tile, In, 8 + 9);\nCOMMIT;\n};\n"
                  "Copy(3);\nWAIT(0);"),
            "BadOperand(17) copy:2 operand:2");
  EXPECT_EQ(found("auto Copy = [&](int Bytes) {\n"
                  "__pipeline_memcpy_async(Tile, In, 8 + Bytes);\n"
                  "COMMIT;\n};\nCopy(9);\nWAIT(0);"),
            "BadOperand(17) copy:2 operand:5");
}

TEST(Calls, OnePassedOneParameterOfTheKernelIsNotOnePassedAnother) {
  EXPECT_EQ(found("COPY(Tile, In); COMMIT; WAIT(0);",
                  "__device__ int rows(const Given &G) { return G.Rows; }\n"
                  "__global__ void other(Given A, Given B) {\n"
                  "if (rows(A) == rows(B)) return;\n"
                  "__shared__ float To[4];\n"
                  "__pipeline_memcpy_async(To, A.From, 17);\n}"),
            "BadOperand(17) copy:-3 operand:-3");
}

TEST(Calls, ThatGiveNothingAreRunIfTheyDoSomething) {
  const char *Before =
      "struct None {}; __device__ None wait() { WAIT(0); return None(); }"
      "struct Rows { int Count; __device__ None shape(int Left) const {"
      "return Left > 0 ? shape(Left - 1) : None(); } };";
  const std::string Copy = "COPY(Tile + 4 * T, In);\nCOMMIT;\n";
  EXPECT_EQ(found(Copy + "wait();\nUSE(Tile[4 * T]);", Before), "");
  // Nor is there anything to follow in what only asks.
  EXPECT_EQ(found(Copy + "WAIT(0);\nRows R = {N};\nR.shape(100);", Before), "");
}

TEST(Calls, OfAnAtomicFenceTouchNothing) {
  const std::string Atomics =
      "extern \"C\" __device__ void __nv_atomic_thread_fence(int, int);"
      "extern \"C\" __device__ void __nv_atomic_add(int *, int, int, int);";
  auto Deep = [&](const std::string &Does) {
    return found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);\n"
                 "deep((int *)Tile, 100);",
                 Atomics + "__device__ void deep(int *P, int Left) { " + Does +
                     " if (Left > 0) deep(P, Left - 1); }");
  };
  EXPECT_EQ(Deep("__nv_atomic_thread_fence(5, 2);"), "");
  EXPECT_NE(Deep("__nv_atomic_add(P, 1, 5, 2);"), "");
}

TEST(Calls, NullIsNotAPlace) {
  const char *F = "__device__ int f(int *A, int *B) { return A ? 1 : 2; }";
  EXPECT_EQ(behind("int L[4] = {1, 2, 3, 4};"
                   "int A = f(nullptr, L + (int)In[0]),"
                   "B = f(L, (int *)(size_t)In[0]);",
                   "A == 2 && B == 1", F),
            "always");
}

TEST(Calls, ALaunchOfAPointerToItselfIsOfNoKernel) {
  EXPECT_EQ(
      found("COPY(Tile + 4 * T, In);\nCOMMIT;\nWAIT(0);",
            "struct dim3 { unsigned x, y, z; constexpr dim3(unsigned X = 1,"
            "unsigned Y = 1, unsigned Z = 1) : x(X), y(Y), z(Z) {} };"
            "extern \"C\" int cudaConfigureCall(dim3, dim3, size_t = 0,"
            "void * = nullptr);"
            "extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3,"
            "size_t = 0, void * = nullptr);"
            "void host() { void (*K)(int) = K; K<<<1, 64>>>(1); }"),
      "");
}

TEST(Calls, WriteWhatTheyAreGivenEachTime) {
  EXPECT_EQ(behind("int A = 1, B = 1; add(A); add(B); add(B);",
                   "A == 4 && B == 7",
                   "__device__ void add(int &X) { int Y = X; X = Y + 3; }"),
            "always");
}

TEST(Calls, ManyThatCannotBeRememberedAreRunAllTheSame) {
  // Where its own local is, nobody else can say.
  const char *F = "struct Pair { const int *Of; int Twice; };"
                  "__device__ Pair f(int X) { int Y = X; return {&Y, 2 * Y}; }";
  EXPECT_EQ(behind("int A = 0; for (int K = 0; K < 40; ++K) A = f(K).Twice;",
                   "A == 78", F),
            "always");
}

TEST(Calls, AWrongOperandIsWhereTheOutermostCallerWritesIt) {
  const std::string Before =
      "__device__ void get(void *To, const void *From, int Bytes) {\n"
      "  __pipeline_memcpy_async(To, From, Bytes);\n}\n"
      "__device__ void get2(void *To, const void *From, int Bytes) {\n"
      "  get(To, From, Bytes);\n}";
  for (const std::string Name : {"get", "get2"})
    EXPECT_NE(found("\n" + Name + "(Tile, In, 17);", Before).find("operand:2"),
              std::string::npos)
        << Name;
}

TEST(Calls, AnOperandIsWhatTheInnermostCallGivesIt) {
  const std::string Copy = "auto Copy = [&](int Bytes) {\n"
                           "__pipeline_memcpy_async(&Tile[4 * T], In + 4 * T, "
                           "Bytes);\n};\n",
                    Before = "template <class F> __device__ void apply(F Do) "
                             "{\nDo(3);\n}";
  EXPECT_EQ(found(Copy + "Copy(3);"), "BadOperand(3) copy:4 operand:4");
  EXPECT_EQ(found(Copy + "apply(Copy);", Before),
            "BadOperand(3) copy:4 operand:-3");
}

TEST(Calls, AnOperandThatIsDeducedIsWrittenWhereTheCallIs) {
  EXPECT_EQ(found("fetch(Size<12>(), Tile, In);",
                  "template <int N> struct Size {};\n"
                  "template <int N> __device__ void fetch(Size<N>, float *To,"
                  " const float *From) {\n"
                  "__pipeline_memcpy_async(To, From, N);\n}"),
            "BadOperand(12) copy:1 operand:1");
}

TEST(Calls, AnOperandThatALambdaHasFromAroundItIsGivenThere) {
  EXPECT_EQ(found("outer(&Tile[4 * T], In + 4 * T, 3);",
                  "__device__ void outer(float *To, const float *From, int "
                  "Size) {\nauto Copy = [&](int) {\n"
                  "__pipeline_memcpy_async(To, From, Size);\n};\n"
                  "Copy(4);\n}"),
            "BadOperand(3) copy:1 operand:1");
}

// A call from elsewhere with arguments that hold the same is the same call.
TEST(Calls, WhatARememberedCallReturnsLeadsToTheArgumentsOfThisOne) {
  EXPECT_EQ(behind("int A[2] = {1, 1}, B[2] = {1, 1};\n"
                   "int *P = second(A), *Q = second(B);\nB[1] = 2;\nSYNC;",
                   "*Q == 2",
                   "__device__ int *second(int *From) { return From + 1; }"),
            "always");
}

TEST(Calls, OfKnownNamesDoWhatTheyAreKnownForWhateverTheirBody) {
  const std::string Copy = "COPY(Tile + 4 * T, In);\n",
                    Own = "USE(Tile[4 * T]);\nWAIT(0);";
  auto With = [](const std::string &Head, const std::string &Body) {
    return found(Body, "__device__ void " + Head +
                           " { asm volatile(\"cp.async.wait_all;\"); }");
  };
  EXPECT_EQ(With("__pipeline_wait_prior(size_t N)",
                 Copy + "COMMIT;\n__pipeline_wait_prior(1);\n" + Own),
            "ReadInFlight(WaitTooWeak) copy:1 commit:2 wait:3 read:4");
  EXPECT_EQ(With("__pipeline_commit()", Copy + "__pipeline_commit();\n" + Own),
            "ReadInFlight(NeverWaited) copy:1 commit:2 read:3");
  EXPECT_EQ(
      With("__pipeline_memcpy_async(void *To, const void *From, size_t N,"
           " size_t Zeros)",
           "__pipeline_memcpy_async(Tile + 4 * T, In, 16);\nCOMMIT;\n" + Own),
      "ReadInFlight(NeverWaited) copy:1 commit:2 read:3");
}

TEST(Calls, AroundTheRoundsOfALoopAreToldOnce) {
  const char *Before =
      "__device__ void inner(float *To, const float *From, float *Out) {\n"
      "for (int I = 0; I < 4; ++I) {\n" // -8
      "COPY(To + 4 * threadIdx.x + 256 * I, From);\nCOMMIT;\n}\n"
      "Out[0] = To[4 * threadIdx.x + 256]; }\n" // -4
      "__device__ void outer(float *To, const float *From, float *Out) {\n"
      "inner(To, From, Out); }"; // -2
  // The calls, a round of the loop, copy, commit, behind the loop, read.
  EXPECT_EQ(told("outer(Tile, In, Out);\nWAIT(0);", Before),
            "1 -2 -8 -7 -6 -8 -4");
  EXPECT_EQ(told("for (int J = 0; J < 3; ++J)\nouter(Tile, In, Out);\nWAIT(0);",
                 Before),
            "1 2 -2 -8 -7 -6 -8 -4");
}

// cp.async fills the rest of 16 bytes with zeros; what is to be left out is
// what the pipeline is given.
TEST(Calls, AsManyZerosAsBytesAtMost) {
  auto With = [](const std::string &Zeros) {
    return found("if (N < 16 || M > 3) return;\n"
                 "__pipeline_memcpy_async(Tile + 4 * T, In, 16, " +
                 Zeros + ");\nCOMMIT;\nWAIT(0);");
  };
  for (const char *Fine :
       {"0", "16", "T % 17", "N - 16", "N", "N > 16 ? 16 : 0"})
    EXPECT_EQ(With(Fine), "") << Fine;
  EXPECT_EQ(With("17").substr(0, 14), "BadOperand(17)");
  EXPECT_EQ(With("T").substr(0, 14), "BadOperand(17)");
  EXPECT_EQ(With("N + 1").substr(0, 14), "BadOperand(17)");
}

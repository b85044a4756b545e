# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that somebody made to do harm: deep, large, endless or broken."""

from table import ANY, NOTHING, main, row


def code(name, text, result=ANY):
    row(name, "#include <cuda_pipeline.h>\n" + text, result=result)


def kernel(name, body, before=""):
    """A copy is in flight around the hostile statements."""
    text = f"{before}\n__global__ void k(const float *In, float *Out, int N) {{\n"
    text += "  __shared__ float Tile[128];\n"
    text += "  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);\n"
    text += "  __pipeline_commit();\n"
    text += f"  {body}\n"
    text += "  __pipeline_wait_prior(0);\n  Out[threadIdx.x] = Tile[threadIdx.x];\n}\n"
    code(name, text)


# Nesting.
for depth in (200, 10000):
    for name, before, after in (
        ("parentheses", "(", ")"),
        ("unary minus", "- ", ""),
        ("casts", "(int)", ""),
        ("sums", "1 + ", ""),
        ("shifts", "1 << ", ""),
        ("conjunctions", "N && ", ""),
        ("commas", "N, ", ""),
        ("assignments", "A = ", ""),
        ("conditionals", "N ? 1 : ", ""),
    ):
        text = f"int A; A = {before * depth}N{after * depth};"
        kernel(f"{depth} {name}", text)
    kernel(f"{depth} braces", "{" * depth + "}" * depth)
    kernel(f"{depth} loops", "while (N) " * depth + ";")
    kernel(f"{depth} conditions", "if (N) " * depth + ";")
    kernel(f"{depth} else branches", "if (N) ; else " * depth + ";")
    kernel(f"{depth} statements", "N = N + 1; " * depth)
    code(f"{depth} namespaces", "namespace a { " * depth + "}" * depth)
    code(f"{depth} pointers", f"__global__ void k(int {'*' * depth}P) {{}}")
    code(f"{depth} template arguments", "template <class T> struct A {}; "
         f"__global__ void k() {{ {'A<' * depth}int{'>' * depth} V; }}")
code("templates without end", "template <int N> struct A { A<N + 1> Next; int X; };\n"
     "__global__ void k() { __shared__ A<0> Tile[4]; Tile[0].X = 1; }")
code("functions without end", "template <int N> __device__ int f() { return f<N + 1>(); }\n"
     "__global__ void k() { f<0>(); }")
FORKS = ("template <class T> __device__ void f(int N) {\n"
         "  struct A {}; f<A>(N); struct B {}; f<B>(N); }\n")
code("functions that fork without end", FORKS + "__global__ void k() { f<int>(1); }")
COPIES = ('asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(N), "l"(N)); }\n')
code("functions that fork without end and that nobody calls", FORKS.replace("}\n", COPIES))
code("the same behind an error", "int broken = nothing;\n" + FORKS.replace("}\n", COPIES))
code("constant expression without end", "constexpr int f() { while (true) {} return 0; }\n"
     "__global__ void k() { __shared__ int Tile[f()]; constexpr int A = f(); }")
code("constant expression that recurs", "constexpr int f(int N) { return f(N + 1); }\n"
     "__global__ void k() { __shared__ int Tile[f(0)]; }")

# Sizes.
for count in ("-1", "0", "1 << 20", "1 << 31", "1ull << 31", "1ull << 40", "1ull << 61", "~0ull"):
    before = f"constexpr unsigned long long Size = {count};"
    kernel(f"array of {count}", "__shared__ char Big[Size]; Big[threadIdx.x] = 1;", before=before)
    kernel(f"local array of {count}", "int Big[Size] = {1}; Out[0] = Big[N];", before=before)
    code(f"member array of {count}", before + " struct S { float A[Size]; };\n"
         "__global__ void k() { __shared__ S Tile; __pipeline_memcpy_async(&Tile.A[0], 0, 4); }")
code("factors of 2^63 that lie further apart", "#include <cuda_pipeline.h>\n"
     "__global__ void k(const float *In, float *Out, int N) { __shared__ float Tile[128];\n"
     "__pipeline_memcpy_async(&Tile[threadIdx.x], In, 4); __pipeline_commit();\n"
     "const int Row = blockIdx.x * 9223372036854775807 + threadIdx.x / 64, Column = blockIdx.y;\n"
     "if (Row < N && Column < N) __pipeline_wait_prior(0); *Out = Tile[0]; }")
row("shared array of 2^30 in a macro", "#include <cuda_pipeline.h>\n#define TILE(N) __shared__ uint4 Tile[N];\n"
    "__global__ void k(const uint4 *In) { TILE(1u << 30) __pipeline_memcpy_async(&Tile[0], In, 16); }",
    result=NOTHING, words="x.cu -- -std=c++20")
row("shared array of 2^29 with an error behind it", "#include <cuda_pipeline.h>\n"
    "__global__ void k(const uint4 *In) { __shared__ uint4 T[1 << 20][512]0\n"
    "  int N; __pipeline_memcpy_async(&T[0], In, 16); }",
    words="x.cu -- -std=c++20")
code("shared array of 2^31 that does not come to an end", "constexpr int Size = 2147483647;\n"
     "__global__ void k(const float4 *In) { __shared__ float4 Tile[Size;\n"
     "  __pipeline_memcpy_async(&Tile[0], In, 16); }")
code("constants of 2^31 elements", "constexpr int A[1u << 31] = {};\n"
     "__global__ void k(int *Out) { *Out = A[0]; }")
for count in ("0", "3", "-1", "1 << 29", "1ull << 40", "N"):
    code(f"alignas({count})", f"struct alignas({count}) S {{ float A[8]; __device__ void copy("
         "const float *In) { __pipeline_memcpy_async(&A[0], In, 4); } };\n"
         "__global__ void k(const float *In) { __shared__ S Tile; Tile.copy(In); }")
for count in ("-1", "64", "2147483647", "2147483648", "18446744073709551615", "1e9", "99999999999999999999"):
    kernel(f"wait_group {count}", f'asm volatile("cp.async.wait_group {count};");')
    kernel(f"__pipeline_wait_prior({count})", f"__pipeline_wait_prior({count});")
    kernel(f"barrier of {count}", f'asm volatile("bar.sync {count}, {count};");')
    kernel(f"__nvvm_barrier_sync({count})", f"__nvvm_barrier_sync({count});")
    kernel(f"copy of {count} bytes", f"__pipeline_memcpy_async(Tile, In, {count});")
    kernel(f"loop to {count}", f"for (long I = 0; I < {count}; ++I) Out[I] = 0;")
    code(f"__launch_bounds__({count})", f"__global__ void __launch_bounds__({count}) k(float *In) "
         "{ __shared__ float T[9]; __pipeline_memcpy_async(&T[threadIdx.x], In, 4); }")
code("100,000 enumerators", "enum E { " + ", ".join(f"E{I}" for I in range(100000)) + " };\n")
kernel("5,000 cases", "switch (N) { " + " ".join(f"case {I}: break;" for I in range(5000)) + " }")
kernel("ranges of cases", "switch (N) { case 0 ... 2147483647: break; case -9 ... -1: ++N; }")
code("10,000 operands", '__global__ void k(int A) { asm volatile("" :: '
     + ", ".join(['"r"(A)'] * 10000) + "); }")
kernel("operands that are not there", 'asm volatile("cp.async.ca.shared.global [%7], [%1], 4;" ::);')
kernel("operands of no kind", 'asm volatile("cp.async.wait_group %0;" :: "n"(N), "q"(Out));')
for of in ("", ".u8", ".v7.b32", ".v4294967295.b64", ".b99999999999"):
    kernel(f"st.async of '{of}'", 'asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes'
           f'{of} [%0], %1, [%0];" :: "r"((unsigned)__cvta_generic_to_shared(Tile)), "r"(N));')
kernel("operand numbers", 'asm volatile("%99999999999999999999 %-1 %{ %");')
kernel("asm of 1 MB", f'asm volatile("{"bar.sync 0; " * 90000}");')
kernel("2,000 copies", "__pipeline_memcpy_async(&Tile[threadIdx.x], In, 4);" * 2000)
code("1,000 parameters", f"__global__ void k({', '.join(f'int A{I}' for I in range(1000))}) {{}}")
code("2,000 kernels", "".join(f"__global__ void k{I}() {{}}\n" for I in range(2000)), NOTHING)

# Code that does not compile, or that nobody writes.
code("launch with a class that holds itself", "struct S { int I; S Self; };\n"
     "__global__ void k(S Of) {}\nvoid f(S &Of) { k<<<1, 32>>>(Of); }", NOTHING)
code("tile copied to a slot of a class that does not compile",
     "struct Map { long A[16]; }; struct At { int Slot = 0; Unknown U; };\n"
     "__global__ void k(const __grid_constant__ Map M) {\n"
     "  __shared__ float Tile[3][1024]; __shared__ long Full; At Of;\n"
     '  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes'
     ' [%0], [%1, {%2}], [%3];" ::"r"((unsigned)__cvta_generic_to_shared(Tile[Of.Slot])),\n'
     '  "l"(&M), "r"(0), "r"((unsigned)__cvta_generic_to_shared(&Full)) : "memory"); }', NOTHING)
IN_METHOD = "__device__ void copy(const float *In) { __pipeline_memcpy_async(&A[0], In, 4); }"
CALL = "__global__ void k(const float *In) { __shared__ S Tile; Tile.copy(In); }\n"
for name, text in {
    "incomplete class with a copy in its method": f"struct S {{ float A[8]; {IN_METHOD}\n{CALL}",
    "invalid field": f"struct S {{ Unknown U; float A[8]; {IN_METHOD} }};\n{CALL}",
    "field of a size that is not known": f"struct S {{ float A[N]; {IN_METHOD} }};\n{CALL}",
    "field of an incomplete class": f"struct I; struct S {{ I U; float A[8]; {IN_METHOD} }};\n{CALL}",
    "field of its own class": f"struct S {{ S U; float A[8]; {IN_METHOD} }};\n{CALL}",
    "circular inheritance": f"struct S; struct B : S {{}}; struct S : B {{ float A[8]; {IN_METHOD} }};\n{CALL}",
    "base that is not there": f"struct S : Unknown {{ float A[8]; {IN_METHOD} }};\n{CALL}",
    "destructor of a class with a member that is not there":
    "struct Commit float4 { __device__ ~Commit() { __pipeline_commit(); } };\n"
    "struct S { Commit Held; int X; __device__ ~S() { X = 0; } };\n"
    "__global__ void k(const float *In) { __shared__ float T[8]; { S Last;"
    " __pipeline_memcpy_async(T, In, 4); } }",
    "dependent base": f"template <class T> struct S : T {{ float A[8]; {IN_METHOD} }};\n"
    "struct I; __global__ void k(float *In) { __shared__ S<I> Tile; Tile.copy(In); }",
    "dependent field": f"template <class T> struct S {{ T U; float A[8]; {IN_METHOD} }};\n"
    "template <class T> __global__ void k(float *In) { __shared__ S<T> Tile; Tile.copy(In); }",
    "union": f"union S {{ float A[8]; double D; {IN_METHOD} }};\n{CALL}",
    "packed": f"struct __attribute__((packed)) S {{ char C; float A[8]; {IN_METHOD} }};\n{CALL}",
    "flexible array": f"struct S {{ int N; float A[]; {IN_METHOD} }};\n{CALL}",
    "zero-size array": f"struct S {{ float A[0]; {IN_METHOD} }};\n{CALL}",
    "bit fields": "struct S { unsigned A : 3, : 0, B : 31; };\n__global__ void k(int *In) {"
    " __shared__ S Tile[9]; __pipeline_memcpy_async(&Tile[0].A, In, 4); Tile[1].B = 2; }",
    "bit field too wide": "struct S { int A : 99; };\n__global__ void k() { __shared__ S T; T.A = 1; }",
    "virtual functions": "struct B { virtual __device__ void f() = 0; }; struct S : virtual B {"
    " float A[8]; __device__ void f() override { __pipeline_commit(); } };\n"
    "__global__ void k(B *P) { __shared__ S Tile; P->f(); Tile.f(); P->~B(); }",
    "deleted functions": "struct S { S() = delete; ~S() = delete; float A[8]; };\n"
    "__global__ void k(float *In) { __shared__ S T; S L; __pipeline_memcpy_async(&T, In, 4); }",
    "shared memory with an initialiser": "__global__ void k(const float *In) { __shared__ float"
    " Tile[8] = {1, 2}; __pipeline_memcpy_async(Tile, In, 4); }",
    "shared memory of an incomplete type": "struct I; extern __shared__ I Tile[];\n"
    "__global__ void k(const float *In) { __pipeline_memcpy_async(&Tile[1], In, 4); }",
    "shared parameter": "__global__ void k(__shared__ float *T) { __pipeline_memcpy_async(T, T, 4); }",
    "variable array": "__global__ void k(float *In, int N) { float A[N][N]; __shared__ float B[N];"
    " __pipeline_memcpy_async(&B[sizeof A], In, 4); }",
    "coroutine": "__global__ void k() { co_await 1; co_return; }",
    "recursion of a kernel": "__global__ void k(int N) { if (N) k(N - 1); __pipeline_commit(); }",
    "functions that call each other": "__device__ void g(int); __device__ void f(int N) { g(N); }\n"
    "__device__ void g(int N) { __pipeline_commit(); f(N); } __global__ void k() { f(1); }",
    "lambda in a default argument": "__device__ int f(int A = [] { __pipeline_commit(); return 1; }())"
    " { return A; }\n__global__ void k() { f(); }",
    "lambda that calls itself": "__global__ void k() { auto F = [](auto &G) -> void {"
    " __pipeline_commit(); G(G); }; F(F); }",
    "template without an instance": "template <class T> __global__ void k() { T::f(); }",
    "kernel in a class": "struct S { __global__ void k() { __pipeline_commit(); } };",
    "kernel that returns": "__global__ int k() { __pipeline_commit(); return 1; }",
    "kernel twice": "__global__ void k() {}\n__global__ void k() { __pipeline_commit(); }",
    "main": "int main() { return main(); }",
    "only a brace": "}",
    "only a template": "template",
    "module": "export module x; import std; __global__ void k() {}",
    "concept in itself": "template <class T> concept C = C<T>; template <C T> __global__ void k() {}",
    "structured binding of nothing": "__global__ void k() { auto [A, B] = 1; auto [C] = C; }",
    "attribute of nothing": "[[gnu::aligned(A)]] __attribute__((x(", "static_assert": "static_assert(0);",
    "exceptions": "__global__ void k() { try { throw 1; } catch (int A) { __pipeline_commit(); } }",
    "new and delete": "__global__ void k() { delete[] new float[1ull << 60]; new (0) int; }",
    "placement over a tile": "void *operator new(unsigned long, void *); __global__ void k() {"
    " __shared__ float T[8]; new (T) float[1ull << 40]; __pipeline_memcpy_async(T, T, 4); }",
    "division by zero": "__global__ void k() { __shared__ int T[1 / 0]; int A = 1 / 0 % 0; }",
    "a ring of no slots": "template <int N> __device__ void r(float *G, int K) { __shared__ float T[128];"
    " for (; K > 0; --K) { __pipeline_memcpy_async(&T[K % N], G, 4); __pipeline_commit(); } }"
    "__global__ void k(float *G, int K) { r<0>(G, K); }",
    "a long number that threads count in": "__global__ void k(float *G, int N) {"
    " __shared__ float T[128]; __pipeline_memcpy_async(&T[threadIdx.x], G, 4);"
    " int A = threadIdx.x * N + N / 3 + N / 5 + N / 7 + N / 9 + N / 11 + N / 13, C = N * 3;"
    " if (C > 5) __pipeline_commit();"
    " if (A < N / 15 + N / 17 + N / 19 + N / 21 + N / 23 + N / 25) __pipeline_wait_prior(0);"
    " G[C] = T[threadIdx.x]; }",
    "reference to itself": "__global__ void k() { int &A = A; __shared__ int &B = B; B = A; }",
    "initialiser that is not there": "__global__ void k(float *In) { float *P = ; int A[] = {,};"
    " __shared__ float T[4]; __pipeline_memcpy_async(&T[A[0]], P, 4); }",
    "vector of 2^31": "typedef float V __attribute__((vector_size(1u << 31)));\n"
    "__global__ void k(V *In) { __shared__ V T; __pipeline_memcpy_async(&T, In, 16); }",
    "_BitInt": "__global__ void k(_BitInt(8388608) A, float *O) { for (A = 0; A < 9; ++A) O[A] = 0; }",
    "address spaces": "__global__ void k(__attribute__((address_space(99))) float *A) {"
    " __pipeline_memcpy_async((float *)A, A, 4); }",
}.items():
    code(name, text)
for name, body in {
    "goto into a loop": "goto A; for (;;) { A: if (N) break; __pipeline_commit(); }",
    "goto around an initialiser": "goto A; { int B = 1; A: N += B; }",
    "goto nowhere": "goto Unknown;",
    "computed goto": "void *P = &&A; goto *P; A: __pipeline_commit();",
    "statement expression": "N = ({ if (N) goto A; A: __pipeline_commit(); 1; });",
    "Duff's device": "switch (N) { case 0: do { __pipeline_commit(); case 1:; } while (--N); }",
    "cases without a switch": "case 1: default: break; continue;",
    "loop without end": "for (;;) __pipeline_commit();",
    "null": "__pipeline_memcpy_async(0, 0, 4); __pipeline_memcpy_async(nullptr, In, 16);",
    "pointer from a number": "__pipeline_memcpy_async((float *)0x7fffffffffffffff, In, 4);",
    "index that overflows": "Tile[2147483647 + 1] = 0; Tile[-9223372036854775807 - 1] = 1;",
    "shift too far": "N = 1 << 99; N <<= -1; Tile[1ull << 63 >> N] = 0;",
    "pointer into nothing": "float *P = Tile; P += 1ull << 62; P[1ull << 62] = 1; P -= N; *P = 0;",
    "variables of no type": "Nothing A(1, 2), B = {1, {N}}; auto C = {Nothing, {2, N}};",
    "unknown call": "unknown(Tile)->commit<4>(In).wait();",
    "call without arguments": "__pipeline_memcpy_async(); __pipeline_wait_prior();",
    "call with 1,000 arguments": f"__pipeline_memcpy_async({', '.join(['In'] * 1000)});",
}.items():
    kernel(name, body)


if __name__ == "__main__":
    main()

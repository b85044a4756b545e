# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every row of the table of exit statuses in docs/output.md, run."""

import re
import shlex

from reports import ROOT, Project, main

HEAD = "#include <cuda_pipeline.h>\n"
COPY = """  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
"""
WAIT = "  __pipeline_wait_prior(0);\n"
READ = "  Out[threadIdx.x] = Tile[threadIdx.x];\n}\n"
KERNEL = HEAD + "__global__ void %sk(const float *In, float *Out) {\n" + COPY
KNOWN = KERNEL % "__launch_bounds__(128) "

FILES = {
    "right.cu": KNOWN + WAIT + READ,
    "wrong.cu": KNOWN + READ,
    "assumed.cu": KERNEL % "" + WAIT + READ,
    "errors.cu": KNOWN + WAIT + READ + "int Wrong = undeclared;\n",
    "function.cuh": HEAD
    + "__device__ void f(float *To, const float *From) {\n"
    + "  __pipeline_memcpy_async(To, From, 4);\n  __pipeline_commit();\n"
    + WAIT
    + "}\n",
    "template.cu": HEAD
    + "template <int N> __global__ void k(const float *In, float *Out) {\n"
    + COPY
    + WAIT
    + READ,
    # What is a multiple of 4 is even.
    "impossible.cu": HEAD
    + "__global__ void __launch_bounds__(128) k(const float *In, float *Out, int N) {\n"
    + COPY
    + "  if (N % 4)\n"
    + WAIT
    + "  if (N % 2)\n"
    + READ,
    "sizes.cu": HEAD
    + "__global__ void __launch_bounds__(128)\n"
    + "k(const float *In, float *Out, int Pitch) {\n"
    + "  extern __shared__ float Tile[];\n"
    + "  for (int I = threadIdx.x; I < Pitch; I += 128) {\n"
    + "    __pipeline_memcpy_async(&Tile[I], &In[I], 4);\n"
    + "    __pipeline_memcpy_async(&Tile[I + Pitch], &Out[I], 4);\n  }\n"
    + "  __pipeline_commit();\n"
    + WAIT
    + "  for (int I = threadIdx.x; I < Pitch; I += 128)\n"
    + "    Out[I] = Tile[I] + Tile[I + Pitch];\n}\n",
    "loaded.cu": "#include <cuda/ptx>\n"
    + "__global__ void __launch_bounds__(128)\n"
    + "k(const float *In, float *Out, const unsigned *Size) {\n"
    + "  __shared__ alignas(16) float Tile[128];\n"
    + "  __shared__ uint64_t Full;\n"
    + "  if (threadIdx.x == 0) {\n"
    + "    cuda::ptx::mbarrier_init(&Full, 1);\n"
    + "    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);\n"
    + "  }\n  __syncthreads();\n"
    + "  if (threadIdx.x == 0) {\n"
    + "    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,\n"
    + "        cuda::ptx::space_shared, &Full, *Size);\n"
    + "    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global,\n"
    + "        Tile, In, *Size, &Full);\n"
    + "  }\n"
    + "  while (!cuda::ptx::mbarrier_try_wait_parity(&Full, 0)) {}\n"
    + "  Out[threadIdx.x] = Tile[0];\n}\n",
    "open.cu": HEAD
    + "template <class P> __global__ void k(const float *In, float *Out) {\n"
    + COPY
    + "  P::wait();\n"
    + READ,
}


def rows():
    """Arguments, status and last line of each row."""
    text = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
    table = text.split("<!-- rows: exit statuses -->")[1].split("\n\n")[0]
    for line in table.strip().splitlines()[2:]:
        yield re.fullmatch(r"\| `(.+?)` \| (\d) \| (?:`(.+)`|nothing) \|", line).groups()


class ExitStatus(Project):
    def test_rows(self):
        self.assertGreater(len(list(rows())), 10)
        for name, text in FILES.items():
            self.write(name, text)
        self.run_tool("--write-baseline=known.json", "wrong.cu", status=0)
        for arguments, status, last in rows():
            with self.subTest(arguments):
                run = self.run_tool(*shlex.split(arguments), status=int(status))
                lines = run.stdout.splitlines() or [None]
                self.assertEqual(lines[-1], last)


if __name__ == "__main__":
    main()

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fingerprints outlive edits that have nothing to do with the finding."""

from reports import Project, main

SOURCE = """\
#include <cuda_pipeline.h>

__global__ void __launch_bounds__(128) other(const float *From, float *To) {
  To[threadIdx.x] = From[threadIdx.x];
}

__global__ void __launch_bounds__(128) first(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

__global__ void __launch_bounds__(128) twice(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
  __pipeline_wait_prior(0);
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
"""


class Fingerprints(Project):
    def fingerprints(self, source):
        self.write("k.cu", source)
        [run] = self.report("sarif", "k.cu")["runs"]
        prints = [
            (result["ruleId"], result["partialFingerprints"]["cpasyncFinding/v1"])
            for result in run["results"]
        ]
        self.assertEqual(len(prints), len(set(prints)), "not unique")
        return prints

    def setUp(self):
        super().setUp()
        self.before = self.fingerprints(SOURCE)
        self.assertEqual(len(self.before), 3)

    def edited(self, old, new):
        self.assertIn(old, SOURCE)
        return self.fingerprints(SOURCE.replace(old, new))

    def test_line_inserted_above(self):
        self.assertEqual(self.fingerprints("// one\n\n" + SOURCE), self.before)

    def test_unrelated_rename(self):
        self.assertEqual(self.edited("other(", "renamed("), self.before)
        self.assertEqual(self.edited("To[", "To [") , self.before)

    def test_layout_and_comments(self):
        after = self.edited(
            "  __pipeline_wait_prior(1);", "    __pipeline_wait_prior( // why\n 1 );"
        )
        self.assertEqual(after, self.before)

    def test_code_inserted_in_the_function(self):
        after = self.edited("  __pipeline_commit();\n", "  int A = 0;\n  __pipeline_commit();\n  (void)A;\n")
        self.assertEqual(after, self.before)

    def test_another_defect_is_another(self):
        """The count changes, and so does the statement."""
        after = self.edited("wait_prior(1)", "wait_prior(2)")
        self.assertNotEqual(after[0], self.before[0])
        self.assertEqual(after[1:], self.before[1:])

    def test_function_renamed(self):
        after = self.edited("first(", "primary(")
        self.assertNotEqual(after[0], self.before[0])
        self.assertEqual(after[1:], self.before[1:])


if __name__ == "__main__":
    main()

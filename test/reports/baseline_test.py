# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--write-baseline and --baseline: only what is new is shown."""

import json

from reports import Project, main

BAD = """\
__global__ void __launch_bounds__(128) {name}(const float *In, float *Out) {{
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior({count});
  Out[threadIdx.x] = Tile[threadIdx.x];
}}
"""
INCLUDE = "#include <cuda_pipeline.h>\n"


def source(*kernels):
    """A file with the kernels; 'name=N' waits for all but N groups."""
    text = INCLUDE
    for kernel in kernels:
        name, _, count = kernel.partition("=")
        text += "\n" + BAD.format(name=name, count=count or 1)
    return text


class Baselines(Project):
    def accept(self, *kernels):
        self.write("k.cu", source(*kernels))
        self.run_tool("k.cu", "--write-baseline=b.json", status=0)

    def check(self, *files, status, shown=0, known=0):
        """Lints with the baseline; returns standard error."""
        files = files or ["k.cu"]
        run = self.run_tool("--baseline=b.json", *files, status=status)
        self.assertEqual(run.stdout.count(" warning: "), shown, run.stdout)
        told = f"{known} finding{'s' if known > 1 else ''} known from the baseline"
        self.assertEqual(told in run.stdout, known > 0, run.stdout)
        return run.stderr

    def test_nothing_new(self):
        self.accept("one", "two")
        self.assertEqual(self.check(status=0, known=2), "")

    def test_findings_are_shown_when_recorded(self):
        self.write("k.cu", source("one"))
        run = self.run_tool("k.cu", "--write-baseline=b.json", status=0)
        self.assertIn("warning: wait leaves 1 group in flight", run.stdout)

    def test_a_new_one_is_shown(self):
        self.accept("one")
        self.write("k.cu", source("zero", "one"))
        self.check(status=1, shown=1, known=1)

    def test_one_entry_accepts_one_finding(self):
        self.accept("one")
        text = source("one") + "namespace other {" + source("one")[len(INCLUDE) :] + "}\n"
        self.write("k.cu", text)
        self.check(status=1, shown=1, known=1)

    def test_lines_move(self):
        self.accept("one", "two")
        self.write("k.cu", "// moved\n\n" + source("zero=0", "one", "two"))
        self.assertEqual(self.check(status=0, known=2), "")

    def test_function_renamed(self):
        self.accept("one", "two=2")
        self.write("k.cu", source("first", "two=2"))
        self.assertEqual(self.check(status=0, known=2), "")

    def test_file_renamed(self):
        self.accept("one")
        (self.folder / "k.cu").rename(self.folder / "new.cu")
        self.assertEqual(self.check("new.cu", status=0, known=1), "")

    def test_copied_file_is_new(self):
        self.accept("one")
        self.write("new.cu", source("one"))
        self.check("new.cu", status=1, shown=1)

    def test_fixed_finding_can_be_removed(self):
        self.accept("one", "two=2")
        self.write("k.cu", source("one=0", "two=2"))
        self.assertEqual(
            self.check(status=0, known=1),
            "cpasync-tidy: note: b.json: cpasync-wrong-wait-group in 'one' of k.cu "
            "is fixed and can be removed\n",
        )

    def test_not_looked_at_is_not_fixed(self):
        """Another file, a file that does not parse, a check that did not run."""
        self.accept("one")
        self.write("other.cu", source("one=0"))
        self.assertEqual(self.check("other.cu", status=0), "")
        self.write("k.cu", source("one=0") + "#include <missing.h>\n")
        self.assertNotIn("fixed", self.check(status=0))
        self.write("k.cu", source("one=0"))
        run = self.run_tool(
            "--baseline=b.json", "k.cu", "--checks=-*,cpasync-unwaited-read", status=0
        )
        self.assertEqual(run.stderr, "")

    def test_not_followed_is_not_fixed(self):
        self.accept("one")
        recursive = """
__device__ void down(float *To, const float *From, int N) {
  __pipeline_memcpy_async(To, From, 4);
  if (N > 0)
    down(To, From, N - 1);
}
"""
        text = source("one=0").replace(INCLUDE, INCLUDE + recursive)
        copy = "__pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4)"
        self.assertIn(copy, text)
        call = "down(&Tile[threadIdx.x], &In[threadIdx.x], int(In[0]))"
        self.write("k.cu", text.replace(copy, call))
        run = self.run_tool("--baseline=b.json", "k.cu", status=0)
        self.assertIn("not fully analysed (", run.stdout)
        self.assertEqual(run.stderr, "")

    def test_header_found_through_another_file(self):
        """A header that one includer instantiates is not fixed for the other."""
        header = source("one").replace("__global__", "template <int N> __global__")
        self.write("k.cuh", header.replace("prior(1)", "prior(N)"))
        user = '#include "k.cuh"\ntemplate __global__ void one<{}>(const float *, float *);\n'
        self.write("a.cu", user.format(1))
        self.write("b.cu", user.format(0))
        self.run_tool("a.cu", "b.cu", "--write-baseline=b.json", status=0)
        self.assertEqual(self.check("b.cu", status=0), "")
        self.assertEqual(self.check("a.cu", "b.cu", status=0, known=1), "")
        self.write("a.cu", user.format(0))
        self.assertIn("is fixed", self.check("a.cu", "b.cu", status=0))

    def test_file_does_not_depend_on_order_or_lines(self):
        self.write("a.cu", source("one"))
        self.write("b.cu", source("one"))
        self.run_tool("a.cu", "b.cu", "--write-baseline=b.json", status=0)
        before = (self.folder / "b.json").read_text(encoding="utf-8")
        self.write("a.cu", "\n\n" + source("one"))
        self.run_tool("b.cu", "a.cu", "--write-baseline=b.json", status=0)
        self.assertEqual((self.folder / "b.json").read_text(encoding="utf-8"), before)

    def test_update_keeps_the_known(self):
        self.accept("one")
        self.write("k.cu", source("one", "two"))
        self.run_tool("k.cu", "--baseline=b.json", "--write-baseline=b.json", status=0)
        self.assertEqual(self.check(status=0, known=2), "")

    def test_update_keeps_what_was_not_analysed(self):
        self.accept("one")
        self.write("other.cu", source("two"))
        both = ["--baseline=b.json", "--write-baseline=b.json"]
        self.run_tool("other.cu", *both, status=0)
        self.assertEqual(self.check("k.cu", "other.cu", status=0, known=2), "")
        self.write("other.cu", source("two=0"))
        self.run_tool("other.cu", *both, status=0)
        self.assertEqual(self.check("k.cu", "other.cu", status=0, known=1), "")

    def test_unreadable_baseline_is_not_written_over(self):
        """It may be mended: a merge that has not been resolved, say."""
        self.write("k.cu", source("one"))
        self.write("b.json", "<<<<<<<\n")
        both = ["--baseline=b.json", "--write-baseline=b.json"]
        run = self.run_tool("k.cu", *both, status=2)
        self.assertIn(" warning: ", run.stdout)
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertEqual((self.folder / "b.json").read_text(encoding="utf-8"), "<<<<<<<\n")

    def test_json_counts_the_known(self):
        self.accept("one")
        report = self.report("json", "--baseline=b.json", "k.cu", status=0)
        self.assertEqual((report["known"], report["findings"]), (1, []))

    def test_bad_baselines(self):
        """One line that names the file, exit 2, all findings shown."""
        self.write("k.cu", source("one"))
        entry = json.dumps({"version": 1, "findings": [{"check": 1}]})
        for text, message in [
            (None, "b.json: No such file or directory"),
            ("", "b.json: not a baseline: "),
            ('{"a": ', "b.json: not a baseline: "),
            ("[]", "b.json: not a baseline: "),
            ("{}", "b.json: not a baseline: "),
            (entry, "b.json: not a baseline: "),
            ('{"version": 9, "findings": []}', "b.json: baseline of version 9, not 1"),
        ]:
            with self.subTest(text=text):
                if text is not None:
                    self.write("b.json", text)
                error = self.check(status=2, shown=1)
                self.assertTrue(error.startswith(f"cpasync-tidy: error: {message}"), error)
                self.assertEqual(error.count("\n"), 1, error)

    def test_baseline_is_a_folder(self):
        self.write("k.cu", source("one"))
        (self.folder / "b.json").mkdir()
        error = self.check(status=2, shown=1)
        self.assertEqual(error, "cpasync-tidy: error: b.json: Is a directory\n")
        run = self.run_tool("k.cu", "--write-baseline=b.json", status=2)
        self.assertEqual(run.stderr, "cpasync-tidy: error: b.json: Is a directory\n")
        self.assertIn(" warning: ", run.stdout)


if __name__ == "__main__":
    main()

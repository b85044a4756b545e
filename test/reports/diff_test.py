# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--diff: findings whose path runs through changed lines."""

import json
import shutil
import subprocess
import unittest

from reports import Project, main

SOURCE = """\
#include <cuda_pipeline.h>

__device__ void load(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  __pipeline_commit();
}

__global__ void __launch_bounds__(128) one(const float *In, float *Out) {
  __shared__ float Tile[128];
  load(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_wait_prior(1); // one waits
  Out[threadIdx.x] = Tile[threadIdx.x];
  Out[128] = 0;
}

__global__ void __launch_bounds__(128) two(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1); // two waits
  Out[threadIdx.x] = Tile[threadIdx.x];
}
"""


@unittest.skipIf(shutil.which("git") is None, "git is not installed")
class Diff(Project):
    def git(self, *arguments):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments],
            cwd=self.folder,
            check=True,
            capture_output=True,
        )

    def setUp(self):
        super().setUp()
        (self.folder / ".git").rmdir()
        self.git("init", "-q")
        self.write("k.cu", SOURCE)
        self.git("add", "k.cu")
        self.git("commit", "-q", "-m", "first")

    def edit(self, old, new):
        text = (self.folder / "k.cu").read_text(encoding="utf-8")
        self.assertIn(old, text)
        self.write("k.cu", text.replace(old, new))

    def shown(self, *arguments, files=("k.cu",), where="."):
        """The functions with a finding that is shown, and how many are not."""
        run = self.run_tool(
            "--format=json", "--diff=HEAD", *arguments, *files, status=None, where=where
        )
        report = json.loads(run.stdout)
        functions = [finding["function"] for finding in report["findings"]]
        self.assertEqual(run.returncode, 1 if functions else 0, run.stderr)
        return functions, report["untouched"]

    def test_no_change(self):
        self.assertEqual(self.shown(), ([], 2))
        run = self.run_tool("--diff=HEAD", "k.cu", status=0)
        self.assertIn("; 2 findings off the changed lines", run.stdout)

    def test_changed_step(self):
        self.edit("// one waits", "// changed")
        self.assertEqual(self.shown(), (["one"], 1))

    def test_change_below_the_path(self):
        self.edit("Out[128] = 0;", "Out[128] = 1;")
        self.assertEqual(self.shown(), ([], 2))

    def test_change_in_a_function_on_the_path(self):
        self.edit("*To, const float *From) {", "*To, const float *From) { // x")
        self.assertEqual(self.shown(), (["one"], 1))

    def test_line_removed_between_steps(self):
        """What makes a finding may be what is not there any more."""
        self.edit("(1); // two waits\n", "(1); // two waits\n  __syncwarp();\n")
        self.git("commit", "-q", "-a", "-m", "second")
        self.edit("  __syncwarp();\n", "")
        self.assertEqual(self.shown(), (["two"], 1))

    def test_lines_above(self):
        self.edit("#include", "// a\n// b\n#include")
        self.assertEqual(self.shown(), ([], 2))

    def test_older_revision(self):
        self.edit("// two waits", "// changed")
        self.git("commit", "-q", "-a", "-m", "second")
        self.assertEqual(self.shown(), ([], 2))
        self.assertEqual(self.shown("--diff", "HEAD~1"), (["two"], 1))

    def test_staged_change(self):
        self.edit("// two waits", "// changed")
        self.git("add", "k.cu")
        self.assertEqual(self.shown(), (["two"], 1))

    def test_untracked_file(self):
        self.write("new.cu", SOURCE)
        self.assertEqual(self.shown(files=["new.cu"]), (["one", "two"], 0))

    def test_renamed_file(self):
        self.git("mv", "k.cu", "m.cu")
        self.assertEqual(self.shown(files=["m.cu"]), ([], 2))

    def test_from_a_folder_below(self):
        self.edit("// two waits", "// changed")
        (self.folder / "below").mkdir()
        self.assertEqual(self.shown(files=["../k.cu"], where="below"), (["two"], 1))

    def test_names_with_blanks_and_quotes(self):
        name = 'a b/"k" \u00fc.cu'
        self.write(name, SOURCE)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "second")
        self.assertEqual(self.shown(files=[name]), ([], 2))
        self.write(name, SOURCE.replace("// two waits", "//"))
        self.assertEqual(self.shown(files=[name]), (["two"], 1))

    def test_lines_that_look_like_headers(self):
        self.edit("#include", "/*\n++ b/other.cu\n-- a/x\n@@ -1,9 +1,9 @@\n*/\n#include")
        self.edit("// two waits", "//")
        self.assertEqual(self.shown(), (["two"], 1))

    def test_user_settings_do_not_matter(self):
        self.git("config", "diff.noprefix", "true")
        self.git("config", "color.ui", "always")
        self.git("config", "diff.external", "false")
        self.edit("// two waits", "//")
        self.assertEqual(self.shown(), (["two"], 1))

    def test_unknown_revision(self):
        for revision in ("nonsense", "--help"):
            run = self.run_tool(f"--diff={revision}", "k.cu", status=2)
            self.assertEqual(
                run.stderr,
                f"cpasync-tidy: error: '--diff': '{revision}' is not a revision of "
                f"{self.folder}\n",
            )
            self.assertEqual(run.stdout.count(" warning: "), 2)

    def test_no_repository(self):
        shutil.rmtree(self.folder / ".git")
        run = self.run_tool("--diff=HEAD", "k.cu", status=2)
        self.assertEqual(
            run.stderr,
            f"cpasync-tidy: error: '--diff': {self.folder} is not in a git repository\n",
        )
        self.assertEqual(run.stdout.count(" warning: "), 2)


if __name__ == "__main__":
    main()

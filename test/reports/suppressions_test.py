# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NOLINT with a reason, and --unused-suppressions."""

from reports import Project, main

SOURCE = """\
#include <cuda_pipeline.h>
__global__ void __launch_bounds__(128) one(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  /*before*/
  __pipeline_wait_prior(1); /*same*/
  Out[threadIdx.x] = Tile[threadIdx.x]; /*read*/
  /*after*/
}
"""
CHECK = "cpasync-wrong-wait-group"


class Suppressions(Project):
    def lint(self, *options, status=0, source=SOURCE, **comments):
        for place, comment in comments.items():
            self.assertIn(f"/*{place}*/", source)
            source = source.replace(f"/*{place}*/", comment)
        self.write("k.cu", source)
        return self.report("json", "k.cu", *options, status=status)

    def unused(self, *options, **comments):
        """Messages and lines of the comments reported, beside other findings."""
        comments.setdefault("status", 1)
        report = self.lint("--unused-suppressions", *options, **comments)
        return [
            (finding["place"]["line"], finding["message"])
            for finding in report["findings"]
            if finding["check"] == "cpasync-unused-suppression"
        ]

    def test_reason_is_kept(self):
        for comments, reason in [
            ({"same": f"// NOLINT({CHECK}): drained by the caller"}, "drained by the caller"),
            ({"same": f"// NOLINT({CHECK}) -- see #12"}, "see #12"),
            ({"same": f"/* NOLINT({CHECK}) why */"}, "why"),
            ({"before": f"// NOLINTNEXTLINE({CHECK}): why"}, "why"),
            ({"before": "// NOLINTBEGIN(cpasync-*): why", "after": "// NOLINTEND(cpasync-*)"}, "why"),
            ({"same": "// NOLINT"}, ""),
        ]:
            with self.subTest(comments=comments):
                report = self.lint(**comments)
                self.assertEqual(report["findings"], [])
                [silent] = report["suppressed"]
                self.assertEqual((silent["check"], silent["reason"]), (CHECK, reason))
                self.assertEqual(silent["place"]["file"], "k.cu")

    def test_a_check_that_there_is_not_is_told(self):
        comment = "// NOLINT(cpasync-wrong-wait-gruop, cpasync-*, bugprone-x)"
        report = self.lint(same=comment)
        [note] = [n for n in report["notifications"] if n["id"] == "unknown-check"]
        self.assertEqual((note["line"], note["severity"]), (7, "warning"))
        text = "there is no check 'cpasync-wrong-wait-gruop' to silence; "
        text += "did you mean 'cpasync-wrong-wait-group'?"
        self.assertEqual(note["message"], text)
        run = self.run_tool("--quiet", "k.cu", status=0)
        self.assertEqual(run.stderr, f"cpasync-tidy: warning: k.cu:7: {text}\n")

    def test_each_read_is_silenced_by_itself(self):
        """Two reads behind one missing barrier, one overwrite before two."""
        source = SOURCE.replace("wait_prior(1)", "wait_prior(0)").replace(
            "= Tile[threadIdx.x]; /*read*/",
            "= Tile[threadIdx.x ^ 64] + /*read*/\nTile[threadIdx.x ^ 96]; /*other*/",
        )
        lines = lambda report: [f["place"]["line"] for f in report["findings"]]
        report = self.lint(source=source, status=1)
        self.assertEqual(lines(report), [8, 9])
        silent = "// NOLINT(cpasync-unsynchronized-read)"
        report = self.lint(source=source, read=silent, status=1)
        self.assertEqual(lines(report), [9])
        report = self.lint(source=source, other=silent, status=1)
        self.assertEqual(lines(report), [8])
        self.lint(source=source, read=silent, other=silent)

    def results(self, *options, status=0):
        [run] = self.report("sarif", "k.cu", *options, status=status)["runs"]
        return run["results"]

    def test_sarif_leaves_them_out(self):
        self.write("k.cu", SOURCE.replace("/*same*/", f"// NOLINT({CHECK}): why"))
        self.assertEqual(self.results(), [])

    def test_sarif_has_them_if_asked(self):
        for comment, justification in ((f"({CHECK}): why", ["why"]), ("", [])):
            self.write("k.cu", SOURCE.replace("/*same*/", f"// NOLINT{comment}"))
            [result] = self.results("--show-suppressed")
            self.assertEqual(result["ruleId"], CHECK)
            [comment] = result["suppressions"]
            self.assertEqual(comment.pop("kind"), "inSource")
            self.assertEqual(list(comment.values()), justification)
            self.assertIn("codeFlows", result)

    def test_sarif_tells_the_others_from_them(self):
        """What is not suppressed says so where something may be."""
        both = SOURCE.replace("/*same*/", f"// NOLINT({CHECK})")
        both += SOURCE[SOURCE.index("__global__") :].replace(" one(", " two(")
        self.write("k.cu", both)
        suppressions = [
            len(result["suppressions"])
            for result in self.results("--show-suppressed", status=1)
        ]
        self.assertEqual(suppressions, [0, 1])
        self.assertNotIn("suppressions", self.results(status=1)[0])

    def test_a_filter_is_no_comment(self):
        """What --header-filter leaves out is not called suppressed in the source."""
        self.write("k.cuh", "#pragma once\n" + SOURCE)
        self.write("k.cu", '#include "k.cuh"\n')
        filtered = ["--header-filter=^$", "--show-suppressed"]
        self.assertEqual(len(self.report("json", "k.cu", *filtered, status=0)["suppressed"]), 1)
        self.assertEqual(self.results(*filtered), [])

    def test_a_header_once(self):
        text = SOURCE.replace("/*same*/", f"// NOLINT({CHECK})")
        self.write("k.cuh", "#pragma once\n" + text)
        self.write("k.cu", '#include "k.cuh"\n')
        self.write("l.cu", '#include "k.cuh"\n')
        self.assertEqual(len(self.results("l.cu", "--show-suppressed")), 1)

    def test_used_comments_are_not_reported(self):
        comment = f"// NOLINT({CHECK})"
        self.assertEqual(self.unused(same=comment, status=0), [])

    def test_unused_comments(self):
        message = f"suppression of '{CHECK}' silences nothing"
        self.assertEqual(self.unused(read=f"// NOLINT({CHECK})"), [(8, message)])
        self.assertEqual(
            self.unused(same=f"// NOLINTNEXTLINE({CHECK})"), [(7, message)]
        )
        self.assertEqual(
            self.unused(
                read="// NOLINTBEGIN(cpasync-*)", after="// NOLINTEND(cpasync-*)"
            ),
            [(8, "suppression of 'cpasync-*' silences nothing")],
        )
        self.assertEqual(
            self.unused(same="// NOLINT(cpasync-unwaited-read)"),
            [(7, "suppression of 'cpasync-unwaited-read' silences nothing")],
        )
        # A check that did not run may have had something to say.
        self.assertEqual(self.unused(same="// NOLINT(cpasync-warp-entanglement)"), [])

    def test_unknown_name(self):
        self.assertEqual(
            self.unused(same="// NOLINT(cpasync-no-such)"),
            [(7, "suppression of 'cpasync-no-such' silences nothing")],
        )

    def test_two_on_one_line(self):
        comments = f"/* NOLINT({CHECK}) */ // NOLINT(cpasync-unwaited-read)"
        [(line, message)] = self.unused(same=comments)
        self.assertEqual(line, 7)
        self.assertIn("cpasync-unwaited-read", message)

    def test_other_tools_comments(self):
        found = self.unused(read="// NOLINT", after="// NOLINT(bugprone-*)")
        self.assertEqual(found, [])

    def test_without_the_option(self):
        report = self.lint(read=f"// NOLINT({CHECK})", status=1)
        self.assertEqual([f["check"] for f in report["findings"]], [CHECK])

    def test_text_and_exit_status(self):
        self.write("k.cu", SOURCE.replace("prior(1)", "prior(0)").replace("/*read*/", f"// NOLINT({CHECK})"))
        run = self.run_tool("k.cu", "--unused-suppressions", status=1)
        self.assertIn(
            f"k.cu:8:44: warning: suppression of '{CHECK}' silences nothing "
            "[cpasync-unused-suppression]\n",
            run.stdout,
        )
        self.assertTrue(run.stdout.endswith("1 finding in 0 of 1 kernel\n"), run.stdout)
        log = self.report("sarif", "k.cu", "--unused-suppressions")["runs"][0]
        [result] = log["results"]
        rule = log["tool"]["driver"]["rules"][result["ruleIndex"]]
        self.assertEqual(rule["id"], "cpasync-unused-suppression")

    def test_not_judged(self):
        """A check that did not run, a file that was not analysed in full."""
        comment = f"// NOLINT({CHECK})"
        only = "--checks=-*,cpasync-unwaited-read"
        self.assertEqual(self.unused(only, read=comment, status=0), [])
        source = SOURCE + "#include <missing.h>\n"
        report = self.lint("--unused-suppressions", source=source, read=comment, status=1)
        self.assertEqual([f["check"] for f in report["findings"]], [CHECK])
        self.assertIn("1 suppression not judged", report["summary"])

    def test_header_used_by_one_of_two(self):
        header = SOURCE.replace("__global__", "template <int N> __global__")
        header = header.replace("prior(1); /*same*/", f"prior(N); // NOLINT({CHECK})")
        self.write("k.cuh", header)
        user = '#include "k.cuh"\ntemplate __global__ void one<{}>(const float *, float *);\n'
        self.write("a.cu", user.format(0))
        self.write("b.cu", user.format(1))
        option = "--unused-suppressions"
        self.assertEqual(self.report("json", "a.cu", "b.cu", option, status=0)["findings"], [])
        [unused] = self.report("json", "a.cu", option)["findings"]
        self.assertEqual(unused["place"]["file"], "k.cuh")


if __name__ == "__main__":
    main()

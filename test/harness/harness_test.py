# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harness must fail when it should: tests of the test driver."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest

from expectations import (
    Diagnostic,
    check_verdicts,
    compare,
    functions_with_verdict,
    read_expectations,
    rewrite,
)
from fixes import check_fixes
from frontends import ROOT, parse_output
from schemas import report_problems

SOURCE = """\
__global__ void early_bad(int *Out) {
  Out[0] = Tile[0]; // expect-warning{cpasync-x}: 'Tile' is read
  // expect-note@-1: copy issued here
}
__global__ void __launch_bounds__(32) late_ok(int *Out) {
  Out[0] = Tile[0];
}
"""
WARNING = Diagnostic(2, "warning", "cpasync-x", "'Tile' is read")
NOTE = Diagnostic(2, "note", "", "copy issued here")


class ReadExpectations(unittest.TestCase):
    def test_offsets_and_severities(self):
        self.assertEqual(read_expectations(SOURCE), {WARNING, NOTE})

    def test_offset_forward(self):
        expected = read_expectations("// expect-skipped@+2: too deep\n")
        self.assertEqual(expected, {Diagnostic(3, "skipped", "", "too deep")})

    def test_malformed_is_an_error(self):
        for bad in (
            "// expect-warning: no check",
            "// expect-note{cpasync-x}: a note has no check",
            "// expect-warming{cpasync-x}: typo",
            "// expect-note copy issued here",
        ):
            with self.assertRaises(ValueError, msg=bad):
                read_expectations(bad)


class Compare(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(compare({WARNING, NOTE}, {NOTE, WARNING}), [])

    def test_each_difference_is_named(self):
        for actual in (
            {WARNING},
            {WARNING, NOTE, NOTE._replace(line=3)},
            {WARNING, NOTE._replace(text="copy")},
            {WARNING._replace(check="cpasync-y"), NOTE},
            {WARNING._replace(severity="note"), NOTE},
        ):
            self.assertNotEqual(compare({WARNING, NOTE}, actual), [])


class Verdicts(unittest.TestCase):
    def test_functions(self):
        names = [(f.name, f.first, f.last) for f in functions_with_verdict(SOURCE)]
        self.assertEqual(names, [("early_bad", 1, 4), ("late_ok", 5, 7)])

    def test_calls_comments_and_declarations_are_not_definitions(self):
        text = "void a_bad(int);\n// b_bad() {}\nvoid f() { c_ok(1); { } }\n"
        self.assertEqual(functions_with_verdict(text), [])

    def test_braces_in_literals(self):
        text = "void a_ok() {\n  asm(\"{ }\");\n  char C = '}';\n}\n"
        self.assertEqual(functions_with_verdict(text)[0].last, 4)

    def test_good(self):
        self.assertEqual(check_verdicts(SOURCE, [[WARNING, NOTE]], "cpasync-x"), [])

    def test_silent_bad_function(self):
        self.assertEqual(len(check_verdicts(SOURCE, [], "cpasync-x")), 1)

    def test_bad_function_found_by_another_check(self):
        other = WARNING._replace(check="cpasync-y")
        self.assertEqual(len(check_verdicts(SOURCE, [[other]], "cpasync-x")), 1)

    def test_finding_in_ok_function(self):
        stray = WARNING._replace(line=6)
        problems = check_verdicts(SOURCE, [[WARNING], [stray]], "cpasync-x")
        self.assertEqual(len(problems), 1)
        self.assertIn("late_ok", problems[0])

    def test_note_in_ok_function(self):
        finding = [WARNING, NOTE._replace(line=6)]
        self.assertEqual(len(check_verdicts(SOURCE, [finding], "cpasync-x")), 1)


class Rewrite(unittest.TestCase):
    def test_round_trip(self):
        new = rewrite(SOURCE, {WARNING, NOTE})
        self.assertEqual(len(read_expectations(new)), 2)
        self.assertEqual({d.line for d in read_expectations(new)}, {2})
        again = {d for d in read_expectations(new)}
        self.assertEqual(rewrite(new, again), new)

    def test_removes_what_is_gone(self):
        self.assertEqual(read_expectations(rewrite(SOURCE, set())), set())

    def test_not_inside_a_macro(self):
        text = "#define COPY \\\n  asm(\"x\")\nCOPY;\n"
        new = rewrite(text, {Diagnostic(1, "note", "", "copy issued here")})
        self.assertEqual(new.splitlines()[:2], text.splitlines()[:2])
        self.assertEqual(
            read_expectations(new), {Diagnostic(1, "note", "", "copy issued here")}
        )


class ParseOutput(unittest.TestCase):
    TEXT = """\
a.cu:2:3: warning: 'Tile' is read [cpasync-x]
    2 |   Out[0] = Tile[0];
      |            ^
a.cu:2:3: note: copy issued here
a.cu:9:1: kernel<int>: path budget of 4096 exceeded
1 finding in 1 of 2 kernels
"""

    def test_groups_notes(self):
        output = parse_output("a.cu", self.TEXT)
        self.assertEqual(output.findings, [[WARNING, NOTE]])
        self.assertEqual(output.problems, [])

    def test_skipped(self):
        skipped = parse_output("a.cu", self.TEXT).skipped
        self.assertEqual(
            skipped, [Diagnostic(9, "skipped", "", "path budget of 4096 exceeded")]
        )

    def test_states(self):
        line = "a.cu:4:3: state: commit: threads 0-31: groups [{T}] open {}"
        output = parse_output("a.cu", line)
        text = "commit: threads 0-31: groups [{T}] open {}"
        self.assertEqual(output.states, [Diagnostic(4, "state", "", text)])
        self.assertEqual(output.skipped, [])

    def test_other_files_and_errors_are_problems(self):
        for line in ("b.h:1:1: note: here", "a.cu:1:1: error: no [clang-x]"):
            self.assertEqual(len(parse_output("a.cu", line).problems), 1)


class MentionedLines(unittest.TestCase):
    def test_are_told_as_distances_in_code(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.cu")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SOURCE)
            said = f"{path}:6:1: warning: between line 2 and this [cpasync-x]\n"
            said += f"{path}:2:1: note: line 6 of 'b.cuh', line 99 and line 6"
            output = parse_output(path, said)
        texts = [d.text for d in output.findings[0]]
        self.assertEqual(texts[0], "between line -3 and this")
        self.assertEqual(texts[1], "line 6 of 'b.cuh', line 99 and line +3")


class Program(unittest.TestCase):
    """run.py against a tool that prints what we say."""

    def run_with(self, output, status, source=SOURCE, arguments=()):
        with tempfile.TemporaryDirectory() as folder:
            checks = os.path.join(folder, "checks")
            os.mkdir(checks)
            path = os.path.join(checks, "x.cu")
            tool = os.path.join(folder, "tool")
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            with open(tool, "w", encoding="utf-8") as file:
                text = output.replace("FILE", path)
                file.write(f"#!/bin/sh\ncat <<'END'\n{text}END\nexit {status}\n")
            os.chmod(tool, stat.S_IRWXU)
            script = os.path.join(ROOT, "test", "harness", "run.py")
            return subprocess.run(
                [sys.executable, script, "--tool", tool, *arguments, path],
                capture_output=True,
                text=True,
            )

    GOOD = (
        "FILE:2:1: warning: 'Tile' is read [cpasync-x]\n"
        "FILE:2:1: note: copy issued here\n"
    )

    def test_passes(self):
        result = self.run_with(self.GOOD, 1)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_fails(self):
        for output, status in (
            ("", 0),  # nothing found
            (self.GOOD, 0),  # wrong exit status
            (self.GOOD, 2),
            (self.GOOD + "FILE:6:1: warning: more [cpasync-x]\n", 1),
            (self.GOOD + "FILE:6:1: kernel: gave up\n", 1),  # skipped
        ):
            result = self.run_with(output, status)
            self.assertEqual(result.returncode, 1, output)
            self.assertIn("1 of 1 files differ", result.stdout)

    def test_no_reports(self):
        result = self.run_with(self.GOOD, 1, arguments=["--reports"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("no reports were written", result.stdout)


class Fixes(unittest.TestCase):
    FINDING = {
        "check": "cpasync-x", "function": "k", "object": "Tile", "message": "read",
        "fingerprint": "1", "fixIsSlow": False, "notes": [{"fix": {"edits": []}}],
    }  # fmt: skip

    def run_with(self, *runs):
        """On a file in which each run in turn finds so much."""
        runs = [list(findings) for findings in runs]
        copy = type("Copy", (), {"name": "k.cu", "run": lambda *_: runs.pop(0)})()
        return check_fixes(copy)

    def test_repaired(self):
        fixed = self.run_with([self.FINDING], [self.FINDING], [])
        self.assertEqual((fixed.problems, fixed.fixed, fixed.slow), ([], 1, 0))

    def test_not_repaired(self):
        self.assertTrue(self.run_with(*[[self.FINDING]] * 9).problems)

    def test_breaks_something(self):
        other = {**self.FINDING, "object": "Other", "fingerprint": "2", "notes": []}
        self.assertTrue(self.run_with([self.FINDING], [self.FINDING], [other]).problems)


class Reports(unittest.TestCase):
    def test_other_findings(self):
        log = {"runs": [{"results": []}]}
        problems = report_problems({"findings": [{"check": "x", "message": "m"}]}, log)
        self.assertIn(
            "the SARIF log has other findings than the report in JSON", problems
        )


if __name__ == "__main__":
    unittest.main()

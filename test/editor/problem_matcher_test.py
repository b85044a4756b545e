# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The problem matcher in docs/editors.md takes what the tool prints, and no other line."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reports"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
from blocks import blocks  # noqa: E402
from reports import INPUTS, ROOT, Project, main  # noqa: E402

FIELDS = ("file", "line", "column", "severity", "message", "code")
WEAK = (INPUTS / "weak-wait.cu").read_text(encoding="utf-8")


def tasks():
    """The block of tasks.json, as an editor reads it."""
    [block] = [
        block
        for block in blocks(ROOT / "docs" / "editors.md")
        if block.argument.endswith("tasks.json")
    ]
    return json.loads(block.text)


class ProblemMatcher(Project):
    def setUp(self):
        super().setUp()
        [self.task] = tasks()["tasks"]
        self.pattern = self.task["problemMatcher"]["pattern"]
        self.regexp = re.compile(self.pattern["regexp"])

    def problems(self, output):
        found = []
        for line in output.splitlines():
            if match := self.regexp.search(line):
                found.append({name: match[self.pattern[name]] for name in FIELDS})
        return found

    def expected(self, *arguments):
        """The same from the report that programs read."""
        found = []
        for finding in self.report("json", *arguments)["findings"]:
            places = [{**finding, "code": finding["check"]}]
            places += [
                {**note, "severity": "note", "code": None} for note in finding["notes"]
            ]
            for what in places:
                place = what["place"]
                found.append(
                    {
                        "file": place["file"],
                        "line": str(place["line"]),
                        "column": str(place["column"]),
                        **{name: what[name] for name in ("severity", "message", "code")},
                    }
                )
        return found

    def check(self, *arguments):
        output = self.run_tool(*arguments, status=1).stdout
        expected = self.expected(*arguments)
        self.assertTrue(expected)
        self.assertEqual(self.problems(output), expected)
        return expected

    def test_warnings_and_notes(self):
        self.write("src/a b:1.cu", WEAK)
        found = self.check("src/a b:1.cu")
        self.assertEqual(found[0]["severity"], "warning")
        self.assertEqual(found[0]["code"], "cpasync-wrong-wait-group")
        self.assertGreater(len(found), 3)

    def test_errors(self):
        self.write("weak.cu", WEAK)
        found = self.check("--config={WarningsAsErrors: '*'}", "weak.cu")
        self.assertEqual(found[0]["severity"], "error")
        self.assertEqual(found[0]["code"], "cpasync-wrong-wait-group")

    def test_lines_of_source_are_none(self):
        text = WEAK.replace("(1);", "(1); // a.cu:1:2: warning: [x] b [cpasync-c]")
        self.write("weak.cu", text)
        self.check("weak.cu")

    def test_every_check(self):
        names = sorted((ROOT / "test" / "checks").glob("*.cu"))
        for path in names[:4]:
            self.copy(path.name, path)
        self.check(*(path.name for path in names[:4]))

    def test_task(self):
        self.assertEqual(self.task["command"], "cpasync-tidy")
        self.assertIn("${file}", self.task["args"])
        self.assertEqual(tasks()["version"], "2.0.0")


if __name__ == "__main__":
    main()

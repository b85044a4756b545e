# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/new-check makes a check that compiles and is named the same everywhere."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from project import ROOT, main

SUMMARY = "A slot is read that nothing has filled."
LLVM_INCLUDE = "/usr/lib/llvm-22/include"


class Scaffold(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for part in ("checks", "docs/checks", "test/checks"):
            shutil.copytree(ROOT / part, self.root / part)
        for part in ("CHANGELOG.md", "README.md"):
            shutil.copy(ROOT / part, self.root)

    def make(self, *arguments):
        return subprocess.run(
            [sys.executable, "-B", ROOT / "scripts" / "new-check"]
            + [*arguments, "--root", self.root],
            capture_output=True,
            text=True,
        )

    def test_makes_a_check(self):
        result = self.make("stale-slot", "operands", SUMMARY)
        self.assertEqual(result.returncode, 0, result.stderr)
        for made in (
            "checks/stale-slot.cpp",
            "docs/checks/stale-slot.md",
            "test/checks/stale-slot.cu",
        ):
            text = (self.root / made).read_text(encoding="utf-8")
            self.assertLessEqual(max(map(len, text.splitlines())), 80, made)
        rows = (self.root / "checks" / "Checks.def").read_text(encoding="utf-8")
        names = re.findall(r'^CHECK\(\w+, "([^"]+)"', rows, re.M)
        self.assertIn("stale-slot", names)
        self.assertEqual(names, sorted(names))
        self.assertIn(
            f'CHECK(StaleSlot, "stale-slot", Operands, Off,\n      "{SUMMARY}")\n', rows
        )
        log = (self.root / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertIn("cpasync-stale-slot", log)
        readme = (self.root / "README.md").read_text(encoding="utf-8")
        shown = re.findall(r"^\| \[cpasync-([a-z-]+)\]\(docs/checks/\1", readme, re.M)
        self.assertEqual(shown, names)

    def test_it_compiles(self):
        self.make("stale-slot", "operands", SUMMARY)
        for source in ("stale-slot.cpp", "Check.cpp"):
            subprocess.run(
                ["clang++-22", "-std=c++20", "-fsyntax-only", "-Wall", "-Werror"]
                + ["-isystem", LLVM_INCLUDE, "-I", self.root, "-I", ROOT]
                + [self.root / "checks" / source],
                check=True,
            )

    def test_first_and_last_row(self):
        for name in ("abandoned-slot", "zeroed-slot"):
            self.assertEqual(self.make(name, "groups", SUMMARY).returncode, 0)
        rows = (self.root / "checks" / "Checks.def").read_text(encoding="utf-8")
        names = re.findall(r'^CHECK\(\w+, "([^"]+)"', rows, re.M)
        self.assertEqual((names[0], names[-1]), ("abandoned-slot", "zeroed-slot"))

    def test_refuses(self):
        for arguments in (
            ("missing-wait", "groups", SUMMARY),  # names the remedy
            ("StaleSlot", "groups", SUMMARY),
            ("stale", "groups", SUMMARY),
            ("stale-slot", "nonsense", SUMMARY),
            ("stale-slot", "groups", "no sentence"),
            ("unwaited-read", "groups", SUMMARY),  # exists
        ):
            result = self.make(*arguments)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertTrue(result.stderr.startswith("new-check: "), arguments)


if __name__ == "__main__":
    main()

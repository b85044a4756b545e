#!/usr/bin/env python3
# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole kernels in the styles in which people write bulk copies, each right,
and with one of eight mistakes, as MISTAKE says.

The right one is silent and fully analysed. Each mistake is found by the check
that its comment names, at the statement below it:

    // AT 3 (unwaited-read): what goes wrong

gpu/results.txt is what gpu/run wrote on a GPU."""

import hashlib
import json
import os
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("CPASYNC_BUILD", HERE.parent.parent / "build"))
TOOL = BUILD / "bin" / "cpasync-tidy"
MISTAKES = range(1, 9)
FLAGS = ["-std=c++17", "--offload-arch=sm_90a"]
AT = re.compile(r"^\s*// AT (?P<mistake>\d) \((?P<check>[a-z-]+)\): \w")
WENT_WRONG = re.compile(r" MISTAKE=[1-8] (.* )?(WRONG|ERROR|HANG) ")
TIMEOUT_SECONDS = 300


class Expected(NamedTuple):
    check: str
    line: int


def statements(path):
    """The mistakes, and where they are to be found: each at one place."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = {}
    for number, line in enumerate(lines, start=1):
        if match := AT.match(line):
            below = number + 1
            while lines[below - 1].lstrip().startswith("//"):
                below += 1
            mistake = int(match["mistake"])
            assert mistake not in found, f"{path}: two places for {mistake}"
            found[mistake] = Expected("cpasync-" + match["check"], below)
    return found


def report(path, mistake):
    run = subprocess.run(
        [TOOL, "-j1", "--cuda=bundled", "--timeout-per-kernel=0", "--format=json"]
        + [path, "--", f"-DMISTAKE={mistake}", *FLAGS],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert run.returncode in (0, 1), f"{path}, {mistake}: {run.stderr}"
    return json.loads(run.stdout)


class Styles(unittest.TestCase):
    def test_each(self):
        paths = sorted(HERE.glob("*.cu"))
        self.assertGreaterEqual(len(paths), 12)
        runs = [(path, mistake) for path in paths for mistake in (0, *MISTAKES)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            reports = list(pool.map(lambda run: report(*run), runs))
        for (path, mistake), told in zip(runs, reports):
            with self.subTest(style=path.stem, mistake=mistake):
                self.check(told, statements(path), mistake)

    def check(self, told, expected, mistake):
        found = {
            Expected(finding["check"], finding["place"]["line"])
            for finding in told["findings"]
        }
        if mistake:
            self.assertIn(expected.get(mistake), found)
            return
        self.assertEqual(set(expected), set(MISTAKES))
        self.assertEqual(found, set())
        self.assertEqual(told["notifications"], [])
        (file,) = told["files"]
        self.assertGreater(file["kernels"], 0)
        self.assertEqual((file["notFullyAnalysed"], file["parseErrors"]), (0, 0))


class GpuResults(unittest.TestCase):
    """The right kernels are right, and mistakes go wrong: those whose time has
    come by then, as races do not lose each time."""

    def setUp(self):
        text = (HERE / "gpu" / "results.txt").read_text(encoding="utf-8")
        self.head, *self.lines = text.splitlines()
        self.paths = sorted(HERE.glob("*.cu"))

    def test_they_are_of_these_kernels(self):
        digest = hashlib.sha256()
        for path in self.paths:
            digest.update(path.read_bytes())
        self.assertEqual(self.head, f"# kernels {digest.hexdigest()}")

    def test_right_and_wrong(self):
        for path in self.paths:
            own = [line for line in self.lines if line.startswith(path.stem + " ")]
            right = [line for line in own if " MISTAKE=0 " in line]
            with self.subTest(style=path.stem):
                self.assertTrue(right)
                for line in right:
                    self.assertRegex(line, r" OK wrong runs 0 of 5 ")
                self.assertTrue(any(map(WENT_WRONG.search, own)))
                memcheck = [line for line in own if " memcheck " in line]
                self.assertEqual(len(memcheck), 1)
                self.assertRegex(memcheck[0], r"ERROR SUMMARY: 0 errors$")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()

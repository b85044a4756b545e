# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of reports share: a scratch project and a run in it."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CPASYNC_BUILD", ROOT / "build"))
TOOL = BUILD / "bin" / "cpasync-tidy"
INPUTS = ROOT / "test" / "tool" / "Inputs"
SKIPPED = 77  # what CTest takes for "skipped"


def page_url(check):
    """Where the build says that the page of a check is; None: nowhere."""
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    [base] = re.findall(r"^CPASYNC_DOCS_URL:STRING=(.*)$", cache, re.M)
    name = check.removeprefix("cpasync-")
    return f"{base.rstrip('/')}/{name}.md" if base else None


class Project(unittest.TestCase):
    """Each test runs in an empty folder that looks like a repository."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(os.path.realpath(folder.name))
        (self.folder / ".git").mkdir()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def copy(self, name, source=None):
        text = (source or INPUTS / name).read_text(encoding="utf-8")
        self.write(name, text)
        return text

    def run_tool(self, *arguments, status, where="."):
        """Runs the tool in the project; fails unless it exits with `status`
        (None: whatever it is)."""
        result = subprocess.run(
            [TOOL, "--cuda=bundled", *arguments],
            cwd=self.folder / where,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=120,
            check=False,
        )
        if status is not None:
            said = result.stdout + result.stderr
            self.assertEqual(result.returncode, status, said)
        return result

    def report(self, form, *arguments, status=1):
        """Standard output of --format=FORM, read as JSON."""
        run = self.run_tool(f"--format={form}", "--quiet", *arguments, status=status)
        return json.loads(run.stdout)


def main():
    """unittest.main, with exit status 77 if every test was skipped."""
    result = unittest.main(module="__main__", exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if len(result.skipped) == result.testsRun else 0)

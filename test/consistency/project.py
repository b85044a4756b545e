# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the meta-tests share: where things are, and the list of checks."""

import os
import re
import sys
import unittest
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CPASYNC_BUILD", ROOT / "build"))
TOOL = BUILD / "bin" / "cpasync-tidy"
SKIPPED = 77  # what CTest takes for "skipped"
# A name says the bad pattern and reads well after "allow".
WELL_FORMED_NAME = re.compile(r"^[a-z]+(-[a-z]+)+$")
FORBIDDEN_NAME = re.compile(r"^(avoid|use|prefer|missing|no|bad|check)-|-check$")


class Check(NamedTuple):
    cls: str
    name: str
    group: str
    default: str
    summary: str

    def page(self):
        return ROOT / "docs" / "checks" / f"{self.name}.md"

    def fixture(self):
        return ROOT / "test" / "checks" / f"{self.name}.cu"

    def evidence(self):
        return ROOT / "test" / "gpu" / f"{self.name}.json"


def checks():
    """The rows of checks/Checks.def, in its order."""
    text = (ROOT / "checks" / "Checks.def").read_text(encoding="utf-8")
    row = re.compile(
        r'^CHECK\((\w+), "([^"]+)", (\w+), (On|Off),\s*"([^"]+)"\)$', re.M
    )
    rows = [Check(*match) for match in row.findall(text)]
    if len(rows) != len(re.findall(r"^CHECK\(", text, re.M)):
        raise ValueError("a row of checks/Checks.def has another form")
    return rows


def main():
    """unittest.main, with exit status 77 if every test was skipped."""
    result = unittest.main(module="__main__", exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if len(result.skipped) == result.testsRun else 0)

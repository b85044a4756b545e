# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nothing that can be said is left untested: every kind of finding, cause, rule,
step and repair of lib/Finding.h and every row of lib/source/AsyncApis.def appears in
some test."""

import re
import unittest

from project import ROOT, main

ENUMS = (
    "Divergence",
    "FindingKind",
    "InFlightCause",
    "Kind",
    "OperandRule",
    "OverwriteCause",
    "Slowness",
)


def test_text():
    files = [
        path
        for suffix in ("*.cpp", "*.h", "*.cu", "*.test")
        for path in (ROOT / "test").rglob(suffix)
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


class Coverage(unittest.TestCase):
    def setUp(self):
        self.tests = test_text()

    def enums(self):
        text = (ROOT / "lib" / "Finding.h").read_text(encoding="utf-8")
        bodies = re.findall(
            r"enum class (\w+) \{(.*?)\}", re.sub(r"//.*", "", text), re.S
        )
        self.assertEqual({name for name, _ in bodies}, set(ENUMS))
        return [(name, re.findall(r"\w+", body)) for name, body in bodies]

    def test_finding_enums(self):
        for name, values in self.enums():
            for value in values:
                used = f"{name}::{value}" in self.tests
                self.assertTrue(used, f"no test has {name}::{value}")

    def test_the_analysis_produces_them_all(self):
        """A name that is only asked about, or switched over, is never said."""
        text = "\n".join(
            path.read_text(encoding="utf-8")
            for path in [*(ROOT / "lib").glob("*.*"), *(ROOT / "lib").glob("*/*.*")]
            if path.name != "Finding.h"
        )
        asked = re.compile(r"(?:case|[=!]=)\s+(?:\w+::)*\w+::\w+")
        said = set(re.findall(r"(?=\b(\w+::\w+)\b)", asked.sub("", text)))
        for name, values in self.enums():
            for value in values:
                produced = f"{name}::{value}" in said
                self.assertTrue(produced, f"nothing produces {name}::{value}")

    def test_named_functions(self):
        text = (ROOT / "lib/source/AsyncApis.def").read_text(encoding="utf-8")
        rows = re.findall(r"^ASYNC_API\((\w+),([^)]*)\)", text, re.M)
        self.assertTrue(rows)
        names = []
        for kind, row in rows:
            own = re.findall(r'"([^"]+)"', row)
            self.assertEqual(own, sorted(own), f"sort the names of {kind}")
            names += own
        self.assertEqual(len(names), len(set(names)), "a name has two rows")
        for name in names:
            last = name.split("::")[-1]
            used = re.search(rf"\b{last}\b", self.tests)
            self.assertTrue(used, f"no test calls {name}")


if __name__ == "__main__":
    main()

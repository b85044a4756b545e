# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every fix that is applied repairs what it was offered for and breaks nothing
else. The fixtures are fixed where they are linted, by test/harness/run.py."""

import sys
import unittest

sys.dont_write_bytecode = True
from reports import ROOT, TOOL, main

sys.path.insert(0, str(ROOT / "test" / "harness"))
from fixes import apply_fixes

FOLDERS = ("test/tool/Inputs", "examples")
# What they hold takes long, by design.
COSTLY = ("costly.cu", "endless.cu")


def with_fix(source):
    """False if there is surely nothing to fix."""
    text = source.read_text(encoding="utf-8", errors="replace")
    return "wait" in text or "cp.async" in text


class FixedKernels(unittest.TestCase):
    def test_all(self):
        fixed = 0
        for folder in FOLDERS:
            for source in sorted((ROOT / folder).glob("*.cu")):
                if source.name in COSTLY or not with_fix(source):
                    continue
                with self.subTest(source=source.name):
                    result = apply_fixes(TOOL, source)
                    self.assertEqual(result.problems, [])
                    fixed += result.fixed
        # The test would see nothing if no fix were offered.
        self.assertGreater(fixed, 20)

    def test_slow(self):
        result = apply_fixes(TOOL, ROOT / "test" / "stories" / "kept-overlap.cu")
        self.assertEqual(result.problems, [])
        self.assertGreater(result.slow, 0)


if __name__ == "__main__":
    main()

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every fix that is applied repairs what it was offered for and breaks nothing
else: all kernels of the tests that have one, fixed and analysed again."""

import json
import sys
import unittest
from collections import Counter

sys.dont_write_bytecode = True
from reports import ROOT, Project, main

sys.path.insert(0, str(ROOT / "test" / "harness"))
from frontends import EVERY_CHECK, extra_flags

FOLDERS = ("test/checks", "test/corpus", "test/stories", "test/tool/Inputs", "examples")
# What they hold takes long, by design.
COSTLY = ("costly.cu", "endless.cu")
# Kernels with a second mistake that the first one hides.
BEHIND = {"nested-changes.cu": 1}
# More than one edit may be needed where findings share a loop.
MAX_ROUNDS = 3


def with_fix(source):
    """False if there is surely nothing to fix."""
    text = source.read_text(encoding="utf-8", errors="replace")
    return "wait" in text or "cp.async" in text


class FixedKernels(Project):
    def findings(self, name, flags):
        options, compiler = flags
        self.run_tool(
            EVERY_CHECK, "--quiet", *options, "--output=json=report.json", name, "--",
            *compiler, status=None,
        )  # fmt: skip
        return json.loads((self.folder / "report.json").read_text())["findings"]

    def fix(self, option, name, flags):
        options, compiler = flags
        self.run_tool(EVERY_CHECK, option, *options, name, "--", *compiler, status=None)

    def check_file(self, source):
        """How many findings had a fix, and how many of them a slow one."""
        name, flags = source.name, extra_flags(source)
        self.copy(name, source)
        before = self.findings(name, flags)
        fixed = [f for f in before if any(note["fix"] for note in f["notes"])]
        slow = [f for f in fixed if f["fixIsSlow"]]
        if not fixed:
            return 0, 0
        self.fix("--fix", name, flags)
        quick = self.findings(name, flags)
        left = [f["fingerprint"] for f in quick]
        for finding in fixed:
            still = finding["fingerprint"] in left
            self.assertEqual(still, finding["fixIsSlow"], (name, finding["message"]))
        after = quick
        for _ in range(MAX_ROUNDS):
            if not any(note["fix"] for f in after for note in f["notes"]):
                break
            self.fix("--fix-slow", name, flags)
            after = self.findings(name, flags)
        for finding in after:
            edits = [note for note in finding["notes"] if note["fix"]]
            self.assertEqual(edits, [], (name, finding["message"]))
        # Nothing that was not there before; a statement that moved is the same.
        kinds = Counter((f["check"], f["function"], f["object"]) for f in after)
        kinds.subtract((f["check"], f["function"], f["object"]) for f in before)
        revealed = BEHIND.get(name, 0)
        self.assertLessEqual(sum(n for n in kinds.values() if n > 0), revealed, name)
        # An edit may repair others as well.
        self.assertLessEqual(len(after), len(before) - len(fixed) + revealed, name)
        return len(fixed), len(slow)

    def test_all(self):
        seen = Counter()
        for folder in FOLDERS:
            for source in sorted((ROOT / folder).glob("*.cu")):
                if source.name in COSTLY or not with_fix(source):
                    continue
                with self.subTest(source=source.name):
                    fixed, slow = self.check_file(source)
                    seen.update(fixed=fixed, slow=slow)
        # The test would see nothing if no fix were offered.
        self.assertGreater(seen["fixed"], 40)
        self.assertGreater(seen["slow"], 2)


if __name__ == "__main__":
    main()

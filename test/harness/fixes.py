# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every fix that is applied repairs what it was offered for and breaks nothing
else: a kernel file, fixed and analysed again."""

import json
import os
import subprocess
import tempfile
from collections import Counter
from typing import NamedTuple

from frontends import ANY_TIME, EVERY_CHECK, TIMEOUT_SECONDS, extra_flags

# Kernels with a second mistake that the first one hides.
BEHIND = {"nested-changes.cu": 1}
# More than one edit may be needed where findings share a loop.
MAX_ROUNDS = 3


def edits(finding):
    return [note["fix"] for note in finding["notes"] if note["fix"]]


class Fixed(NamedTuple):
    problems: list  # of str
    fixed: int = 0  # findings that had a fix
    slow: int = 0  # those of them with a slow one


class _Copy:
    """A copy of a kernel file, in a folder that looks like a repository."""

    def __init__(self, tool, source, folder):
        self.tool, self.folder = tool, folder
        self.name = os.path.basename(source)
        self.options, self.compiler_flags = extra_flags(source)
        os.mkdir(os.path.join(folder, ".git"))
        with open(source, "rb") as file, open(os.path.join(folder, self.name), "wb") as to:
            to.write(file.read())

    def run(self, *options):
        """What is found, with `options` to fix some of it on the way."""
        command = [self.tool, "--cuda=bundled", f"--checks={EVERY_CHECK}", ANY_TIME, "--quiet"]
        command += [*options, *self.options, "--output=json=report.json", self.name]
        subprocess.run(
            [*command, "--", *self.compiler_flags],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        report = os.path.join(self.folder, "report.json")
        with open(report, encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        os.remove(report)
        return findings


def apply_fixes(tool, source):
    """Applies the fixes of one file, in a copy of it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = _Copy(tool, source, os.path.realpath(folder))
        return check_fixes(copy)


def check_fixes(copy):
    """What is wrong with the fixes of `copy`, which are applied."""
    before = copy.run()
    fixed = [finding for finding in before if edits(finding)]
    if not fixed:
        return Fixed([])
    problems = []
    copy.run("--fix")
    after = copy.run()
    left = [finding["fingerprint"] for finding in after]
    for finding in fixed:
        if (finding["fingerprint"] in left) != finding["fixIsSlow"]:
            problems.append(f"--fix: {finding['message']}")
    for _ in range(MAX_ROUNDS):
        if not any(edits(finding) for finding in after):
            break
        copy.run("--fix-slow")
        after = copy.run()
    problems += [f"has a fix still: {f['message']}" for f in after if edits(f)]
    # Nothing that was not there before; a statement that moved is the same.
    kinds = Counter((f["check"], f["function"], f["object"]) for f in after)
    kinds.subtract((f["check"], f["function"], f["object"]) for f in before)
    behind = BEHIND.get(copy.name, 0)
    if sum(n for n in kinds.values() if n > 0) > behind:
        problems.append(f"fixed, there is more: {+kinds}")
    # An edit may repair others as well.
    if len(after) > len(before) - len(fixed) + behind:
        problems.append(f"{len(fixed)} of {len(before)} fixed, {len(after)} left")
    slow = sum(finding["fixIsSlow"] for finding in fixed)
    return Fixed(problems, len(fixed), slow)

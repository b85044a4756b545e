# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every message keeps to docs/messages.md."""

import re
import sys
import unittest

from project import ROOT, main

sys.path.insert(0, str(ROOT / "test" / "harness"))
from expectations import read_expectations  # noqa: E402

BANNED = re.compile(
    r"\b(please|possibly|probably|potentially|this check|should|try|you|simply"
    r"|hazard|race|racy|pending|outstanding|buffer|batch|asynchronously)\b",
    re.I,
)
MAX_COLUMNS = 100
MESSAGES = ROOT / "docs" / "messages.md"


def patterns(heading):
    """The templates listed in a section of docs/messages.md, as expressions:
    N stands for a number, NAME for a user's name, TEXT for any words."""
    text = MESSAGES.read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    blocks = re.findall(r"^```\n(.*?)^```$", section, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    result = []
    for line in lines:
        expression = re.escape(line)
        thread = re.escape("thread N")
        expression = expression.replace(
            thread, rf"{thread}( \(N, N(, N)?\))?( of block N)?"
        )
        for word, meaning in (
            ("NAME", r"('[^']+'|shared memory)"),
            ("TEXT", ".+"),
            ("N", r"[-+]?\d+"),
        ):
            expression = re.sub(rf"\b{word}\b", lambda _: meaning, expression)
        expression = expression.replace("\\(s\\)", "s?")
        result.append(re.compile(expression))
    return result


def expected_messages():
    folders = ("checks", "corpus", "stories")
    files = [path for name in folders for path in (ROOT / "test" / name).glob("*.cu")]
    for path in files:
        for diagnostic in read_expectations(path.read_text(encoding="utf-8")):
            yield path.name, diagnostic


class Wording(unittest.TestCase):
    def test_form(self):
        for name, (line, _, _, text) in expected_messages():
            place = f"{name}:{line}: {text}"
            unquoted = re.sub(r"'[^']*'", "''", text)
            self.assertFalse(text[:1].isupper(), place)
            self.assertFalse(text.endswith((".", "!")), place)
            self.assertIsNone(BANNED.search(unquoted), place)
            self.assertLessEqual(len(text), MAX_COLUMNS, place)
            self.assertNotIn('"', unquoted, place)
            self.assertTrue(text.isascii(), place)

    def test_warnings_and_notes_are_listed(self):
        listed = {
            "warning": patterns("Warnings"),
            "note": patterns("Notes"),
        }
        for name, (line, severity, _, text) in expected_messages():
            if severity not in listed or text.startswith("expanded from macro"):
                continue
            self.assertTrue(
                any(pattern.fullmatch(text) for pattern in listed[severity]),
                f"{name}:{line}: not in docs/messages.md: {text}",
            )


if __name__ == "__main__":
    main()

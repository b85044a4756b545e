# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command in a document is run by a test, or says why it cannot be."""

import re
import unittest
from pathlib import Path

from blocks import COMMANDS, blocks, commands, parse_run

ROOT = Path(__file__).resolve().parents[2]
# Pages whose commands test/package/CMakeLists.txt makes tests of.
RUN_PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "packaging" / "python" / "README.md",
]
ALL_PAGES = sorted(
    path
    for top in ("docs", "lib", "packaging", "test")
    for path in (ROOT / top).rglob("*.md")
) + [ROOT / "README.md"]
# scripts/test, twice: it runs these tests. Lower it when one can be run.
COMMANDS_NOT_RUN = 2
PROGRAMS = (
    r"\$|cmake|clang-tidy|clangd|cpasync-tidy|ctest|git|ninja|nvcc|pip|pre-commit|"
    r"python3?|scripts/|build/|test/[\w/]+"
)
INDENTED_COMMAND = re.compile(rf"^ {{4}}(?:{PROGRAMS})\S*(?:\s|$)")


def without_blocks(page):
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


class Markers(unittest.TestCase):
    def test_every_command_has_one(self):
        for page in ALL_PAGES:
            for block in blocks(page):
                is_command = block.language in COMMANDS
                marked = block.kind in ("run", "not run")
                self.assertEqual(is_command, marked, block.where())
                self.assertFalse(
                    not is_command and block.text.startswith("$ "),
                    f"{block.where()}: make it a ```console block",
                )

    def test_commands_are_in_fenced_blocks(self):
        for page in ALL_PAGES:
            for line in without_blocks(page).splitlines():
                if not line.isascii():
                    continue  # a diagram
                self.assertNotRegex(line, INDENTED_COMMAND, f"{page}: use ```sh")

    def test_markers_can_be_read(self):
        for page in ALL_PAGES:
            for block in blocks(page):
                if block.kind == "run":
                    self.assertIn(page, RUN_PAGES, block.where())
                    parse_run(block)
                    self.assertTrue(commands(block), block.where())

    def test_few_commands_are_not_run(self):
        not_run = [b for page in ALL_PAGES for b in blocks(page) if b.kind == "not run"]
        for block in not_run:
            self.assertGreater(len(block.argument.split()), 2, block.where())
        self.assertEqual(len(not_run), COMMANDS_NOT_RUN)


class Extraction(unittest.TestCase):
    """The extraction itself, on a page with everything in it."""

    def setUp(self):
        self.blocks = blocks(Path(__file__).parent / "every-marker.txt")

    def test_kinds(self):
        self.assertEqual(
            [(b.kind, b.language, b.line) for b in self.blocks],
            [
                ("run", "sh", 4),
                ("run", "console", 9),
                ("file", "yaml", 20),
                ("not run", "sh", 25),
                (None, "cuda", 29),
            ],
        )

    def test_run(self):
        self.assertEqual(parse_run(self.blocks[0]), ("one", 0, []))
        self.assertEqual(parse_run(self.blocks[1]), ("two", 3, ["nvcc", "cmake"]))

    def test_commands(self):
        self.assertEqual(commands(self.blocks[0]), [("true\n", None)])
        self.assertEqual(
            commands(self.blocks[1]),
            [("echo a \\\n  b", "a b\n"), ("true", ""), ("exit 3", "")],
        )


if __name__ == "__main__":
    unittest.main()

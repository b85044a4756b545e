# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/checks promises: the headings, and that its examples are true."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from project import ROOT, TOOL, checks, main

sys.path.insert(0, str(ROOT / "test" / "harness"))
from frontends import run_tool  # noqa: E402

HEADINGS = [
    "Why it is wrong",
    "Flagged",
    "Not flagged",
    "Limits",
    "Fixing it",
    "GPU evidence",
]


def sections(page):
    """Heading -> text below it."""
    parts = re.split(r"^## (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def code_blocks(text):
    return re.findall(r"^```cuda\n(.*?)^```$", text, re.M | re.S)


def lint(code):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.cu"
        path.write_text(code, encoding="utf-8")
        return run_tool(str(TOOL), str(path))


class Pages(unittest.TestCase):
    def test_headings(self):
        for check in checks():
            self.assertEqual(list(sections(check.page())), HEADINGS, check.page())

    def test_the_readme_has_a_row_for_each(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| \[cpasync-([a-z-]+)\]\(docs/checks/\1\.md\)", text, re.M)
        self.assertEqual(rows, [check.name for check in checks()])

    def test_flagged_examples_are_found(self):
        for check in checks():
            blocks = code_blocks(sections(check.page())["Flagged"])
            self.assertTrue(blocks, f"{check.page()}: no example under Flagged")
            for block in blocks:
                with self.subTest(check=check.name, code=block):
                    output = lint(block)
                    found = {finding[0].check for finding in output.findings}
                    self.assertIn(f"cpasync-{check.name}", found)

    def test_other_examples_are_silent(self):
        for check in checks():
            parts = sections(check.page())
            blocks = code_blocks(parts["Not flagged"])
            self.assertTrue(blocks, f"{check.page()}: no example under Not flagged")
            for block in blocks + code_blocks(parts["Fixing it"]):
                with self.subTest(check=check.name, code=block):
                    self.assertEqual(lint(block), ([], [], [], []))


class OtherPages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        for page in pages:
            text = page.read_text(encoding="utf-8")
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((page.parent / target).exists(), f"{page}: {target}")

    def test_readme_shows_real_output(self):
        self.assertRegex(README.read_text(encoding="utf-8"), SHOWN_RUN)
        self.assertEqual(
            README.read_text(encoding="utf-8"),
            readme_with_real_output(),
            "refresh it: python3 test/consistency/pages_test.py --update",
        )


README = ROOT / "README.md"
# A block of README.md that shows a command and what it printed.
SHOWN_RUN = re.compile(
    r"^```console\n\$ (build/bin/cpasync-tidy .*)\n(?:.*\n)*?```\n", re.M
)


def readme_with_real_output():
    def run(match):
        result = subprocess.run(
            [TOOL, *match[1].split()[1:]], capture_output=True, text=True, cwd=ROOT
        )
        return f"```console\n$ {match[1]}\n{result.stdout}```\n"

    return SHOWN_RUN.sub(run, README.read_text(encoding="utf-8"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        README.write_text(readme_with_real_output(), encoding="utf-8")
    else:
        main()

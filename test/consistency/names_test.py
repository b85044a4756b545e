# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One name per check, the same everywhere, and one sentence with it."""

import re
import subprocess
import unittest

from project import FORBIDDEN_NAME, ROOT, TOOL, WELL_FORMED_NAME, checks, main


def tool(*arguments):
    return subprocess.run(
        [TOOL, *arguments], capture_output=True, text=True, check=True
    ).stdout


def stems(folder, suffix):
    return {path.stem for path in (ROOT / folder).glob(f"*{suffix}")}


class Names(unittest.TestCase):
    def test_sorted_and_unique(self):
        names = [check.name for check in checks()]
        self.assertEqual(names, sorted(set(names)), "sort checks/Checks.def")

    def test_well_formed(self):
        for check in checks():
            self.assertRegex(check.name, WELL_FORMED_NAME)
            self.assertIsNone(FORBIDDEN_NAME.search(check.name), check.name)
            words = [word.capitalize() for word in check.name.split("-")]
            self.assertEqual(check.cls, "".join(words))

    def test_every_folder_has_the_same(self):
        names = {check.name for check in checks()}
        kebab = {name for name in stems("checks", ".cpp") if name[0].islower()}
        for folder, found in (
            ("checks/*.cpp", kebab),
            ("docs/checks/*.md", stems("docs/checks", ".md") - {"index"}),
            ("test/checks/*.cu", stems("test/checks", ".cu")),
        ):
            self.assertEqual(found, names, f"checks/Checks.def and {folder} differ")

    def test_evidence_belongs_to_a_check(self):
        names = {check.name for check in checks()}
        self.assertLessEqual(stems("test/gpu", ".json"), names)


class Summaries(unittest.TestCase):
    def test_is_one_sentence(self):
        for check in checks():
            self.assertRegex(check.summary, r"^[A-Z][^.]*\.$")

    def test_page_opens_with_it(self):
        for check in checks():
            lines = check.page().read_text(encoding="utf-8").splitlines()
            self.assertEqual(lines[0], f"# cpasync-{check.name}")
            paragraph = " ".join(lines[1:]).split("##")[0].strip()
            self.assertEqual(paragraph, check.summary, check.page())

    def test_list_checks_prints_it(self):
        listed = [
            re.split(r" {2,}", line) for line in tool("--list-checks").splitlines()
        ]
        wanted = [
            [
                f"cpasync-{check.name}",
                check.default.lower(),
                check.group.lower(),
                check.summary,
            ]
            for check in checks()
        ]
        self.assertEqual(listed, wanted)

    def test_explain_prints_the_page(self):
        for check in checks():
            page = check.page().read_text(encoding="utf-8")
            self.assertEqual(tool("--explain", check.name), page)

    def test_changelog_names_it(self):
        log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        for check in checks():
            self.assertIn(f"cpasync-{check.name}", log)


if __name__ == "__main__":
    main()

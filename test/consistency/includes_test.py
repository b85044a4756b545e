# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dependencies point one way: tool -> checks -> lib -> clang, llvm."""

import re
import unittest

from project import ROOT, main

INCLUDE = re.compile(r'^\s*#include ([<"])([^>"]+)[>"]', re.M)
# folder -> our own folders it may include
ALLOWED = {"lib": {"lib"}, "checks": {"lib", "checks"}, "tool": {"lib", "checks", "tool"}}
# The adapter of the checks, and what runs clang-tidy's library.
CLANG_TIDY_USERS = {
    "checks/TidyModule.cpp",
    "tool/Analyzer.cpp",
    "tool/Fixer.h",
    "tool/Lint.cpp",
    "tool/MissingKeywords.h",
    "tool/ShownNames.h",
    "tool/Suppressions.cpp",
    "tool/TidyErrors.cpp",
    "tool/TidyOptions.cpp",
    "tool/TidyOptions.h",
}
# Text and numbers only: these compile without Clang's headers.
PURE = ("InlinePtx", "PtxOps", "PtxScanner", "GroupQueue")


def includes():
    for folder in ALLOWED:
        for path in sorted((ROOT / folder).glob("*.[ch]*")):
            if path.suffix in (".cpp", ".h", ".def"):
                text = path.read_text(encoding="utf-8")
                for _, target in INCLUDE.findall(text):
                    yield f"{folder}/{path.name}", folder, target
# What crashes Clang for declarations that have no layout, or no value.
LAYOUT = re.compile(
    r"\b(getASTRecordLayout|getTypeSize\w*|getTypeAlign\w*|getTypeInfo\w*|getDeclAlign|"
    r"getFieldOffset|EvaluateAs\w+|evaluateValue)\("
)


class Includes(unittest.TestCase):
    def test_direction(self):
        for path, folder, target in includes():
            top = target.split("/")[0]
            if "/" not in target and (ROOT / folder / target).exists():
                top = folder
            if top in ALLOWED or top == "test":
                self.assertIn(top, ALLOWED[folder], f"{path} includes {target}")

    def test_clang_tidy_in_few_places(self):
        for path, _, target in includes():
            if target.startswith("clang-tidy/"):
                self.assertIn(path, CLANG_TIDY_USERS, target)

    def test_pure_files_know_no_clang(self):
        for path, _, target in includes():
            if path.split("/")[1].split(".")[0] in PURE:
                self.assertFalse(target.startswith("clang"), f"{path}: {target}")

    def test_one_door_to_layouts(self):
        users = {
            path.name
            for path in (ROOT / "lib").glob("*.[ch]*")
            if LAYOUT.search(path.read_text(encoding="utf-8"))
        }
        self.assertEqual(users, {"Layouts.cpp"})


if __name__ == "__main__":
    main()

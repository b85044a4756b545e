# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dependencies point one way: tool -> checks -> lib -> clang, llvm."""

import pathlib
import re
import unittest

from project import ROOT, main

INCLUDE = re.compile(r'^\s*#include ([<"])([^>"]+)[>"]', re.M)
# folder -> our own folders it may include
ALLOWED = {"lib": {"lib"}, "checks": {"lib", "checks"}, "tool": {"lib", "checks", "tool"}}
# The adapter of the checks, and what runs clang-tidy's library.
CLANG_TIDY_USERS = {
    "checks/TidyModule.cpp",
    "tool/run/Analyzer.cpp",
    "tool/run/Fixer.h",
    "tool/run/Lint.cpp",
    "tool/input/MissingKeywords.h",
    "tool/run/ShownNames.h",
    "tool/report/Suppressions.cpp",
    "tool/run/TidyErrors.cpp",
    "tool/run/TidyOptions.cpp",
    "tool/run/TidyOptions.h",
}
# Text and numbers only: these compile without Clang's headers.
PURE = ("InlinePtx", "PtxOps", "PtxScanner", "GroupQueue", "PerThread")


# The rooms of a folder: each may include itself and those before it.
ROOMS = {
    "lib": (
        "support ptx values source launch templates memory state inference report detect interp solve engine"
    ).split(),
    "checks": [],
    "tool": "input report run lsp".split(),
}
# Data that every room of lib/ hands on.
SHARED = {"lib/Finding.h", "lib/Options.h"}


def sources(folder):
    """Our own C++ in the folder and its rooms."""
    rooms = [""] + ROOMS[folder]
    for room in rooms:
        for path in sorted((ROOT / folder / room).glob("*.[ch]*")):
            if path.suffix in (".cpp", ".h", ".def"):
                yield path


def includes():
    for folder in ALLOWED:
        for path in sources(folder):
            text = path.read_text(encoding="utf-8")
            for _, target in INCLUDE.findall(text):
                yield str(path.relative_to(ROOT)), folder, target


def floor(path):
    """How high a file of ours lies in its folder."""
    folder, *room, _ = path.split("/")
    return ROOMS[folder].index(room[0]) if room else len(ROOMS[folder])


# What crashes Clang for declarations that have no layout, or no value.
LAYOUT = re.compile(
    r"\b(getASTRecordLayout|getTypeSize\w*|getTypeAlign\w*|getTypeInfo\w*|getDeclAlign|"
    r"getFieldOffset|EvaluateAs\w+|evaluateValue)\("
)


# What a file calls by a name of its own, and what is no code in it.
SHORT_NAME = re.compile(r"^ *(?:using (?:\w*::)+(\w+)|namespace (\w+) = [\w:]+);", re.M)
NO_CODE = re.compile(r"//.*|\"(?:[^\"\\\n]|\\.)*\"")


def unused_names(text):
    """The short names in a file's text that it declares and never uses."""
    code = NO_CODE.sub("", text)
    names = [using or alias for using, alias in SHORT_NAME.findall(code)]
    code = SHORT_NAME.sub("", code)
    return [name for name in names if not re.search(rf"(?<!::)\b{name}\b", code)]


class ShortNames(unittest.TestCase):
    """As misc-unused-using-decls and misc-unused-alias-decls, see test/OwnCode.cmake."""

    def test_are_used(self):
        paths = [path for folder in ALLOWED for path in sources(folder)]
        for path in [*paths, *(ROOT / "test" / "unit").glob("*.cpp")]:
            if path.suffix == ".cpp":
                text = path.read_text(encoding="utf-8")
                self.assertEqual(unused_names(text), [], path)

    def test_unused_are_seen(self):
        text = """using llvm::StringRef; // StringRef
        using std::swap;
        namespace fs = llvm::sys::fs;
        namespace path = llvm::sys::path;
        std::swap(A, B); print("fs"); path::root();"""
        self.assertEqual(unused_names(text), ["StringRef", "swap", "fs"])


# What a library of ours neither asks nor prints: a print left behind, or a switch
# that no page tells of.
SIDE_DOORS = re.compile(r"\bgetenv\(|\bllvm::(?:errs|outs|dbgs)\(|\bf?printf\(|\bstd::(?:cerr|cout)\b")


class Includes(unittest.TestCase):
    def test_own_files_are_there(self):
        tests = sorted((ROOT / "test").rglob("*.cpp")) + sorted((ROOT / "test").rglob("*.h"))
        found = [target for _, _, target in includes()]
        for path in tests:
            found += [target for _, target in INCLUDE.findall(path.read_text(encoding="utf-8"))]
        for target in found:
            self.assertFalse(target.startswith(("/", ".")), target)
            if target.split("/")[0] in (*ALLOWED, "test"):
                self.assertTrue((ROOT / target).is_file(), target)

    def test_lib_is_silent(self):
        for path in sources("lib"):
            text = NO_CODE.sub("", path.read_text(encoding="utf-8"))
            self.assertIsNone(SIDE_DOORS.search(text), path)

    def test_direction(self):
        for path, folder, target in includes():
            top = target.split("/")[0]
            if top in ALLOWED or top == "test":
                self.assertIn(top, ALLOWED[folder], f"{path} includes {target}")

    def test_every_folder_is_a_room(self):
        for folder, rooms in ROOMS.items():
            found = {path.parent.name for path in (ROOT / folder).glob("*/*.cpp")}
            self.assertLessEqual(found, set(rooms))

    def test_rooms(self):
        for path, folder, target in includes():
            if target.startswith(f"{folder}/") and target not in SHARED:
                self.assertLessEqual(floor(target), floor(path), f"{path}: {target}")

    def test_clang_tidy_in_few_places(self):
        for path, _, target in includes():
            if target.startswith("clang-tidy/"):
                self.assertIn(path, CLANG_TIDY_USERS, target)

    def test_pure_files_know_no_clang(self):
        for path, _, target in includes():
            if pathlib.PurePath(path).stem in PURE:
                self.assertFalse(target.startswith("clang"), f"{path}: {target}")

    def test_one_door_to_layouts(self):
        users = {
            path.name
            for path in sources("lib")
            if LAYOUT.search(path.read_text(encoding="utf-8"))
        }
        self.assertEqual(users, {"Layouts.cpp"})


if __name__ == "__main__":
    main()

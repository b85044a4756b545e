# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every option of the installed nvcc is known, with its short name and whether
it takes a value."""

import re
import shutil
import subprocess
import sys
import unittest

from project import ROOT, SKIPPED, main

# --options-file is read before the table is asked.
ELSEWHERE = {"options-file"}
ROW = re.compile(r'^NVCC\("([^"]+)",\s*"([^"]+)",\s*(\w+),\s*(\w+)\)', re.M)
# "--gpu-code <code>,...      (-code)"; the value may be "{a|b}", "[a,b]" or a word.
HELP = re.compile(r"^--(\S+)( +[^ (]\S*.*?)? +\(?-{1,2}([\w-]+)\)?\s*$", re.M)
# Options whose help shows no value though they take one.
SHOWN_WITHOUT = {"dependency-output", "qpp-config"}
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def table():
    text = (ROOT / "tool" / "input" / "NvccFlags.def").read_text(encoding="utf-8")
    return {long: (short, kind) for long, short, kind, _ in ROW.findall(text)}


class NvccFlags(unittest.TestCase):
    def test_names_are_unique(self):
        shorts = [short for short, _ in table().values()]
        self.assertEqual(len(shorts), len(set(shorts)))

    def test_every_option_of_nvcc(self):
        text = subprocess.run(
            [NVCC, "--help"], capture_output=True, text=True, check=True
        ).stdout
        options = HELP.findall(text)
        self.assertGreater(len(options), 100, "the help of nvcc was not understood")
        known = table()
        for long, value, short in options:
            if long in ELSEWHERE:
                continue
            self.assertIn(long, known, f"add --{long} to tool/input/NvccFlags.def")
            self.assertEqual(known[long][0], short, long)
            takes_value = bool(value.strip()) or long in SHOWN_WITHOUT
            self.assertEqual(known[long][1] != "None", takes_value, long)


if __name__ == "__main__":
    if not NVCC:
        print("skipped: nvcc is not installed")
        sys.exit(SKIPPED)
    main()

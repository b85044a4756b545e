# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""File names that nobody should print as they are, in everything we print."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reports"))
from reports import INPUTS, TOOL, Project, main  # noqa: E402

# A name and how it is shown.
NAMES = {
    b"new\nline.cu": "new<U+000A>line.cu",
    b"\n::error::pwned.cu": "<U+000A>::error::pwned.cu",
    b"return\r.cu": "return<U+000D>.cu",
    b"colour\x1b[31m.cu": "colour<U+001B>[31m.cu",
    b"csi\xc2\x9b31m.cu": "csi<U+009B>31m.cu",
    b"delete\x7f.cu": "delete<U+007F>.cu",
    "turned\u202euc.cu".encode(): "turned<U+202E>uc.cu",
    "isolated\u2066.cu".encode(): "isolated<U+2066>.cu",
    "line\u2028end.cu".encode(): "line<U+2028>end.cu",
    b"no-utf8\xff\xfe.cu": "no-utf8<FF><FE>.cu",
    b"::error file=x::.cu": "./::error file=x::.cu",
    b" ::stop-commands::x.cu": "./ ::stop-commands::x.cu",
    b"##[error]x.cu": "#<U+0023>[error]x.cu",
    b"back\\slash.cu": "back\\slash.cu",
    "sp ace \u00fc.cu".encode(): "sp ace \u00fc.cu",
}


def is_hidden(character):
    code = ord(character)
    return code < 32 and character != "\n" or 0x7F <= code < 0xA0 or code in HIDDEN


HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C, 0x2028, 0x2029}


class Names(Project):
    def run_on(self, name, *arguments, status=1):
        run = subprocess.run(
            [TOOL, "--cuda=bundled", *arguments, name],
            cwd=self.folder,
            capture_output=True,
            timeout=120,
            check=False,
        )
        said = run.stdout.decode() + run.stderr.decode()  # or it is no UTF-8
        self.assertEqual(run.returncode, status, said)
        return said

    def check_shown(self, said):
        self.assertEqual([c for c in said if is_hidden(c)], [], said)
        for line in said.split("\n"):
            self.assertFalse(line.lstrip().startswith("::"), said)
            self.assertNotIn("##[", line)

    def source(self, name, text=None):
        text = text or (INPUTS / "forgotten-wait.cu").read_bytes()
        (self.folder / os.fsdecode(name)).write_bytes(text)

    def test_findings(self):
        for name, shown in NAMES.items():
            self.source(name)
            for more in ((), ("--output=text=/dev/stdout", "--quiet")):
                said = self.run_on(name, *more)
                self.check_shown(said)
                self.assertTrue(said.startswith(f"{shown}:7:22: warning: "), said)
                # Its text is there, although under another name.
                self.assertIn("|   Out[threadIdx.x] = Tile[threadIdx.x];", said)

    def test_state(self):
        for name, shown in NAMES.items():
            self.source(name)
            said = self.run_on(name, "--print-state")
            self.check_shown(said)
            self.assertIn(f"{shown.removeprefix('./')}:5:3: state: copy:", said)

    def test_gaps(self):
        text = b"template <class T> __global__ void k() { T::missing(); }\n"
        text += b"void h() { k<float2><<<1, 32>>>(); }\n"
        for name, shown in NAMES.items():
            self.source(name, text)
            said = self.run_on(name, "--skipped", status=0)
            self.check_shown(said)
            self.assertIn(f"{shown}:1:", said)

    def test_errors(self):
        for name, shown in NAMES.items():
            said = self.run_on(name, status=2)
            self.check_shown(said)
            shown = shown.removeprefix("./")
            self.assertIn(f"cpasync-tidy: error: {shown}: No such file or directory\n", said)

    def test_text_of_clang(self):
        """A name in an include or on a #line, a message of the source."""
        self.source(b"k.cu", b'#include "a\x1b[31m\xff.h"\n__global__ void k() {}\n')
        said = self.run_on(b"k.cu", status=0)
        self.check_shown(said)
        self.assertIn("<U+001B>[31m<FF>", said)
        self.source(b"k.cu", b'#error "::error::\x1b\xe2\x80\xae"\n')
        self.check_shown(self.run_on(b"k.cu", status=2))
        text = (INPUTS / "forgotten-wait.cu").read_bytes()
        self.source(b"k.cu", b'#line 1 "::error::\x1b.h"\n' + text)
        self.check_shown(self.run_on(b"k.cu"))

    def test_lines_of_source(self):
        text = (INPUTS / "forgotten-wait.cu").read_text(encoding="utf-8")
        text = text.replace("Tile[threadIdx.x];", "Tile[threadIdx.x]; // \x1b[31m\u202e")
        self.source(b"k.cu", text.encode())
        said = self.run_on(b"k.cu")
        self.check_shown(said)
        self.assertIn("// <U+001B>[31m<U+202E>", said)

    def test_options(self):
        self.source(b"k.cu")
        for option in ("--no\x1b[31m", "--cuda=\u202e", "--format=\n::error::"):
            said = self.run_on(b"k.cu", option, status=2)
            self.check_shown(said)
            self.assertRegex(said, r"^cpasync-tidy: error: [^\n]*<U\+[0-9A-F]{4}>[^\n]*\n$")

    def test_reports_have_the_real_name(self):
        for name in NAMES:
            self.source(name)
            real = name.decode(errors="replace")
            if b"\xff" not in name:
                report = json.loads(self.run_on(name, "--format=json", "--quiet"))
                self.assertEqual(report["findings"][0]["place"]["file"], real)
            log = json.loads(self.run_on(name, "--format=sarif", "--quiet"))
            where = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
            uri = where["artifactLocation"]["uri"].removeprefix("./")
            self.assertEqual(bytes(percent_decoded(uri)), name)
            entries = json.loads(self.run_on(name, "--format=gitlab", "--quiet"))
            self.assertEqual(len(entries), 1)

    def test_html(self):
        for name in NAMES:
            self.source(name)
            self.check_shown(self.run_on(name, "--format=html", "--quiet"))

    def test_github(self):
        """Commands of ours only, a line each, with the path as GitHub reads it."""
        for name, shown in NAMES.items():
            self.source(name)
            said = self.run_on(name, "--format=github", "--quiet")
            self.assertEqual([c for c in said if is_hidden(c)], [])
            self.assertEqual(said.count("\n"), 1, said)
            self.assertTrue(said.startswith("::warning file="), said)
            path = said.removeprefix("::warning file=").split(",")[0]
            for code, character in ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%"):
                path = path.replace(code, character)
            if "<" not in path:
                self.assertEqual(path, name.decode())
            else:
                self.assertIn(path, (shown, shown.removeprefix("./")))


def percent_decoded(uri):
    at = 0
    while at < len(uri):
        if uri[at] == "%":
            yield int(uri[at + 1 : at + 3], 16)
            at += 3
        else:
            yield ord(uri[at])
            at += 1


class Backslashes(Project):
    """A backslash is part of a name."""

    def test_source_include_and_database(self):
        text = (INPUTS / "forgotten-wait.cu").read_text(encoding="utf-8")
        self.write("d\\e/body\\.cuh", text)
        self.write("d\\e/k\\.cu", '#include "body\\.cuh"\n')
        run = self.run_tool("d\\e/k\\.cu", status=1)
        self.assertTrue(run.stdout.startswith("d\\e/body\\.cuh:7:22: warning: "))
        self.assertEqual(run.stderr, "")
        entry = {"directory": ".", "file": "d\\e/k\\.cu", "command": "nvcc -c 'd\\e/k\\.cu'"}
        self.write("compile_commands.json", json.dumps([entry]))
        for asked in ((), ("d\\e/k\\.cu",), ("d\\e/body\\.cuh",)):
            run = self.run_tool("-p", ".", *asked, status=1)
            self.assertTrue(run.stdout.startswith("d\\e/body\\.cuh:7:22: warning: "), asked)
            self.assertEqual(run.stderr, "")

    def test_configuration_beside_it(self):
        self.write("d\\e/.clang-tidy", "Checks: '-cpasync-*,cpasync-misaligned-copy'\n")
        self.copy("forgotten-wait.cu")
        self.write("d\\e/k.cu", (self.folder / "forgotten-wait.cu").read_text())
        self.run_tool("d\\e/k.cu", status=0)


if __name__ == "__main__":
    main()

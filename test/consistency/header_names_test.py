# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bundled CUDA headers parse whatever macros a program has defined."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from project import ROOT, main

HEADERS = ROOT / "lib" / "cuda-headers"
INSIDE = HEADERS / "include" / "cpasync"
BEGIN, END = INSIDE / "names_begin.h", INSIDE / "names_end.h"
# Those that stand in front of libcu++'s own bring its names with them.
FORWARDING = {HEADERS / "overlay/cuda/std/__cccl/assert.h"}
# Of templates, parameters and locals here; CUDA's names are none of these.
ORDINARY = re.compile(r"(?<![\w#])(?:[A-Z][a-z]+[A-Za-z0-9]*|[A-Z])(?!\w)")
NO_CODE = re.compile(r"\s*#\s*(include|if|elif|endif|pragma|error|define)")


def sources():
    """All headers, but for the two lists."""
    return [
        path
        for path in sorted(HEADERS.rglob("*"))
        if path.is_file() and path not in (BEGIN, END) and path.suffix != ".md"
    ]


def ordinary_names():
    names = set()
    for path in sources():
        text = re.sub(r'//.*|"[^"\n]*"', "", path.read_text())
        for line in text.splitlines():
            if not NO_CODE.match(line):
                names.update(ORDINARY.findall(line))
    return names


def parse(text, *flags):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "all.cu"
        source.write_text(text)
        return subprocess.run(
            ["clang++-22", "-x", "cuda", "-std=c++20", "-fsyntax-only"]
            + ["--cuda-device-only", "--no-offload-arch=all"]
            + ["--offload-arch=sm_90a", "-nocudainc", "-nocudalib"]
            + ["-Wno-unknown-cuda-version"]
            + ["-include", str(HEADERS / "cpasync_prelude.h")]
            + ["-isystem", str(HEADERS / "include"), *flags, str(source)],
            capture_output=True,
            text=True,
            check=False,
        )


class HeaderNames(unittest.TestCase):
    def test_both_lists_have_the_same(self):
        hidden = re.findall(r"^#undef (\w+)$", BEGIN.read_text(), re.M)
        back = re.findall(
            r'^#pragma pop_macro\("(\w+)"\)$', END.read_text(), re.M
        )
        self.assertEqual(hidden[0], "__CPASYNC_INSIDE")
        self.assertEqual(back[-1], "__CPASYNC_INSIDE")
        self.assertEqual(hidden[1:], back[:-1])
        self.assertEqual(hidden[1:], sorted(set(hidden[1:])))

    def test_every_name_is_hidden(self):
        hidden = re.findall(r"^#undef (\w+)$", BEGIN.read_text(), re.M)
        self.assertGreater(len(ordinary_names()), 50)
        self.assertEqual(
            sorted(ordinary_names() - set(hidden)),
            [],
            "add them to names_begin.h and names_end.h",
        )

    def test_every_header_that_programs_include_hides_them(self):
        for path in sources():
            if INSIDE in path.parents or path in FORWARDING:
                continue
            text = path.read_text()
            if "fallback" not in path.parts:
                self.assertIn("names_begin.h", text, path)
            self.assertEqual(
                text.count("names_begin.h"), text.count("names_end.h"), path
            )

    def test_programs_may_define_them(self):
        names = sorted(ordinary_names() | {"a", "count", "index", "size"})
        include = HEADERS / "include"
        headers = [
            path.relative_to(include)
            for path in sources()
            if include in path.parents
            and INSIDE not in path.parents
            and not {"crt", "detail"} & set(path.parts)
        ]
        text = "".join(f"#include <{path}>\n" for path in headers)
        # They are what they were.
        text += "".join(f"static_assert({name} == 7);\n" for name in names)
        text += "#ifdef __CPASYNC_INSIDE\n#error it is not over\n#endif\n"
        run = parse(text, *(f"-D{name}=7" for name in names))
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    main()

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiler flags that make Clang write files, print or load code: none of it
happens, and one note names them."""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reports"))
from reports import Project, main  # noqa: E402

NOTE = "cpasync-tidy: note: ignored compiler flags that make Clang write or print: "

# Each is ignored and named as it stands here.
NAMED = """
--serialize-diagnostics x.dia
-serialize-diagnostics x.dia
-###
-H
-v
-dD
-dM
-ftime-report
-ftime-report=per-pass
-ftime-trace
-ftime-trace=x.json
-ftime-trace-granularity=1
-save-temps
-save-temps=cwd
-save-stats
-save-stats=cwd
-fproc-stat-report
-fproc-stat-report=x.txt
-fmodules
-fmodules -fmodules-cache-path=x
-fcxx-modules -fimplicit-modules
-fmodule-output=x.pcm
-ccc-print-phases
-ccc-print-bindings
-print-targets
-print-search-dirs
-print-resource-dir
-dumpversion
-dumpmachine
--version
--help
--autocomplete=-f
-gen-reproducer=always
-fcrash-diagnostics-dir=x
-fplugin=./x.so
-fplugin-arg-x-y
-fpass-plugin=./x.so
-mllvm -help
-mllvm -stats -mllvm -info-output-file=x.txt
-mllvm=-stats
-dependency-dot x.dot
--config=x.cfg
-Xarch_device -v
-Xarch_sm_80 -H
-Xarch_device -ftime-trace=x.json
-Xclang -diagnostic-log-file -Xclang x.txt
-Xclang -serialize-diagnostic-file -Xclang x.dia
-Xclang -dependency-file -Xclang x.d
-Xclang -header-include-file -Xclang x.txt -Xclang -H
-Xclang --show-includes
-Xclang -module-dependency-dir -Xclang x
-Xclang -stats-file=x.json
-Xclang -print-stats
-Xclang -version
-Xclang -v
-Xclang -load -Xclang ./x.so
-Xclang -plugin -Xclang x
-Xclang -add-plugin -Xclang x
-Xclang -plugin-arg-x -Xclang y
-Xclang -ast-dump
-Xclang -ast-list
-Xclang -dump-tokens
-Xclang -fdump-record-layouts
-Xclang -fdump-vtable-layouts
-Xclang -print-preamble
-Xclang -emit-pch -Xclang -o -Xclang x.pch
-Xclang -emit-obj
-Xclang -emit-llvm
-Xclang -E
-Xclang -analyze
-Xclang -fixit
-Xclang -verify
-Xclang -ftime-trace=x.json
-Xclang -fmodules -Xclang -fmodules-cache-path=x
-Xclang -mllvm -Xclang -help
"""

NVCC_TOO = ("-v", "-save-temps", "--version", "--help")

# These say what to do with a result that there is not; every build has some.
SILENT = """
-c
-E
-E -o x.txt
-S
-o x.o
-fsyntax-only
-emit-llvm
-emit-ast
--analyze
--precompile
-extract-api
-M
-MM
-MD
-MMD -MF x.d -MT x -MP
-MJ x.json
-Wp,-MD,x.d
-fprofile-generate=x
-fprofile-instr-generate=x
--coverage
-fdebug-compilation-dir=x
-gsplit-dwarf
-fstack-usage
-fsave-optimization-record
-foptimization-record-file=x
-fdiagnostics-format=sarif
-Weverything
-Werror
"""

ENVIRONMENT = """
CC_LOG_DIAGNOSTICS=1 CC_LOG_DIAGNOSTICS_FILE=x
CC_PRINT_HEADERS=1 CC_PRINT_HEADERS_FILE=x
CC_PRINT_OPTIONS=1 CC_PRINT_OPTIONS_FILE=x
CC_PRINT_PROC_STAT=1 CC_PRINT_PROC_STAT_FILE=x
CC_PRINT_INTERNAL_STAT=1 CC_PRINT_INTERNAL_STAT_FILE=x
CCC_OVERRIDE_OPTIONS=+-v
DEPENDENCIES_OUTPUT=x
SUNPRO_DEPENDENCIES=x
LLVM_PROFILE_FILE=x
CLANG_CRASH_DIAGNOSTICS_DIR=x
CLANG_MODULE_CACHE_PATH=x
RC_DEBUG_OPTIONS=1
"""


def lines(table):
    return table.strip().split("\n")


class Flags(Project):
    def setUp(self):
        super().setUp()
        self.copy("forgotten-wait.cu")
        self.plain = self.run_tool("forgotten-wait.cu", status=1).stdout
        self.before = self.listing()

    def listing(self):
        return sorted(self.folder.rglob("*"))

    def check(self, flags, note):
        run = self.run_tool("forgotten-wait.cu", "--", *flags, status=1)
        self.assertEqual(run.stdout, self.plain, flags)
        self.assertEqual(run.stderr, note, flags)
        self.assertEqual(self.listing(), self.before, flags)

    def test_named(self):
        for line in lines(NAMED):
            with self.subTest(line):
                # What nvcc has an option for is nvcc's on our command line.
                self.check(line.split(), "" if line in NVCC_TOO else NOTE + line + "\n")

    def test_silent(self):
        for line in lines(SILENT):
            with self.subTest(line):
                self.check(line.split(), "")

    def test_of_a_database(self):
        """As Clang's: nothing in it is nvcc's. What else a flag does is the same."""
        some = [*NVCC_TOO, *lines(NAMED)[::5], *lines(SILENT)[::5]]
        for line in some:
            with self.subTest(line):
                words = ["clang++", *line.split(), "-c", "forgotten-wait.cu"]
                entry = {"directory": ".", "file": "forgotten-wait.cu", "arguments": words}
                database = self.write("compile_commands.json", json.dumps([entry]))
                run = self.run_tool("-p", ".", status=1)
                database.unlink()
                self.assertEqual(run.stdout, self.plain)
                self.assertEqual(run.stderr, f"{NOTE}{line}\n" if line in lines(NAMED) else "")
                self.assertEqual(self.listing(), self.before)

    def test_all_in_one_note(self):
        named = " ".join(lines(NAMED)[:1] + lines(NAMED)[4:6])
        self.check([*named.split(), *named.split()], NOTE + named.replace(" -v", "") + "\n")

    def test_what_is_left(self):
        """Flags beside them count, those for the preprocessor alone as well."""
        wanted = "#ifndef WANTED\n#error\n#endif\n__global__ void k() {}\n"
        self.write("k.cu", wanted)
        for flags in (
            ["-Wp,-DWANTED,-H"],
            ["-Xpreprocessor", "-DWANTED"],
            ["-Xclang", "-H", "-Xclang", "-DWANTED"],
            ["-Xclang", "-include", "-Xclang", "wanted.h"],
        ):
            self.write("wanted.h", "#define WANTED\n")
            run = self.run_tool("k.cu", "--", *flags, status=0)
            self.assertNotIn("parsed with", run.stderr, flags)
        run = self.run_tool("k.cu", "--", "-DWANTED", "-Xclang", "-nobodys", status=0)
        self.assertEqual(
            run.stderr,
            "cpasync-tidy: note: ignored unknown compiler flags: -Xclang -nobodys\n",
        )

    def test_environment(self):
        for line in lines(ENVIRONMENT):
            with self.subTest(line):
                extra = dict(word.split("=", 1) for word in line.split())
                saved = dict(os.environ)
                os.environ.update(extra)
                try:
                    self.check([], "")
                finally:
                    os.environ.clear()
                    os.environ.update(saved)


if __name__ == "__main__":
    main()

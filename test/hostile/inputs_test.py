# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files, databases, configurations and options that somebody made to do harm."""

import json
import os
import tempfile

from table import ANY, FOUND, KERNEL, NOTHING, REFUSED, main, row


def link(to):
    return lambda path: path.symlink_to(to)


def folder(path):
    path.mkdir()


def unreadable(path):
    path.write_text(KERNEL)
    path.chmod(0)


# Names. What is shown of them: names_test.py.
LONGEST = "n" * (os.pathconf(tempfile.gettempdir(), "PC_NAME_MAX") - 3) + ".cu"
row("longest name", {LONGEST: KERNEL}, LONGEST, FOUND)
row("longest name, fixed", {LONGEST: KERNEL}, f"--fix-notes {LONGEST}", FOUND)
row("longest name, as a report", KERNEL, f"--output=sarif={LONGEST} x.cu", FOUND)
row("name that is too long", {}, "n" + LONGEST, REFUSED, "File name too long")
row("path that is too long", {}, "n/" * 2500 + "x.cu", REFUSED, "File name too long")
row("name with a dash", {"-x.cu": KERNEL}, "./-x.cu", FOUND)
row("name like an option", {"-x.cu": KERNEL}, "-x.cu", REFUSED, "unknown option '-x.cu'", beside=False)
row("empty name", {}, [""], REFUSED, ": No such file or directory")
row("name with an at", {"@x.cu": KERNEL}, "@x.cu", FOUND)
row("name without extension", {"x": KERNEL}, "x", FOUND)
row("name of an object file", {"x.o": KERNEL}, "x.o", FOUND)
row("name twice", KERNEL, "x.cu x.cu ./x.cu", FOUND)
row("dots and slashes", {"d/x.cu": KERNEL}, "d/..//d/./x.cu", FOUND)

# Files.
row("empty file", "", result=NOTHING)
row("mark of UTF-8", b"\xef\xbb\xbf" + KERNEL.encode(), result=FOUND)
row("UTF-16", KERNEL.encode("utf-16"), result=REFUSED, said=r"x\.cu: ")
row("UTF-32", KERNEL.encode("utf-32"), result=REFUSED, said=r"x\.cu: ")
row("NULs", b"\0" * 4096)
row("NULs in a kernel", KERNEL.replace(" = ", " \0= ").encode())
row("only CR", KERNEL.replace("\n", "\r"))
row("CRLF", KERNEL.replace("\n", "\r\n"), result=FOUND)
row("only ends of lines", "\r\n" * 100000, result=NOTHING)
row("no end of line", KERNEL.rstrip(), result=FOUND)
row("backslash at the end", KERNEL.rstrip() + "\\", result=ANY)
row("line of 1 MB", KERNEL + "int A[] = {0" + ", 1" * 330000 + "};\n", result=FOUND)
row("comment of 8 MB", KERNEL + "// " + "x" * (8 << 20), result=FOUND)
row("name of 1 MB", KERNEL.replace("Tile", "T" * (1 << 20)), result=FOUND)
row("comment without end", KERNEL + "/* ")
row("string without end", KERNEL + 'const char *A = "')
row("raw string without end", KERNEL + 'const char *A = R"x(')
row("condition without end", KERNEL + "#if 1\n")
row("bytes", bytes(range(256)) * 64)
row("directory", {"x.cu": folder}, "x.cu", REFUSED, "x.cu: Is a directory")
row("circular link", {"x.cu": link("x.cu")}, "x.cu", REFUSED, "Too many levels of symbolic links")
row("dead link", {"x.cu": link("gone")}, "x.cu", REFUSED, "No such file or directory")
if os.geteuid() != 0:  # who may read everything
    row("unreadable", {"x.cu": unreadable}, "x.cu", REFUSED, "Permission denied")
row("missing", {}, "x.cu", REFUSED, "x.cu: No such file or directory")
row("file as a folder", {"y.cu": KERNEL}, "y.cu/x.cu", REFUSED, "Not a directory")
row("endless", {}, "/dev/zero", REFUSED, "/dev/zero: ")
row("pipe", {"x.cu": os.mkfifo}, "x.cu", REFUSED, "x.cu: ")

# Includes.
row("includes itself", "#include __FILE__\n" + KERNEL)
row("two include each other", {"x.cu": '#include "y.h"\n', "y.h": '#include "x.cu"\n'})
row("include of a directory", {"x.cu": '#include "d"\n' + KERNEL, "d": folder})
row("missing include", '#include "gone.h"\n' + KERNEL, result=FOUND, said="parsed with 1 error")
row("include of a circular link", {"x.cu": '#include "y.h"\n' + KERNEL, "y.h": link("y.h")})
row("include without a name", "#include\n#include <\n#include MACRO\n" + KERNEL)
row("endless include", '#include "/dev/zero"\n' + KERNEL)
row("include of a pipe", {"x.cu": '#include "p.h"\n' + KERNEL, "p.h": os.mkfifo})
row("1,000 includes in each other", {
    "x.cu": '#include "h0.h"\n' + KERNEL,
    **{f"h{I}.h": f'#include "h{I + 1}.h"\n' for I in range(1000)},
    "h1000.h": "",
})
row("line numbers", '#line 4294967295 "y"\n' + KERNEL)
row("macros in themselves", "#define A B B\n#define B A A\nint A;\n" + KERNEL)
row("macros that grow", "".join(
    f"#define M{I} M{I + 1} M{I + 1}\n" for I in range(14)) + "#define M14 1 +\nint A = M0 1;\n")
row("embed", '#embed "/dev/zero"\n' + KERNEL)
row("source location of a pragma", "#pragma GCC poison float\n" + KERNEL)


# Databases.
def database(name, text, result=REFUSED, said="build/compile_commands.json: ", beside=False):
    files = {"build/compile_commands.json": text, "x.cu": KERNEL}
    row(f"database: {name}", files, "-p build", result, said, beside)


def entry(name, result, said="", **changes):
    """One beside that of a good file."""
    text = json.dumps([{**ENTRY, **changes}, {**ENTRY, "file": "good.cu", "command": "nvcc"}])
    database(name, text, result, said, beside=True)


def invalid(name, said, **changes):
    database(name, json.dumps([{**ENTRY, **changes}]), said=said)


ENTRY = {"directory": "..", "file": "x.cu", "command": "nvcc -c x.cu"}
database("empty", "", said="not valid JSON")
database("null", "null", said="not a list of compile commands")
database("a number", "1e999999", said="not ")
database("huge numbers", '[{"file": 1e400, "directory": 9' + "9" * 400 + "}]", said="entry 1 has no")
database("list of null", "[null]", said="entry 1 has no 'file'")
database("list of lists", "[[[]]]", said="entry 1 has no 'file'")
invalid("wrong types", "entry 1 has no 'file'", file=1)
invalid("arguments of a wrong type", "entry 1 has no", command=1)
invalid("command of blanks", "entry 1 has no 'command'", command="  ")
database("keys twice", '[{"file": "y.cu", "file": "x.cu", "directory": "..", "command": "nvcc"}]',
         ANY, "")
database("half a pair", '[{"file": "\\ud800", "directory": "..", "command": "nvcc x.cu"}]')
database("no UTF-8", b'[{"file": "\xff.cu", "directory": "..", "command": "nvcc"}]', said="not valid JSON")
database("100,000 brackets", "[" * 100000)
database("100,000 objects in each other", '[{"a":' * 100000)
database("100,000 entries for a file", json.dumps([ENTRY] * 100000), FOUND, "")
database("is a directory", folder, said="Is a directory")
database("is a circular link", link("compile_commands.json"), said="symbolic links")
database("is a pipe", os.mkfifo)
entry("arguments that are no words", FOUND, command=None, arguments=[1, {}, None])
entry("half a pair in a name", REFUSED, ": No such file or directory", file="x\udcff.cu")
entry("directory that is not there", REFUSED, "/nowhere", directory="/nowhere")
entry("directory that is a file", REFUSED, "Not a directory", directory="../x.cu")
entry("unbalanced quotes", FOUND, command="nvcc -c 'x.cu")
entry("macro of 1 MB", FOUND, command="nvcc -c x.cu -DX=" + "1" * 1000000)
entry("list of 20,001 macros", REFUSED, "x.cu: more than 20000 flags", command="nvcc -DX" + ",X" * 20000)
entry("10,000 unknown flags", FOUND, "ignored unknown", command="nvcc" + "".join(f" -f{I}" for I in range(10000)))
entry("only a compiler", FOUND, command="nvcc")
entry("only a launcher", FOUND, command="ccache")
entry("file is a directory", REFUSED, "build", file="build", command="nvcc -x cu build")
row("database: endless", KERNEL, "-p /dev/zero", REFUSED, "/dev/zero: ", beside=False)


# Baselines and configurations.
def baseline(name, text, said="b.json: "):
    row(f"baseline: {name}", {"x.cu": KERNEL, "b.json": text}, "--baseline=b.json x.cu", REFUSED, said)


baseline("empty", "")
baseline("null", "null")
baseline("wrong version", '{"version": 99, "findings": []}', "baseline of version 99")
baseline("huge version", '{"version": 1e400, "findings": []}')
baseline("findings of a wrong type", '{"version": 1, "findings": {"a": 1}}')
baseline("100,000 brackets", "[" * 100000)
baseline("no UTF-8", b'{"version": 1, "findings": "\xff"}')
baseline("directory", folder, "Is a directory")
baseline("pipe", os.mkfifo)
row("baseline: missing", KERNEL, "--baseline=gone.json x.cu", REFUSED, "gone.json: No such file")
row("baseline: cannot be written", KERNEL, "--write-baseline=d/b.json x.cu", REFUSED, "d/b.json: ")


def configuration(name, text, result=ANY, said=r"\.clang-tidy: "):
    row(f"configuration: {name}", {"x.cu": KERNEL, ".clang-tidy": text}, "x.cu", result, said)


configuration("no YAML", "Checks: [\n", FOUND)
configuration("of ours, no YAML", "Checks: 'cpasync-*\n", REFUSED)
configuration("bytes", bytes(range(256)))
configuration("1,000 brackets", "Checks: " + "[" * 1000)
configuration("300,000 brackets", "Checks: " + "[" * 300000, REFUSED)
configuration("300,000 dashes", "- " * 300000, REFUSED)
configuration("aliases in each other", "a: &a [*a, *a]\nChecks: 'cpasync-*'\n")
configuration("wrong types", "Checks: {a: b}\nCheckOptions: 7\n", FOUND)
configuration("filter that is none", "HeaderFilterRegex: '('\n", FOUND)
configuration("huge number", "CheckOptions: {AssumedThreads: 99999999999}\n", said="")
configuration("parent of nothing", "InheritParentConfig: true\n", FOUND, "")
configuration("directory", folder, said="")
row("configuration: --config", KERNEL, ["--config={", "x.cu"], REFUSED, "'--config'", beside=False)
row("configuration: deep --config", KERNEL, ["--config=" + "[" * 100000, "x.cu"], REFUSED,
    "'--config'", beside=False)


# Response files and options.
def response(name, files, result=REFUSED, said=""):
    row(f"response file: {name}", {"x.cu": KERNEL, **files}, "x.cu -- @r.rsp", result, said)


response("names itself", {"r.rsp": "@r.rsp"}, said="name each other")
response("names itself twice", {"r.rsp": "@r.rsp @r.rsp @r.rsp"}, said="r.rsp: ")
response("100 deep", {
    "r.rsp": "@r0", **{f"r{I}": f"@r{I + 1}" for I in range(100)}, "r100": "-DX"}, said="each other")
response("doubles 30 times", {
    "r.rsp": "@r0", **{f"r{I}": f"@r{I + 1} @r{I + 1}" for I in range(30)}, "r30": "-DX"}, said=": ")
response("huge", {"r.rsp": "-DX " * (1 << 20)}, said="r.rsp: more than 20000 flags")
response("directory", {"r.rsp": folder}, said="r.rsp: Is a directory")
response("bytes", {"r.rsp": bytes(range(1, 256))}, ANY)
response("pipe", {"r.rsp": os.mkfifo}, said="r.rsp: ")
response("missing", {}, said="r.rsp: No such file or directory")
row("response file: endless", KERNEL, "x.cu -- @/dev/zero", REFUSED, "/dev/zero: ")


def option(words, result=REFUSED, said="", name=None, beside=False):
    words = words.split()
    row(f"option: {name or words[0]}", KERNEL, [*words, "x.cu"], result, said, beside)


option("--nonsense", said="unknown option '--nonsense'")
option("--quiet=1", said="takes no value")
option("-j0", said="'-j' is a number")
option("-j=-1", said="'-j' is a number")
option("-j=99999999999999999999", said="'-j' is a number")
option("-j4294967295", FOUND)
option("--timeout-per-file=-1", said="'--timeout-per-file' is a number")
option("--assumed-threads=4294967297", said="from 1 to 1024 threads")
option("--assumed-threads=0x80", said="from 1 to 1024 threads")
option("--offload-arch=sm_", said="'--offload-arch' is sm_80 or above")
option("--offload-arch=sm_99999999999", said="'--offload-arch' is sm_80 or above")
option("--offload-arch=compute_90", said="'--offload-arch' is sm_80 or above")
option("--header-filter=(", said="'--header-filter' is a regular expression")
option("--header-filter=" + "(" * 10000, said="'--header-filter'", name="10,000 groups")
option("--checks=" + "*," * 30000, FOUND, name="30,000 globs")
option("--checks=-*", said="no cpasync check is enabled")
option("--format=xml", said="'--format' is ")
option("--output=json", said="--output")
option("--output=text=/nowhere/x", said="/nowhere/x: ", beside=True)
option("--output=json=.", said=r"\.: Is a directory", beside=True)
option("--export-fixes=.", said=r"\.: Is a directory", beside=True)
option("--cuda=toolkit --cuda-path=/nowhere", said="/nowhere")
option("--cuda-path=", said="needs a value")
option("--diff=--output=x", said="'--diff'")
option("--diff=" + "0" * 100000, said="'--diff'", name="a revision of 100,000 digits")
option("-p", said=": ")
row("option: without its value", {}, "--checks", REFUSED, "needs a value", beside=False)
row("option: nothing", {}, [], REFUSED, "no file to check", beside=False)
row("option: --fix with --format", KERNEL, "--fix --format=json x.cu", REFUSED,
    "fixes are applied", beside=False)
row("option: 100,000 flags", KERNEL, ["x.cu", "--", *["-DX"] * 100000], REFUSED, "more than 20000 flags")
for words in ("-arch=sm_1000000", "-arch=", "-std=c++99", "-include", "-D", "-I\x1b", "y.cu"):
    row(f"flag: {words!r}", KERNEL, ["x.cu", "--", words])
row("flag: -std=c89", KERNEL, "x.cu -- -std=c89", beside=False)
row("flag: -x c", KERNEL, "x.cu -- -x c", FOUND)
row("flag: -fbracket-depth=0", KERNEL, "x.cu -- -fbracket-depth=0", beside=False)
row("flag: -ftemplate-depth=-1", KERNEL, "x.cu -- -ftemplate-depth=-1")
row("flag: -fconstexpr-steps=4294967295", KERNEL, "x.cu -- -fconstexpr-steps=4294967295")
row("flag: --target=x86_64-pc-windows-msvc", KERNEL, "x.cu -- --target=x86_64-pc-windows-msvc")
row("flag: -m32", KERNEL, "x.cu -- -m32")
row("flag: of 1 MB", KERNEL, ["x.cu", "--", *("-D" + "X" * 100000,) * 10], FOUND)


if __name__ == "__main__":
    main()

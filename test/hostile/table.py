# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool over a table of inputs that somebody made to do harm. Each gets
an answer, beside a good file whose finding comes out whatever the others are:

* the exit status is 1, or 2 with exactly one error, which names the input;
* standard error has lines of ours only, standard output is text that can be
  shown, and the report is JSON.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CPASYNC_BUILD", ROOT / "build"))
TOOL = BUILD / "bin" / "cpasync-tidy"
SECONDS = 300  # a hundred times what a row takes; who exceeds it hangs
MEMORY = 8 << 30  # of address space
AT_A_TIME = 16  # sources in a run
MAX_SAID = 20000  # bytes on standard error

KERNEL = (ROOT / "test/tool/Inputs/forgotten-wait.cu").read_text(encoding="utf-8")
LINE = re.compile(
    r"cpasync-tidy: (error|warning|note): (.+)|clang-tidy applied 1 of 1 suggested fixes\."
)
FINDING = re.compile(r"^(.+):\d+:\d+: warning: .* \[cpasync-", re.MULTILINE)
# None of ours, whatever the exit status is.
NO_ANSWER = re.compile(
    r"crash|internal error|please report|terminate called|Stack dump|given up after"
)

# What becomes of an input; ANY: one of these.
FOUND, NOTHING, REFUSED, ANY = "found", "nothing", "refused", "any"


@dataclass
class Row:
    name: str
    files: dict  # by name: text, bytes, or a function that makes it at a path
    words: list
    result: str
    said: str  # a regular expression, in the first line or in the error
    beside: bool  # there is a good file, and it is analysed
    is_source: bool  # x.cu is all there is to it, under whichever name


ROWS = []


def row(name, files, words="x.cu", result=ANY, said="", beside=True):
    is_source = not isinstance(files, dict) and words == "x.cu" and not said
    if not isinstance(files, dict):
        files = {"x.cu": files}
    words = words.split() if isinstance(words, str) else list(words)
    if beside and "-p" not in words:
        words.insert(words.index("--") if "--" in words else len(words), "good.cu")
    ROWS.append(Row(name, files, words, result, said, beside, is_source))


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if "asan" not in BUILD.name:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def make(files, where):
    for name, content in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())


def hidden(text):
    """Characters that do something to a terminal, or that nobody sees."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co")}


def problems_of_lines(each, status, lines):
    errors = [line for line in lines if line.startswith("cpasync-tidy: error: ")]
    if len(errors) != (status == 2):
        yield f"{len(errors)} errors with exit status {status}: {errors[:3]}"
    heard = (errors if status == 2 else lines)[:1]
    if any(NO_ANSWER.search(line) for line in lines):
        yield f"no answer: {heard}"
    if each.said and not re.search(each.said, "".join(heard)):
        yield f"not said: {each.said}, but: {heard}"
    if heard and status == 2 and not each.said and not any(name in heard[0] for name in each.files):
        yield f"the error names no input: {heard[0]}"


def problems_of_findings(each, status, files):
    if each.beside and "good.cu" not in files:
        yield "the finding of the good file is lost"
    found = any(file != "good.cu" for file in files)
    if each.result in (FOUND, NOTHING) and found != (each.result == FOUND):
        yield f"findings: {files}"
    expected = {2} if each.result == REFUSED else {1} if files else {0}
    if status not in (expected | {2} if each.result == ANY else expected):
        yield f"exit status {status}"


def run(files, words, where, problems):
    """The exit status, the lines of standard error and the files that have
    findings; None if there is no such thing."""
    make({"good.cu": KERNEL, **files}, where)
    command = [TOOL, "--cuda=bundled", "--output=json=report.json", *words]
    try:
        ended = subprocess.run(
            command, cwd=where, capture_output=True, timeout=SECONDS, preexec_fn=limit, check=False
        )
        out, err = ended.stdout.decode(), ended.stderr.decode()
    except subprocess.TimeoutExpired:
        return problems.append(f"no answer in {SECONDS} seconds")
    except UnicodeDecodeError as error:
        return problems.append(f"no text: {error}")
    if hidden(out + err):
        problems.append(f"characters that nobody sees: {hidden(out + err)}")
    if len(err) > MAX_SAID:
        problems.append(f"{len(err)} bytes on standard error")
    problems += [
        f"not a line of ours: {line}" for line in err.splitlines() if not LINE.fullmatch(line)
    ]
    report = where / "report.json"
    if report.is_file():
        try:
            json.loads(report.read_bytes())
        except ValueError as error:
            problems.append(f"report: {error}")
    elif ended.returncode != 2:
        problems.append("no report")
    return ended.returncode, err.splitlines(), FINDING.findall(out)


def check_alone(each, where):
    problems = []
    answer = run(each.files, each.words, where, problems)
    if answer:
        status, lines, found = answer
        problems += problems_of_lines(each, status, lines)
        problems += problems_of_findings(each, status, found)
    return [f"{each.name}: {problem}" for problem in problems]


def check_sources(rows, where):
    """Several sources in one run; a file's errors begin with its name."""
    names = [f"{i}.cu" for i in range(len(rows))]
    sources = {name: each.files["x.cu"] for name, each in zip(names, rows)}
    problems = []
    answer = run(sources, [*names, "good.cu"], where, problems)
    problems = [f"{rows[0].name} to {rows[-1].name}: {problem}" for problem in problems]
    if not answer:
        return problems
    status, lines, found = answer
    failed = False
    for name, each in zip(names, rows):
        own = [line for line in lines if re.match(rf"cpasync-tidy: \w+: {name}: ", line)]
        lines = [line for line in lines if line not in own]
        one = Row(each.name, {name: ""}, [], each.result, "", True, True)
        own_status = 2 if any(line.startswith("cpasync-tidy: error: ") for line in own) else 1
        failed |= own_status == 2
        own_found = [file for file in found if file in (name, "good.cu")]
        problems += [f"{each.name}: {text}" for text in problems_of_lines(one, own_status, own)]
        problems += [
            f"{each.name}: {text}" for text in problems_of_findings(one, own_status, own_found)
        ]
    if lines or status != (2 if failed else 1):
        problems.append(f"{rows[0].name} to {rows[-1].name}: exit status {status}, {lines[:3]}")
    return problems


def check(rows):
    with tempfile.TemporaryDirectory() as text:
        # A folder in it: what is beside the input may be removed with it.
        where = Path(os.path.realpath(text)) / "in"
        where.mkdir()
        return check_alone(rows[0], where) if len(rows) == 1 else check_sources(rows, where)


def main():
    """Runs the rows whose names are arguments, each by itself, or all."""
    asked = sys.argv[1:]
    assert len({each.name for each in ROWS}) == len(ROWS)
    if asked:
        runs = [[each] for each in ROWS if each.name in asked]
        assert len(runs) == len(asked)
    else:
        runs = [[each] for each in ROWS if not each.is_source]
        sources = [each for each in ROWS if each.is_source]
        runs += [sources[i : i + AT_A_TIME] for i in range(0, len(sources), AT_A_TIME)]
    count = 0
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(check, runs):
            count += len(found)
            for problem in found:
                print(problem[:300], flush=True)
    print(f"{sum(map(len, runs))} inputs, {count} problems")
    sys.exit(1 if count else 0)

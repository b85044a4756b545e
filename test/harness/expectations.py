# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expectation comments in kernels: read them, compare, rewrite them.

    Out[i] = Tile[i]; // expect-warning{cpasync-unwaited-read}: 'Tile' is read ...
    // expect-note@-1: copy issued here
    // expect-skipped@+2: path budget of 4096 exceeded
    commit(); // expect-state: commit: threads 0-127: groups [{Tile}] open {}

Severities are warning, note, skipped (an entry of --skipped: unknown is never
pass) and, in test/state, state (a line of --print-state). The offset is relative to the comment's own line; none means this
line. A line that a message names is told as the distance to it, in lines of
code. A file holds exactly the diagnostics its comments name.
"""

import os
import re
from typing import NamedTuple

EXPECTATION = re.compile(
    r"//\s*expect-(?P<severity>warning|note|skipped|state)"
    r"(?:@(?P<offset>[+-]\d+))?(?:\{(?P<check>[\w-]+)\})?:\s*(?P<text>.*?)\s*$"
)
MARKER = re.compile(r"//\s*expect-")


class Diagnostic(NamedTuple):
    """One line of output, or one expected."""

    line: int
    severity: str
    check: str  # of a warning; empty for the others
    text: str

    def __str__(self):
        check = f" [{self.check}]" if self.check else ""
        return f"line {self.line}: {self.severity}: {self.text}{check}"


class Function(NamedTuple):
    """A function whose name ends in _bad or _ok; lines are inclusive."""

    name: str
    first: int
    last: int


def read_expectations(source):
    """The set of Diagnostics that the comments of a source text expect."""
    expected = set()
    for number, line in enumerate(source.splitlines(), 1):
        match = EXPECTATION.search(line)
        if not match:
            if MARKER.search(line):
                raise ValueError(f"line {number}: malformed expectation: {line}")
            continue
        severity, check = match["severity"], match["check"] or ""
        if (severity == "warning") != bool(check):
            raise ValueError(f"line {number}: only a warning names its check")
        target = number + int(match["offset"] or 0)
        expected.add(Diagnostic(target, severity, check, match["text"]))
    return expected


def count_code_lines(path):
    """For each line of a file, from 1, how many up to there are more than an
    expectation."""
    counts = [0]
    if not os.path.exists(path):
        return counts
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file.read().splitlines():
            match = EXPECTATION.search(line)
            is_code = not (match and not line[: match.start()].strip())
            counts.append(counts[-1] + is_code)
    return counts


def compare(expected, actual):
    """One message per difference."""
    problems = [f"missing:    {d}" for d in sorted(expected - actual)]
    problems += [f"unexpected: {d}" for d in sorted(actual - expected)]
    return problems


def _blank_out(source):
    """The source with comments and literals replaced by spaces."""
    token = re.compile(
        r"//[^\n]*|/\*.*?\*/|R\"\((?:.*?)\)\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'",
        re.S,
    )
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source)


def _closing(text, start, opening, closing):
    depth = 0
    for position in range(start, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == closing:
            depth -= 1
            if depth == 0:
                return position
    return -1


def functions_with_verdict(source):
    """Definitions of functions named ..._bad or ..._ok."""
    text = _blank_out(source)
    found = []
    for match in re.finditer(r"\b(\w+_(?:bad|ok))\s*\(", text):
        end = _closing(text, match.end() - 1, "(", ")")
        if end < 0 or not re.match(r"[\s\w()]*\{", text[end + 1 :]):
            continue
        body = text.index("{", end)
        close = _closing(text, body, "{", "}")
        if close >= 0:
            first = text.count("\n", 0, match.start()) + 1
            found.append(Function(match[1], first, text.count("\n", 0, close) + 1))
    return found


def check_verdicts(source, findings, check):
    """Holds names against findings: ..._bad is found by `check`, ..._ok is
    touched by nothing. A finding is a list: its warning, then its notes."""
    problems = []
    for function in functions_with_verdict(source):
        touching = [
            finding
            for finding in findings
            if any(function.first <= d.line <= function.last for d in finding)
        ]
        if function.name.endswith("_ok"):
            problems += [
                f"{function.name} must be silent: {finding[0]}" for finding in touching
            ]
        elif not any(finding[0].check == check for finding in touching):
            problems.append(
                f"{function.name} (line {function.first}) must be found by {check}"
            )
    return problems


def rewrite(source, actual):
    """The source with its expectations replaced by `actual`."""
    by_line = {}
    for diagnostic in sorted(actual):
        by_line.setdefault(diagnostic.line, []).append(diagnostic)
    result = []
    pending = []  # (diagnostic, its line in the result)
    for number, line in enumerate(source.splitlines(), 1):
        match = EXPECTATION.search(line)
        code = line[: match.start()].rstrip() if match else line
        if not (match and not code):
            result.append(code)
            pending += [(d, len(result)) for d in by_line.get(number, [])]
        elif number in by_line:
            raise ValueError(f"line {number}: diagnostic in an expectation comment")
        if code.endswith("\\"):
            continue  # a comment would end the macro here
        indent = re.match(r"\s*", result[-1])[0] if result else ""
        for diagnostic, target in pending:
            offset = target - (len(result) + 1)
            check = f"{{{diagnostic.check}}}" if diagnostic.check else ""
            result.append(
                f"{indent}// expect-{diagnostic.severity}@{offset}{check}: "
                f"{diagnostic.text}"
            )
        pending = []
    return "\n".join(result) + "\n"

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/hopper.md says what comes of the kernels in test/hopper.

A section of a file, `//--- OPERATION`, has kernels NAME_VERDICT<INTERFACE> for the
operation (test/hopper/interfaces.h) and may have a `// Limit:`.
"""

import json
import re
import subprocess
import sys
import unittest
from collections import defaultdict

from project import ROOT, TOOL, main

sys.path.insert(0, str(ROOT / "test" / "harness"))
from frontends import EVERY_CHECK, extra_flags  # noqa: E402

PAGE = ROOT / "docs" / "hopper.md"
FOLDER = ROOT / "test" / "hopper"
# In the order of the page.
FILES = ["mbarriers", "copies", "clusters", "products", "blackwell"]
COLUMNS = {
    "inline PTX": ["Ptx", "PtxCluster", "Wgmma"],
    "`cuda::ptx`": ["CudaPtx", "CudaPtxCluster"],
    "`cuda::barrier`, `cuda::device`": ["Barrier"],
    "`cuda::device::` `experimental`": ["Experimental"],
    "`__mbarrier_*`": ["Primitives"],
    "`awbarrier`": ["Awbarrier"],
    "Clang's `__nvvm_*`": ["Builtins"],
    "`cooperative_` `groups`": ["Groups"],
}
SECTION = re.compile(r"^//--- (.*)$", re.M)
LIMIT = re.compile(r"^// Limit: (.*(?:\n// .*)*)$", re.M)
USES = re.compile(r"^(USE|PAIR)(_BUILTINS)?\((\w+)(?:, (\w+))?\)$", re.M)
MARKED = re.compile(r"(<!-- TABLE: .* -->\n).*?(<!-- END -->\n)", re.S)


class Row:
    """An operation: the verdicts that its kernels have for each interface."""

    def __init__(self, operation, text):
        self.operation = operation
        limit = LIMIT.search(text)
        self.limit = limit[1].replace("\n// ", " ") if limit else ""
        self.kernels = defaultdict(list)  # by interface
        for kind, builtins, name, interface in USES.findall(text):
            ends = ["_ok", "_bad"] if kind == "PAIR" else [""]
            interface = "Builtins" if builtins else interface
            self.kernels[interface] += [name + end for end in ends]
        self.gaps, self.checks = set(), set()

    def verdicts(self, column):
        return {
            kernel.rsplit("_", 1)[1]
            for interface in COLUMNS[column]
            for kernel in self.kernels.get(interface, [])
        }

    def cell(self, column):
        verdicts = self.verdicts(column)
        if not verdicts:
            return ""
        if {"ok", "bad"} <= verdicts:
            return "partly" if verdicts & {"missed", "gap"} else "yes"
        return "gap" if verdicts == {"gap"} else "passed over"


def rows():
    found = []
    for name in FILES:
        parts = SECTION.split((FOLDER / f"{name}.cu").read_text(encoding="utf-8"))
        found += [(name, Row(*pair)) for pair in zip(parts[1::2], parts[2::2])]
    return found


def lint(name):
    """What is said of each kernel of a file: checks that find something, gaps; how
    many kernels were looked at."""
    path = FOLDER / f"{name}.cu"
    options, flags = extra_flags(path)
    command = [TOOL, "--cuda=bundled", f"--checks={EVERY_CHECK}", "--format=json", *options, path]
    result = subprocess.run(
        [*command, "--", *flags], capture_output=True, text=True, check=False
    )
    report = json.loads(result.stdout)
    findings, gaps = defaultdict(set), defaultdict(set)
    for finding in report["findings"]:
        for kernel in finding["kernels"]:
            findings[kernel].add(finding["check"].removeprefix("cpasync-"))
    for said in report["notifications"]:
        match = re.fullmatch(r"'(.*?)' not fully analysed: (.*)", said["message"])
        if not match:
            raise ValueError(f"{name}.cu: {said['message']}")
        gaps[match[1]].add(match[2])
    return findings, gaps, report["files"][0]["kernels"]


def problems_of(name, table):
    """Kernels of which something else is said than their names ask for; what is
    said, each row keeps."""
    findings, gaps, analysed = lint(name)
    problems, kernels = [], []
    for row in (row for file, row in table if file == name):
        for interface, names in row.kernels.items():
            for kernel in names:
                whole = f"{kernel}<{interface}>"
                kernels.append(whole)
                found, skipped = findings.get(whole, set()), gaps.get(whole, set())
                row.gaps |= skipped
                row.checks |= found
                verdict = kernel.rsplit("_", 1)[1]
                expected = (verdict == "bad", verdict == "gap")
                if (bool(found), bool(skipped)) != expected:
                    problems.append(f"{name}.cu: {whole}: {found or ''} {skipped or ''}")
    if len(kernels) != analysed or len(set(kernels)) != analysed:
        problems.append(f"{name}.cu: {analysed} kernels, {len(kernels)} in sections")
    return problems


def generated(table):
    """The table, and what its rows leave out."""
    heads = ["operation", *COLUMNS, "mistakes are found by"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    notes, counts = [], dict.fromkeys(("yes", "partly", "gap", "passed over"), 0)
    for name, row in table:
        cells = [row.cell(column) for column in COLUMNS]
        for cell in filter(None, cells):
            counts[cell] += 1
        said = [row.limit] if row.limit else []
        said += [f"the gap: {gap}." for gap in sorted(row.gaps)]
        mark = f" ({len(notes) + 1})" if said else ""
        if said:
            notes.append(f"{len(notes) + 1}. {row.operation}: {' '.join(said)}")
        cells.append(", ".join(f"[{c}](checks/{c}.md)" for c in sorted(row.checks)))
        lines.append(f"| {row.operation}{mark} | {' | '.join(cells)} |")
    total = ", ".join(f"{count} {word}" for word, count in counts.items())
    return "\n".join(["", *lines, "", f"In all: {total}.", "", *notes, ""])


def page():
    """The problems, and the page as it has to be."""
    table = rows()
    problems = [problem for name in FILES for problem in problems_of(name, table)]
    text = PAGE.read_text(encoding="utf-8")
    return problems, MARKED.sub(lambda m: m[1] + generated(table) + m[2], text)


class Hopper(unittest.TestCase):
    def test_page(self):
        problems, text = page()
        self.assertEqual(problems, [])
        self.assertEqual(
            PAGE.read_text(encoding="utf-8"),
            text,
            "refresh it: python3 test/consistency/hopper_test.py --update",
        )

    def test_every_interface_has_a_column(self):
        named = {i for interfaces in COLUMNS.values() for i in interfaces}
        used = {interface for _, row in rows() for interface in row.kernels}
        self.assertEqual(named, used)
        self.assertEqual({path.stem for path in FOLDER.glob("*.cu")}, set(FILES))

    def test_what_is_not_said_is_a_limit(self):
        for name, row in rows():
            for column in COLUMNS:
                if row.cell(column) in ("partly", "passed over"):
                    self.assertTrue(row.limit, f"{name}.cu: {row.operation}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        found, new = page()
        print("\n".join(found))
        PAGE.write_text(new, encoding="utf-8")
    else:
        main()

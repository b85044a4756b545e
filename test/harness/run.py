#!/usr/bin/env python3
# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lints kernel files and compares with the expectations in them.

    test/harness/run.py [--update] [--tool BIN] [--plugin SO] [--reports]
                        [--checks GLOBS] FILE...

For test/checks/<name>.cu every ..._bad function must be found by
cpasync-<name> and every ..._ok function must be silent; elsewhere only the
comments count. With --plugin, stock clang-tidy must say the same as the tool.
With --reports, what the run writes to files must be as their schemas say, and
fixes that are offered are applied. --checks are those of clang-tidy: by default
all of ours. --update rewrites the comments from what the tool says now: read
the diff.
"""

import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True
from expectations import check_verdicts, compare, read_expectations, rewrite
from fixes import apply_fixes, edits
from frontends import EVERY_CHECK, ROOT, run_plugin, run_tool
from schemas import load, report_problems


def check_of(path):
    """The check a fixture belongs to; empty outside test/checks."""
    folder, name = os.path.split(os.path.abspath(path))
    is_fixture = os.path.basename(folder) == "checks"
    return "cpasync-" + os.path.splitext(name)[0] if is_fixture else ""


def run_with_reports(tool, path, checks):
    """As run_tool; what is wrong with its reports and its fixes is a problem."""
    with tempfile.TemporaryDirectory() as folder:
        json, sarif = (os.path.join(folder, name) for name in ("json", "sarif"))
        output = run_tool(
            tool, path, checks, f"--output=json={json}", f"--output=sarif={sarif}"
        )
        if not (os.path.exists(json) and os.path.exists(sarif)):
            output.problems.append("no reports were written")
            return output
        report = load(json)
        output.problems.extend(report_problems(report, load(sarif)))
    if any(edits(finding) for finding in report["findings"]):
        output.problems.extend(apply_fixes(tool, path).problems)
    return output


def check_file(path, arguments):
    """All problems with one file."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    run = run_with_reports if arguments.reports else run_tool
    output = run(arguments.tool, path, arguments.checks)
    if arguments.update:
        new = rewrite(source, output.diagnostics())
        if new != source:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            print(f"{path}: rewritten; read the diff")
        # Offsets moved, lines of code did not: verdicts need a fresh run.
        source, output = new, run_tool(arguments.tool, path, arguments.checks)
    problems = list(output.problems)
    problems += compare(read_expectations(source), output.diagnostics())
    if check_of(path):
        problems += check_verdicts(source, output.findings, check_of(path))
    if arguments.plugin:
        plugin = run_plugin(
            arguments.clang_tidy, arguments.plugin, path, arguments.checks
        )
        problems += [f"plugin: {problem}" for problem in plugin.problems]
        tool_says = {d for finding in output.findings for d in finding}
        problems += [
            f"plugin, against the tool: {problem}"
            for problem in compare(tool_says, plugin.diagnostics())
        ]
    return problems


def main():
    build = os.environ.get("CPASYNC_BUILD", os.path.join(ROOT, "build"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--tool", default=os.path.join(build, "bin", "cpasync-tidy"))
    parser.add_argument("--plugin", default="")
    parser.add_argument("--reports", action="store_true")
    parser.add_argument("--checks", default=EVERY_CHECK, metavar="GLOBS")
    parser.add_argument("--clang-tidy", default="clang-tidy-22")
    arguments = parser.parse_args()
    failed = 0
    for path in arguments.files:
        try:
            problems = check_file(path, arguments)
        except ValueError as error:
            problems = [str(error)]
        for problem in problems:
            print(f"{path}: {problem}")
        failed += bool(problems)
    if failed:
        print(f"{failed} of {len(arguments.files)} files differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

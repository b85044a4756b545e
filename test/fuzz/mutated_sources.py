# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole tool over mutated CUDA sources.

    mutated_sources.py [--count N] [--seed S] [--first K] [--tool TOOL] ...
    mutated_sources.py --reduce FILE.cu      prints what still fails of it

Every mutant gets an answer: findings, a gap, or one line that says why not.
A crash, an error without a place, a file that takes too long or too much
memory, a report that is not valid and an answer that is not the same twice
fail. What failed stays in the folder of --keep and is named with its seed.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutations import ROOT, TOKEN, Mutator, parts_of

BUILD = Path(os.environ.get("CPASYNC_BUILD", ROOT / "build"))
# One set of flags for each run of the tool, by turns.
FLAGS = ((), ("-std=c++20",), ("-arch=sm_90",), ("-std=c++14",), ("-std=c++20", "-arch=sm_90"))
# Of processor time; a file has a dozen kernels, and a machine other work.
KERNEL_SECONDS = 15
LINE = re.compile(r"cpasync-tidy: (error|warning|note): (.*)")
WRONG = re.compile(
    r"terminate called|the analysis crashed[^;]*|given up after|internal error[^;]*"
    r"|more memory than|out of memory"
)


class Runner:
    def __init__(self, options):
        self.options = options

    def limit(self):
        if self.options.memory:
            size = self.options.memory << 20
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, folder, names, flags, *more, workers=None):
        """Runs the tool in a folder; the answer's text is not decoded."""
        command = [
            *(self.options.tool, "--cuda=bundled", "--quiet", "--format=json"),
            *(f"-j{workers or self.options.jobs}", *more),
            f"--timeout-per-file={self.options.timeout}",
            f"--timeout-per-kernel={KERNEL_SECONDS}",
            # Half of what the process has: a kernel's budget is to be spent
            # before the system says no.
            f"--memory-per-kernel={self.options.memory // 2}",
            *(*names, "--", f"-I{ROOT / 'test' / 'checks'}", *flags),
        ]
        return subprocess.run(
            command, cwd=folder, capture_output=True, preexec_fn=self.limit, check=False
        )

    def failures(self, folder, names, flags, twice=False):
        """What is wrong: pairs of a file's name (empty: the run) and a reason."""
        run = self.run(folder, names, flags, "--output=sarif=report.sarif")
        found = []
        if run.returncode not in (0, 1, 2):
            found.append(("", f"exit status {run.returncode}"))
        for line in run.stderr.decode(errors="backslashreplace").splitlines():
            match = LINE.fullmatch(line)
            if not match:
                found.append(("", f"on standard error: {line[:200]}"))
                continue
            wrong = WRONG.search(match[2])
            if wrong:
                found.append((match[2].split(":")[0], wrong.group()))
        found += self.report_failures(run.stdout, folder, names)
        if twice:
            again = self.run(folder, names, flags, workers=1)
            # Where time has run out, it runs out elsewhere the next time.
            in_time = b"time budget of" not in run.stdout + again.stdout
            if again.stdout != run.stdout and in_time:
                found.append(("", "another answer from one worker"))
        return found

    def report_failures(self, text, folder, names):
        try:
            report = json.loads(text)
            log = json.loads((folder / "report.sarif").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return [("", f"report: {error}")]
        wrong = []
        listed = [file["file"] for file in report["files"]]
        if len(listed) != len(names):
            wrong.append(("", f"{len(listed)} of {len(names)} files are in the report"))
        results = [(r["ruleId"], r["message"]["text"]) for r in log["runs"][0]["results"]]
        if results != [(f["check"], f["message"]) for f in report["findings"]]:
            wrong.append(("", "SARIF and JSON have other findings"))
        for finding in report["findings"]:
            if finding["place"]["line"] < 1:
                wrong.append((finding["place"]["file"], "a finding without a place"))
        return wrong


def fuzz(options):
    mutator, runner = Mutator(), Runner(options)
    begin = time.monotonic()
    failed = 0
    for first in range(options.first, options.first + options.count, options.batch):
        flags = FLAGS[first // options.batch % len(FLAGS)]
        last = min(first + options.batch, options.first + options.count)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(os.path.realpath(name))
            names = []
            for number in range(first, last):
                file, text = mutator.mutant(options.seed, number)
                (folder / file).write_text(text, encoding="utf-8")
                names.append(file)
            twice = first % (options.batch * options.sample) == 0
            found = runner.failures(folder, names, flags, twice)
            for file, reason in found:
                print(f"seed {options.seed}: {file or f'{first}-{last - 1}'}: {reason}", flush=True)
            keep(folder, {file for file, _ in found if file} or found and names, flags, options)
            failed += len(found)
        if options.verbose:
            spent = time.monotonic() - begin
            done = last - options.first
            print(f"{done} mutants, {failed} failures, {done / spent:.1f}/s", flush=True)
    print(f"{options.count} mutants of seed {options.seed}: {failed} failures")
    return failed


def keep(folder, names, flags, options):
    options.keep.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (folder / name).exists():
            text = (folder / name).read_text(encoding="utf-8")
            kept = options.keep / f"{options.seed}-{name}"
            kept.write_text(f"// flags: {' '.join(flags)}\n{text}", encoding="utf-8")


def reduce(options):
    """Prints the file with as few parts, lines and tokens as still fail in the
    same way."""
    text = options.reduce.read_text(encoding="utf-8")
    flags = ()
    if text.startswith("// flags:"):
        first, text = text.split("\n", 1)
        flags = first.split()[2:]
    runner = Runner(options)

    def reasons(text):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(os.path.realpath(name))
            (folder / "x.cu").write_text(text, encoding="utf-8")
            return {reason for _, reason in runner.failures(folder, ["x.cu"], flags)}

    wanted = reasons(text)
    if not wanted:
        sys.exit("it does not fail")
    for split in (parts_of, lines_of, TOKEN.findall):
        text = without_needless(split(text), lambda less: wanted & reasons(less))
    print(f"// {'; '.join(sorted(wanted))}; flags: {' '.join(flags)}\n{text}")
    return 0


def lines_of(text):
    return text.splitlines(keepends=True)


def without_needless(pieces, fails):
    """The pieces that cannot be left out, halves first."""
    size = max(len(pieces) // 2, 1)
    while True:
        at, before = 0, len(pieces)
        while at < len(pieces):
            less = pieces[:at] + pieces[at + size :]
            if fails("".join(less)):
                pieces = less
            else:
                at += size
        if size == 1 and len(pieces) == before:
            return "".join(pieces)
        size = max(size // 2, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=BUILD / "bin" / "cpasync-tidy", type=Path)
    parser.add_argument("--count", default=300, type=int)
    parser.add_argument("--first", default=0, type=int, help="number of the first mutant")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--batch", default=100, type=int, help="files of one run")
    parser.add_argument("--sample", default=10, type=int, help="every Nth run is done twice")
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--timeout", default=900, type=int, help="seconds for a file")
    parser.add_argument("--memory", default=4096, type=int, help="MiB of address space; 0: any")
    parser.add_argument("--keep", default=BUILD / "test" / "fuzz" / "failed", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--reduce", type=Path, help="a file that fails")
    options = parser.parse_args()
    options.tool = options.tool.resolve()
    sys.exit(1 if (reduce if options.reduce else fuzz)(options) else 0)


if __name__ == "__main__":
    main()

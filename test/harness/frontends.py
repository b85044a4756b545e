# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cpasync-tidy, or stock clang-tidy with the plugin, on a kernel file."""

import os
import re
import subprocess
from typing import NamedTuple

from expectations import Diagnostic, count_code_lines

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = os.path.join(ROOT, "lib", "cuda-headers")
TIMEOUT_SECONDS = 120

# Also those that are off by default.
EVERY_CHECK = "-*,cpasync-*"
# What is found must not hang on how fast the machine is.
ANY_TIME = "--timeout-per-kernel=0"
# What the tool itself passes with --cuda=bundled; tool/input/Cuda.cpp.
PLUGIN_FLAGS = [
    "-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
    "--offload-arch=sm_80", "-nocudainc", "-nocudalib",
    "-Wno-unknown-cuda-version", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13",
    "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=88",
    "-include", os.path.join(HEADERS, "cpasync_prelude.h"),
    "-isystem", os.path.join(HEADERS, "include"),
]  # fmt: skip

LINE = re.compile(
    r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>warning|note|error): (?P<text>.*?)(?: \[(?P<check>[\w,.-]+)\])?$"
)
MENTIONED = re.compile(r"\bline (\d+)\b(?! of)")
SKIPPED = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+: (?P<text>.*)$")
EXTRA_FLAGS = re.compile(r"^// lint-flags: (.*)$", re.M)


class Output(NamedTuple):
    findings: list  # each a list of Diagnostics: the warning, then its notes
    skipped: list  # Diagnostics of severity "skipped"
    states: list  # Diagnostics of severity "state"
    problems: list  # what should not have been said at all

    def diagnostics(self):
        everything = [d for finding in self.findings for d in finding]
        return set(everything + self.skipped + self.states)


def _is_same_file(path, name):
    return os.path.realpath(name) == os.path.realpath(path)


def _with_distances(text, line, code_lines):
    """`line 96` in a message as `line -8`: lines of code from the message on,
    expectations left out, so that they do not move what they say."""

    def distance(match):
        number = int(match[1])
        if max(number, line) >= len(code_lines):
            return match[0]
        return f"line {code_lines[number] - code_lines[line]:+d}"

    return MENTIONED.sub(distance, text)


def parse_output(path, text):
    """Sorts the lines of clang-tidy's text format; snippets are skipped."""
    output = Output([], [], [], [])
    code_lines = count_code_lines(path)
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            skipped = SKIPPED.match(line)
            if skipped and _is_same_file(path, skipped["file"]):
                what, _, text = skipped["text"].partition(": ")
                severity = "state" if what == "state" else "skipped"
                diagnostic = Diagnostic(int(skipped["line"]), severity, "", text)
                (output.states if what == "state" else output.skipped).append(diagnostic)
            continue
        if match["severity"] == "error" or not _is_same_file(path, match["file"]):
            output.problems.append(f"not expected in any file: {line}")
            continue
        number = int(match["line"])
        diagnostic = Diagnostic(
            number,
            match["severity"],
            match["check"] or "",
            _with_distances(match["text"], number, code_lines),
        )
        if diagnostic.severity == "warning":
            output.findings.append([diagnostic])
        elif output.findings:
            output.findings[-1].append(diagnostic)
        else:
            output.problems.append(f"note before any warning: {line}")
    return output


def _run(command):
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_SECONDS,
    )


def extra_flags(path):
    """`// lint-flags: [options] [-- compiler flags]` in the file itself."""
    with open(path, encoding="utf-8") as file:
        match = EXTRA_FLAGS.search(file.read())
    flags = match[1].split() if match else []
    split = flags.index("--") if "--" in flags else len(flags)
    return flags[:split], flags[split + 1 :]


def run_tool(tool, path, checks=EVERY_CHECK, *more_options):
    options, compiler_flags = extra_flags(path)
    options += more_options
    if os.path.basename(os.path.dirname(os.path.abspath(path))) == "state":
        options = ["--print-state", *options]
    result = _run(
        [tool, "--cuda=bundled", f"--checks={checks}", ANY_TIME, "--skipped", "--quiet"]
        + [*options, path, "--", *compiler_flags]
    )
    output = parse_output(path, result.stdout)
    if result.returncode not in (0, 1):
        output.problems.append(f"exit status {result.returncode}")
    if bool(output.findings) != (result.returncode == 1):
        output.problems.append(
            f"exit status {result.returncode} with {len(output.findings)} findings"
        )
    output.problems.extend(result.stderr.splitlines())
    return output


def run_plugin(clang_tidy, plugin, path, checks=EVERY_CHECK):
    options, compiler_flags = extra_flags(path)
    config = [f"--checks={checks}"]
    for option in options:
        name, _, value = option.partition("=")
        if name == "--assumed-threads":
            config.append(f"--config={{CheckOptions: {{AssumedThreads: {value}}}}}")
    # With two architectures Clang compiles for both.
    arch = "--offload-arch="
    own_arch = any(flag.startswith(arch) for flag in compiler_flags)
    flags = [f for f in PLUGIN_FLAGS if not (own_arch and f.startswith(arch))]
    result = _run(
        [clang_tidy, "-load", plugin, "--quiet", *config, path]
        + ["--", *flags, *compiler_flags]
    )
    output = parse_output(path, result.stdout)
    if result.returncode != 0:
        output.problems.append(f"exit status {result.returncode}: {result.stderr}")
    return output

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixes a file while something else changes it.

Usage: fixes-at-once.py TOOL fix|edit|race. Reports come out in the order of the
command line, so a file whose analysis never ends keeps the fix of the one after
it waiting, which is analysed by then.
"""

import os
import signal
import subprocess
import sys
import time

TOOL, WHAT = sys.argv[1:]
FIX = [TOOL, "--cuda=bundled", "--fix-notes"]
WAITING = [
    *FIX,
    "-j2",
    "--extra-arg=-fconstexpr-steps=4294967295",
    "--timeout-per-file=300",
    "endless.cu",
    "k.cu",
]
EDIT = "__pipeline_wait_prior(0);"


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children") as file:
        return [int(word) for word in file.read().split()]


def edits():
    with open("k.cu") as file:
        return file.read().count(EDIT)


def while_waiting(do):
    """Calls do() after k.cu is analysed and before it is fixed."""
    run = subprocess.Popen(WAITING, stdout=subprocess.DEVNULL)
    while len(workers := children(run.pid)) < 2:
        time.sleep(0.01)
    while len(children(run.pid)) > 1:
        time.sleep(0.01)
    do()
    os.kill(workers[0], signal.SIGKILL)
    print(f"exit {run.wait()}")
    print(f"edits {edits()}")


def edit():
    with open("k.cu", "a") as file:
        file.write("// more\n")


def race():
    """Many at once; whoever comes late finds nothing, or says that it did."""
    runs = [
        subprocess.Popen([*FIX, "k.cu"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(8)
    ]
    said = {run.communicate()[1] for run in runs}
    assert said <= {
        b"",
        b"clang-tidy applied 1 of 1 suggested fixes.\n",
        b"cpasync-tidy: error: k.cu: changed while it was analysed; not fixed\n",
    }, said
    print(f"edits {edits()}")


ACTIONS = {
    "fix": lambda: while_waiting(lambda: subprocess.run([*FIX, "k.cu"], stdout=subprocess.DEVNULL)),
    "edit": lambda: while_waiting(edit),
    "race": race,
}
ACTIONS[WHAT]()

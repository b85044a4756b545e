# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker that is killed, one that hangs, and progress on a terminal.

Usage: workers.py TOOL crash|crash-alone|progress. endless.cu keeps its worker busy for as long
as the test needs.
"""

import os
import pty
import signal
import subprocess
import sys
import time

TOOL, WHAT = sys.argv[1:]
OPTIONS = ["--cuda=bundled", "--extra-arg=-fconstexpr-steps=4294967295"]


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children") as file:
        return [int(word) for word in file.read().split()]


def crash(files):
    run = subprocess.Popen([TOOL, *OPTIONS, "-j1", "--timeout-per-file=300", *files])
    while run.poll() is None:
        # The first child is that of the first file.
        if workers := children(run.pid):
            os.kill(workers[0], signal.SIGKILL)
            sys.exit(run.wait())
        time.sleep(0.05)
    sys.exit("the worker ended by itself")


def progress():
    pid, terminal = pty.fork()
    if pid == 0:
        files = ["good.cu", "endless.cu", "good2.cu"]
        os.execv(TOOL, [TOOL, *OPTIONS, "-j2", "--timeout-per-file=3", *files])
    text = b""
    try:
        while chunk := os.read(terminal, 4096):
            text += chunk
    except OSError:
        pass
    sys.stdout.write(text.decode().replace("\r", "<CR>").replace("\033[K", "<clear>"))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


ACTIONS = {
    "crash": lambda: crash(["endless.cu", "good.cu", "good2.cu"]),
    "crash-alone": lambda: crash(["endless.cu"]),
    "progress": progress,
}
ACTIONS[WHAT]()

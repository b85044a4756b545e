# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker that is killed, one that hangs, and progress on a terminal.

Usage: workers.py TOOL crash|progress. A file that includes a pipe nobody writes
to keeps its worker busy for as long as the test needs.
"""

import os
import pty
import signal
import subprocess
import sys
import time

TOOL, WHAT = sys.argv[1:]
COMMAND = [TOOL, "--cuda=bundled", "-j2", "good.cu", "stuck.cu", "good2.cu"]


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children") as file:
        return [int(word) for word in file.read().split()]


def reader_of_pipe(parent):
    """The worker that has the pipe open, or None."""
    for child in children(parent):
        for descriptor in os.scandir(f"/proc/{child}/fd"):
            if os.readlink(descriptor.path).endswith("pipe.h"):
                return child
    return None


def crash():
    run = subprocess.Popen(COMMAND + ["--timeout-per-file=300"])
    # Opening the writing end fails as long as nobody reads.
    while run.poll() is None:
        try:
            pipe = os.open("pipe.h", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
            continue
        while not (worker := reader_of_pipe(run.pid)):
            time.sleep(0.05)
        os.kill(worker, signal.SIGKILL)
        code = run.wait()
        os.close(pipe)
        sys.exit(code)
    sys.exit("the worker ended by itself")


def progress():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(TOOL, COMMAND + ["--timeout-per-file=3"])
    text = b""
    try:
        while chunk := os.read(terminal, 4096):
            text += chunk
    except OSError:
        pass
    sys.stdout.write(text.decode().replace("\r", "<CR>").replace("\033[K", "<clear>"))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


{"crash": crash, "progress": progress}[WHAT]()

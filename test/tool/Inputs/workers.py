# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker that is killed, one that hangs, and progress on a terminal.

Usage: workers.py TOOL crash|progress. A file that includes a pipe nobody writes
to keeps its worker busy for as long as the test needs.
"""

import errno
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
    return next((child for child in children(parent) if has_pipe(child)), None)


def has_pipe(worker):
    # Another worker may close a file, or end, while it is looked at.
    try:
        descriptors = os.listdir(f"/proc/{worker}/fd")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(target(worker, each).endswith("pipe.h") for each in descriptors)


def target(worker, descriptor):
    try:
        return os.readlink(f"/proc/{worker}/fd/{descriptor}")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def crash():
    run = subprocess.Popen(COMMAND + ["--timeout-per-file=300"])
    pipe = None
    while run.poll() is None:
        try:
            # Fails as long as nobody reads. Once open it stays so, or the
            # worker would find the end of the file.
            pipe = pipe or os.open("pipe.h", os.O_WRONLY | os.O_NONBLOCK)
            if worker := reader_of_pipe(run.pid):
                os.kill(worker, signal.SIGKILL)
                sys.exit(run.wait())
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        time.sleep(0.05)
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

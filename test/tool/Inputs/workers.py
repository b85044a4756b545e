# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workers that are killed, one that hangs, and progress on a terminal.

Usage: workers.py TOOL crash|crash-alone|progress|crash-kernel|end-tool|end-worker [OPTION...].
endless.cu keeps its worker busy for as long as the test needs, and costly.cu whoever analyses
its second kernel.
"""

import ctypes
import os
import pty
import signal
import subprocess
import sys
import time

TOOL, WHAT, *MORE = sys.argv[1:]
OPTIONS = ["--cuda=bundled", "--extra-arg=-fconstexpr-steps=4294967295"]


# Of processor time: the file is parsed by then, and its other kernel analysed.
SECONDS_TO_SLOW_KERNEL = 4


def children(parent):
    found = []
    for thread in os.listdir(f"/proc/{parent}/task"):
        with open(f"/proc/{parent}/task/{thread}/children") as file:
            found += [int(word) for word in file.read().split()]
    return found


def descendants(process):
    """The nearest first; none of one that has ended."""
    try:
        below = children(process)
    except OSError:
        return []
    return below + [other for child in below for other in descendants(child)]


def status(process):
    """The fields of its line in /proc behind its name; none: it has ended."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def seconds(process):
    fields = status(process)
    ticks = sum(int(field) for field in fields[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def start_slow(*arguments):
    """A run, and the process of it that has come to the slow kernel."""
    limits = ["--timeout-per-kernel=0", "--timeout-per-file=300"]
    run = subprocess.Popen([TOOL, "--cuda=bundled", *limits, *arguments])
    while run.poll() is None:
        for process in descendants(run.pid):
            if seconds(process) >= SECONDS_TO_SLOW_KERNEL:
                return run, process
        time.sleep(0.05)
    sys.exit("the run ended by itself")


def crash_kernel():
    run, slow = start_slow(*MORE, "costly.cu", "forgotten-wait.cu")
    # As if it were its own doing: the thread that analyses is the youngest.
    thread = max(int(name) for name in os.listdir(f"/proc/{slow}/task"))
    ctypes.CDLL(None).tgkill(slow, thread, signal.SIGSEGV)
    sys.exit(run.wait())


def end(whom):
    run, slow = start_slow("-j2", "costly.cu")
    processes = descendants(run.pid)
    if len(processes) != 2 or processes[1] != slow:
        sys.exit(f"expected a worker and its child {slow}, not {processes}")
    os.kill(run.pid if whom == "tool" else processes[0], signal.SIGTERM)
    run.wait()
    # It takes a moment; who adopts them may take another to bury them.
    for _ in range(200):
        left = [one for one in processes if status(one)[:1] not in ([], ["Z"])]
        if not left:
            return
        time.sleep(0.05)
    sys.exit(f"still there: {left}")


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
    "crash-kernel": crash_kernel,
    "end-tool": lambda: end("tool"),
    "end-worker": lambda: end("worker"),
}
ACTIONS[WHAT]()

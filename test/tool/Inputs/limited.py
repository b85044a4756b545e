# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command that may not write a file beyond a number of bytes.

Usage: limited.py BYTES COMMAND...; prints its standard error, then its standard
output, then its status.
"""

import resource
import subprocess
import sys


def limit():
    size = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


run = subprocess.run(sys.argv[2:], preexec_fn=limit, capture_output=True, text=True)
print(f"{run.stderr}{run.stdout}exit {run.returncode}")

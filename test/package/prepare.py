# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel and installs pre-commit for the tests that need them.

Skipped, and they with it, where pip cannot download.
"""

import shutil
import subprocess
import sys
import tempfile

import packaging_tools as tools

PACKAGES = ["pre-commit>=4,<5", "check-jsonschema>=0.30,<1", "auditwheel>=6,<7"]


def pip(*args):
    command = [tools.TOOLS / "bin" / "python", "-m", "pip", "--quiet"]
    return subprocess.run(
        [*command, "--disable-pip-version-check", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )


def can_download():
    with tempfile.TemporaryDirectory() as folder:
        result = pip("download", "--no-deps", "--no-cache-dir", "-d", folder, "pathspec")
    return result.returncode == 0, result.stdout


def main():
    shutil.rmtree(tools.DIST, ignore_errors=True)
    tools.WORK.mkdir(parents=True, exist_ok=True)
    if not (tools.TOOLS / "bin" / "pip").exists():
        try:
            tools.make_venv(tools.TOOLS)
        except subprocess.CalledProcessError:
            print("skipped: no 'python3 -m venv' here (Debian: python3-venv)")
            return tools.SKIPPED
    works, output = can_download()
    if not works:
        print(f"skipped: pip cannot download packages:\n{output}")
        return tools.SKIPPED
    result = pip("install", *PACKAGES)
    if result.returncode != 0:
        print(result.stdout)
        return 1
    return subprocess.run([tools.ROOT / "scripts" / "wheel", tools.DIST]).returncode


if __name__ == "__main__":
    sys.exit(main())

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The headers of CUDA 11.8, 12.9 and 13 parse without an error, and the planted
defect is found with each. They come from NVIDIA's wheels on PyPI and are kept in
the build folder; without a network this is skipped."""

import os
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("CPASYNC_BUILD", HERE.parents[1] / "build"))
TOOL = BUILD / "bin" / "cpasync-tidy"
CACHE = BUILD / "toolkits"
SKIPPED = 77  # what CTest takes for "skipped"
# Headers only; without cuRAND, as many installations are.
WHEELS = {
    "11.8": [
        "nvidia-cuda-runtime-cu11==11.8.89",
        "nvidia-cuda-nvcc-cu11==11.8.89",
        "nvidia-cuda-cccl-cu11==11.8.89.post1",
    ],
    "12.9": [
        "nvidia-cuda-runtime-cu12==12.9.79",
        "nvidia-cuda-nvcc-cu12==12.9.86",
        "nvidia-cuda-cccl-cu12==12.9.27",
    ],
    "13.0": [
        "nvidia-cuda-runtime==13.0.96",
        "nvidia-cuda-crt==13.0.88",
        "nvidia-cuda-cccl==13.0.85",
    ],
}
FLAGS = "-DNDEBUG -rdc=true --extended-lambda --expt-relaxed-constexpr --use_fast_math"


def fetch(version):
    """The folder of a toolkit; None if its wheels cannot be had."""
    root = CACHE / version
    if (root / "complete").exists():
        return root
    wheels = CACHE / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--retries=1", "--timeout=20", f"--dest={wheels}"]
    if subprocess.run(command + WHEELS[version], check=False).returncode != 0:
        return None
    for name in WHEELS[version]:
        stem = name.replace("-", "_").replace("==", "-")
        for wheel in wheels.glob(f"{stem}-*.whl"):
            extract(zipfile.ZipFile(wheel), root)
    (root / "complete").touch()
    return root


def extract(wheel, root):
    """nvidia/<package>/include of the wheel becomes include of the toolkit."""
    for name in wheel.namelist():
        _, found, rest = name.partition("/include/")
        if not found or name.endswith("/"):
            continue
        path = root / "include" / rest
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wheel.read(name))


class Toolkits(unittest.TestCase):
    def check(self, version, flags):
        command = [TOOL, "--cuda=toolkit", f"--cuda-path={CACHE / version}", "k.cu"]
        command += ["--", f"-DWANTED={version.split('.', maxsplit=1)[0]}", *flags]
        run = subprocess.run(
            command, cwd=HERE, capture_output=True, text=True, check=False
        )
        self.assertEqual(run.stderr, "", f"{version} {flags}")
        self.assertIn("[cpasync-unwaited-read]", run.stdout)
        self.assertTrue(run.stdout.endswith("1 finding in 1 of 1 kernel\n"), run.stdout)
        self.assertEqual(run.returncode, 1)

    def test_plain(self):
        for version in WHEELS:
            self.check(version, [])

    def test_language_options(self):
        for version in WHEELS:
            for standard in ("-std=c++17", "-std=c++20"):
                self.check(version, [*FLAGS.split(), standard])


if __name__ == "__main__":
    for toolkit in WHEELS:
        if not fetch(toolkit):
            print(f"skipped: the wheels of CUDA {toolkit} cannot be downloaded")
            sys.exit(SKIPPED)
    unittest.main(verbosity=2)

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel: its tag, and the program it installs where there is no LLVM."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

import packaging_tools as tools

LARGEST_WHEEL = 20_000_000  # bytes; it was 15 million when this was written
LONGEST_START = 1.0  # seconds; 0.01 on an idle machine
# In these folders every file is one that the program built here can analyse.
KERNELS = sorted((tools.ROOT / "examples").glob("*.cu"))


def run(command, **options):
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        **options,
    )


def enter_empty_root():
    """The command that runs another one with a folder as its root."""
    command = ["chroot"] if os.getuid() == 0 else ["unshare", "--map-root-user", "chroot"]
    works = run([*command, "/", "true"], env={"PATH": "/usr/sbin:/usr/bin:/bin"})
    return command if works.returncode == 0 else None


def without_numbers(text):
    """What the static program tells, which has no solver: a note of two lines of
    source less for each finding with numbers."""
    told, count = re.subn(r"^\S+: note: with \w.* = .*\n.*\n.*\n", "", text, flags=re.M)
    assert count, "no finding has numbers"
    return told


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            tools.require_wheel()
        except tools.Skip as skip:
            raise unittest.SkipTest(str(skip)) from skip
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name).resolve()
        tools.make_venv(cls.folder / "venv")
        pip = [cls.folder / "venv" / "bin" / "pip", "install", "--no-index"]
        installed = run([*pip, "--find-links", tools.DIST, "cpasync-tidy"])
        if installed.returncode != 0:
            raise AssertionError(installed.stdout)
        cls.program = cls.folder / "venv" / "bin" / "cpasync-tidy"

    def test_tag_is_true(self):
        shown = run([tools.TOOLS / "bin" / "auditwheel", "show", tools.wheel()])
        text = " ".join(shown.stdout.split())
        self.assertIn("requires no external shared libraries", text)
        self.assertIn('platform tag: "manylinux_2_5_', text)
        self.assertIn("-py3-none-manylinux_2_17_", tools.wheel().name)

    def test_contents(self):
        with zipfile.ZipFile(tools.wheel()) as archive:
            names = sorted(name.partition("/")[2] for name in archive.namelist())
        self.assertEqual(
            names,
            [
                "METADATA",
                "RECORD",
                "WHEEL",
                "licenses/LICENSE",
                "licenses/THIRD-PARTY.md",
                "scripts/cpasync-tidy",
            ],
        )
        self.assertIn(f"cpasync_tidy-{tools.version()}-", tools.wheel().name)

    def test_size_and_start(self):
        size = tools.wheel().stat().st_size
        seconds = []
        for _ in range(5):
            start = time.monotonic()
            self.assertEqual(run([self.program, "--version"]).returncode, 0)
            seconds.append(time.monotonic() - start)
        start = statistics.median(seconds)
        installed = self.program.stat().st_size
        print(f"wheel: {size} bytes, installed {installed}, starts in {start:.3f} s")
        self.assertLess(size, LARGEST_WHEEL)
        self.assertLess(start, LONGEST_START)

    def test_same_findings_as_the_build(self):
        here = run([tools.BUILD / "bin" / "cpasync-tidy", *KERNELS])
        only_ours = {"PATH": str(self.program.parent)}
        installed = run(["cpasync-tidy", *KERNELS], env=only_ours)
        self.assertEqual(installed.returncode, 1, installed.stdout)
        self.assertIn("warning: ", installed.stdout)
        self.assertEqual(installed.stdout, without_numbers(here.stdout))

    def test_needs_no_other_file(self):
        command = enter_empty_root()
        if not command:
            self.skipTest("may not change the root directory")
        root = self.folder / "root"
        root.mkdir()
        shutil.copy(self.program, root)
        for kernel in KERNELS:
            shutil.copy(kernel, root)
        names = [f"/{kernel.name}" for kernel in KERNELS]
        alone = run(
            [*command, root, "/cpasync-tidy", *names],
            env={"PATH": "/usr/sbin:/usr/bin:/bin"},
        )
        folder = tools.ROOT / "examples"
        here = run(
            [tools.BUILD / "bin" / "cpasync-tidy", "--cuda=bundled", *KERNELS]
        )
        self.assertEqual(alone.returncode, 1, alone.stdout)
        told = without_numbers(here.stdout)
        self.assertEqual(alone.stdout, told.replace(f"{folder}/", "/"))


class Hook(unittest.TestCase):
    def test_requires_the_wheel_of_its_version(self):
        try:
            tools.require_wheel()
        except tools.Skip as skip:
            self.skipTest(str(skip))
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source"
            source.mkdir()
            for name in tools.HOOK_FILES:
                shutil.copy(tools.ROOT / name, source)
            pip = [tools.TOOLS / "bin" / "pip", "wheel", "--quiet", "--no-deps"]
            built = run([*pip, "--wheel-dir", folder, source])
            self.assertEqual(built.returncode, 0, built.stdout)
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (metadata,) = [n for n in archive.namelist() if n.endswith("/METADATA")]
                text = archive.read(metadata).decode()
        self.assertIn(f"\nRequires-Dist: cpasync-tidy=={tools.version()}\n", text)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    ran = program.result.testsRun - len(program.result.skipped)
    sys.exit(0 if ran > 0 else tools.SKIPPED)

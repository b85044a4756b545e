# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hooks, run by the real pre-commit in scratch repositories.

The configuration is the one that docs/adopt.md shows.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import packaging_tools as tools

sys.path.insert(0, str(tools.ROOT / "test" / "docs"))
from blocks import blocks  # noqa: E402

CONFIG = ".pre-commit-config.yaml"
GOOD = """#include <cuda_pipeline.h>
__global__ void scale(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
"""
BAD = GOOD.replace("  __pipeline_wait_prior(0);\n", "")
LIBRARY = tools.ROOT / "test" / "tool" / "Inputs" / "header-library"
WARNING = re.compile(r"^include/staged/(\S+:\d+):\d+: warning: .* \[(\S+)\]$", re.M)
FINDING = "warning: 'Tile' is read before"


def documented_config(scene):
    for block in blocks(tools.ROOT / "docs" / "adopt.md"):
        if block.kind == "file" and block.argument == f"{scene}/{CONFIG}":
            return block.text
    raise ValueError(f"docs/adopt.md shows no {CONFIG} for {scene}")


class Repository:
    """A user's git repository with the hook installed."""

    def __init__(self, folder, home, config):
        self.folder = folder
        self.env = tools.clean_environment(home)
        # No compiler, no LLVM, no cpasync-tidy.
        self.env["PATH"] = tools.path_of(*tools.GIT_NEEDS)
        tools.make_hook_repository(home.parent / "hooks", self.env)
        folder.mkdir()
        tools.git(folder, self.env, "init", "--quiet")
        self.write(CONFIG, config)
        self.pre_commit("install")

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        tools.git(self.folder, self.env, "add", path)

    def run(self, *command):
        result = subprocess.run(
            command,
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
        )
        return result.returncode, result.stdout

    def pre_commit(self, *args):
        return self.run(str(tools.TOOLS / "bin" / "pre-commit"), *args)

    def commit(self, *args):
        return self.run("git", "commit", "--message", "change", *args)

    def commits(self):
        status, output = self.run("git", "rev-list", "--count", "HEAD")
        return int(output) if status == 0 else 0


class Hooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            tools.require_wheel()
            cls.scratch = tempfile.TemporaryDirectory()
            tools.path_of(*tools.GIT_NEEDS)
        except tools.Skip as skip:
            raise unittest.SkipTest(str(skip)) from skip
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.base = Path(cls.scratch.name).resolve()

    def repository(self, config):
        """One home for all, so that pre-commit's environment is made once."""
        return Repository(self.base / self._testMethodName, self.base / "home", config)

    def test_bad_kernel_blocks_and_good_one_passes(self):
        repo = self.repository(documented_config("commit"))
        repo.write("kernels/scale.cu", BAD)
        status, output = repo.commit()
        self.assertNotEqual(status, 0, output)
        self.assertIn(f"kernels/scale.cu:6:22: {FINDING}", output)
        self.assertEqual(repo.commits(), 0)

        repo.write("kernels/scale.cu", GOOD)
        status, output = repo.commit()
        self.assertEqual(status, 0, output)
        self.assertIn("Passed", output)
        self.assertEqual(repo.commits(), 1)

    def test_only_changed_files(self):
        repo = self.repository(documented_config("commit"))
        repo.write("old.cu", BAD)
        self.assertEqual(repo.commit("--no-verify")[0], 0)
        repo.write("new.cu", GOOD)
        status, output = repo.commit()
        self.assertEqual(status, 0, output)
        self.assertIn("Passed", output)
        status, output = repo.pre_commit("run", "--all-files")
        self.assertEqual(status, 1)
        self.assertIn(f"old.cu:6:22: {FINDING}", output)
        self.assertNotIn("new.cu:", output)
        self.assertIn("1 finding in 1 of 2 kernels", output)

    def test_cuda_headers_are_checked(self):
        repo = self.repository(documented_config("commit"))
        repo.write("tile.cuh", BAD)
        status, output = repo.commit()
        self.assertNotEqual(status, 0, output)
        self.assertIn(f"tile.cuh:6:22: {FINDING}", output)

    def test_other_files_are_not_checked(self):
        repo = self.repository(documented_config("commit"))
        for name in ("kernel.txt", "host.cpp", "host.h", "notes.md"):
            repo.write(name, BAD)
        status, output = repo.commit()
        self.assertEqual(status, 0, output)
        self.assertIn("(no files to check)Skipped", output)

    def test_other_headers_on_request(self):
        repo = self.repository(documented_config("commit-headers"))
        repo.write("include/setup.h", "#define SET_UP\n")
        include = '#include "setup.h"\n'
        repo.write("kernels/tile.hpp", include + BAD)
        status, output = repo.commit()
        self.assertNotEqual(status, 0, output)
        self.assertIn(f"kernels/tile.hpp:7:22: {FINDING}", output)
        self.assertNotIn("parsed with", output)

    def test_broken_file_blocks(self):
        repo = self.repository(documented_config("commit"))
        repo.write("broken.cu", "this is no C++\n")
        status, output = repo.commit()
        self.assertNotEqual(status, 0, output)
        self.assertIn("cpasync-tidy: error: broken.cu: ", output)

    def test_library_of_headers(self):
        """What changes is a header; who launches it, a file of the database."""
        wanted = {
            ("reverse.cuh:30", "cpasync-unwaited-read"),
            ("reverse.cuh:31", "cpasync-in-flight-overwrite"),
            ("rows.cuh:28", "cpasync-unsynchronized-read"),
            ("rows.cuh:36", "cpasync-unsynchronized-read"),
        }
        hook = "      - id: cpasync-tidy\n"
        config = documented_config("commit")
        self.assertIn(hook, config)
        for args in ("-p, build", "--extra-arg=-std=c++17, --extra-arg=-Iinclude"):
            with self.subTest(args=args):
                repo = Repository(
                    self.base / f"library-{len(args)}",
                    self.base / "home",
                    config.replace(hook, f"{hook}        args: [{args}]\n"),
                )
                shutil.copytree(LIBRARY, repo.folder, dirs_exist_ok=True)
                (repo.folder / "build").mkdir()
                database = [
                    {
                        "directory": str(repo.folder),
                        "file": f"src/{name}",
                        "command": f"nvcc -std=c++17 -Iinclude -c src/{name}",
                    }
                    for name in ("reverse.cu", "rows.cu")
                ]
                (repo.folder / "build" / "compile_commands.json").write_text(
                    json.dumps(database), encoding="utf-8"
                )
                tools.git(repo.folder, repo.env, "add", "include", "src")
                self.assertEqual(repo.commit("--no-verify")[0], 0)
                for header in ("ring", "reverse", "rows"):
                    path = f"include/staged/{header}.cuh"
                    text = (repo.folder / path).read_text(encoding="utf-8")
                    repo.write(path, text + "// Changed.\n")
                status, output = repo.commit()
                self.assertNotEqual(status, 0, output)
                self.assertEqual(set(WARNING.findall(output)), wanted, output)
                assumed = "-p" not in args  # nothing tells
                self.assertEqual("assuming blocks of" in output, assumed, output)

    def test_system_hook(self):
        config = documented_config("commit").replace(
            "id: cpasync-tidy", "id: cpasync-tidy-system"
        )
        repo = self.repository(config)
        repo.write("scale.cu", BAD)
        status, output = repo.commit()
        self.assertNotEqual(status, 0)
        self.assertIn("Executable `cpasync-tidy` not found", output)

        tool = self.base / "bin"
        tool.mkdir()
        (tool / "cpasync-tidy").symlink_to(tools.BUILD / "bin" / "cpasync-tidy")
        repo.env["PATH"] += f":{tool}"
        status, output = repo.commit()
        self.assertNotEqual(status, 0)
        self.assertIn(f"scale.cu:6:22: {FINDING}", output)
        repo.write("scale.cu", GOOD)
        status, output = repo.commit()
        self.assertEqual(status, 0, output)

    def test_documented_revision_exists(self):
        self.assertIn(f"rev: v{tools.version()}\n", documented_config("commit"))


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    ran = program.result.testsRun - len(program.result.skipped)
    sys.exit(0 if ran > 0 else tools.SKIPPED)

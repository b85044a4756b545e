# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scratch folders in which the commands of the documents run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "package"))
import packaging_tools as tools  # noqa: E402

SCENES = Path(__file__).resolve().parent / "scenes"
KERNEL = SCENES / "commit" / "kernels" / "scale.cu"  # has one finding


class Scene:
    """A copy of scenes/NAME below FOLDER, and the environment for commands."""

    def __init__(self, name, folder):
        self.folder = folder / name
        self.env = tools.clean_environment(folder / "home")
        self.env["PLUGIN"] = str(tools.BUILD / "lib" / "cpasync-tidy-plugin.so")
        if (SCENES / name).is_dir():
            shutil.copytree(SCENES / name, self.folder)
        else:
            self.folder.mkdir(parents=True)
        for path in self.folder.rglob("*.ninja"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("@SCENE@", str(self.folder)), encoding="utf-8")
        PREPARE.get(name, with_tool)(self)

    def prepend_path(self, folder):
        self.env["PATH"] = f"{folder}{os.pathsep}{self.env['PATH']}"

    def run(self, command):
        """Runs a piece of shell; (status, output)."""
        result = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", command],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
        )
        return result.returncode, result.stdout


def with_tool(scene):
    scene.prepend_path(tools.BUILD / "bin")


def repository(scene):
    """The project itself, seen through links, with a kernel of the user's."""
    for entry in ROOT.iterdir():
        if entry.name != ".git":
            (scene.folder / entry.name).symlink_to(entry)
    shutil.copy(KERNEL, scene.folder / "my_kernel.cu")
    with_tool(scene)


def committed(scene):
    """The scene as the last commit of a git repository, pushed."""
    with_tool(scene)
    tools.git(scene.folder, scene.env, "init", "--quiet")
    tools.git(scene.folder, scene.env, "add", ".")
    tools.git(scene.folder, scene.env, "commit", "--quiet", "--message", "all")
    tools.git(scene.folder, scene.env, "update-ref", "refs/remotes/origin/main", "HEAD")


def copy(scene):
    """The sources of the project, to be changed."""
    ignored = shutil.ignore_patterns(".git", "build*", "dist", "__pycache__")
    shutil.copytree(ROOT, scene.folder, ignore=ignored, dirs_exist_ok=True)


def fresh_venv(scene):
    """An empty virtual environment; pip finds our wheel, nothing finds LLVM."""
    tools.require_wheel()
    scene.env["PATH"] = tools.path_of("bash", "env")
    tools.make_venv(scene.folder / "venv")
    shutil.copy(KERNEL, scene.folder / "my_kernel.cu")
    scene.prepend_path(scene.folder / "venv" / "bin")


def hooked_repository(scene):
    """A git repository; pre-commit's address of this project leads to a copy."""
    tools.require_wheel()
    scene.env["PATH"] = tools.path_of(*tools.GIT_NEEDS)
    scene.prepend_path(tools.TOOLS / "bin")
    tools.make_hook_repository(scene.folder.parent / "hooks", scene.env)
    tools.git(scene.folder, scene.env, "init", "--quiet")
    tools.git(scene.folder, scene.env, "add", ".")


PREPARE = {
    "repository": repository,
    "cmake": committed,
    "reports": committed,
    "copy": copy,
    "wheel": fresh_venv,
    "commit": hooked_repository,
    "commit-headers": hooked_repository,
}

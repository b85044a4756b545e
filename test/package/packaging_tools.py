# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the wheel, of the hooks and of the documents share."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CPASYNC_BUILD", ROOT / "build"))
WORK = BUILD / "test" / "package"
DIST = WORK / "dist"  # made by prepare.py: our wheel
TOOLS = WORK / "tools"  # made by prepare.py: an environment with pre-commit
SKIPPED = 77  # what CTest takes for "skipped"
HOOK_FILES = (".pre-commit-hooks.yaml", "pyproject.toml")
# Programs that git is made of, or that its hooks start; no compiler among them.
GIT_NEEDS = ("git", "bash", "sh", "env", "basename", "dirname", "sed", "uname", "cat", "tr")
# Where the documents say that the project lives.
ADDRESS = "https://github.com/OWNER/cpasync-tidy"


class Skip(Exception):
    """Something that a test needs is not here."""


def wheel():
    wheels = list(DIST.glob("cpasync_tidy-*.whl"))
    return wheels[0] if len(wheels) == 1 else None


def require_wheel():
    if not wheel():
        raise Skip("no wheel, see package/prepare")


def path_of(*programs):
    """A PATH with these programs and no others."""
    folder = WORK / "path" / "-".join(programs)
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        found = shutil.which(program)
        if not found:
            raise Skip(f"no {program} here")
        link = folder / program
        if not link.is_symlink():
            try:
                link.symlink_to(found)
            except FileExistsError:
                pass  # another test was faster
    return str(folder)


def clean_environment(home):
    """The environment of a user with no settings; pip finds our wheel."""
    home.mkdir(parents=True, exist_ok=True)
    env = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GIT_", "PRE_COMMIT", "PYTHON", "VIRTUAL_ENV", "CUDA_"))
    }
    # Downloads need not be repeated.
    env.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    env.update(
        HOME=str(home),
        XDG_CACHE_HOME=str(home / ".cache"),
        PIP_FIND_LINKS=str(DIST),
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        PIP_QUIET="1",
        LC_ALL="C.UTF-8",
    )
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.com\n"
        "[init]\n\tdefaultBranch = main\n"
        "[protocol \"file\"]\n\tallow = always\n"
        f"[url \"{home.parent}/hooks\"]\n\tinsteadOf = {ADDRESS}\n",
        encoding="utf-8",
    )
    return env


def git(folder, env, *args):
    subprocess.run(["git", *args], cwd=folder, env=env, check=True, timeout=60)


def make_hook_repository(folder, env):
    """A clone of this project as pre-commit sees it, tagged as the documents say."""
    if folder.exists():
        return
    folder.mkdir()
    for name in HOOK_FILES:
        shutil.copy(ROOT / name, folder)
    git(folder, env, "init", "--quiet")
    git(folder, env, "add", ".")
    git(folder, env, "commit", "--quiet", "--message", "release")
    git(folder, env, "tag", f"v{version()}")


def version():
    """That of CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return text.partition("project(cpasync-tidy VERSION ")[2].split()[0]


def make_venv(folder):
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=120)

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests of the command line. Run: ctest -R '^tool/'."""

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "cpasync-tidy"
config.test_format = lit.formats.ShTest()
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
build = lit_config.params["build"]
llvm = lit_config.params["llvm"]
config.test_exec_root = os.path.join(build, "test", "tool")
os.makedirs(config.test_exec_root, exist_ok=True)

root = os.path.dirname(os.path.dirname(config.test_source_root))
config.environment["PATH"] = os.pathsep.join([llvm, os.environ["PATH"]])
# Tests of the toolkit search set these themselves.
for variable in ("CUDA_HOME", "CUDA_PATH"):
    config.environment.pop(variable, None)

headers = os.path.join(root, "lib", "cuda-headers")
config.substitutions += [
    ("%cpasync-tidy", os.path.join(build, "bin", "cpasync-tidy")),
    ("%plugin", os.path.join(build, "lib", "cpasync-tidy-plugin.so")),
    ("%clang-tidy", "clang-tidy-22"),
    (
        "%bundled",
        f"-nocudainc -nocudalib -include {headers}/cpasync_prelude.h "
        f"-isystem {headers}/include",
    ),
    ("%python", sys.executable),
]

# What a build needs; a test that requires one of these is skipped without it.
for program in ("cmake", "ninja", "ccache", "clangd-22"):
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(program.removesuffix("-22"))
# A chroot or a container may have none.
try:
    for end in os.openpty():
        os.close(end)
    config.available_features.add("pseudo-terminals")
except OSError:
    pass
# A disk that a test may fill.
mount = ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=32k", "none", "/mnt"]
if shutil.which("unshare") and not subprocess.run(
    mount, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
).returncode:
    config.available_features.add("tiny-disks")
nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
if nvcc:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))

# Somebody who may not write what belongs to whoever runs the tests.
other_user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
tool = os.path.join(build, "bin", "cpasync-tidy")
if os.geteuid() == 0 and shutil.which("setpriv") and os.path.exists(tool):
    command = [*other_user.split(), tool, "--version"]
    if not subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        config.available_features.add("other-user")
        config.substitutions.append(("%other-user", other_user))

# Any other major that happens to be installed; 14 is Debian 12's own.
for major in (21, 20, 19, 18, 17, 16, 15, 14):
    other = shutil.which(f"clang-tidy-{major}")
    if other:
        config.available_features.add("other-clang-tidy")
        config.substitutions.append(("%other-clang-tidy", other))
        break

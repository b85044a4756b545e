# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the database of compile-database.test: what CMake's generators write,
what people write, and what does not concern us."""

import json
import os
import sys

top = os.getcwd()
with open("build/inc.rsp", "w") as file:
    file.write('-I"%s/src/inc"\n-isystem=/usr/include/none' % top)

commands = [
    # The Makefile generator: include paths in a response file, a launcher.
    {
        "directory": f"{top}/build",
        "command": "/usr/bin/ccache /usr/local/cuda/bin/nvcc "
        "-forward-unknown-to-host-compiler -ccbin=/usr/bin/g++ "
        '-DWANTED -DGREETING=\\"hello\\" --options-file inc.rsp '
        "--generate-code=arch=compute_70,code=[compute_70,sm_70] "
        "--generate-code=arch=compute_80,code=[compute_80,sm_80] "
        "--expt-relaxed-constexpr -Xcompiler=-fPIC,-Wall -Xptxas=-v -std=c++17 "
        f"-x cu -rdc=true -c {top}/src/a.cu -o a.o",
        "file": f"{top}/src/a.cu",
    },
    # The same file in a second target: the same device side.
    {
        "directory": f"{top}/build",
        "command": "/usr/local/cuda/bin/nvcc -DWANTED -DGREETING=\\\"hello\\\" "
        "--options-file inc.rsp -arch=sm_80 -std=c++17 -dc "
        f"--expt-relaxed-constexpr -ptx {top}/src/a.cu -o a.ptx",
        "file": f"{top}/src/a.cu",
    },
    # By hand: words, relative paths, everything after an environment.
    {
        "directory": "..",
        "arguments": "env CUDAHOSTCXX=g++ nvcc -MD -MF a.d -arch=sm_90 "
        "--threads 2 -t=2 -maxrregcount 64 -c src/weak.cu -o weak.o".split(),
        "file": "src/weak.cu",
    },
    # Not CUDA.
    {
        "directory": f"{top}/build",
        "command": f"/usr/bin/c++ -c {top}/src/host.cpp -o host.o",
        "file": f"{top}/src/host.cpp",
    },
]
with open(sys.argv[1], "w") as file:
    json.dump(commands, file, indent=1)

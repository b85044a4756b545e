# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the wheel the tag of what is in it: a program, for one processor."""

import struct
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BINARY = Path(__file__).parents[2] / "build" / "bin" / "static" / "cpasync-tidy"
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine in <elf.h>
PT_INTERP = 3


def machine_of_static_program(path):
    """The processor of an ELF file; an error if it needs a shared library."""
    data = path.read_bytes()
    if data[:5] != b"\x7fELF\x02":
        raise ValueError(f"{path} is no 64-bit ELF file")
    (machine,) = struct.unpack_from("<H", data, 18)
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    types = [struct.unpack_from("<I", data, table + i * size)[0] for i in range(count)]
    if PT_INTERP in types:
        raise ValueError(f"{path} is not statically linked")
    return MACHINES[machine]


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        if not BINARY.exists():
            raise FileNotFoundError(f"{BINARY}: build it with scripts/wheel")
        machine = machine_of_static_program(BINARY)
        # A static program needs no C library, so the oldest platforms that have
        # a tag will do, and musl as well as glibc.
        platforms = ".".join(
            f"{platform}_{machine}"
            for platform in ("manylinux_2_17", "manylinux2014", "musllinux_1_1")
        )
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platforms}"

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels and the digest that tie evidence to a fixture file."""

import hashlib
import re

KERNEL = re.compile(r"^KERNEL (\w+_(?:bad|ok))\(", re.M)
EXPECTATION = re.compile(r"[ \t]*//[ \t]*expect-.*")


def kernels(source):
    """The names of the kernels defined in a fixture's text."""
    return KERNEL.findall(source)


def digest(source):
    """sha256 of a fixture's text without its expect- comments.

    The words of a message may change without a GPU at hand; a kernel may not.
    """
    lines = (EXPECTATION.sub("", line).rstrip() for line in source.split("\n"))
    kept = "\n".join(line for line in lines if line)
    return hashlib.sha256(kept.encode()).hexdigest()


def linted(source, check):
    """The kernels in which the fixture expects a finding of the check."""
    parts = re.split(r"^KERNEL (\w+_(?:bad|ok))\(", source, flags=re.M)
    found = re.compile(r"// expect-warning(?:@[+-]\d+)?\{cpasync-%s\}" % check)
    return {name for name, body in zip(parts[1::2], parts[2::2])
            if found.search(body)}

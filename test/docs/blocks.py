# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code blocks of a Markdown page, with what the comment before each asks for.

    <!-- run: SCENE[, exit N][, needs PROGRAM]... -->
        runs the commands in a scratch folder made from scenes/SCENE; blocks of
        one page that name the same scene share the folder. The last command
        ends with status N (0 if not given), the others with 0. In a `console`
        block, commands follow `$ ` and must print what is shown. Without a
        PROGRAM it needs, a block is skipped.
    <!-- file: SCENE/PATH -->
        writes the block to that file of the scene
    <!-- not run: REASON -->
        a command that cannot run here
"""

import re
from pathlib import Path
from typing import List, NamedTuple, Optional

FENCE = re.compile(r"^```(\w*)\s*$")
MARKER = re.compile(r"^<!-- (run|file|not run): (.*) -->$")
COMMANDS = ("sh", "console")


class Block(NamedTuple):
    page: Path
    line: int  # of the opening fence
    language: str
    text: str
    kind: Optional[str]  # run, file, not run; None: no marker
    argument: str

    def where(self):
        return f"{self.page.name}:{self.line}"


class Run(NamedTuple):
    scene: str
    status: int
    needs: List[str]


def blocks(page):
    """Every fenced block of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    found, start, before = [], None, ""
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if start is not None:
            if line == "```":
                text = "".join(f"{l}\n" for l in lines[start[0] : number - 1])
                marker = MARKER.match(start[2])
                found.append(Block(page, start[0], start[1], text, *marked(marker)))
                start = None
        elif fence:
            start = (number, fence[1], before)
        if line.strip():
            before = line
    return found


def marked(marker):
    return (marker[1], marker[2]) if marker else (None, "")


def parse_run(block):
    """What a `run:` marker says."""
    scene, *rest = block.argument.split(", ")
    status, needs = 0, []
    for word in rest:
        key, _, value = word.partition(" ")
        if key == "exit":
            status = int(value)
        elif key == "needs":
            needs.append(value)
        else:
            raise ValueError(f"{block.where()}: '{word}' in a marker")
    return Run(scene, status, needs)


def commands(block):
    """(command, output or None) of a block; None where nothing is shown."""
    if block.language == "sh":
        return [(block.text, None)]
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block.text, flags=re.M)
    if parts[0]:
        raise ValueError(f"{block.where()}: text before the first `$ `")
    return list(zip(parts[1::2], parts[2::2]))

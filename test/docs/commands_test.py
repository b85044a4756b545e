# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of one page as they are printed: commands_test.py PAGE."""

import shutil
import sys
import tempfile
from pathlib import Path

from blocks import blocks, commands, parse_run
from scenes import Scene, tools


def missing(needs):
    return [program for program in needs if not shutil.which(program)]


def run_block(scene, block, status):
    """What went wrong, as text; empty: nothing."""
    todo = commands(block)
    for index, (command, shown) in enumerate(todo):
        expected = status if index + 1 == len(todo) else 0
        got, output = scene.run(command)
        if got != expected:
            return f"exit status {got}, not {expected}, of: {command}\n{output}"
        if shown is not None and output != shown:
            return f"printed by: {command}\n{output}--- but shown is:\n{shown}"
    return ""


def main(page):
    failed = ran = skipped = 0
    scenes = {}
    with tempfile.TemporaryDirectory() as folder:

        def scene(name):
            if name not in scenes:
                scenes[name] = Scene(name, Path(folder).resolve())
            return scenes[name]

        for block in blocks(page):
            where = block.where()
            try:
                if block.kind == "file":
                    name, _, path = block.argument.partition("/")
                    target = scene(name).folder / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(block.text, encoding="utf-8")
                if block.kind != "run":
                    continue
                run = parse_run(block)
                if missing(run.needs):
                    raise tools.Skip(f"no {', '.join(missing(run.needs))} here")
                problem = run_block(scene(run.scene), block, run.status)
            except tools.Skip as skip:
                skipped += 1
                print(f"{where}: skipped: {skip}")
                continue
            ran += 1
            failed += bool(problem)
            print(f"{where}: {problem or 'ok'}")
    print(f"{page.name}: {ran - failed} ran as shown, {failed} failed, {skipped} skipped")
    if failed:
        return 1
    return 0 if ran or not skipped else tools.SKIPPED


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy says of a source that is included what it says of the source alone.

planted_test.py CLANG-TIDY OPTIONS...: a comment of Planted.cpp and Planted.h names
the check that is to be heard in its line.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "lib"


def heard(command, source):
    flags = ["--", "-std=c++20", "-Wall", "-Wextra"]
    said = subprocess.run(
        [*command, source, *flags], capture_output=True, text=True
    ).stdout
    return {
        (pathlib.Path(name).name, int(line), check)
        for name, line, check in re.findall(
            r"^(\S+):(\d+):\d+: error: .* \[([\w-]+),", said, re.M
        )
    }


planted = {
    (path.name, number, check)
    for path in HERE.iterdir()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    for check in re.findall(r"// ([\w-]+-[\w-]+)$", line)
}
with tempfile.TemporaryDirectory() as folder:
    batch = pathlib.Path(folder) / "batch.cpp"
    batch.write_text(
        f'#include "{HERE}/Planted.cpp" // NOLINT(bugprone-suspicious-include)\n'
    )
    for source in HERE / "Planted.cpp", batch:
        found = heard(sys.argv[1:], source)
        for missing in sorted(planted - found):
            print(f"{source.name}: not heard:", *missing)
        for more in sorted(found - planted):
            print(f"{source.name}: not planted:", *more)
        if not planted or found != planted:
            sys.exit(1)

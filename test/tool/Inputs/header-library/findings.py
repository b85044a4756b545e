# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JSON reports find, each once: file, line and check."""

import json
import sys
from pathlib import Path

FOUND = set()
for name in sys.argv[1:]:
    report = json.loads(Path(name).read_text(encoding="utf-8"))
    for finding in report["findings"]:
        place = finding["place"]
        FOUND.add(f"{Path(place['file']).name}:{place['line']} {finding['check']}")
print("\n".join(sorted(FOUND)))

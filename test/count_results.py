# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up CTest's JUnit reports: names failures and skips, counts on one line."""

import os
import sys
import xml.etree.ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


def results(report):
    """(name, verdict) of every test in a report."""
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        if case.get("status") == "run":
            yield case.get("name"), PASSED
        elif case.find("skipped") is not None and case.get("status") == "notrun":
            reason = case.find("skipped").get("message", "")
            # CTest also calls a test "not run" whose program does not exist.
            ran = reason.startswith("SKIP_")
            yield case.get("name"), SKIPPED if ran else FAILED
        else:
            yield case.get("name"), FAILED


def main(reports):
    counts = {PASSED: 0, FAILED: 0, SKIPPED: 0}
    for report in reports:
        if not os.path.exists(report):
            print(f"failed:  no report in {report}")
            counts[FAILED] += 1
            continue
        for name, verdict in results(report):
            counts[verdict] += 1
            if verdict != PASSED:
                print(f"{verdict + ':':8} {name}")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts[FAILED] or not counts[PASSED] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

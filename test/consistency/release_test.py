# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One version everywhere: CMakeLists.txt has it, the others repeat it."""

import re
import unittest

from project import ROOT, main

# file -> expressions with the version as group 1; each must occur
REPEATED = {
    "pyproject.toml": [r'^version = "(.*)"$', r'"cpasync-tidy==(.*?)"'],
    "action.yml": [r'Version of the wheel to install\n +default: "(.*)"'],
    "ci/gitlab.yml": [
        r'^ +CPASYNC_TIDY_VERSION: "(.*)"$',
        r"/raw/v(.*)/ci/gitlab\.yml",
    ],
    "docs/adopt.md": [
        r"^ +rev: v(.*)$",
        r"uses: OWNER/cpasync-tidy@v(.*)$",
        r"/raw/v(.*)/ci/gitlab\.yml$",
    ],
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


class Version(unittest.TestCase):
    def test_is_the_same_everywhere(self):
        project = re.compile(r"project\(cpasync-tidy VERSION (\S+)")
        version = project.search(read("CMakeLists.txt"))[1]
        for name, expressions in REPEATED.items():
            for expression in expressions:
                found = set(re.findall(expression, read(name), re.M))
                self.assertEqual(found, {version}, f"{name}: {expression}")


if __name__ == "__main__":
    main()

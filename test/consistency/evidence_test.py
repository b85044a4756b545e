# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU evidence is about the kernels as they are now. Needs no GPU."""

import subprocess
import unittest

from project import ROOT, checks, main

REFRESH = "run test/gpu/run on a machine with a GPU"


class Evidence(unittest.TestCase):
    def setUp(self):
        self.recorded = [check for check in checks() if check.evidence().exists()]
        if not self.recorded:
            self.skipTest(f"no GPU evidence recorded yet; {REFRESH}")

    def test_every_default_check_has_it(self):
        for check in checks():
            if check.default == "On":
                self.assertTrue(
                    check.evidence().exists(), f"{check.name}: no evidence; {REFRESH}"
                )

    def test_is_fresh_and_shown(self):
        result = subprocess.run(
            [ROOT / "test" / "gpu" / "report", "--check"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    main()

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports against their schemas; those of the fixtures are checked where they are
linted, by test/harness/run.py."""

import os
import sys
import unittest

from reports import ROOT, Project, main

sys.path.insert(0, str(ROOT / "test" / "harness"))
import schemas
from schemas import load

# What GitLab's documentation asks of an entry.
CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


@unittest.skipIf(schemas.jsonschema is None, "jsonschema is not installed (python3-jsonschema)")
class Schemas(Project):
    def validate(self, schema, report, name):
        self.assertEqual(schemas.errors(schema, report), [], name)

    def inputs(self):
        """What is linted elsewhere, and some that are not analysed."""
        for folder in ("test/tool/Inputs", "examples"):
            yield from sorted((ROOT / folder).glob("*.cu"))
        yield self.write("broken.cu", "int A;\n#include <missing.h>\n")
        yield self.write("partly.cu", "#include <missing.h>\n__global__ void k() {}\n")
        yield self.folder / "absent.cu"
        odd = (ROOT / "test/tool/Inputs/weak-wait.cu").read_text(encoding="utf-8")
        odd = odd.replace("__pipeline_wait", "/* \u00e4\u20ac\U0001f600 */ __pipeline_wait")
        yield self.write("a folder/b:c,%20\u00fc.cu", odd)

    def test_every_input(self):
        count = findings = 0
        for path in self.inputs():
            self.run_tool(
                *("--output=sarif=s.json", "--output=json=j.json"),
                "--timeout-per-kernel=5",
                str(path),
                status=None,
            )
            report, log = (load(self.folder / name) for name in ("j.json", "s.json"))
            self.assertEqual(schemas.report_problems(report, log), [], path)
            count += 1
            findings += len(report["findings"])
        self.assertGreater(count, 25)
        self.assertGreater(findings, 50)
        if not os.path.exists(schemas.SARIF):
            self.skipTest(f"no schema of SARIF at {schemas.SARIF}; JSON was checked")

    @unittest.skipUnless(os.path.exists(schemas.SARIF), "no schema of SARIF")
    def test_suppressed(self):
        text = self.copy("weak-wait.cu")
        self.write("silent.cu", text.replace("(1);", "(1); // NOLINT(cpasync-*): why"))
        files = ["weak-wait.cu", "silent.cu", "--show-suppressed"]
        log = self.report("sarif", *files)
        self.assertEqual(len(log["runs"][0]["results"]), 2)
        self.validate(load(schemas.SARIF), log, "suppressed")

    def test_the_schema_refuses(self):
        """A schema that takes everything proves nothing."""
        self.copy("weak-wait.cu")
        schema = load(schemas.JSON)
        report = self.report("json", "weak-wait.cu")
        del report["findings"][0]["path"][0]["place"]["line"]
        with self.assertRaises(AssertionError):
            self.validate(schema, report, "broken")

    def test_gitlab(self):
        self.copy("weak-wait.cu")
        self.write("broken.cu", "int A;\n#include <missing.h>\n")
        report = self.report("gitlab", "weak-wait.cu", "broken.cu", status=2)
        self.validate(CODE_QUALITY, report, "gitlab")
        self.assertEqual(
            [(entry["check_name"], entry["severity"]) for entry in report],
            [("cpasync-wrong-wait-group", "major"), ("file-not-analysed", "major")],
        )


if __name__ == "__main__":
    main()

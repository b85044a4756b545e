# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of every fixture against their schemas.

SARIF's own schema is not part of this repository: CPASYNC_SARIF_SCHEMA names
the file, else ../shared/data is searched.
"""

import json
import os
import unittest

from reports import ROOT, Project, main

try:
    import jsonschema
except ImportError:
    jsonschema = None

SARIF_SCHEMA = os.environ.get(
    "CPASYNC_SARIF_SCHEMA",
    str(ROOT.parent / "shared" / "data" / "sarif-schema-2.1.0.json"),
)
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


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


@unittest.skipIf(jsonschema is None, "jsonschema is not installed (python3-jsonschema)")
class Schemas(Project):
    def validate(self, schema, report, name):
        validator = jsonschema.validators.validator_for(schema)(schema)
        for error in validator.iter_errors(report):
            where = "/".join(map(str, error.absolute_path))
            self.fail(f"{name}: {where}: {error.message[:300]}")

    def inputs(self):
        """Every file the suite lints, and some that are not analysed."""
        for folder in ("test/checks", "test/corpus", "test/tool/Inputs", "examples"):
            yield from sorted((ROOT / folder).glob("*.cu"))
        yield self.write("broken.cu", "int A;\n#include <missing.h>\n")
        yield self.write("partly.cu", "#include <missing.h>\n__global__ void k() {}\n")
        yield self.folder / "absent.cu"
        odd = (ROOT / "test/tool/Inputs/weak-wait.cu").read_text(encoding="utf-8")
        odd = odd.replace("__pipeline_wait", "/* \u00e4\u20ac\U0001f600 */ __pipeline_wait")
        yield self.write("a folder/b:c,%20\u00fc.cu", odd)

    def test_every_input(self):
        sarif = load(SARIF_SCHEMA) if os.path.exists(SARIF_SCHEMA) else None
        own = load(ROOT / "docs" / "report.schema.json")
        count = findings = 0
        for path in self.inputs():
            self.run_tool(
                *("--output=sarif=s.json", "--output=json=j.json"),
                "--timeout-per-kernel=5",
                str(path),
                status=None,
            )
            report = load(self.folder / "j.json")
            self.validate(own, report, f"json of {path}")
            log = load(self.folder / "s.json")
            if sarif:
                self.validate(sarif, log, f"sarif of {path}")
            results = log["runs"][0]["results"]
            self.assertEqual(
                [(r["ruleId"], r["message"]["text"]) for r in results],
                [(f["check"], f["message"]) for f in report["findings"]],
            )
            count += 1
            findings += len(results)
        self.assertGreater(count, 40)
        self.assertGreater(findings, 50)
        if not sarif:
            self.skipTest(f"no schema of SARIF at {SARIF_SCHEMA}; JSON was checked")

    @unittest.skipUnless(os.path.exists(SARIF_SCHEMA), "no schema of SARIF")
    def test_suppressed(self):
        text = self.copy("weak-wait.cu")
        self.write("silent.cu", text.replace("(1);", "(1); // NOLINT(cpasync-*): why"))
        files = ["weak-wait.cu", "silent.cu", "--show-suppressed"]
        log = self.report("sarif", *files)
        self.assertEqual(len(log["runs"][0]["results"]), 2)
        self.validate(load(SARIF_SCHEMA), log, "suppressed")

    def test_the_schema_refuses(self):
        """A schema that takes everything proves nothing."""
        self.copy("weak-wait.cu")
        schema = load(ROOT / "docs" / "report.schema.json")
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

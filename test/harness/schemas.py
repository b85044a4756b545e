# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports against their schemas.

SARIF's own schema is not part of this repository: CPASYNC_SARIF_SCHEMA names
the file, else ../shared/data is searched.
"""

import json
import os

from frontends import ROOT

try:
    import jsonschema
except ImportError:
    jsonschema = None

SARIF = os.environ.get(
    "CPASYNC_SARIF_SCHEMA",
    os.path.join(os.path.dirname(ROOT), "shared", "data", "sarif-schema-2.1.0.json"),
)
JSON = os.path.join(ROOT, "docs", "report.schema.json")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def errors(schema, report):
    """What of a report its schema does not allow."""
    validator = jsonschema.validators.validator_for(schema)(schema)
    return [
        "/".join(map(str, error.absolute_path)) + ": " + error.message[:300]
        for error in validator.iter_errors(report)
    ]


def report_problems(report, log):
    """What is wrong with one run's report in JSON and its SARIF log. Without
    jsonschema or SARIF's schema that is less than it could be."""
    problems = []
    if jsonschema:
        problems += [f"json: {error}" for error in errors(load(JSON), report)]
        if os.path.exists(SARIF):
            problems += [f"sarif: {error}" for error in errors(load(SARIF), log)]
    results = log["runs"][0]["results"]
    says = [(r["ruleId"], r["message"]["text"]) for r in results]
    if says != [(f["check"], f["message"]) for f in report["findings"]]:
        problems.append("the SARIF log has other findings than the report in JSON")
    return problems

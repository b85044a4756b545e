# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What SARIF says is true of the sources: places, fixes, rules, notifications."""

from urllib.parse import unquote

from reports import INPUTS, ROOT, Project, main, page_url

ODD_NAME = "a folder/b:c,%20\u00fc.cu"

LONG_PATH = """\
#include <cuda_pipeline.h>
__global__ void __launch_bounds__(128)
    k(const float *In, float *Out, int A, int B, int C, int Tiles) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  if (A)
    __pipeline_wait_prior(0);
  if (B)
    __pipeline_wait_prior(0);
  if (C)
    __pipeline_wait_prior(0);
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(1);
    Out[threadIdx.x] = Tile[threadIdx.x];
  }
}
"""


def text_at(lines, region):
    """The text of a region within one line; columns are code points."""
    assert region["startLine"] == region["endLine"]
    line = lines[region["startLine"] - 1]
    return line[region["startColumn"] - 1 : region["endColumn"] - 1]


class Sarif(Project):
    def log(self, *arguments, status=1):
        [run] = self.report("sarif", *arguments, status=status)["runs"]
        return run

    def setUp(self):
        super().setUp()
        text = (INPUTS / "weak-wait.cu").read_text(encoding="utf-8")
        self.source = text.replace(
            "  __pipeline_wait", "  /* \u00e4\u20ac\U0001f600 */ __pipeline_wait"
        )
        self.assertNotEqual(text, self.source)
        self.write(ODD_NAME, self.source)

    def test_places(self):
        run = self.log(ODD_NAME)
        [result] = run["results"]
        self.assertEqual(run["columnKind"], "unicodeCodePoints")
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(unquote(place["artifactLocation"]["uri"]), ODD_NAME)
        root = run["originalUriBaseIds"][place["artifactLocation"]["uriBaseId"]]["uri"]
        self.assertEqual(unquote(root), f"file://{self.folder}/")
        lines = self.source.split("\n")
        self.assertEqual(text_at(lines, place["region"]), "__pipeline_wait_prior")
        steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual(len(result["codeFlows"]), 1)
        self.assertEqual(len(result["codeFlows"][0]["threadFlows"]), 1)
        self.assertEqual(
            [
                (step["kinds"][0], text_at(lines, step["location"]["physicalLocation"]["region"]))
                for step in steps
            ],
            [
                ("copy-issued", "__pipeline_memcpy_async"),
                ("committed", "__pipeline_commit"),
                ("waited", "__pipeline_wait_prior"),
                ("witness", "Tile"),
            ],
        )
        [name] = result["locations"][0]["logicalLocations"]
        self.assertEqual(name["fullyQualifiedName"], "waits_for_nothing")

    def test_fix_repairs(self):
        [result] = self.log(ODD_NAME)["results"]
        [fix] = result["fixes"]
        [change] = fix["artifactChanges"]
        [replacement] = change["replacements"]
        region = replacement["deletedRegion"]
        lines = self.source.split("\n")
        line = lines[region["startLine"] - 1]
        lines[region["startLine"] - 1] = (
            line[: region["startColumn"] - 1]
            + replacement["insertedContent"]["text"]
            + line[region["endColumn"] - 1 :]
        )
        self.write(ODD_NAME, "\n".join(lines))
        self.assertEqual(self.log(ODD_NAME, status=0)["results"], [])

    def test_long_path_is_complete(self):
        """The text leaves out steps of a path; the code flow does not."""
        self.write("long.cu", LONG_PATH)
        text = self.run_tool("long.cu", status=1).stdout
        [result] = self.log("long.cu")["results"]
        flow = result["codeFlows"][0]["threadFlows"][0]
        steps = flow["locations"]
        kinds = [step["kinds"][0] for step in steps]
        self.assertEqual(kinds.count("branch-taken"), 3, kinds)
        self.assertEqual(kinds[:2] + kinds[-1:], ["with-numbers", "copy-issued", "witness"])
        numbers = {"A": 0, "B": 0, "C": 0, "Tiles": 1}
        told = {name: int(value["text"]) for name, value in flow["immutableState"].items()}
        self.assertEqual(told, numbers)
        [finding] = self.report("json", "long.cu", status=1)["findings"]
        self.assertEqual(finding["numbers"], numbers)
        self.assertIs(finding["numbersConfirmed"], True)
        self.assertIn("waited", kinds)
        self.assertGreater(len(kinds), text.count(": note: ") - 1)  # one is the fix

    def test_rules_have_their_pages(self):
        for rule in self.log(ODD_NAME)["tool"]["driver"]["rules"]:
            page = ROOT / "docs" / "checks" / f"{rule['id'].removeprefix('cpasync-')}.md"
            if rule["id"] != "cpasync-unused-suppression":
                text = page.read_text(encoding="utf-8")
                self.assertEqual(rule["help"]["markdown"], text)
                self.assertEqual(rule.get("helpUri"), page_url(rule["id"]))
            self.assertTrue(rule["help"]["text"])
            self.assertTrue(rule["shortDescription"]["text"].endswith("."))

    def test_notifications(self):
        self.write("broken.cu", "int A;\n#include <missing.h>\n")
        self.write("partly.cu", "#include <missing.h>\n__global__ void k() {}\n")
        self.write(
            "deep.cu",
            "#include <cuda_pipeline.h>\n"
            "__device__ void down(float *To, const float *From, int N) {\n"
            "  __pipeline_memcpy_async(To, From, 4);\n"
            "  if (N > 0)\n    down(To, From, N - 1);\n}\n"
            "__global__ void k(const float *In, float *Out, int N) {\n"
            "  __shared__ float Tile[128];\n"
            "  down(&Tile[threadIdx.x], &In[threadIdx.x], N);\n"
            "  __pipeline_wait_prior(0);\n"
            "  Out[threadIdx.x] = Tile[threadIdx.x];\n}\n",
        )
        run = self.log("partly.cu", "deep.cu", "broken.cu", "absent.cu", status=2)
        [invocation] = run["invocations"]
        self.assertEqual(invocation["exitCode"], 2)
        self.assertFalse(invocation["executionSuccessful"])
        told = [
            (
                message["descriptor"]["id"],
                message["level"],
                message["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            )
            for message in invocation["toolExecutionNotifications"]
        ]
        self.assertEqual(
            told,
            [
                ("file-not-analysed", "error", "absent.cu"),
                ("file-not-analysed", "error", "broken.cu"),
                ("not-fully-analysed", "warning", "deep.cu"),
                ("parsed-with-errors", "warning", "partly.cu"),
            ],
        )
        self.assertTrue(self.log(ODD_NAME)["invocations"][0]["executionSuccessful"])


if __name__ == "__main__":
    main()

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""action.yml and ci/gitlab.yml: valid, and their shell does what it should.

The steps are taken out of the files and run as GitHub and GitLab would.
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import packaging_tools as tools

sys.path.insert(0, str(tools.ROOT / "test" / "docs"))
from blocks import blocks  # noqa: E402
from precommit_test import BAD, GOOD  # noqa: E402

SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"],
    "sh": ["sh", "-e"],
}


def load_yaml(path):
    """PyYAML came with pre-commit, into the environment of the tools."""
    code = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
    result = subprocess.run(
        [tools.TOOLS / "bin" / "python", "-c", code],
        input=Path(path).read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(result.stdout)


def substitute(text, values):
    """Fills in `${{ inputs.x }}` and `${{ steps.y.outputs.z }}`."""
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda m: values.get(m[1], ""), text)


def holds(condition, values):
    """`a == 'x' && b == 'y'`; nothing else is used."""
    return all(
        values.get(left, "") == right
        for left, right in (
            re.fullmatch(r"([\w.-]+) == '(\w*)'", part).groups()
            for part in condition.split(" && ")
        )
    )


class Run(unittest.TestCase):
    """A git repository to lint, and a place for the runner's files. What the
    first test of a class installs there serves the others."""

    @classmethod
    def setUpClass(cls):
        try:
            tools.require_wheel()
        except tools.Skip as skip:
            raise unittest.SkipTest(str(skip)) from skip
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.temp = Path(scratch.name).resolve()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        base = Path(scratch.name).resolve()
        self.repo = base / "repo"
        self.repo.mkdir()
        self.env = tools.clean_environment(base / "home")
        tools.git(self.repo, self.env, "init", "--quiet")

    def write(self, path, text):
        target = self.repo / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        tools.git(self.repo, self.env, "add", path)

    def write_database(self, *files):
        """As a build with nvcc would leave it, outside git."""
        commands = [
            {
                "directory": str(self.repo),
                "file": name,
                "command": f"nvcc -arch=sm_80 -DHEADER=1 -c {name} -o {name}.o",
            }
            for name in files
        ]
        (self.repo / "out").mkdir()
        (self.repo / "out" / "compile_commands.json").write_text(json.dumps(commands))

    def shell(self, name, script, env):
        result = subprocess.run(
            [*SHELLS[name], "-c", script],
            cwd=self.repo,
            env={**self.env, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
        )
        return result.returncode, result.stdout


class GitHub(Run):
    def run_action(self, **given):
        """(status of the job, output, uploaded file or None)."""
        action = load_yaml(tools.ROOT / "action.yml")
        values = {
            f"inputs.{name}": given.pop(name.replace("-", "_"), spec["default"])
            for name, spec in action["inputs"].items()
        }
        self.assertEqual(given, {})
        uploaded, printed = None, ""
        for number, step in enumerate(action["runs"]["steps"]):
            if "if" in step and not holds(step["if"], values):
                continue
            if "uses" in step:
                name, _, _ = step["uses"].partition("@")
                self.assertEqual(name, "github/codeql-action/upload-sarif")
                uploaded = self.repo / substitute(step["with"]["sarif_file"], values)
                continue
            if step["name"] == "Install" and (self.temp / "cpasync-tidy").exists():
                continue
            outputs = self.temp / f"outputs{number}"
            outputs.write_text("")
            env = {k: substitute(v, values) for k, v in step.get("env", {}).items()}
            if not env.get("PIP_FIND_LINKS"):
                env.pop("PIP_FIND_LINKS", None)
            env.update(RUNNER_TEMP=str(self.temp), GITHUB_OUTPUT=str(outputs))
            status, output = self.shell(step["shell"], step["run"], env)
            printed += output
            if status != 0:
                return status, printed, uploaded
            for line in outputs.read_text().splitlines():
                key, _, value = line.partition("=")
                values[f"steps.{step['id']}.outputs.{key}"] = value
        return 0, printed, uploaded

    def test_finding(self):
        self.write("kernels/a kernel.cu", BAD)
        self.write("kernels/fine.cuh", GOOD)
        self.write("host.cpp", BAD)
        status, output, uploaded = self.run_action()
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"(?m)^::\w+ file=kernels/a kernel.cu,line=6,")
        self.assertNotIn("host.cpp", output)
        report = json.loads(uploaded.read_text(encoding="utf-8"))
        (run,) = report["runs"]
        self.assertEqual(
            [result["ruleId"] for result in run["results"]], ["cpasync-unwaited-read"]
        )

    def test_nothing_found(self):
        self.write("fine.cu", GOOD)
        status, output, uploaded = self.run_action()
        self.assertEqual(status, 0, output)
        self.assertTrue(uploaded.exists())

    def test_no_upload_on_request(self):
        self.write("fine.cu", GOOD)
        self.assertIsNone(self.run_action(upload_sarif="false")[2])

    def test_no_cuda_file(self):
        self.write("host.cpp", BAD)
        status, output, uploaded = self.run_action()
        self.assertEqual(status, 0, output)
        self.assertIn("::warning::cpasync-tidy: no file in git matches *.cu *.cuh", output)
        self.assertIsNone(uploaded)

    def test_not_analysed(self):
        self.write("broken.cu", "this is no C++\n")
        self.assertEqual(self.run_action()[0], 2)

    def test_files_and_args(self):
        guard = "#if __CUDA_ARCH__ == 900 && WANTED\n"
        self.write("kernels/bad.hpp", guard + BAD + "#endif\n")
        self.write("tests/bad.cu", BAD)
        status, output, _ = self.run_action(
            files="kernels/*.hpp",
            args="--offload-arch=sm_90 --quiet --extra-arg=-DWANTED",
        )
        self.assertEqual(status, 1, output)
        self.assertIn("file=kernels/bad.hpp,line=7,", output)
        self.assertNotIn("tests/bad.cu", output)

    def test_build_folder(self):
        self.write("a.cu", "#ifdef HEADER\n" + BAD + "#endif\n")
        self.write("b.cu", BAD)
        self.write_database("a.cu")
        status, output, _ = self.run_action(build_dir="out")
        self.assertEqual(status, 1, output)
        self.assertIn("file=a.cu,line=7,", output)
        self.assertNotIn("b.cu", output)

    def test_missing_build_folder(self):
        self.write("a.cu", BAD)
        self.assertEqual(self.run_action(build_dir="out")[0], 2)


class GitLab(Run):
    def run_job(self, shell="sh", **given):
        """(status of the job, output, code quality report or None)."""
        job = load_yaml(tools.ROOT / "ci" / "gitlab.yml")["cpasync-tidy"]
        env = {"CI_PROJECT_DIR": str(self.repo), **job["variables"]}
        self.assertLessEqual(set(given), set(env))
        env.update(given)
        *install, lint = job["script"]
        installed = self.temp / "venv"
        here = self.repo / ".cpasync-tidy"
        if installed.exists():
            install = []
            here.symlink_to(installed)
        status, output = self.shell(shell, "\n".join([*install, lint]), env)
        if install:
            here.rename(installed)
        else:
            here.unlink()
        report = self.repo / job["artifacts"]["reports"]["codequality"]
        text = report.read_text(encoding="utf-8") if report.exists() else "null"
        return status, output, json.loads(text)

    def test_finding(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                self.write("kernels/a kernel.cu", BAD)
                self.write("kernels/fine.cuh", GOOD)
                status, output, report = self.run_job(shell)
                self.assertEqual(status, 1, output)
                (issue,) = report
                self.assertEqual(issue["check_name"], "cpasync-unwaited-read")
                self.assertEqual(issue["location"]["path"], "kernels/a kernel.cu")

    def test_nothing_found(self):
        self.write("fine.cu", GOOD)
        status, output, report = self.run_job()
        self.assertEqual((status, report), (0, []), output)

    def test_no_cuda_file(self):
        self.write("host.cpp", BAD)
        status, output, report = self.run_job()
        self.assertEqual((status, report), (0, None), output)
        self.assertIn("cpasync-tidy: no file in git matches *.cu *.cuh", output)

    def test_not_analysed(self):
        self.write("broken.cu", "this is no C++\n")
        self.assertEqual(self.run_job()[0], 2)

    def test_build_folder_and_args(self):
        self.write("a.cu", "#ifdef HEADER\n" + BAD + "#endif\n")
        self.write("b.cu", BAD)
        self.write_database("a.cu")
        status, output, report = self.run_job(
            CPASYNC_TIDY_BUILD_DIR="out", CPASYNC_TIDY_ARGS="--all-archs"
        )
        self.assertEqual(status, 1, output)
        self.assertEqual([issue["location"]["path"] for issue in report], ["a.cu"])


class Valid(unittest.TestCase):
    def check(self, *args):
        if not (tools.TOOLS / "bin" / args[0]).exists():
            self.skipTest("see package/prepare")
        result = subprocess.run(
            [tools.TOOLS / "bin" / args[0], *args[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_files(self):
        schema = ("check-jsonschema", "--builtin-schema")
        self.check(*schema, "vendor.github-actions", tools.ROOT / "action.yml")
        self.check(*schema, "vendor.gitlab-ci", tools.ROOT / "ci" / "gitlab.yml")
        hooks = tools.ROOT / ".pre-commit-hooks.yaml"
        self.check("pre-commit", "validate-manifest", hooks)

    def test_examples_in_the_documents(self):
        schemas = {
            "github/.github/workflows/cpasync-tidy.yml": "vendor.github-workflows",
            "gitlab/.gitlab-ci.yml": "vendor.gitlab-ci",
        }
        checked = 0
        for block in blocks(tools.ROOT / "docs" / "adopt.md"):
            if block.kind == "file" and block.argument in schemas:
                with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
                    file.write(block.text)
                    file.flush()
                    schema = schemas[block.argument]
                    self.check("check-jsonschema", "--builtin-schema", schema, file.name)
                checked += 1
        self.assertEqual(checked, len(schemas))


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    ran = program.result.testsRun - len(program.result.skipped)
    sys.exit(0 if ran > 0 else tools.SKIPPED)

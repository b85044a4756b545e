# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions of an editor with `cpasync-tidy --lsp`."""

import json
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reports"))
from client import Client, apply_edits, path_of, uri_of  # noqa: E402
from reports import INPUTS, TOOL, Project, main, page_url  # noqa: E402

WEAK = (INPUTS / "weak-wait.cu").read_text(encoding="utf-8")
RIGHT = WEAK.replace("wait_prior(1)", "wait_prior(0)")
COPY, COMMIT, WAIT = 5, 6, 7  # lines there, from 0
ENDLESS = (INPUTS / "endless.cu").read_text(encoding="utf-8")
MOST_STATES = 16  # KeptStates::MaxOfPlace
FOREVER = "--extra-arg=-fconstexpr-steps=4294967295"
HEADER = """\
#pragma once
#include <cuda_pipeline.h>
__device__ inline void load(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  __pipeline_commit();
}
"""
USER = """\
#include "load.cuh"
__global__ void __launch_bounds__(128) k(const float *In, float *Out) {
  __shared__ float Tile[128];
  load(&Tile[threadIdx.x], &In[threadIdx.x]);
  WAIT;
  Out[threadIdx.x] = Tile[threadIdx.x];
}
"""


def text_at(text, place):
    """What is in a range of one line; columns count UTF-16 code units."""
    line = text.split("\n")[place["start"]["line"]].encode("utf-16-le")
    begin, end = (2 * place[key]["character"] for key in ("start", "end"))
    return line[begin:end].decode("utf-16-le")


def children(parent):
    path = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(word) for word in path.read_text(encoding="utf-8").split()]


class Lsp(Project):
    def start(self, *arguments, where=".", **initialization):
        client = Client(TOOL, self.folder / where, *arguments)
        self.addCleanup(client.end)
        client.capabilities = client.initialize(**initialization)["capabilities"]
        return client

    def codes(self, client, path):
        return [found["code"] for found in client.diagnostics(path)]


class Session(Lsp):
    def test_from_finding_to_repair(self):
        path = self.write("a folder/weak %20\u00fc.cu", WEAK)
        client = self.start()
        self.assertEqual(client.capabilities["textDocumentSync"]["change"], 1)
        client.open(path)
        [found] = client.diagnostics(path)
        self.assertEqual(found["code"], "cpasync-wrong-wait-group")
        self.assertEqual(found["source"], "cpasync-tidy")
        self.assertEqual(found["severity"], 2)
        self.assertEqual(text_at(WEAK, found["range"]), "__pipeline_wait_prior")
        page = page_url(found["code"])
        self.assertEqual(found.get("codeDescription"), {"href": page} if page else None)
        self.assertEqual(
            [
                (text_at(WEAK, note["location"]["range"]), note["message"])
                for note in found["relatedInformation"]
            ],
            [
                ("__pipeline_memcpy_async", "copy issued here"),
                ("__pipeline_commit", "committed here as the newest group"),
                ("Tile", "thread 0 reads 'Tile[0]' here"),
                ("1", "wait for all groups"),
            ],
        )
        self.assertIn("1 finding in 1 of 1 kernel", client.logged("weak")["message"])

        [action] = client.actions(path, found["range"])
        self.assertEqual(action["title"], "wait for all groups")
        self.assertEqual(action["kind"], "quickfix")
        self.assertEqual(action["diagnostics"], [found])
        self.assertFalse(action.get("isPreferred"))
        [(uri, edits)] = action["edit"]["changes"].items()
        self.assertEqual(path_of(uri), path)
        self.assertEqual(apply_edits(WEAK, edits), RIGHT)

        client.change(path, apply_edits(WEAK, edits))
        client.save(path, RIGHT)
        self.assertEqual(client.diagnostics(path), [])
        self.assertIn("no findings in 1 kernel", client.logged("findings")["message"])
        self.assertEqual(client.actions(path, found["range"]), [])
        status, _, said = client.shut_down()
        self.assertEqual((status, said), (0, ""))

    def test_hover_has_the_groups(self):
        path = self.write("weak.cu", WEAK)
        client = self.start()
        client.open(path)
        client.diagnostics(path)

        def shown(line):
            answer = client.hover(path, line)
            return answer and answer["contents"]["value"]

        self.assertEqual(shown(COPY), "copy: threads 0-127: groups [] open {Tile}")
        self.assertEqual(shown(COMMIT), "commit: threads 0-127: groups [{Tile}] open {}")
        self.assertEqual(shown(WAIT), "wait: threads 0-127: groups [{Tile}] open {}")
        self.assertIsNone(shown(0))
        client.change(path, "\n" + WEAK)
        self.assertIsNone(shown(WAIT), "those lines are others now")
        client.change(path, WEAK)
        self.assertIsNotNone(shown(WAIT))

    def test_hover_is_what_print_state_prints(self):
        path = self.copy("many-kernels.cu") and self.folder / "many-kernels.cu"
        run = self.run_tool("--print-state", "many-kernels.cu", status=None)
        printed = {}
        for line in run.stdout.splitlines():
            place, state, text = line.partition(": state: ")
            if state:
                printed.setdefault(int(place.split(":")[1]) - 1, set()).add(text)
        client = self.start()
        client.open(path)
        client.diagnostics(path)
        self.assertTrue(printed)
        for line, texts in printed.items():
            shown = client.hover(path, line)["contents"]["value"].split("\n")
            self.assertLessEqual(set(shown), texts)
            self.assertEqual(len(shown), min(len(texts), MOST_STATES))

    def test_actions_need_the_text_that_was_analysed(self):
        path = self.write("weak.cu", WEAK)
        client = self.start()
        client.open(path)
        [found] = client.diagnostics(path)
        client.change(path, WEAK.replace("128", "64"))
        self.assertEqual(client.actions(path, found["range"]), [])
        client.change(path, WEAK)
        self.assertEqual(len(client.actions(path, found["range"])), 1)
        self.assertEqual(len(client.actions(path, found["range"], ["quickfix"])), 1)
        self.assertEqual(client.actions(path, found["range"], ["refactor"]), [])
        top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 9}}
        self.assertEqual(client.actions(path, top), [])

    def test_columns_are_utf_16(self):
        text = WEAK.replace("  __pipeline_w", "  /* \u00e4\u20ac\U0001f600 */ __pipeline_w")
        self.assertNotEqual(text, WEAK)
        path = self.write("odd.cu", text)
        client = self.start()
        client.open(path)
        [found] = client.diagnostics(path)
        self.assertEqual(text_at(text, found["range"]), "__pipeline_wait_prior")
        [action] = client.actions(path, found["range"])
        [edits] = action["edit"]["changes"].values()
        self.assertIn("*/ __pipeline_wait_prior(0)", apply_edits(text, edits))

    def test_close(self):
        path = self.write("weak.cu", WEAK)
        client = self.start()
        client.open(path)
        self.assertEqual(len(client.diagnostics(path)), 1)
        client.close(path)
        self.assertEqual(client.diagnostics(path), [])

    def test_file_that_is_not_there_yet(self):
        path = self.folder / "new.cu"
        client = self.start()
        client.open(path, "")
        client.logged("No such file or directory; analysed when it is saved")
        client.change(path, WEAK)
        client.save(path, WEAK)
        self.assertEqual(len(client.diagnostics(path)), 1)


    def test_links(self):
        """One file, whatever it is called; it is read as the editor calls it."""
        self.write("real/weak.cu", '#include "beside.h"\n' + WEAK)
        self.write("shown/beside.h", "\n")
        link = self.folder / "shown" / "weak.cu"
        link.symlink_to("../real/weak.cu")
        client = self.start()
        client.open(link)
        self.assertEqual(self.codes(client, link), ["cpasync-wrong-wait-group"])
        client.open(link, RIGHT)
        self.assertEqual(client.diagnostics(link), [])

    def test_new_file_in_a_linked_folder(self):
        (self.folder / "real").mkdir()
        (self.folder / "link").symlink_to("real")
        path = self.folder / "link" / "new.cu"
        client = self.start()
        client.open(path, WEAK)
        client.logged("analysed when it is saved")
        client.save(path, WEAK)
        self.assertEqual(len(client.diagnostics(path)), 1)


class SeveralFiles(Lsp):
    def setUp(self):
        super().setUp()
        self.header = self.write("load.cuh", HEADER)
        self.user = self.write("user.cu", USER.replace("WAIT", "__pipeline_wait_prior(1)"))

    def test_notes_in_a_header(self):
        client = self.start()
        client.open(self.user)
        [found] = client.diagnostics(self.user)
        self.assertEqual(
            [
                text_at(HEADER, note["location"]["range"])
                for note in found["relatedInformation"]
                if path_of(note["location"]["uri"]) == self.header
            ],
            ["__pipeline_memcpy_async", "__pipeline_commit"],
        )

    def test_finding_in_a_header(self):
        text = HEADER.replace("From, 4)", "From, 5)")
        self.header.write_text(text, encoding="utf-8")
        client = self.start()
        client.open(self.user)
        [found] = client.diagnostics(self.header)
        self.assertEqual(found["code"], "cpasync-invalid-copy-size")
        client.close(self.user)
        self.assertEqual(client.diagnostics(self.header), [])

    def test_saved_header(self):
        client = self.start()
        client.open(self.user)
        self.assertEqual(self.codes(client, self.user), ["cpasync-wrong-wait-group"])
        client.open(self.header)
        self.assertEqual(client.diagnostics(self.header), [])
        text = HEADER.replace("  __pipeline_commit();\n", "")
        client.change(self.header, text)
        client.save(self.header, text)
        self.assertNotEqual(self.codes(client, self.user), ["cpasync-wrong-wait-group"])

    def test_mended_header(self):
        """What has errors may have wanted any file."""
        self.header.unlink()
        client = self.start()
        client.open(self.user)
        self.assertEqual(self.codes(client, self.user), ["parsed-with-errors"])
        client.save(self.header, HEADER)
        self.assertEqual(self.codes(client, self.user), ["cpasync-wrong-wait-group"])

    def test_unsaved_header(self):
        """What the editor has counts, and the disk has not."""
        self.user.write_text(USER.replace("WAIT", "__pipeline_wait_prior(0)"), "utf-8")
        client = self.start()
        client.open(self.header)
        client.diagnostics(self.header)
        client.change(self.header, HEADER.replace("  __pipeline_commit();\n", ""))
        client.open(self.user)
        self.assertEqual(self.codes(client, self.user), ["cpasync-uncommitted-copy"])
        client.change(self.header, HEADER)
        client.save(self.user)
        self.assertEqual(client.diagnostics(self.user), [])

    def test_unsaved_text_of_the_file(self):
        client = self.start()
        client.open(self.user, USER.replace("WAIT", "__pipeline_wait_prior(0)"))
        self.assertEqual(client.diagnostics(self.user), [])


class Configuration(Lsp):
    def setUp(self):
        super().setUp()
        text = WEAK.replace("wait_prior(1)", "wait_prior(LEFT)")
        self.path = self.write("src/deep/weak.cu", text)

    def database(self, folder, flag):
        command = {
            "directory": str(self.folder),
            "file": str(self.path),
            "arguments": ["nvcc", flag, "-c", str(self.path)],
        }
        self.write(f"{folder}/compile_commands.json", json.dumps([command]))

    def found(self, client):
        client.open(self.path)
        return self.codes(client, self.path)

    def test_database_is_found_above(self):
        self.database("build", "-DLEFT=1")
        self.assertEqual(self.found(self.start()), ["cpasync-wrong-wait-group"])

    def test_nearest_database(self):
        self.database("build", "-DLEFT=1")
        self.database("src", "-DLEFT=0")
        self.assertEqual(self.found(self.start()), [])

    def test_named_database(self):
        self.database("src", "-DLEFT=0")
        self.database("other", "-DLEFT=1")
        client = self.start("-p", "other")
        self.assertEqual(self.found(client), ["cpasync-wrong-wait-group"])

    def test_broken_database(self):
        self.write("build/compile_commands.json", "[{")
        client = self.start("--", "-DLEFT=1")
        self.assertEqual(self.found(client), ["cpasync-wrong-wait-group"])
        said = client.logged("analysed without a database")
        self.assertIn("not valid JSON", said["message"])

    def test_broken_named_database(self):
        self.write("other/compile_commands.json", "[{")
        client = self.start("-p", "other")
        client.open(self.path)
        [found] = client.diagnostics(self.path)
        self.assertEqual(found["code"], "file-not-analysed")
        self.assertIn("not valid JSON", found["message"])

    def test_arguments_of_the_client(self):
        options = {"arguments": ["--checks=-cpasync-wrong-wait-group", "--", "-DLEFT=1"]}
        self.assertEqual(self.found(self.start(initializationOptions=options)), [])
        options["arguments"].pop(0)
        client = self.start("--", "-DUNUSED", initializationOptions=options)
        self.assertEqual(self.found(client), ["cpasync-wrong-wait-group"])

    def test_workspace(self):
        """Relative paths start there."""
        self.database("src/other", "-DLEFT=1")
        client = self.start("-p", "other", rootUri=uri_of(self.folder / "src"))
        self.assertEqual(self.found(client), ["cpasync-wrong-wait-group"])

    def test_wrong_arguments(self):
        for options, said in (
            ({"arguments": ["--bogus"]}, "unknown option '--bogus'"),
            ({"arguments": ["--checks=cpasync-bogus"]}, "no check is called 'cpasync-bogus'"),
            ({"arguments": ["x.cu"]}, "the editor names the files, not 'x.cu'"),
            ({"arguments": ["--fix"]}, "'--fix' does not go with '--lsp'"),
            ({"arguments": 3}, "expected array at (root).initializationOptions.arguments"),
            ({"checks": "*"}, "there is 'arguments', a list of strings"),
            ([], "expected an object with 'arguments'"),
        ):
            client = Client(TOOL, self.folder)
            self.addCleanup(client.end)
            reply = client.ask(
                "initialize", {"capabilities": {}, "initializationOptions": options}
            )
            self.assertIn(said, reply["error"]["message"])
            client.initialize()  # it may be tried again

    def test_configuration_file(self):
        self.write(".clang-tidy", "WarningsAsErrors: 'cpasync-*'\n")
        client = self.start("--", "-DLEFT=1")
        client.open(self.path)
        [found] = client.diagnostics(self.path)
        self.assertEqual(found["severity"], 1)
        self.write(".clang-tidy", "Checks: [cpasync-\n")
        client.save(self.path)
        self.assertIn(".clang-tidy: line", client.logged("without this file")["message"])

    def test_baseline(self):
        self.run_tool(
            "src/deep/weak.cu", "--write-baseline", "known.json", "--", "-DLEFT=1", status=0
        )
        client = self.start("--baseline", "known.json", "--", "-DLEFT=1")
        self.assertEqual(self.found(client), [])
        self.assertIn("known from the baseline", client.logged("weak.cu")["message"])


class NotAnalysed(Lsp):
    def test_errors_of_the_compiler(self):
        path = self.write("broken.cu", WEAK + "__device__ void f() {\n  int A = missing;\n}\n")
        client = self.start()
        client.open(path)
        codes = {found["code"]: found for found in client.diagnostics(path)}
        self.assertIn("cpasync-wrong-wait-group", codes)
        told = codes["parsed-with-errors"]
        self.assertEqual(text_at(path.read_text("utf-8"), told["range"]), "missing")
        self.assertIn("use of undeclared identifier 'missing'", told["message"])

    def test_nothing_but_errors(self):
        path = self.write("broken.cu", '\n#include "missing.h"\n')
        client = self.start("--errors")
        client.open(path)
        [found] = client.diagnostics(path)
        self.assertEqual((found["code"], found["severity"]), ("file-not-analysed", 1))
        self.assertEqual(found["range"]["start"]["line"], 1)

    def test_gaps(self):
        text = WEAK.replace("__pipeline_wait_prior(1)", "__pipeline_wait_prior(In[0])")
        path = self.write("open.cu", text)
        client = self.start("--skipped")
        client.open(path)
        self.assertIn("not-fully-analysed", self.codes(client, path))

    def test_time_out(self):
        path = self.write("endless.cu", ENDLESS)
        client = self.start("--timeout-per-file=1", FOREVER)
        client.open(path)
        [found] = client.diagnostics(path)
        self.assertEqual(found["code"], "file-not-analysed")
        self.assertIn("given up after 1 second", found["message"])
        client.change(path, RIGHT)
        client.save(path, RIGHT)
        self.assertEqual(client.diagnostics(path), [], "the server goes on")

    def kill_worker(self, depth):
        """Kills what is at work; depth 1 is who looks after it."""
        path = self.write("endless.cu", ENDLESS)
        client = self.start(FOREVER)
        client.open(path)
        process = client.process.pid
        for _ in range(depth):
            while not (below := children(process)):
                time.sleep(0.02)
            process = below[0]
        os.kill(process, signal.SIGKILL)
        [found] = client.diagnostics(path)
        self.assertEqual(found["code"], "file-not-analysed")
        self.assertIn("the analysis crashed (Killed)", found["message"])
        good = self.write("good.cu", WEAK)
        client.open(good)
        self.assertEqual(len(client.diagnostics(good)), 1)

    def test_killed_worker(self):
        self.kill_worker(2)

    def test_killed_parent_of_the_worker(self):
        self.kill_worker(1)

    def test_a_newer_text_takes_the_place(self):
        path = self.write("endless.cu", ENDLESS)
        client = self.start(FOREVER)
        client.open(path)
        while not children(client.process.pid):
            time.sleep(0.02)
        client.change(path, WEAK)
        client.save(path, WEAK)
        self.assertEqual(len(client.diagnostics(path)), 1)

    def test_another_file_does_not_wait(self):
        endless = self.write("endless.cu", ENDLESS)
        path = self.write("weak.cu", WEAK)
        client = self.start(FOREVER)
        client.open(endless)
        client.open(path)
        self.assertEqual(len(client.diagnostics(path)), 1)
        status, _, said = client.shut_down()
        self.assertEqual((status, said), (0, ""))

    def test_a_closed_file_is_let_go(self):
        endless = self.write("endless.cu", ENDLESS)
        client = self.start(FOREVER)
        client.open(endless)
        client.close(endless)
        client.hover(endless, 0)  # behind that it is closed
        self.assertEqual(children(client.process.pid), [])


if __name__ == "__main__":
    main()

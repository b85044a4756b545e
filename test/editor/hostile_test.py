# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What no editor sends: `cpasync-tidy --lsp` says what is wrong, goes on where it can,
and ends where it cannot."""

import json
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reports"))
from client import PATIENCE, Client, framed, uri_of  # noqa: E402
from reports import INPUTS, TOOL, Project, main  # noqa: E402

WEAK = (INPUTS / "weak-wait.cu").read_text(encoding="utf-8")
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002
SEED = 21


class Hostile(Project):
    def start(self, initialized=True):
        client = Client(TOOL, self.folder)
        self.addCleanup(client.end)
        if initialized:
            client.initialize()
        return client

    def refused(self, client, code, part):
        """The next reply that belongs to no request."""
        error = client.wait(lambda m: "id" in m and m["id"] is None)["error"]
        self.assertEqual(error["code"], code, error)
        self.assertIn(part, error["message"])

    def works(self, client):
        path = self.write("weak.cu", WEAK)
        client.open(path)
        self.assertEqual(len(client.diagnostics(path)), 1)
        status, _, said = client.shut_down()
        self.assertEqual(status, 0, said)
        return said


class GoesOn(Hostile):
    def test_no_json(self):
        client = self.start()
        for body in (b"{", b"", b"\xff\xfe", b"[" * 100000, b'{"a":' * 5000):
            client.send_bytes(framed(body))
            self.refused(client, PARSE_ERROR, "")
        said = self.works(client)
        self.assertIn("cpasync-tidy: error: a message is not valid JSON: ", said)
        self.assertIn("nested too deeply", said)

    def test_no_json_rpc(self):
        client = self.start()
        call = {"jsonrpc": "2.0", "id": 1, "method": "shutdown"}
        for message in (
            7,
            [call],
            {**call, "jsonrpc": "1.0"},
            {**call, "method": 3},
            {"jsonrpc": "2.0"},
            {"jsonrpc": "2.0", "method": None, "id": 4},
        ):
            client.send_bytes(framed(message))
            self.refused(client, INVALID_REQUEST, "not JSON-RPC 2.0")
        self.works(client)

    def test_unknown_methods(self):
        client = self.start()
        error = client.ask("textDocument/definition", {})["error"]
        self.assertEqual(error["code"], NO_METHOD)
        client.notify("$/setTrace", {"value": "verbose"})
        client.notify("workspace/didChangeConfiguration", None)
        client.send_bytes(framed({"jsonrpc": "2.0", "id": 99, "result": None}))
        client.send_bytes(framed({"jsonrpc": "2.0", "id": [], "error": {}}))
        self.works(client)

    def test_wrong_parameters(self):
        client = self.start()
        for method in ("textDocument/hover", "textDocument/codeAction"):
            for params in (None, [], {"textDocument": 3}, {"textDocument": {"uri": ""}}):
                error = client.ask(method, params)["error"]
                self.assertEqual(error["code"], INVALID_PARAMS, (method, params))
        for method in ("didOpen", "didChange", "didSave", "didClose"):
            for params in (None, {}, {"textDocument": {"uri": 7}}):
                client.notify(f"textDocument/{method}", params)
        gone = uri_of(self.folder / "gone.cu")
        client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": gone, "version": 1}, "contentChanges": []},
        )
        client.notify("textDocument/didSave", {"textDocument": {"uri": gone}})
        client.notify("textDocument/didClose", {"textDocument": {"uri": gone}})
        where = {"textDocument": {"uri": gone}, "position": {"line": -1, "character": -7}}
        self.assertIsNone(client.request("textDocument/hover", where))
        self.works(client)

    def test_no_file(self):
        """A place that is none on the disk is said to be none."""
        client = self.start()
        for uri in ("untitled:Untitled-1", "https://host/x.cu", "git:/x.cu", "x.cu", "%"):
            item = {"uri": uri, "languageId": "cuda", "version": 1, "text": WEAK}
            client.notify("textDocument/didOpen", {"textDocument": item})
        client.notify(
            "textDocument/didOpen",
            {
                "textDocument": {
                    "uri": uri_of(self.folder),
                    "languageId": "cuda",
                    "version": 1,
                    "text": WEAK,
                }
            },
        )
        client.logged("Is a directory")
        said = self.works(client)
        self.assertEqual(said.count("failed to decode textDocument/didOpen"), 5, said)

    def test_out_of_turn(self):
        client = self.start(initialized=False)
        path = self.write("weak.cu", WEAK)
        client.open(path)
        params = {"textDocument": {"uri": uri_of(path)}, "position": {"line": 0, "character": 0}}
        error = client.ask("textDocument/hover", params)["error"]
        self.assertEqual(error["code"], NOT_INITIALIZED)
        client.initialize()
        again = client.ask("initialize", {"capabilities": {}})["error"]
        self.assertEqual(again["code"], INVALID_REQUEST)
        client.ask("shutdown", None)
        late = client.ask("textDocument/hover", params)["error"]
        self.assertEqual(late["code"], INVALID_REQUEST)
        client.notify("exit", None)
        self.assertEqual(client.finish()[0], 0)

    def test_odd_texts(self):
        client = self.start()
        path = self.write("odd.cu", WEAK)
        for text in ("", "\0", "\ufeff" + WEAK, "\r\n".join(WEAK.split("\n")), "\u2028" * 9):
            client.open(path, text)
            client.diagnostics(path)
        self.works(client)

    def test_header_fields(self):
        client = self.start()
        body = framed({"jsonrpc": "2.0", "id": 50, "method": "no"}).split(b"\r\n\r\n")[1]
        client.send_bytes(
            b"Content-Type: x\r\ncontent-length:%d\r\nZ\r\n\r\n%s" % (len(body), body)
        )
        reply = client.wait(lambda m: m.get("id") == 50)
        self.assertEqual(reply["error"]["code"], NO_METHOD)
        self.works(client)

    def test_random_messages(self):
        """Whatever they hold, each request gets a reply."""
        client = self.start()
        pick = random.Random(SEED)
        path = self.write("weak.cu", WEAK)

        def anything(depth=0):
            kinds = [None, True, -1, 2**63, 1e300, "", "file:///x", "\0", uri_of(path)]
            if depth < 3 and pick.random() < 0.6:
                keys = ("textDocument", "uri", "range", "position", "context", "text", "line")
                return {key: anything(depth + 1) for key in pick.sample(keys, 4)}
            return pick.choice(kinds)

        for number in range(1000, 1400):
            method = pick.choice(["hover", "codeAction", "didOpen", "didChange", "didSave"])
            message = {
                "jsonrpc": "2.0",
                "method": f"textDocument/{method}",
                "params": anything(),
            }
            if method in ("hover", "codeAction"):
                message["id"] = number
                client.send_bytes(framed(message))
                client.wait(lambda m, number=number: m.get("id") == number)
            else:
                client.send_bytes(framed(message))
        self.works(client)


class Ends(Hostile):
    """Where the next message begins nobody can tell any more: status 2, one line."""

    def ends(self, data, part, status=2):
        client = self.start()
        try:
            client.send_bytes(data)
        except BrokenPipeError:
            pass  # it did not want the rest
        got, left, said = client.finish()
        self.assertEqual(got, status, said)
        self.assertIn(part, said)
        self.assertEqual(said.count("\n"), 1 if part else 0, said)
        if part:
            self.assertEqual(left[-1]["error"]["code"], PARSE_ERROR)

    def test_lengths(self):
        for length in (b"99999999999", b"18446744073709551615"):
            self.ends(b"Content-Length: %s\r\n\r\n{}" % length, "the most are 134217728")
        for length in (b"-1", b"x", b"", b"0x10", b"99999999999999999999999"):
            self.ends(
                b"Content-Length: %s\r\n\r\n{}" % length,
                "Content-Length is a number of bytes, not '",
            )

    def test_headers(self):
        self.ends(b"\r\n\r\n", "a message has no Content-Length")
        self.ends(b"x" * 9999, "longer than 4096 bytes")
        self.ends(b"a: b\r\n" * 9999, "longer than 4096 bytes")
        self.ends(b"Content-Le", "the input ends in the header of a message")
        self.ends(b'{"jsonrpc": "2.0"}\n\n', "a message has no Content-Length")

    def test_cut_message(self):
        self.ends(b"Content-Length: 50\r\n\r\n{", "the input ends in a message")

    def test_input_that_ends(self):
        self.ends(b"", "", status=1)

    def test_exit_without_shutdown(self):
        self.ends(framed({"jsonrpc": "2.0", "method": "exit"}), "", status=1)

    def test_closed_from_the_beginning(self):
        for inputs in ("<&-", "< /dev/null", "< .", "<&- >&-"):
            run = subprocess.run(
                ["bash", "-c", f'"$0" --lsp {inputs}', TOOL],
                cwd=self.folder,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
            self.assertEqual((run.returncode, run.stdout), (1, b""), inputs)

    def test_a_client_that_does_not_listen(self):
        client = self.start()
        client.process.stdout.close()
        try:
            while client.process.poll() is None:
                client.send_bytes(framed({"jsonrpc": "2.0", "id": 2, "method": "no"}))
        except BrokenPipeError:
            pass
        self.assertNotEqual(client.process.wait(PATIENCE), 0)

    def test_ends_while_it_analyses(self):
        text = (INPUTS / "endless.cu").read_text(encoding="utf-8")
        path = self.write("endless.cu", text)
        client = Client(TOOL, self.folder, "--extra-arg=-fconstexpr-steps=4294967295")
        self.addCleanup(client.end)
        client.initialize()
        client.open(path)
        self.assertEqual(client.finish()[0], 1)


class CommandLine(Hostile):
    def test_usage(self):
        for arguments, said in (
            (["x.cu"], "with '--lsp' the editor names the files, not 'x.cu'"),
            (["--fix-notes"], "'--fix-notes' does not go with '--lsp'"),
            (["--format=json"], "'--format' does not go with '--lsp'"),
            (["--output=json=x"], "'--output' does not go with '--lsp'"),
            (["--print-state"], "'--print-state' does not go with '--lsp'"),
            (["--checks=cpasync-no"], "no check is called 'cpasync-no'"),
        ):
            run = self.run_tool("--lsp", *arguments, status=2)
            self.assertEqual(run.stdout, "")
            self.assertIn(said, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, json.dumps(run.stderr))


if __name__ == "__main__":
    main()

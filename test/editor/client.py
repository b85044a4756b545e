# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor, as far as a language server can see: plain JSON-RPC over pipes."""

import json
import subprocess
from pathlib import Path
from urllib.parse import quote, unquote

# How long a test waits for what must come; nothing depends on how long it takes.
PATIENCE = 240


def uri_of(path):
    return "file://" + quote(str(path))


def path_of(uri):
    assert uri.startswith("file://"), uri
    return Path(unquote(uri.removeprefix("file://")))


def framed(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def apply_edits(text, edits):
    """The text after TextEdits whose columns are UTF-16 code units."""
    lines = text.split("\n")

    def offset(position):
        units = lines[position["line"]].encode("utf-16-le")
        before = units[: 2 * position["character"]].decode("utf-16-le")
        return sum(len(line) + 1 for line in lines[: position["line"]]) + len(before)

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = (offset(edit["range"][key]) for key in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class Client:
    """One server, started for it. Notifications are kept until somebody asks."""

    def __init__(self, tool, folder, *arguments):
        self.process = subprocess.Popen(
            [tool, "--cuda=bundled", "--lsp", *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.kept = []
        self.last_id = 0
        self.versions = {}

    def end(self):
        """Whatever it is doing."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    # Bytes.

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        """The next message; None at the end."""
        length = None
        while line := self.process.stdout.readline():
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
            if not line.strip():
                return json.loads(self.process.stdout.read(length))
        return None

    def finish(self):
        """Closes the input; (exit status, what is left to read, standard error)."""
        self.process.stdin.close()
        left = []
        while (message := self.read()) is not None:
            left.append(message)
        said = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(PATIENCE), left, said

    # Messages.

    def notify(self, method, params):
        self.send_bytes(framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method, params):
        """The whole reply to a request."""
        self.last_id += 1
        self.send_bytes(
            framed(
                {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
            )
        )
        return self.wait(lambda m: m.get("id") == self.last_id)

    def request(self, method, params):
        return self.ask(method, params)["result"]

    def wait(self, wanted):
        """The first message that is wanted, of those kept and those to come."""
        for index, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(index)
        while (message := self.read()) is not None:
            if wanted(message):
                return message
            self.kept.append(message)
        raise EOFError(f"the server has ended; it had said {self.kept}")

    # What an editor does.

    def initialize(self, **more):
        params = {"processId": None, "rootUri": None, "capabilities": {}, **more}
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, path, text=None, language="cuda"):
        self.versions[path] = 1
        text = path.read_text(encoding="utf-8") if text is None else text
        item = {"uri": uri_of(path), "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, path, text):
        self.versions[path] += 1
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri_of(path), "version": self.versions[path]},
                "contentChanges": [{"text": text}],
            },
        )

    def save(self, path, text=None):
        """Writes the text to the disk, if there is one, and says so."""
        if text is not None:
            path.write_text(text, encoding="utf-8")
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def diagnostics(self, path):
        """The next ones that are published for a file."""
        message = self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and path_of(m["params"]["uri"]) == path
        )
        return message["params"]["diagnostics"]

    def logged(self, part):
        """The next line in the log that has a part."""
        message = self.wait(
            lambda m: m.get("method") == "window/logMessage"
            and part in m["params"]["message"]
        )
        return message["params"]

    def actions(self, path, place, only=None):
        return self.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": uri_of(path)},
                "range": place,
                "context": {"diagnostics": [], **({"only": only} if only else {})},
            },
        )

    def hover(self, path, line):
        return self.request(
            "textDocument/hover",
            {
                "textDocument": {"uri": uri_of(path)},
                "position": {"line": line, "character": 2},
            },
        )

    def shut_down(self):
        """Ends the server as an editor does; (exit status, rest, standard error)."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.finish()

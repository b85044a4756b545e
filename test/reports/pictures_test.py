# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of --format=html in a browser: what it looks like in either scheme, on a
narrow screen and on paper. Fonts differ from machine to machine, so colors and sizes
are compared, not pixels.

pictures_test.py --update takes the pictures of docs/pictures again."""

import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

from reports import ROOT, SKIPPED, Project, main

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
INPUTS = ROOT / "test" / "reports" / "Inputs"
PICTURES = ROOT / "docs" / "pictures"
MAX_BYTES = 100_000
# name: source, finding, width, height, scheme
SHOWN = {
    "last-tile": (ROOT / "examples" / "last-tile.cu", 1, 900, 1330, "light"),
    "ring-dark": (INPUTS / "ring.cu", 1, 900, 620, "dark"),
    "roles": (INPUTS / "roles.cu", 1, 900, 640, "light"),
    "long-ring-narrow": (INPUTS / "long-ring.cu", 1, 360, 900, "light"),
}
SCHEMES = {"dark": 0, "light": 1}  # of Chromium's settings


def browse(path, *options):
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    with_home = dict(os.environ, HOME=str(path.parent))
    return subprocess.run(
        [*command, *options, path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=with_home,
    ).stdout


def screenshot(path, width, height, scheme):
    target = path.with_suffix(".png")
    browse(
        path,
        f"--window-size={width},{height}",
        f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
        f"--screenshot={target}",
    )
    return target


def read_png(data):
    """Width, height and a set of the colors of a PNG with 8 bits per channel."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6), "not as a browser writes it"
        if kind == b"IDAT":
            packed += body
        at += length + 12
    size = 3 if color == 2 else 4
    raw, line = zlib.decompress(packed), width * size
    above, colors = bytearray(line), {}
    for y in range(height):
        row = bytearray(raw[y * (line + 1) + 1 : (y + 1) * (line + 1)])
        unfilter(raw[y * (line + 1)], row, above, size)
        for x in range(0, line, size):
            pixel = bytes(row[x : x + 3])
            colors[pixel] = colors.get(pixel, 0) + 1
        above = row
    return width, height, colors


def unfilter(kind, row, above, size):
    """PNG, "Filter types": makes `row` what it was."""
    for i in range(len(row)):
        left = row[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + above[i]) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            guess = left + above[i] - corner
            near = [abs(guess - left), abs(guess - above[i]), abs(guess - corner)]
            best = (left, above[i], corner)[near.index(min(near))]
            row[i] = (row[i] + best) & 255


def only(page, finding):
    """The page with one finding and nothing else, for a picture of it."""
    return page.replace(
        "</style>",
        f"article:not(#f{finding}), nav, header, .more, .skip {{ display: none; }}\n"
        "article { margin-top: 0 !important; border: 0 !important; }\n</style>",
        1,
    )


class Pictures(Project):
    def setUp(self):
        super().setUp()
        if not BROWSER:
            self.skipTest("no Chromium here")

    def page(self, source):
        self.copy(source.name, source)
        run = self.run_tool("--format=html", "--quiet", source.name, status=1)
        return self.write(f"{source.stem}.html", run.stdout), run.stdout

    def color(self, text, scheme, name):
        blocks = re.findall(r":root \{(.*?)\}", text, re.S)
        block = blocks[0 if scheme == "light" else 1]
        return bytes.fromhex(re.search(rf"--{name}: #(\w{{6}})", block)[1])

    def test_schemes(self):
        path, text = self.page(INPUTS / "ring.cu")
        for scheme in SCHEMES:
            with self.subTest(scheme):
                shot = screenshot(path, 900, 800, scheme)
                width, height, colors = read_png(shot.read_bytes())
                self.assertEqual((width, height), (900, 800))
                paper = self.color(text, scheme, "page-paper")
                self.assertGreater(colors.get(paper, 0), width * height / 2)
                for name in ("bad-paper", "wrong-paper", "group-paper", "read-paper"):
                    seen = colors.get(self.color(text, scheme, name), 0)
                    self.assertGreater(seen, 100, name)

    def test_no_page_scrolls_sideways(self):
        """Only what is meant to scroll does."""
        probe = """<script>
        addEventListener("load", () => {
          const page = document.documentElement;
          document.title = "widths " + page.scrollWidth + " " + page.clientWidth;
        });</script></body>"""
        for name, (source, *_) in SHOWN.items():
            _, text = self.page(source)
            framed = self.write("framed.html", text.replace("</body>", probe))
            for width in (360, 1000):
                with self.subTest(name, width=width):
                    # A window has a least width; a frame has none.
                    frame = self.write(
                        "frame.html",
                        f'<iframe id="f" src="{framed.name}" style="width:{width}px"></iframe>'
                        "<script>onload = () => { const w = f.contentWindow.document;"
                        "document.title = w.title; }</script>",
                    )
                    dom = browse(frame, "--allow-file-access-from-files", "--dump-dom")
                    found = re.search(r"<title>widths (\d+) (\d+)</title>", dom)
                    self.assertTrue(found, dom[:300])
                    self.assertLessEqual(int(found[1]), int(found[2]))

    def test_paper(self):
        path, _ = self.page(INPUTS / "long-ring.cu")
        target = path.with_suffix(".pdf")
        browse(path, f"--print-to-pdf={target}", "--no-pdf-header-footer")
        self.assertTrue(target.read_bytes().startswith(b"%PDF"))


def update():
    """Takes the pictures again; smaller with pngquant."""
    maker = Pictures("test_schemes")
    maker.setUp()
    try:
        for name, (source, finding, width, height, scheme) in SHOWN.items():
            path, text = maker.page(source)
            path.write_text(only(text, finding), encoding="utf-8")
            shot = screenshot(path, width, height, scheme)
            target = PICTURES / f"{name}.png"
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(shot, target)
            if shutil.which("pngquant"):
                squeeze = ["pngquant", "--force", "--ext=.png", "--speed=1", "64", target]
                subprocess.run(squeeze, check=True)
            print(target, target.stat().st_size)
    finally:
        maker.doCleanups()


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        sys.exit(update() if BROWSER else SKIPPED)
    if not BROWSER:
        print("skipped: no Chromium here, the page is not looked at in a browser")
    main()

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page that --format=html writes: its structure, what it can be read with, and
what it shows of the path. pictures_test.py looks at it in a browser."""

import re
from html.parser import HTMLParser

from pictures_test import MAX_BYTES, PICTURES, SHOWN
from reports import INPUTS, ROOT, Project, main

VOID = {"meta", "br", "hr", "img", "link", "input"}
OWN_INPUTS = ROOT / "test" / "reports" / "Inputs"
# Contrast of text, WCAG 2.2, 1.4.3.
READABLE = 4.5


class Node:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children = []
        if parent:
            parent.children.append(self)

    def all(self, tag=None, kind=None):
        """Elements below, in the order of the page."""
        for child in self.children:
            if not isinstance(child, Node):
                continue
            classes = child.attributes.get("class", "").split()
            if (not tag or child.tag == tag) and (not kind or kind in classes):
                yield child
            yield from child.all(tag, kind)

    def one(self, tag=None, kind=None):
        return next(self.all(tag, kind))

    def text(self):
        parts = (c if isinstance(c, str) else c.text() for c in self.children)
        return "".join(parts)

    def words(self):
        return " ".join(self.text().split())


class Page(HTMLParser):
    """A page as a tree; every element that is opened must be closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Node("", {}, None)
        self.feed(text)
        self.close()
        assert self.at is self.root, f"'{self.at.tag}' is not closed"

    def handle_starttag(self, tag, attrs):
        node = Node(tag, attrs, self.at)
        if tag not in VOID:
            self.at = node

    def handle_endtag(self, tag):
        assert tag == self.at.tag, f"'{tag}' ends '{self.at.tag}'"
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.children.append(data)


def luminance(color):
    """WCAG 2.2, "relative luminance", of "#rrggbb"."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class Html(Project):
    def page(self, source, *arguments):
        self.copy(source.name, source)
        run = self.run_tool("--format=html", "--quiet", source.name, *arguments, status=1)
        self.text = run.stdout
        return Page(run.stdout).root

    def check_form(self, page):
        """What is true of every page."""
        ids = [node.attributes["id"] for node in page.all() if "id" in node.attributes]
        self.assertEqual(len(ids), len(set(ids)), "an id is there twice")
        for link in page.all("a"):
            self.assertEqual(link.attributes["href"][0], "#", "a link out of the page")
            self.assertIn(link.attributes["href"][1:], ids)
        for node in page.all():
            for name in ("aria-labelledby", "aria-describedby"):
                for target in node.attributes.get(name, "").split():
                    self.assertIn(target, ids)
            for name in node.attributes:
                self.assertFalse(name.startswith("on"), name)
            self.assertNotIn("src", node.attributes)
        for tag in ("script", "link", "iframe", "img"):
            self.assertEqual(list(page.all(tag)), [])
        self.assertNotRegex(self.text, r"url\(|@import")
        levels = [int(n.tag[1]) for n in page.all() if re.fullmatch(r"h\d", n.tag)]
        self.assertEqual(levels[0], 1)
        self.assertEqual(levels.count(1), 1)
        for above, below in zip(levels, levels[1:]):
            self.assertLessEqual(below, above + 1, "a heading is left out")
        # What scrolls can be scrolled with the keyboard, and has a name.
        for node in page.all(kind="scroll"):
            self.assertEqual(node.attributes["tabindex"], "0")
            self.assertEqual(node.attributes["role"], "region")
            self.assertTrue(node.attributes["aria-label"])

    def lanes(self, finding):
        return [lane.words() for lane in finding.all(kind="lane")]

    def marks(self, finding):
        return [mark.words() for mark in finding.all(kind="mark")]

    def rows(self, finding):
        table = finding.one("table")
        return [[cell.words() for cell in row.all("td")] for row in table.all("tr")][1:]

    def test_ring(self):
        page = self.page(OWN_INPUTS / "ring.cu")
        self.check_form(page)
        finding = page.one("article")
        self.assertEqual(
            self.lanes(finding), ["Ring[0]", "Ring[1]", "Ring[2]", "all threads"]
        )
        columns = [column.words() for column in finding.all(kind="column")]
        self.assertEqual(columns, ["S = 0", "S = 1", "S = 2", "K = 0", "K = 1"])
        bars = [(b.words(), b.attributes["class"]) for b in finding.one("figure").all(kind="bar")]
        self.assertIn(("group 1", "bar ends"), bars)
        self.assertIn(("group 2, in flight", "bar bad stops"), bars)
        self.assertIn(("group 3, in flight", "bar stops"), bars)
        self.assertEqual(
            self.rows(finding),
            [
                ["–", "K = 0", "wait 2", "Ring[0]", "3", "2", "group 1"],
                ["9", "K = 1", "wait 2", "–", "2", "2", "nothing"],
                ["10", "K = 1", "read", "Ring[1]", "2", "–", "group 2 is in flight"],
            ],
        )

    def test_steps_have_one_number_everywhere(self):
        page = self.page(OWN_INPUTS / "ring.cu")
        finding = page.one("article")
        steps = list(finding.one("ol", "steps").all("li"))
        for number, step in enumerate(steps, 1):
            self.assertEqual(step.attributes["id"], f"f1-s{number}")
            self.assertEqual(step.one("a").words(), str(number))
            self.assertEqual(step.one("a").attributes["href"], f"#f1-m{number}")
        in_source = {
            link.words(): link.attributes["href"] for link in finding.one("div", "listing").all("a")
        }
        numbers = {str(n): f"#f1-s{n}" for n in range(1, len(steps) + 1)}
        self.assertEqual(in_source, numbers)
        for mark in finding.one("figure").all("a", "mark"):
            number = mark.one("b").words()
            self.assertEqual(mark.attributes["href"], numbers[number])
            self.assertIn(f"step {number}: ", mark.attributes["aria-label"])

    def test_every_line_once(self):
        page = self.page(OWN_INPUTS / "ring.cu")
        source = (OWN_INPUTS / "ring.cu").read_text(encoding="utf-8").splitlines()
        lines = {}
        for line in page.one("article").all(kind="line"):
            number = [n.words() for n in line.all(kind="no")]
            if not number:
                continue
            self.assertNotIn(number[0], lines)
            lines[number[0]] = line.children[-1].text()
        for number, text in lines.items():
            self.assertEqual(text, source[int(number) - 1])
        self.assertIn("    __pipeline_wait_prior(Ahead - 1);", lines.values())

    def test_the_fix_is_a_diff(self):
        page = self.page(INPUTS / "weak-wait.cu")
        self.check_form(page)
        diff = page.one("pre", "diff")
        self.assertEqual(diff.one("del").text(), "-   __pipeline_wait_prior(1);")
        self.assertEqual(diff.one("ins").text(), "+   __pipeline_wait_prior(0);")

    def test_calls_and_values(self):
        page = self.page(OWN_INPUTS / "ring.cu")
        facts = dict(
            zip(
                (name.words() for name in page.all("dt")),
                (value.words() for value in page.all("dd")),
            )
        )
        self.assertEqual(facts["check"], "cpasync-wrong-wait-group")
        self.assertEqual(facts["kernel"], "ring")
        self.assertEqual(facts["iteration"], "K = 1")

    def test_index_of_many(self):
        page = self.page(ROOT / "test" / "checks" / "unwaited-read.cu")
        self.check_form(page)
        findings = list(page.all("article"))
        self.assertGreater(len(findings), 5)
        entries = list(page.one("nav").all("a"))
        self.assertEqual(
            [(e.attributes["href"][1:], e.words()) for e in entries],
            [(f.attributes["id"], f.one("h2").words()) for f in findings],
        )

    def test_long_paths_are_shortened(self):
        page = self.page(OWN_INPUTS / "long-ring.cu")
        self.check_form(page)
        columns = [column.words() for column in page.one("article").all(kind="column")]
        self.assertTrue(any(c.endswith("steps left out") for c in columns), columns)
        self.assertEqual(columns[-1], "K = 10")

    def test_pages_of_all_checks(self):
        """No Markdown is left over, and no word is lost."""
        for source in sorted((ROOT / "test" / "checks").glob("*.cu")):
            with self.subTest(source.stem):
                page = self.page(source, f"--checks=-*,cpasync-{source.stem}")
                self.check_form(page)
                shown = page.one("div", "page")
                self.assertEqual(shown.attributes["id"], f"check-{source.stem}")
                code = "".join(n.text() for n in shown.all() if n.tag in ("code", "pre"))
                prose = shown.text()
                for n in shown.all("code"):
                    prose = prose.replace(n.text(), "", 1)
                self.assertNotRegex(prose, r"`|\]\(|^#|^\||^\* |<!--", source.stem)
                text = (ROOT / "docs" / "checks" / f"{source.stem}.md").read_text(encoding="utf-8")
                blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)
                self.assertTrue(blocks)
                for block in blocks:
                    self.assertIn(block, code)
                text = re.sub(r"^```.*$|<!--.*?-->|^\|[-| ]*\|$", "", text, flags=re.M)
                words = set(re.findall(r"[A-Za-z]{3,}", re.sub(r"\]\([^)]*\)", "", text)))
                self.assertLessEqual(words - {"cpasync"}, set(re.findall(r"[A-Za-z]{3,}", self.text)))

    def test_text_is_escaped(self):
        code = (INPUTS / "weak-wait.cu").read_text(encoding="utf-8")
        bad = "  // <script>alert(1)</script> </pre> \u202e \x1b[31m & \"'\n  __pipeline_wait"
        self.write("k<b>.cu", code.replace("  __pipeline_wait", bad).replace("Tile", "T\u00fc"))
        self.text = self.run_tool("--format=html", "--quiet", "k<b>.cu", status=1).stdout
        page = Page(self.text).root
        self.check_form(page)
        self.assertIn("// <script>alert(1)</script> </pre> <U+202E>", page.one("article").text())
        self.assertIn("k<b>.cu:", page.one("article").text())
        self.assertIn("T\u00fc", self.lanes(page))

    def test_nothing_found(self):
        self.write("k.cu", "__global__ void k() {}\n")
        self.text = self.run_tool("--format=html", "k.cu", status=0).stdout
        page = Page(self.text).root
        self.check_form(page)
        self.assertEqual(list(page.all("article")), [])


class Style(Project):
    def schemes(self):
        """The colors of the light and of the dark scheme, by name."""
        style = (ROOT / "tool" / "report" / "report.css").read_text(encoding="utf-8")
        blocks = re.findall(r":root \{(.*?)\}", style, re.S)[:2]
        colors = [dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in blocks]
        self.assertEqual(colors[0].keys(), colors[1].keys())
        return style, dict(zip(("light", "dark"), colors))

    def test_contrast(self):
        style, schemes = self.schemes()
        for scheme, colors in schemes.items():
            names = [name[: -len("-ink")] for name in colors if name.endswith("-ink")]
            self.assertGreater(len(names), 10)
            for name in names:
                value = contrast(colors[f"{name}-ink"], colors[f"{name}-paper"])
                self.assertGreaterEqual(value, READABLE, f"{name}, {scheme}")
            # What is on the paper of code, or of the page.
            for ink, paper in (("soft", "code"), ("link", "other"), ("soft", "page")):
                value = contrast(colors[f"{ink}-ink"], colors[f"{paper}-paper"])
                self.assertGreaterEqual(value, READABLE, f"{ink} on {paper}, {scheme}")

    def test_every_color_has_a_name(self):
        style, _ = self.schemes()
        rules = re.sub(r":root \{.*?\}", "", style, flags=re.S)
        self.assertNotRegex(rules, r"#[0-9a-fA-F]{3,6}\b|\brgb")
        used = set(re.findall(r"var\(--([\w-]+)\)", style)) - {"moments"}
        self.assertLessEqual(used, set(re.findall(r"--([\w-]+):", style)))

    def test_schemes_and_paper(self):
        style, _ = self.schemes()
        self.assertIn("@media (prefers-color-scheme: dark)", style)
        self.assertIn("@media print", style)


class Shown(Project):
    """What the documents show is there, and small."""

    def test_every_picture_is_shown(self):
        text = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
        shown = set(re.findall(r"!\[[^\]]+\]\(pictures/([\w-]+)\.png\)", text))
        self.assertEqual(shown, set(SHOWN))
        self.assertEqual({path.stem for path in PICTURES.iterdir()}, shown)

    def test_pictures_are_small(self):
        for path in PICTURES.iterdir():
            self.assertLess(path.stat().st_size, MAX_BYTES, path)


if __name__ == "__main__":
    main()

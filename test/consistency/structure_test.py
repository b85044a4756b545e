# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nothing in lib/ outgrows what a reader can hold (scripts/structure counts), and
each room says what is in it."""

import re
import runpy
import unittest

from project import ROOT, main

# A function or variable with internal linkage.
LOCAL = re.compile(r"^(?:template <[^>]*>\s*)?static [^;={(\[]*?\b(\w+)\s*[({=;\[]", re.M)
CALLED_BY_LLVM = ("fromJSON",)
OWN = ("lib/**/*", "checks/*", "tool/**/*", "test/unit/*", "test/oracle/*", "test/bench/*")
LIMITS = {"files": 500, "functions": 80, "methods": 40, "fields": 25}


class Structure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = runpy.run_path(str(ROOT / "scripts" / "structure"))

    def test_limits(self):
        larger = {}
        for of in self.script["measure"]().values():
            for key, limit in LIMITS.items():
                larger |= {what: n for n, what in of[key] if n > limit}
        self.assertEqual(larger, {})

    def test_pages(self):
        """The page of a room has a line for each of its files."""
        for path in self.script["sources"]():
            if path.parent.parent == ROOT / "lib":
                page = (path.parent / "README.md").read_text(encoding="utf-8")
                self.assertIn(f"| `{path.stem}` |", page)

    def test_unused(self):
        """Clang sees this only of a file that is compiled by itself."""
        unused, count = [], 0
        for path in (path for names in OWN for path in ROOT.glob(names + ".cpp")):
            text = self.script["without_comments"](path.read_text(encoding="utf-8"))
            for name in LOCAL.findall(text):
                count += 1
                is_used = len(re.findall(rf"\b{name}\b", text)) > 1
                if not is_used and name not in CALLED_BY_LLVM:
                    unused.append(f"{path.name}: {name}")
        self.assertEqual(unused, [])
        self.assertGreater(count, 500)
        for text, name in (
            ("static const A<int> *first(int A) {", "first"),
            ("template <typename T>\nstatic T second(T A) {", "second"),
            ("static constexpr int Third = 3;", "Third"),
            ("static constexpr A Fourth[] = {", "Fourth"),
        ):
            self.assertEqual(LOCAL.findall(text), [name])

    def test_counts(self):
        """The counting itself, on a class and two functions made for it."""
        text = """
class Example : Base {
public:
  Example(int A) : A(A), B{A} {}
  int twice() const { return 2 * A; }
  std::function<int(int)> Call = [](int X) { return X; };
  static void none(); // and a field: int C;
  using Type = int;

private:
  int A, B{3};
  enum class Kind { One, Two } K = Kind::One;
};
"""
        body = text[text.index("{") + 1 : text.rindex("}")]
        members = self.script["members"](self.script["without_comments"](body))
        self.assertIn("int twice() const {}", members)
        self.assertIn("static void none()", members)
        path = ROOT / "build" / "structure-example.cpp"
        path.parent.mkdir(exist_ok=True)
        path.write_text("int first() {\n  return 1;\n}\n\nint\nsecond(int A) {\n}\n", "utf-8")
        self.assertEqual(
            list(self.script["functions"](path)), [("first", 3), ("second", 3)]
        )
        path.write_text(text, "utf-8")
        self.assertEqual(list(self.script["classes"](path)), [("Example", 3, 4)])
        path.unlink()


if __name__ == "__main__":
    main()

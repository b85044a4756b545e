# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutated CUDA sources: a few kernels of a fixture with tokens and lines
deleted, doubled, swapped, numbers made huge and nesting made deep.

A mutant is a function of its seed and number, on every machine.
"""

import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ("test/checks", "test/corpus", "test/state", "test/stories")

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
GPU_ONLY = re.compile(r"^#ifdef CPASYNC_GPU_TEST\n.*?^#endif\n", re.S | re.M)
TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|\d[\w.]*|\s+|<<<|>>>|::|->|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|.',
    re.S,
)
NUMBER = re.compile(r"\b\d+\b")

NUMBERS = (
    *("0", "1", "-1", "2", "3", "5", "7", "12", "16", "17", "31", "33", "64", "127"),
    *("1024", "65536", "1048576", "2147483647", "2147483648", "4294967295"),
    *("4294967296", "9223372036854775807", "18446744073709551615", "0x7fffffff"),
    *("1e38", "1u", "1ull << 40", "-2147483647 - 1", "'a'", "threadIdx.x"),
)
TYPES = ("void", "auto", "char", "double", "bool", "short", "long long", "float4", "Unknown")
TYPES += ("struct Incomplete", "const float *", "float *&", "unsigned __int128", "decltype(0)")
WORDS = ("const", "static", "__shared__", "extern", "volatile", "constexpr", "return", "break")
WORDS += ("continue", "goto", "template", "typename", "this", "new", "delete", "throw", "else")
WORDS += ("*", "&", "&&", "!", "~", "++", "--", "?", ":", ";", ",", "(", ")", "{", "}", "[", "]")
PREFIXES = ("(", "-", "!", "~", "*&", "(int)", "+", "(long)(", "static_cast<int>(")
LEVELS = (2, 5, 20, 60, 200)
OPERATORS = (" + ", " * ", " << ", ", ", " && ", " - ", " | ", " ? 1 : ")
AROUND = (
    ("{ ", " }"),
    ("if (threadIdx.x < 7) { ", " }"),
    ("if (In) { ", " }"),
    ("for (int I = 0; I < 3; ++I) { ", " }"),
    ("for (int I = threadIdx.x; I < 1000; I += 32) { ", " }"),
    ("while (true) { ", " }"),
    ("do { ", " } while (threadIdx.x);"),
    ("[&] { ", " }();"),
    ("switch (threadIdx.x) { case 1: ", " default:; }"),
    ("try { ", " } catch (...) {}"),
)


def parts_of(text):
    """Splits at the empty lines outside of all braces."""
    depth, part, parts = 0, "", []
    for line in text.splitlines(keepends=True):
        depth += line.count("{") - line.count("}")
        part += line
        if not line.strip() and depth <= 0:
            parts.append(part)
            part = ""
    return [*parts, part]


class Fixture:
    """What all kernels of a file need, and each kernel."""

    def __init__(self, path):
        text = GPU_ONLY.sub("", path.read_text(encoding="utf-8"))
        text = re.sub(r"\n\s*\n(\s*\n)+", "\n\n", COMMENT.sub("", text))
        self.name = path.stem
        self.common, self.kernels = [], []
        for order, part in enumerate(parts_of(text)):
            is_kernel = re.match(r"(template[^{]*)?(static )?(KERNEL|__global__)", part)
            (self.kernels if is_kernel else self.common).append((order, part))

    def some(self, rng):
        chosen = rng.sample(self.kernels, min(rng.randint(1, 3), len(self.kernels)))
        return "".join(part for _, part in sorted(self.common + chosen))


def fixtures():
    paths = [path for folder in FIXTURES for path in sorted((ROOT / folder).glob("*.cu"))]
    return [fixture for fixture in map(Fixture, paths) if fixture.kernels]


class Mutator:
    def __init__(self):
        self.fixtures = fixtures()

    def mutant(self, seed, number):
        """The name and the text of a mutant."""
        rng = random.Random(f"{seed}:{number}")
        fixture = rng.choice(self.fixtures)
        text = fixture.some(rng)
        for _ in range(rng.choice((1, 1, 2, 3, 5, 8))):
            text = rng.choice(MUTATIONS)(self, text, rng)
        return f"{number:06}-{fixture.name}.cu", text

    def other_lines(self, rng):
        _, part = rng.choice(rng.choice(self.fixtures).kernels)
        return part.splitlines(keepends=True)

    def token(self, text, rng):
        words = TOKEN.findall(text) or [""]
        places = [I for I, word in enumerate(words) if not word.isspace()] or [0]
        place, other = rng.choice(places), rng.choice(places)
        change = rng.choice(("delete", "double", "swap", "swap", "replace", "insert", "type"))
        if change == "delete":
            words[place] = ""
        elif change == "double":
            words[place] += " " + words[place]
        elif change == "swap":
            words[place], words[other] = words[other], words[place]
        elif change == "replace":
            words[place] = words[other]
        elif change == "insert":
            words[place] += " " + rng.choice(WORDS) + " "
        else:
            words[place] = rng.choice(TYPES)
        return "".join(words)

    def line(self, text, rng):
        lines = text.splitlines(keepends=True) or [""]
        place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        change = rng.choice(("delete", "double", "swap", "move", "other", "cut"))
        if change == "delete":
            del lines[place : place + rng.choice((1, 1, 2, 4))]
        elif change == "double":
            lines[place:place] = lines[place : place + rng.choice((1, 2, 8))]
        elif change == "swap":
            lines[place], lines[other] = lines[other], lines[place]
        elif change == "move":
            lines.insert(other, lines.pop(place))
        elif change == "other":
            foreign = self.other_lines(rng)
            begin = rng.randrange(len(foreign))
            lines[place:place] = foreign[begin : begin + rng.choice((1, 2, 5, 20))]
        else:
            del lines[len(lines) - len(lines) // 8 :]
        return "".join(lines)

    def number(self, text, rng):
        found = list(NUMBER.finditer(text))
        if not found:
            return text
        match = rng.choice(found)
        return text[: match.start()] + rng.choice(NUMBERS) + text[match.end() :]

    def nesting(self, text, rng):
        """A number or a name inside many operators, or a line in many blocks."""
        levels = rng.choice(LEVELS)
        if rng.random() < 0.5:
            matches = list(re.finditer(r"\b\w+\b(?=[-+*/%,;)\] ])", text))
            if not matches:
                return text
            match = rng.choice(matches)
            word = match.group()
            if rng.random() < 0.5:
                word = rng.choice(OPERATORS).join([word] * levels)
            else:
                prefix = rng.choice(PREFIXES)
                open_ones = prefix.count("(") - prefix.count(")")
                word = prefix * levels + word + ")" * (levels * open_ones)
            return text[: match.start()] + word + text[match.end() :]
        lines = text.splitlines(keepends=True)
        places = [I for I, line in enumerate(lines) if line.rstrip().endswith(";")]
        if not places:
            return text
        place = rng.choice(places)
        before, after = rng.choice(AROUND)
        levels = min(levels, 20)
        lines[place] = before * levels + lines[place].rstrip() + after * levels + "\n"
        return "".join(lines)


MUTATIONS = (
    *(Mutator.token,) * 4,
    *(Mutator.line,) * 3,
    *(Mutator.number,) * 2,
    Mutator.nesting,
)

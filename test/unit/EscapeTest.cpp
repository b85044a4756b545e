//===- EscapeTest.cpp - What is shown of a name ---------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Escape.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace cpasync;
using llvm::StringRef;

TEST(Escape, KeepsWhatCanBeSeen) {
  for (StringRef Text : {"", "a b.cu", "a\\b.cu", "\u00fc\u20ac\U0001f600.cu",
                         "<U+001B>", "#pragma [x]", "a::b", "100%"})
    EXPECT_EQ(escaped(Text), Text);
}

TEST(Escape, ControlCharacters) {
  EXPECT_EQ(escaped("a\nb\r\tc"), "a<U+000A>b<U+000D><U+0009>c");
  EXPECT_EQ(escaped("\x1b[31m"), "<U+001B>[31m");
  EXPECT_EQ(escaped(StringRef("\0\x7f", 2)), "<U+0000><U+007F>");
  EXPECT_EQ(escaped("\u0085\u009b"), "<U+0085><U+009B>");
}

TEST(Escape, MarksOfDirectionAndLineEnds) {
  EXPECT_EQ(escaped("\u202e\u202a\u2066\u2069"),
            "<U+202E><U+202A><U+2066><U+2069>");
  EXPECT_EQ(escaped("\u200e\u200f\u061c"), "<U+200E><U+200F><U+061C>");
  EXPECT_EQ(escaped("\u2028\u2029\ufeff"), "<U+2028><U+2029><U+FEFF>");
}

TEST(Escape, BytesThatAreNoUtf8) {
  EXPECT_EQ(escaped("a\xff.cu"), "a<FF>.cu");
  EXPECT_EQ(escaped("\xe2\x82"), "<E2><82>");
  EXPECT_EQ(escaped("\xc0\xaf"), "<C0><AF>");
  EXPECT_EQ(escaped("\xed\xa0\x80"), "<ED><A0><80>"); // half of a pair
}

TEST(Escape, EveryByteAndTwoGiveUtf8InOneLine) {
  for (unsigned A = 0; A < 256; ++A)
    for (unsigned B = 0; B < 256; ++B) {
      const char Bytes[] = {char(A), char(B)};
      const std::string Text = escaped(StringRef(Bytes, 2));
      EXPECT_TRUE(llvm::json::isUTF8(Text));
      for (const char C : Text)
        EXPECT_TRUE(static_cast<unsigned char>(C) >= 0x20 && C != 0x7f);
    }
}

TEST(Escape, NothingBeginsACommand) {
  EXPECT_EQ(escapedPath("::error::x.cu"), "./::error::x.cu");
  EXPECT_EQ(escapedPath("  ::stop-commands::x"), "./  ::stop-commands::x");
  EXPECT_EQ(escapedPath("a/::b.cu"), "a/::b.cu");
  EXPECT_EQ(escapedPath("##[error]x"), "#<U+0023>[error]x");
  EXPECT_EQ(escapedPath("###[error]x"), "##<U+0023>[error]x");
}

TEST(Escape, BytesThroughUtf8AndBack) {
  for (StringRef Bytes : {"a/b.cu", "\xff\xfe", "\u00fc\xe2\x82", "\U0010fe41",
                          "\U0010fe80\x80", ""}) {
    EXPECT_TRUE(llvm::json::isUTF8(toUtf8(Bytes)));
    EXPECT_EQ(fromUtf8(toUtf8(Bytes)), Bytes);
  }
  EXPECT_EQ(toUtf8("a/\u00fc.cu"), "a/\u00fc.cu");
}

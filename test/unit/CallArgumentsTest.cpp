//===- CallArgumentsTest.cpp - What makes two calls the same
//----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/CallArguments.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {
class CallArgumentsTest : public testing::Test {
protected:
  const Int *open(int64_t Number) {
    return V.symbol(&V, Number, Uniformity::Block);
  }
  const Int *perThread() { return V.known(L.perThread({0, 1})); }
  const Object *local(int64_t Number) {
    Object O{Object::Kind::Local};
    O.Origin = &Callee;
    O.Call = 1;
    O.Number = Number;
    O.Size = 8;
    return V.object(O);
  }
  Value at(const Object *O) { return Value::pointer(O, V.constant(0)); }
  Fingerprint::Digest of(llvm::ArrayRef<Value> Args) {
    return CallArguments(&Callee, Value::unknown(), Args).digest();
  }
  Fingerprint::Digest of(const Int *A, const Int *B) {
    return of({Value::integer(A), Value::integer(B)});
  }

  ValueContext V{2};
  PerThreadContext &L = V.lanes();
  int Callee = 0;
};

TEST_F(CallArgumentsTest, ConstantsCount) {
  EXPECT_EQ(of(V.constant(1), V.constant(2)), of(V.constant(1), V.constant(2)));
  EXPECT_NE(of(V.constant(1), V.constant(2)), of(V.constant(2), V.constant(1)));
}

TEST_F(CallArgumentsTest, OfOtherNumbersWhichAreTheSame) {
  EXPECT_EQ(of(open(1), open(2)), of(open(3), open(4)));
  EXPECT_NE(of(open(1), open(2)), of(perThread(), open(1))); // that is known
  EXPECT_EQ(of(open(1), open(1)), of(open(2), open(2)));
  EXPECT_NE(of(open(1), open(1)), of(open(1), open(2)));
  EXPECT_NE(of(open(1), open(2)), of(open(1), V.constant(2)));
}

TEST_F(CallArgumentsTest, AnUnknownPlaceIsNoNumber) {
  const Object *O = local(1);
  EXPECT_NE(of({Value::pointer(O, nullptr)}), of({Value::pointer(O, open(1))}));
}

TEST_F(CallArgumentsTest, OfTwoNumbersWhichOneItIsCounts) {
  const Int *One = V.select(open(1), V.constant(0), V.constant(1));
  const Int *Two = V.select(open(2), V.constant(0), V.constant(1));
  EXPECT_NE(of(One, One), of(Two, Two));
  EXPECT_TRUE(CallArguments(&Callee, Value::unknown(), {Value::integer(One)})
                  .HasChoice);
}

TEST_F(CallArgumentsTest, LocalsCountByWhatIsReadOfThem) {
  CallArguments A(&Callee, at(local(1)), {}), B(&Callee, at(local(2)), {});
  EXPECT_EQ(A.digest(), B.digest());
  const Fingerprint::Digest Before = A.digest();
  A.read(0, V.contents({{0, 4, Value::integer(open(1))}}));
  EXPECT_NE(A.digest(), Before);
  B.read(0, V.contents({{0, 4, Value::integer(open(2))}}));
  EXPECT_EQ(A.digest(), B.digest());
  ASSERT_EQ(B.Open.size(), 1u);
  EXPECT_EQ(B.Open[0], open(2));
  CallArguments C(&Callee, at(local(1)), {});
  C.read(0, V.contents({{4, 4, Value::integer(open(1))}}));
  EXPECT_NE(A.digest(), C.digest());
  CallArguments D(&Callee, at(local(1)), {});
  D.read(0, nullptr);
  EXPECT_NE(A.digest(), D.digest());
}

TEST_F(CallArgumentsTest, WhatIsReadLeadsToOtherLocals) {
  CallArguments A(&Callee, at(local(1)), {});
  A.read(0, V.contents({{0, 8, at(local(2))}}));
  ASSERT_EQ(A.Reached.size(), 2u);
  EXPECT_EQ(A.Reached[1], local(2));
}
} // namespace

//===- MatrixDescriptorsTest.cpp - Addresses within descriptors -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/MatrixDescriptors.h"
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {
class MatrixDescriptors : public ::testing::Test {
protected:
  const Int *with(const Int *A, const Int *B) {
    return withDescriptorFields(V, A, B, V.lanes().all());
  }
  /// Of 1 << 16, 64 << 32 and 1 << 62.
  const Int *withUsualFields(const Int *Address) {
    for (int64_t Field :
         {int64_t(1) << 16, int64_t(64) << 32, int64_t(1) << 62})
      Address = Address ? with(V.constant(Field), Address) : nullptr;
    return Address;
  }
  Value place(int64_t Bytes) {
    return Value::pointer(&Tile, V.constant(Bytes));
  }

  ValueContext V{64};
  const Object Tile{Object::Kind::Shared}, Other{Object::Kind::Shared};
};
} // namespace

TEST_F(MatrixDescriptors, NameThePlaceThatTheyAreMadeOf) {
  const Int *D = withUsualFields(descriptorAddress(V, place(4096)));
  ASSERT_NE(D, nullptr);
  EXPECT_TRUE(holdsDescriptorAddress(D));
  EXPECT_EQ(placeOfDescriptor(V, D), place(4096));
  // Two units on.
  EXPECT_EQ(placeOfDescriptor(V, V.add(D, V.constant(2))), place(4096 + 32));
  const Value Another = Value::pointer(&Other, V.constant(0));
  EXPECT_EQ(placeOfDescriptor(V, descriptorAddress(V, Another)), Another);
}

TEST_F(MatrixDescriptors, KeepWhatIsNotKnownOfThePlace) {
  const Int *Slot = V.symbol(this, 0, Uniformity::Block, {0, 3});
  const Value At = Value::pointer(&Tile, V.mul(Slot, V.constant(8192)));
  const Int *D = withUsualFields(descriptorAddress(V, At));
  ASSERT_NE(D, nullptr);
  EXPECT_EQ(placeOfDescriptor(V, D), At);
}

TEST_F(MatrixDescriptors, FieldsDoNotRunIntoOneAnother) {
  const Int *D = descriptorAddress(V, place(32));
  EXPECT_EQ(with(D, V.constant(1)), nullptr);
  EXPECT_EQ(with(D, D), nullptr);
  EXPECT_EQ(with(V.constant(1 << 16), V.constant(1 << 17)), nullptr);
  const Int *Once = with(D, V.constant(1 << 16));
  ASSERT_NE(Once, nullptr);
  EXPECT_EQ(with(Once, V.constant(1 << 16)), nullptr);
  EXPECT_NE(with(Once, V.constant(1 << 17)), nullptr);
}

TEST_F(MatrixDescriptors, FieldsOfThreadsThatDoNotComputeThemMayRunIn) {
  PerThreadContext &L = V.lanes();
  // Of the second warp the own tile, of the first the one before the array.
  std::vector<int64_t> Warp(64), Bytes(64);
  for (int T = 0; T < 64; ++T) {
    Warp[T] = T / 32;
    Bytes[T] = (Warp[T] - 1) * 8192;
  }
  const Int *D =
      descriptorAddress(V, Value::pointer(&Tile, V.known(L.perThread(Bytes))));
  const Int *Fields = V.constant(int64_t(1) << 62);
  EXPECT_EQ(with(D, Fields), nullptr);
  const Int *Second = withDescriptorFields(V, D, Fields, L.perThread(Warp));
  ASSERT_NE(Second, nullptr);
  EXPECT_EQ((*placeOfDescriptor(V, Second).I->base())[40], 0);
}

TEST_F(MatrixDescriptors, LowBitsAreThoseOfThePlace) {
  const Int *D = descriptorAddress(V, place(4096 + 48));
  EXPECT_TRUE(V.apply(Atom::Op::And, D, V.constant(7))->isConstant(3));
  EXPECT_TRUE(placeOfDescriptor(V, V.constant(77)).isUnknown());
}

TEST(MatrixReads, AreInFlightUntilTheyAreWaitedFor) {
  const std::string Helpers = R"(
__device__ void multiply(const void *Tile) {
  unsigned long long D =
      (__cvta_generic_to_shared(Tile) & 0x3FFFF) >> 4 | 1ull << 62;
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{f0, f1, f2, f3}, {r0, r1, r2, r3}, %0, 1, 1, 1, 0;" ::"l"(D));
}
template <int N> __device__ void waitFor() {
  asm volatile("wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned %0;" ::"n"(N));
})";
  const std::string Before =
      "COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\nWAIT(0);"
      "\n__syncthreads();\nmultiply(Tile);\n";
  const std::string Again =
      "\n__syncthreads();\nCOPY(Tile + 4 * T, In + 4 * T);"
      "\nCOMMIT;\nWAIT(0);";
  EXPECT_EQ(found(Before + "waitFor<0>();" + Again, Helpers), "");
  EXPECT_EQ(found(Before + "waitFor<1>();" + Again, Helpers),
            "Overwrite(MatrixRead) copy:5 write:8 barrier:4");
  EXPECT_EQ(found("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\nmultiply(Tile);\n"
                  "WAIT(0);",
                  Helpers),
            "ReadInFlight(NeverWaited) copy:1 commit:2 read:3");
}

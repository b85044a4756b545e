//===- nested-changes.cu - Numbers that change where nobody sees it -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel fills one slot, changes the number of the slot, and fills another.
// What changes it is a call, within calls: of members, of lambdas, by
// reference. If the change went unseen, the second copy would go to the first
// one's slot.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(128) void Name(const uint4 *Src, uint4 *Dst)

// Change makes At, which was 0, 1.
#define FILL_TWICE(At, Change)                                                 \
  __shared__ uint4 Slot[2][128];                                               \
  __pipeline_memcpy_async(&Slot[At][threadIdx.x], Src + threadIdx.x, 16);      \
  Change;                                                                      \
  __pipeline_memcpy_async(&Slot[At][threadIdx.x], Src + 128 + threadIdx.x,     \
                          16);                                                 \
  __pipeline_commit();                                                         \
  __pipeline_wait_prior(0);                                                    \
  Dst[threadIdx.x] = Slot[0][threadIdx.x];                                     \
  Dst[128 + threadIdx.x] = Slot[1][threadIdx.x]

__device__ void flip(unsigned &X) { X ^= 1; }
template <class F> __device__ void callCopy(F Do) { Do(); }
template <class F> __device__ void callReference(F &&Do) { Do(); }

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

struct Counter {
  unsigned At;
  __device__ void flipIt() { At ^= 1; }
  __device__ void set(unsigned To) { At = To; }
  __device__ unsigned &place() { return At; }

  __device__ void byMember() { flipIt(); }
  __device__ void byReference() { flip(At); }
  __device__ void byPlace() { place() ^= 1; }
  __device__ void byPlaceGiven() { flip(place()); }
  __device__ void byLambda() {
    auto Flip = [this] { At ^= 1; };
    Flip();
  }
  __device__ void byPointer() {
    Counter *Me = this;
    Me->At ^= 1;
  }
  __device__ void byLocal() {
    unsigned Next = At;
    Next = Next ? 0 : 1;
    set(Next);
  }
  __device__ void underCondition() {
    const bool Wraps = At + 1 == 2;
    if (Wraps)
      At = 0;
    else
      ++At;
  }
  __device__ void inLoop() {
    for (int I = 0; I < 3; ++I)
      byMember();
  }
  __device__ Counter &operator++() {
    At ^= 1;
    return *this;
  }
  __device__ Counter operator++(int) {
    Counter Old = *this;
    ++*this;
    return Old;
  }
  __device__ Counter &operator+=(int) {
    operator++();
    return *this;
  }
  __device__ void besidePayload() {
    float Sum = 0;
    both(Sum, At);
  }
  static __device__ void both(float &X, unsigned &Y) {
    X += 1;
    Y ^= 1;
  }
};

KERNEL(by_member_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byMember());
}
KERNEL(by_reference_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byReference());
}
KERNEL(by_place_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byPlace());
}
KERNEL(by_place_given_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byPlaceGiven());
}
KERNEL(by_lambda_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byLambda());
}
KERNEL(by_pointer_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byPointer());
}
KERNEL(by_local_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.byLocal());
}
KERNEL(under_condition_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.underCondition());
}
KERNEL(in_loop_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.inLoop());
}
KERNEL(postfix_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C++);
}
KERNEL(compound_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C += 1);
}
KERNEL(beside_payload_ok) {
  Counter C{0};
  FILL_TWICE(C.At, C.besidePayload());
}

// The number stays what it is.
KERNEL(set_again_bad) {
  Counter C{0};
  FILL_TWICE(C.At, (C.inLoop(), C.byMember()));
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: copy issued here
  // expect-note@-3: thread 0 overwrites 'Slot[0][0]' here, copied by thread 0
  // expect-warning@-4{cpasync-in-flight-overwrite}: 'Slot' is overwritten while a copy into it is in flight
}

struct Ring {
  Counter Slot;
  __device__ void next() { Slot.flipIt(); }
  __device__ void nextOfThis() { this->Slot.byMember(); }
};
struct RingPointer {
  Counter *Slot;
  __device__ void next() { Slot->flipIt(); }
};
struct RingReference {
  Counter &Slot;
  __device__ void next() { Slot.flipIt(); }
};
struct Derived : Counter {
  __device__ void next() { Counter::byMember(); }
};
template <class T> struct Base {
  __device__ void next() { static_cast<T *>(this)->flipIt(); }
};
struct Last : Base<Last> {
  unsigned At = 0;
  __device__ void flipIt() { At ^= 1; }
};
struct Stack {
  unsigned Of[2], N;
  __device__ void push(unsigned X) { Of[N++] = X; }
  __device__ unsigned top() const { return Of[N - 1]; }
};
struct Stacks {
  Stack S;
  __device__ void push(unsigned X) { S.push(X); }
};

KERNEL(of_member_ok) {
  Ring R{{0}};
  FILL_TWICE(R.Slot.At, R.next());
}
KERNEL(of_this_ok) {
  Ring R{{0}};
  FILL_TWICE(R.Slot.At, R.nextOfThis());
}
KERNEL(of_pointer_ok) {
  Counter C{0};
  RingPointer R{&C};
  FILL_TWICE(C.At, R.next());
}
KERNEL(of_reference_ok) {
  Counter C{0};
  RingReference R{C};
  FILL_TWICE(C.At, R.next());
}
KERNEL(of_base_ok) {
  Derived D;
  D.At = 0;
  FILL_TWICE(D.At, D.next());
}
KERNEL(of_derived_ok) {
  Last L;
  FILL_TWICE(L.At, L.next());
}
KERNEL(pushed_ok) {
  Stacks S{};
  S.push(0);
  FILL_TWICE(S.S.top(), S.push(1));
}

//===----------------------------------------------------------------------===//
// Lambdas
//===----------------------------------------------------------------------===//

KERNEL(lambda_in_lambda_ok) {
  unsigned At = 0;
  auto Flip = [&] { At ^= 1; };
  auto Next = [&] { Flip(); };
  FILL_TWICE(At, Next());
}
KERNEL(lambda_in_copy_ok) {
  unsigned At = 0;
  auto Flip = [&] { At ^= 1; };
  auto Next = [=] { Flip(); };
  FILL_TWICE(At, Next());
}
KERNEL(given_ok) {
  unsigned At = 0;
  auto Flip = [&] { At ^= 1; };
  FILL_TWICE(At, callCopy(Flip));
}
KERNEL(given_by_reference_ok) {
  unsigned At = 0;
  auto Flip = [&] { At ^= 1; };
  FILL_TWICE(At, callReference(Flip));
}
KERNEL(given_at_once_ok) {
  unsigned At = 0;
  FILL_TWICE(At, callCopy([&] { At ^= 1; }));
}
KERNEL(given_to_lambda_ok) {
  unsigned At = 0;
  auto Do = [&](auto What) { What(); };
  FILL_TWICE(At, Do([&] { At ^= 1; }));
}
KERNEL(given_twice_bad) {
  unsigned At = 0;
  auto Flip = [&] { At ^= 1; };
  FILL_TWICE(At, (callCopy(Flip), callReference(Flip)));
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: copy issued here
  // expect-note@-3: thread 0 overwrites 'Slot[0][0]' here, copied by thread 0
  // expect-warning@-4{cpasync-in-flight-overwrite}: 'Slot' is overwritten while a copy into it is in flight
}

//===----------------------------------------------------------------------===//
// Once is once
//===----------------------------------------------------------------------===//

KERNEL(index_counts_once_ok) {
  unsigned Order[3], N = 0;
  Order[N++] = 0;
  FILL_TWICE(Order[N - 1], Order[N++] = 1);
}

// What hid a race: the slot is 0 from the second round on.
KERNEL(hidden_bad) {
  __shared__ uint4 Slot[2][128];
  Counter C{1};
  for (int T = 0; T < 8; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    __pipeline_memcpy_async(&Slot[0][threadIdx.x], Src + threadIdx.x, 16);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    Dst[T * 128 + threadIdx.x] = Slot[C.At][threadIdx.x];
    // expect-note@-1: thread 0 reads 'Slot[0][0]' here
    // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
    // expect-warning@-3{cpasync-unwaited-read}: 'Slot' is read before the asynchronous copy into it has completed
    __pipeline_wait_prior(0);
    C.byLocal();
  }
}

#pragma once
// A number, and arithmetic of it: not parsed. It does not compile, so an error
// shows if it is.
class Half {
public:
  Half() = default;

protected:
  unsigned short Bits;
};
__device__ inline Half sum(Half A, Half B) { return notDeclared(A, B); }
__device__ inline float widened(Half A) { return notDeclared(A); }
// No number.
namespace lib {
class Count {
public:
  __device__ explicit Count(int N) : N(N) {}
  __device__ int value() const { return N; }

private:
  int N;
};
__device__ inline Count count(int N) { return Count(N); }
} // namespace lib
// An address may be made of this.
__device__ inline unsigned half(unsigned N) { return N / 2; }

// With -fconstexpr-steps=4294967295 nobody sees the end of this.
constexpr unsigned endless() {
  unsigned Sum = 0;
  for (unsigned long I = 0; I < ~0ul; ++I)
    Sum ^= I;
  return Sum;
}
constexpr unsigned Never = endless();

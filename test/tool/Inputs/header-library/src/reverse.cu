#include <staged/reverse.cuh>

template <int Stages> static void launch(const float *In, float *Out, int Tiles) {
  constexpr int Threads = 96;
  staged::reverse<float, Stages, Threads><<<1, Threads>>>(In, Out, Tiles);
  staged::reverseEagerly<float, Stages, Threads><<<1, Threads>>>(In, Out, Tiles);
}

void reverse(const float *In, float *Out, int Tiles, int Stages) {
  switch (Stages) {
  case 2:
    return launch<2>(In, Out, Tiles);
  case 3:
    return launch<3>(In, Out, Tiles);
  default:
    return launch<4>(In, Out, Tiles);
  }
}

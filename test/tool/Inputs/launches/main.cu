__global__ void reversed(const float *In, float *Out);
int main() {
  dim3 Block;
  Block.x = 96;
  reversed<<<1, Block>>>(nullptr, nullptr);
}

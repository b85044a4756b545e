__global__ void reversed(const float *In, float *Out);
void more() { reversed<<<1, 32>>>(nullptr, nullptr); }

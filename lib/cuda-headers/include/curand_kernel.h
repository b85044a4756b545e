//===- curand_kernel.h - Device side random numbers ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <cpasync/names_begin.h>

#include <cpasync/vector_types.h>
#include <curand.h>

#define __CPASYNC_RANDOM(STATE)                                                \
  __CPASYNC_D void curand_init(unsigned long long, unsigned long long,         \
                               unsigned long long, STATE *);                   \
  __CPASYNC_D void skipahead(unsigned long long, STATE *);                     \
  __CPASYNC_D unsigned int curand(STATE *);                                    \
  __CPASYNC_D float curand_uniform(STATE *);                                   \
  __CPASYNC_D double curand_uniform_double(STATE *);                           \
  __CPASYNC_D float curand_normal(STATE *);                                    \
  __CPASYNC_D float2 curand_normal2(STATE *);                                  \
  __CPASYNC_D double curand_normal_double(STATE *);                            \
  __CPASYNC_D float curand_log_normal(STATE *, float, float);                  \
  __CPASYNC_D unsigned int curand_poisson(STATE *, double);

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

__CPASYNC_RANDOM(curandStateXORWOW)
__CPASYNC_RANDOM(curandStatePhilox4_32_10)
__CPASYNC_RANDOM(curandStateMRG32k3a)
#undef __CPASYNC_RANDOM
__CPASYNC_D uint4 curand4(curandStatePhilox4_32_10 *);
__CPASYNC_D float4 curand_uniform4(curandStatePhilox4_32_10 *);
__CPASYNC_D float4 curand_normal4(curandStatePhilox4_32_10 *);

#include <cpasync/names_end.h>

#endif // CURAND_KERNEL_H_

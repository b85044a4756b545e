//===- omp.h - OpenMP's functions ------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The host compiler has this header among its own, where Clang does not look.
// Host code only.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_OMP_H
#define CPASYNC_CUDA_OMP_H

#pragma clang system_header

typedef struct {
  unsigned char Opaque[8];
} omp_lock_t;
typedef struct {
  unsigned char Opaque[16];
} omp_nest_lock_t;
typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
} omp_sched_t;

extern "C" {
int omp_get_ancestor_thread_num(int) noexcept;
int omp_get_default_device(void) noexcept;
int omp_get_dynamic(void) noexcept;
int omp_get_level(void) noexcept;
int omp_get_max_active_levels(void) noexcept;
int omp_get_max_threads(void) noexcept;
int omp_get_nested(void) noexcept;
int omp_get_num_devices(void) noexcept;
int omp_get_num_procs(void) noexcept;
int omp_get_num_teams(void) noexcept;
int omp_get_num_threads(void) noexcept;
int omp_get_team_num(void) noexcept;
int omp_get_thread_limit(void) noexcept;
int omp_get_thread_num(void) noexcept;
double omp_get_wtick(void) noexcept;
double omp_get_wtime(void) noexcept;
int omp_in_parallel(void) noexcept;
void omp_set_default_device(int) noexcept;
void omp_set_dynamic(int) noexcept;
void omp_set_max_active_levels(int) noexcept;
void omp_set_nested(int) noexcept;
void omp_set_num_threads(int) noexcept;
void omp_set_schedule(omp_sched_t, int) noexcept;

void omp_destroy_lock(omp_lock_t *) noexcept;
void omp_init_lock(omp_lock_t *) noexcept;
void omp_set_lock(omp_lock_t *) noexcept;
int omp_test_lock(omp_lock_t *) noexcept;
void omp_unset_lock(omp_lock_t *) noexcept;
void omp_destroy_nest_lock(omp_nest_lock_t *) noexcept;
void omp_init_nest_lock(omp_nest_lock_t *) noexcept;
void omp_set_nest_lock(omp_nest_lock_t *) noexcept;
int omp_test_nest_lock(omp_nest_lock_t *) noexcept;
void omp_unset_nest_lock(omp_nest_lock_t *) noexcept;
}

#endif // CPASYNC_CUDA_OMP_H

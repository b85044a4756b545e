//===- cuda_awbarrier_primitives.h - __mbarrier_ primitives ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include <cpasync/names_begin.h>

#include <cpasync/qualifiers.h>
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

__CPASYNC_D uint32_t __mbarrier_maximum_count();
__CPASYNC_D void __mbarrier_init(__mbarrier_t *, uint32_t);
__CPASYNC_D void __mbarrier_inval(__mbarrier_t *);
__CPASYNC_D __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *);
__CPASYNC_D __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *);
__CPASYNC_D bool __mbarrier_test_wait(__mbarrier_t *, __mbarrier_token_t);
__CPASYNC_D bool __mbarrier_test_wait_parity(__mbarrier_t *, bool);
__CPASYNC_D bool __mbarrier_try_wait(__mbarrier_t *, __mbarrier_token_t,
                                     uint32_t);
__CPASYNC_D bool __mbarrier_try_wait_parity(__mbarrier_t *, bool, uint32_t);
__CPASYNC_D uint32_t __mbarrier_token_pending_count(__mbarrier_token_t);

#include <cpasync/names_end.h>

#endif // _CUDA_AWBARRIER_PRIMITIVES_H_

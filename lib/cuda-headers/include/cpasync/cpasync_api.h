//===- cpasync_api.h - Attributes of the shared headers --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CPASYNC_API_H
#define CPASYNC_CPASYNC_API_H

// These headers also stand before a toolkit, where the prelude is absent.
#define __CPASYNC_API __attribute__((host, device))
#define __CPASYNC_API_D __attribute__((device))

#endif // CPASYNC_CPASYNC_API_H

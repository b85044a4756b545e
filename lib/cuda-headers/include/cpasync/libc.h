//===- libc.h - C library functions nvcc makes visible ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// nvcc's implicit include brings the C library in, and device code has its own
// printf, malloc, assert and mem functions. Headers that are cheap to read are
// included, without libstdc++'s wrappers; the usual functions of the others
// are declared here, as the C library does.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIBC_H
#define CPASYNC_LIBC_H

#include <cpasync/qualifiers.h>
#include <stddef.h>
#include <stdint.h>

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#if __has_include(<assert.h>)
#include <assert.h>
#else
#define assert(CONDITION) ((void)sizeof(!(CONDITION)))
#endif
#if __has_include(<limits.h>)
#include <limits.h>
#endif
#if __has_include(<stdio.h>)
#include <stdio.h>
#endif
#if __has_include(<string.h>)
#include <string.h>
#endif
#if __has_include(<time.h>)
#include <time.h>
#endif
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define RAND_MAX 2147483647

extern "C" {
void abort() noexcept __attribute__((noreturn));
int abs(int) noexcept;
double atof(const char *) noexcept;
int atoi(const char *) noexcept;
void *calloc(size_t, size_t) noexcept;
void exit(int) noexcept __attribute__((noreturn));
void free(void *) noexcept;
char *getenv(const char *) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
void *malloc(size_t) noexcept;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int rand() noexcept;
void *realloc(void *, size_t) noexcept;
void srand(unsigned int) noexcept;
}

extern "C" {
__CPASYNC_D int printf(const char *, ...);
__CPASYNC_D int vprintf(const char *, const char *);
__CPASYNC_D void *malloc(size_t) __attribute__((malloc));
__CPASYNC_D void free(void *);
__CPASYNC_D void __assertfail(const char *, const char *, unsigned,
                              const char *, size_t);
__CPASYNC_D void __assert_fail(const char *, const char *, unsigned,
                               const char *);
__CPASYNC_D void __nv_abort(void);
}
__CPASYNC_D void *memcpy(void *, const void *, size_t);
__CPASYNC_D void *memmove(void *, const void *, size_t);
__CPASYNC_D void *memset(void *, int, size_t);
__CPASYNC_D int clock();
__CPASYNC_D long long clock64();

namespace std {
using ::free;
using ::malloc;
using ::memcpy;
using ::memmove;
using ::memset;
} // namespace std

// Placement new in device code works without an include, too.
void *operator new(size_t, void *) noexcept;
void *operator new[](size_t, void *) noexcept;
__CPASYNC_D void *operator new(size_t, void *) noexcept;
__CPASYNC_D void *operator new[](size_t, void *) noexcept;

#endif // CPASYNC_LIBC_H

//===- textures.h - Texture and surface fetches ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEXTURES_H
#define CPASYNC_TEXTURES_H

#include <cpasync/runtime_types.h>

// RET F(object, coordinates): the value is the result, or goes through a
// pointer that comes first.
#define __CPASYNC_FETCH(F, OBJECT, ...)                                        \
  template <class T> __CPASYNC_D T F(OBJECT, __VA_ARGS__);                     \
  template <class T> __CPASYNC_D void F(T *, OBJECT, __VA_ARGS__);
__CPASYNC_FETCH(tex1Dfetch, cudaTextureObject_t, int)
__CPASYNC_FETCH(tex1D, cudaTextureObject_t, float)
__CPASYNC_FETCH(tex2D, cudaTextureObject_t, float, float)
__CPASYNC_FETCH(tex3D, cudaTextureObject_t, float, float, float)
__CPASYNC_FETCH(tex1DLayered, cudaTextureObject_t, float, int)
__CPASYNC_FETCH(tex2DLayered, cudaTextureObject_t, float, float, int)
__CPASYNC_FETCH(tex1DLod, cudaTextureObject_t, float, float)
__CPASYNC_FETCH(tex2DLod, cudaTextureObject_t, float, float, float)
__CPASYNC_FETCH(tex3DLod, cudaTextureObject_t, float, float, float, float)
__CPASYNC_FETCH(texCubemap, cudaTextureObject_t, float, float, float)
#undef __CPASYNC_FETCH

#define __CPASYNC_SURFACE(N, ...)                                              \
  template <class T>                                                           \
  __CPASYNC_D T surf##N##read(cudaSurfaceObject_t, __VA_ARGS__,                \
                              cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <class T>                                                           \
  __CPASYNC_D void surf##N##read(T *, cudaSurfaceObject_t, __VA_ARGS__,        \
                                 cudaSurfaceBoundaryMode =                     \
                                     cudaBoundaryModeTrap);                    \
  template <class T>                                                           \
  __CPASYNC_D void surf##N##write(T, cudaSurfaceObject_t, __VA_ARGS__,         \
                                  cudaSurfaceBoundaryMode =                    \
                                      cudaBoundaryModeTrap);
__CPASYNC_SURFACE(1D, int)
__CPASYNC_SURFACE(2D, int, int)
__CPASYNC_SURFACE(3D, int, int, int)
__CPASYNC_SURFACE(2DLayered, int, int, int)
#undef __CPASYNC_SURFACE

#endif // CPASYNC_TEXTURES_H

//===- copies.cu - Bulk copies and the fences around them ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90a

#include "interfaces.h"

// What a kernel here loads, and waits for.
#define LOADED(Api, ...)                                                       \
  __shared__ alignas(128) float Tile[Threads];                                 \
  __shared__ typename Api::Bar Full;                                           \
  begin<Ptx>(reinterpret_cast<uint64_t &>(Full), 1);                           \
  if (threadIdx.x == 0) {                                                      \
    Ptx::arriveExpect(reinterpret_cast<uint64_t &>(Full), Bytes);              \
    __VA_ARGS__;                                                               \
  }                                                                            \
  if (Right)                                                                   \
    Ptx::waitParity(reinterpret_cast<uint64_t &>(Full), 0);                    \
  else                                                                         \
    __syncthreads();                                                           \
  Out[threadIdx.x] = Tile[threadIdx.x]

// What it writes and has copied out, twice; the second time too early.
#define STORED(Type, ...)                                                      \
  __shared__ alignas(128) Type Tile[Threads];                                  \
  for (int Round = 0; Round < 2; ++Round) {                                    \
    Tile[threadIdx.x] = Round;                                                 \
    Ptx::fence();                                                              \
    __syncthreads();                                                           \
    if (threadIdx.x == 0) {                                                    \
      __VA_ARGS__;                                                             \
      Ptx::commit();                                                           \
      if (Right)                                                               \
        Ptx::waitRead<0>();                                                    \
    }                                                                          \
    __syncthreads();                                                           \
  }

//--- cp.async.bulk, global to shared::cluster

BODY(load) { LOADED(Api, Api::load(Tile, In, Bytes, Full)); }
KERNELS(load)
PAIR(load, Ptx)
PAIR(load, CudaPtx)
PAIR(load, Barrier)
PAIR(load, Experimental)

//--- cuda::memcpy_async with a barrier
// Limit: where it becomes a bulk copy, which hangs on the architecture and on the
// alignment that it is promised, an edit that waits for the thread's own copies does
// not help.

BODY(memcpyAsync) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ typename Api::Bar Full, Other;
  begin<Api>(Full, Threads);
  begin<Api>(Other, Threads);
  if (threadIdx.x == 0)
    cuda::memcpy_async(Tile, In, cuda::aligned_size_t<16>(Bytes), Full);
  Api::arriveAndWait(Right ? Full : Other);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(memcpyAsync)
PAIR(memcpyAsync, Barrier)

//--- cp.async.bulk, global to shared::cta

BODY(loadHere) { LOADED(Api, Api::loadHere(Tile, In, Bytes, Full)); }
KERNELS(loadHere)
PAIR(loadHere, Ptx)
PAIR(loadHere, CudaPtx)

//--- cp.async.bulk, shared to global

BODY(store) { STORED(float, Api::store(Out, Tile, Bytes)) }
KERNELS(store)
PAIR(store, Ptx)
PAIR(store, CudaPtx)
PAIR(store, Experimental)

//--- cp.reduce.async.bulk, shared to global

BODY(add) { STORED(int, Api::add(reinterpret_cast<int *>(Out), Tile, Bytes)) }
KERNELS(add)
PAIR(add, Ptx)
PAIR(add, CudaPtx)

//--- cp.async.bulk.prefetch
// Limit: what is prefetched is not looked at.

BODY(prefetch) {
  if (threadIdx.x == 0)
    ASM("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(In), "r"(Bytes));
  LOADED(Ptx, Ptx::load(Tile, In, Bytes, Full));
}
KERNEL(prefetch, ok, true)
USE(prefetch_ok, Ptx)

//--- cp.async.bulk.tensor, tiles of 1 to 5 dimensions, to shared
// Limit: how many bytes a tile has is what the host encodes, as far as it is followed;
// else the announced bytes are believed.

BODY(loadTile1) { LOADED(Api, Api::loadTile(Tile, Map, {0}, Full)); }
KERNELS(loadTile1)
PAIR(loadTile1, Ptx)
PAIR(loadTile1, CudaPtx)
PAIR(loadTile1, Experimental)

BODY(loadTile2) { LOADED(Api, Api::loadTile(Tile, Map, {0, 0}, Full)); }
KERNELS(loadTile2)
PAIR(loadTile2, Ptx)
PAIR(loadTile2, CudaPtx)
PAIR(loadTile2, Experimental)

BODY(loadTile3) { LOADED(Api, Api::loadTile(Tile, Map, {0, 0, 0}, Full)); }
KERNELS(loadTile3)
PAIR(loadTile3, Ptx)
PAIR(loadTile3, CudaPtx)
PAIR(loadTile3, Experimental)

BODY(loadTile4) { LOADED(Api, Api::loadTile(Tile, Map, {0, 0, 0, 0}, Full)); }
KERNELS(loadTile4)
PAIR(loadTile4, Ptx)
PAIR(loadTile4, CudaPtx)
PAIR(loadTile4, Experimental)

BODY(loadTile5) { LOADED(Api, Api::loadTile(Tile, Map, {0, 0, 0, 0, 0}, Full)); }
KERNELS(loadTile5)
PAIR(loadTile5, Ptx)
PAIR(loadTile5, CudaPtx)
PAIR(loadTile5, Experimental)

BODY(beyondTile) {
  __shared__ alignas(128) float Tile[2 * Threads];
  __shared__ uint64_t Full;
  begin<Ptx>(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    Api::loadTile(Tile, Map, {0, 0}, reinterpret_cast<typename Api::Bar &>(Full));
  }
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[Threads + threadIdx.x];
}
KERNEL(beyondTile, bad, false)
USE(beyondTile_bad, Ptx)
USE(beyondTile_bad, CudaPtx)
USE(beyondTile_bad, Experimental)

//--- cp.async.bulk.tensor.im2col, to shared
// Limit: as of other tiles.

BODY(im2col) {
  LOADED(Api, {
    ASM("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::"
        "complete_tx::bytes [%0], [%1, {%3, %3, %3}], [%2], {%4};" ::"r"(
            at(Tile)), "l"(Map), "r"(at(&Full)), "r"(0), "h"(short(0)));
  });
}
KERNELS(im2col)
PAIR(im2col, Ptx)

//--- cp.async.bulk.tensor, shared to global

BODY(storeTile1) { STORED(float, Api::storeTile(Map, {0}, Tile)) }
KERNELS(storeTile1)
PAIR(storeTile1, Ptx)
PAIR(storeTile1, CudaPtx)
PAIR(storeTile1, Experimental)

BODY(storeTile2) { STORED(float, Api::storeTile(Map, {0, 0}, Tile)) }
KERNELS(storeTile2)
PAIR(storeTile2, Ptx)
PAIR(storeTile2, CudaPtx)
PAIR(storeTile2, Experimental)

BODY(storeTile3) { STORED(float, Api::storeTile(Map, {0, 0, 0}, Tile)) }
KERNELS(storeTile3)
PAIR(storeTile3, Ptx)
PAIR(storeTile3, CudaPtx)
PAIR(storeTile3, Experimental)

BODY(storeTile4) { STORED(float, Api::storeTile(Map, {0, 0, 0, 0}, Tile)) }
KERNELS(storeTile4)
PAIR(storeTile4, Ptx)
PAIR(storeTile4, CudaPtx)
PAIR(storeTile4, Experimental)

BODY(storeTile5) { STORED(float, Api::storeTile(Map, {0, 0, 0, 0, 0}, Tile)) }
KERNELS(storeTile5)
PAIR(storeTile5, Ptx)
PAIR(storeTile5, CudaPtx)
PAIR(storeTile5, Experimental)

//--- cp.reduce.async.bulk.tensor

BODY(addTile) { STORED(float, Api::addTile(Map, {0, 0}, Tile)) }
KERNELS(addTile)
PAIR(addTile, Ptx)
PAIR(addTile, CudaPtx)

//--- cp.async.bulk.prefetch.tensor, prefetch.tensormap
// Limit: what is prefetched is not looked at.

BODY(prefetchTile) {
  if (threadIdx.x == 0) {
    ASM("prefetch.tensormap [%0];" ::"l"(Map));
    ASM("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %1}];" ::"l"(
            Map), "r"(0));
  }
  LOADED(Ptx, Ptx::loadTile(Tile, Map, {0, 0}, Full));
}
KERNEL(prefetchTile, ok, true)
USE(prefetchTile_ok, Ptx)

//--- cp.async.bulk.commit_group

BODY(commit) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    if (Right)
      Api::commit();
    Ptx::waitRead<0>();
  }
  __syncthreads();
  Tile[threadIdx.x] = 2;
}
KERNELS(commit)
PAIR(commit, Ptx)
PAIR(commit, CudaPtx)
PAIR(commit, Experimental)

//--- cp.async.bulk.wait_group

BODY(waitGroup) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    Ptx::commit();
    Api::template waitGroup<Right ? 0 : 1>();
  }
  __syncthreads();
  Tile[threadIdx.x] = 2;
}
KERNELS(waitGroup)
PAIR(waitGroup, Ptx)
PAIR(waitGroup, CudaPtx)

//--- cp.async.bulk.wait_group.read
// Limit: of what is in global memory nothing is known, so that a wait with .read does
// for whatever reads it back.

BODY(waitRead) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    Ptx::commit();
    Api::template waitRead<Right ? 0 : 1>();
  }
  __syncthreads();
  Tile[threadIdx.x] = 2;
}
KERNELS(waitRead)
PAIR(waitRead, Ptx)
PAIR(waitRead, CudaPtx)
PAIR(waitRead, Experimental)

BODY(readBack) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    Ptx::commit();
    Api::template waitRead<0>();
    Out[Threads] = Out[0];
  }
}
KERNEL(readBack, missed, false)
USE(readBack_missed, Ptx)
USE(readBack_missed, CudaPtx)
USE(readBack_missed, Experimental)

//--- fence.proxy.async
// Limit: what is read by one thread and filled again by a bulk copy needs a barrier,
// and no fence is asked for.

BODY(fence) {
  __shared__ alignas(128) float Tile[Threads];
  if (!Right)
    Api::fence();
  Tile[threadIdx.x] = 1;
  if (Right)
    Api::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    Ptx::commit();
    Ptx::waitRead<0>();
  }
}
KERNELS(fence)
PAIR(fence, Ptx)
PAIR(fence, CudaPtx)
PAIR(fence, Experimental)

//--- fence.proxy.async.global

BODY(otherFence) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  ASM("fence.proxy.async.global;" ::);
  if (Right)
    Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    Ptx::commit();
    Ptx::waitRead<0>();
  }
}
KERNELS(otherFence)
PAIR(otherFence, Ptx)

//--- fence.proxy.async::generic

BODY(restrictedFence) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  ASM("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;" ::);
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::store(Out, Tile, Bytes);
    Ptx::commit();
    Ptx::waitRead<0>();
  }
}
KERNEL(restrictedFence, gap, true)
USE(restrictedFence_gap, Ptx)

//--- fence.proxy.tensormap, tensormap.replace, tensormap.cp_fenceproxy
// Limit: what is in a tensor map that the kernel changes is not known; nothing is
// said of a fence that is missing.

BODY(changedMap) {
  __shared__ alignas(128) char Mine[128];
  if (threadIdx.x == 0)
    ASM("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::
            "r"(at(Mine)), "l"(Out));
  __syncwarp();
  if (threadIdx.x < 32)
    ASM("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
        "gpu.sync.aligned [%0], [%1], 128;" ::"l"(Map), "r"(at(Mine)));
  if (Right)
    ASM("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(Map));
  LOADED(Ptx, Ptx::loadTile(Tile, Map, {0, 0}, Full));
}
KERNEL(changedMap, ok, true)
USE(changedMap_ok, Ptx)

//===- runtime_api.h - Functions of the runtime API ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Mostly host functions; the few that kernels may call too are host+device.
// Kernel launches are calls of these in the AST, and templates take kernels by
// type so that naming a kernel instantiates it.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_RUNTIME_API_H
#define CPASYNC_RUNTIME_API_H

#include <cpasync/runtime_types.h>

// What <<<...>>> calls: the first for SDK 9.2 and later, the second before.
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaSetupArgument(const void *, size_t, size_t);
cudaError_t cudaLaunch(const void *);
// And in device code.
__CPASYNC_D void *cudaGetParameterBuffer(size_t, size_t);
__CPASYNC_D cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3,
                                         unsigned int, cudaStream_t);
}

extern "C" {
// Errors.
__CPASYNC_HD cudaError_t cudaGetLastError();
__CPASYNC_HD cudaError_t cudaPeekAtLastError();
__CPASYNC_HD const char *cudaGetErrorName(cudaError_t);
__CPASYNC_HD const char *cudaGetErrorString(cudaError_t);

// Devices.
__CPASYNC_HD cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
__CPASYNC_HD cudaError_t cudaDeviceGetLimit(size_t *, cudaLimit);
__CPASYNC_HD cudaError_t cudaDeviceSynchronize();
__CPASYNC_HD cudaError_t cudaGetDevice(int *);
__CPASYNC_HD cudaError_t cudaGetDeviceCount(int *);
__CPASYNC_HD cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaGetDriverEntryPoint(const char *, void **, unsigned long long,
                                    cudaDriverEntryPointQueryResult * = 0);
cudaError_t
cudaGetDriverEntryPointByVersion(const char *, void **, unsigned int,
                                 unsigned long long,
                                 cudaDriverEntryPointQueryResult * = 0);
cudaError_t cudaChooseDevice(int *, const cudaDeviceProp *);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceGetByPCIBusId(int *, const char *);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaGetDeviceFlags(unsigned int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaInitDevice(int, unsigned int, unsigned int);
cudaError_t cudaSetDevice(int);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaCtxResetPersistingL2Cache();

// Streams and events.
__CPASYNC_HD cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
__CPASYNC_HD cudaError_t cudaEventDestroy(cudaEvent_t);
__CPASYNC_HD cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
__CPASYNC_HD cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0,
                                                  unsigned int = 0);
__CPASYNC_HD cudaError_t cudaStreamCreateWithFlags(cudaStream_t *,
                                                   unsigned int);
__CPASYNC_HD cudaError_t cudaStreamDestroy(cudaStream_t);
__CPASYNC_HD cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                             unsigned int = 0);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *,
                                  unsigned int);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0,
                                     unsigned int = cudaMemAttachSingle);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned int, int);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID,
                                   const cudaStreamAttrValue *);
cudaError_t cudaStreamSynchronize(cudaStream_t);

// Graphs.
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned int);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 unsigned long long = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t,
                                          unsigned long long = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);

// Memory.
__CPASYNC_HD cudaError_t cudaFree(void *);
__CPASYNC_HD cudaError_t cudaMalloc(void **, size_t);
__CPASYNC_HD cudaError_t cudaMemcpyAsync(void *, const void *, size_t,
                                         cudaMemcpyKind, cudaStream_t = 0);
__CPASYNC_HD cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t,
                                           size_t, size_t, cudaMemcpyKind,
                                           cudaStream_t = 0);
__CPASYNC_HD cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *,
                             unsigned int *, cudaArray_t);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaGetSymbolSize(size_t *, const void *);
cudaError_t cudaHostAlloc(void **, size_t, unsigned int);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned int);
cudaError_t cudaHostRegister(void *, size_t, unsigned int);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaMalloc3D(cudaPitchedPtr *, cudaExtent);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *,
                              cudaExtent, unsigned int = 0);
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *,
                            size_t, size_t = 0, unsigned int = 0);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t,
                                    cudaStream_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaMallocManaged(void **, size_t,
                              unsigned int = cudaMemAttachGlobal);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                          cudaMemLocation);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const cudaMemPoolProps *);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation,
                                 unsigned int, cudaStream_t = 0);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                         cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *,
                                size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t,
                                cudaStream_t = 0);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t,
                              cudaMemcpyKind);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t,
                              cudaStream_t = 0);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);

// Textures and surfaces.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *,
                                    const cudaResourceDesc *);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *,
                                    const cudaResourceDesc *,
                                    const cudaTextureDesc *,
                                    const cudaResourceViewDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                            cudaChannelFormatKind);

// Kernels.
__CPASYNC_HD cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *,
                                               const void *);
__CPASYNC_HD cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
__CPASYNC_D void cudaGridDependencySynchronize();
__CPASYNC_D void cudaTriggerProgrammaticLaunchCompletion();
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **,
                                        size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *,
                                void **);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
} // extern "C"

// The C++ forms.
cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaExtent make_cudaExtent(size_t, size_t, size_t);
cudaPos make_cudaPos(size_t, size_t, size_t);
cudaPitchedPtr make_cudaPitchedPtr(void *, size_t, size_t, size_t);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();

template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **, size_t, cudaMemPool_t, cudaStream_t);
template <class T>
cudaError_t cudaMallocManaged(T **, size_t, unsigned int = cudaMemAttachGlobal);
template <class T>
cudaError_t cudaMallocHost(T **, size_t, unsigned int = cudaHostAllocDefault);
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned int);
template <class T>
cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned int);
template <class T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);

template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <class T> cudaError_t cudaGetSymbolSize(size_t *, const T &);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice,
                                    cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const T &, size_t, size_t = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                      cudaStream_t = 0);

template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, F *);
template <class F>
cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int);
template <class F> cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache);
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig);
template <class F>
cudaError_t cudaLaunchKernel(F *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
template <class F>
cudaError_t cudaLaunchCooperativeKernel(F *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = 0);
template <class... Params, class... Args>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(Params...),
                               Args &&...);
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, F, int,
                                                          size_t);
template <class F>
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, F, int, size_t,
                                                       unsigned int);
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, F, size_t = 0,
                                               int = 0);
template <class F, class SizeOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *, int *, F,
                                                           SizeOf, int = 0);
template <class F>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, F *, int, int);
template <class F>
cudaError_t cudaOccupancyMaxActiveClusters(int *, F *,
                                           const cudaLaunchConfig_t *);
template <class F>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, F *,
                                                 const cudaLaunchConfig_t *);

#endif // CPASYNC_RUNTIME_API_H

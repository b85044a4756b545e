// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <cuda.h>
#include <cudaTypedefs.h>

template <class A, class B> struct Same;
template <class A> struct Same<A, A> {};
Same<PFN_cuTensorMapEncodeTiled_v12000, decltype(&cuTensorMapEncodeTiled)> s;
static_assert(CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B == 15 &&
                  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B == 6,
              "as the driver numbers them");
static_assert(sizeof(CUtensorMap) == 128 &&
                  sizeof(CUlaunchAttributeValue) == 64,
              "as large as the driver's");

CUresult encodeByAddress(CUtensorMap *map, void *data, const cuuint64_t *dims,
                         const cuuint64_t *strides, const cuuint32_t *box) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                       12000, cudaEnableDefault,
                                       &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess)
    return CUDA_ERROR_NOT_FOUND;
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function)(
      map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, dims, strides, box, box,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

CUresult launchOnClusters(CUfunction kernel, void **arguments) {
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 2;
  CUlaunchConfig config = {};
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cuLaunchKernelEx(&config, kernel, arguments, nullptr);
}

CUresult mapMemory(CUdeviceptr *address, size_t size, int device) {
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = device;
  CUmemGenericAllocationHandle handle;
  cuMemCreate(&handle, size, &prop, 0);
  cuMemAddressReserve(address, size, 0, 0, 0);
  cuMemMap(*address, size, 0, handle, 0);
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  return cuMemSetAccess(*address, size, &access, 1);
}

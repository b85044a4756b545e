#include <tile.cuh>

#if !defined(WANTED) || !defined(FROM_HOST_FLAGS) || __CUDA_ARCH__ < 800
#error the build's flags are lost
#endif

__device__ int Length = sizeof(GREETING);

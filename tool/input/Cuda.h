//===- Cuda.h - The CUDA headers a file is parsed with ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ways to parse CUDA: with an installed toolkit, plus an overlay for the
// few headers Clang refuses, or with the declaration-only headers of ours that
// are built into the binary (lib/cuda-headers). The latter need nothing
// installed. Clang's own headers are built in as well, so that the binary works
// without any Clang.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_CUDA_H
#define CPASYNC_TOOL_INPUT_CUDA_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace cpasync {

struct CudaHeaders {
  std::string Root; ///< of the toolkit; empty: our own headers
  std::vector<std::string> FlagsBefore; ///< before the user's flags
  std::vector<std::string> FlagsAfter;
};

/// \p Mode is auto, toolkit or bundled; \p Path, if not empty, is where the
/// toolkit must be; \p Hint, if not empty, is tried before the usual places.
/// Fails if a toolkit is wanted and none is found.
llvm::Expected<CudaHeaders> findCudaHeaders(llvm::StringRef Mode,
                                            llvm::StringRef Path,
                                            llvm::StringRef Hint = "");

/// Where our headers appear in that file system; no real directory.
llvm::StringRef cudaMountPoint();

/// Flags that make Clang use its headers as they are built into the binary; for
/// the end of a command line.
std::vector<std::string> clangHeaderFlags();

/// The real file system with our headers and Clang's mounted over it.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
fileSystemWithCudaHeaders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_CUDA_H

# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bundled CUDA headers parse. Run: ctest -R '^headers/'."""

import os

import lit.formats

config.name = "cpasync-tidy-headers"
config.test_format = lit.formats.ShTest()
config.suffixes = [".cu"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(
    lit_config.params["build"], "test", "headers"
)
os.makedirs(config.test_exec_root, exist_ok=True)

root = os.path.dirname(os.path.dirname(config.test_source_root))
headers = os.path.join(root, "lib", "cuda-headers")
clang = os.path.join(lit_config.params["llvm"], "clang++")
config.substitutions.append(
    (
        "%clang_cuda",
        f"{clang} -x cuda -fsyntax-only --cuda-device-only "
        "--no-offload-arch=all --offload-arch=sm_80 -nocudainc -nocudalib "
        "-Wno-unknown-cuda-version -D__NVCC__ -D__CUDACC_VER_MAJOR__=13 "
        "-D__CUDACC_VER_MINOR__=0 "
        f"-include {headers}/cpasync_prelude.h -isystem {headers}/include",
    )
)

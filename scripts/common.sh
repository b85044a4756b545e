# Sourced by the scripts beside it: what the machine needs, and builds.
#
# Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${CPASYNC_JOBS:-$(nproc)}
llvm=/usr/lib/llvm-22

# Each line: a file that shows that a Debian package is there, and its name.
build_needs="
/usr/bin/clang++-22                              clang-22
$llvm/lib/libclangTidy.a                         libclang-22-dev
$llvm/lib/cmake/llvm/LLVMConfig.cmake            llvm-22-dev
/usr/bin/cmake                                   cmake
/usr/bin/ninja                                   ninja-build
"
wheel_needs="
/usr/lib/$(uname -m)-linux-gnu/libz.a            zlib1g-dev
/usr/lib/$(uname -m)-linux-gnu/libzstd.a         libzstd-dev
/usr/bin/python3                                 python3
"
# Debian keeps what `python3 -m venv` needs in a package of its own.
python3 -c 'import ensurepip' 2>/dev/null ||
  wheel_needs+="/usr/share/doc/python3-venv  python3-venv
"
test_needs="
/usr/bin/clang-tidy-22                           clang-tidy-22
/usr/bin/clang-format-22                         clang-format-22
$llvm/bin/FileCheck                              llvm-22-tools
$llvm/lib/clang/22/lib/linux/libclang_rt.asan-$(uname -m).a libclang-rt-22-dev
/usr/include/gtest/gtest.h                       libgtest-dev
/usr/include/benchmark/benchmark.h               libbenchmark-dev
/usr/bin/python3                                 python3
/usr/lib/python3/dist-packages/jsonschema        python3-jsonschema
"

die() {
  echo "$(basename "$0"): error: $*" >&2
  exit 2
}

# as_root COMMAND...
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "not root and no sudo; please run: $*"
  fi
}

# ensure_packages LIST: installs the packages whose file is missing.
ensure_packages() {
  local file package missing=()
  while read -r file package; do
    [ -z "$file" ] || [ -e "$file" ] || missing+=("$package")
  done <<<"$1"
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    die "please install what Debian calls: ${missing[*]}"
  echo "installing: ${missing[*]}" >&2
  as_root apt-get update -qq >&2
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "${missing[@]}" >&2
}

# configure PRESET CMAKE_OPTIONS...: silent when all goes well.
configure() {
  local folder log
  folder=$(build_folder "$1")
  log=$folder/configure.log
  mkdir -p "$folder"
  (cd "$root" && cmake --preset "$@") >"$log" 2>&1 || {
    cat "$log" >&2
    die "cmake --preset $* failed"
  }
}

# build PRESET TARGET...: silent when all goes well.
build() {
  local folder log
  folder=$(build_folder "$1")
  log=$folder/build.log
  shift
  ninja -C "$folder" -j "$jobs" "$@" >"$log" 2>&1 || {
    grep -v '^\[[0-9]*/' "$log" >&2 || true
    die "the build in $folder failed"
  }
}

build_folder() {
  if [ "$1" = release ]; then
    echo "$root/build"
  else
    echo "$root/build-$1"
  fi
}

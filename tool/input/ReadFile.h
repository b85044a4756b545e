//===- ReadFile.h - Input of a bounded size ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No input may hang the tool or eat the machine's memory: files that we read
// are regular files up to a size that nobody's files have.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_READFILE_H
#define CPASYNC_TOOL_INPUT_READFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <system_error>

namespace cpasync {

constexpr uint64_t MaxConfigBytes = 1 << 20;  ///< a .clang-tidy
constexpr uint64_t MaxSourceBytes = 64 << 20; ///< source, header, manifest
constexpr uint64_t MaxBaselineBytes = 256 << 20;
constexpr uint64_t MaxDatabaseBytes = 1 << 30; ///< a compile_commands.json
constexpr uint64_t MaxDiffBytes = 1 << 30;     ///< what git says
/// Of one command, with those that they name.
constexpr uint64_t MaxResponseBytes = 16 << 20;
constexpr unsigned MaxResponseFiles = 1000;

/// Whether \p File may be read: "not a regular file", "larger than 64 MiB".
std::error_code checkFile(const llvm::Twine &File, uint64_t MaxBytes);

/// The text of \p File, a copy; that of EditedTexts.h if it has one.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readFile(const llvm::Twine &File, uint64_t MaxBytes);

/// As llvm::json::parse(), which takes a piece of the stack for each level of
/// nesting; the error says where it went too far.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_READFILE_H

//===- ClientInput.h - What the client of the server says -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_CLIENTINPUT_H
#define CPASYNC_TOOL_LSP_CLIENTINPUT_H

#include "llvm/Support/LSP/Transport.h"
#include <functional>
#include <optional>
#include <string>

namespace cpasync {

/// Messages from a descriptor, one by one. LLVM's reader blocks until one is
/// there and ends the server at the first that is not JSON-RPC; this one looks
/// after a worker meanwhile, and hands on what can be understood only.
class ClientInput : public llvm::lsp::JSONTransportInput {
public:
  struct Listener {
    /// What to watch while the client says nothing; nothing: there is nothing.
    std::function<std::optional<int>()> Watched;
    /// That can be read.
    std::function<void()> Readable;
    /// A message is left out, or all that would follow.
    std::function<void(llvm::lsp::ErrorCode, const std::string &Why)> Refused;
  };

  ClientInput(int File, Listener Listens)
      : File(File), Listens(std::move(Listens)) {}

  bool hasError() const override { return false; }
  bool isEndOfInput() const override { return AtEnd; }
  /// It ended in the middle of something, or where no next message can be
  /// found.
  bool isBroken() const { return Broken; }

  llvm::LogicalResult readStandardMessage(std::string &Json) override;
  llvm::LogicalResult readDelimitedMessage(std::string &Json) override;

private:
  bool fill();
  std::optional<size_t> readHeader();
  std::optional<size_t> fail(const std::string &Why);

  int File;
  Listener Listens;
  std::string Buffer; ///< read, but not handed on
  bool AtEnd = false;
  bool Broken = false;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_CLIENTINPUT_H

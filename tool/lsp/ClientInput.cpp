//===- ClientInput.cpp - What the client of the server says ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/ClientInput.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

using namespace cpasync;
using llvm::StringRef;
using llvm::lsp::ErrorCode;

/// Clients send two lines, of 60 characters together.
static constexpr size_t MaxHeaderBytes = 4096;

/// The largest source, with every second character escaped.
static constexpr size_t MaxMessageBytes = 2 * MaxSourceBytes;

/// Reads more; false at the end.
bool ClientInput::fill() {
  while (!AtEnd) {
    pollfd Polled[] = {{File, POLLIN, 0},
                       {Listens.Watched().value_or(-1), POLLIN, 0}};
    if (::poll(Polled, std::size(Polled), /*timeout=*/-1) < 0) {
      AtEnd = errno != EINTR;
      continue;
    }
    if (Polled[1].revents != 0)
      Listens.Readable();
    if (Polled[0].revents == 0)
      continue;
    char Bytes[1 << 16];
    const ssize_t Got = ::read(File, Bytes, sizeof Bytes);
    if (Got > 0) {
      Buffer.append(Bytes, static_cast<size_t>(Got));
      return true;
    }
    AtEnd = Got == 0 || errno != EINTR;
  }
  return false;
}

std::optional<size_t> ClientInput::fail(const std::string &Why) {
  Broken = true;
  AtEnd = true;
  Listens.Refused(ErrorCode::ParseError, Why);
  return std::nullopt;
}

/// Takes the header of a message; how long that is. Where no length can be read
/// nobody can tell where the next message begins.
std::optional<size_t> ClientInput::readHeader() {
  std::optional<size_t> Length;
  for (size_t Taken = 0;;) {
    const size_t End = Buffer.find('\n');
    if (Taken + std::min(End, Buffer.size()) > MaxHeaderBytes)
      return fail("the header of a message is longer than " +
                  std::to_string(MaxHeaderBytes) + " bytes");
    if (End == std::string::npos) {
      if (fill())
        continue;
      if (Taken == 0 && Buffer.empty())
        return std::nullopt; // between two messages
      return fail("the input ends in the header of a message");
    }
    const std::string Line = StringRef(Buffer).take_front(End).trim().str();
    Buffer.erase(0, End + 1);
    Taken += End + 1;
    if (Line.empty()) {
      if (!Length)
        return fail("a message has no Content-Length");
      return Length;
    }
    const auto [Name, Value] = StringRef(Line).split(':');
    if (!Name.trim().equals_insensitive("content-length"))
      continue;
    size_t Number = 0;
    if (Value.trim().getAsInteger(10, Number))
      return fail("Content-Length is a number of bytes, not '" +
                  Value.trim().str() + "'");
    if (Number > MaxMessageBytes)
      return fail("a message has " + std::to_string(Number) +
                  " bytes; the most are " + std::to_string(MaxMessageBytes));
    Length = Number;
  }
}

/// What is wrong with a message, if anything.
static std::optional<std::pair<ErrorCode, std::string>> fault(StringRef Json) {
  llvm::Expected<llvm::json::Value> Message = parseJson(Json);
  if (!Message)
    return std::pair(ErrorCode::ParseError,
                     "a message is not valid JSON: " +
                         llvm::toString(Message.takeError()));
  const llvm::json::Object *Object = Message->getAsObject();
  const bool Says = Object && (Object->getString("method") ||
                               (!Object->get("method") && Object->get("id")));
  if (!Says || Object->getString("jsonrpc") != "2.0")
    return std::pair(ErrorCode::InvalidRequest,
                     std::string("a message is not JSON-RPC 2.0"));
  return std::nullopt;
}

llvm::LogicalResult ClientInput::readStandardMessage(std::string &Json) {
  while (const std::optional<size_t> Length = readHeader()) {
    while (Buffer.size() < *Length)
      if (!fill()) {
        fail("the input ends in a message");
        return llvm::failure();
      }
    Json = Buffer.substr(0, *Length);
    Buffer.erase(0, *Length);
    const auto Fault = fault(Json);
    if (!Fault)
      return llvm::success();
    Listens.Refused(Fault->first, Fault->second);
  }
  return llvm::failure();
}

llvm::LogicalResult ClientInput::readDelimitedMessage(std::string &Json) {
  return readStandardMessage(Json);
}

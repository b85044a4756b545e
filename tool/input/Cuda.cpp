//===- Cuda.cpp - The CUDA headers a file is parsed with ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Cuda.h"
#include "tool/input/Embedded.h"
#include "tool/input/ReadFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace cpasync;
using llvm::StringRef;

/// Where the embedded headers appear; no real directories.
static constexpr StringRef MountPoint = "/cpasync-tidy/cuda";
static constexpr StringRef ResourceDir = "/cpasync-tidy/clang";

namespace {

struct Version {
  unsigned Major = 13, Minor = 0, Build = 88;
};

} // namespace

/// nvcc's version as its headers and its manifest give it.
static std::optional<Version> toolkitVersion(StringRef Root) {
  auto Header = readFile(Root + "/include/cuda.h", MaxSourceBytes);
  if (!Header)
    return std::nullopt;
  StringRef Text = (*Header)->getBuffer();
  constexpr StringRef Define = "#define CUDA_VERSION ";
  const size_t At = Text.find(Define);
  unsigned Number = 0;
  if (At == StringRef::npos)
    return std::nullopt;
  Text = Text.substr(At + Define.size());
  if (Text.consumeInteger(10, Number))
    return std::nullopt;
  Version V{Number / 1000, Number % 1000 / 10, 0};

  auto Manifest = readFile(Root + "/version.json", MaxSourceBytes);
  if (!Manifest)
    return V;
  llvm::Expected<llvm::json::Value> Json = parseJson((*Manifest)->getBuffer());
  if (!Json) {
    llvm::consumeError(Json.takeError());
    return V;
  }
  const llvm::json::Object *Nvcc = nullptr;
  if (const llvm::json::Object *Top = Json->getAsObject())
    Nvcc = Top->getObject("cuda_nvcc");
  if (Nvcc)
    if (std::optional<StringRef> Full = Nvcc->getString("version"))
      Full->rsplit('.').second.getAsInteger(10, V.Build);
  return V;
}

/// Clang's wrapper of the runtime header needs all of these.
static bool isComplete(StringRef Root) {
  for (const char *Needed : {"cuda.h", "cuda_runtime.h", "crt/host_config.h"})
    if (!llvm::sys::fs::exists(Root + "/include/" + Needed))
      return false;
  return true;
}

/// Roots to try, best first.
static std::vector<std::string> toolkitCandidates() {
  std::vector<std::string> Roots;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Variable))
      Roots.push_back(Value);
  if (auto Nvcc = llvm::sys::findProgramByName("nvcc")) {
    llvm::SmallString<128> Real;
    if (!llvm::sys::fs::real_path(*Nvcc, Real))
      Roots.push_back(
          llvm::sys::path::parent_path(llvm::sys::path::parent_path(Real))
              .str());
  }
  Roots.insert(Roots.end(), {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"});
  return Roots;
}

static std::vector<std::string> versionMacros(const Version &V) {
  // Clang defines none of these, and code that tests them would vanish.
  const std::string Major = std::to_string(V.Major);
  const std::string Minor = std::to_string(V.Minor);
  return {"-D__NVCC__",
          "-D__CUDACC_VER_MAJOR__=" + Major,
          "-D__CUDACC_VER_MINOR__=" + Minor,
          "-D__CUDACC_VER_BUILD__=" + std::to_string(V.Build),
          "-D__CUDA_API_VER_MAJOR__=" + Major,
          "-D__CUDA_API_VER_MINOR__=" + Minor,
          "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1"};
}

static CudaHeaders bundledHeaders() {
  CudaHeaders Headers;
  Headers.FlagsBefore = versionMacros(Version());
  const std::string Mount = MountPoint.str();
  Headers.FlagsBefore.insert(Headers.FlagsBefore.end(),
                             {"-nocudainc", "-include",
                              Mount + "/cpasync_prelude.h", "-isystem",
                              Mount + "/include"});
  Headers.FlagsAfter = {"-idirafter", Mount + "/fallback"};
  return Headers;
}

static CudaHeaders toolkitHeaders(StringRef Root, const Version &V) {
  CudaHeaders Headers;
  Headers.Root = Root.str();
  Headers.FlagsBefore = versionMacros(V);
  Headers.FlagsBefore.insert(
      Headers.FlagsBefore.end(),
      // What Clang's driver would add, without the
      // rest that it wants of an installation.
      {"-nocudainc", "-include", "__clang_cuda_runtime_wrapper.h", "-include",
       (MountPoint + "/cpasync_implicit.h").str(), "-isystem",
       (MountPoint + "/overlay").str(), "-isystem", Headers.Root + "/include",
       // -nocudalib hides the toolkit's version, and
       // launches are then looked up the way of CUDA 9.
       "-Xclang", "-target-sdk-version=12.9"});
  // CUDA 13 moved libcu++, Thrust and CUB; nvcc finds them by itself.
  const std::string Cccl = Headers.Root + "/include/cccl";
  if (llvm::sys::fs::is_directory(Cccl))
    Headers.FlagsAfter = {"-isystem", Cccl};
  Headers.FlagsAfter.insert(Headers.FlagsAfter.end(),
                            {"-idirafter", (MountPoint + "/fallback").str()});
  return Headers;
}

llvm::Expected<CudaHeaders>
cpasync::findCudaHeaders(StringRef Mode, StringRef Path, StringRef Hint) {
  if (Mode == "bundled")
    return bundledHeaders();
  std::vector<std::string> Roots = toolkitCandidates();
  if (!Hint.empty())
    Roots.insert(Roots.begin(), Hint.str());
  if (!Path.empty())
    Roots = {Path.str()};
  for (const std::string &Root : Roots)
    if (isComplete(Root))
      if (std::optional<Version> V = toolkitVersion(Root))
        return toolkitHeaders(Root, *V);
  if (!Path.empty())
    return llvm::createStringError("no complete CUDA toolkit in " + Path);
  if (Mode == "toolkit")
    return llvm::createStringError(
        "no CUDA toolkit found; see --cuda-path and --cuda=bundled");
  return bundledHeaders();
}

StringRef cpasync::cudaMountPoint() { return MountPoint; }

std::vector<std::string> cpasync::clangHeaderFlags() {
  // Debian's driver looks for <resource dir>/include on the disk and takes
  // another one if it is not there, so both directories are given by hand, in
  // the places where they belong: the wrappers before the standard library,
  // the rest after it.
  const std::string Include = (ResourceDir + "/include").str();
  return {"-resource-dir", ResourceDir.str(),          "-nobuiltininc",
          "-isystem",      Include + "/cuda_wrappers", "-idirafter",
          Include};
}

llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
cpasync::fileSystemWithCudaHeaders(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base) {
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto Mount = [&Memory](const llvm::Twine &Folder,
                         llvm::ArrayRef<EmbeddedFile> Files) {
    for (const EmbeddedFile &File : Files)
      Memory->addFile(Folder + "/" + File.Name, /*ModificationTime=*/0,
                      llvm::MemoryBuffer::getMemBuffer(File.text(), File.Name));
  };
  Mount(MountPoint, cudaHeaders());
  Mount(ResourceDir + "/include", clangHeaders());
  auto Overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(Base));
  Overlay->pushOverlay(Memory);
  return Overlay;
}

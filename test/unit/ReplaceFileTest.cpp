//===- ReplaceFileTest.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/ReplaceFile.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cpasync;
namespace fs = llvm::sys::fs;

namespace {

/// A folder of its own for each test.
class ReplaceFile : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("cpasync-replace", Folder));
  }
  void TearDown() override { EXPECT_FALSE(fs::remove_directories(Folder)); }

  std::string path(llvm::StringRef Name) const {
    return (Folder + "/" + Name).str();
  }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) {
    llvm::Error Err =
        writeFile(path(Name), [&](llvm::raw_ostream &OS) { OS << Text; });
    return llvm::toString(std::move(Err));
  }
  std::string read(llvm::StringRef Name) const {
    auto Buffer = readFile(path(Name), MaxSourceBytes);
    return Buffer ? (*Buffer)->getBuffer().str() : Buffer.getError().message();
  }
  unsigned files() const {
    unsigned Count = 0;
    std::error_code Code;
    for (fs::directory_iterator I(Folder, Code), End; I != End && !Code;
         I.increment(Code))
      ++Count;
    return Count;
  }

  llvm::SmallString<128> Folder;
};

} // namespace

TEST_F(ReplaceFile, WritesNewFilesAndOldOnes) {
  EXPECT_EQ(write("f", "one"), "");
  EXPECT_EQ(read("f"), "one");
  EXPECT_EQ(write("f", "two"), "");
  EXPECT_EQ(read("f"), "two");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceFile, NewFilesHaveTheUsualMode) {
  const mode_t Old = ::umask(027);
  EXPECT_EQ(write("f", "one"), "");
  ::umask(Old);
  struct stat Status;
  ASSERT_EQ(::stat(path("f").c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0640u);
}

TEST_F(ReplaceFile, KeepsTheMode) {
  ASSERT_EQ(write("f", "one"), "");
  ASSERT_EQ(::chmod(path("f").c_str(), 0751), 0);
  EXPECT_EQ(write("f", "two"), "");
  struct stat Status;
  ASSERT_EQ(::stat(path("f").c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0751u);
}

TEST_F(ReplaceFile, FollowsLinks) {
  ASSERT_FALSE(fs::create_directory(path("below")));
  ASSERT_EQ(write("below/f", "one"), "");
  ASSERT_EQ(::symlink("below/f", path("link").c_str()), 0);
  ASSERT_EQ(::symlink("link", path("outer").c_str()), 0);
  EXPECT_EQ(write("outer", "two"), "");
  EXPECT_EQ(read("below/f"), "two");
  EXPECT_TRUE(fs::is_symlink_file(path("link")));
  EXPECT_TRUE(fs::is_symlink_file(path("outer")));
}

TEST_F(ReplaceFile, MakesWhatALinkPromises) {
  ASSERT_EQ(::symlink("target", path("link").c_str()), 0);
  EXPECT_EQ(write("link", "one"), "");
  EXPECT_EQ(read("target"), "one");
  EXPECT_TRUE(fs::is_symlink_file(path("link")));
}

TEST_F(ReplaceFile, WritesToOpenFilesAsTheyAre) {
  ASSERT_EQ(write("f", "one"), "");
  const int FD = ::open(path("f").c_str(), O_RDWR);
  ASSERT_GE(FD, 0);
  const std::string Name = "/dev/fd/" + std::to_string(FD);
  llvm::Error Err = writeFile(Name, [](llvm::raw_ostream &OS) { OS << "two"; });
  EXPECT_EQ(llvm::toString(std::move(Err)), "");
  char Text[4] = {};
  EXPECT_EQ(::read(FD, Text, 3), 3);
  EXPECT_STREQ(Text, "two");
  ::close(FD);
}

TEST_F(ReplaceFile, AFailureLeavesTheOldFile) {
  ASSERT_EQ(write("f", "one"), "");
  rlimit Old;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &Old), 0);
  const rlimit Small = {1000, Old.rlim_max};
  const auto Handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Small), 0);
  const std::string Overwritten = write("f", std::string(100000, 'x'));
  const std::string New = write("g", std::string(100000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &Old);
  std::signal(SIGXFSZ, Handler);
  EXPECT_EQ(Overwritten, path("f") + ": File too large");
  EXPECT_EQ(New, path("g") + ": File too large");
  EXPECT_EQ(read("f"), "one");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceFile, ADirectoryIsNone) {
  ASSERT_FALSE(fs::create_directory(path("d")));
  EXPECT_EQ(write("d", "one"), path("d") + ": Is a directory");
  EXPECT_EQ(write("none/f", "one"),
            path("none/f") + ": No such file or directory");
}

TEST_F(ReplaceFile, ChangesWhatIsThere) {
  ASSERT_EQ(write("f", "one"), "");
  llvm::Error Err = changeFile(
      path("f"), [](llvm::StringRef Text) -> llvm::Expected<std::string> {
        return Text.str() + "+";
      });
  EXPECT_EQ(llvm::toString(std::move(Err)), "");
  EXPECT_EQ(read("f"), "one+");
}

TEST_F(ReplaceFile, ARefusedChangeChangesNothing) {
  ASSERT_EQ(write("f", "one"), "");
  llvm::Error Err =
      changeFile(path("f"), [](llvm::StringRef) -> llvm::Expected<std::string> {
        return llvm::createStringError("no");
      });
  EXPECT_EQ(llvm::toString(std::move(Err)), "no");
  EXPECT_EQ(read("f"), "one");
  EXPECT_EQ(files(), 1u);
}

/// Whether another process would have to wait for \p File.
static bool isLockedForOthers(const std::string &File) {
  const pid_t Child = ::fork();
  if (Child == 0) {
    const int FD = ::open(File.c_str(), O_RDWR);
    struct flock Lock = {};
    Lock.l_type = F_WRLCK;
    Lock.l_whence = SEEK_SET;
    const bool Locked = ::fcntl(FD, F_SETLK, &Lock) != 0;
    ::_exit(Locked ? 1 : 0);
  }
  int Status = 0;
  ::waitpid(Child, &Status, 0);
  return WIFEXITED(Status) && WEXITSTATUS(Status) == 1;
}

TEST_F(ReplaceFile, LocksWhatItChanges) {
  ASSERT_EQ(write("f", "one"), "");
  EXPECT_FALSE(isLockedForOthers(path("f")));
  bool Locked = false;
  llvm::Error Err = changeFile(
      path("f"), [&](llvm::StringRef) -> llvm::Expected<std::string> {
        Locked = isLockedForOthers(path("f"));
        return "two";
      });
  EXPECT_EQ(llvm::toString(std::move(Err)), "");
  EXPECT_TRUE(Locked);
  EXPECT_FALSE(isLockedForOthers(path("f")));
}

TEST_F(ReplaceFile, ReadsRegularFilesOfALimitedSizeOnly) {
  ASSERT_EQ(write("f", std::string((1 << 20) + 1, 'x')), "");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(checkFile(path("f"), 1 << 20).message(), "larger than 1 MiB");
  EXPECT_FALSE(checkFile(path("f"), 2 << 20));
  EXPECT_EQ(checkFile(path("pipe"), 1 << 20).message(), "not a regular file");
  EXPECT_EQ(checkFile("/dev/zero", 1 << 20).message(), "not a regular file");
  EXPECT_EQ(checkFile("/proc/self/maps", 1 << 20).message(),
            "not a regular file");
  EXPECT_EQ(checkFile(Folder, 1 << 20), std::errc::is_a_directory);
  EXPECT_EQ(checkFile(path("none"), 1 << 20),
            std::errc::no_such_file_or_directory);
}

TEST_F(ReplaceFile, JsonHasABottom) {
  const auto Nested = [](unsigned Levels) {
    return std::string(Levels, '[') + std::string(Levels, ']');
  };
  EXPECT_TRUE(bool(parseJson(Nested(1000))));
  EXPECT_TRUE(bool(parseJson("[\"" + std::string(2000, '[') + "\\\"[\"]")));
  EXPECT_EQ(llvm::toString(parseJson(Nested(1001)).takeError()),
            "nested too deeply at byte 1000");
}

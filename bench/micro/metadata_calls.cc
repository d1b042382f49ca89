// SPDX-License-Identifier: BSD-3-Clause
// The measured calls that move no data.
#include <dirent.h>
#include <sys/stat.h>

#include <cstdio>

#include "bench/micro/files.h"

namespace toto::bench {
namespace {

struct OnFile {
  explicit OnFile(const std::string& folder) : file(folder), other(folder + "/other") {}
  File file;
  std::string other;  // a name that is free
};

struct Seek : OnFile {
  using OnFile::OnFile;
  void operator()() { check(::lseek(file.fd(), places.next(), SEEK_SET) >= 0, "lseek"); }
  Places<4096> places;
};
struct OpenClose : OnFile {
  using OnFile::OnFile;
  void operator()() {
    const int fd = ::open(file.path(), O_RDWR);
    check(fd >= 0 && ::close(fd) == 0, "open, close");
  }
};
struct CreateRemove : OnFile {
  using OnFile::OnFile;
  void operator()() {
    const int fd = ::open(other.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    check(fd >= 0 && ::close(fd) == 0 && ::unlink(other.c_str()) == 0, "open, close, unlink");
  }
};
struct DupClose : OnFile {
  using OnFile::OnFile;
  void operator()() {
    const int fd = ::dup(file.fd());
    check(fd >= 0 && ::close(fd) == 0, "dup, close");
  }
};
struct Stat : OnFile {
  using OnFile::OnFile;
  void operator()() { check(::stat(file.path(), &about) == 0, "stat"); }
  struct stat about {};
};
struct FStat : Stat {
  using Stat::Stat;
  void operator()() { check(::fstat(file.fd(), &about) == 0, "fstat"); }
};
struct Access : OnFile {
  using OnFile::OnFile;
  void operator()() { check(::access(file.path(), R_OK) == 0, "access"); }
};
struct Sync : OnFile {
  using OnFile::OnFile;
  void operator()() { check(::fsync(file.fd()) == 0, "fsync"); }
};
struct Truncate : OnFile {
  using OnFile::OnFile;
  void operator()() { check(::ftruncate(file.fd(), kFileBytes) == 0, "ftruncate"); }
};
struct ChangeMode : OnFile {
  using OnFile::OnFile;
  void operator()() { check(::chmod(file.path(), 0600) == 0, "chmod"); }
};
struct Rename : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(::rename(file.path(), other.c_str()) == 0 && ::rename(other.c_str(), file.path()) == 0, "rename");
  }
};
struct MakeFolder : OnFile {
  using OnFile::OnFile;
  void operator()() {
    check(::mkdir(other.c_str(), 0700) == 0 && ::rmdir(other.c_str()) == 0, "mkdir, rmdir");
  }
};
// ".", ".." and the file.
struct List : OnFile {
  explicit List(const std::string& in) : OnFile(in), folder(in) {}
  void operator()() {
    DIR* all = ::opendir(folder.c_str());
    check(all != nullptr, "opendir");
    while (::readdir(all) != nullptr) {
    }
    check(::closedir(all) == 0, "closedir");
  }
  std::string folder;
};

}  // namespace

std::vector<Measured> metadata_calls(const std::string& folder) {
  return {measured<Seek>("lseek", folder),
          measured<OpenClose>("open_close", folder),
          measured<CreateRemove>("create_close_unlink", folder),
          measured<DupClose>("dup_close", folder),
          measured<Stat>("stat", folder),
          measured<FStat>("fstat", folder),
          measured<Access>("access", folder),
          measured<Sync>("fsync", folder),
          measured<Truncate>("ftruncate", folder),
          measured<ChangeMode>("chmod", folder),
          measured<Rename>("rename_twice", folder),
          measured<MakeFolder>("mkdir_rmdir", folder),
          measured<List>("opendir_readdir_closedir", folder)};
}

}  // namespace toto::bench

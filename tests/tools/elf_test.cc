// SPDX-License-Identifier: BSD-3-Clause
// ELF files as they are, damaged ones, and the MPI that libraries stand for.
#include "tools/elf.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/mpi_kind.h"
#include "tools/program.h"

namespace toto::tools {
namespace {

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Scratch {
 public:
  Scratch()
      : path_(
            (std::filesystem::temp_directory_path() / ("toto-elf-" + std::to_string(::getpid()))).string()) {}
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    return path_;
  }

 private:
  std::string path_;
};

bool has(const std::vector<std::string>& names, std::string_view start) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.starts_with(start); });
}

TEST(Elf, ReadsThisProgram) {
  const auto elf = read_elf(own_path());
  ASSERT_TRUE(elf.has_value());
  EXPECT_FALSE(elf->foreign);
  EXPECT_TRUE(elf->loader.starts_with('/'));
  EXPECT_TRUE(has(elf->needed, "libc.so"));
}

TEST(Elf, LoaderListsAtLeastWhatIsNeeded) {
  const auto elf = read_elf(own_path());
  ASSERT_TRUE(elf.has_value());
  const auto all = libraries_of(own_path(), elf->loader);
  for (const std::string& name : elf->needed) EXPECT_TRUE(has(all, name)) << name;
  EXPECT_TRUE(libraries_of(own_path(), "").empty());
  EXPECT_TRUE(libraries_of(own_path(), "/no/such/loader").empty());
  EXPECT_TRUE(libraries_of("/no/such/program", elf->loader).empty());
}

TEST(Elf, NoElfFile) {
  EXPECT_FALSE(read_elf("/etc/passwd").has_value());
  EXPECT_FALSE(read_elf("/tmp").has_value());
  EXPECT_FALSE(read_elf("/no/such/file").has_value());
  EXPECT_FALSE(read_elf("/dev/null").has_value());
}

TEST(Elf, OtherProcessorIsForeign) {
  const Scratch scratch;
  std::string bytes = bytes_of(own_path());
  bytes[4] = bytes[4] == 1 ? 2 : 1;  // EI_CLASS
  const auto elf = read_elf(scratch.write(bytes));
  ASSERT_TRUE(elf.has_value());
  EXPECT_TRUE(elf->foreign);
}

// Cut anywhere and with wild numbers in its headers, a file gives less, and no crash.
TEST(Elf, DamagedFiles) {
  const Scratch scratch;
  const std::string whole = bytes_of("/bin/true");
  for (std::size_t size = 0; size < 1024 && size < whole.size(); size += 7) {
    (void)read_elf(scratch.write(whole.substr(0, size)));
  }
  for (std::size_t at = 5; at < 1024 && at < whole.size(); at += 3) {
    std::string bad = whole;
    bad[at] = '\xFF';
    (void)read_elf(scratch.write(bad));
  }
}

TEST(MpiKind, ByLibraryName) {
  EXPECT_EQ(mpi_of_library("libmpi.so.40"), "openmpi");
  EXPECT_EQ(mpi_of_library("libmpi_mpifh.so.40"), "openmpi");
  EXPECT_EQ(mpi_of_library("libmpi_usempif08.so.40"), "openmpi");
  EXPECT_EQ(mpi_of_library("libmpich.so.12"), "mpich");
  EXPECT_EQ(mpi_of_library("libmpichfort.so.12"), "mpich");
  EXPECT_EQ(mpi_of_library("libmpifort.so.12"), "mpich");
  EXPECT_EQ(mpi_of_library("libmpi_cray.so.12"), "mpich");
  EXPECT_EQ(mpi_of_library("libmpi_gnu_91.so.12"), "mpich");
  EXPECT_EQ(mpi_of_library("libmpi_abi.so.0"), "mpi-abi");
  EXPECT_EQ(mpi_of_library("libmpi.so.12"), "?");
  EXPECT_EQ(mpi_of_library("libc.so.6"), "");
  EXPECT_EQ(mpi_of_library("libmpfr.so.6"), "");
}

TEST(MpiKind, SharedNameIsToldByTheLowerLayers) {
  Program program;
  program.path = own_path();
  program.readable = true;
  program.elf.loader = "/no/such/loader";
  program.elf.needed = {"libmpi.so.12", "libopen-rte.so.12", "libc.so.6"};
  EXPECT_EQ(mpi_of_program(program).name, "openmpi");
  program.elf.needed = {"libmpi.so.12", "libc.so.6"};
  EXPECT_EQ(mpi_of_program(program).name, "mpich");
}

TEST(Program, FindsAsExecvpDoes) {
  EXPECT_NE(find_executable("sh"), "");
  EXPECT_EQ(find_executable("no-such-program-anywhere"), "");
  EXPECT_EQ(find_executable(""), "");
  EXPECT_EQ(find_executable("./x"), "./x");
  const Program script = inspect_program("/no/such/script");
  EXPECT_FALSE(script.readable);
}

TEST(Program, ScriptGivesItsInterpreter) {
  const Scratch scratch;
  const Program direct = inspect_program(scratch.write("#! /bin/sh -e\nexit 0\n"));
  EXPECT_EQ(direct.interpreter, "/bin/sh");
  EXPECT_TRUE(direct.readable);
  EXPECT_EQ(direct.unseen, "");
  const Program by_env = inspect_program(scratch.write("#!/usr/bin/env -S A=b sh\n"));
  EXPECT_EQ(by_env.interpreter, find_executable("sh"));
  EXPECT_EQ(inspect_program(scratch.write("#!\n")).interpreter, "");
  EXPECT_EQ(inspect_program(scratch.write("")).interpreter, "");
}

}  // namespace
}  // namespace toto::tools

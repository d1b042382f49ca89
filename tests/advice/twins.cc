// SPDX-License-Identifier: BSD-3-Clause
// Programs that a computing centre warns of, and how they should be, scaled down. usage: twins WHICH FOLDER N
// Each does its work N times; twins.py is the same in Python.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

std::string folder;
int n = 0;

double sample(int i) { return 1.0 / (i + 1); }

void open_in_loop() {
  for (int i = 0; i < n; ++i) {
    std::ofstream file(folder + "/data_42.dat", std::ios::app);
    file << sample(i) << '\n';
  }
}

void open_once() {
  std::ofstream file(folder + "/data_42.dat", std::ios::app);
  for (int i = 0; i < n; ++i) file << sample(i) << '\n';
}

void endl_each_line() {
  std::ofstream file(folder + "/data_42.dat", std::ios::app);
  for (int i = 0; i < n; ++i) file << sample(i) << std::endl;
}

void flush_each_line() {
  std::FILE* file = std::fopen((folder + "/data_42.dat").c_str(), "a");
  for (int i = 0; i < n; ++i) {
    std::fprintf(file, "%g\n", sample(i));
    std::fflush(file);
  }
  std::fclose(file);
}

void print_lines() {
  std::FILE* file = std::fopen((folder + "/data_42.dat").c_str(), "a");
  for (int i = 0; i < n; ++i) std::fprintf(file, "%g\n", sample(i));
  std::fclose(file);
}

void many_files() {
  for (int i = 0; i < n; ++i) std::ofstream(folder + "/record." + std::to_string(i)) << sample(i) << '\n';
}

// A table of 4 KiB records, made by the caller; record number i of a random order.
constexpr std::size_t kRecord = 4096;
std::size_t record(int i) {
  return static_cast<std::size_t>(i) * static_cast<std::size_t>(i) * 7919U % 4099U;
}

void read_at_random() {
  const int fd = open((folder + "/table").c_str(), O_RDONLY);
  std::vector<char> buffer(kRecord);
  for (int i = 0; i < n; ++i) {
    if (pread(fd, buffer.data(), kRecord, static_cast<off_t>(record(i) * kRecord)) !=
        static_cast<ssize_t>(kRecord))
      std::abort();
  }
  close(fd);
}

void read_whole() {
  const int fd = open((folder + "/table").c_str(), O_RDONLY);
  std::vector<char> table(4099 * kRecord);
  if (read(fd, table.data(), table.size()) != static_cast<ssize_t>(table.size())) std::abort();
  close(fd);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<unsigned char>(table[record(i) * kRecord]);
  std::cout << sum << '\n';
}

// n MiB written and read back.
void through_a_file(bool removed) {
  const std::string path = folder + "/scratch.1";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  std::vector<char> buffer(1 << 20);
  for (int i = 0; i < n; ++i) {
    if (write(fd, buffer.data(), buffer.size()) < 0) std::abort();
  }
  lseek(fd, 0, SEEK_SET);
  for (int i = 0; i < n; ++i) {
    if (read(fd, buffer.data(), buffer.size()) < 0) std::abort();
  }
  close(fd);
  if (removed) unlink(path.c_str());
}
void scratch_file() { through_a_file(true); }
void result_file() { through_a_file(false); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string which = argv[1];
  folder = argv[2];
  n = std::atoi(argv[3]);
  struct Program {
    const char* name;
    void (*run)();
  };
  for (const Program& program :
       {Program{"open_in_loop", open_in_loop}, Program{"open_once", open_once},
        Program{"endl_each_line", endl_each_line}, Program{"flush_each_line", flush_each_line},
        Program{"print_lines", print_lines}, Program{"many_files", many_files},
        Program{"read_at_random", read_at_random}, Program{"read_whole", read_whole},
        Program{"scratch_file", scratch_file}, Program{"result_file", result_file}}) {
    if (which != program.name) continue;
    program.run();
    return 0;
  }
  return 2;
}

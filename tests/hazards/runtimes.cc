// SPDX-License-Identifier: BSD-3-Clause
// C++ streams and std::filesystem. usage: runtimes FOLDER
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  const std::string block(100000, 'x');
  {
    std::ofstream text(folder / "text"), binary(folder / "binary", std::ios::binary);
    for (int i = 0; i < 1000; ++i) text << i << ' ' << i * 0.5 << '\n';
    for (int i = 0; i < 10; ++i) binary.write(block.data(), 100000);
  }
  std::ifstream in(folder / "text");
  int number = 0, lines = 0;
  double half = 0;
  while (in >> number >> half) ++lines;
  std::filesystem::rename(folder / "binary", folder / "renamed");
  std::filesystem::resize_file(folder / "renamed", 500000);
  std::filesystem::create_directories(folder / "a" / "b");
  int entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::recursive_directory_iterator(folder)) ++entries;
  std::cout << lines << ' ' << number << ' ' << entries << ' '
            << std::filesystem::file_size(folder / "renamed") << '\n';
  return lines == 1000 ? 0 : 1;
}

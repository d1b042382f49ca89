// SPDX-License-Identifier: BSD-3-Clause
// Why a command ends: one clear message and the exit code. main() prints it; nothing else of an exception
// ever reaches the user.
#pragma once

#include <stdexcept>
#include <string>

namespace toto::tools {

inline constexpr int kExitFailure = 1;  // the question has no answer: bad file, nothing to read
inline constexpr int kExitUsage = 2;    // bad command line; nothing was started
inline constexpr int kExitNotExecutable = 126;
inline constexpr int kExitNotFound = 127;

class Failure : public std::runtime_error {
 public:
  Failure(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace toto::tools

// SPDX-License-Identifier: BSD-3-Clause
// What rank 0 of a file's communicator decided about one open, as one small message of fixed size for the
// others: every rank must hand the same hints to the MPI library (ROMIO ends the job when keys differ).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/outcome.h"

namespace toto::pmpi {

struct Decision {
  bool recorded = false;          // the file is of interest
  bool created = false;           // it was not there, and the open creates it
  bool made = false;              // made by rank 0, with a layout: open it without MPI_MODE_EXCL
  std::uint8_t file_system = 0;   // as File has it
  std::uint64_t stripe_size = 0;  // as read back; 0: not known
  std::uint32_t hints = 0;
  std::array<char, 1000> text{};  // "key\0value\0" a hint

  // False: no room for this one.
  bool add(std::string_view key, std::string_view value);

  // Calls visit(key, value), both NUL-terminated.
  template <class Visit>
  void for_each(Visit visit) const {
    const char* at = text.data();
    for (std::uint32_t i = 0; i < hints; ++i) {
      const std::string_view key(at);
      const std::string_view value(at + key.size() + 1);
      visit(key.data(), value.data());
      at = value.data() + value.size() + 1;
    }
  }

 private:
  std::uint32_t used_ = 0;
};

}  // namespace toto::pmpi

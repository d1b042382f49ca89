// SPDX-License-Identifier: BSD-3-Clause
//
// The command line.
#pragma once

#include <optional>
#include <string>

#include "filesystem.h"

namespace toto::stripefs {

struct Settings {
  Options options;
  std::string mount_point;
  std::string rates;  // as given: applied to the model once there is one
  std::string subtype;
  std::string source;  // "fsname"
  bool foreground = false;
};

// Nothing when there is nothing to mount: then `status` is what to exit with (a message has been printed).
std::optional<Settings> ParseCommandLine(int argc, char** argv, int* status);

// "1048576", "64K", "1M", "2G", with or without "iB". Nothing when it is not understood.
std::optional<std::uint64_t> ParseSize(std::string_view text);

}  // namespace toto::stripefs

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/trial.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "hints/layout/create.h"

namespace toto::tools {

std::string try_layout(const Spot& spot) {
  const std::string user = fmt::format("by uid {}", geteuid());
  if (const int error = spot.backend->permission(spot.folder.c_str())) {
    return fmt::format("no, {}: reserved to a group by the administrator ({})", user, std::strerror(error));
  }
  const std::string file = fmt::format("{}/.toto-check-{}", spot.folder == "/" ? "" : spot.folder, getpid());
  const auto outcome = std::make_unique<Outcome>();
  outcome->asked.count = 1;
  switch (layout::create(*spot.backend, file.c_str(), 0600, *outcome)) {
    case layout::Created::kYes:
      unlink(file.c_str());
      return fmt::format(
          "yes, {}; {}", user,
          outcome->layout_status == LayoutStatus::kRequested ? "not told what it became" : "read back");
    case layout::Created::kExists:
      return fmt::format("not tried: {} is there", file);
    case layout::Created::kRefused:
      break;
  }
  return fmt::format("no, {}: {}", user, std::strerror(outcome->error));
}

}  // namespace toto::tools

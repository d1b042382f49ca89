// SPDX-License-Identifier: BSD-3-Clause
// Exit code 77: FUSE cannot be used here.
#include "on_stripefs.h"

#include <cstdio>

namespace toto::layout {

std::unique_ptr<StripeMount> OnStripefs::mount_;
const Backend* OnStripefs::backend_ = nullptr;

}  // namespace toto::layout

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (fuse < 0) {
    std::printf("skipped: /dev/fuse cannot be opened: %s\n", std::strerror(errno));
    return 77;
  }
  close(fuse);
  {
    const toto::testing::StripeMount probe({});
    if (probe.status() == 77) return 77;
  }
  return RUN_ALL_TESTS();
}

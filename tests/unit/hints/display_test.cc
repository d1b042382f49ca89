// SPDX-License-Identifier: BSD-3-Clause
#include "hints/display.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace toto::hints {
namespace {

constexpr std::array kUsed{ProgramHint{.key = "cb_buffer_size", .value = "16777216"},
                           ProgramHint{.key = "striping_unit", .value = "65536"},
                           ProgramHint{.key = "romio_lustre_cb_lock_ahead_read", .value = "0"}};

std::string_view shown(MpiIo library, const Layout& obtained) {
  static const auto text = std::make_unique<DisplayText>();
  const auto outcome = std::make_unique<Outcome>();
  outcome->obtained = obtained;
  text->clear();
  display("/s/out", 3, library, kUsed, *outcome, *text);
  return text->view();
}

TEST(Display, IsInCraysForm) {
  EXPECT_EQ(shown(MpiIo::kRomio, {}),
            "PE 3: MPIIO hints for /s/out:\n"
            "          cb_buffer_size           = 16777216\n"
            "          striping_unit            = 65536\n"
            "          romio_lustre_cb_lock_ahead_read = 0\n");
}

TEST(Display, ShowsTheLayoutThatWasReadBack) {
  EXPECT_EQ(shown(MpiIo::kRomio, {.count = 4, .size = 1048576, .object_size = 0, .pool = {}}),
            "PE 3: MPIIO hints for /s/out:\n"
            "          cb_buffer_size           = 16777216\n"
            "          romio_lustre_cb_lock_ahead_read = 0\n"
            "          striping_factor          = 4\n"
            "          striping_unit            = 1048576\n");
}

TEST(Display, SaysWhereNothingIsProved) {
  EXPECT_TRUE(
      shown(MpiIo::kOmpio, {})
          .starts_with("PE 3: MPIIO hints for /s/out (as given: OMPIO does not tell what it uses):\n"));
}

}  // namespace
}  // namespace toto::hints

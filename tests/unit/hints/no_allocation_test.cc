// SPDX-License-Identifier: BSD-3-Clause
// The code of hints/ runs inside other programs' calls: it must not allocate.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "hints/advise.h"
#include "hints/decide.h"
#include "tests/unit/hints/simulated.h"

namespace {
std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace toto::hints {
namespace {

TEST(NoAllocation, ParsingAndDecidingUseNoHeap) {
  const auto rules = std::make_unique<Rules>();
  const auto outcome = std::make_unique<Outcome>();
  const ProgramHint program[] = {{"striping_unit", "4194304"}, {"cb_nodes", "4"}};
  Sources sources;
  sources.path = "/lustre/run/a.h5";
  sources.situation = {.file_system = FileSystem::kLustre,
                       .sharing = Sharing::kShared,
                       .calls = Calls::kCollective,
                       .interleaved = true,
                       .ranks = 64,
                       .nodes = 4,
                       .bytes = 1ULL << 40,
                       .targets = 32};
  sources.rules = rules.get();
  sources.program = program;
  sources.library = MpiIo::kOmpioOld;
  sources.can_set_layout = true;

  const std::size_t before = allocations;
  ASSERT_NE(before, 0U);  // the count works
  rules->parse("TOTO_HINTS", "*.h5:striping_factor=8:nope=1,bad,*:cb_buffer_size=x", [](std::string_view) {});
  decide(sources, *outcome);
  EXPECT_EQ(allocations, before);
  EXPECT_GT(outcome->hint_count, 3U);
}

TEST(NoAllocation, AdviceUsesNoHeap) {
  const auto summary = simulate(1, [](Rank& r) {
    for (int i = 0; i < 2000; ++i) r.open("/s/f").append(20).close();
  });
  const auto list = std::make_unique<AdviceList>();
  const std::size_t before = allocations;
  advise(*summary, 1'000'000, *list);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(list->size(), 1U);
}

}  // namespace
}  // namespace toto::hints

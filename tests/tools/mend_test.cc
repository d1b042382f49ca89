// SPDX-License-Identifier: BSD-3-Clause
// Areas that a crash has written over: no pointer leads out of them, no list goes on for ever; and of a good
// one nothing is changed.
#include "tools/mend.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "core/registry.h"
#include "core/summary.h"

namespace toto::tools {
namespace {

constexpr std::size_t kPage = 4096;

// A copy of an area between two pages that nobody may touch.
class Copy {
 public:
  explicit Copy(const Area& area) : size_(area.size) {
    void* memory = mmap(nullptr, size_ + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    start_ = static_cast<char*>(memory) + kPage;
    EXPECT_EQ(mprotect(start_, size_, PROT_READ | PROT_WRITE), 0);
    take(area);
  }
  ~Copy() { munmap(start_ - kPage, size_ + 2 * kPage); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  void take(const Area& area) { std::memcpy(start_, static_cast<const void*>(&area), size_); }
  [[nodiscard]] Area& area() { return *reinterpret_cast<Area*>(start_); }
  [[nodiscard]] char* bytes() { return start_; }

 private:
  std::size_t size_;
  char* start_ = nullptr;
};

Area& area_with_files() {
  EXPECT_TRUE(registry::start());
  Outcome outcome;
  outcome.reason = "a reason";
  outcome.add("cb_nodes", "4", Origin::kPrior);
  for (int i = 0; i < 3000; ++i) {
    File& file =
        *registry::find_or_add("/s/folder/of/files/" + std::to_string(i) + "/" + std::string(i % 50, 'x'));
    for (const Layer layer : {Layer::kPosix, Layer::kMpiIo})
      Shared::add(registry::shard(file, layer).counters[Counter::bytes_written], 1);
    registry::keep_outcome(file, outcome);
  }
  return *registry::area();
}

void read_all(Area& area) {
  static Summary summary;
  summary = Summary{};
  Summary::of_area(area, false, summary);
  std::size_t letters = 0;
  area.for_each(
      [](File& file, const std::array<Totals, kLayers>&, void* to) {
        auto& sum = *static_cast<std::size_t*>(to);
        for (const char c : file.path()) sum += static_cast<unsigned char>(c);
        if (file.outcome() == nullptr) return;
        for (const Hint& hint : file.outcome()->all_hints()) sum += name(hint.origin).size();
      },
      &letters);
  for (std::uint64_t hash = 0; hash < Area::kBuckets; ++hash)
    EXPECT_EQ(area.find(hash, "/not/there"), nullptr);
}

// In a child, which may not take for ever: reading it and what it may do to the process.
template <class Body>
void in_child(Body body) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(120);
    body();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Mend, AGoodAreaStaysAsItIs) {
  in_child([] {
    Area& area = area_with_files();
    ASSERT_GT(area.used.load(), 200'000U);
    ASSERT_NE(area.other.shards.get(), nullptr);
    Copy copy(area);
    mend(copy.area());
    EXPECT_EQ(std::memcmp(copy.bytes(), static_cast<const void*>(&area), area.size), 0);
  });
}

TEST(Mend, LinksThatLeadAnywhereInTheAreaMakeNoLoopAndNoCrash) {
  in_child([] {
    Area& area = area_with_files();
    Copy copy(area);
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      copy.take(area);
      for (unsigned links = random() % 4000; links > 0; --links) {
        const auto at = static_cast<std::int32_t>(random() % (area.used.load() / 4) * 4);
        const auto to = static_cast<std::int32_t>(random() % (area.used.load() / 64) * 64);
        const std::int32_t distance = to - at;
        if (at < 64) continue;  // who maps it has looked at these
        std::memcpy(copy.bytes() + at, &distance, sizeof distance);
      }
      mend(copy.area());
      read_all(copy.area());
    }
  });
}

TEST(Mend, AFileThatFollowsItselfIsCountedOnce) {
  in_child([] {
    Area& area = area_with_files();
    Copy copy(area);
    const std::uint64_t hash = path::hash("/s/folder/of/files/0/");
    auto* file = const_cast<File*>(copy.area().find(hash, "/s/folder/of/files/0/"));
    ASSERT_NE(file, nullptr);
    file->next.set(file);
    file->shards.get()->next.set(file->shards.get());
    mend(copy.area());
    EXPECT_EQ(copy.area().find(hash, "/s/folder/of/files/0/"), file);
    std::array<Totals, kLayers> totals{};
    file->totals(totals);
    EXPECT_EQ(totals[static_cast<std::size_t>(Layer::kMpiIo)][Counter::bytes_written], 1U);
  });
}

TEST(Mend, BytesThatAreAnythingMakeNoCrash) {
  in_child([] {
    Area& area = area_with_files();
    Copy copy(area);
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
      copy.take(area);
      const std::size_t from = 64 + random() % (area.used.load() - 64);
      const std::size_t bytes = std::min<std::size_t>(random() % 100'000, area.used.load() - from);
      for (std::size_t k = 0; k < bytes; ++k) copy.bytes()[from + k] = static_cast<char>(random());
      mend(copy.area());
      read_all(copy.area());
    }
  });
}

}  // namespace
}  // namespace toto::tools

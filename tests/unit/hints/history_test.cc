// SPDX-License-Identifier: BSD-3-Clause
#include "hints/history.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace toto::hints::history {
namespace {

class History : public testing::Test {
 protected:
  History() {
    std::string name = (std::filesystem::temp_directory_path() / "toto-history-XXXXXX").string();
    folder = mkdtemp(name.data());
    file = (folder / "state" / "history.json").string();
  }
  ~History() override { std::filesystem::remove_all(folder); }
  void write(const std::string& text) const {
    std::filesystem::create_directories(folder / "state");
    std::ofstream(file) << text;
  }
  [[nodiscard]] std::string text() const {
    std::stringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  }
  // Adds `found` as a job does at its end.
  int add(Record found, Record base = {}) {
    struct Job {
      Record found, base;
    } job{found, base};
    return update(
        file.c_str(),
        [](Records& there, void* context) {
          const Job& it = *static_cast<Job*>(context);
          merge(it.found, it.base, there);
        },
        &job, how);
  }
  std::filesystem::path folder;
  std::string file;
  Read how = Read::kOk;
  std::unique_ptr<Records> records = std::make_unique<Records>();
};

Record record(std::string_view family, std::uint32_t best = 8, std::uint32_t files = 3) {
  Record one;
  one.family = family;
  one.program = "prog";
  one.file_system = "lustre";
  one.targets = 8;
  one.ranks = 4;
  one.nodes = 2;
  one.usage = {
      .sharing = Sharing::kShared, .calls = Calls::kCollective, .bytes = 100 << 20, .request = 1 << 20};
  one.best = best;
  one.when = 1'700'000'000;
  one.arm_count = 2;
  one.arms[0] = {.count = 4, .files = 1, .speed = 200'000'000, .gain = -700'000, .compared = 1000};
  one.arms[1] = {.count = best, .files = files, .speed = 400'000'000};
  return one;
}

TEST_F(History, TheSameFamilyOnAnotherFileSystemOrPoolIsAnother) {
  Record other = record("/s/dump");
  other.place = 5;
  ASSERT_EQ(add(record("/s/dump")), 0);
  ASSERT_EQ(add(other), 0);
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  EXPECT_EQ(records->count, 2U);
  ASSERT_NE(records->find(other), nullptr);
  EXPECT_EQ(records->find(other)->place, 5U);
}

TEST_F(History, WhatIsWrittenIsReadBack) {
  Record odd = record("/s/\"dump\"\\.#\n\t\x01");
  ASSERT_EQ(add(odd), 0);
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  ASSERT_EQ(records->count, 1U);
  const Record& back = records->all[0];
  EXPECT_TRUE(back.same_key(odd));
  EXPECT_EQ(back.best, 8U);
  EXPECT_EQ(back.when, odd.when);
  EXPECT_EQ(back.usage.request, odd.usage.request);
  ASSERT_EQ(back.arm_count, 2U);
  EXPECT_EQ(back.arms[0].gain, -700'000);
  EXPECT_EQ(back.arms[1].speed, 400'000'000U);
}

// Names are bytes: cut in the middle of a character, or of another encoding. None of them may spoil the file.
TEST_F(History, NamesThatAreNoUtf8SpoilNothing) {
  std::string latin = "/s/caf\xe9/#", umlauts = "/s/", longest = "/s/";
  while (umlauts.size() < 120) umlauts += "\xc3\xa4";
  while (longest.size() < 300) longest += "\xc3\xa4";
  for (const std::string& name : {latin, umlauts, longest, std::string("/plain")})
    ASSERT_EQ(add(record(name)), 0);
  ASSERT_EQ(add(record("/after")), 0);
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  for (const std::string& name : {umlauts, std::string("/plain"), std::string("/after")}) {
    EXPECT_NE(records->find(record(name)), nullptr) << name;
  }
}

TEST_F(History, IsForItsUserAlone) {
  ASSERT_EQ(add(record("/a")), 0);
  struct stat info {};
  ASSERT_EQ(stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(History, ManyJobsAtOnceLoseNothing) {
  constexpr int kJobs = 12, kFamilies = 5;
  for (int job = 0; job < kJobs; ++job) {
    if (fork() != 0) continue;
    int failed = 0;
    for (int i = 0; i < kFamilies; ++i) {
      failed += add(record("/job" + std::to_string(job) + "/" + std::to_string(i))) != 0 ? 1 : 0;
    }
    failed += add(record("/common")) != 0 ? 1 : 0;
    _exit(failed);
  }
  for (int job = 0; job < kJobs; ++job) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  EXPECT_EQ(records->count, kJobs * kFamilies + 1U);
  const Record* common = records->find(record("/common"));
  ASSERT_NE(common, nullptr);
  EXPECT_EQ(common->arms[1].files, 3U * kJobs);
  EXPECT_EQ(common->arms[0].files, 1U * kJobs);
}

TEST_F(History, WhatAJobStartedFromCountsOnce) {
  ASSERT_EQ(add(record("/a", 8, 3)), 0);
  const Record base = record("/a", 8, 3);
  ASSERT_EQ(add(record("/a", 8, 5), base), 0);   // two more files
  ASSERT_EQ(add(record("/a", 8, 10), base), 0);  // seven more, by a job that started from the same
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  ASSERT_EQ(records->count, 1U);
  EXPECT_EQ(records->all[0].arms[1].files, 12U);
  EXPECT_EQ(records->all[0].arms[0].files, 1U);
}

TEST_F(History, TheBestWithMoreFilesBehindItStands) {
  ASSERT_EQ(add(record("/a", 8, 20)), 0);
  ASSERT_EQ(add(record("/a", 2, 3)), 0);
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  ASSERT_EQ(records->count, 1U);
  EXPECT_EQ(records->all[0].best, 8U);
  EXPECT_EQ(records->all[0].arm_count, 3U);  // 4, 8 and 2
}

TEST_F(History, AnotherSettingIsAnotherRecord) {
  Record other = record("/a");
  ASSERT_EQ(add(record("/a")), 0);
  for (int i = 0; i < 6; ++i) {
    other = record("/a");
    if (i == 0) other.ranks = 8;
    if (i == 1) other.nodes = 3;
    if (i == 2) other.program = "other";
    if (i == 3) other.targets = 16;  // another machine
    if (i == 4) other.usage.bytes *= 4;
    if (i == 5) other.usage.calls = Calls::kIndependent;
    ASSERT_EQ(add(other), 0);
  }
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  EXPECT_EQ(records->count, 7U);
}

TEST_F(History, WhatIsNotUnderstoodIsLeftAsItIs) {
  const struct {
    std::string text;
    Read read;
  } cases[] = {
      {"", Read::kDamaged},
      {"not json", Read::kDamaged},
      {R"({"toto_history":1,"families":[{"family":"/a")", Read::kDamaged},
      {R"({"toto_history":1,"families":[{"best":1.5}]})", Read::kDamaged},
      {R"({"toto_history":1,"families":[{"best":-1}]})", Read::kDamaged},
      {R"({"toto_history":1,"families":[]} and more)", Read::kDamaged},
      {R"({"other":[1,2,{"a":true}]})", Read::kDamaged},
      {std::string(100'000, '['), Read::kDamaged},
      {R"({"toto_history":2,"families":[{"new":"things"}]})", Read::kLater},
  };
  for (const auto& one : cases) {
    write(one.text);
    EXPECT_EQ(read(file.c_str(), *records), one.read) << one.text.substr(0, 60);
    EXPECT_EQ(records->count, 0U);
    EXPECT_EQ(add(record("/a")), EPROTO);
    EXPECT_EQ(how, one.read);
    EXPECT_EQ(text(), one.text);
  }
}

TEST_F(History, UnknownKeysOfTheSameVersionArePassedOver) {
  write(
      R"({"toto_history":1,"note":[1,{"x":"y"}],"families":[{"family":"/a","colour":"red","best":4,"arms":[{"stripes":4,"files":2,"mood":0}]}]})");
  ASSERT_EQ(read(file.c_str(), *records), Read::kOk);
  ASSERT_EQ(records->count, 1U);
  EXPECT_EQ(records->all[0].best, 4U);
  EXPECT_EQ(records->all[0].arms[0].files, 2U);
}

TEST_F(History, AFullHistoryForgetsTheOldest) {
  records->count = 0;
  for (std::size_t i = 0; i < kMostRecords; ++i) {
    Record& one = records->add();
    one = record("/" + std::to_string(i));
    one.when = 1000 + i;
  }
  records->add() = record("/new");
  EXPECT_EQ(records->count, kMostRecords);
  EXPECT_EQ(records->find(record("/0")), nullptr);
  EXPECT_NE(records->find(record("/1")), nullptr);
  EXPECT_NE(records->find(record("/new")), nullptr);
}

TEST_F(History, AFolderThatCannotBeWrittenIsAnErrorAndLeavesNothing) {
  std::ofstream(folder / "state") << "a file where a folder should be";
  EXPECT_NE(add(record("/a")), 0);
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++entries;
  EXPECT_EQ(entries, 1U);
}

}  // namespace
}  // namespace toto::hints::history

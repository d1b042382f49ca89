// SPDX-License-Identifier: BSD-3-Clause
// Each case runs in a process of its own, as settings are read once.
#include "core/config.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>

#include "core/log.h"

namespace toto {
namespace {

// Runs `body` in a child; true when it returned true there.
bool in_child(const std::function<bool()>& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    fclose(stderr);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string file_with(const std::string& text) {
  std::string name = testing::TempDir() + "toto_config_XXXXXX";
  close(mkstemp(name.data()));
  std::ofstream(name) << text;
  return name;
}

bool warned(std::string_view part) {
  for (const log::Warning& warning : log::warnings()) {
    if (warning.text.view().find(part) != std::string_view::npos) return true;
  }
  return false;
}

TEST(Config, NothingSetGivesTheDefaultsAndNoWarning) {
  EXPECT_TRUE(in_child([] {
    config::load();
    return config::settings().tuning && config::settings().hints_mode == "fill" && log::warnings().empty();
  }));
}

TEST(Config, GoodValuesOfEveryKindAreTaken) {
  EXPECT_TRUE(in_child([] {
    setenv("TOTO_STRIPE_COUNT_TUNING", "off", 1);
    setenv("TOTO_HINTS_MODE", "OVERRIDE", 1);
    setenv("TOTO_MEMORY_KIB", "2048", 1);
    setenv("TOTO_PFS_PATHS", "/scratch", 1);
    setenv("TOTO_LOG_LEVEL", "ERROR", 1);
    config::load();
    const Settings& s = config::settings();
    return !s.tuning && s.hints_mode == "override" && s.memory_kib == 2048 && s.pfs_paths == "/scratch" &&
           s.log_level == "error" && config::origin("TOTO_PFS_PATHS") == SettingOrigin::kEnvironment &&
           log::warnings().empty();
  }));
}

TEST(Config, ABadValueIsOneWarningWithNameValueAndDefault) {
  EXPECT_TRUE(in_child([] {
    setenv("TOTO_MEMORY_KIB", "lots", 1);
    setenv("TOTO_HINTS_MODE", "perhaps", 1);
    setenv("TOTO_SUMMARY", "2", 1);
    config::load();
    return config::settings().memory_kib == 1024 && config::settings().hints_mode == "fill" &&
           log::warnings().size() == 3 && warned("TOTO_MEMORY_KIB=\"lots\"") &&
           warned("the default \"1024\"") && warned("TOTO_HINTS_MODE=\"perhaps\"") &&
           warned("TOTO_SUMMARY=\"2\"");
  }));
}

TEST(Config, NumbersOutsideTheirRangeAreBad) {
  for (const char* text : {"255", "1048577", "-1", "99999999999999999999", "1024x", " 1024", "0x400"}) {
    EXPECT_TRUE(in_child([text] {
      setenv("TOTO_MEMORY_KIB", text, 1);
      config::load();
      return config::settings().memory_kib == 1024 && log::warnings().size() == 1;
    })) << text;
  }
}

TEST(Config, TheFileCountsAndTheEnvironmentWins) {
  const std::string name =
      file_with("TOTO_MEMORY_KIB = 4096\nTOTO_HINTS_MODE = \"override\"\nTOTO_SUMMARY = true\n");
  EXPECT_TRUE(in_child([&] {
    setenv("TOTO_CONFIG", name.c_str(), 1);
    setenv("TOTO_MEMORY_KIB", "512", 1);
    config::load();
    const Settings& s = config::settings();
    return s.memory_kib == 512 && s.hints_mode == "override" && s.summary &&
           config::origin("TOTO_SUMMARY") == SettingOrigin::kFile && log::warnings().empty();
  }));
  unlink(name.c_str());
}

TEST(Config, ABrokenFileIsOneWarningAndCountsForNothing) {
  const std::string name = file_with("TOTO_SUMMARY = true\nTOTO_MEMORY_KIB = = 3\n");
  EXPECT_TRUE(in_child([&] {
    setenv("TOTO_CONFIG", name.c_str(), 1);
    config::load();
    return !config::settings().summary && log::warnings().size() == 1 && warned("line 2") && warned(name);
  }));
  unlink(name.c_str());
}

TEST(Config, AMissingFileAnUnknownNameAndAListAreOneWarningEach) {
  EXPECT_TRUE(in_child([] {
    setenv("TOTO_CONFIG", "/nowhere/toto.toml", 1);
    config::load();
    return log::warnings().size() == 1 && warned("/nowhere/toto.toml");
  }));
  const std::string name = file_with("TOTO_SUMARY = 1\nTOTO_PFS_PATHS = [\"/a\"]\n");
  EXPECT_TRUE(in_child([&] {
    setenv("TOTO_CONFIG", name.c_str(), 1);
    config::load();
    return log::warnings().size() == 2 && warned("TOTO_SUMARY") && warned("TOTO_PFS_PATHS");
  }));
  unlink(name.c_str());
}

TEST(Config, OfManyRanksOneSpeaks) {
  const std::string log_folder = testing::TempDir();
  EXPECT_TRUE(in_child([&] {
    setenv("PMI_RANK", "3", 1);
    setenv("TOTO_MEMORY_KIB", "x", 1);
    config::load();
    return log::warnings().size() == 1;  // counted, though not written
  }));
}

}  // namespace
}  // namespace toto

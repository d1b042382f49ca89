// SPDX-License-Identifier: BSD-3-Clause
// Options from the table of settings, and the reader of command lines.
#include "tools/options.h"

#include <gtest/gtest.h>

#include "tools/failure.h"
#include "tools/nearest.h"

namespace toto::tools {
namespace {

namespace po = boost::program_options;

po::options_description all_options() {
  po::options_description options;
  options.add_options()("print", "")("mpi", po::value<std::string>(), "");
  add_settings(options);
  return options;
}

CommandLine read(const Words& words) { return read_command_line(words, all_options(), Rest::kProgram); }

std::string message_of(const Words& words) {
  try {
    const CommandLine line = read(words);
    (void)chosen_settings(line.values);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_code(), kExitUsage);
    return failure.what();
  }
  return "";
}

TEST(Options, NameOfAVariable) {
  EXPECT_EQ(option_name("TOTO_PFS_PATHS"), "pfs-paths");
  EXPECT_EQ(option_name("TOTO_STRIPE_COUNT_TUNING"), "stripe-count-tuning");
}

TEST(Options, EverySettingIsOne) {
  const po::options_description options = all_options();
  for (const SettingInfo& setting : kSettings) {
    EXPECT_NE(options.find_nothrow(option_name(setting.name), false), nullptr) << setting.name.view();
  }
}

TEST(Options, TheProgramBeginsAtTheFirstWordThatIsNoOption) {
  const CommandLine line = read({"--print", "--pfs-paths", "/a", "prog", "--summary", "-x"});
  EXPECT_EQ(line.rest, (Words{"prog", "--summary", "-x"}));
  EXPECT_EQ(read({"--print", "--", "--odd", "--"}).rest, (Words{"--odd", "--"}));
}

TEST(Options, Values) {
  const CommandLine line =
      read({"--pfs-paths=/a=lustre:/b", "--hints", "-odd", "--logs-folder=", "--summary", "prog"});
  const std::vector<std::pair<std::string, std::string>> expected{{"TOTO_PFS_PATHS", "/a=lustre:/b"},
                                                                  {"TOTO_HINTS", "-odd"},
                                                                  {"TOTO_LOGS_FOLDER", ""},
                                                                  {"TOTO_SUMMARY", "1"}};
  EXPECT_EQ(chosen_settings(line.values), expected);
  EXPECT_EQ(line.rest, Words{"prog"});
}

TEST(Options, ASwitchTakesAValueOrNone) {
  const CommandLine line = read({"--stripe-count-tuning", "off", "--summary", "prog"});
  const auto chosen = chosen_settings(line.values);
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].second, "off");
  EXPECT_EQ(line.rest, Words{"prog"});
}

TEST(Options, BadOnesAreNamed) {
  EXPECT_EQ(message_of({"--hints-mode=always"}),
            "--hints-mode: \"always\" is not allowed; allowed: fill or override");
  EXPECT_EQ(
      message_of({"--summary=maybe"}),
      "--summary: \"maybe\" is not allowed; allowed: 0 or 1 (also off or on, no or yes, false or true)");
  EXPECT_NE(message_of({"--memory-kib=1"}).find("a whole number from"), std::string::npos);
  EXPECT_NE(message_of({"--memory-kib=99999999999999999999"}).find("a whole number from"), std::string::npos);
  EXPECT_EQ(message_of({"--summery"}), "unknown option --summery (did you mean --summary?)");
  EXPECT_EQ(message_of({"-n"}), "unknown option -n");
  EXPECT_EQ(message_of({"--mpi"}), "--mpi needs a value");
  EXPECT_EQ(message_of({"--mpi", "--", "x"}), "--mpi needs a value");
  EXPECT_EQ(message_of({"--print=1"}), "--print takes no value");
  EXPECT_EQ(message_of({"--mpi=a", "--mpi=b"}), "--mpi is given more than once");
}

TEST(Nearest, Words) {
  const std::vector<std::string> names{"run", "report", "check", "layout"};
  EXPECT_EQ(nearest("reprot", names), "report");
  EXPECT_EQ(nearest("chekc", names), "check");
  EXPECT_EQ(nearest("lay", names), "layout");
  EXPECT_EQ(nearest("zebra", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100000, 'r'), names), "");
}

}  // namespace
}  // namespace toto::tools

// SPDX-License-Identifier: BSD-3-Clause
// Reports, good and bad.
#include "tools/report/read.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/failure.h"
#include "tools/report/text.h"

namespace toto::tools::report {
namespace {

const std::string kSamples = TOTO_SAMPLES;

Report read_sample(const std::string& name) { return read(load(kSamples + "/" + name), name); }

// What read() says of the sample mpi.json after `change`.
template <class Change>
std::string message_after(Change change) {
  nlohmann::ordered_json document = load(kSamples + "/mpi.json");
  change(document);
  try {
    (void)to_text(read(document, "r.json"), kEveryFile);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_code(), kExitFailure);
    return failure.what();
  }
  return "";
}

TEST(Report, ReadsEverything) {
  const Report report = read_sample("mpi.json");
  EXPECT_EQ(report.job.ranks, 4U);
  EXPECT_DOUBLE_EQ(report.job.seconds, 12.3);
  ASSERT_EQ(report.settings.size(), 1U);
  EXPECT_EQ(report.layers.at("mpiio").count("bytes_written"), 125829120U);
  EXPECT_DOUBLE_EQ(report.layers.at("mpiio").time("write_seconds"), 0.5);
  ASSERT_EQ(report.layers.at("mpiio").write_sizes.size(), 2U);
  ASSERT_EQ(report.families.size(), 2U);
  EXPECT_EQ(report.families[0].calls, "collective");
  ASSERT_EQ(report.files.size(), 3U);
  EXPECT_EQ(report.files[1].outcome.status, "verified");
  EXPECT_EQ(report.files[1].outcome.hints.at(0).key, "cb_nodes");
  EXPECT_EQ(report.files_omitted, 2U);
  EXPECT_EQ(report.warnings.at(0).count, 3U);
}

TEST(Report, TextAsRecorded) {
  for (const std::string name : {"mpi", "posix"}) {
    std::ifstream file(kSamples + "/" + name + ".txt");
    const std::string expected{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(to_text(read_sample(name + ".json"), 20), expected) << name;
  }
}

TEST(Report, FewerFiles) {
  const std::string text = to_text(read_sample("mpi.json"), 1);
  EXPECT_NE(text.find("Files, 1 of 3 (--all shows all)"), std::string::npos);
  EXPECT_NE(text.find("dump.0.bin"), std::string::npos);
  EXPECT_EQ(text.find("dump.1.bin"), std::string::npos);
  EXPECT_EQ(to_text(read_sample("mpi.json"), 0).find("dump.0.bin"), std::string::npos);
}

TEST(Report, FieldsOfLaterVersionsAreLeftAlone) {
  EXPECT_EQ(message_after([](auto& it) {
              it["later"] = {{"a", {1, 2}}};
              it["layers"]["posix"]["new_counter"] = 3;
              it["layers"]["new_layer"] = {{"opens", 3}};
            }),
            "");
}

TEST(Report, WrongOnesAreNamed) {
  EXPECT_EQ(message_after([](auto& it) { it.erase("report_version"); }),
            "r.json: no report: report_version is missing");
  EXPECT_EQ(message_after([](auto& it) { it["report_version"] = 2; }),
            "r.json: a report of version 2; this toto reads version 1");
  EXPECT_EQ(message_after([](auto& it) { it["report_version"] = "1"; }),
            "r.json: report_version: expected a whole number of at most 64 bits, found \"1\"");
  EXPECT_EQ(message_after([](auto& it) { it.erase("layers"); }), "r.json: layers is missing");
  EXPECT_EQ(message_after([](auto& it) { it["job"] = 3; }), "r.json: job: expected an object, found 3");
  EXPECT_EQ(message_after([](auto& it) { it["job"]["ranks"] = -1; }),
            "r.json: job.ranks: expected a whole number of at most 64 bits, found -1");
  EXPECT_EQ(message_after([](auto& it) { it["job"]["seconds"] = nullptr; }),
            "r.json: job.seconds: expected a number, found null");
  EXPECT_EQ(message_after([](auto& it) { it["job"]["command"][1] = false; }),
            "r.json: job.command[1]: expected a text, found false");
  EXPECT_EQ(message_after([](auto& it) { it["partial"] = 1; }),
            "r.json: partial: expected true or false, found 1");
  EXPECT_EQ(message_after([](auto& it) { it["families"][1]["files"] = "many"; }),
            "r.json: families[1].files: expected a whole number of at most 64 bits, found \"many\"");
  EXPECT_EQ(message_after([](auto& it) {
              it["files"] = {{"a", 1}};
            }),
            "r.json: files: expected a list, found an object");
  EXPECT_EQ(message_after([](auto& it) { it["files"][0].erase("path"); }),
            "r.json: files[0].path is missing");
  EXPECT_EQ(message_after([](auto& it) { it["layers"]["mpiio"]["writes"] = 1e30; }),
            "r.json: layers.mpiio.writes: expected a whole number of at most 64 bits, found 1e+30");
  EXPECT_EQ(message_after([](auto& it) { it["layers"]["mpiio"]["write_seconds"] = -1; }),
            "r.json: layers.mpiio.write_seconds: expected a number that is not negative, found -1");
}

TEST(Report, HugeNumbersPrint) {
  EXPECT_EQ(message_after([](auto& it) {
              const std::uint64_t most = UINT64_MAX;
              it["job"]["seconds"] = 1e300;
              it["layers"]["mpiio"]["bytes_written"] = most;
              it["layers"]["mpiio"]["write_seconds"] = 1e-300;
              it["families"][0]["bytes_per_file"] = most;
              it["files"][1]["outcome"]["asked"]["stripe_count"] = most;
              it["files"][1]["outcome"]["error"] = most;
              it["files_omitted"] = most;
            }),
            "");
}

TEST(Report, NothingInItSteersTheTerminal) {
  nlohmann::ordered_json document = load(kSamples + "/mpi.json");
  const std::string evil = "\x1b[2J\x07\nx\xC2\x9B";
  document["job"]["program"] = evil;
  document["job"]["command"][0] = evil;
  document["families"][0]["name"] = evil;
  document["files"][1]["path"] = evil;
  document["files"][1]["outcome"]["status"] = evil;
  document["files"][1]["outcome"]["hints"][0]["value"] = evil;
  document["warnings"][0]["text"] = evil;
  document["layers"][evil] = {{"opens", 1}};
  const std::string text = to_text(read(document, "r.json"), kEveryFile);
  EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos);
  EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos);
  EXPECT_NE(text.find("\\x1b[2J\\x07\\x0ax\\x9b"), std::string::npos);
}

}  // namespace
}  // namespace toto::tools::report

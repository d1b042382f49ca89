// SPDX-License-Identifier: BSD-3-Clause
// The tables in docs/ list what the code has.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "hints/advise.h"
#include "hints/mpi_keys.h"
#include "hints/prior.h"

namespace toto::hints {
namespace {

std::string read(const std::string& name) {
  std::ifstream file(std::string(TOTO_DOCS_FOLDER) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

TEST(Documents, RulesListsEveryRowOfThePrior) {
  const std::string text = read("rules.md");
  std::set<std::string> rows{"L1a", "L4",  "L7a", "L9", "L10",
                             "L11", "L14", "B2",  "B3"};  // rows that only limit
  for (const PriorRow& row : prior_rows()) rows.emplace(row.name.view());
  for (const std::string& row : rows) {
    EXPECT_NE(text.find("\n| " + row + " |"), std::string::npos) << row;
  }
}

TEST(Documents, AdviceListsEveryRule) {
  const std::string text = read("advice.md");
  for (const std::string_view rule : advice_rules()) {
    EXPECT_NE(text.find("\n| `" + std::string(rule) + "` |"), std::string::npos) << rule;
  }
}

TEST(Documents, MpiHintsListsEveryKeyThatIsKnown) {
  const std::string text = read("mpi-hints.md");
  for (const MpiKey& known : known_keys()) {
    for (const std::string_view spelling : known.spellings()) {
      if (spelling.empty()) continue;
      EXPECT_NE(text.find("`" + std::string(spelling) + "`"), std::string::npos) << spelling;
    }
  }
}

}  // namespace
}  // namespace toto::hints

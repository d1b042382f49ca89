// SPDX-License-Identifier: BSD-3-Clause
// The tables in docs/ list what the code has.
#include <gtest/gtest.h>

#include <cstdlib>
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

// ---- mpi-hints.md: two tables made from the code

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string cell(MpiIo library, const MpiKey& known) {
  const Names read = names(library, known.key);
  if (read.none()) return "–";
  if (read.first == known.key.view() && read.second.empty()) return "=";
  return code(read.first) + (read.second.empty() ? "" : ", " + code(read.second));
}

std::string keys_table() {
  std::ostringstream out;
  out << "| Key | Other spellings | Value | Driver |";
  for (const MpiIo library : kMpiIos) out << ' ' << name(library) << " |";
  out << "\n| --- | --- | --- | --- |";
  for (std::size_t i = 0; i < kMpiIos.size(); ++i) out << " --- |";
  for (const MpiKey& known : known_keys()) {
    out << "\n| " << code(known.key.view()) << " | ";
    for (const std::string_view spelling : known.spellings()) {
      if (spelling.empty() || spelling == known.key.view()) continue;
      out << (spelling == known.alias.view() ? "" : ", ") << code(spelling);
    }
    out << " | " << name(known.kind) << " | " << name(known.driver) << " |";
    for (const MpiIo library : kMpiIos) out << ' ' << cell(library, known) << " |";
  }
  return out.str();
}

std::string libraries_table() {
  std::ostringstream out;
  out << "| Library | An unknown key | `MPI_File_get_info` |\n| --- | --- | --- |";
  for (const MpiIo library : kMpiIos) {
    out << "\n| " << name(library) << " | " << fate_of_unknown(library) << " | "
        << (tells_the_truth(library) ? "what is used" : "no proof") << " |";
  }
  return out.str();
}

// The part of the document between "made from ...: `what`" and "end".
void expect_part(const std::string& what, const std::string& expected) {
  const std::string start = "<!-- made from hints/mpi_keys.cc: " + what + " -->\n";
  const std::string end = "\n<!-- end -->";
  std::string text = read("mpi-hints.md");
  const std::size_t from = text.find(start);
  ASSERT_NE(from, std::string::npos) << start;
  const std::size_t first = from + start.size();
  const std::size_t last = text.find(end, first - 1);
  ASSERT_NE(last, std::string::npos) << what;
  const std::string got = last < first ? "" : text.substr(first, last - first);
  if (got == expected) return;
  if (std::getenv("TOTO_UPDATE_DOCS") == nullptr) {
    ADD_FAILURE() << "docs/mpi-hints.md, " << what << ": not as the code has it; TOTO_UPDATE_DOCS=1 mends it";
    return;
  }
  text.replace(first, last < first ? 0 : last - first, last < first ? expected + "\n" : expected);
  std::ofstream(std::string(TOTO_DOCS_FOLDER) + "/mpi-hints.md") << text;
}

TEST(Documents, MpiHintsHasTheTableOfKeys) { expect_part("keys", keys_table()); }
TEST(Documents, MpiHintsHasTheTableOfLibraries) { expect_part("libraries", libraries_table()); }

}  // namespace
}  // namespace toto::hints

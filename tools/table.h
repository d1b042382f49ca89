// SPDX-License-Identifier: BSD-3-Clause
// A text table: columns as wide as their widest cell, the last one open at its end.
//
//   Table table({{"layer"}, {"calls", Table::kRight}});
//   table.row({"posix", "12"});
//   fmt::print("{}", table.text());
#pragma once

#include <string>
#include <vector>

namespace toto::tools {

class Table {
 public:
  enum Side { kLeft, kRight };
  struct Column {
    std::string title;
    Side side = kLeft;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void row(std::vector<std::string> cells);  // missing cells are empty, surplus ones dropped
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string text(std::size_t indent = 2) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace toto::tools

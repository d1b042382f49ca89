// SPDX-License-Identifier: BSD-3-Clause
#include "tools/table.h"

#include <algorithm>
#include <string_view>

namespace toto::tools {
namespace {

// Columns on a terminal, near enough: bytes that do not continue a UTF-8 character.
std::size_t width(std::string_view cell) {
  return static_cast<std::size_t>(std::count_if(
      cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t widest = width(columns_[i].title);
    for (const auto& cells : rows_) widest = std::max(widest, width(cells[i]));
    widths.push_back(widest);
  }
  std::string out;
  const auto add = [&](std::size_t column, std::string_view cell) {
    const std::string gap(widths[column] - width(cell), ' ');
    const bool right = columns_[column].side == kRight;
    if (right) out += gap;
    out += cell;
    if (!right) out += gap;
    if (column + 1 < columns_.size()) out += "  ";
  };
  const auto end_line = [&] {
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  out.append(indent, ' ');
  for (std::size_t i = 0; i < columns_.size(); ++i) add(i, columns_[i].title);
  end_line();
  for (const auto& cells : rows_) {
    out.append(indent, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i) add(i, cells[i]);
    end_line();
  }
  return out;
}

}  // namespace toto::tools

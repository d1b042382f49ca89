// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/info.h"

#include "core/log.h"
#include "pmpi/real.h"

namespace toto::pmpi {

InfoText::InfoText(MPI_Info info) {
  if (info == predefined::info_null()) return;
  int keys = 0;
  if (real::Info_get_nkeys(info, &keys) != MPI_SUCCESS) return;
  if (keys > kMost) log::warn("an MPI_Info with more than 64 keys: the program's others are not looked at");
  for (int i = 0; i < keys && i < kMost; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int found = 0;
    if (real::Info_get_nthkey(info, i, key.data()) != MPI_SUCCESS) continue;
    if (real::Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &found) != MPI_SUCCESS || found == 0)
      continue;
    keys_[count_] = std::string_view(key.data());
    values_[count_] = std::string_view(value.data());
    hints_[count_] = hints::ProgramHint{.key = keys_[count_], .value = values_[count_]};
    ++count_;
  }
}

InfoWithHints::InfoWithHints(MPI_Info info, const Decision& decision) : info_(info) {
  if (decision.hints == 0) return;
  MPI_Info copy{};
  const int result = info == predefined::info_null() ? real::Info_create(&copy) : real::Info_dup(info, &copy);
  if (result != MPI_SUCCESS) return;
  info_ = copy;
  owned_ = true;
  decision.for_each([&](const char* key, const char* value) { real::Info_set(copy, key, value); });
}

InfoWithHints::~InfoWithHints() {
  if (owned_) real::Info_free(&info_);
}

void verify_hints(MPI_Info used, Outcome& outcome) {
  for (Hint& hint : outcome.all_hints()) {
    if (hint.status != HintStatus::kRequested) continue;
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int found = 0;
    if (real::Info_get(used, hint.key.c_str(), MPI_MAX_INFO_VAL, value.data(), &found) != MPI_SUCCESS)
      continue;
    if (found == 0) {
      hint.status = HintStatus::kIgnored;
    } else {
      hint.status =
          hint.value == std::string_view(value.data()) ? HintStatus::kApplied : HintStatus::kChanged;
    }
  }
}

}  // namespace toto::pmpi

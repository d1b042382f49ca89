// SPDX-License-Identifier: BSD-3-Clause
#include "pmpi/present.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/config.h"
#include "core/process.h"
#include "core/signature.h"
#include "core/sys.h"
#include "pmpi/symbol.h"

namespace toto::pmpi::present {
namespace {

// As pmix_common.h has had them since PMIx 2 (PMIx Standard 2.0, 3.2 "Data structures"): not included, as the
// library is built where there may be no PMIx, too.
struct Process {
  std::array<char, 256> name_space{};  // PMIX_MAX_NSLEN + 1
  std::uint32_t rank = 0;
};
struct Value {
  std::uint16_t type = 0;
  union {
    int number;
    std::uint32_t unsigned_number;
    std::array<void*, 3> room;  // the largest that it may be
  } data{.room = {}};
};
struct Info {
  std::array<char, 512> key{};  // PMIX_MAX_KEYLEN + 1
  std::uint32_t flags = 0;
  Value value;
};
constexpr int kSuccess = 0, kError = -1, kNotFound = -46;  // PMIX_SUCCESS, PMIX_ERROR, PMIX_ERR_NOT_FOUND
constexpr std::uint16_t kInt = 6, kUnsigned32 = 14;        // PMIX_INT, PMIX_UINT32
constexpr std::uint8_t kGlobal = 3;                        // PMIX_GLOBAL: for ranks here and elsewhere
constexpr const char* kTimeout = "pmix.timeout";           // PMIX_TIMEOUT, seconds
constexpr const char* kKey = "toto.present";

using Commit = Symbol<"PMIx_Commit", int()>;
using Put = Symbol<"PMIx_Put", int(std::uint8_t, const char*, Value*)>;
using Get = Symbol<"PMIx_Get", int(const Process*, const char*, const Info*, std::size_t, Value**)>;
using SinceVersion2 = Symbol<"PMIx_Job_control_nb", void()>;

constinit std::atomic<bool> published{false};

void publish() {
  // Only what the MPI library publishes, of ranks that will take part.
  if (!process::inside_mpi() || !config::settings().combine || published.load()) return;
  if (Put::get() == nullptr || Get::get() == nullptr || SinceVersion2::get() == nullptr) return;
  const sys::KeepErrno keep;
  Value value{.type = kUnsigned32, .data = {.unsigned_number = 1}};
  published = Put::get()(kGlobal, kKey, &value) == kSuccess;
}

// All ranks must come to the same answer. Servers do not always say "not found", but wait for what is not
// there: one that does not answer is asked once more, in case it was only slow.
bool has_library(std::string_view name_space, int rank) {
  static constexpr int kLongest = 5;  // seconds
  static constexpr int kTries = 2;
  Process who{.rank = static_cast<std::uint32_t>(rank)};
  Info timeout{.value = {.type = kInt, .data = {.number = kLongest}}};
  name_space.copy(who.name_space.data(), who.name_space.size() - 1);
  std::string_view(kTimeout).copy(timeout.key.data(), timeout.key.size() - 1);
  for (int i = 0; i < kTries; ++i) {
    Value* value = nullptr;
    const int status = Get::get()(&who, kKey, &timeout, 1, &value);
    std::free(value);
    if (status == kSuccess) return true;
    if (status == kNotFound) return false;
  }
  return false;
}

}  // namespace

Answer ask(int ranks) {
  const char* name_space = std::getenv("PMIX_NAMESPACE");
  if (Put::get() == nullptr || name_space == nullptr) return Answer::kUnknown;
  if (!published.load()) return Answer::kNotEverywhere;  // as the others will find
  constexpr int kMost = 256;
  const int looks = std::min(ranks, kMost);
  for (int i = 0; i < looks; ++i) {
    const auto rank = static_cast<int>(std::int64_t{i} * (ranks - 1) / std::max(looks - 1, 1));
    if (!has_library(name_space, rank)) return Answer::kNotEverywhere;
  }
  // Open MPI's launcher tells how many ranks each program has: "2 4 1".
  const char* sizes = std::getenv("OMPI_APP_CTX_NUM_PROCS");
  const std::string_view text(sizes != nullptr ? sizes : "");
  int first = 0;
  for (std::size_t at = 0; at < text.size();) {
    int size = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), size);
    if (error != std::errc() || size <= 0) break;
    if (first < ranks && !has_library(name_space, first)) return Answer::kNotEverywhere;
    first += size;
    at = static_cast<std::size_t>(end - text.data()) + 1;
  }
  return Answer::kEverywhere;
}

}  // namespace toto::pmpi::present

extern "C" TOTO_EXPORT int PMIx_Commit() {
  using namespace toto::pmpi::present;
  publish();
  auto* next = Commit::get();
  return next != nullptr ? next() : kError;
}

// SPDX-License-Identifier: BSD-3-Clause
#include "beegfs.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace toto::stripefs::beegfs {

namespace {

constexpr std::uint32_t kPatternRaid0 = 1;
constexpr std::size_t kMakeFileSize = 24;
constexpr std::size_t kStripeInfoSize = 12;
constexpr std::size_t kStripeTargetSize = 262;
constexpr std::size_t kAliasOffset = 6;

template <typename T>
T Load(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <typename T>
void Store(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

int DecodeMakeFile(std::string_view bytes, MakeFile* request) {
  if (bytes.size() < kMakeFileSize) return EINVAL;
  request->file_name = Load<std::uint64_t>(bytes, 0);
  request->mode = Load<std::uint32_t>(bytes, 8);
  request->target_count = Load<std::uint32_t>(bytes, 12);
  request->chunk_size = Load<std::uint32_t>(bytes, 16);
  const std::uint32_t chunk = request->chunk_size;
  if (chunk != 0 && (chunk < kUnitGrain || !std::has_single_bit(chunk))) return EINVAL;
  return 0;
}

FileLayout Requested(const MakeFile& request, const FileLayout& directory_default) {
  const Wish& base = directory_default.parts.front().wish;
  Wish wish;
  wish.unit = request.chunk_size == 0 ? base.unit : request.chunk_size;
  wish.count = request.target_count == 0 ? base.count : request.target_count;
  if (wish.count != kAllTargets) wish.count = std::min(wish.count, kMaxTargets);
  wish.pool = base.pool;
  return PlainLayout(std::move(wish), Origin::kBeegfs);
}

std::string EncodeStripeInfo(const FileLayout& layout) {
  const Stripe& stripe = layout.parts.front().stripe;
  std::string bytes(kStripeInfoSize, '\0');
  Store(bytes, 0, kPatternRaid0);
  Store(bytes, 4, static_cast<std::uint32_t>(stripe.unit));
  Store(bytes, 8, static_cast<std::uint16_t>(std::min<std::uint32_t>(stripe.count, UINT16_MAX)));
  return bytes;
}

int EncodeStripeTarget(const FileLayout& layout, std::uint16_t index, std::string* out) {
  const Stripe& stripe = layout.parts.front().stripe;
  if (index >= stripe.count || stripe.targets.empty()) return EINVAL;
  const std::uint32_t target = stripe.targets[index % stripe.targets.size()];
  // BeeGFS counts targets and nodes from 1.
  const auto number = static_cast<std::uint16_t>(target + 1);
  const std::string alias = "storage" + std::to_string(number);
  out->assign(kStripeTargetSize, '\0');
  Store(*out, 0, index);
  Store(*out, 2, number);
  Store(*out, 4, number);
  out->replace(kAliasOffset, alias.size(), alias);
  return 0;
}

}  // namespace toto::stripefs::beegfs

// SPDX-License-Identifier: BSD-3-Clause
#include "layout.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace toto::stripefs {

FileLayout PlainLayout(Wish wish, Origin origin) {
  FileLayout layout;
  layout.parts.emplace_back();
  layout.parts.front().wish = std::move(wish);
  layout.origin = origin;
  return layout;
}

namespace {

struct Piece {
  std::uint64_t object;
  std::uint64_t begin;  // in the object
};

Piece Locate(const Stripe& stripe, std::uint64_t offset) {
  const std::uint64_t number = offset / stripe.unit;
  const std::uint64_t inside = offset % stripe.unit;
  const std::uint64_t column = number % stripe.count;
  const std::uint64_t row = number / stripe.count;
  if (stripe.object_size == 0) return {column, row * stripe.unit + inside};
  const std::uint64_t rows = stripe.object_size / stripe.unit;
  return {row / rows * stripe.count + column, row % rows * stripe.unit + inside};
}

void AddShare(std::vector<Share>& shares, const Share& share) {
  // Successive stripes of an object are neighbours inside the object, so a share only ever grows upwards.
  for (Share& known : shares) {
    if (known.component == share.component && known.object == share.object) {
      known.end = share.end;
      return;
    }
  }
  shares.push_back(share);
}

}  // namespace

std::vector<Share> Split(const std::vector<Component>& parts, std::uint64_t offset, std::uint64_t length) {
  std::vector<Share> shares;
  const std::uint64_t stop = offset + std::min(length, kEndOfFile - offset);
  for (std::uint32_t index = 0; index < parts.size(); ++index) {
    const Component& part = parts[index];
    const Stripe& stripe = part.stripe;
    if (!part.placed || stripe.targets.empty()) continue;
    const std::uint64_t end = std::min(stop, part.end);
    for (std::uint64_t at = std::max(offset, part.start); at < end;) {
      const std::uint64_t bytes = std::min(stripe.unit - at % stripe.unit, end - at);
      const Piece piece = Locate(stripe, at);
      const std::uint32_t target = stripe.targets[piece.object % stripe.targets.size()];
      AddShare(shares, {index, piece.object, target, piece.begin, piece.begin + bytes});
      at += bytes;
    }
  }
  return shares;
}

std::uint32_t Placer::Count(const Component& component, std::uint64_t unit) const {
  const Wish& wish = component.wish;
  std::uint64_t count = wish.count == 0 ? default_count_ : wish.count;
  if (count == kAllTargets) count = targets_;
  if (component.end != kEndOfFile) {
    count = std::min(count, std::max<std::uint64_t>(1, (component.end - component.start) / unit));
  }
  count = std::min<std::uint64_t>(count, wish.overstripe ? kMaxStripes : targets_);
  if (clip_ != 0) count = std::min<std::uint64_t>(count, clip_);
  return static_cast<std::uint32_t>(count);
}

int Placer::Place(Component& component) {
  if (component.placed) return 0;
  Wish& wish = component.wish;
  if (wish.first && *wish.first >= targets_) return EINVAL;
  for (const std::uint32_t target : wish.targets) {
    if (target >= targets_) return ENODEV;
  }

  Stripe stripe;
  stripe.unit = wish.unit == 0 ? default_unit_ : wish.unit;
  if (wish.on_mdt) {
    component.stripe = stripe;
    component.placed = true;
    return 0;
  }
  if (!wish.targets.empty()) {
    stripe.targets = wish.targets;
    if (clip_ != 0 && stripe.targets.size() > clip_) stripe.targets.resize(clip_);
    stripe.count = static_cast<std::uint32_t>(stripe.targets.size());
  } else {
    // With objects of a limited size, a file goes on to the next target after each object: all targets serve.
    stripe.object_size = wish.object_size;
    const std::uint32_t granted = Count(component, stripe.unit);
    stripe.count = wish.object_size == 0 || clip_ != 0 ? granted : std::max(wish.count, 1U);
    const std::uint32_t used = wish.object_size == 0 ? granted : targets_;
    const std::uint32_t first = wish.first.value_or(next_);
    for (std::uint32_t i = 0; i < used; ++i) stripe.targets.push_back((first + i) % targets_);
    if (!wish.first) next_ = (next_ + granted) % targets_;
    // Lustre forgets the overstriping flag where there were targets enough.
    if (granted <= targets_) wish.overstripe = false;
  }
  component.stripe = std::move(stripe);
  component.placed = true;
  return 0;
}

}  // namespace toto::stripefs

// SPDX-License-Identifier: BSD-3-Clause
// The pure half of lustre.h: what crosses the border to Lustre's client, read and written.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "hints/layout/lustre.h"
#include "hints/layout/lustre_abi.h"

namespace toto::layout {
namespace lustre {
namespace {

using Blob = std::span<const std::byte>;

// The structure at `offset`, copied, as nothing in a blob is aligned.
template <typename T>
bool take(Blob blob, std::size_t offset, T& out) {
  if (offset > blob.size() || blob.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, blob.data() + offset, sizeof(T));
  return true;
}

std::uint32_t stripe_count(const LovV1& head) {
  const std::uint16_t count = head.stripe_count;
  if (count == kAll) return kAllTargets;
  if ((head.pattern & kOverstriping) != 0 && count >= kFirstOverstripeAll) return kAllTargets;
  return count;
}

// A layout without components, or one component.
bool parse_plain(Blob blob, std::span<std::uint32_t> osts, Lov& out) {
  LovV3 lov{};
  if (!take(blob, 0, lov.head)) return false;
  std::size_t header = sizeof(LovV1);
  switch (lov.head.magic) {
    case kMagicV1:
      break;
    case kMagicV3:
    case kMagicSpecific:
      if (!take(blob, 0, lov)) return false;
      header = sizeof(LovV3);
      break;
    default:
      return false;
  }
  out.layout.count = stripe_count(lov.head);
  out.layout.size = lov.head.stripe_size;
  out.layout.pool = std::string_view(lov.pool.data(), ::strnlen(lov.pool.data(), lov.pool.size()));
  out.pattern = lov.head.pattern;
  // A folder's default and a released file have a count and no objects, so that fewer is no error.
  out.objects = static_cast<std::uint32_t>(
      std::min<std::size_t>(out.layout.count, (blob.size() - header) / sizeof(LovObject)));
  for (std::uint32_t i = 0; i < std::min<std::size_t>(out.objects, osts.size()); ++i) {
    LovObject object;
    if (!take(blob, header + i * sizeof(LovObject), object)) return false;
    osts[i] = object.ost;
  }
  return true;
}

// How much a component says about where a large file's bytes go; 0: nothing.
int weight(const Component& component, const LovV1& head) {
  if ((component.flags & (kStale | kExtension)) != 0) return 0;
  if (head.magic == kMagicForeign || component.end <= component.start) return 0;
  if ((head.pattern & kDataOnMdt) != 0) return 1;
  return (component.flags & kInstantiated) != 0 ? 3 : 2;
}

// As text, for those that follow each other in the file.
void note_component(const Component& component, const LovV1& head, std::uint64_t& start, Components& all,
                    bool& simple) {
  const layout::Component one{.end = component.end,
                              .size = head.stripe_size,
                              .count = (head.pattern & kDataOnMdt) != 0 ? 0 : stripe_count(head)};
  simple = simple && component.start == start && component.end > start && all.add(one) &&
           (component.flags & (kStale | kExtension)) == 0 && head.magic != kMagicForeign;
  start = component.end;
}

bool parse_composite(Blob blob, std::span<std::uint32_t> osts, Lov& out) {
  Composite composite;
  if (!take(blob, 0, composite)) return false;
  if (composite.size < sizeof(Composite) || composite.size > blob.size()) return false;
  blob = blob.first(composite.size);
  Component best{};
  int best_weight = 0;
  Components all;
  bool simple = composite.mirrors == 0;
  std::uint64_t next_start = 0;
  for (std::uint32_t i = 0; i < composite.components; ++i) {
    Component component;
    if (!take(blob, sizeof(Composite) + i * sizeof(Component), component)) return false;
    if (component.offset > blob.size() || component.size > blob.size() - component.offset) return false;
    LovV1 head;
    if (!take(blob.subspan(component.offset, component.size), 0, head)) return false;
    note_component(component, head, next_start, all, simple);
    const int found = weight(component, head);
    // Of mirrors, which start alike, the first.
    if (found > best_weight || (found == best_weight && found > 0 && component.start > best.start)) {
      best = component;
      best_weight = found;
    }
  }
  if (best_weight == 0) return false;
  out.components = composite.components;
  out.start = best.start;
  out.end = best.end;
  if (!parse_plain(blob.subspan(best.offset, best.size), osts, out)) return false;
  if (simple && next_start == kEof) out.layout.components = format_components(all);
  return true;
}

}  // namespace

bool Lov::overstriped() const { return (pattern & kOverstriping) != 0; }

std::optional<Lov> parse_lov(Blob blob, std::span<std::uint32_t> osts) {
  std::uint32_t magic = 0;
  if (!take(blob, 0, magic)) return std::nullopt;
  Lov lov;
  const bool composite = magic == kMagicComposite || magic == kMagicSelfExtending;
  if (!(composite ? parse_composite(blob, osts, lov) : parse_plain(blob, osts, lov))) return std::nullopt;
  return lov;
}

namespace {

// One layout, or one component: V1, or V3 where there is a pool.
std::size_t encode_plain(std::uint32_t count, std::uint64_t size, std::string_view pool, std::byte* out,
                         bool overstriped = false) {
  LovV3 lov{};
  lov.head.magic = pool.empty() ? kMagicV1 : kMagicV3;
  lov.head.pattern = overstriped ? kRaid0 | kOverstriping : kRaid0;
  if (size != 0) {
    const auto limited = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, kMaxSize));
    lov.head.stripe_size = std::max(limited - limited % kSizeUnit, kSizeUnit);
  }
  lov.head.stripe_count =
      count == kAllTargets ? kAll : static_cast<std::uint16_t>(std::min(count, kMaxCount));
  // Never 0: by the attribute, clients up to 2.15 take OST 0 for "any", later ones for OST 0.
  lov.head.stripe_offset = kAnyOst;
  std::ranges::copy(pool.substr(0, kMaxPool), lov.pool.begin());
  const std::size_t length = pool.empty() ? sizeof(LovV1) : sizeof(LovV3);
  std::memcpy(out, &lov, length);
  return length;
}

// Exactly these OSTs. The first is named as the offset, too: that is where the server begins in the list
// (lod/lod_qos.c, lod_alloc_ost_list).
std::size_t encode_specific(const Layout& layout, LovBlob& out) {
  const TargetList& list = *layout.only;
  if (list.count == 0 || list.count > list.target.size()) return 0;
  encode_plain(list.count, layout.size, {}, out.data());
  LovV3 lov{};
  std::memcpy(&lov.head, out.data(), sizeof(lov.head));
  lov.head.magic = kMagicSpecific;
  lov.head.stripe_offset = list.target[0];
  std::memcpy(out.data(), &lov, sizeof(lov));
  for (std::size_t i = 0; i < list.count; ++i) {
    LovObject object{};
    object.ost = list.target[i];
    std::memcpy(out.data() + sizeof(lov) + i * sizeof(object), &object, sizeof(object));
  }
  return sizeof(lov) + list.count * sizeof(LovObject);
}

// The head, all entries, then the layout of each (liblustreapi_layout.c, llapi_layout_to_lum).
std::size_t encode_composite(const Components& components, std::string_view pool, LovBlob& out) {
  Composite head{};
  head.magic = kMagicComposite;
  head.components = static_cast<std::uint16_t>(components.used);
  std::size_t at = sizeof(Composite) + components.used * sizeof(Component);
  std::uint64_t start = 0;
  for (std::uint32_t i = 0; i < components.used; ++i) {
    const layout::Component& one = components.list[i];
    const std::size_t length = encode_plain(one.count, one.size, pool, out.data() + at);
    Component entry{};
    entry.start = start;
    entry.end = one.end;
    entry.offset = static_cast<std::uint32_t>(at);
    entry.size = static_cast<std::uint32_t>(length);
    std::memcpy(out.data() + sizeof(Composite) + i * sizeof(Component), &entry, sizeof(entry));
    start = one.end;
    at += length;
  }
  head.size = static_cast<std::uint32_t>(at);
  std::memcpy(out.data(), &head, sizeof(head));
  return at;
}

}  // namespace

std::size_t encode_lov(const Layout& layout, LovBlob& out) {
  if (layout.components.empty() && layout.only != nullptr && layout.pool.empty())
    return encode_specific(layout, out);
  if (layout.components.empty())
    return encode_plain(layout.count, layout.size, layout.pool, out.data(), layout.overstriped);
  const auto components = parse_components(layout.components);
  return components ? encode_composite(*components, layout.pool, out) : 0;
}

namespace {

void visit_plain(Blob blob, Extent& part, void (*visit)(const Extent&, void*), void* context) {
  Lov lov;
  LovV1 head;
  if (!take(blob, 0, head) || !parse_plain(blob, {}, lov)) return;
  part.count = (lov.pattern & kDataOnMdt) != 0 ? 0 : lov.layout.count;
  part.size = lov.layout.size;
  part.pattern = lov.pattern;
  part.objects = blob.subspan(head.magic == kMagicV1 ? sizeof(LovV1) : sizeof(LovV3));
  visit(part, context);
}

}  // namespace

std::optional<std::uint32_t> Extent::ost(std::uint32_t stripe) const {
  LovObject object;
  if (stripe >= count || !take(objects, stripe * sizeof(LovObject), object)) return std::nullopt;
  return std::uint32_t{object.ost};
}

void for_each_part(Blob blob, void (*visit)(const Extent&, void*), void* context) {
  std::uint32_t magic = 0;
  if (!take(blob, 0, magic)) return;
  if (magic != kMagicComposite && magic != kMagicSelfExtending) {
    Extent whole;
    visit_plain(blob, whole, visit, context);
    return;
  }
  Composite composite{};
  if (!take(blob, 0, composite)) return;
  for (std::uint32_t i = 0; i < composite.components; ++i) {
    Component entry;
    if (!take(blob, sizeof(Composite) + i * sizeof(Component), entry)) return;
    if (entry.offset > blob.size() || entry.size > blob.size() - entry.offset) return;
    if ((entry.flags & (kStale | kExtension)) != 0) continue;
    Extent part;
    part.start = entry.start;
    part.end = entry.end;
    visit_plain(blob.subspan(entry.offset, entry.size), part, visit, context);
  }
}

}  // namespace lustre
}  // namespace toto::layout

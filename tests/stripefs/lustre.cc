// SPDX-License-Identifier: BSD-3-Clause
#include "lustre.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace toto::stripefs::lustre {

namespace {

constexpr std::uint32_t kPatternRaid0 = 0x001;
constexpr std::uint32_t kPatternMdt = 0x100;
constexpr std::uint32_t kPatternOverstriping = 0x200;
constexpr std::uint16_t kAnyOffset = 0xffff;
constexpr std::uint16_t kAllStripes = 0xffff;
constexpr std::uint32_t kFlagInstantiated = 0x10;  // LCME_FL_INIT

struct ObjectIdPair {
  std::uint64_t id;
  std::uint64_t sequence;
};

struct [[gnu::packed]] PlainHeader {
  std::uint32_t magic;
  std::uint32_t pattern;
  ObjectIdPair oi;
  std::uint32_t stripe_size;
  std::uint16_t stripe_count;
  std::uint16_t stripe_offset;  // when read: the layout's generation
};
static_assert(sizeof(PlainHeader) == kSizeV1);

constexpr std::size_t kPoolSize = kSizeV3 - kSizeV1;

struct [[gnu::packed]] ObjectEntry {
  ObjectIdPair oi;
  std::uint32_t generation;
  std::uint32_t target;
};
static_assert(sizeof(ObjectEntry) == kSizeObject);

struct [[gnu::packed]] CompositeHeader {
  std::uint32_t magic;
  std::uint32_t size;
  std::uint32_t generation;
  std::uint16_t flags;
  std::uint16_t entry_count;
  std::uint16_t mirror_count;
  std::uint16_t padding1[3];
  std::uint64_t padding2;
};
static_assert(sizeof(CompositeHeader) == 32);

struct [[gnu::packed]] CompositeEntry {
  std::uint32_t id;
  std::uint32_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t offset;
  std::uint32_t size;
  std::uint32_t generation;
  std::uint64_t timestamp;
  std::uint32_t padding;
};
static_assert(sizeof(CompositeEntry) == 48);

template <typename T>
T Load(std::string_view blob, std::size_t at = 0) {
  T value;
  std::memcpy(&value, blob.data() + at, sizeof value);
  return value;
}

template <typename T>
void Append(std::string& blob, const T& value) {
  blob.append(reinterpret_cast<const char*>(&value), sizeof value);
}

int DecodeTargets(std::string_view blob, std::uint16_t count, Wish* wish) {
  if (count == 0 || count == kAllStripes) return EINVAL;
  if (blob.size() < kSizeV3 + count * kSizeObject) return ERANGE;
  for (std::size_t i = 0; i < count; ++i) {
    wish->targets.push_back(Load<ObjectEntry>(blob, kSizeV3 + i * kSizeObject).target);
  }
  return 0;
}

// A structure of one component: V1, V3 or SPECIFIC.
int DecodePlain(std::string_view blob, bool zero_means_any, Wish* wish) {
  if (blob.size() < kSizeV1) return ERANGE;
  const auto header = Load<PlainHeader>(blob);
  if (header.magic != kMagicV1 && header.magic != kMagicV3 && header.magic != kMagicSpecific) return EINVAL;
  if (header.stripe_size % kUnitGrain != 0) return EINVAL;
  const std::uint32_t pattern = header.pattern == 0 ? kPatternRaid0 : header.pattern;
  if (pattern != kPatternRaid0 && pattern != (kPatternRaid0 | kPatternOverstriping) &&
      pattern != kPatternMdt) {
    return EINVAL;
  }
  wish->unit = header.stripe_size;
  wish->count = header.stripe_count == kAllStripes ? kAllTargets : header.stripe_count;
  wish->overstripe = (pattern & kPatternOverstriping) != 0;
  wish->on_mdt = pattern == kPatternMdt;
  if (header.stripe_offset != kAnyOffset && !(header.stripe_offset == 0 && zero_means_any)) {
    wish->first = header.stripe_offset;
  }
  if (header.magic == kMagicV1) return 0;

  if (blob.size() < kSizeV3) return ERANGE;
  const std::string_view pool = blob.substr(kSizeV1, kPoolSize);
  wish->pool = pool.substr(0, pool.find('\0'));
  if (wish->pool.size() == kPoolSize) return EINVAL;
  if (header.magic == kMagicV3) return 0;
  wish->first.reset();
  return DecodeTargets(blob, header.stripe_count, wish);
}

int CheckComponent(const Component& part, std::uint64_t expected_start, bool is_first, bool is_last) {
  const bool open_ended = part.end == kEndOfFile;
  if (part.start != expected_start || part.end <= part.start) return EINVAL;
  if (open_ended && !is_last) return EINVAL;
  if (!open_ended && part.end % kUnitGrain != 0) return EINVAL;
  const std::uint64_t unit = part.wish.unit;
  if (part.wish.on_mdt)
    return is_first && !open_ended && unit == part.end && part.wish.count <= 1 ? 0 : EINVAL;
  if (!open_ended && unit != 0 && part.end % unit != 0) return EINVAL;
  return 0;
}

int DecodeComposite(std::string_view blob, FileLayout* layout) {
  const auto header = Load<CompositeHeader>(blob);
  if (header.size > blob.size()) return ERANGE;
  blob = blob.substr(0, header.size);
  const std::size_t entries_end = sizeof header + header.entry_count * sizeof(CompositeEntry);
  // Mirrors would need every write on several targets; nothing here asks for them.
  if (header.entry_count == 0 || header.mirror_count != 0 || entries_end > blob.size()) return EINVAL;

  layout->composite = true;
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < header.entry_count; ++i) {
    const auto entry = Load<CompositeEntry>(blob, sizeof header + i * sizeof(CompositeEntry));
    if (entry.offset < entries_end || entry.offset > blob.size() || entry.size > blob.size() - entry.offset) {
      return EINVAL;
    }
    Component part;
    part.start = entry.start;
    part.end = entry.end;
    if (DecodePlain(blob.substr(entry.offset, entry.size), false, &part.wish) != 0) return EINVAL;
    const int error = CheckComponent(part, start, i == 0, i + 1 == header.entry_count);
    if (error != 0) return error;
    start = part.end;
    layout->parts.push_back(std::move(part));
  }
  return 0;
}

std::uint32_t Pattern(const Component& part) {
  if (part.wish.on_mdt) return kPatternMdt;
  return kPatternRaid0 | (part.wish.overstripe ? kPatternOverstriping : 0);
}

std::uint16_t ShownCount(const Component& part) {
  if (part.placed) return static_cast<std::uint16_t>(std::min(part.stripe.count, kMaxStripes));
  if (part.wish.count == kAllTargets) return kAllStripes;
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(part.wish.count, 0xfffe));
}

std::string EncodePlain(const Component& part, std::uint64_t file, std::uint16_t offset_field) {
  PlainHeader header{};
  // A server stores the longer form only where there is a pool to name.
  header.magic = part.wish.pool.empty() ? kMagicV1 : kMagicV3;
  header.pattern = Pattern(part);
  header.oi = {file, part.placed ? 1U : 0U};
  header.stripe_size = static_cast<std::uint32_t>(part.placed ? part.stripe.unit : part.wish.unit);
  header.stripe_count = ShownCount(part);
  header.stripe_offset = offset_field;
  std::string blob;
  Append(blob, header);
  if (!part.wish.pool.empty()) {
    std::string pool = part.wish.pool;
    pool.resize(kPoolSize);
    blob += pool;
  }
  if (!part.placed || part.stripe.targets.empty()) return blob;
  for (std::uint64_t object = 0; object < header.stripe_count; ++object) {
    const std::uint32_t target = part.stripe.targets[object % part.stripe.targets.size()];
    Append(blob, ObjectEntry{{file * kMaxStripes + object + 1, 0}, 0, target});
  }
  return blob;
}

std::uint16_t WishedOffset(const Component& part) {
  if (part.placed) return 0;  // an attribute shows no generation
  return part.wish.first ? static_cast<std::uint16_t>(*part.wish.first) : kAnyOffset;
}

std::string EncodeComposite(const FileLayout& layout, std::uint64_t file) {
  std::string entries;
  std::string blobs;
  const std::size_t entries_end = sizeof(CompositeHeader) + layout.parts.size() * sizeof(CompositeEntry);
  std::uint32_t id = 0;
  for (const Component& part : layout.parts) {
    const std::string blob = EncodePlain(part, file, WishedOffset(part));
    CompositeEntry entry{};
    entry.id = ++id;
    entry.flags = part.placed ? kFlagInstantiated : 0;
    entry.start = part.start;
    entry.end = part.end;
    entry.offset = static_cast<std::uint32_t>(entries_end + blobs.size());
    entry.size = static_cast<std::uint32_t>(blob.size());
    Append(entries, entry);
    blobs += blob;
  }
  CompositeHeader header{};
  header.magic = kMagicComposite;
  header.size = static_cast<std::uint32_t>(entries_end + blobs.size());
  header.generation = 1;
  header.entry_count = static_cast<std::uint16_t>(layout.parts.size());
  std::string out;
  Append(out, header);
  return out + entries + blobs;
}

std::size_t HeaderSize(std::uint32_t magic) { return magic == kMagicV1 ? kSizeV1 : kSizeV3; }

}  // namespace

std::size_t BlobSize(std::string_view prologue) {
  const auto header = Load<PlainHeader>(prologue);
  switch (header.magic) {
    case kMagicV1:
      return kSizeV1;
    case kMagicV3:
      return kSizeV3;
    case kMagicSpecific:
      return kSizeV3 + header.stripe_count * kSizeObject;
    case kMagicComposite:
      return Load<CompositeHeader>(prologue).size;
    default:
      return 0;
  }
}

int Decode(std::string_view blob, Way way, FileLayout* layout) {
  if (blob.size() < kPrologue) return ERANGE;
  *layout = FileLayout{};
  layout->origin = Origin::kLustre;
  if (Load<std::uint32_t>(blob) == kMagicComposite) return DecodeComposite(blob, layout);
  layout->parts.emplace_back();
  Wish& wish = layout->parts.front().wish;
  const int error = DecodePlain(blob, way == Way::kAttribute, &wish);
  // Data on the metadata server is for the first component of a composite only.
  return error == 0 && wish.on_mdt ? EINVAL : error;
}

bool IsAllDefault(const FileLayout& layout) {
  const Wish& wish = layout.parts.front().wish;
  return !layout.composite && wish.unit == 0 && wish.count == 0 && !wish.first && wish.targets.empty() &&
         wish.pool.empty();
}

std::string Encode(const FileLayout& layout, std::uint64_t file) {
  if (layout.composite) return EncodeComposite(layout, file);
  return EncodePlain(layout.parts.front(), file, WishedOffset(layout.parts.front()));
}

int EncodeForIoctl(const FileLayout& layout, std::uint64_t file, std::uint32_t magic, std::uint16_t count,
                   std::string* out) {
  if (magic != kMagicV1 && magic != kMagicV3) return EINVAL;
  const Component* part = &layout.parts.front();
  for (const Component& other : layout.parts) {
    if (other.placed) part = &other;
  }
  *out = EncodePlain(*part, file, part->placed ? 0 : WishedOffset(*part));
  if (layout.composite || !part->placed) return 0;
  if (count == 0) {
    out->resize(std::min(out->size(), HeaderSize(magic)));
    return 0;
  }
  return count < part->stripe.count ? EOVERFLOW : 0;
}

std::string EncodeHeader(const FileLayout& layout, std::uint64_t file, std::size_t size) {
  std::string blob = Encode(layout, file);
  blob.resize(std::min(blob.size(), size));
  return blob;
}

}  // namespace toto::stripefs::lustre

// SPDX-License-Identifier: BSD-3-Clause
//
// Layouts: what somebody wished for, what a file got, and which bytes of a request go where.
//
// Pure data and arithmetic; the dialects (lustre, ceph, beegfs) translate their own structures from and to
// these. A file has a list of components that follow each other in the file; a plain file has one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toto::stripefs {

inline constexpr std::uint64_t kEndOfFile = UINT64_MAX;
inline constexpr std::uint64_t kUnitGrain = 65536;        // every stripe unit is a multiple of this
inline constexpr std::uint32_t kAllTargets = UINT32_MAX;  // a wish for as many stripes as there are targets
inline constexpr std::uint32_t kMaxStripes = 2000;        // Lustre's limit, matters for overstriping only

// What was asked for. Zero and empty mean "the default".
struct Wish {
  std::uint64_t unit = 0;
  std::uint32_t count = 0;
  std::uint64_t object_size = 0;       // Ceph only; 0: an object grows without end
  std::optional<std::uint32_t> first;  // the target of the first object
  std::vector<std::uint32_t> targets;  // every object's target
  std::string pool;
  bool overstripe = false;  // several objects on one target are welcome
  bool on_mdt = false;      // data on the metadata server: no target at all
};

// What a component got. Object n lies on targets[n % targets.size()].
struct Stripe {
  std::uint64_t unit = 0;
  std::uint32_t count = 0;  // objects in one round
  std::uint64_t object_size = 0;
  std::vector<std::uint32_t> targets;
};

// The part [start, end) of a file. Until it is placed, bytes in it touch no target.
struct Component {
  std::uint64_t start = 0;
  std::uint64_t end = kEndOfFile;
  Wish wish;
  Stripe stripe;
  bool placed = false;
};

enum class Origin { kDefault, kLustre, kCeph, kBeegfs };

// The layout of a file, or the one that a directory gives to its new files (then nothing is placed).
struct FileLayout {
  std::vector<Component> parts;
  bool composite = false;  // was set as a composite, and is to be shown as one
  Origin origin = Origin::kDefault;
};

FileLayout PlainLayout(Wish wish, Origin origin);

// The bytes [begin, end) of one object, touched by one request.
struct Share {
  std::uint32_t component = 0;
  std::uint64_t object = 0;
  std::uint32_t target = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t bytes() const { return end - begin; }
};

// Splits the file range [offset, offset + length) into one share an object. Stripes are counted from the
// start of the file in every component, as Lustre does. Bytes outside every placed component are left out.
std::vector<Share> Split(const std::vector<Component>& parts, std::uint64_t offset, std::uint64_t length);

// Gives components their targets: clips the counts, and goes round the targets so that successive files
// start where the last one ended.
class Placer {
 public:
  Placer(std::uint32_t targets, std::uint32_t default_count, std::uint64_t default_unit)
      : targets_(targets), default_count_(default_count), default_unit_(default_unit) {}

  // Places a component (0, or an errno and the component is as before). No effect when it is placed.
  int Place(Component& component);

  // Grants no more than this many stripes (0: as many as there are targets), silently.
  void set_clip(std::uint32_t clip) { clip_ = clip; }

  std::uint32_t targets() const { return targets_; }
  std::uint32_t default_count() const { return default_count_; }
  std::uint64_t default_unit() const { return default_unit_; }

 private:
  std::uint32_t Count(const Component& component, std::uint64_t unit) const;

  std::uint32_t targets_;
  std::uint32_t default_count_;
  std::uint64_t default_unit_;
  std::uint32_t clip_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace toto::stripefs

// SPDX-License-Identifier: BSD-3-Clause
// What Lustre's client exchanges with user programs, as far as it is needed here, so that neither
// liblustreapi nor its headers are. Names and values: include/uapi/linux/lustre/lustre_user.h (structures,
// magic numbers, patterns, flags) and lustre_ioctl.h (OBD_IOC_GETDTNAME), the same in 2.12, 2.15 and 2.17.
// Host byte order.
#pragma once

#include <fcntl.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace toto::layout::lustre {

inline constexpr const char* kLov = "lustre.lov";  // XATTR_LUSTRE_LOV

enum Magic : std::uint32_t {  // LOV_USER_MAGIC_*
  kMagicV1 = 0x0BD10BD0,
  kMagicV3 = 0x0BD30BD0,        // V1 and a pool
  kMagicSpecific = 0x0BD50BD0,  // as V3, with a list of OSTs chosen
  kMagicComposite = 0x0BD60BD0,
  kMagicForeign = 0x0BD70BD0,
  kMagicSelfExtending = 0x0BD80BD0,  // a composite with extension components
};

enum Pattern : std::uint32_t {  // LOV_PATTERN_*
  kRaid0 = 0x001,
  kDataOnMdt = 0x100,  // the data of the component are on the metadata server
  kOverstriping = 0x200,
  kForeign = 0x400,
};

enum ComponentFlag : std::uint32_t {  // LCME_FL_*
  kStale = 0x01,
  kInstantiated = 0x10,
  kExtension = 0x40,  // space that other components grow into; never holds data
};

inline constexpr std::uint32_t kSizeUnit = 65536;             // LOV_MIN_STRIPE_SIZE
inline constexpr std::uint32_t kMaxSize = 0xffff'0000;        // the last multiple in 32 bits
inline constexpr std::uint32_t kMaxCount = 2000;              // LOV_MAX_STRIPE_COUNT
inline constexpr std::uint16_t kAll = 0xffff;                 // LOV_ALL_STRIPES
inline constexpr std::uint16_t kFirstOverstripeAll = 0xffe0;  // LLAPI_OVERSTRIPE_COUNT_MAX: n objects an OST
inline constexpr std::uint16_t kAnyOst = 0xffff;              // LOV_OFFSET_DEFAULT
inline constexpr std::size_t kMaxPool = 15;                   // LOV_MAXPOOLNAME
inline constexpr std::size_t kMaxXattr = 65536;               // linux/limits.h: XATTR_SIZE_MAX

// O_LOV_DELAY_CREATE: an open for writing that makes no objects yet, so that a layout can be set. As 2.17 has
// it; older clients take it as well, and open(2) drops the one bit more that they have.
inline constexpr int kDelayCreate = O_NOCTTY | FASYNC;
inline constexpr unsigned long kSetStripe = 0x4008669a;    // LL_IOC_LOV_SETSTRIPE, _IOW('f', 154, long)
inline constexpr unsigned long kGetStripe = 0x4008669b;    // LL_IOC_LOV_GETSTRIPE, _IOW('f', 155, long)
inline constexpr unsigned long kGetObdCount = 0x800866a8;  // LL_IOC_GETOBDCOUNT, _IOR('f', 168, long)
inline constexpr unsigned long kGetDtName = 0x8080667f;    // OBD_IOC_GETDTNAME, _IOR('f', 127, char[128])

struct [[gnu::packed]] LovV1 {  // lov_user_md_v1; the objects follow
  std::uint32_t magic;
  std::uint32_t pattern;
  std::array<std::uint64_t, 2> object_id;  // lmm_oi
  std::uint32_t stripe_size;
  std::uint16_t stripe_count;
  std::uint16_t stripe_offset;  // set: first OST; read: generation of the layout
};
static_assert(sizeof(LovV1) == 32);

struct [[gnu::packed]] LovV3 {  // lov_user_md_v3; the objects follow
  LovV1 head;
  std::array<char, kMaxPool + 1> pool;
};
static_assert(sizeof(LovV3) == 48);

struct [[gnu::packed]] LovObject {  // lov_user_ost_data_v1
  std::array<std::uint64_t, 2> object_id;
  std::uint32_t generation;
  std::uint32_t ost;
};
static_assert(sizeof(LovObject) == 24);

struct [[gnu::packed]] Composite {  // lov_comp_md_v1; the components follow
  std::uint32_t magic;
  std::uint32_t size;  // of the whole
  std::uint32_t generation;
  std::uint16_t flags;
  std::uint16_t components;
  std::uint16_t mirrors;  // less one
  std::array<std::uint16_t, 3> padding1;
  std::uint64_t padding2;
};
static_assert(sizeof(Composite) == 32);

struct [[gnu::packed]] Component {  // lov_comp_md_entry_v1
  std::uint32_t id;
  std::uint32_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t offset;  // of its LovV1 or LovV3, from the start of the whole
  std::uint32_t size;
  std::uint32_t generation;
  std::uint64_t timestamp;
  std::uint32_t padding;
};
static_assert(sizeof(Component) == 48);

}  // namespace toto::layout::lustre

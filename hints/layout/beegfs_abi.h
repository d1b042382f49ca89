// SPDX-License-Identifier: BSD-3-Clause
// What BeeGFS's client exchanges with user programs, as far as it is needed here. Names and values:
// client_module/include/uapi/beegfs_client.h of BeeGFS 8 (beegfs_ioctl.h of 6 and 7: the same numbers).
// Ioctl numbers of type 'f' are other file systems' too: kTestIsBeegfs goes first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace toto::layout::beegfs {

inline constexpr unsigned long kTestIsBeegfs = 0x80066616;     // BEEGFS_IOC_TEST_IS_BEEGFS
inline constexpr unsigned long kGetStripeInfo = 0x800c6619;    // BEEGFS_IOC_GET_STRIPEINFO, files only
inline constexpr unsigned long kGetStripeTarget = 0x8106661a;  // BEEGFS_IOC_GET_STRIPETARGET, files only
inline constexpr unsigned long kMakeFile = 0x4018661b;  // BEEGFS_IOC_MKFILE_STRIPEHINTS, on the parent folder

// The answer to kTestIsBeegfs. The number declares six bytes; eight are written.
inline constexpr std::string_view kIdentity = "_FhGFS_";

inline constexpr std::uint32_t kChunkUnit = 65536;  // STRIPEPATTERN_MIN_CHUNKSIZE; chunks are powers of two
inline constexpr std::uint32_t kMaxChunk = 1U << 31;
inline constexpr std::uint32_t kMaxTargets = 256;   // DIRINODE_MAX_STRIPE_TARGETS
inline constexpr std::uint32_t kEveryTarget = ~0U;  // as many as there are

struct MakeFile {            // BeegfsIoctl_MkFileWithStripeHints_Arg
  const char* name;          // the last component only
  std::uint32_t mode;        // the umask is applied; bits above 0777 are dropped
  std::uint32_t targets;     // 0: the folder's default
  std::uint32_t chunk_size;  // bytes; 0: the folder's default
};
static_assert(sizeof(MakeFile) == 24 && offsetof(MakeFile, chunk_size) == 16);

struct StripeInfo {       // BeegfsIoctl_GetStripeInfo_Arg
  std::uint32_t pattern;  // 1 RAID0, 2 RAID10, 3 buddy mirror
  std::uint32_t chunk_size;
  std::uint16_t targets;
};
static_assert(sizeof(StripeInfo) == 12);

struct StripeTarget {   // BeegfsIoctl_GetStripeTarget_Arg
  std::uint16_t index;  // in: which
  std::uint16_t target;
  std::uint16_t node;
  std::array<char, 256> alias;  // of the node
};
static_assert(sizeof(StripeTarget) == 262);

}  // namespace toto::layout::beegfs

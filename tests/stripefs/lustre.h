// SPDX-License-Identifier: BSD-3-Clause
//
// The Lustre dialect: struct lov_user_md and its relatives, as they cross the system call boundary in
// the attribute "lustre.lov" and in ioctls. Translation only, no file system.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "layout.h"

namespace toto::stripefs::lustre {

inline constexpr unsigned kSetStripe = 0x4008669a;       // LL_IOC_LOV_SETSTRIPE
inline constexpr unsigned kSetStripeNew = 0xc020669a;    // LL_IOC_LOV_SETSTRIPE_NEW
inline constexpr unsigned kGetStripe = 0x4008669b;       // LL_IOC_LOV_GETSTRIPE
inline constexpr unsigned kGetStripeNew = 0x8020669b;    // LL_IOC_LOV_GETSTRIPE_NEW
inline constexpr unsigned kGetTargetCount = 0x800866a8;  // LL_IOC_GETOBDCOUNT
inline constexpr unsigned kGetDeviceName = 0x8080667f;   // OBD_IOC_GETDTNAME

// What kGetDeviceName tells: below this name a client shows its parameters (none here).
inline constexpr std::array kDeviceName = std::to_array("stripefs-clilov-0123456789abcdef");  // with its zero

// What is left of O_LOV_DELAY_CREATE when it arrives here: the kernel drops its other bits.
inline constexpr int kDelayCreate = 020000;

inline constexpr std::uint32_t kMagicV1 = 0x0BD10BD0;
inline constexpr std::uint32_t kMagicV3 = 0x0BD30BD0;
inline constexpr std::uint32_t kMagicSpecific = 0x0BD50BD0;
inline constexpr std::uint32_t kMagicComposite = 0x0BD60BD0;

inline constexpr std::size_t kSizeV1 = 32;
inline constexpr std::size_t kSizeV3 = 48;
inline constexpr std::size_t kSizeObject = 24;
inline constexpr std::size_t kPrologue = 32;  // enough of any structure to know its size

inline constexpr std::size_t kMaxBlob = 65536;

// The way that a structure came: they differ in what stripe offset 0 means.
enum class Way { kAttribute, kIoctl };

// The size of the structure that begins with these kPrologue bytes; 0 when the magic is none of ours.
std::size_t BlobSize(std::string_view prologue);

// 0, EINVAL (bad magic or values) or ERANGE (too short for what it says).
int Decode(std::string_view blob, Way way, FileLayout* layout);

// True for the all-default structure, which takes a directory's default away.
bool IsAllDefault(const FileLayout& layout);

// As "lustre.lov" shows it: with the objects, or a directory's default (without).
std::string Encode(const FileLayout& layout, std::uint64_t file);

// As the GETSTRIPE ioctl shows it. The caller says by magic and stripe count how much it has room for;
// a composite file shows its last placed component, all of it. 0 or EOVERFLOW, EINVAL.
int EncodeForIoctl(const FileLayout& layout, std::uint64_t file, std::uint32_t magic, std::uint16_t count,
                   std::string* out);

// What the SETSTRIPE ioctl writes back into the caller's structure of `size` bytes.
std::string EncodeHeader(const FileLayout& layout, std::uint64_t file, std::size_t size);

}  // namespace toto::stripefs::lustre

// SPDX-License-Identifier: BSD-3-Clause
//
// The BeeGFS dialect: the structures of its ioctls. Translation and the client's own checks only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "layout.h"

namespace toto::stripefs::beegfs {

inline constexpr unsigned kTestIsBeegfs = 0x80066616;  // BEEGFS_IOC_TEST_IS_FHGFS
inline constexpr unsigned kGetStripeInfo = 0x800c6619;
inline constexpr unsigned kGetStripeTarget = 0x8106661a;
inline constexpr unsigned kMakeFile = 0x4018661b;  // BEEGFS_IOC_MKFILE_STRIPEHINTS

// The answer to kTestIsBeegfs: all eight bytes are copied, though the number declares six.
inline constexpr std::string_view kIdentity{"_FhGFS_\0", 8};

inline constexpr std::size_t kMaxFileName = 256;  // with its terminating zero
inline constexpr std::uint32_t kMaxTargets = 256;

struct MakeFile {
  std::uint64_t file_name;  // the caller's pointer
  std::uint32_t mode;
  std::uint32_t target_count;  // 0: the directory's default, ~0: all
  std::uint32_t chunk_size;    // 0: the directory's default
};

// 0 or EINVAL.
int DecodeMakeFile(std::string_view bytes, MakeFile* request);

// The layout that the request asks for in a directory with this default.
FileLayout Requested(const MakeFile& request, const FileLayout& directory_default);

std::string EncodeStripeInfo(const FileLayout& layout);

// 0, or EINVAL when there is no such index.
int EncodeStripeTarget(const FileLayout& layout, std::uint16_t index, std::string* out);

}  // namespace toto::stripefs::beegfs

// SPDX-License-Identifier: BSD-3-Clause
// What was found out about a folder when a file was created there, for those that follow: a program makes
// its files one after the other in the same folder, and each question is a message to the file system's
// server.
#pragma once

#include <cstdint>
#include <string_view>

#include "hints/layout/backend.h"

namespace toto::policy::folders {

// As Backend::folder_default; what is answered holds for two seconds.
int default_of(const layout::Backend& backend, std::uint64_t device, std::string_view folder,
               layout::FolderDefault& out);

// A number of a file system and of a pool in it, the same in every job and on every node; 0: neither is told.
// `file_system`: statfs's f_fsid, which Lustre and CephFS make of their own identity; FUSE clients have none.
[[nodiscard]] std::uint64_t place_of(std::uint64_t file_system, std::string_view pool);

// The errno with which the file system said that no layout can be chosen in this folder; that holds for a
// minute. 0: it did not.
[[nodiscard]] int refusal_of(std::uint64_t device, std::string_view folder);
// Takes note of it, where the errno speaks against any layout there and not against this one.
void note_refusal(std::uint64_t device, std::string_view folder, int error);

}  // namespace toto::policy::folders

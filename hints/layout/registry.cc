// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "hints/layout/backend.h"
#include "hints/layout/beegfs.h"
#include "hints/layout/ceph.h"
#include "hints/layout/lustre.h"

namespace toto::layout {
namespace {

constinit const LustreBackend kLustre;
constinit const CephBackend kCeph;
constinit const BeegfsBackend kBeegfs;
constinit const std::array<const Backend*, 3> kBackends = {&kLustre, &kCeph, &kBeegfs};

}  // namespace

const Backend* by_name(std::string_view file_system) {
  for (const Backend* backend : kBackends) {
    if (backend->name() == file_system) return backend;
  }
  return nullptr;
}

std::span<const Backend* const> backends() { return kBackends; }

}  // namespace toto::layout

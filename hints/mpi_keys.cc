// SPDX-License-Identifier: BSD-3-Clause
#include "hints/mpi_keys.h"

#include <array>
#include <cstddef>

namespace toto::hints {
namespace {

constexpr std::uint8_t bit(MpiIo library) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(library));
}
constexpr std::uint8_t kBothRomios = bit(MpiIo::kRomio) | bit(MpiIo::kOmpiRomio);
constexpr std::uint8_t kBothOmpios = bit(MpiIo::kOmpioOld) | bit(MpiIo::kOmpio);

// Rows by who reads the key.
using Key = TableText<38>;
constexpr MpiKey everywhere(Key key, ValueKind kind, TableText<28> alias = "",
                            TableText<12> other_alias = "") {
  return {key, kind, kBothRomios | kBothOmpios, alias, other_alias};
}
constexpr MpiKey romio(Key key, ValueKind kind, TableText<28> alias = "") {
  return {key, kind, kBothRomios, alias, ""};
}
constexpr MpiKey mpich_only(Key key, ValueKind kind) { return {key, kind, bit(MpiIo::kRomio), "", ""}; }
constexpr MpiKey ompio(Key key, ValueKind kind) { return {key, kind, kBothOmpios, "", ""}; }
constexpr MpiKey new_ompio(Key key, ValueKind kind) { return {key, kind, bit(MpiIo::kOmpio), "", ""}; }
constexpr MpiKey unread(Key key, ValueKind kind) { return {key, kind, 0, "", ""}; }

using enum ValueKind;

constexpr auto kKeys = std::to_array<MpiKey>({
    everywhere("striping_factor", kStripeCount, "stripe_width", "stripe_count"),
    everywhere("striping_unit", kStripeSize, "stripe_size"),
    romio("start_iodevice", kText, "romio_lustre_start_iodevice"),
    // Open MPI 4.1.4 takes every value but "false" for "no collective buffering": not to be given there.
    new_ompio("collective_buffering", kBoolean),

    everywhere("cb_nodes", kCount),
    everywhere("cb_buffer_size", kSize),

    romio("cb_config_list", kText),
    romio("romio_cb_read", kSwitch),
    romio("romio_cb_write", kSwitch),
    romio("romio_ds_read", kSwitch),
    romio("romio_ds_write", kSwitch),
    romio("romio_no_indep_rw", kBoolean),
    romio("romio_cb_pfr", kSwitch),
    romio("romio_cb_fr_type", kText, "romio_cb_fr_types"),  // read under the one name, told under the other
    romio("romio_cb_fr_alignment", kText),
    romio("romio_cb_ds_threshold", kText),
    romio("romio_cb_alltoall", kSwitch),
    romio("romio_min_fdomain_size", kSize),
    romio("romio_synchronized_flush", kText),
    romio("romio_visibility_immediate", kBoolean),
    romio("ind_rd_buffer_size", kSize),
    romio("ind_wr_buffer_size", kSize),
    romio("direct_read", kText),
    romio("direct_write", kText),
    romio("romio_lustre_co_ratio", kCount),
    romio("romio_lustre_coll_threshold", kText),
    romio("romio_lustre_ds_in_coll", kSwitch),
    romio("romio_lustre_cb_lock_ahead_read", kText),
    romio("romio_lustre_cb_lock_ahead_write", kText),
    romio("romio_lustre_cb_lock_ahead_num_extents", kText),
    romio("romio_lustre_cb_lock_ahead_flags", kText),
    romio("romio_pvfs2_debugmask", kText),
    romio("romio_pvfs2_posix_read", kText),
    romio("romio_pvfs2_posix_write", kText),
    romio("romio_pvfs2_dtype_read", kText),
    romio("romio_pvfs2_dtype_write", kText),
    romio("romio_pvfs2_listio_read", kText),
    romio("romio_pvfs2_listio_write", kText),
    romio("panfs_concurrent_write", kText),
    romio("panfs_layout_type", kText),
    romio("panfs_layout_stripe_unit", kText),
    romio("panfs_layout_total_num_comps", kText),
    romio("panfs_layout_parity_stripe_width", kText),
    romio("panfs_layout_parity_stripe_depth", kText),
    romio("panfs_layout_visit_policy", kText),

    // DAOS came to ROMIO after the version inside Open MPI; the rest are Cray's.
    mpich_only("romio_daos_chunk_size", kText),
    mpich_only("romio_daos_obj_class", kText),
    mpich_only("cray_cb_nodes_multiplier", kCount),
    mpich_only("cray_cb_write_lock_mode", kText),
    mpich_only("cb_align", kText),
    mpich_only("direct_io", kText),
    mpich_only("aggregator_placement_stride", kText),
    mpich_only("abort_on_rw_error", kText),

    ompio("OMPIO_SHAREDFP_RELAXED_ORDERING", kText),
    ompio("gpfsAccessRange", kText),
    ompio("gpfsFreeRange", kText),
    ompio("gpfsClearFileCache", kText),
    ompio("gpfsCancelHints", kText),
    ompio("gpfsSetReplication", kText),
    ompio("gpfsByteRange", kText),
    ompio("gpfsRestripeData", kText),
    ompio("useSIOXLib", kText),

    // Real names that none of these libraries reads: IBM's own MPI does; "pool" and "components" are
    // ours, for the layout.
    unread("IBM_largeblock_io", kText),
    unread("IBM_lockless_io", kText),
    unread("pool", kText),
    unread("components", kComponents),
});

// Where a library reads a key under other names than the canonical one alone.
struct OtherNames {
  Key key;
  MpiIo library;
  TableText<28> first, second;
};
constexpr auto kOtherNames = std::to_array<OtherNames>({
    // OMPIO before 4.1.6 reads the short names only; "stripe_width" is its name of the stripe count.
    // The standard's names are given too: whoever asks the file for its hints looks for those.
    OtherNames{"striping_factor", MpiIo::kOmpioOld, "stripe_width", "striping_factor"},
    OtherNames{"striping_unit", MpiIo::kOmpioOld, "stripe_size", "striping_unit"},
    // MPICH 4.2 dropped the prefix; ROMIO inside Open MPI is older.
    OtherNames{"start_iodevice", MpiIo::kRomio, "start_iodevice", "romio_lustre_start_iodevice"},
    OtherNames{"start_iodevice", MpiIo::kOmpiRomio, "romio_lustre_start_iodevice", ""},
});

}  // namespace

std::string_view name(MpiIo library) {
  constexpr std::array<std::string_view, 5> kNames{"unknown", "OMPIO before 4.1.6", "OMPIO", "ROMIO",
                                                   "ROMIO in Open MPI"};
  return kNames[static_cast<std::size_t>(library)];
}

bool tells_the_truth(MpiIo library) { return library == MpiIo::kRomio; }

std::span<const MpiKey> known_keys() { return kKeys; }

const MpiKey* find_key(std::string_view key) {
  if (key.empty()) return nullptr;  // an unused alias is empty too
  for (const MpiKey& known : kKeys) {
    if (known.key.view() == key || known.alias.view() == key || known.other_alias.view() == key)
      return &known;
  }
  return nullptr;
}

Names names(MpiIo library, std::string_view key) {
  if (library == MpiIo::kUnknown) return {};
  const MpiKey* known = find_key(key);
  if (known == nullptr) return {key, ""};
  for (const OtherNames& other : kOtherNames) {
    if (other.library == library && other.key.view() == known->key.view()) return {other.first, other.second};
  }
  return (known->readers & bit(library)) != 0 ? Names{known->key, ""} : Names{};
}

std::string_view canonical(std::string_view key) {
  const MpiKey* known = find_key(key);
  return known != nullptr ? known->key.view() : key;
}

}  // namespace toto::hints

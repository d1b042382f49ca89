// SPDX-License-Identifier: BSD-3-Clause
#include "hints/mpi_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace toto::hints {
namespace {

constexpr std::uint8_t bit(MpiIo library) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(library));
}
constexpr std::uint8_t kMpich = bit(MpiIo::kRomio) | bit(MpiIo::kCray);
constexpr std::uint8_t kRomios = kMpich | bit(MpiIo::kOmpiRomio);
// The two candidates that take one striping hint for the other are given neither.
constexpr std::uint8_t kRightOmpios = bit(MpiIo::kOmpioOld) | bit(MpiIo::kOmpio41) | bit(MpiIo::kOmpio);
constexpr std::uint8_t kOmpios = kRightOmpios | bit(MpiIo::kOmpioSwapped);

// Rows by who reads the key.
using Key = TableText<38>;
constexpr MpiKey striping(Key key, ValueKind kind, TableText<28> alias, TableText<12> other_alias = "") {
  return {key, kind, kRomios | kRightOmpios, Driver::kEvery, alias, other_alias};
}
constexpr MpiKey everywhere(Key key, ValueKind kind) {
  return {key, kind, kRomios | kOmpios, Driver::kEvery, "", ""};
}
constexpr MpiKey romio(Key key, ValueKind kind, Driver driver = Driver::kEvery, TableText<28> alias = "") {
  return {key, kind, kRomios, driver, alias, ""};
}
constexpr MpiKey mpich(Key key, ValueKind kind, Driver driver) { return {key, kind, kMpich, driver, "", ""}; }
constexpr MpiKey cray(Key key, ValueKind kind) {
  return {key, kind, bit(MpiIo::kCray), Driver::kEvery, "", ""};
}
constexpr MpiKey ompio(Key key, ValueKind kind, Driver driver = Driver::kEvery) {
  return {key, kind, kOmpios, driver, "", ""};
}
constexpr MpiKey ompio_5(Key key, ValueKind kind) {
  return {key, kind, bit(MpiIo::kOmpio), Driver::kEvery, "", ""};
}
constexpr MpiKey unread(Key key, ValueKind kind) { return {key, kind, 0, Driver::kNone, "", ""}; }

using enum ValueKind;
using enum Driver;

constexpr auto kKeys = std::to_array<MpiKey>({
    striping("striping_factor", kStripeCount, "stripe_width", "stripe_count"),
    striping("striping_unit", kStripeSize, "stripe_size"),
    romio("start_iodevice", kText, kLustre, "romio_lustre_start_iodevice"),
    // Open MPI 4.1 takes every value but "false" for "no collective buffering": not to be given there.
    ompio_5("collective_buffering", kBoolean),

    everywhere("cb_nodes", kCount),
    everywhere("cb_buffer_size", kSize),

    romio("cb_config_list", kText),
    romio("romio_cb_read", kSwitch),
    romio("romio_cb_write", kSwitch),
    romio("romio_ds_read", kSwitch),
    romio("romio_ds_write", kSwitch),
    romio("romio_no_indep_rw", kBoolean),
    romio("romio_cb_pfr", kSwitch),
    romio("romio_cb_fr_type", kText, kEvery,
          "romio_cb_fr_types"),  // read under the one name, told under the other
    romio("romio_cb_fr_alignment", kText),
    romio("romio_cb_ds_threshold", kText),
    romio("romio_cb_alltoall", kSwitch),
    romio("romio_min_fdomain_size", kSize),
    romio("romio_synchronized_flush", kText),
    romio("romio_visibility_immediate", kBoolean),
    romio("ind_rd_buffer_size", kSize),
    romio("ind_wr_buffer_size", kSize),
    romio("direct_read", kText, kXfsAndLustre),
    romio("direct_write", kText, kXfsAndLustre),
    romio("romio_lustre_co_ratio", kCount, kLustre),
    romio("romio_lustre_coll_threshold", kText, kLustre),
    romio("romio_lustre_ds_in_coll", kSwitch, kLustre),
    romio("romio_lustre_cb_lock_ahead_read", kText, kLockAhead),
    romio("romio_lustre_cb_lock_ahead_write", kText, kLockAhead),
    romio("romio_lustre_cb_lock_ahead_num_extents", kText, kLockAhead),
    romio("romio_lustre_cb_lock_ahead_flags", kText, kLockAhead),
    romio("romio_pvfs2_debugmask", kText, kOrangeFs),
    romio("romio_pvfs2_posix_read", kText, kOrangeFs),
    romio("romio_pvfs2_posix_write", kText, kOrangeFs),
    romio("romio_pvfs2_dtype_read", kText, kOrangeFs),
    romio("romio_pvfs2_dtype_write", kText, kOrangeFs),
    romio("romio_pvfs2_listio_read", kText, kOrangeFs),
    romio("romio_pvfs2_listio_write", kText, kOrangeFs),
    romio("panfs_concurrent_write", kText, kPanFs),
    romio("panfs_layout_type", kText, kPanFs),
    romio("panfs_layout_stripe_unit", kText, kPanFs),
    romio("panfs_layout_total_num_comps", kText, kPanFs),
    romio("panfs_layout_parity_stripe_width", kText, kPanFs),
    romio("panfs_layout_parity_stripe_depth", kText, kPanFs),
    romio("panfs_layout_visit_policy", kText, kPanFs),

    // DAOS came to ROMIO after the version inside Open MPI.
    mpich("romio_daos_chunk_size", kText, kDaos),
    mpich("romio_daos_obj_class", kText, kDaos),
    cray("cray_cb_nodes_multiplier", kCount),
    cray("cray_cb_write_lock_mode", kText),
    cray("cb_align", kText),
    cray("direct_io", kText),
    cray("aggregator_placement_stride", kText),
    cray("abort_on_rw_error", kText),

    ompio("OMPIO_SHAREDFP_RELAXED_ORDERING", kText),
    ompio("gpfsAccessRange", kText, kGpfs),
    ompio("gpfsFreeRange", kText, kGpfs),
    ompio("gpfsClearFileCache", kText, kGpfs),
    ompio("gpfsCancelHints", kText, kGpfs),
    ompio("gpfsSetReplication", kText, kGpfs),
    ompio("gpfsByteRange", kText, kGpfs),
    ompio("gpfsRestripeData", kText, kGpfs),
    ompio("useSIOXLib", kText, kGpfs),

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
    OtherNames{"start_iodevice", MpiIo::kCray, "romio_lustre_start_iodevice", ""},
    OtherNames{"start_iodevice", MpiIo::kOmpiRomio, "romio_lustre_start_iodevice", ""},
});

}  // namespace

std::string_view name(MpiIo library) {
  constexpr std::array<std::string_view, 8> kNames{
      "unknown", "OMPIO before 4.1.6", "OMPIO 5.0.0rc8, rc9", "OMPIO 4.1.6", "OMPIO",
      "ROMIO",   "Cray MPICH",         "ROMIO in Open MPI"};
  return kNames[static_cast<std::size_t>(library)];
}

MpiIo ompio_of(std::string_view version) {
  std::array<int, 3> v{};  // major, minor, release
  std::string_view rest = version.substr(std::min(version.size(), version.find_first_of("0123456789")));
  for (int& part : v) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), part);
    if (error != std::errc()) break;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('.')) break;
    rest.remove_prefix(1);
  }
  if (v == std::array{5, 0, 0} && (rest.starts_with("rc8") || rest.starts_with("rc9")))
    return MpiIo::kOmpioSwapped;
  if (v[0] >= 5) return MpiIo::kOmpio;
  return v >= std::array{4, 1, 6} ? MpiIo::kOmpio41 : MpiIo::kOmpioOld;
}

bool tells_the_truth(MpiIo library) { return library == MpiIo::kRomio; }

std::string_view fate_of_unknown(MpiIo library) {
  switch (library) {
    case MpiIo::kRomio:
      return "dropped; MPI_File_get_info does not return it";
    case MpiIo::kCray:
      return "dropped, with a line on standard error where it came by MPICH_MPIIO_HINTS";
    default:
      return "no effect; MPI_File_get_info returns it like any other (newer than 5.0: only accepted ones)";
  }
}

std::string_view name(Driver driver) {
  constexpr std::array<std::string_view, 9> kNames{
      "", "Lustre", "XFS, Lustre", "Lustre with lock-ahead", "OrangeFS", "PanFS", "DAOS", "GPFS", ""};
  return kNames[static_cast<std::size_t>(driver)];
}

std::string_view name(ValueKind kind) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"text", "number", "number, -1: all", "bytes", "bytes",
                                       "enable, disable, automatic", "true, false", "parts"});
  static_assert(kNames.size() == static_cast<std::size_t>(ValueKind::kComponents) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

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

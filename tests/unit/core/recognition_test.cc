// SPDX-License-Identifier: BSD-3-Clause
// Which file system a path lies on: by statfs(2)'s number, or for FUSE by the mount table, on tables as they
// are found on clusters and in containers.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/file_systems.h"
#include "core/mounts.h"
#include "core/path.h"
#include "core/places.h"

namespace toto::places {
namespace {

namespace fs = std::filesystem;

class Recognition : public ::testing::Test {
 protected:
  void table(const std::string& text) { std::ofstream(table_, std::ios::binary) << text; }
  Recognition() { close(mkstemp(table_)); }
  ~Recognition() override { unlink(table_); }

  [[nodiscard]] std::string by_magic(long f_type, std::string_view path = "/scratch/file") const {
    // As the library takes it from statfs(2), whose field is a signed long.
    return name_of(recognise(mounts::device_key(0, 44), static_cast<std::uint32_t>(f_type), path, table_));
  }
  [[nodiscard]] std::string by_fuse(std::uint32_t minor, std::string_view path) const {
    return name_of(recognise(mounts::device_key(0, minor), kFuseMagic, path, table_));
  }
  [[nodiscard]] std::string by_path(std::string_view path) const {
    const auto mount = mounts::of_path(path, table_);
    return mount ? name_of(file_system_by_type(mount->type)) : "no mount";
  }
  [[nodiscard]] static std::string name_of(const KnownFileSystem* known) {
    return known == nullptr ? "unknown"
                            : std::string(known->name) + (known->parallel ? "" : " (not parallel)");
  }

  char table_[32] = "/tmp/toto-mounts-XXXXXX";
};

TEST_F(Recognition, MagicNumbers) {
  // Whether f_type came with the sign carried on (a 32-bit kernel's, or a cast's) or not.
  for (const long sign : {0L, ~0xffff'ffffL}) {
    const auto name = [&](long magic) {
      return by_magic((magic & 0x8000'0000L) != 0 ? magic | sign : magic);
    };
    EXPECT_EQ(name(0x0BD00BD0), "lustre");
    EXPECT_EQ(name(0x19830326), "beegfs");
    EXPECT_EQ(name(0x00C36400), "ceph");
    EXPECT_EQ(name(0x47504653), "gpfs");
    EXPECT_EQ(name(0x20030528), "orangefs");
    EXPECT_EQ(name(0xAAD7AAEA), "panfs");
    EXPECT_EQ(name(0xDA05AD10), "daos");
    EXPECT_EQ(name(0x6969), "nfs (not parallel)");
    EXPECT_EQ(name(0xFE534D42), "smb (not parallel)");
    EXPECT_EQ(name(0xFF534D42), "cifs (not parallel)");
    EXPECT_EQ(name(0x01021994), "tmpfs (not parallel)");
    EXPECT_EQ(name(0x794C7630), "overlay (not parallel)");
    EXPECT_EQ(name(0x58465342), "xfs (not parallel)");
    EXPECT_EQ(name(0xEF53), "ext4 (not parallel)");
    EXPECT_EQ(name(0x9123683E), "btrfs (not parallel)");
    EXPECT_EQ(name(0x187), "autofs (not parallel)");
    EXPECT_EQ(name(0x12345678), "unknown");
  }
}

TEST_F(Recognition, NoTwoFileSystemsShareANumberATypeOrAName) {
  for (const KnownFileSystem& one : kKnownFileSystems) {
    EXPECT_EQ(file_system_by_name(one.name), &one);
    EXPECT_EQ(file_system_by_magic(one.magic), &one);
    EXPECT_NE(one.magic, kFuseMagic);
    for (const auto& type : one.mount_types) {
      if (type.empty()) continue;
      EXPECT_EQ(file_system_by_type(type), &one) << std::string_view(type);
    }
  }
}

TEST_F(Recognition, FuseClientsAreToldByTheMountTable) {
  table(
      "27 1 8:3 / / rw,relatime - ext4 /dev/sda3 rw\n"
      "96 27 0:51 / /ceph rw,nosuid,nodev,relatime - fuse.ceph-fuse ceph-fuse rw,user_id=0,group_id=0\n"
      "97 27 0:52 / /daos rw,nosuid,nodev,relatime - fuse.daos dfuse rw,user_id=1000,group_id=1000\n"
      "98 27 0:53 / /home/a/mnt rw,nosuid,nodev,relatime - fuse.sshfs host:/ rw,user_id=1000,group_id=1000\n"
      "99 27 0:54 / /scratch rw,relatime - fuse.lustre 10.0.0.1@tcp:/scratch rw\n"
      "100 27 0:55 / /plain rw,relatime - fuse /dev/fuse rw\n");
  EXPECT_EQ(by_fuse(51, "/ceph/x"), "ceph");
  EXPECT_EQ(by_fuse(52, "/daos/x"), "daos");
  EXPECT_EQ(by_fuse(53, "/home/a/mnt/x"), "unknown");
  EXPECT_EQ(by_fuse(54, "/scratch/x"), "lustre");
  EXPECT_EQ(by_fuse(55, "/plain/x"), "unknown");
  // The device decides, whatever the letters of the path say (a link may have led there).
  EXPECT_EQ(by_fuse(52, "/scratch/x"), "daos");
  EXPECT_EQ(by_fuse(60, "/scratch/x"), "unknown");
}

// Irene and its kin: several Lustres, one mounted below another, a folder bound elsewhere.
constexpr const char* kLustreNode =
    "27 1 8:3 / / rw,relatime shared:1 - xfs /dev/sda3 rw\n"
    "90 27 0:44 / /ccc/scratch rw,noatime,nosuid shared:50 - lustre 10.1.0.1@o2ib:10.1.0.2@o2ib:/scratch "
    "rw,flock,lazystatfs\n"
    "91 27 0:45 / /ccc/work rw,noatime shared:51 - lustre 10.2.0.1@o2ib:/work rw\n"
    "92 90 0:46 / /ccc/scratch/fast rw,noatime shared:52 - lustre 10.3.0.1@o2ib:/flash rw\n"
    "93 92 0:47 / /ccc/scratch/fast/local rw,relatime - tmpfs tmpfs rw,size=1G\n"
    "94 27 0:44 /cont001/home /home rw,noatime - lustre 10.1.0.1@o2ib:10.1.0.2@o2ib:/scratch rw\n";

TEST_F(Recognition, NestedMounts) {
  table(kLustreNode);
  EXPECT_EQ(by_path("/ccc/scratch/cont001/out"), "lustre");
  EXPECT_EQ(by_path("/ccc/scratch/fast/out"), "lustre");
  EXPECT_EQ(by_path("/ccc/scratch/fast/local/out"), "tmpfs (not parallel)");
  EXPECT_EQ(by_path("/ccc/scratch/faster/out"), "lustre");
  EXPECT_EQ(by_path("/ccc/scratchy/out"), "xfs (not parallel)");
  EXPECT_EQ(mounts::of_path("/ccc/scratch/fast/out", table_)->source.view(), "10.3.0.1@o2ib:/flash");
}

TEST_F(Recognition, BindMounts) {
  table(kLustreNode);
  EXPECT_EQ(by_path("/home/user/out"), "lustre");
  // By its device the place that covers the path is found, not just any.
  EXPECT_EQ(mounts::of_device(mounts::device_key(0, 44), "/home/user/out", table_)->point.view(), "/home");
  EXPECT_EQ(mounts::of_device(mounts::device_key(0, 44), "/ccc/scratch/x", table_)->point.view(),
            "/ccc/scratch");
}

TEST_F(Recognition, BeegfsGpfsAndTheOthersByTheirTypes) {
  table(
      "27 1 8:3 / / rw - ext4 /dev/sda3 rw\n"
      "90 27 0:44 / /beegfs rw,relatime shared:50 - beegfs beegfs_nodev "
      "rw,cfgFile=/etc/beegfs/beegfs-client.conf\n"
      "91 27 0:45 / /gpfs/fs1 rw,relatime shared:51 - gpfs fs1 rw\n"
      "92 27 0:46 / /pvfs rw,relatime - pvfs2 tcp://server:3334/orangefs rw\n"
      "93 27 0:47 / /panfs rw,noatime - panfs panfs://10.0.0.9/realm rw\n"
      "94 27 0:48 / /nfs rw,relatime - nfs4 server:/export rw,vers=4.2\n");
  EXPECT_EQ(by_path("/beegfs/user/ior/output.ior"), "beegfs");
  EXPECT_EQ(by_path("/gpfs/fs1/x"), "gpfs");
  EXPECT_EQ(by_path("/pvfs/x"), "orangefs");
  EXPECT_EQ(by_path("/panfs/x"), "panfs");
  EXPECT_EQ(by_path("/nfs/x"), "nfs (not parallel)");
}

TEST_F(Recognition, ContainersHaveAnOverlayForRootAndTheScratchBoundInto) {
  table(
      "600 580 0:70 / / rw,nosuid,nodev,relatime - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w\n"
      "601 600 0:71 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw\n"
      "602 600 0:44 /proj/x /data rw,nosuid,nodev,noatime - lustre 10.0.0.1@tcp:/scratch rw\n"
      "603 600 0:21 /etc/hosts /etc/hosts rw,nosuid,nodev,relatime - tmpfs tmpfs rw\n");
  EXPECT_EQ(by_path("/data/out"), "lustre");
  EXPECT_EQ(by_path("/work/out"), "overlay (not parallel)");
  EXPECT_EQ(by_path("/etc/hosts"), "tmpfs (not parallel)");
  EXPECT_EQ(by_path("/database"), "overlay (not parallel)");
}

TEST_F(Recognition, WhatAutofsHasMountedCoversIt) {
  table(
      "27 1 8:3 / / rw - ext4 /dev/sda3 rw\n"
      "97 27 0:52 / /home rw,relatime shared:60 - autofs auto.home rw,fd=5,pgrp=1,timeout=300,indirect\n"
      "98 97 0:53 / /home/alice rw,relatime shared:61 - nfs4 server:/export/alice rw,vers=4.2\n"
      "99 27 0:54 / /scratch rw,relatime - autofs auto.direct rw,direct\n"
      "100 99 0:44 / /scratch rw,noatime - lustre 10.0.0.1@tcp:/scratch rw\n"
      "101 27 0:55 / /work rw,relatime - autofs auto.direct rw,direct\n");
  EXPECT_EQ(by_path("/home/alice/x"), "nfs (not parallel)");
  EXPECT_EQ(by_path("/home/bob/x"), "autofs (not parallel)");
  EXPECT_EQ(by_path("/scratch/x"), "lustre");
  EXPECT_EQ(by_path("/work/x"), "autofs (not parallel)");
}

TEST_F(Recognition, DotsAndDoubleSlashesAreFoldedBeforeTheTableIsAsked) {
  table(kLustreNode);
  for (const char* path : {"/ccc/scratch/../work/x", "//ccc//work/./x", "/ccc/scratch/fast/../../work/x"}) {
    path::Path folded;
    ASSERT_TRUE(path::absolute(-100, path, folded));  // AT_FDCWD
    EXPECT_EQ(mounts::of_path(folded, table_)->point.view(), "/ccc/work") << path;
    EXPECT_TRUE(path::is_only_lexical(path) || std::string_view(path).find("..") == std::string_view::npos);
  }
}

// On this machine's own tables: links, and paths that are not there yet.
class RecognisedHere : public ::testing::Test {
 protected:
  RecognisedHere() {
    char name[] = "/dev/shm/toto-recognition-XXXXXX";
    if (mkdtemp(name) != nullptr) folder_ = name;
    struct stat shm {};
    struct stat tmp {};
    usable_ = !folder_.empty() && stat("/dev/shm", &shm) == 0 && stat("/tmp", &tmp) == 0 &&
              shm.st_dev != tmp.st_dev;
    char elsewhere[] = "/tmp/toto-recognition-XXXXXX";
    if (mkdtemp(elsewhere) != nullptr) elsewhere_ = elsewhere;
  }
  ~RecognisedHere() override {
    fs::remove_all(folder_);
    fs::remove_all(elsewhere_);
  }
  std::string folder_, elsewhere_;
  bool usable_ = false;
};

TEST_F(RecognisedHere, AFileIsWhereItsFolderLeadsWhateverItsName) {
  if (!usable_) GTEST_SKIP() << "/dev/shm is no file system of its own";
  fs::create_symlink(folder_, elsewhere_ + "/link");
  const Place there = of_folder(folder_ + "/new");
  const Place linked = of_folder(elsewhere_ + "/link/new");
  ASSERT_NE(there.file_system, nullptr);
  EXPECT_EQ(there.file_system->name, "tmpfs");
  EXPECT_EQ(linked.file_system, there.file_system);
  EXPECT_EQ(linked.device, there.device);
  // The link itself lies where its own folder is.
  EXPECT_NE(of_folder(elsewhere_ + "/link").device, there.device);
}

TEST_F(RecognisedHere, APathBelowAFolderThatIsNotThereIsNowhere) {
  const Place place = of_folder(folder_ + "/no/such/folder/new");
  EXPECT_EQ(place.file_system, nullptr);
  EXPECT_EQ(place.device, 0U);
  EXPECT_FALSE(place.watched);
}

}  // namespace
}  // namespace toto::places

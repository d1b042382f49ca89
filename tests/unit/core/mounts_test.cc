// SPDX-License-Identifier: BSD-3-Clause
// core/mounts.h on recorded and hand-made mount tables.
#include "core/mounts.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace toto::mounts {
namespace {

// A table in a file of its own, as for_each() reads files only.
class Table {
 public:
  explicit Table(const std::string& text) {
    const int fd = mkstemp(name_);
    EXPECT_GE(fd, 0);
    close(fd);
    std::ofstream(name_, std::ios::binary) << text;
  }
  ~Table() { unlink(name_); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  [[nodiscard]] const char* name() const { return name_; }

  [[nodiscard]] std::vector<Mount> all() const {
    std::vector<Mount> mounts;
    EXPECT_TRUE(for_each(
        [](const Mount& mount, void* list) { static_cast<std::vector<Mount>*>(list)->push_back(mount); },
        &mounts, name_));
    return mounts;
  }
  [[nodiscard]] std::string type_of(std::string_view path) const {
    const auto mount = of_path(path, name_);
    return mount ? std::string(mount->type.view()) : "";
  }
  [[nodiscard]] std::string point_of(std::string_view path) const {
    const auto mount = of_path(path, name_);
    return mount ? std::string(mount->point.view()) : "";
  }

 private:
  char name_[32] = "/tmp/toto-mounts-XXXXXX";
};

// A compute node: a Lustre and a CephFS, homes by autofs over NFS, a bind mount.
constexpr const char* kNode =
    "22 27 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw\n"
    "23 27 0:22 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw\n"
    "27 1 8:3 / / rw,relatime shared:1 - ext4 /dev/sda3 rw\n"
    "90 27 0:44 / /scratch rw,noatime shared:50 master:7 propagate_from:2 - lustre "
    "10.0.0.1@tcp:10.0.0.2@tcp:/scratch rw,flock,lazystatfs\n"
    "91 90 0:44 /project /scratch/project/bound rw,noatime shared:50 - lustre 10.0.0.1@tcp:/scratch rw\n"
    "92 27 0:44 /users /work rw,noatime - lustre 10.0.0.1@tcp:/scratch rw\n"
    "95 27 0:50 / /ceph rw,relatime - ceph 10.0.0.3:6789:/ rw,acl\n"
    "96 27 0:51 / /ceph-user rw,nosuid,nodev,relatime - fuse.ceph-fuse ceph-fuse rw,user_id=0,group_id=0\n"
    "97 27 0:52 / /home rw,relatime shared:60 - autofs auto.home "
    "rw,fd=5,pgrp=1,timeout=300,minproto=5,direct\n"
    "98 97 0:53 / /home/alice rw,relatime shared:61 - nfs4 server:/export/alice rw,vers=4.2\n"
    "99 27 0:54 / /proj rw,relatime - autofs auto.direct rw,direct\n"
    "100 99 0:55 / /proj rw,relatime - nfs server:/proj rw\n";

TEST(MountLine, HasNoOptionalFields) {
  const auto mount = parse_line("43 27 0:39 / /mnt rw,nosuid - fuse.ceph-fuse ceph-fuse rw,user_id=0");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->device, device_key(0, 39));
  EXPECT_EQ(mount->point, "/mnt");
  EXPECT_EQ(mount->type, "fuse.ceph-fuse");
  EXPECT_EQ(mount->source, "ceph-fuse");
}

TEST(MountLine, HasSeveralOptionalFields) {
  const auto mount = parse_line(
      "90 27 253:12 /sub /scratch rw shared:50 master:7 propagate_from:2 unbindable - lustre a@tcp:/s rw\n");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->device, device_key(253, 12));
  EXPECT_EQ(mount->point, "/scratch");
  EXPECT_EQ(mount->type, "lustre");
  EXPECT_EQ(mount->source, "a@tcp:/s");
}

TEST(MountLine, DashesElsewhereAreNoSeparator) {
  const auto mount = parse_line("1 2 0:3 /- /-/a rw,- -x:1 - fuse.- - rw");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->point, "/-/a");
  EXPECT_EQ(mount->type, "fuse.-");
  EXPECT_EQ(mount->source, "-");
}

TEST(MountLine, EscapesAreUndone) {
  const auto mount =
      parse_line(R"(1 2 0:3 / /a\040b\011c\012d\134e\043f rw - fuse.x\040y nas:/my\040share rw)");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->point, "/a b\tc\nd\\e#f");
  EXPECT_EQ(mount->type, "fuse.x y");
  EXPECT_EQ(mount->source, "nas:/my share");
}

TEST(MountLine, WhatIsNoEscapeStaysAsItIs) {
  const auto mount = parse_line(R"(1 2 0:3 / /a\04\8\\040\777\ rw - x \0 rw)");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->point, "/a\\04\\8\\ \\777\\");
  EXPECT_EQ(mount->source, "\\0");
}

TEST(MountLine, SourceMayBeEmpty) {
  const auto mount = parse_line("1 2 0:3 / /a rw - tmpfs  rw,size=1k");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->type, "tmpfs");
  EXPECT_TRUE(mount->source.empty());
}

TEST(MountLine, LongSourceIsCutAndSaysSo) {
  const std::string nids(300, '1');
  const auto mount = parse_line("1 2 0:3 / /a rw - lustre " + nids + ":/s rw");
  ASSERT_TRUE(mount);
  EXPECT_TRUE(mount->source.truncated());
  EXPECT_EQ(mount->type, "lustre");
}

TEST(MountLine, LongPointsAreSkipped) {
  const std::string fits = "/" + std::string(254, 'a');
  EXPECT_TRUE(parse_line("1 2 0:3 / " + fits + " rw - lustre x rw"));
  EXPECT_FALSE(parse_line("1 2 0:3 / " + fits + "a rw - lustre x rw"));
  // Escaped it takes four times the room.
  std::string blanks = "/";
  for (int i = 0; i < 254; ++i) blanks += "\\040";
  EXPECT_TRUE(parse_line("1 2 0:3 / " + blanks + " rw - lustre x rw"));
}

TEST(MountLine, MalformedIsNothing) {
  for (const char* line : {
           "",
           "\n",
           " ",
           "garbage",
           "1 2",
           "1 2 0:3",
           "1 2 0:3 / /a",
           "1 2 0:3 / /a rw",
           "1 2 0:3 / /a rw -",
           "1 2 0:3 / /a rw - ",
           "1 2 0:3 / /a rw - lustre",
           "1 2 0:3 / /a rw shared:1 lustre x rw",
           "1 2 03 / /a rw - lustre x rw",
           "1 2 0: / /a rw - lustre x rw",
           "1 2 :3 / /a rw - lustre x rw",
           "1 2 0:3:4 / /a rw - lustre x rw",
           "1 2 0:-3 / /a rw - lustre x rw",
           "1 2 0:99999999999999999999 / /a rw - lustre x rw",
           "a 2 0:3 / /a rw - lustre x rw",
           "1 -2 0:3 / /a rw - lustre x rw",
           " 1 2 0:3 / /a rw - lustre x rw",
           "1 2 0:3 / a rw - lustre x rw",
           "1 2 0:3  /a rw - lustre x rw",
           "1 2 0:3 /  rw - lustre x rw",
           "rootfs / rootfs rw 0 0",  // a line of /proc/mounts
       }) {
    EXPECT_FALSE(parse_line(line)) << '"' << line << '"';
  }
}

TEST(MountLine, RandomBytesDoNoHarm) {
  std::mt19937 random(1);
  const std::string_view alphabet =
      "0123456789:/\\- a\n\0\xff"
      "04";
  for (int i = 0; i < 20000; ++i) {
    std::string line(random() % 80, ' ');
    for (char& c : line) c = alphabet[random() % alphabet.size()];
    const auto mount = parse_line(line);
    if (mount) {
      EXPECT_EQ(mount->point.view().front(), '/');
    }
  }
}

TEST(MountTable, EveryLineIsVisitedInOrder) {
  const auto mounts = Table(kNode).all();
  ASSERT_EQ(mounts.size(), 12U);
  EXPECT_EQ(mounts.front().type, "proc");
  EXPECT_EQ(mounts[3].source, "10.0.0.1@tcp:10.0.0.2@tcp:/scratch");
  EXPECT_EQ(mounts.back().type, "nfs");
}

TEST(MountTable, LongestPrefixWins) {
  const Table table(kNode);
  EXPECT_EQ(table.type_of("/scratch/run/out.h5"), "lustre");
  EXPECT_EQ(table.point_of("/scratch/run/out.h5"), "/scratch");
  EXPECT_EQ(table.point_of("/scratch/project/bound/x"), "/scratch/project/bound");
  EXPECT_EQ(table.point_of("/scratch/project/x"), "/scratch");
  EXPECT_EQ(table.point_of("/scratch"), "/scratch");
  EXPECT_EQ(table.type_of("/scratch2/x"), "ext4");
  EXPECT_EQ(table.type_of("/ceph/x"), "ceph");
  EXPECT_EQ(table.type_of("/ceph-user/x"), "fuse.ceph-fuse");
  EXPECT_EQ(table.type_of("/"), "ext4");
}

TEST(MountTable, RootMayComeAfterWhatIsMountedOnIt) {
  EXPECT_EQ(Table(kNode).type_of("/proc/self/status"), "proc");
}

TEST(MountTable, LastOfEqualPointsWins) {
  const Table table(kNode);
  EXPECT_EQ(table.type_of("/proj/a"), "nfs");         // direct autofs
  EXPECT_EQ(table.type_of("/home/alice/a"), "nfs4");  // indirect autofs
  EXPECT_EQ(table.type_of("/home/bob/a"), "autofs");  // not mounted (yet)
}

TEST(MountTable, DeviceIsFoundAtThePointThatCoversThePath) {
  const Table table(kNode);
  const auto device = device_key(0, 44);
  EXPECT_EQ(of_device(device, "/work/a", table.name())->point, "/work");
  EXPECT_EQ(of_device(device, "/scratch/a", table.name())->point, "/scratch");
  EXPECT_EQ(of_device(device, "/scratch/project/bound/a", table.name())->point, "/scratch/project/bound");
  // By a symbolic link, say: no point is a prefix, and any of them tells the type.
  EXPECT_EQ(of_device(device, "/data/a", table.name())->type, "lustre");
  EXPECT_EQ(of_device(device, "/data/a", table.name())->point, "/work");
  EXPECT_FALSE(of_device(device_key(9, 9), "/scratch/a", table.name()));
}

TEST(MountTable, LinesLongerThanAnyBuffer) {
  std::string layers;
  while (layers.size() < 20000) layers += "/var/lib/docker/overlay2/l/ABCDEFGHIJKLMNOPQRSTUVWXYZ:";
  const Table table("500 400 0:70 / / rw,relatime master:3 - overlay overlay rw,lowerdir=" + layers +
                    ",upperdir=/u,workdir=/w\n"
                    "501 500 0:71 / /proc rw - proc proc rw\n"
                    "502 500 0:44 /jobs/1 /data rw master:50 - lustre 10.0.0.1@tcp:/scratch rw\n");
  EXPECT_EQ(table.all().size(), 3U);
  EXPECT_EQ(table.type_of("/etc/passwd"), "overlay");
  EXPECT_EQ(table.type_of("/data/x"), "lustre");
}

TEST(MountTable, GarbageBetweenMountsIsSkipped) {
  const Table table(std::string("1 0 8:1 / / rw - ext4 /dev/sda rw\n\n\nnonsense\n") +
                    std::string(5000, 'x') + "\n" + std::string("\0\xff\n", 3) +
                    "2 1 0:44 / /s rw - lustre a:/s rw");  // no line end
  EXPECT_EQ(table.all().size(), 2U);
  EXPECT_EQ(table.type_of("/s/a"), "lustre");
}

TEST(MountTable, EveryWayToSplitItIntoReadsGivesTheSame) {
  // Reads are 1 KiB: fillers of every length put the split at every place of a line.
  const std::string line = "90 27 0:44 / /s\\040x rw shared:5 - lustre 10.0.0.1@tcp:/s rw\n";
  for (std::size_t filler = 1024 - line.size(); filler <= 1024; ++filler) {
    const Table table(std::string(filler - 1, 'x') + "\n" + line);
    EXPECT_EQ(table.point_of("/s x/a"), "/s x") << filler;
  }
}

TEST(MountTable, MissingOrEmptyTable) {
  errno = 7;
  EXPECT_FALSE(for_each([](const Mount&, void*) {}, nullptr, "/nowhere/mountinfo"));
  EXPECT_FALSE(of_path("/a", "/nowhere/mountinfo"));
  EXPECT_EQ(errno, 7);
  EXPECT_TRUE(Table("").all().empty());
  EXPECT_FALSE(of_path("/a", Table("").name()));
}

TEST(MountTable, OwnTableKnowsProc) {
  const auto proc = of_path("/proc/self/mountinfo");
  ASSERT_TRUE(proc);
  EXPECT_EQ(proc->type, "proc");
  struct stat info {};
  ASSERT_EQ(stat("/proc", &info), 0);
  const auto same = of_device(device_key(major(info.st_dev), minor(info.st_dev)), "/proc/self");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->point, "/proc");
}

}  // namespace
}  // namespace toto::mounts

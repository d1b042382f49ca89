# SPDX-License-Identifier: BSD-3-Clause
"""A Ceph cluster of one's own: one monitor, one MDS, OSDs in memory, CephFS mounted by ceph-fuse. There is nothing that stops
it: it lives in the name spaces that `run` makes, and ends with them.

The values that are not Ceph's defaults are those that a cluster of seconds needs; each says why. Names and defaults:
docs.ceph.com, and `ceph-conf --show-config-value NAME`."""
import os
import pathlib
import subprocess
import time
import uuid

MIB = 1 << 20
START_LIMIT = 90  # seconds until the file system must be there


class NoStart(Exception):
    """The cluster does not start; the text says what was seen."""


class Cluster:
    """Everything lies below `root`, the file system's mount point too (`mount`)."""

    def __init__(self, root, osds=4, osd_rate=0, acl=False):
        self.root = pathlib.Path(root)
        self.osds, self.osd_rate, self.acl = osds, osd_rate, acl
        self.mount = self.root / "cephfs"
        self.conf = self.root / "ceph.conf"
        self.log = self.root / "log"
        self.children = {}

    def start(self):
        for folder in (self.log, self.mount, self.root / "mon", self.root / "mds"):
            folder.mkdir(parents=True)
        fsid, osd_ids = str(uuid.uuid4()), [str(uuid.uuid4()) for _ in range(self.osds)]
        self.conf.write_text(configuration(self, fsid))
        os.environ["CEPH_CONF"] = str(self.conf)
        map_file = self.root / "monmap"
        self.must("monmaptool", "--create", "--fsid", fsid, "--addv", "a", "[v2:127.0.0.1:3300]", map_file)
        self.must("ceph-mon", "-i", "a", "--mkfs", "--monmap", map_file)
        self.begin("mon", "ceph-mon", "-i", "a", "-f")
        self.begin("mds", "ceph-mds", "-i", "a", "-f")
        # All in one session of the tool, whose start costs more than the commands.
        setup = [f"osd new {osd} {i}\nosd crush add osd.{i} 1.0 root=default host=h" for i, osd in enumerate(osd_ids)]
        setup += ["osd pool create meta 8", "osd pool create data 32", "fs new cephfs meta data"]
        self.must("ceph", input="\n".join(setup) + "\n")
        for i, osd in enumerate(osd_ids):
            (self.root / f"osd.{i}").mkdir()
            self.begin(f"osd.{i}", "sh", "-c", f"ceph-osd -i {i} --mkfs --osd-uuid {osd} && exec ceph-osd -i {i} -f")
        # Access lists are checked by the client, not by the kernel, where they are wanted.
        lists = ["--client_acl_type=posix_acl", "--fuse_default_permissions=0"] if self.acl else []
        self.begin("ceph-fuse", "ceph-fuse", "-f", *lists, self.mount)
        self.wait_for_mount()

    def stop(self):
        """Only the mount: what was written is on the OSDs then, and no program hangs on a client that is gone."""
        subprocess.run(["umount", self.mount], capture_output=True, timeout=30, check=False)

    def must(self, *command, **how):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=START_LIMIT,
                              check=False, **how)
        if done.returncode != 0:
            raise NoStart(f"{command[0]} ended with {done.returncode}: {done.stderr[-1000:]}{self.last_words()}")

    def begin(self, name, *command):
        with open(self.log / f"{name}.out", "wb") as out:
            self.children[name] = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out,
                                                   stderr=out, start_new_session=True)

    def wait_for_mount(self):
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            for name, child in self.children.items():
                if child.poll() is not None:
                    raise NoStart(f"{name} ended with {child.returncode}{self.last_words()}")
            # The mount is there before the MDS answers: a file made and removed says that all parts work.
            if f" {self.mount} fuse.ceph-fuse " in pathlib.Path("/proc/self/mounts").read_text():
                probe = self.mount / ".probe"
                probe.write_bytes(b"x")
                probe.unlink()
                return
            time.sleep(0.05)
        raise NoStart(f"no mount within {START_LIMIT} s{self.last_words()}")

    def last_words(self):
        lines = []
        for file in sorted(self.log.glob("*.out")):
            text = file.read_text(errors="replace").strip()
            if text:
                lines.append(f"\n{file.name}: {text[-400:]}")
        return "".join(lines)


def configuration(cluster, fsid):
    root = cluster.root
    text = f"""[global]
fsid = {fsid}
mon_host = [v2:127.0.0.1:3300]
public_addr = 127.0.0.1
ms_bind_msgr1 = false
# no keys: nobody else is in this network
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
keyring = {root}/keyring
run_dir = {root}
admin_socket =
log_file = {cluster.log}/$name.log
crash_dir = {cluster.log}
mon_data = {root}/mon/$id
mds_data = {root}/mds/$id
osd_data = {root}/osd.$id
osd_objectstore = memstore
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
[mon]
# how full the machine's disk is does not matter here: everything is in memory
mon_data_avail_warn = 2
mon_data_avail_crit = 1
mon_cluster_log_file = {cluster.log}/cluster.log
# a start of two seconds rather than of ten
paxos_propose_interval = 0.05
paxos_min_wait = 0.05
mon_tick_interval = 1
[mds]
mds_beacon_interval = 1
# fsync(2) waits for the MDS's next tick; the default of 5 s would hide every other time
mds_tick_interval = 0.2
mds_root_ino_uid = 0
mds_root_ino_gid = 0
[client]
client_mount_timeout = 60
# wait for the MDS instead of giving up
fuse_require_active_mds = false
fuse_allow_other = true
[osd]
memstore_device_bytes = {2048 * MIB}
osd_op_num_shards = 1
osd_class_load_list = *
osd_class_default_list = *
"""
    if cluster.osd_rate:
        # A written byte costs 1/rate microseconds of a budget of 1,000,000 microseconds a second.
        text += f"""osd_op_queue = mclock_scheduler
osd_mclock_profile = custom
osd_mclock_skip_benchmark = true
osd_mclock_cost_per_io_usec = 0
osd_mclock_cost_per_byte_usec = {1 / cluster.osd_rate:.6f}
osd_mclock_scheduler_client_res = 0
osd_mclock_scheduler_client_wgt = 1
osd_mclock_scheduler_client_lim = 1000000
"""
    for i in range(cluster.osds):
        text += f"[osd.{i}]\npublic_addr = 127.0.0.{10 + i}\ncluster_addr = 127.0.0.{10 + i}\n"
    return text

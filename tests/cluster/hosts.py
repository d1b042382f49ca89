# SPDX-License-Identifier: BSD-3-Clause
"""Hosts on one machine: name spaces that a bridge connects. The login node is the name space that this runs in.

A host has a network, a host name, processes, mounts, System V memory, a /dev/shm and a folder `local` of its own, and shares all other
files, as hosts of a cluster share a parallel file system. Nothing here stops them: they end with the name space around them."""
import os
import pathlib
import subprocess

PROGRAMS = ("ip", "unshare", "nsenter", "mount", "hostname")
NETWORK = "10.99.0.0/24"
BRIDGE = "br0"


class Unable(Exception):
    """This machine cannot have hosts; the text says why."""


def must(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unable(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


def address(number):
    return NETWORK.replace("0/24", str(number))


class Hosts:
    """host1, host2, ...; `root` is an empty folder."""

    def __init__(self, root):
        self.root, self.pids, self.local = root, root / "pids", root / "local"
        self.names = []

    def start(self, count):
        login = 254
        self.names = [f"host{i}" for i in range(1, count + 1)]
        self.pids.mkdir()
        self.local.mkdir()
        must("hostname", "login")
        names = self.root / "names"
        names.write_text("127.0.0.1 localhost\n" + f"{address(login)} login\n"
                         + "".join(f"{address(i)} {name}\n" for i, name in enumerate(self.names, 1)))
        must("mount", "--bind", names, "/etc/hosts")
        must("ip", "link", "add", BRIDGE, "type", "bridge")
        must("ip", "address", "add", f"{address(login)}/24", "dev", BRIDGE)
        must("ip", "link", "set", BRIDGE, "up")
        for number, name in enumerate(self.names, 1):
            self._make(number, name)
        os.environ.update(CLUSTER=str(self.root), CLUSTER_HOSTS=" ".join(self.names), CLUSTER_NETWORK=NETWORK,
                          CLUSTER_AGENT=str(pathlib.Path(__file__).with_name("agent")))

    def _make(self, number, name):
        # A host lives as long as its first process.
        first = ('hostname "$0" && for own in /dev/shm "$1"; do mount -t tmpfs -o mode=1777 own "$own" || exit; done && '
                 'echo up && exec sleep infinity')
        holder = subprocess.Popen(["unshare", "--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc",
                                   "sh", "-c", first, name, str(self.local)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, start_new_session=True)
        if holder.stdout.readline() != "up\n":
            raise Unable(f"{name}: {holder.stderr.read().strip()}")
        pid = pathlib.Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text().split()[0]
        (self.pids / name).write_text(pid + "\n")
        must("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", pid)
        must("ip", "link", "set", name, "master", BRIDGE, "up")
        inside = ("nsenter", "--target", pid, "--net", "--", "ip")
        must(*inside, "address", "add", f"{address(number)}/24", "dev", "eth0")
        for link in ("lo", "eth0"):
            must(*inside, "link", "set", link, "up")

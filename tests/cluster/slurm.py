# SPDX-License-Identifier: BSD-3-Clause
"""Slurm on the hosts of a cluster of one's own: munge and slurmctld on the login node, a slurmd on each host. Options are those of
slurm.conf(5); each that is not the default says why."""
import os
import pathlib
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "scancel", "sinfo")
START_LIMIT = 60  # seconds


class NoStart(Exception):
    """The text says what was seen."""


def start(cluster):
    """All of it ends with the name space around it."""
    root = cluster.root / "slurm"
    logs = root / "log"
    logs.mkdir(parents=True)
    (root / "state").mkdir()
    key = root / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    conf = root / "slurm.conf"
    conf.write_text(configuration(root, cluster.names))
    # Its sockets have names that each host must have for itself.
    (root / "mpi.conf").write_text(f"PMIxCliTmpDirBase={cluster.local}\n")
    os.environ["SLURM_CONF"] = str(conf)
    daemons = {
        "munged": ["munged", "--foreground", "--force", f"--socket={root}/munge", f"--key-file={key}", f"--pid-file={root}/munged.pid",
                   f"--log-file={logs}/munged", f"--seed-file={root}/munge.seed"],
        "slurmctld": ["slurmctld", "-D", "-f", conf]}
    agent = pathlib.Path(__file__).with_name("agent")
    daemons |= {name: [agent, name, "slurmd", "-D", "-N", name, "-f", conf] for name in cluster.names}
    running = {}
    for name, words in daemons.items():
        with open(logs / f"{name}.out", "wb") as out:
            running[name] = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                             start_new_session=True)
    deadline = time.monotonic() + START_LIMIT
    while True:
        for name, daemon in running.items():
            if daemon.poll() is not None:
                raise NoStart(f"{name} ended with {daemon.returncode}{last_words(logs)}")
        states = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%T"], capture_output=True, text=True, check=False)
        if states.stdout.split() == ["idle"] * len(cluster.names):
            return
        if time.monotonic() > deadline:
            raise NoStart(f"nodes are {states.stdout.split()} {states.stderr}{last_words(logs)}")
        time.sleep(0.2)


def last_words(logs):
    return "".join(f"\n{file.name}: {file.read_text(errors='replace').strip()[-600:]}" for file in sorted(logs.iterdir())
                   if file.stat().st_size > 0)


def configuration(root, names):
    cores = os.cpu_count()  # a line that claims more than a node has takes it out of service
    return f"""ClusterName=toto
SlurmctldHost=login
AuthType=auth/munge
AuthInfo=socket={root}/munge
# one user is all there is
SlurmUser=root
SlurmdUser=root
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool.%n
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.%n.pid
SlurmctldLogFile={root}/log/slurmctld
SlurmdLogFile={root}/log/slurmd.%n
# no cgroups: the machine's are not ours to arrange
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MailProg=/bin/true
# soon after a job's last word
KillWait=2
NodeName={",".join(names)} CPUs={cores} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
"""

# SPDX-License-Identifier: BSD-3-Clause
"""A study as it was read: plain data, checked by load.py."""

from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass
class Variable:
    name: str
    kind: str                      # int, float, str, bool, list
    values: Optional[list] = None  # swept
    expr: Optional[str] = None     # or derived
    when: Optional[str] = None     # swept only where this holds
    default: Any = None            # elsewhere


@dataclass
class Constraint:
    name: str
    rule: str
    policy: str = "skip"


@dataclass
class Probes:
    system_snapshot: bool = True
    execution_index: bool = True
    resource_sampling: bool = False
    sampling_interval: float = 1.0  # seconds
    versions: dict = field(default_factory=dict)


@dataclass
class Slurm:
    submit: str = "sbatch"
    status: str = "squeue -j {job_id} --noheader --format=%T"
    info: str = "scontrol show job {job_id}"
    cancel: str = "scancel {job_id}"
    poll_interval: float = 30.0  # seconds


@dataclass
class Parser:
    file: str
    metrics: list
    script: str


@dataclass
class Script:
    name: str
    template: str
    post: Optional[str] = None
    parser: Optional[Parser] = None
    inputs: list = field(default_factory=list)  # {name, template, path, mode}


@dataclass
class Study:
    source: str
    name: str
    description: str
    workdir: str
    repetitions: int
    seed: int
    executor: str
    variables: dict
    constraints: list
    command: str
    labels: dict
    env: dict
    scripts: list
    sink: str                      # path template
    sink_exclude: list
    probes: Probes
    slurm: Slurm
    cache_file: Optional[str] = None
    cache_exclude: list = field(default_factory=list)
    cores_expr: Optional[str] = None
    max_core_hours: Optional[float] = None
    estimated_seconds: Optional[float] = None
    samples: Optional[int] = None        # random search: so many points
    percentage: Optional[float] = None   # or this share of them

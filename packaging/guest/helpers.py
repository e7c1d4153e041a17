# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The processes of tmmd and their rights, for tests in virtual machines with systemd."""

import pathlib
import re
from collections.abc import Collection

from computer import CGROUPS, run

UNIT_CGROUP = CGROUPS / "system.slice/tmmd.service"
# linux/capability.h
CAPABILITIES = {"dac_override": 1, "kill": 5, "sys_ptrace": 19, "sys_admin": 21, "sys_resource": 24}
# The rights of each process of tmmd's, as SECURITY.md tells them.
RIGHTS = {
    "tmmd": {"sys_admin", "dac_override", "kill", "sys_resource"},
    "tmmd-footprints": {"sys_ptrace", "dac_override"},
}
# Of systemd-analyze, for tmmd; the lower, the less the unit may do.
MAX_EXPOSURE = 2.4
SECCOMP_FILTER = "2"


def bits(names: set[str]) -> int:
    return sum(1 << CAPABILITIES[name] for name in names)


def status(pid: int) -> dict[str, str]:
    lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def processes() -> dict[str, int]:
    """The process id of each process of tmmd's, by its name."""
    found = {}
    for pid in (UNIT_CGROUP / "cgroup.procs").read_text(encoding="ascii").split():
        try:
            found[status(int(pid))["Name"]] = int(pid)
        except FileNotFoundError:  # it has ended
            continue
    return found


def rights_are_the_least(names: Collection[str]) -> str:
    """These processes are there, no others, and none may do more than it must."""
    now = processes()
    assert now.keys() == set(names), f"{now}, expected {', '.join(names)}"
    for name, pid in now.items():
        said = status(pid)
        expected = {"CapInh": 0, "CapPrm": bits(RIGHTS[name]), "CapEff": bits(RIGHTS[name]), "CapBnd": bits(set(CAPABILITIES)), "CapAmb": 0}
        found = {field: int(said[field], 16) for field in expected}
        assert found == expected, f"{name}: {found}, expected {expected}"
        assert (said["NoNewPrivs"], said["Seccomp"]) == ("1", SECCOMP_FILTER), f"{name}: {said['NoNewPrivs']}, {said['Seccomp']}"
    return ", ".join(f"{name} {pid}: {' '.join(sorted(RIGHTS[name]))}" for name, pid in now.items())


def unit_is_restricted(unit: str = "tmmd", max_exposure: float = MAX_EXPOSURE) -> str:
    line = run("systemd-analyze", "security", unit, "--no-pager").splitlines()[-1]
    match = re.search(rf"{unit}\.service: (\d+\.\d+)", line)
    assert match and float(match[1]) <= max_exposure, f"{line}, expected at most {max_exposure}"
    return line

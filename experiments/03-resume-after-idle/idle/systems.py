# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The systems that are compared. To add one, add an entry.

Commands are bash, run as root in the guest. $cgroups is the mount point of cgroup v2: the owner's programs are in $cgroups/owner, the
contribution is in $cgroups/transparent.slice. A command that fails ends the run."""

import dataclasses

# uresourced protects 250 MB for the active user, and at most a tenth of memory.
URESOURCED = """
while read -r name kib _; do [ "$name" != MemTotal: ] || total=$((kib * 1024)); done </proc/meminfo
bytes=$((total / 10 < 250 << 20 ? total / 10 : 250 << 20))
echo $bytes >$cgroups/owner/{knob}
"""


@dataclasses.dataclass(frozen=True)
class System:
    """base: the system of the coffee break whose kernel and programs it has (plain: an unpatched kernel, and nothing else)."""

    what: str  # for the legend
    base: str = "plain"
    setup: str = ""  # before the owner's programs start
    at_return: str = ""  # when the owner is back, before the first interaction


SYSTEMS = {
    "none": System("no contribution", base="none"),
    "plain": System("a contribution, and nothing against it"),
    "memory-min": System("`memory.min` of the owner as uresourced sets it", setup=URESOURCED.format(knob="memory.min")),
    "memory-low": System("`memory.low` of the owner as older versions of uresourced set it", setup=URESOURCED.format(knob="memory.low")),
    "min-ttl": System("the multi-gen LRU protects the last second", setup="echo 1000 >/sys/kernel/mm/lru_gen/min_ttl_ms"),
    "freeze": System("the contribution is frozen at the return", at_return="echo 1 >$cgroups/transparent.slice/cgroup.freeze"),
    "tmm-stock": System("`tmmd` on the unpatched kernel", base="tmm-stock"),
    "tmm": System("`tmmd` on the patched kernel", base="tmm"),
}

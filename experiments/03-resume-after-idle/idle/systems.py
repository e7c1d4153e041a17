# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The systems that are compared. To add one, add an entry.

Commands are bash, run as root in the guest by desk/guest/scenario, whose functions they may call: `start NAME CGROUP
COMMAND...` runs a program beside the owner's, with its output in NAME.log. $cgroups is the mount point of cgroup v2: the owner's
programs are in $cgroups/owner, the contribution is in $cgroups/transparent.slice, all else is in $cgroups/harness. A command that
fails ends the run. The guest has the packages in PACKAGES, of the host's release."""

import dataclasses

PACKAGES = ("dbus", "earlyoom", "oomd", "systemd-oomd", "systemd-sysv")

TOTAL = """
while read -r name kib _; do [ "$name" != MemTotal: ] || total=$((kib * 1024)); done </proc/meminfo
"""

# uresourced protects 250 MB for the active user, and at most a tenth of memory: MemoryMin since its version 0.4, before that MemoryLow
# (fedoraproject.org/wiki/Changes/Reserve_resources_for_active_user_WS). Debian has no package.
URESOURCED = TOTAL + """
bytes=$((total / 10 < 250 << 20 ? total / 10 : 250 << 20))
echo $bytes >$cgroups/owner/{knob}
"""

# Percent of memory for BOINC while the computer is in use and while it is not: ram_max_used_busy_pct and ram_max_used_idle_pct, the
# defaults of boinc-client 7.20. The break stands for one in which BOINC has found the computer idle, after three minutes.
BOINC_BUSY, BOINC_IDLE = 50, 90
BOINC_LIMIT = "echo $((total / 100 * {percent})) >$cgroups/transparent.slice/memory.high"

# A constant share, as an owner without TMM would set it by hand: the baseline of all limits. Neither knob counts what swap in memory
# takes, so the share holds there only without swap.
STATIC_SHARE = 8
STATIC_LIMIT = TOTAL + """
echo 1 >$cgroups/transparent.slice/memory.oom.group
[[ $(</proc/swaps) != *zram* ]] || echo 0 >$cgroups/transparent.slice/memory.swap.max
""" + f"echo $((total / {STATIC_SHARE})) >$cgroups/transparent.slice/{{knob}}"

# Senpai of oomd 0.5 (src/oomd/plugins/Senpai.cpp) by memory.reclaim, as Meta runs it (Weiner et al., TMO, ASPLOS 2022), on the owner's
# programs. All parameters have their defaults, the smallest size too: 6 s, 100 MB, at most 1 % at a time, 0.1 % of pressure.
SENPAI = """
cat >/run/senpai.json <<'END'
{"rulesets": [{"name": "senpai", "silence-logs": "engine", "detectors": [["always", {"name": "continue", "args": {}}]],
  "actions": [{"name": "senpai", "args": {"cgroup": "owner", "immediate_backoff": "true"}}]}]}
END
start senpai harness /usr/bin/oomd --interval 1 --cgroup-fs $cgroups --config /run/senpai.json
"""

# All parameters have their defaults (Documentation/admin-guide/mm/damon/reclaim.rst): pages that were not used for two minutes, at
# most 10 ms and 128 MB in a second, and only while 20 % to 50 % of memory is free. DAMON_STAT, on by default since Linux 7, lets nobody
# else have DAMON.
DAMON_RECLAIM = """
[ ! -e /sys/module/damon_stat/parameters/enabled ] || echo N >/sys/module/damon_stat/parameters/enabled
echo Y >/sys/module/damon_reclaim/parameters/enabled
"""

# Reclaims while programs wait for less than 0.1 % of the time, as Senpai, and however little memory is free: the defaults would do nothing
# on a machine whose memory is full. All else as above.
DAMON_PSI = """
echo 1000 >/sys/module/damon_reclaim/parameters/quota_mem_pressure_us
echo 1000 >/sys/module/damon_reclaim/parameters/wmarks_high
echo 999 >/sys/module/damon_reclaim/parameters/wmarks_mid
echo 0 >/sys/module/damon_reclaim/parameters/wmarks_low
""" + DAMON_RECLAIM

# What it tried and reclaimed until then: a system that does nothing has to be told from one that helps nobody.
DAMON_DONE = "grep -H . /sys/module/damon_reclaim/parameters/* >$results/damon-reclaim"


@dataclasses.dataclass(frozen=True)
class System:
    """base: the system of desk/plan.py whose kernel and programs it has (plain: an unpatched kernel, and nothing else)."""

    what: str  # for the legend
    base: str = "plain"
    setup: str = ""  # before the owner's programs start
    at_return: str = ""  # when the owner is back, before the first interaction
    may_kill: bool = False  # it ends programs to free memory
    may_free: bool = False  # it frees memory before anybody wants it, so a lived-in machine may have some
    in_session: bool = False  # needs systemd, and programs in the cgroup of a user's session
    source: str = ""  # of tmmd's samples; empty: the best that the kernel has
    needs_own_kernel: bool = False  # Debian's lack something


SYSTEMS = {
    "none": System("no contribution", base="none"),
    "plain": System("a contribution, and nothing against it"),
    "memory-min": System("`memory.min` of the owner as uresourced sets it", setup=URESOURCED.format(knob="memory.min")),
    "memory-low": System("`memory.low` of the owner as older versions of uresourced set it", setup=URESOURCED.format(knob="memory.low")),
    # Documentation/admin-guide/mm/multigen_lru.rst proposes this value against thrashing.
    "min-ttl": System("the multi-gen LRU protects the last second", setup="echo 1000 >/sys/kernel/mm/lru_gen/min_ttl_ms", may_kill=True),
    # With the settings of the package; its unit lets it watch the sessions of users.
    "systemd-oomd": System("systemd-oomd 252, as Debian sets it up", setup="systemctl is-active systemd-oomd && oomctl >/results/oomctl",
                           may_kill=True, in_session=True),
    # With the options of the package, from /etc/default/earlyoom.
    "earlyoom": System("earlyoom 1.7, as Debian sets it up", setup="start earlyoom harness /usr/bin/earlyoom -r 3600", may_kill=True),
    "boinc": System("BOINC's limits: 90 % of memory in the break, 50 % after it", setup=TOTAL + BOINC_LIMIT.format(percent=BOINC_IDLE),
                    # In the background: the write lasts until the memory is free.
                    at_return=BOINC_LIMIT.format(percent=BOINC_BUSY) + " &"),
    "senpai": System("Senpai of oomd 0.5 shrinks the owner's programs while they do not wait", setup=SENPAI, may_free=True),
    "damon-reclaim": System("DAMON_RECLAIM with its defaults", setup=DAMON_RECLAIM, at_return=DAMON_DONE, may_free=True),
    "damon-psi": System("DAMON_RECLAIM at any free memory, tuned by pressure", setup=DAMON_PSI, at_return=DAMON_DONE, may_free=True),
    "freeze": System("the contribution is frozen at the return", at_return="echo 1 >$cgroups/transparent.slice/cgroup.freeze"),
    # With swap in memory the kernel kills what exceeds memory.max, and slows down what exceeds memory.high.
    "static-eighth": System("the contribution has an eighth of memory, by `memory.max`", setup=STATIC_LIMIT.format(knob="memory.max")),
    "static-high": System("the contribution has an eighth of memory, by `memory.high`", setup=STATIC_LIMIT.format(knob="memory.high")),
    "tmm-stock": System("`tmmd` on the unpatched kernel", base="tmm-stock"),
    "tmm-footprint": System("the same, told by the growth of footprints", base="tmm-stock", source="footprint"),
    # Ubuntu's and Fedora's kernels have the idle page bitmap.
    "tmm-idle": System("the same, told by the idle page bitmap", base="tmm-stock", source="idle", needs_own_kernel=True),
    "tmm": System("`tmmd` on the patched kernel", base="tmm"),
}

# Systems that are gone, with their legend: committed results have rows of them.
GONE = {"tmm-module": "the same, told by the module of tmm-dkms"}


def legend(name: str) -> str:
    return SYSTEMS[name].what if name in SYSTEMS else GONE[name]

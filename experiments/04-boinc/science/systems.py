# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The systems that are compared. To add one, add an entry. ../03-resume-after-idle/idle/systems.py tells what a command may use."""

import dataclasses

# libboinc-app is of the tasks.
PACKAGES = ("boinc-client", "dbus", "?name(^libboinc-app[0-9]+$)")


def client(busy: int, idle: int, active: int = 1, keep: int = 0) -> str:
    """Starts the client with the user's preferences: see boinc-setup. The rest are the defaults of BOINC 7.20, which has 50 and 90."""
    return f"""
/opt/tmm/boinc-setup {busy} {idle} {active} {keep} || fail "no data for the client"
start tasks harness /opt/tmm/task-recorder
"""


DEFAULTS = client(busy=50, idle=90)
# tmm-boinc ends no task whose user wants it in memory.
KEEPING = client(busy=50, idle=90, keep=1)
# The bus has the policy that TMM installs, for tmmd. tmm-boinc is the client's user here, for which its files need no group.
TMM_BOINC = """
mkdir -p /run/dbus /var/lib/tmm-boinc && chown boinc:boinc /var/lib/tmm-boinc || fail "no folders for tmm-boinc"
cp /opt/tmm/org.transparentmemory.Tmm1.conf /etc/dbus-1/system.d/ || fail "no policy for the bus"
start bus harness dbus-daemon --system --nofork --nopidfile
wait_for_file bus /run/dbus/system_bus_socket
start tmm-boinc harness setpriv --reuid=boinc --regid=boinc --init-groups /opt/tmm/tmm-boinc --verbose --data=/srv/boinc --state=/var/lib/tmm-boinc
"""


@dataclasses.dataclass(frozen=True)
class System:
    """base: the system of desk/plan.py whose kernel and programs it has."""

    what: str  # for the legend
    base: str = "plain"
    setup: str = ""  # before the owner's programs start


SYSTEMS = {
    "none": System("BOINC is off", base="none"),
    "boinc-90": System("no protection: 90 % of memory always", setup=client(busy=90, idle=90)),
    "boinc-50-90": System("BOINC's defaults: 50 % in use, else 90 %", setup=DEFAULTS),
    "boinc-75": System("75 % always", setup=client(busy=75, idle=75)),
    # A baseline without any measurement: the owner's workload, which needs 35 %, fits beside it by luck.
    "boinc-50": System("50 % always", setup=client(busy=50, idle=50)),
    "boinc-25": System("25 % always", setup=client(busy=25, idle=25)),
    "boinc-suspend": System("90 %, suspended while in use", setup=client(busy=90, idle=90, active=0)),
    "priority": System("BOINC's defaults, the patched kernel's class priority alone", base="priority", setup=DEFAULTS),
    "tmm-stock": System("BOINC's defaults, `tmmd` and `tmm-boinc`", base="tmm-stock", setup=DEFAULTS + TMM_BOINC),
    "tmm-stock-keep": System("the same, suspended tasks stay in memory", base="tmm-stock", setup=KEEPING + TMM_BOINC),
    "tmm": System("as `tmm-stock`, on the patched kernel", base="tmm", setup=DEFAULTS + TMM_BOINC),
}
TMM_SYSTEMS = ("tmm-stock", "tmm-stock-keep", "tmm")

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The limit that tmmd sets in the simulation of ../02-days for the touches that a machine has seen: those of the workload `forgotten`, at
the pace that its owner had, beside the memory of the rest of the machine."""

import pathlib

from desk import plan, programs, workloads
from desk.report import oracle, records

from . import report

OWNER_DAYS = "experiments/02-days/owner-days"
# As owner-days names them, by the names of tmmd's sources.
SYSTEMS = {"mglru": "tmm-mglru", "footprint": "tmm-footprint"}
OWNER = """[Owner]
Length = {hours:.4f} h
[Presence]
mon-sun = 00:00-24:00
[Patterns]
machine = 1
"""
# A round takes time of tmmd. One half of the owner's memory was filled and is never used again, as what is left and files read once.
PATTERN = """[Pattern]
Description = The touches of a machine.
[Set used]
Size = {half_mb:.2f} MB
[Set unused]
Size = {half_mb:.2f} MB
[Set desktop]
Cgroup = desktop
Size = {desktop_mb} MB
[Set left]
Cgroup = left
Size = {left_mb:.2f} MB
[Set files]
Cgroup = files
Backing = file
Size = {files_mb:.2f} MB
[Use used]
When = always
Round = {round_s:.1f} s
[Use desktop]
When = always
Round = {desktop_s} s
""" + "".join(f"[Use {name}]\nWhen = always\nRounds = 1\nRound = 1 min\n" for name in ("unused", "left", "files"))


def pattern_text(run: plan.Run, touches_per_s: float, used_mb: float) -> str:
    """touches_per_s: of the machine's seconds. used_mb: memory of opaque programs; files have what the others leave of it."""
    half_mb = workloads.workload_of("forgotten").share * run.ram_mb / 2
    left_mb = plan.LEFT_SHARE * run.ram_mb
    files_mb = max(used_mb - 2 * half_mb - left_mb - plan.DESKTOP_MB, 1.0)
    lap_s = half_mb * oracle.MB / oracle.PAGE_BYTES / touches_per_s
    return PATTERN.format(half_mb=half_mb, desktop_mb=plan.DESKTOP_MB, left_mb=left_mb, files_mb=files_mb, round_s=lap_s * run.time_lapse,
                          desktop_s=run.time_lapse)


def limit_mb(run: plan.Run, of: report.Result, touches_per_s: float, build: pathlib.Path, work: pathlib.Path) -> float:
    """The last limit. of: the turn in the machine. work: an empty folder. DeskError: the simulation failed."""
    (work / "patterns").mkdir()
    (work / "owners").mkdir()
    (work / "patterns/machine.ini").write_text(pattern_text(run, touches_per_s, of.used_mb), encoding="ascii")
    owner, timeline = work / "owners/machine.ini", work / "timeline.csv"
    owner.write_text(OWNER.format(hours=of.real_s * run.time_lapse / 3600), encoding="ascii")
    programs.output_of([build / OWNER_DAYS, f"--memory={round(of.total_mb)}M", f"--unit={16 * oracle.PAGE_BYTES}", f"--stores={run.backing}",
                        f"--systems={SYSTEMS[of.source]}", f"--break-even={of.break_even_s:g}s", f"--timeline={timeline}",
                        "--no-contributions", owner])
    rows = records.read(records.read_text(timeline), str(timeline), ("limit_mb",), dict)
    return float(rows[-1]["limit_mb"])

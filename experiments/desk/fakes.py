# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs, rows of results and recorder files for tests, made from few numbers."""

import dataclasses
import pathlib
import tempfile
import unittest

from .plan import Run
from .report import recorder_rows
from .report.metrics import Row

RUN = Run(system="plain", workload="loop", run=1, backing="hdd", ram_mb=512, work_s=2, break_s=2, max_break_s=2,
          return_s=3, lru="mglru")
ROW = Row(system="plain", workload="loop", run=1, backing="hdd", ram_mb=512, break_s=2, faults_mean=100.0, faults_max=200.0,
          donated_mb=400.0, contributor_peak_mb=800.0, work_s=2, return_s=3, lru="mglru", kernel="plain", refaults_mean=5.0,
          swapins=10, stall_share=0.5, owner_before_mb=200.0, owner_kept_mb=20.0, interactions=50, latency_work_ms=1.0,
          latency_return_ms=9.0, latency_return_max_ms=99.0, opaque_limit_mb=0.0, transparent_limit_mb=0.0, contribution="povray",
          reads_mean=110.0, reads_max=220.0, first_interaction_s=0.5, work_done_s=30.0, break_taken_s=2.0, free_before_mb=9.0, key="k")
LATENCIES = ("t_s,interactions,mean_ms,max_ms,first_end_s\n"
             "10,2,1.0,2.0,10.1\n14,1,50.0,50.0,14.75\n18,1,150.0,150.0,18.0\n")
SAMPLES_HEADER = ",".join(["t_s", "phase", *recorder_rows.count_columns()]) + "\n"


class FolderTest(unittest.TestCase):
    """Each test has an empty folder."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


def run(**changes: object) -> Run:
    return dataclasses.replace(RUN, **changes)


def row(**changes: object) -> Row:
    return dataclasses.replace(ROW, **changes)


def sample_line(t_s: float, phase: str, **counts: int) -> str:
    return ",".join([str(t_s), phase, *(str(counts.get(column, 0)) for column in recorder_rows.count_columns())]) + "\n"


def whole_run_samples() -> str:
    """The owner has 8 MB; 30 faults in the 3 s after the return, 20 of them in its second second."""
    mb = 2**20
    return SAMPLES_HEADER + "".join([
        sample_line(9.5, "load", owner_current_bytes=mb),
        sample_line(10, "work", owner_current_bytes=8 * mb, owner_pgmajfault=3, daemon_rss_bytes=mb),
        sample_line(12, "break", owner_current_bytes=8 * mb, owner_pgmajfault=4, daemon_cpu_us=200000, daemon_rss_bytes=2 * mb),
        sample_line(13, "break", owner_current_bytes=6 * mb, owner_pgmajfault=4, contribution_current_bytes=5 * mb,
                    daemon_cpu_us=210000, daemon_rss_bytes=2 * mb),
        sample_line(14, "return", owner_current_bytes=2 * mb, owner_pgmajfault=5, contribution_current_bytes=7 * mb, pswpin=100,
                    daemon_cpu_us=220000, daemon_rss_bytes=2 * mb, owner_read_bytes=40960),
        sample_line(15, "return", owner_pgmajfault=10, contribution_current_bytes=6 * mb, contribution_swap_bytes=4 * mb,
                    contribution_swapcached_bytes=mb, pswpin=100, owner_read_bytes=40960),
        sample_line(16, "return", owner_pgmajfault=30, owner_refault_anon=5, owner_stall_us=1500000, pswpin=100,
                    owner_read_bytes=122880),
        sample_line(17, "end", owner_pgmajfault=35, owner_refault_anon=5, owner_refault_file=1, owner_stall_us=1500000,
                    pswpin=150, contribution_user_us=2500000, owner_read_bytes=163840),
        sample_line(18, "end", owner_pgmajfault=999, daemon_rss_bytes=2 * mb, daemon_peak_bytes=3 * mb),
    ])


def write_run(folder: pathlib.Path, latencies: str | None = LATENCIES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "samples.csv").write_text(whole_run_samples(), encoding="utf-8")
    (folder / "returned").write_text("14.25\n", encoding="utf-8")
    (folder / "workload-before").write_text(f"{6 * 2**20}\n", encoding="utf-8")
    (folder / "workload-kept").write_text(f"{3 * 2**19}\n", encoding="utf-8")
    if latencies is not None:
        (folder / "latencies.csv").write_text(latencies, encoding="utf-8")


def write_limits(folder: pathlib.Path) -> None:
    """Limits from 9 s on."""
    (folder / "timeline.csv").write_text(timeline_text(), encoding="utf-8")
    (folder / "limits-start").write_text("8.00 1800000000.5\n", encoding="utf-8")


def timeline_text() -> str:
    return ("t_s,opaque_limit_mb,transparent_limit_mb,opaque_used_mb,transparent_used_mb,total_mb,kind,reason\n"
            '1.0,500.00,0.00,8.00,0.00,512.00,learning,"still learning, 1 s"\n'
            '5.5,200.00,312.00,8.00,5.00,512.00,measured,"needs 200 MB"\n'
            '8.0,100.00,412.00,8.00,5.00,512.00,measured,"later"\n')

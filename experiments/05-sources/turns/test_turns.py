# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import contextlib
import dataclasses
import io
import subprocess
import unittest

import sources

from desk import plan, workloads
from desk.errors import DeskError
from desk.fakes import FolderTest
from desk.report import oracle, records

from . import accounts, exact, report, simulated, tables, turn_machines

MB = 2**20
RESULT = report.Result(workload="loop", turn=1, source="tmm", kernel_release="6.12", limit_mb=200.0, limit_min_mb=190.0, limit_max_mb=210.0,
                       exact_mb=190.0, low_share=0.25, used_mb=400.0, total_mb=500.0, samples=9, miss_ms=2.5, cpu_s=2.0, real_s=60.0,
                       processes=2, rss_mb=9.0, pss_mb=7.0, break_even_s=600.0, time_lapse=60, decided="needs 175 MB")


def result(**changes: object) -> report.Result:
    return dataclasses.replace(RESULT, **changes)


class Exact(unittest.TestCase):
    def test_a_loop_is_kept_if_it_takes_less_than_break_even(self) -> None:
        # 1000 pages in turn, one every 10 ms, so each once in 10 s.
        loop = oracle.Curve(((0, 10000), (1000, 0)), seconds=100.0)
        self.assertEqual(exact.keep_pages(loop, 10.1), 1000)
        self.assertEqual(exact.keep_pages(loop, 9.9), 0)

    def test_of_a_smooth_curve_the_pages_that_repay_their_rent(self) -> None:
        curve = oracle.Curve(((0, 1000), (100, 300), (200, 100), (300, 50), (400, 30)), seconds=100.0)
        # The third hundred saves half a miss a second, so each of its pages one in 200 s.
        self.assertEqual(exact.keep_pages(curve, 210), 300)
        self.assertEqual(exact.keep_pages(curve, 190), 200)
        self.assertEqual(exact.keep_pages(curve, 1e9), 400)

    def test_shorter_misses_shorten_break_even(self) -> None:
        self.assertEqual(exact.break_even_of(600, 2.5), 600)
        self.assertAlmostEqual(exact.break_even_of(600, 2.5 / 16), 300)

    def test_the_limit_has_a_margin_and_bounds(self) -> None:
        pages = 100 * MB // oracle.PAGE_BYTES
        curve = oracle.Curve(((0, 10**9), (pages, 0)), seconds=1.0)
        self.assertAlmostEqual(exact.limit_mb(curve, 60, 400), 100 + plan.DESKTOP_MB + 20)
        self.assertEqual(exact.limit_mb(curve, 60, 90), 90)
        self.assertEqual(exact.limit_mb(oracle.Curve(((0, 0),), 1.0), 60, 400), 40)


class Simulated(unittest.TestCase):
    def test_the_simulation_has_the_machines_touches(self) -> None:
        run = sources.run_of("forgotten", sources.parser().parse_args(["--ram=512M", "--time-lapse=60"]))
        # A lap over 179.2 MB takes four seconds.
        text = simulated.pattern_text(run, 179.2 * MB / oracle.PAGE_BYTES / 4, 480)
        self.assertIn("[Use used]\nWhen = always\nRound = 240.0 s\n", text)
        self.assertIn("Backing = file\nSize = 11.20 MB\n", text)
        # A little was evicted.
        self.assertIn("Backing = file\nSize = 1.00 MB\n", simulated.pattern_text(run, 1e4, 460))


class Accounts(FolderTest):
    def write_process(self, pid: int, stat: str) -> None:
        folder = self.folder / str(pid)
        folder.mkdir()
        (folder / "stat").write_text(stat, encoding="ascii")
        (folder / "status").write_text("Name:\ttmmd\nVmHWM:\t 9000 kB\nVmRSS:\t    5120 kB\n", encoding="ascii")
        (folder / "smaps_rollup").write_text("5500-7ff [rollup]\nRss: 5120 kB\nPss:  1024 kB\nPss_Anon: 9 kB\n", encoding="ascii")

    def test_all_processes_and_their_ended_children_count(self) -> None:
        self.write_process(7, "7 (tmmd) S 1 7 7 0 -1 4194560 300 0 1 0 100 50 7 3 20 0 1 0 99\n")
        self.write_process(8, "8 (tmmd) (help) S 7 7 7 0 -1 4194560 300 0 1 0 1 2 3 4 20 0 1 0 99\n")
        used = accounts.of_folder(self.folder)
        self.assertEqual((used.processes, round(used.cpu_s, 3), used.rss_mb, used.pss_mb), (2, 1.7, 10.0, 2.0))

    def test_damaged_and_missing_files_are_named(self) -> None:
        with self.assertRaisesRegex(DeskError, "no process of tmmd"):
            accounts.of_folder(self.folder)
        for stat in ("", "9 (tmmd) S 1 2\n", "9 (tmmd) S 1 7 7 0 -1 4194560 300 0 1 0 a b c d\n"):
            with self.assertRaises(ValueError):
                accounts.cpu_s_of(stat)
        self.write_process(9, "9 (tmmd) S 1\n")
        with self.assertRaisesRegex(DeskError, "/9: not a line of"):
            accounts.of_folder(self.folder)


TIMELINE = "t_s,opaque_limit_mb,transparent_limit_mb,opaque_used_mb,transparent_used_mb,total_mb,samples,anonymous_miss_ms,file_miss_ms,kind,reason\n"


class Reading(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.run = sources.run_of("loop", sources.parser().parse_args(["--sources", "mglru", "--time-lapse", "10"]))
        (self.folder / "kernel-release").write_text("6.12.0\n", encoding="ascii")
        (self.folder / "latencies.csv").write_text("t_s,interactions,mean_ms,max_ms\n10,2,1,2\n11,4,1,2\n", encoding="ascii")
        (self.folder / "curve.csv").write_text("size_pages,misses\n0,1000\n25600,0\n", encoding="ascii")
        own = self.folder / "1-mglru/processes/7"
        own.mkdir(parents=True)
        (own / "stat").write_text("7 (tmmd) S 1 7 7 0 -1 4194560 300 0 1 0 100 50 0 0 20\n", encoding="ascii")
        (own / "status").write_text("VmRSS: 5120 kB\n", encoding="ascii")
        (own / "smaps_rollup").write_text("Pss: 1024 kB\n", encoding="ascii")
        for name, number in (("begin", "10.25"), ("end", "40.25")):
            (self.folder / f"1-mglru/{name}").write_text(number + "\n", encoding="ascii")

    def write_timeline(self, *rows: str) -> None:
        (self.folder / "1-mglru/timeline.csv").write_text(TIMELINE + "".join(f"{row}\n" for row in rows), encoding="ascii")

    def test_limits_are_those_of_the_last_quarter(self) -> None:
        self.write_timeline('10,500,0,300,0,500,9,2.5,1.5,learning,"a"', '70,100,400,300,0,500,9,2.5,1.5,measured,"a"',
                            '80,210,290,301,0,500,9,2.5,1.5,measured,"a"', '90,190,310,302,0,500,9,2.5,1.5,measured,"b"',
                            '100,205,295,303,0,500,9,0.15625,1.5,measured,"needs 150 MB"')
        row, = report.results_of(self.run, 600.0, self.folder)
        # 25,600 pages would have to be used in 30 s; the loop takes 51.2 s, so that none of them stays.
        self.assertEqual(row, report.Result("loop", 1, "mglru", "6.12.0", 205.0, 190.0, 210.0, 50.0, 0.0, 303.0, 500.0, 9, 0.15625, 1.5, 30.0, 1, 5.0,
                                            1.0, 600.0, 10, "needs 150 MB"))
        self.assertEqual(row.cpu_s_per_hour, 180)
        self.assertEqual(report.work_of(self.folder), (6 * plan.BATCH_PAGES, 2))
        self.assertEqual(records.parse_csv(report.Result, records.csv_text(report.Result, [row]), "r.csv"), [row])

    def test_the_time_with_a_limit_below_the_exact_one(self) -> None:
        # 100 MB, the idle desktop and the margin make 133 MB.
        (self.folder / "latencies.csv").write_text("t_s,interactions,mean_ms,max_ms\n10,400,1,2\n", encoding="ascii")
        (self.folder / "curve.csv").write_text("size_pages,misses\n0,100000\n25600,0\n", encoding="ascii")
        self.write_timeline('20,130,370,300,0,500,9,2.5,1.5,measured,"a"', '40,100,400,300,0,500,9,2.5,1.5,measured,"a"',
                            '60,190,310,302,0,500,9,2.5,1.5,measured,"b"', '100,205,295,303,0,500,9,2.5,1.5,measured,"b"')
        row, = report.results_of(self.run, 600.0, self.folder)
        self.assertEqual((row.exact_mb, row.low_share), (133.0, 0.25))

    def test_misses_of_a_workload_of_files_are_those_of_files(self) -> None:
        self.write_timeline('100,205,295,303,0,500,9,0.15625,1.5,measured,"b"')
        row, = report.results_of(dataclasses.replace(self.run, workload="file-map"), 600.0, self.folder)
        self.assertEqual(row.miss_ms, 1.5)

    def test_a_turn_that_was_too_short_is_named(self) -> None:
        self.write_timeline('10,500,0,300,0,500,9,2.5,1.5,learning,"a"')
        with self.assertRaisesRegex(DeskError, "1-mglru/timeline.csv: tmmd has learned nothing: take longer turns"):
            report.results_of(self.run, 600.0, self.folder)
        self.write_timeline()
        with self.assertRaisesRegex(DeskError, "learned nothing"):
            report.results_of(self.run, 600.0, self.folder)
        with self.assertRaisesRegex(DeskError, "no number in the last row"):
            report.last_values("t_s,samples\n1,\n", ("samples",), "x")


class Tables(unittest.TestCase):
    RESULTS = [result(), result(turn=2, source="mglru", limit_mb=225.0), result(turn=3, limit_mb=195.0, cpu_s=4.0),
               result(workload="zipf", limit_mb=100.0, exact_mb=100.0),
               result(workload="zipf", turn=2, source="mglru", limit_mb=90.0, exact_mb=100.0)]

    def test_errors_are_beside_the_first_turn_of_the_patches(self) -> None:
        self.assertEqual([tables.error_mb(row, self.RESULTS) for row in self.RESULTS], [None, 25, -5, None, -10])
        self.assertEqual(tables.error_mb(result(source="idle"), [result(source="idle")]), None)

    def test_a_source_that_comes_again_has_a_row_of_its_own(self) -> None:
        self.assertEqual([tables.name_of(row, self.RESULTS) for row in self.RESULTS], ["tmm", "mglru", "tmm, again", "tmm", "mglru"])
        summary = {row[0]: row for row in (tables.summary_cells(name, self.RESULTS) for name in ("tmm", "mglru", "tmm, again"))}
        self.assertEqual(summary["mglru"], ("mglru", "2", "3.5%", "-2.0%", "+5.0%", "4.5%", "-2.0%", "+7.0%", "25%", "120", "9.0"))
        self.assertEqual(summary["tmm"][1:5], ("2", "-", "-", "-"))
        self.assertEqual(summary["tmm, again"][9], "240")

    def test_the_text_has_all_turns(self) -> None:
        text = tables.text(self.RESULTS)
        self.assertTrue(text.startswith("| workload | source | limit MB |"))
        self.assertIn("| loop | mglru | 225 | 190 to 210 | +25 | +5.0% | +35 | 25% | 400 | 9 | 120 | 9.0 |\n", text)

    def test_the_overview_has_a_column_for_each_source(self) -> None:
        self.assertEqual(tables.overview(self.RESULTS).splitlines()[::2],
                         ["| workload | `tmm`, MB | exact | `mglru` | `tmm` again |", "| loop | 200 | 190 | +25 (+5.0 %) | -5 (-1.0 %) |"])
        self.assertIn("| zipf | 100 | 100 | -10 (-2.0 %) | - |\n", tables.overview(self.RESULTS))


class Command(unittest.TestCase):
    def refused(self, *arguments: str) -> str:
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit):
            sources.parser().parse_args(list(arguments))
        return said.getvalue()

    def test_the_reference_begins_and_ends(self) -> None:
        chosen = sources.parser().parse_args([])
        self.assertEqual((chosen.sources[0], chosen.sources[-1]), ("tmm", "tmm"))
        self.assertEqual(chosen.workloads, workloads.SYNTHETIC)

    def test_mistakes_are_named(self) -> None:
        self.assertIn("unknown: 'best'; choose from tmm, idle", self.refused("--sources", "tmm,best"))
        for text in ("", "20", "0h", "1.5h", "20 h"):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, "is not a time"):
                sources.span(text)

    def test_times(self) -> None:
        self.assertEqual([sources.seconds_of(sources.span(text)) for text in ("90s", "10min", "20h")], [90, 600, 72000])

    def test_settings_tell_the_turns(self) -> None:
        chosen = sources.parser().parse_args(["--sources", "tmm,idle", "--seconds", "33"])
        lines = turn_machines.settings_text(sources.run_of("zipf", chosen)).splitlines()
        self.assertTrue({"SOURCES='tmm idle'", "TURN_S=33", "TIME_LAPSE=60", "FILES_MB=230"} <= set(lines), lines)
        self.assertIn("OWNER_COMMAND='exec /opt/tmm/owner-workload --pattern zipf", "\n".join(lines))

    def test_the_guests_script_is_bash(self) -> None:
        subprocess.run(["bash", "-n", turn_machines.COMMAND], check=True)

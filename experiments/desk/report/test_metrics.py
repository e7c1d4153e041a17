# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later

from .. import fakes
from ..errors import DeskError
from ..fakes import FolderTest
from . import metrics


class RowTest(FolderTest):
    def test_counts_the_owner_after_the_return_only(self) -> None:
        fakes.write_run(self.folder)
        row = metrics.row_of(fakes.run(), self.folder, "key")
        self.assertEqual((row.faults_mean, row.faults_max), (10.0, 20.0))
        self.assertEqual(row.refaults_mean, 2.0)
        self.assertEqual(row.swapins, 50)
        self.assertEqual(row.stall_share, 0.5)
        self.assertEqual((row.donated_mb, row.contributor_peak_mb), (7.0, 9.0))
        self.assertEqual((row.owner_before_mb, row.owner_kept_mb), (8.0, 2.0))
        self.assertEqual((row.workload_before_mb, row.workload_kept_mb), (6.0, 1.5))
        self.assertEqual((row.kernel, row.key), ("plain", "key"))
        self.assertEqual((row.break_s, row.break_taken_s), (2, 2.0))

    def test_latencies_count_an_interaction_that_the_end_cuts_short(self) -> None:
        fakes.write_run(self.folder)
        row = metrics.row_of(fakes.run(), self.folder, "key")
        self.assertEqual((row.interactions, row.latency_work_ms), (2, 1.0))
        self.assertEqual((row.latency_return_ms, row.latency_return_max_ms), (100.0, 150.0))
        self.assertEqual(row.first_interaction_s, 0.5)

    def test_what_was_read_from_disks_and_the_contributions_work(self) -> None:
        fakes.write_run(self.folder)
        row = metrics.row_of(fakes.run(), self.folder, "key")
        self.assertEqual((row.reads_mean, row.reads_max, row.work_done_s), (10.0, 20.0, 2.5))

    def test_an_owner_may_log_no_latencies(self) -> None:
        fakes.write_run(self.folder, latencies=None)
        self.assertEqual(metrics.row_of(fakes.run(), self.folder, "key").interactions, 0)
        self.assertIsNone(metrics.row_of(fakes.run(), self.folder, "key").first_interaction_s)

    def test_tmmds_cost(self) -> None:
        fakes.write_run(self.folder)
        self.assertIsNone(metrics.row_of(fakes.run(), self.folder, "key").tmmd_cpu_work)
        fakes.write_limits(self.folder)
        row = metrics.row_of(fakes.run(system="tmm"), self.folder, "key")
        self.assertEqual((row.tmmd_cpu_work, row.tmmd_cpu_break, row.tmmd_rss_mb, row.tmmd_peak_mb), (0.1, 0.01, 2.0, 3.0))
        self.assertIsNone(metrics.row_of(fakes.run(system="static-25"), self.folder, "key").tmmd_cpu_work)

    def test_the_oracle_of_a_synthetic_workload(self) -> None:
        fakes.write_run(self.folder)
        fakes.write_limits(self.folder)
        self.assertIsNone(metrics.row_of(fakes.run(system="tmm"), self.folder, "key").oracle_need_mb)
        # 300 MB that were touched again and again: 308 with the desktop. The first learned limit is 200 MB.
        (self.folder / "curve.csv").write_text("size_pages,misses\n0,99999\n76800,0\n", encoding="utf-8")
        row = metrics.row_of(fakes.run(system="tmm"), self.folder, "key")
        self.assertEqual((row.oracle_need_mb, row.oracle_donation_mb, row.low_share), (308.0, 204.0, 1.0))
        self.assertIsNone(metrics.row_of(fakes.run(), self.folder, "key").oracle_need_mb)

    def test_limits_are_those_at_the_end_of_the_break(self) -> None:
        fakes.write_run(self.folder)
        fakes.write_limits(self.folder)
        row = metrics.row_of(fakes.run(system="tmm"), self.folder, "key")
        self.assertEqual((row.opaque_limit_mb, row.transparent_limit_mb, row.kernel), (200.0, 312.0, "tmm"))
        self.assertEqual(row.decided, "measured: needs 200 MB")

    def test_the_wall_clock_tells_when_a_decision_was_made(self) -> None:
        # tmmd's own time runs 30 times as fast at first; the limits are from 9, 13.5 and 16 s on.
        fakes.write_limits(self.folder)
        lines = [line.split(",", 1) for line in fakes.timeline_text().splitlines()]
        walls = ["wall_s", "1800000001.5", "1800000006.0", "1800000008.5"]
        lapsed = ["t_s", "30.0", "165.0", "167.5"]
        text = "".join(f"{t_s},{wall_s},{rest}\n" for t_s, wall_s, (_, rest) in zip(lapsed, walls, lines))
        (self.folder / "timeline.csv").write_text(text, encoding="utf-8")
        self.assertEqual([decision.t_s for decision in metrics.read_decisions(self.folder)], [9.0, 13.5, 16.0])

    def test_the_oracle_of_the_kernel_alone(self) -> None:
        fakes.write_run(self.folder)
        (self.folder / "curve.csv").write_text("size_pages,misses\n0,99999\n76800,0\n", encoding="utf-8")
        (self.folder / "state").mkdir()
        state = self.folder / "state/tmm"
        state.write_text(f"/sys/kernel/mm/tmm/opaque_limit:1\n/sys/kernel/mm/tmm/total:{500 * metrics.MB}\n", encoding="utf-8")
        row = metrics.row_of(fakes.run(system="priority"), self.folder, "key")
        self.assertEqual((row.oracle_need_mb, row.oracle_donation_mb, row.low_share), (308.0, 192.0, None))
        self.assertEqual((row.opaque_limit_mb, row.decided, row.kernel), (0.0, "", "tmm"))
        state.write_text("/sys/kernel/mm/tmm/opaque_limit:1\n", encoding="utf-8")
        with self.assertRaisesRegex(DeskError, "state/tmm: no total"):
            metrics.row_of(fakes.run(system="priority"), self.folder, "key")

    def test_a_lived_in_machine_with_free_memory_is_no_result(self) -> None:
        fakes.write_run(self.folder)
        path = self.folder / "samples.csv"
        usual = path.read_text(encoding="utf-8")

        def row(free_mb: int, **changes: object) -> metrics.Row:
            lines = usual.splitlines()
            place = lines[0].split(",").index("free_bytes")
            begin = next(number for number, line in enumerate(lines) if ",break," in line)
            cells = lines[begin].split(",")
            cells[place] = str(free_mb * metrics.MB)
            lines[begin] = ",".join(cells)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return metrics.row_of(fakes.run(**changes), self.folder, "key")

        self.assertEqual(row(25, machine="lived-in").free_before_mb, 25.0)
        self.assertEqual(row(300).free_before_mb, 300.0)
        with self.assertRaisesRegex(DeskError, "not valid: .* 26 of 512 MB were free: a lived-in machine has at most 5%"):
            row(26, machine="lived-in")
        self.assertEqual(row(26, machine="lived-in", may_free=True).free_before_mb, 26.0)
        self.assertEqual(row(92, machine="lived-in", ram_mb=1024).free_before_mb, 92.0)
        with self.assertRaisesRegex(DeskError, "not valid: .* 93 of 1024 MB were free: a lived-in machine has at most 9%"):
            row(93, machine="lived-in", ram_mb=1024)

    def test_a_past_on_a_starved_host_is_no_result(self) -> None:
        # 60 s before the work; the pauses of 20 ms alone would allow 3000 interactions.
        past = fakes.sample_line(-50, "past") + fakes.sample_line(9, "past")

        def row(interactions: int, waited_us: int = 0, **changes: object) -> metrics.Row:
            fakes.write_run(self.folder, latencies=fakes.LATENCIES + f"-20,{interactions},1.0,2.0,-20.0\n")
            rest = "".join(fakes.sample_line(t_s, phase, owner_stall_us=waited_us)
                           for t_s, phase in ((10, "work"), (12, "break"), (14, "return"), (17, "end")))
            (self.folder / "samples.csv").write_text(fakes.SAMPLES_HEADER + past + rest, encoding="utf-8")
            return metrics.row_of(fakes.run(**{"machine": "lived-in", "past_s": 60} | changes), self.folder, "key")

        row(750)
        with self.assertRaisesRegex(DeskError, r"not valid: before the work the owner had 749 interactions in 60 s .* at least 750 "):
            row(749)
        # It waited for memory in half of the time, by the fault of the system.
        row(375, 30_000_000)
        with self.assertRaisesRegex(DeskError, "had 374 interactions in 30 s"):
            row(374, 30_000_000)
        # A short past teaches nothing, a freshly booted machine has none, and another program has pauses of its own.
        row(0, past_s=59)
        row(0, past_s=0)
        row(0, workload="gnuplot")

    def test_the_start_of_a_new_program_counts_from_the_return(self) -> None:
        fakes.write_run(self.folder)
        self.assertIsNone(metrics.row_of(fakes.run(), self.folder, "key").new_program_s)
        run = fakes.run(on_return="new-program")
        with self.assertRaisesRegex(DeskError, "new-latencies.csv: No such file"):
            metrics.row_of(run, self.folder, "key")
        log = "t_s,interactions,mean_ms,max_ms,first_end_s\n16,1,1.0,1.0,16.5\n"
        (self.folder / "new-latencies.csv").write_text(log, encoding="utf-8")
        self.assertEqual(metrics.row_of(run, self.folder, "key").new_program_s, 2.25)

    def test_a_run_cut_short_is_no_result(self) -> None:
        fakes.write_run(self.folder)
        with self.assertRaisesRegex(DeskError, "lasts 3 s of 60"):
            metrics.row_of(fakes.run(return_s=60), self.folder, "key")

    def test_missing_files_are_named(self) -> None:
        with self.assertRaisesRegex(DeskError, "samples.csv: No such file"):
            metrics.row_of(fakes.run(), self.folder, "key")
        fakes.write_run(self.folder)
        with self.assertRaisesRegex(DeskError, "limits-start"):
            metrics.row_of(fakes.run(system="tmm"), self.folder, "key")
        (self.folder / "limits-start").write_text("8.00\n", encoding="utf-8")
        with self.assertRaisesRegex(DeskError, "limits-start: 1 numbers of seconds, not 2"):
            metrics.row_of(fakes.run(system="tmm"), self.folder, "key")
        fakes.write_limits(self.folder)
        (self.folder / "timeline.csv").write_text(fakes.timeline_text().splitlines()[0] + "\n", encoding="utf-8")
        with self.assertRaisesRegex(DeskError, "no decision was made"):
            metrics.row_of(fakes.run(system="tmm"), self.folder, "key")

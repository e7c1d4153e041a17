# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import tempfile
import unittest

from . import fakes, metrics
from .errors import CoffeeError


class RowTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_counts_the_owner_after_the_return_only(self) -> None:
        fakes.write_run(self.folder)
        row = metrics.row_of(fakes.run(), self.folder, "key")
        self.assertEqual((row.faults_mean, row.faults_max), (10.0, 20.0))
        self.assertEqual(row.refaults_mean, 2.0)
        self.assertEqual(row.swapins, 50)
        self.assertEqual(row.stall_share, 0.5)
        self.assertEqual((row.donated_mb, row.contributor_peak_mb), (7.0, 9.0))
        self.assertEqual((row.owner_before_mb, row.owner_kept_mb), (8.0, 2.0))
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

    def test_a_run_cut_short_is_no_result(self) -> None:
        fakes.write_run(self.folder)
        with self.assertRaisesRegex(CoffeeError, "lasts 3 s of 60"):
            metrics.row_of(fakes.run(return_s=60), self.folder, "key")

    def test_missing_files_are_named(self) -> None:
        with self.assertRaisesRegex(CoffeeError, "samples.csv: No such file"):
            metrics.row_of(fakes.run(), self.folder, "key")
        fakes.write_run(self.folder)
        with self.assertRaisesRegex(CoffeeError, "limits-start"):
            metrics.row_of(fakes.run(system="tmm"), self.folder, "key")
        (self.folder / "limits-start").write_text("8.00\n", encoding="utf-8")
        (self.folder / "timeline.csv").write_text(fakes.timeline_text().splitlines()[0] + "\n", encoding="utf-8")
        with self.assertRaisesRegex(CoffeeError, "no decision was made"):
            metrics.row_of(fakes.run(system="tmm"), self.folder, "key")


if __name__ == "__main__":
    unittest.main()

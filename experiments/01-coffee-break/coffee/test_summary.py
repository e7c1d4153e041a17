# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from desk import fakes
from desk.report import table

from . import columns, summary, verdicts


def group(system: str, **changes: object) -> summary.Group:
    return summary.groups([fakes.row(system=system, **changes)])[0]


class GroupsTest(unittest.TestCase):
    def test_medians_by_workload_and_system(self) -> None:
        rows = [fakes.row(run=number, faults_mean=value) for number, value in enumerate((1.0, 9.0, 2.0), 1)]
        groups = summary.groups([*rows, fakes.row(system="tmm", faults_mean=4.0), fakes.row(workload="zipf", faults_mean=5.0)])
        self.assertEqual([(one.workload, one.system, one.runs, one.faults_mean) for one in groups],
                         [("loop", "plain", 3, 2.0), ("loop", "tmm", 1, 4.0), ("zipf", "plain", 1, 5.0)])

    def test_groups_are_in_order_whatever_the_order_of_the_rows(self) -> None:
        rows = [fakes.row(workload="zz"), fakes.row(contribution="hog"), fakes.row(system="tmm"),
                fakes.row(system="none", contribution="none"), fakes.row(workload="zipf")]
        self.assertEqual([(one.case, one.system) for one in summary.groups(rows)],
                         [("loop", "none"), ("loop", "tmm"), ("loop + hog", "plain"), ("zipf", "plain"), ("zz", "plain")])

    def test_machines_share_no_median(self) -> None:
        rows = [fakes.row(), fakes.row(machine="lived-in", faults_mean=1.0), fakes.row(machine="lived-in", during="nightly")]
        self.assertEqual([(one.case, one.faults_mean) for one in summary.groups(rows)],
                         [("loop", 100.0), ("loop, lived-in", 1.0), ("loop, lived-in, nightly", 100.0)])

    def test_slowdown_is_the_papers_arithmetic(self) -> None:
        self.assertAlmostEqual(group("tmm", faults_mean=6.8).slowdown, 0.017)

    def test_titles_name_the_lengths_of_the_breaks(self) -> None:
        rows = [fakes.row(break_taken_s=taken_s) for taken_s in (90.2, 143.4)]
        self.assertEqual((summary.breaks_text(rows[:1]), summary.breaks_text(rows)), ("break of 90 s", "breaks of 90 to 143 s"))

    def test_nothing_to_sum_up(self) -> None:
        self.assertEqual(summary.groups([]), [])
        self.assertEqual(verdicts.verdicts([]), [])


class VerdictsTest(unittest.TestCase):
    def test_lived_in_machines_have_aims_of_their_own(self) -> None:
        def judged(tmm: dict[str, object], priority_mb: float | None) -> dict[str, bool | None]:
            lived_in = {"machine": "lived-in", "oracle_donation_mb": 200.0, "oracle_need_mb": 300.0, "contribution": "povray"}
            rows = [fakes.row(system="tmm", **{"donated_mb": 150.0, "stall_share": 0.05, **lived_in, **tmm})]
            if priority_mb is not None:
                rows.append(fakes.row(system="priority", donated_mb=priority_mb, **lived_in))
            return {one.topic: one.met for one in verdicts.verdicts(summary.groups(rows)) if one.topic in verdicts.TO_SHOW_LIVED_IN}

        self.assertEqual(judged({}, 59.0), {"waiting": True, "lived-in": True})
        self.assertEqual(judged({"stall_share": 0.051}, 59.0), {"waiting": False, "lived-in": True})
        self.assertEqual(judged({"donated_mb": 149.0}, 59.0), {"waiting": True, "lived-in": False})
        self.assertEqual(judged({}, 60.0), {"waiting": True, "lived-in": False})
        self.assertEqual(judged({}, None), {"waiting": True, "lived-in": None})
        self.assertEqual(judged({"oracle_donation_mb": None}, 59.0), {"waiting": True})

    def test_waiting_is_quoted_beside_that_without_a_contribution(self) -> None:
        rows = [fakes.row(system="tmm", machine="lived-in", stall_share=0.1),
                fakes.row(system="none", contribution="none", machine="lived-in", stall_share=0.126)]
        texts = [[one.text for one in verdicts.verdicts(summary.groups(some)) if one.topic == "waiting"] for some in (rows, rows[:1])]
        self.assertEqual(texts, [["10.0%, without contribution 12.6%"], ["10.0%"]])

    def test_each_machine_is_compared_with_its_own_run_without_contribution(self) -> None:
        rows = [fakes.row(system="none", contribution="none", faults_mean=0.0), fakes.row(system="tmm", faults_mean=50.0),
                fakes.row(system="none", contribution="none", faults_mean=60.0, machine="lived-in"),
                fakes.row(system="tmm", faults_mean=50.0, machine="lived-in")]
        met = {one.case: one.met for one in verdicts.verdicts(summary.groups(rows)) if one.topic == "faults"}
        self.assertEqual(met, {"loop": False, "loop, lived-in": True})

    def test_gain(self) -> None:
        self.assertTrue(verdicts.gain("loop", "tmm", group("plain"), group("tmm", faults_mean=10.0)).met)
        missed = verdicts.gain("loop", "tmm", group("plain"), group("tmm", faults_mean=20.0))
        self.assertEqual((missed.met, missed.text), (False, "100.0/s against 20.00/s: 5.0 x, short by a factor of 2.0"))
        self.assertIn("no fault at all", verdicts.gain("loop", "tmm", group("plain"), group("tmm", faults_mean=0.0)).text)

    def test_a_plain_kernel_that_does_not_suffer_proves_nothing(self) -> None:
        self.assertIs(verdicts.gain("loop", "tmm", group("plain", faults_mean=0.0), group("tmm", faults_mean=0.0)).met, False)

    def test_unnoticed(self) -> None:
        self.assertTrue(verdicts.unnoticed("loop", "tmm", group("none", faults_mean=0.0), group("tmm", faults_mean=5.0)).met)
        self.assertTrue(verdicts.unnoticed("loop", "tmm", group("none", faults_mean=20.0), group("tmm", faults_mean=22.0)).met)
        missed = verdicts.unnoticed("loop", "tmm", group("none", faults_mean=20.0), group("tmm", faults_mean=25.0))
        self.assertEqual((missed.met, missed.text), (False, "25.00/s, without contribution 20.00/s: 3.00/s too many"))

    def test_donated(self) -> None:
        self.assertTrue(verdicts.donated("loop", "tmm", group("tmm", donated_mb=100.0)).met)
        self.assertEqual(verdicts.donated("loop", "tmm", group("tmm", donated_mb=60.0)).text, "60 of 512 MB: 40 MB too little")

    def test_exceeded(self) -> None:
        self.assertTrue(verdicts.exceeded(group("plain", contributor_peak_mb=513.0)).met)
        self.assertIs(verdicts.exceeded(group("plain", contributor_peak_mb=512.0)).met, False)

    def test_missing_systems_are_not_judged(self) -> None:
        missing = verdicts.verdicts([group("none", contribution="none")])
        self.assertEqual([verdict.met for verdict in missing], [None, None, None])

    def test_every_workload_is_judged(self) -> None:
        groups = [group(system, workload=workload, faults_mean=faults) for workload in ("loop", "zipf")
                  for system, faults in (("none", 0.0), ("plain", 100.0), ("tmm", 1.0))]
        judged = verdicts.verdicts(groups)
        self.assertEqual(len(judged), 10)
        self.assertEqual({verdict.met for verdict in judged}, {True})

    def test_beside_the_oracle(self) -> None:
        one = group("tmm", donated_mb=170.0, oracle_donation_mb=200.0, oracle_need_mb=280.0, low_share=0.01,
                    tmmd_peak_mb=4.0)
        self.assertEqual([verdict.met for verdict in verdicts.verdicts([one])][3:6], [True, True, True])
        self.assertFalse(verdicts.near_oracle(group("tmm", donated_mb=169.0, oracle_donation_mb=200.0)).met)
        self.assertFalse(verdicts.seldom_low(group("tmm", oracle_donation_mb=200.0, low_share=0.02)).met)
        self.assertIsNone(verdicts.seldom_low(group("tmm", oracle_donation_mb=200.0, low_share=None)).met)

    def test_an_oracle_that_would_donate_nothing_cannot_be_missed_by_a_division(self) -> None:
        self.assertIsNone(group("tmm", oracle_donation_mb=0.0).oracle_share)

    def test_the_hog_is_judged_beside_the_same_run_without_contribution(self) -> None:
        groups = [group("none", contribution="none", faults_mean=50.0), group("tmm", contribution="hog", faults_mean=54.0)]
        judged = {verdict.aim: verdict for verdict in verdicts.verdicts(groups)}
        self.assertEqual({verdict.case for verdict in judged.values()}, {"loop + hog"})
        self.assertTrue(judged["tmm at most 1.1 x the faults without contribution, or 5/s"].met)

    def test_every_static_limit_fails_somewhere(self) -> None:
        groups = [group("none", contribution="none", faults_mean=0.0), group("tmm", faults_mean=1.0, donated_mb=200.0),
                  group("static-25", faults_mean=9.0, donated_mb=300.0), group("static-50", faults_mean=5.0, donated_mb=190.0),
                  group("static-75", faults_mean=0.0, donated_mb=100.0)]
        judged = [verdict for verdict in verdicts.verdicts(groups) if verdict.case == "all"]
        self.assertEqual([verdict.met for verdict in judged], [True, False, True])
        self.assertEqual(judged[0].text, "loop: 9.0 faults/s against 1.0")
        self.assertEqual(judged[1].text, "as good on loop")
        self.assertEqual(judged[2].text, "loop: donates 100 MB against 200")

    def test_reads_count_where_nothing_faults(self) -> None:
        self.assertEqual(group("plain", workload="file-read").misses_mean, 110.0)
        self.assertEqual(group("plain", workload="file-map").misses_mean, 100.0)


class TableTest(unittest.TestCase):
    def test_columns_are_aligned_and_the_papers_numbers_stand_below(self) -> None:
        lines = table.plain_table(columns.all_rows([group("plain"), group("none", interactions=0)])).splitlines()
        self.assertEqual(len(lines), 5)
        self.assertIn("20 of 200", lines[1])
        self.assertEqual(lines[1].index("100.00") + 6, lines[0].index("faults/s") + 8)
        self.assertTrue(lines[2].endswith("-"))
        self.assertIn("190", lines[3])
        self.assertIn("6.8", lines[4])

    def test_every_row_has_all_columns(self) -> None:
        self.assertEqual({len(row) for row in columns.all_rows([group("tmm")])}, {len(columns.HEADER)})

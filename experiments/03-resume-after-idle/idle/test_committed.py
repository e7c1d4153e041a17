# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The committed results: the tables and the report say what results.csv says."""

import pathlib
import statistics
import unittest

from desk import breaks, records

from . import clamps, tables
from .systems import SYSTEMS

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "results"


def results(name: str) -> dict[str, breaks.Result]:
    rows = records.parse_csv(breaks.Result, (RESULTS / name / "results.csv").read_text(encoding="utf-8"), name)
    return {row.system: row for row in rows}


class CommittedTables(unittest.TestCase):
    def test_are_those_of_the_rows(self) -> None:
        records.check_tables(self, RESULTS, lambda name, command: tables.text(list(results(name).values()), command))


def mb(value: float | None) -> str:
    return f"{value or 0.0:.0f}"


def percent(row: breaks.Result) -> str:
    """Of its memory that the owner kept."""
    return f"{100 * row.owner_kept_mb / row.owner_before_mb:.0f}"


def need(row: breaks.Result) -> str:
    """The need that decided."""
    return (row.decided or "").partition("need ")[2].partition(" of")[0]


def times(row: breaks.Result) -> str:
    return tables.shown_bounds(row.p99_times_min, row.p99_times_max)


def hitches(row: breaks.Result) -> str:
    return tables.shown_bounds(row.hitches_min, row.hitches_max, ".0f")


def counted_clamps(name: str) -> list[clamps.Clamp]:
    return [clamp for moments in clamps.rounds_of(RESULTS / name / "rounds.csv") if (clamp := clamps.clamp_of(moments, ""))]


class CommittedClamps(unittest.TestCase):
    def test_the_table_and_the_sentences_are_of_the_rows(self) -> None:
        said = (RESULTS / "report.md").read_text(encoding="utf-8")
        for folder in (RESULTS / "clamp", RESULTS / "clamp-before"):
            committed = (folder / "table.md").read_text(encoding="utf-8")
            command, _, table = committed.partition("\n\n")
            self.assertEqual(clamps.table_of(folder, command.strip()), committed)
            self.assertIn(table.strip(), said)
        rounds, before = (counted_clamps(name) for name in ("clamp", "clamp-before"))
        whole, whole_before = ([clamp.alarm + clamp.order for clamp in some] for some in (rounds, before))
        said = " ".join(said.split())
        for sentence in (f"comes {statistics.median(whole):.0f} ms after the begin of the stall**, in the median, and within the aim of 250 ms in "
                         f"{sum(time <= 250 for time in whole)} of {len(rounds)} rounds. The slowest took {max(whole):.0f} ms",
                         f"came together after {statistics.median(clamp.alarm for clamp in rounds):.0f} ms. `tmmd` follows it "
                         f"{statistics.median(clamp.order for clamp in rounds):.0f} ms later",
                         f"stands still {statistics.median(clamp.hold for clamp in rounds):.0f} ms later, and "
                         f"{max(clamp.hold for clamp in rounds):.0f} ms at most",
                         f"It took {statistics.median(whole_before):.0f} ms from the begin of the stall, and kept the aim in "
                         f"{sum(time <= 250 for time in whole_before)} of {len(before)} rounds"):
            self.assertIn(sentence, said)


class CommittedReport(unittest.TestCase):
    """Every figure of the prose is one of the rows."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.nvme = results("nvme")
        cls.said = " ".join((RESULTS / "report.md").read_text(encoding="utf-8").split())

    def expect(self, *sentences: str) -> None:
        for sentence in sentences:
            self.assertIn(sentence, self.said)

    def test_all_systems_ran(self) -> None:
        self.assertEqual([name for name in SYSTEMS if name in self.nvme], list(self.nvme))
        self.assertEqual({row.machine for row in self.nvme.values()}, {"fresh"})
        self.assertEqual({row.kernel_release for name, row in self.nvme.items() if name != "tmm"}, {"6.12.117+deb12-amd64"})

    def test_those_without_a_fault(self) -> None:
        self.assertEqual({name for name, row in self.nvme.items() if row.faults_mean == 0}, {"none", "min-ttl", "tmm-stock", "tmm"})
        stock, tmm, plain, ttl = (self.nvme[name] for name in ("tmm-stock", "tmm", "plain", "min-ttl"))
        self.expect(f"the owner kept {stock.owner_kept_mb / stock.owner_before_mb:.0%}".replace("%", " %") +
                    f" of its memory and the contribution had {mb(stock.donated_mb)} MB",
                    f"learned that {need(stock)} are needed",
                    f"gave {mb(tmm.donated_mb)} MB and no fault either",
                    f"{tmm.free_before_mb - self.nvme['none'].free_before_mb:.0f} MB more free memory at the begin of the break than beside `none`",
                    f"the {tmm.donated_mb - stock.donated_mb:.0f} MB that it gave more",
                    f"did {ttl.work_done_s:.1f} s of work, `tmm-stock` {stock.work_done_s:.1f} s")
        self.assertEqual({name: row.killed for name, row in self.nvme.items() if row.killed}, {"min-ttl": "contribution"})
        self.expect(f"`plain` gives most, {mb(plain.donated_mb)} MB")

    def test_what_the_peers_keep(self) -> None:
        plain, least, low, senpai, damon = (self.nvme[name] for name in ("plain", "memory-min", "memory-low", "senpai", "damon-reclaim"))
        self.expect(f"{mb(least.owner_kept_mb)} of {mb(least.owner_before_mb)} MB, a tenth of memory",
                    f"a quarter of it: {least.faults_mean:.0f} faults a second",
                    f"keeps {mb(low.owner_kept_mb)} MB, `plain` {mb(plain.owner_kept_mb)}",
                    f"The owner kept {mb(senpai.owner_kept_mb)} and {mb(damon.owner_kept_mb)} MB",
                    f"the break had {senpai.break_taken_s:.0f} and {damon.break_taken_s:.0f} s")
        living = [row for name, row in self.nvme.items() if name not in ("none", "plain", "min-ttl", "tmm-stock", "tmm")]
        donated = [row.donated_mb for row in living]
        kept = max(row.owner_kept_mb / row.owner_before_mb for row in living)
        self.expect(f"gave {min(donated):.0f} to {max(donated):.0f} MB, and none kept more than {100 * kept:.0f} %")

    def test_faults_of_the_killers_and_of_those_that_act_at_the_return(self) -> None:
        plain, oomd, early, boinc, freeze = (self.nvme[name] for name in ("plain", "systemd-oomd", "earlyoom", "boinc", "freeze"))
        self.expect(f"{oomd.faults_mean:.0f} and {early.faults_mean:.0f} faults a second",
                    f"{boinc.faults_mean:.0f} and {freeze.faults_mean:.0f} faults a second, {plain.faults_mean:.0f} with `plain`",
                    f"{boinc.faults_max:.0f} and {freeze.faults_max:.0f}, as with `plain` ({plain.faults_max:.0f})")

    def test_the_machine(self) -> None:
        self.expect(f"The fresh machine had {mb(self.nvme['tmm-stock'].free_before_mb)} MB free")


class CommittedLivedIn(unittest.TestCase):
    """The section of the report on lived-in machines, and the first page."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.rows = results("nvme-lived-in")
        cls.said = " ".join((RESULTS / "report.md").read_text(encoding="utf-8").split())
        cls.tmm = [row for name, row in cls.rows.items() if name.startswith("tmm")]
        cls.others = [row for name, row in cls.rows.items() if not name.startswith("tmm") and name != "none"]

    @staticmethod
    def share(row: breaks.Result) -> str:
        return f"{100 * row.donated_mb / row.oracle_donation_mb:.0f} %"

    def test_memory_was_full(self) -> None:
        self.assertEqual({row.machine for row in self.rows.values()}, {"lived-in"})
        free = {name: row.free_before_mb for name, row in self.rows.items()}
        senpai = free.pop("senpai")
        self.assertIn(f"{min(free.values()):.0f} to {max(free.values()):.0f} MB were free, and {senpai:.0f} with Senpai", self.said)

    def test_tmm_by_each_source(self) -> None:
        self.assertLess(max(row.faults_mean for row in self.tmm), 0.05, "the text says none")
        self.assertEqual({f"{row.owner_kept_mb / row.owner_before_mb:.0%}" for row in self.tmm}, {"100%"})
        stock, footprint, idle, tmm = (self.rows[name] for name in ("tmm-stock", "tmm-footprint", "tmm-idle", "tmm"))
        for sentence in (f"the contribution had {mb(stock.donated_mb)} MB from generations (`tmm-stock`) and {mb(footprint.donated_mb)} MB from "
                         f"footprints, {self.share(stock)} and {self.share(footprint)} of the oracle's donation",
                         f"With the idle page bitmap it had {mb(idle.donated_mb)} MB, {self.share(idle)}, and with the patches "
                         f"{mb(tmm.donated_mb)} MB, {self.share(tmm)}"):
            self.assertIn(sentence, self.said)

    def test_the_others(self) -> None:
        kept = [100 * row.owner_kept_mb / row.owner_before_mb for row in self.others]
        faults = [row.faults_mean for row in self.others]
        donated = [row.donated_mb for row in self.others]
        self.assertEqual(len(self.others), 10)
        self.assertIn(f"Ten others keep {min(kept):.0f} to {max(kept):.0f} % of what the owner used**, and cost {min(faults):.0f} to {max(faults):.0f} "
                      f"faults a second. They gave {min(donated):.0f} to {max(donated):.0f} MB", self.said)
        low, plain, boinc, ttl = (self.rows[name] for name in ("memory-low", "plain", "boinc", "min-ttl"))
        self.assertIn(f"{low.faults_mean:.0f} faults a second, `plain` has {plain.faults_mean:.0f}", self.said)
        self.assertIn(f"after {boinc.first_interaction_s:.1f} s: its limit", self.said)
        self.assertEqual(boinc.first_interaction_s, max(row.first_interaction_s for row in self.rows.values()))
        self.assertEqual(boinc.faults_mean, min(faults))
        self.assertEqual({name: row.killed for name, row in self.rows.items() if row.killed}, {"min-ttl": "contribution"})
        self.assertLess(ttl.owner_kept_mb / ttl.owner_before_mb, 0.6)

    def test_interactions(self) -> None:
        none, boinc, low, freeze, plain = (self.rows[name] for name in ("none", "boinc", "memory-low", "freeze", "plain"))
        lived = [row for row in self.others if not row.killed]
        self.assertEqual(len(lived), 9)
        self.assertEqual({row.hitches_max for row in (*self.tmm, none)}, {0})
        self.assertEqual({row.p99_back_s for row in (*self.tmm, none)}, {0})
        self.assertGreater(min(row.hitches_min for row in lived), 0)
        self.assertEqual([row.system for row in lived if row.p99_back_s is not None], ["freeze"])
        self.assertEqual(low.faults_mean, max(row.faults_mean for row in self.others))
        self.assertEqual(boinc.faults_mean, min(row.faults_mean for row in lived))
        self.assertEqual(boinc.hitches_min, max(row.hitches_min for row in self.others))
        for sentence in (f"at least {min(row.p99_times_min for row in self.tmm):.1f} and at most {max(row.p99_times_max for row in self.tmm):.1f} times "
                         "that before the break, and no interaction was a hitch",
                         f"Without a contribution (`none`) it was {times(none)} times that before",
                         f"a p99 of at least {min(row.p99_times_min for row in lived):.0f} times that before",
                         f"Only with `freeze` was it back within the minute, after {freeze.p99_back_s:.0f} s",
                         f"`memory-low` has most faults and {hitches(low)} hitches",
                         f"fewest faults among these nine and at least {boinc.hitches_min:.0f} hitches"):
            self.assertIn(sentence, self.said)
        given = [row.donated_mb_hours for row in self.tmm]
        breaks = [row.break_taken_s for row in (*self.tmm, *lived) if row.system != "boinc"]
        self.assertIn(f"TMM gave {min(given):.1f} to {max(given):.1f} MB h in the break and the minute after it, `plain` {plain.donated_mb_hours:.1f}. "
                      f"The {boinc.donated_mb_hours:.1f} of `boinc` include a break of {boinc.break_taken_s:.0f} s, the others had "
                      f"{min(breaks):.0f} to {max(breaks):.0f}", self.said)

    def test_debian_12s_own_kernel(self) -> None:
        rows = results("nvme-lived-in-6.1")
        none, plain, stock = (rows[name] for name in ("none", "plain", "tmm-stock"))
        self.assertEqual({row.kernel_release.partition("-")[0] for row in rows.values()}, {"6.1.0"})
        self.assertEqual((stock.faults_mean, none.hitches_max, stock.hitches_max), (0, 0, 0))
        self.assertEqual(f"{stock.owner_kept_mb / stock.owner_before_mb:.0%}", "100%")
        for sentence in (f"`tmm-stock` gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, and the owner had no fault.** It "
                         f"found that {need(stock)} are needed",
                         f"On the plain kernel the owner kept {100 * plain.owner_kept_mb / plain.owner_before_mb:.0f} % and had "
                         f"{plain.faults_mean:.0f} faults a second. The p99 was {times(plain)} times that before, and {hitches(plain)} interactions "
                         f"were hitches; with `tmm-stock` {times(stock)} times and none, without a contribution {times(none)} times and none"):
            self.assertIn(sentence, self.said)

    def test_peers_on_debian_12s_own_kernel(self) -> None:
        rows = results("nvme-lived-in-6.1-peers")
        boinc, freeze = rows["boinc"], rows["freeze"]
        self.assertEqual({row.kernel_release.partition("-")[0] for row in rows.values()}, {"6.1.0"})
        self.assertGreater(float(percent(freeze)), 100 * self.rows["freeze"].owner_kept_mb / self.rows["freeze"].owner_before_mb)
        self.expect(f"`boinc` and `freeze` left the owner {percent(boinc)} and {percent(freeze)} %, more than with Linux 6.12, and {boinc.faults_mean:.0f} "
                    f"and {freeze.faults_mean:.0f} faults a second. They gave {mb(boinc.donated_mb)} and {mb(freeze.donated_mb)} MB")

    def test_interactions_after_five_minutes(self) -> None:
        stock, senpai, damon = (results("nvme-lived-in-5min")[name] for name in ("tmm-stock", "senpai", "damon-reclaim"))
        self.assertEqual(([row.p99_back_s for row in (senpai, damon)], stock.hitches_max), ([None, None], 0))
        self.assertIn(f"The p99 was {times(stock)} times that before with `tmm-stock`, without a hitch. It was {times(senpai)} times with `senpai` and "
                      f"{times(damon)} with `damon-reclaim`", self.said)
        self.assertIn(f"These two gave {senpai.donated_mb_hours:.1f} and {damon.donated_mb_hours:.1f} MB h, `tmm-stock` "
                      f"{stock.donated_mb_hours:.1f}", self.said)

    def test_interactions_on_a_slower_disk(self) -> None:
        plain, stock = (results("sata-lived-in")[name] for name in ("plain", "tmm-stock"))
        self.assertEqual((stock.hitches_min, stock.hitches_max), (1, 1))
        self.assertIn(f"The p99 was {times(stock)} times that before with `tmm-stock`, and {times(plain)} times on the plain kernel. One interaction "
                      f"with `tmm-stock` was a hitch; on the plain kernel {hitches(plain)} were", self.said)

    def test_interactions_on_swap_that_does_not_compress(self) -> None:
        stock, tmm = (results("zram-lived-in")[name] for name in ("tmm-stock", "tmm"))
        self.assertEqual((stock.hitches_max, tmm.hitches_max), (0, 0))
        self.assertIn(f"No interaction was a hitch. At the return zram had {mb(stock.contribution_swap_mb)} MB (`tmm-stock`) and "
                      f"{mb(tmm.contribution_swap_mb)} MB (`tmm`) more of the contribution", self.said)

    def test_swap_that_compresses(self) -> None:
        rows = results("zram-lived-in-compressible")
        plain, stock, tmm, static = (rows[name] for name in ("plain", "tmm-stock", "tmm", "static-high"))
        self.assertEqual((stock.faults_mean, static.faults_mean, rows["static-eighth"].killed), (0, 0, "contribution"))
        self.assertEqual({f"{row.owner_kept_mb / row.owner_before_mb:.0%}" for row in (stock, tmm)}, {"100%"})
        self.assertIn(f"{plain.faults_mean:.0f} faults a second, and the owner waited for {100 * plain.stall_share:.0f} % of the time", self.said)
        self.assertIn(f"The contribution had {mb(stock.donated_mb)} MB in memory and {mb(stock.contribution_swap_mb)} MB in zram, where all programs "
                      f"together took {mb(stock.zram_grown_mb)} MB more than before; with `tmm` {mb(tmm.donated_mb)}, "
                      f"{mb(tmm.contribution_swap_mb)} and {mb(tmm.zram_grown_mb)} MB", self.said)
        self.assertIn(f"`static-high` gave {mb(static.donated_mb)} MB and cost no fault. - The contribution did {stock.work_done_s:.1f} s of work with "
                      f"`tmm-stock` and {tmm.work_done_s:.1f} s with `tmm`; with `static-high`, which the kernel slows down, "
                      f"{static.work_done_s:.1f} s", self.said)

    def test_peers_on_swap_that_compresses(self) -> None:
        rows = results("zram-lived-in-peers")
        boinc, freeze = rows["boinc"], rows["freeze"]
        self.expect(f"`boinc` and `freeze` left the owner {percent(boinc)} and {percent(freeze)} %, and {boinc.faults_mean:.0f} and {freeze.faults_mean:.0f} "
                    f"faults a second. With `boinc` the owner waited for {100 * boinc.stall_share:.0f} % of the time")

    def test_five_minutes(self) -> None:
        stock, senpai, damon = (results("nvme-lived-in-5min")[name] for name in ("tmm-stock", "senpai", "damon-reclaim"))
        self.assertEqual(stock.faults_mean, 0)
        self.assertGreater(min(row.break_taken_s for row in (stock, senpai, damon)), 299)
        self.assertLess(max(row.owner_kept_mb for row in (senpai, damon)), 1)
        self.assertIn(f"no fault with `tmm-stock`, and {mb(stock.donated_mb)} MB given, {self.share(stock)} of the oracle's donation", self.said)
        self.assertIn(f"`senpai` and `damon-reclaim` gave {mb(senpai.donated_mb)} and {mb(damon.donated_mb)} MB. The owner kept nothing, and had "
                      f"{senpai.faults_mean:.0f} and {damon.faults_mean:.0f} faults a second", self.said)

    def test_thirty_minutes(self) -> None:
        stock, senpai, damon = (results("nvme-lived-in-30min")[name] for name in ("tmm-stock", "senpai", "damon-reclaim"))
        self.assertEqual((stock.faults_mean, stock.stall_share, stock.hitches_max), (0, 0, 0))
        self.assertGreater(min(row.break_taken_s for row in (stock, senpai, damon)), 1799)
        self.assertLess(max(row.owner_kept_mb for row in (senpai, damon)), 1)
        self.assertEqual({row.p99_back_s for row in (senpai, damon)}, {None})
        self.assertIn(f"no fault with `tmm-stock`, and {mb(stock.donated_mb)} MB given, {self.share(stock)} of the oracle's donation. It gave "
                      f"{stock.donated_mb_hours:.1f} MB h. - `senpai` and `damon-reclaim` gave {mb(senpai.donated_mb)} and {mb(damon.donated_mb)} MB. The "
                      f"owner kept nothing, and had {senpai.faults_mean:.0f} and {damon.faults_mean:.0f} faults a second. The p99 was not back", self.said)
        self.assertIn(f"The p99 was back after {stock.p99_back_s:.0f} s; it was {times(stock)} times that before", self.said)

    def test_a_night(self) -> None:
        stock, senpai, damon = (results("nvme-lived-in-night")[name] for name in ("tmm-stock", "senpai", "damon-reclaim"))
        self.assertEqual((f"{stock.owner_kept_mb / stock.owner_before_mb:.0%}", round(stock.faults_max), stock.stall_share), ("100%", 1, 0))
        self.assertGreater(min(row.break_taken_s for row in (stock, senpai, damon)), 479)
        kept = [100 * row.owner_kept_mb / row.owner_before_mb for row in (senpai, damon)]
        self.assertIn(f"with `tmm-stock` {stock.faults_mean:.2f} a second in the first minute, one in the worst second. It gave {mb(stock.donated_mb)} MB, "
                      f"{self.share(stock)} of the oracle's donation. The first interaction ended after {stock.first_interaction_s:.2f} s", self.said)
        self.assertIn(f"`senpai` and `damon-reclaim` gave {mb(senpai.donated_mb)} and {mb(damon.donated_mb)} MB. The owner kept {kept[0]:.0f} and "
                      f"{kept[1]:.0f} %, and had {senpai.faults_mean:.0f} and {damon.faults_mean:.0f} faults a second", self.said)

    def test_twenty_returns(self) -> None:
        none, plain, stock = (results("nvme-lived-in-returns")[name] for name in ("none", "plain", "tmm-stock"))
        self.assertEqual({row.returns for row in (none, plain, stock)}, {20})

        def ms(seconds: float) -> str:
            return f"{1000 * seconds:.0f} ms"

        for sentence in (f"with `tmm-stock` its 95th percentile was {ms(stock.first_p95_s)}, without a contribution {ms(none.first_p95_s)}",
                         f"it was {ms(plain.first_p95_s)}, {ms(plain.first_p95_s - none.first_p95_s)} more than without a contribution",
                         f"lowest with `tmm-stock`, {ms(stock.first_median_s)} in place of {ms(none.first_median_s)} without"):
            self.assertIn(sentence, self.said)
        none, stock = (results("zram-lived-in-returns")[name] for name in ("none", "tmm-stock"))
        self.assertIn(f"was {ms(stock.first_p95_s)} with `tmm-stock` and {ms(none.first_p95_s)} without a contribution; the medians were "
                      f"{1000 * stock.first_median_s:.0f} and {ms(none.first_median_s)}. The contribution had {mb(stock.donated_mb)} MB in memory, and "
                      f"zram {mb(stock.zram_grown_mb)} MB more", self.said)
        none, stock = (results("sata-lived-in-returns")[name] for name in ("none", "tmm-stock"))
        self.assertLess(stock.first_p95_s, 0.3, "the text says that the aim is kept whatever it is without a contribution")
        self.assertIn(f"With `tmm-stock` the 95th percentile was {ms(stock.first_p95_s)}. That without a contribution, {ms(none.first_p95_s)}, is", self.said)
        self.assertIn(f"The contribution had {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation", self.said)

    def test_pages_that_are_used_seldom(self) -> None:
        none, stock = (results("nvme-lived-in-zipf")[name] for name in ("none", "tmm-stock"))
        self.assertEqual((stock.faults_mean, stock.hitches_max, f"{stock.owner_kept_mb / stock.owner_before_mb:.0%}"), (0, 0, "100%"))
        self.assertIn(f"`tmm-stock` gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, and the owner had no fault.** The p99 was "
                      f"{times(stock)} times that before, without a contribution {times(none)} times", self.said)

    def test_peers_beside_pages_that_are_used_seldom(self) -> None:
        rows = results("nvme-lived-in-zipf-peers")
        static, boinc, freeze, stock = (rows[name] for name in ("static-high", "boinc", "freeze", "tmm-stock"))
        self.assertEqual((static.faults_mean, stock.hitches_max), (0, 0))
        self.expect(f"left the owner {percent(boinc)} and {percent(freeze)} %, and {boinc.faults_mean:.0f} and {freeze.faults_mean:.0f} faults a second.** "
                    f"They gave {mb(boinc.donated_mb)} and {mb(freeze.donated_mb)} MB",
                    f"gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, and cost {stock.faults_mean:.1f} faults a second: the aim "
                    f"of 10 is missed by a little. The owner kept {percent(stock)} %, waited for {100 * stock.stall_share:.1f} % of the time",
                    f"`static-high` gave {mb(static.donated_mb)} MB without a fault. A third boot")
        first, third = (results(f"nvme-lived-in-zipf{name}")["tmm-stock"] for name in ("", "-again"))
        self.expect(f"`tmm-stock` gave {mb(third.donated_mb)} MB, {self.share(third)} of the oracle's donation, without a fault. So the three boots had "
                    f"{first.faults_mean:.0f}, {stock.faults_mean:.1f} and {third.faults_mean:.0f} faults a second")
        fourth = results("nvme-lived-in-zipf-fourth")["tmm-stock"]
        self.assertEqual(fourth.faults_mean, 0)
        self.expect(f"`tmm-stock` gave {mb(fourth.donated_mb)} MB, {self.share(fourth)} of the oracle's donation, without a fault. ## Lived in")

    def test_two_parts_in_turn(self) -> None:
        static, boinc, freeze, stock = self.rows_without_a_fault("phases")
        self.assertEqual((static.faults_mean, percent(static)), (0, "100"))
        self.expect(f"**`tmm-stock` gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, and the owner had no fault.** - `boinc` "
                    f"and `freeze` left the owner {percent(boinc)} and {percent(freeze)} %, and {boinc.faults_mean:.0f} and {freeze.faults_mean:.0f} faults "
                    f"a second. `static-high`, an eighth of memory, gave {mb(static.donated_mb)} MB without a fault")
        again = results("nvme-lived-in-phases-again")["tmm-stock"]
        self.assertEqual(again.faults_mean, 0)
        limit, before = (row.decided.partition("limit ")[2].partition(";")[0] for row in (again, stock))
        self.expect(f"`tmm-stock` gave {mb(again.donated_mb)} MB, {self.share(again)} of the oracle's donation, and the owner had no fault. The limit was "
                    f"{limit}, and {before} before. The contribution had not filled the {again.decided.partition('allowed ')[2].partition(';')[0]} that "
                    f"it was allowed")
        third = results("nvme-lived-in-phases-third")["tmm-stock"]
        self.assertEqual(third.faults_mean, 0)
        need, limit, allowed = (third.decided.partition(word)[2].partition(" MiB")[0] for word in ("need ", "limit ", "allowed "))
        self.expect(f"`tmm-stock` gave {mb(third.donated_mb)} MB, {self.share(third)} of the oracle's donation, and the owner had no fault. **The aim of 75 "
                    f"% is missed.** The contribution filled what it was allowed ({allowed} MiB). The policy's margin takes {int(limit) - int(need)} MiB of "
                    f"the oracle's {mb(third.oracle_donation_mb)} MB, since memory is small: the need is {need} MiB, and the limit {limit} MiB")

    def test_a_loop_again(self) -> None:
        again = results("nvme-lived-in-loop-again")["tmm-stock"]
        self.assertEqual(again.faults_mean, 0)
        self.expect(f"`tmm-stock` gave {mb(again.donated_mb)} MB, {self.share(again)} of the oracle's donation, and the owner had no fault. ## Lived in, "
                    f"Debian 12's")

    def test_memory_that_is_never_used_again(self) -> None:
        static, _, _, stock = self.rows_without_a_fault("forgotten")
        again, slow = (results(f"nvme-lived-in-forgotten-{name}")["tmm-stock"] for name in ("again", "30"))
        self.assertEqual(again.hitches_max, 0)
        self.expect(f"gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, without a fault of the owner",
                    f"`static-high` gave {mb(static.donated_mb)} MB, and cost {static.faults_mean:.0f} faults a second",
                    f"**`tmm-stock` gives {mb(again.donated_mb)} MB now, {self.share(again)} of the oracle's donation.** The owner had "
                    f"{again.faults_mean:.2f} faults a second, and no hitch. It kept {percent(again)} % of its memory",
                    f"The measured need decided: {need(again)}. Before, it was {need(stock)}",
                    f"`tmm-stock` gave {mb(slow.donated_mb)} MB, {self.share(slow)} of the oracle's donation, and the owner had {slow.faults_mean:.1f} "
                    f"faults a second")

    def test_a_file_that_is_read(self) -> None:
        static, boinc, freeze, stock = self.rows_without_a_fault("file-read")
        least = results("nvme-lived-in-file-read")["memory-min"]
        given = [row.donated_mb for row in (least, boinc, freeze)]
        self.assertEqual(percent(static), "100")
        self.expect(f"with `tmm-stock`, which gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation.** The p99 was {times(stock)} times "
                    f"that before, with {hitches(stock)} hitches",
                    f"left the owner {percent(least)}, {percent(boinc)} and {percent(freeze)} %, and a p99 of {times(least)}, {times(boinc)} and "
                    f"{times(freeze)} times. They gave {mb(min(given))} to {mb(max(given))} MB. `static-high` gave {mb(static.donated_mb)} MB")

    def test_a_file_that_is_read_on_debian_12s_own_kernel(self) -> None:
        stock = results("nvme-lived-in-file-read-6.1")["tmm-stock"]
        self.assertEqual(stock.kernel_release.partition("-")[0], "6.1.0")
        self.expect(f"The owner kept {percent(stock)} % of its file there. `tmm-stock` gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's "
                    f"donation, and the p99 was {times(stock)} times that before")

    def test_a_file_that_is_read_from_sources_of_pages(self) -> None:
        rows = results("nvme-lived-in-file-read-sources")
        module, idle = rows["tmm-module"], rows["tmm-idle"]
        self.assertIn("deb12", module.kernel_release)
        self.expect(f"the owner kept {percent(module)} % of its file, and the contribution had {mb(module.donated_mb)} MB, {self.share(module)} of the "
                    f"oracle's donation.** The p99 was {times(module)} times that before, with {hitches(module)} hitches",
                    f"the owner kept {percent(idle)} %, and the contribution had {mb(idle.donated_mb)} MB, {self.share(idle)}. The p99 was {times(idle)} "
                    f"times that before, with {hitches(idle)} hitches",
                    f"the missing {idle.owner_before_mb - idle.owner_kept_mb:.0f} MB")
        for row, need in ((module, "120 MiB"), (idle, "122 MiB")):
            self.assertIn(f"measured: opaque programs need {need}", row.decided)
            self.expect(f"{need} (`{row.system}`)")

    def test_a_file_that_is_mapped(self) -> None:
        static, boinc, freeze, stock = self.rows_without_a_fault("file-map")
        rows = results("nvme-lived-in-file-map")
        least, none = rows["memory-min"], rows["none"]
        self.expect(f"with `tmm-stock`, which gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation.** It had no fault, and the p99 "
                    f"was {times(stock)} times that before",
                    f"`static-high` left {percent(static)} %, and {static.faults_mean:.0f} faults a second; `memory-min`, `boinc` and `freeze` "
                    f"{percent(least)}, {percent(boinc)} and {percent(freeze)} %, and {least.faults_mean:.0f}, {boinc.faults_mean:.0f} and "
                    f"{freeze.faults_mean:.0f} faults a second",
                    f"With `tmm-stock` {hitches(stock)} interactions were hitches, without a contribution {hitches(none)}")

    def rows_without_a_fault(self, workload: str) -> tuple[breaks.Result, ...]:
        """Of static-high, boinc, freeze and tmm-stock, with which the owner kept all and had no fault."""
        rows = results(f"nvme-lived-in-{workload}")
        stock = rows["tmm-stock"]
        self.assertEqual((stock.faults_mean, percent(stock)), (0, "100"))
        return tuple(rows[name] for name in ("static-high", "boinc", "freeze", "tmm-stock"))

    def expect(self, *sentences: str) -> None:
        for sentence in sentences:
            self.assertIn(sentence, self.said)

    def test_a_hard_disk(self) -> None:
        freeze, stock = (results("hdd-lived-in")[name] for name in ("freeze", "tmm-stock"))
        self.assertEqual((stock.faults_mean, stock.hitches_max, percent(stock)), (0, 0, "100"))
        self.expect(f"`tmm-stock` gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, and the owner had no fault. The p99 was "
                    f"{times(stock)} times that before, without a hitch. With `freeze` the owner kept {percent(freeze)} % and had {freeze.faults_mean:.0f} "
                    f"faults a second; the p99 was {times(freeze)} times that before, and back after {freeze.p99_back_s:.0f} s")

    def test_a_slower_disk(self) -> None:
        plain, stock = (results("sata-lived-in")[name] for name in ("plain", "tmm-stock"))
        self.assertEqual((stock.faults_mean, stock.owner_kept_mb), (0, stock.owner_before_mb))
        self.assertIn(f"`tmm-stock` gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the oracle's donation, and the owner had no fault. On "
                      f"the plain kernel the owner kept {100 * plain.owner_kept_mb / plain.owner_before_mb:.0f} % and had {plain.faults_mean:.0f} "
                      "faults a second", self.said)

    def test_swap_that_does_not_compress(self) -> None:
        plain, stock, tmm = (results("zram-lived-in")[name] for name in ("plain", "tmm-stock", "tmm"))
        self.assertEqual((plain.killed, stock.killed, tmm.killed), ("contribution owner", "", ""))
        self.assertEqual({row.faults_mean for row in (stock, tmm)}, {0})
        self.assertEqual({f"{row.owner_kept_mb / row.owner_before_mb:.0%}" for row in (stock, tmm)}, {"100%"})
        self.assertIn(f"The contribution had {mb(stock.donated_mb)} MB (`tmm-stock`) and {mb(tmm.donated_mb)} MB (`tmm`), and stood still until "
                      f"the end: {self.share(stock)} and {self.share(tmm)} of the oracle's donation", self.said)
        static = results("zram-lived-in")["static-high"]
        self.assertEqual(static.faults_mean, 0)
        self.assertIn(f"gave {mb(static.donated_mb)} MB and cost no fault. It took idle files", self.said)

    def test_the_first_page(self) -> None:
        page = " ".join((RESULTS.parents[2] / "README.md").read_text(encoding="utf-8").split())
        stock = self.rows["tmm-stock"]
        faults = [row.faults_mean for row in self.others]
        self.assertIn(f"TMM gave {mb(stock.donated_mb)} MB, {self.share(stock)} of the best possible donation, and the owner had no fault. "
                      f"Without TMM, and with nine remedies that people use, the owner had {min(faults):.0f} to {max(faults):.0f} faults a second", page)
        old = results("nvme-lived-in-6.1")["tmm-stock"]
        self.assertEqual(old.faults_mean, 0)
        self.assertIn(f"With Debian 12's Linux 6.1 TMM gave {mb(old.donated_mb)} MB, {self.share(old)}, and the owner had no fault", page)

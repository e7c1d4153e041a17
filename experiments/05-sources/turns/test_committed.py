# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The committed results: the tables, the report and docs/policy.md say what results.csv says."""

import pathlib
import statistics
import unittest

from desk import records

from . import report, tables

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"
POLICY = RESULTS.parents[2] / "docs/policy.md"


def results(name: str) -> list[report.Result]:
    return records.parse_csv(report.Result, (RESULTS / name / "results.csv").read_text(encoding="utf-8"), name)


class CommittedTables(unittest.TestCase):
    def test_are_those_of_the_rows(self) -> None:
        records.check_tables(self, RESULTS, lambda name, command: tables.text(results(name), command))

    def test_the_policys_tables_are_those_of_the_patched_kernel(self) -> None:
        policy = POLICY.read_text(encoding="utf-8")
        for table in (tables.overview(results("10min")), tables.summary(results("10min"))):
            self.assertIn("\n" + table + "\n", policy)


class CommittedSentences(unittest.TestCase):
    """Every figure of the prose is one of the rows."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.rows = results("10min")
        cls.named = {(row.workload, tables.name_of(row, cls.rows)): row for row in cls.rows}
        cls.report = " ".join((RESULTS / "report.md").read_text(encoding="utf-8").split())
        cls.policy = " ".join(POLICY.read_text(encoding="utf-8").split())

    def error_mb(self, workload: str, source: str) -> float:
        return tables.error_mb(self.named[workload, source], self.rows)

    def most(self, source: str) -> float:
        """The largest difference from the reference, in per cent of memory."""
        return 100 * max(abs(tables.error_share(row, self.rows)) for (_, name), row in self.named.items() if name == source)

    def low(self, workload: str, source: str) -> float:
        return 100 * self.named[workload, source].low_share

    def test_the_noise_and_the_bitmap(self) -> None:
        above = [row.limit_mb - row.exact_mb for (workload, name), row in self.named.items() if name.startswith("tmm") and workload != "phases"]
        self.assertIn(f"agrees with itself** to {self.most('tmm, again'):.1f} % of memory", self.report)
        self.assertIn(f"it is {min(above):.0f} to {max(above):.0f} MB above the exact limit", self.report)
        self.assertIn(f"`idle` agrees with it** to {self.most('idle'):.1f} % of memory", self.report)
        self.assertIn(f"`idle` differs by no more than {self.most('idle'):.1f} %, for more than twice the processor time", self.policy)
        costs = {name: statistics.median(row.cpu_s for (_, own), row in self.named.items() if own == name) for name in ("tmm", "idle")}
        self.assertGreater(costs["idle"], 2 * costs["tmm"])

    def test_the_counts(self) -> None:
        files = {row.limit_mb for source in ("mglru", "footprint") for row in [self.named["file-read", source]]}
        self.assertEqual({f"{limit / self.named['file-read', 'mglru'].total_mb:.2f}" for limit in files}, {"0.10"})
        self.assertIn(f"their limit is `MinOpaque`, {-self.error_mb('file-read', 'mglru'):.0f} MB too low", self.report)
        zipf, forgotten = (sorted(self.error_mb(workload, source) for source in ("mglru", "footprint")) for workload in ("zipf", "forgotten"))
        self.assertIn(f"with `zipf`, {zipf[0]:.0f} and {zipf[1]:.0f} MB, and with `forgotten`, {forgotten[0]:.0f} and {forgotten[1]:.0f} MB",
                      self.report)
        shares = {workload: sorted(100 * tables.error_share(self.named[workload, source], self.rows) for source in ("mglru", "footprint"))
                  for workload in ("zipf", "forgotten")}
        self.assertIn("They keep {0[0]:.1f} to {0[1]:.1f} % too much for `forgotten`, and {1[0]:.1f} to {1[1]:.1f} % for `zipf`".format(
            shares["forgotten"], shares["zipf"]), self.policy)

    def test_phases(self) -> None:
        reference = self.named["phases", "tmm"]
        self.assertIn(f"keeps both parts, {reference.limit_mb:.0f} MB,", self.report)
        self.assertIn(f"the limit falls to {self.named['phases', 'tmm, again'].limit_min_mb:.0f} MB", self.report)
        less = [-self.error_mb("phases", source) for source in ("mglru", "footprint")]
        self.assertIn(f"keep {less[0]:.0f} and {less[1]:.0f} MB less in the median", self.report)

    def test_the_start(self) -> None:
        worst = max(self.low(workload, name) for workload, name in self.named if name in ("tmm", "tmm, again", "idle"))
        self.assertEqual(worst, self.low("file-read", "idle"))
        self.assertIn(f"in up to {worst:.0f} % of a turn (`file-read`)", self.report)
        counts = (f"too low in {self.low('loop', 'mglru'):.0f} % of the {{}} with `loop`, "
                  f"`footprint` in {self.low('zipf', 'footprint'):.0f} % with `zipf`; ")
        patches = f" in {self.low('loop', 'tmm'):.0f} and {self.low('zipf', 'tmm'):.0f} %"
        self.assertIn(counts.format("turn") + "`/dev/tmm`" + patches, self.report)
        self.assertIn(counts.format("hour") + "`tmm`" + patches, self.policy)

    def test_memory(self) -> None:
        resident, own = ([getattr(row, column) for row in self.rows] for column in ("rss_mb", "pss_mb"))
        self.assertIn(f"{min(resident):.0f} to {max(resident):.0f} MB in all processes, `footprint` most; "
                      f"{min(own):.0f} to {max(own):.0f} MB if shared pages", self.report)
        self.assertEqual(max(self.rows, key=lambda row: row.rss_mb).source, "footprint")

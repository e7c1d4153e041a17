# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The committed results: report.md and the READMEs say what results.csv says."""

import collections
import pathlib
import re
import statistics
import tempfile
import unittest

from desk import table

from . import columns, first_page, report, results, summary

HERE = pathlib.Path(__file__).resolve().parent.parent
RESULTS = HERE / "results"
PROJECT = HERE.parent.parent
NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")


def committed_rows(folder: pathlib.Path = RESULTS) -> list:
    return results.parse_rows((folder / "results.csv").read_text(encoding="utf-8"), "results.csv")


def numbers_in(text: str) -> list[str]:
    """All numbers but those of file names and code."""
    return NUMBER.findall(re.sub(r"`[^`]*`", "", text))


class CommittedReport(unittest.TestCase):
    maxDiff = None

    def test_is_that_of_the_rows(self) -> None:
        for results_folder in (RESULTS, RESULTS / "lived-in", RESULTS / "lived-in-desktop"):
            committed = (results_folder / "report.md").read_text(encoding="utf-8")
            machine = re.search(r"on the plain kernel\n(.*?)\n## Results\n", committed, re.DOTALL)
            self.assertIsNotNone(machine)
            pictures = sorted(results_folder.glob("figure*.png"))
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "report.md"
                report.write_report(path, committed_rows(results_folder), [], pictures, machine.group(1))
                self.assertEqual(path.read_text(encoding="utf-8"), committed)


class CommittedLivedIn(unittest.TestCase):
    def test_table(self) -> None:
        lines = []
        for row in committed_rows(RESULTS / "lived-in"):
            donated = "-" if row.system == "none" else f"{row.donated_mb:.0f} MB"
            share = f"{row.donated_mb / row.oracle_donation_mb:.0%}" if row.oracle_donation_mb else "-"
            lapse = f"{row.time_lapse} x" if row.decided and row.time_lapse > 1 else "-"
            new_program = "-" if row.new_program_s is None else f"{row.new_program_s:.1f} s"
            lines.append(f"| {row.situation} | {row.system} | {lapse} | {donated} | {share} | "
                         f"{row.faults_mean:.0f} | {row.faults_max:.0f} | {row.stall_share:.1%} | {new_program} |\n")
        text = (HERE / "README.md").read_text(encoding="utf-8")
        table = re.search(r"^### Lived-in.*?^\| --- .*?\n(.*?)^$", text, re.DOTALL | re.MULTILINE)
        self.assertIsNotNone(table)
        self.assertEqual(table.group(1).splitlines(keepends=True), lines)

    def test_what_tmm_gave_and_cost(self) -> None:
        rows = {}
        for row in committed_rows(RESULTS / "lived-in"):
            if row.machine == "lived-in" and row.workload == "loop":
                rows.setdefault((row.system, row.during, row.on_return), []).append(row)
        boots = rows["tmm", "nothing", "nothing"]
        self.assertEqual({row.faults_mean for row in rows["priority", "nothing", "nothing"]}, {0.0})
        (none,), (priority,), (new,) = (rows[system, "nothing", "new-program"] for system in ("none", "priority", "tmm"))
        nightly = rows["tmm", "nightly", "nothing"]
        (plain,) = rows["plain", "nothing", "nothing"]

        def percent(value: float, digits: int = 0) -> str:
            return f"{value:.{digits}%}".replace("%", " %")

        def shares(of) -> list[float]:
            return [row.donated_mb / row.oracle_donation_mb for row in of]

        def share(row) -> str:
            return percent(*shares([row]))

        def span(of) -> str:
            return f"{100 * min(shares(of)):.0f} to {percent(max(shares(of)))}"

        def listed(of) -> str:
            *others, last = map(percent, shares(of))
            return f"{', '.join(others)} and {last}"

        faults = [row.faults_mean for row in boots]
        (of_two_minutes,) = (share(row) for row in nightly if row.break_s == 120)
        of_18_minutes = [row for row in nightly if row.break_s == 1080]
        earlier = of_18_minutes[:-2]
        present = listed(of_18_minutes[-2:])
        text = " ".join((HERE / "README.md").read_text(encoding="utf-8").split())
        for said in (f"kept {plain.owner_kept_mb:.0f} of {plain.owner_before_mb:.0f} MB and had {plain.faults_mean:.0f} faults a second",
                     f"donated {listed(boots)} of the oracle's",
                     f"had {min(faults):.1f} to {max(faults):.1f} faults a second",
                     f"at most {percent(max(row.stall_share for row in boots), 1)} of the minute",
                     f"It took {new.new_program_s:.1f} s, {none.new_program_s:.1f} s without a contribution and "
                     f"{priority.new_program_s:.1f} s with `priority`",
                     f"waited for {percent(new.stall_share, 1)} of the minute, {percent(none.stall_share, 1)} without a contribution",
                     f"TMM donated {present} of the oracle's after 18 minutes",
                     f"Earlier builds donated {listed(earlier)} after 18 minutes, and {of_two_minutes} after two"):
            self.assertIn(said, text)
        first_page = " ".join((PROJECT / "README.md").read_text(encoding="utf-8").split())
        priority_share = share(rows["priority", "nothing", "nothing"][0])
        for said in (f"TMM gave {span(boots)} of the best possible donation in {len(boots)} boots, in the median {percent(statistics.median(shares(boots)))}",
                     f"the kernel's class priority alone gave {priority_share}",
                     f"had {min(faults):.1f} to {max(faults):.1f} faults a second",
                     f"TMM gave {present} after 18 minutes. Earlier builds gave {span(earlier)} in {len(earlier)} boots, and "
                     f"{of_two_minutes} after two"):
            self.assertIn(said, first_page)

    def test_memory_was_full(self) -> None:
        free = [row.free_before_mb for row in committed_rows(RESULTS / "lived-in") if row.machine == "lived-in"]
        text = (HERE / "README.md").read_text(encoding="utf-8")
        self.assertIn(f"{min(free):.0f} to {max(free):.0f} MB were free", text.replace("\n", " "))


class CommittedDesktop(unittest.TestCase):
    """Browser, office and viewer on a lived-in machine."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.rows = committed_rows(RESULTS / "lived-in-desktop")
        cls.text = (HERE / "README.md").read_text(encoding="utf-8")

    def test_table(self) -> None:
        lines = []
        for row in self.rows:
            donated = "-" if row.system == "none" else f"{row.donated_mb:.0f} MB"
            lines.append(f"| {row.system} | {donated} | {row.faults_mean:.0f} | {row.faults_max:.0f} | {row.stall_share:.1%} | "
                         f"{row.workload_kept_mb:.0f} of {row.workload_before_mb:.0f} MB | {row.interactions} | {row.first_interaction_s:.1f} s |\n")
        found = re.search(r"^### A lived-in desktop.*?^\| --- .*?\n(.*?)^$", self.text, re.DOTALL | re.MULTILINE)
        self.assertIsNotNone(found)
        self.assertEqual(found.group(1).splitlines(keepends=True), lines)

    def test_what_tmm_gave_and_cost(self) -> None:
        of = {system: [row for row in self.rows if row.system == system] for system in ("none", "plain", "priority", "tmm")}
        tmm, (plain,), (priority,), (none,) = of["tmm"], of["plain"], of["priority"], of["none"]

        def span(values: list[float], digits: int) -> str:
            return f"{min(values):.{digits}f} to {max(values):.{digits}f}"

        first_page = " ".join((PROJECT / "README.md").read_text(encoding="utf-8").split())
        self.assertIn(f"TMM gave {span([row.donated_mb for row in tmm], 0)} of {tmm[0].ram_mb} MB, the class priority {priority.donated_mb:.0f}. "
                      f"The owner had {span([row.faults_mean for row in tmm], 0)} faults a second, {plain.faults_mean:.0f} on the plain kernel, "
                      f"and waited for {span([100 * row.stall_share for row in tmm], 1)} % of the minute. The first interaction ended after "
                      f"{span([row.first_interaction_s for row in tmm], 1)} s; without a contribution after {none.first_interaction_s:.1f} s, "
                      f"on the plain kernel after {plain.first_interaction_s:.1f} s.", first_page)

    def test_memory_was_full(self) -> None:
        for row in self.rows:
            self.assertLess(row.free_before_mb / row.ram_mb, 0.05)


class CommittedReadme(unittest.TestCase):
    """Compares the numbers of a paragraph, in their order."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.rows = committed_rows()
        cls.groups = {(group.case, group.system): group for group in summary.groups(cls.rows)}
        cls.text = (HERE / "README.md").read_text(encoding="utf-8")

    def paragraph(self, title: str) -> str:
        found = re.search(r"^- \*\*" + re.escape(title) + r"\*\*(.*?)(?=^- |^$)", self.text, re.DOTALL | re.MULTILINE)
        self.assertIsNotNone(found, title)
        return found.group(1)

    def expect(self, title: str, *numbers: object) -> None:
        """numbers: a text stands for a number that is not from results.csv."""
        self.assertEqual(numbers_in(self.paragraph(title)), [str(number) for number in numbers], title)

    def of(self, case: str, system: str):
        return self.groups[case, system]

    def single(self, case: str, system: str) -> list:
        group = self.of(case, system)
        return [row for row in self.rows if (row.workload, row.contribution, row.system) ==
                (group.workload, group.contribution, group.system)]

    def share(self, case: str, system: str = "tmm-beta") -> str:
        return f"{self.of(case, system).oracle_share:.0%}".rstrip("%")

    def test_faults(self) -> None:
        with_tmm = [row for row in self.rows if row.system.startswith("tmm")]
        self.assertEqual({row.faults_mean for row in with_tmm}, {0.0})
        self.assertEqual({row.faults_mean for row in self.rows if row.system == "none"}, {0.0})
        self.assertEqual(sum(row.contribution == "hog" for row in with_tmm), 10, "the text says ten")
        reading = [row.reads_mean * row.return_s for row in with_tmm if row.workload == "file-read"]
        self.assertEqual(sum(pages > 0 for pages in reading), 1, "the text says one run")
        desktops = ("small", "medium")
        plain = [group.faults_mean for (case, system), group in self.groups.items()
                 if system == "plain" and case not in (*desktops, "file-read")]
        self.expect("Faults.", len(with_tmm), f"{min(plain):.0f}", f"{max(plain):.0f}",
                    *(f"{self.of(case, 'plain').faults_mean:.0f}" for case in desktops),
                    f"{self.of('file-read', 'plain').reads_mean:.0f}")

    def test_static_limits(self) -> None:
        quarter = [self.of(case, "static-25").faults_mean for case in ("loop", "zipf", "phases")]
        self.expect("Static limits.", 25, f"{min(quarter):.1f}", f"{max(quarter):.0f}",
                    50, f"{self.of('zipf', 'static-50').faults_mean:.0f}", f"{self.of('phases', 'static-50').faults_mean:.0f}",
                    75, f"{self.of('forgotten', 'static-75').faults_mean:.0f}")

    def test_donation(self) -> None:
        cases = ("loop", "phases", "file-read", "file-map", "zipf", "zipf + hog", "forgotten")
        self.expect("Donation.", "85", *map(self.share, cases), "3")
        self.assertEqual({group.low_share for group in self.groups.values() if group.system.startswith("tmm")} - {None}, {0.0})

    def test_stall(self) -> None:
        differences = [abs(group.donated_mb - self.of(case, "tmm-beta").donated_mb)
                       for (case, system), group in self.groups.items() if system == "tmm-stall"]
        self.expect("`stall`", f"{max(differences):.0f}")

    def test_gnuplot(self) -> None:
        spans = [[row.first_interaction_s for row in self.single("gnuplot", system)] for system in ("plain", "tmm-beta")]
        self.expect("`gnuplot`.", *(f"{choose(span):.{digits}f}" for span, digits in zip(spans, (0, 1)) for choose in (min, max)))

    def test_small(self) -> None:
        tmm, none, plain = (self.of("small", system) for system in ("tmm-beta", "none", "plain"))
        self.expect("`small`.", f"{tmm.donated_mb:.0f}", tmm.ram_mb, f"{tmm.first_interaction_s:.1f}",
                    f"{none.first_interaction_s:.1f}", f"{plain.first_interaction_s:.0f}",
                    f"{tmm.latency_return_ms / 1000:.2f}", f"{none.latency_return_ms / 1000:.2f}")

    def ratio(self, system: str) -> float:
        """The median over the runs of the latency after the break, as a multiple of that before it."""
        return summary.median([row.latency_return_ms / row.latency_work_ms for row in self.single("medium", system)
                               if row.interactions > 0])

    def test_medium(self) -> None:
        tmm, none, plain = (self.of("medium", system) for system in ("tmm-beta", "none", "plain"))
        counts = [[row.interactions for row in self.single("medium", system)] for system in ("plain", "tmm-beta")]
        self.expect("`medium`.", f"{tmm.donated_mb:.0f}", tmm.ram_mb, *(choose(span) for span in counts for choose in (min, max)),
                    f"{self.ratio('tmm-beta'):.2f}", f"{self.ratio('none'):.2f}", f"{self.ratio('plain'):.1f}",
                    *(f"{group.first_interaction_s:.{digits}f}" for group, digits in ((plain, 0), (tmm, 1), (none, 1))))

    def test_applications_of_the_first_page(self) -> None:
        text = " ".join((PROJECT / "README.md").read_text(encoding="utf-8").split())
        gnuplot, firefox = ({system: self.of(case, system) for system in ("none", "plain", "tmm-beta")} for case in ("gnuplot", "small"))
        self.assertEqual({groups[system].faults_mean for groups in (gnuplot, firefox) for system in ("none", "tmm-beta")}, {0.0}, "the text says none")
        self.assertIn(f"gnuplot had {gnuplot['plain'].faults_mean:.0f} faults a second on the plain kernel, "
                      f"Firefox {firefox['plain'].faults_mean:.0f}. With an earlier rule of TMM, which gave {gnuplot['tmm-beta'].donated_mb:.0f} and "
                      f"{firefox['tmm-beta'].donated_mb:.0f} MB, they had none", text)
        self.assertIn(f"faults a second in place of {columns.PAPER_PLAIN_FAULTS:.0f}", text)
        self.assertIn(f"{columns.PAPER_TMM_FAULTS:.1f} faults a second in place of", text)


class CommittedFirstPage(unittest.TestCase):
    def setUp(self) -> None:
        self.found = first_page.loop_groups(committed_rows(RESULTS / "lived-in"))
        self.text = (PROJECT / "README.md").read_text(encoding="utf-8")

    def test_table(self) -> None:
        self.assertIn("\n" + table.words_table(first_page.table_rows(self.found)) + "\n", self.text)

    def test_picture(self) -> None:
        self.assertIn("](experiments/01-coffee-break/results/first-page.svg)", self.text)
        labels = [label.strip() for label in re.findall(r"<tspan [^>]*>([^<]*)<", (RESULTS / "first-page.svg").read_text(encoding="utf-8"))]
        drawn = re.findall(r"^-?\d\.\d{4} \d+\.\d{4} (\S+)$", first_page.script(self.found), re.MULTILINE)
        self.assertGreater(len(drawn), 10)
        # Those of the axes come twice, since some values are the same.
        for value, count in collections.Counter(drawn).items():
            self.assertGreaterEqual(labels.count(value), count, f"draw it anew with first_page.py: {value}")

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import contextlib
import io
import pathlib
import unittest
import unittest.mock

from desk import plan

from . import options


def runs_of(*arguments: str) -> list[plan.Run]:
    return options.runs_of(options.complete(options.parser().parse_args(arguments)))


class OptionsTest(unittest.TestCase):
    def test_only_tmmd_records(self) -> None:
        runs = runs_of("--record", "--workloads=loop")
        self.assertEqual({run.system: run.record for run in runs}, {"none": False, "plain": False, "tmm": True})

    def test_the_systems_of_a_workload_are_neighbours(self) -> None:
        names = [run.name for run in runs_of("--workloads=gnuplot,loop", "--systems=tmm,none", "--runs=2")]
        self.assertEqual(names, ["gnuplot-none-1", "gnuplot-tmm-1", "loop-none-1", "loop-tmm-1",
                                 "gnuplot-none-2", "gnuplot-tmm-2", "loop-none-2", "loop-tmm-2"])

    def test_quick_and_full(self) -> None:
        self.assertEqual([run.name for run in runs_of("--quick")],
                         [f"{workload}-{system}-1" for workload in ("loop", "gnuplot") for system in options.QUICK_SYSTEMS])
        self.assertEqual(len(runs_of()), 9)
        # 9 workloads with 9 systems, and the hog beside two of them, but for the system without contribution; 5 boots.
        self.assertEqual(len(runs_of("--full")), 5 * (8 * 9 + 2 * 7))
        self.assertEqual(runs_of("--full")[0].break_s, 300)

    def test_a_diary_needs_all_applications(self) -> None:
        (run,) = runs_of("--workloads=medium", "--systems=tmm", "--diary=browser 7, away 4")
        self.assertEqual(run.diary, "browser 7, away 4")
        for refused in (("--workloads=small", "--diary=browser 7"), ("--workloads=medium", "--diary=editor 7")):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                runs_of(*refused)

    def test_breaks_wait_for_the_contribution_unless_their_length_is_given(self) -> None:
        def breaks(*arguments: str) -> dict[str, tuple[int, int]]:
            return {run.system: (run.break_s, run.max_break_s) for run in runs_of("--workloads=loop", "--systems=none,tmm", *arguments)}

        self.assertEqual(breaks("--quick"), {"none": (90, 90), "tmm": (90, 900)})
        self.assertEqual(breaks("--break=30"), {"none": (30, 30), "tmm": (30, 30)})
        self.assertEqual(breaks("--break=30", "--max-break=40")["tmm"], (30, 40))
        self.assertEqual(breaks("--max-break=40")["tmm"], (40, 40))

    def test_a_maximum_below_the_minimum_is_refused(self) -> None:
        with self.assertRaises(SystemExit) as caught, unittest.mock.patch("sys.stderr"):
            runs_of("--break=30", "--max-break=20")
        self.assertEqual(caught.exception.code, 2)

    def test_a_list_tells_how_long_runs_take(self) -> None:
        spans = [plan.span_text(run) for run in runs_of("--quick", "--workloads=loop", "--systems=none,tmm")]
        self.assertEqual(spans, ["190 s", "190 s, at most 1000 s"])

    def test_an_own_command_replaces_the_workloads(self) -> None:
        self.assertEqual([run.name for run in runs_of("--opaque=firefox")], ["custom-none-1", "custom-plain-1", "custom-tmm-1"])

    def test_own_programs_are_those_of_a_folder(self) -> None:
        chosen = options.complete(options.parser().parse_args(["--opaque=player", "--tools=.", "--with=mpv", "--with=feh"]))
        self.assertEqual((chosen.tools, chosen.packages), ([pathlib.Path(".")], ["mpv", "feh"]))

    def test_a_part_of_the_full_form(self) -> None:
        self.assertEqual([run.name for run in runs_of("--full", "--only=zipf-*-hog-3")],
                         [f"zipf-{system}-hog-3" for system in options.FULL_SYSTEMS if system != "none"])
        self.assertEqual(runs_of("--only=nonsense"), [])
        self.assertEqual([run.name for run in runs_of("--workloads=loop", "--systems=none,tmm", "--contributions=hog")],
                         ["loop-none-1", "loop-tmm-hog-1"])

    def test_the_full_form_has_a_place_of_its_own(self) -> None:
        counting = options.complete(options.parser().parse_args(["--count-instructions", "--quick"]))
        self.assertEqual(str(counting.out), "out/01-coffee-break/instructions")
        outs = [str(options.complete(options.parser().parse_args(arguments)).out) for arguments in (["--quick"], [], ["--full"])]
        self.assertEqual(outs, ["out/01-coffee-break", "out/01-coffee-break", "out/01-coffee-break/full"])

    def test_desktops_get_a_larger_machine(self) -> None:
        self.assertEqual([run.ram_mb for run in runs_of("--workloads=small,loop", "--systems=none")], [2048, 512])

    def test_machines(self) -> None:
        runs = runs_of("--workloads=loop", "--machine=fresh,lived-in", "--systems=tmm")
        self.assertEqual([(run.machine, run.past_s, run.time_lapse) for run in runs], [("fresh", 0, 1), ("lived-in", 360, 60)])
        runs = runs_of("--workloads=loop", "--machine=lived-in", "--during=nightly", "--on-return=new-program", "--past=5",
                       "--time-lapse=90")
        self.assertEqual([run.system for run in runs], list(options.LIVED_IN_SYSTEMS))
        self.assertEqual({(run.past_s, run.time_lapse, run.during, run.on_return) for run in runs},
                         {(5, 90, "nightly", "new-program")})

    def test_debians_kernel_runs_what_needs_no_patch(self) -> None:
        runs = runs_of("--kernel=debian", "--full", "--workloads=loop", "--runs=1", "--contributions=povray")
        self.assertEqual([(run.system, run.kernel, run.lru) for run in runs], [(system, "debian", "default") for system in plan.STOCK_SYSTEMS])
        self.assertEqual(str(options.complete(options.parser().parse_args(["--kernel=debian"])).out), "out/01-coffee-break/debian")
        for arguments in (["--systems=none,tmm"], ["--kernels=/k"]):
            with self.subTest(arguments), self.assertRaises(SystemExit) as caught, unittest.mock.patch("sys.stderr"):
                runs_of("--kernel=debian", *arguments)
            self.assertEqual(caught.exception.code, 2)

    def test_sizes(self) -> None:
        self.assertEqual([runs_of(f"--ram={text}")[0].ram_mb for text in ("512", "512M", "2g")], [512, 512, 2048])

    def test_nonsense_is_refused(self) -> None:
        for arguments in (["--systems=linux"], ["--workloads="], ["--runs=0"], ["--break=-1"], ["--max-break=0"], ["--ram=0"], ["--ram=1T"],
                          ["--backing=tape"], ["--quick", "--full"], ["--return=x"], ["--machine=old"], ["--during=sleep"], ["--time-lapse=0"]):
            with self.subTest(arguments), self.assertRaises(SystemExit) as caught, unittest.mock.patch("sys.stderr"):
                options.parser().parse_args(arguments)
            self.assertEqual(caught.exception.code, 2)

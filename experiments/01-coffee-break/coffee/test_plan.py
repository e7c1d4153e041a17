# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest
import unittest.mock

from . import fakes, options, plan


def runs_of(*arguments: str) -> list[plan.Run]:
    return options.runs_of(options.complete(options.parser().parse_args(arguments)))


class PlanTest(unittest.TestCase):
    def test_the_key_changes_with_whatever_changes_the_measurement(self) -> None:
        key = fakes.run().key("programs")
        self.assertEqual(key, fakes.run().key("programs"))
        for changes in ({"system": "none"}, {"run": 2}, {"backing": "nvme"}, {"ram_mb": 1024}, {"break_s": 3}, {"lru": "classic"},
                        {"opaque": "true"}, {"contributor": "true"}):
            self.assertNotEqual(key, fakes.run(**changes).key("programs"), changes)
        self.assertNotEqual(key, fakes.run().key("other programs"))

    def test_only_tmm_runs_on_the_patched_kernel(self) -> None:
        self.assertEqual([fakes.run(system=system).kernel for system in plan.SYSTEMS], ["plain", "plain", "tmm"])

    def test_commands(self) -> None:
        self.assertIn("--pattern loop --mb 179 ", plan.owner_command(fakes.run()))
        self.assertIn("--pattern zipf --mb 230 ", plan.owner_command(fakes.run(workload="zipf")))
        self.assertIn("--points 2936013 ", plan.owner_command(fakes.run(workload="gnuplot")))
        self.assertEqual(plan.owner_command(fakes.run(opaque="firefox")), "firefox")
        self.assertEqual(plan.contributor_command(fakes.run(contributor="boinc")), "boinc")
        self.assertEqual(plan.contributor_command(fakes.run(system="none", contributor="boinc")), "")

    def test_the_systems_of_a_workload_are_neighbours(self) -> None:
        names = [run.name for run in runs_of("--workloads=gnuplot,loop", "--systems=tmm,none", "--runs=2")]
        self.assertEqual(names, ["gnuplot-none-1", "gnuplot-tmm-1", "loop-none-1", "loop-tmm-1",
                                 "gnuplot-none-2", "gnuplot-tmm-2", "loop-none-2", "loop-tmm-2"])


class OptionsTest(unittest.TestCase):
    def test_quick_and_full(self) -> None:
        self.assertEqual([run.name for run in runs_of("--quick")],
                         [f"{workload}-{system}-1" for workload in ("loop", "gnuplot") for system in plan.SYSTEMS])
        self.assertEqual((len(runs_of()), len(runs_of("--full"))), (9, 45))
        self.assertEqual(runs_of("--full")[0].break_s, 300)
        self.assertEqual(runs_of("--quick", "--break=30")[0].break_s, 30)

    def test_an_own_command_replaces_the_workloads(self) -> None:
        self.assertEqual([run.name for run in runs_of("--opaque=firefox")], ["custom-none-1", "custom-plain-1", "custom-tmm-1"])

    def test_sizes(self) -> None:
        self.assertEqual([runs_of(f"--ram={text}")[0].ram_mb for text in ("512", "512M", "2g")], [512, 512, 2048])

    def test_nonsense_is_refused(self) -> None:
        for arguments in (["--systems=linux"], ["--workloads="], ["--runs=0"], ["--break=-1"], ["--ram=0"], ["--ram=1T"],
                          ["--backing=tape"], ["--quick", "--full"], ["--return=x"]):
            with self.subTest(arguments), self.assertRaises(SystemExit) as caught, unittest.mock.patch("sys.stderr"):
                options.parser().parse_args(arguments)
            self.assertEqual(caught.exception.code, 2)


if __name__ == "__main__":
    unittest.main()

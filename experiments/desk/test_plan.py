# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from . import fakes, plan, workloads


class PlanTest(unittest.TestCase):
    def test_the_key_changes_with_whatever_changes_the_measurement(self) -> None:
        key = fakes.run().key("programs")
        self.assertEqual(key, fakes.run().key("programs"))
        for changes in ({"system": "none"}, {"run": 2}, {"backing": "nvme"}, {"ram_mb": 1024}, {"break_s": 3}, {"max_break_s": 3}, {"lru": "classic"},
                        {"opaque": "true"}, {"contributor": "true"}, {"machine": "lived-in"}, {"past_s": 1}, {"time_lapse": 2},
                        {"during": "nightly"}, {"on_return": "new-program"}, {"debian_kernel": True}, {"setup": "true"}, {"at_return": "true"},
                        {"packages": ("earlyoom",)}, {"in_session": True}, {"may_kill": True}, {"may_free": True}, {"compressible": 3}):
            self.assertNotEqual(key, fakes.run(**changes).key("programs"), changes)
        self.assertNotEqual(key, fakes.run().key("other programs"))

    def test_only_tmm_runs_on_the_patched_kernel(self) -> None:
        self.assertEqual([fakes.run(system=system).kernel for system in ("none", "plain", "tmm")], ["plain", "plain", "tmm"])
        stock = ("none", "plain", plan.STOCK)
        self.assertEqual({fakes.run(system=system).kernel for system in stock}, {"plain"})
        self.assertEqual({fakes.run(system=system).kernel for system in plan.SYSTEMS if system not in stock}, {"tmm"})

    def test_commands(self) -> None:
        self.assertIn("--pattern loop --mb 179 ", plan.owner_command(fakes.run()))
        self.assertIn("--pattern zipf --mb 230 ", plan.owner_command(fakes.run(workload="zipf")))
        self.assertIn("--pattern phases --parts 2 --rounds 4 --mb 307 ", plan.owner_command(fakes.run(workload="phases")))
        self.assertIn("--pattern phases --parts 2 --rounds 16777216 --mb 358 ", plan.owner_command(fakes.run(workload="forgotten")))
        self.assertIn("--memory file-read --file /root/owner-file --mb 102 ", plan.owner_command(fakes.run(workload="file-read")))
        self.assertIn("--memory file-map ", plan.owner_command(fakes.run(workload="file-map")))
        self.assertIn("--points 2936013 ", plan.owner_command(fakes.run(workload="gnuplot")))
        self.assertEqual(plan.owner_command(fakes.run(opaque="firefox")), "firefox")
        self.assertEqual(plan.contributor_command(fakes.run(contributor="boinc")), "boinc")
        self.assertEqual(plan.contributor_command(fakes.run(system="none", contributor="boinc")), "")
        self.assertIn("--mb 819 ", plan.contributor_command(fakes.run(contribution="hog")))

    def test_only_what_is_known_exactly_has_an_oracle(self) -> None:
        self.assertEqual(plan.synthetic_options(fakes.run()), "--pattern loop --mb 179 --batch 256")
        for run in (fakes.run(workload="gnuplot"), fakes.run(workload="small"), fakes.run(opaque="firefox")):
            self.assertEqual(plan.synthetic_options(run), "")

    def test_names_tell_the_contribution_that_is_not_the_usual_one(self) -> None:
        self.assertEqual((fakes.run().name, fakes.run(contribution="hog").name), ("loop-plain-1", "loop-plain-hog-1"))

    def test_names_tell_what_is_unusual_about_the_owner(self) -> None:
        run = fakes.run(machine="lived-in", during="nightly", on_return="new-program")
        self.assertEqual(run.name, "loop-lived-in-nightly-new-program-plain-1")
        self.assertEqual(str(run.situation), "loop, lived-in, nightly, new program")
        self.assertEqual(str(fakes.run().situation), "loop")

    def test_a_lived_in_machine_takes_longer(self) -> None:
        self.assertEqual(fakes.run(past_s=100).min_seconds - fakes.run().min_seconds, 100)
        self.assertEqual(fakes.run(past_s=100).max_seconds - fakes.run().max_seconds, 100)
        self.assertEqual(fakes.run(returns=3).max_seconds - fakes.run().max_seconds, 2 * (plan.AGAIN_BREAK_S + plan.AGAIN_RETURN_S))

    def test_commands_of_a_lived_in_machine(self) -> None:
        self.assertEqual((plan.left_command(fakes.run()), plan.new_program_command(fakes.run())), ("", ""))
        run = fakes.run(machine="lived-in", on_return="new-program")
        self.assertIn("--mb 102 ", plan.left_command(run))
        self.assertIn("--mb 256 ", plan.new_program_command(run))
        self.assertIn("owner-desktop small --left-tabs 10 ", plan.owner_command(fakes.run(machine="lived-in", workload="small")))
        self.assertIn("owner-desktop small --log ", plan.owner_command(fakes.run(workload="small")))

    def test_all_memory_of_owner_workload_compresses_or_none(self) -> None:
        changes = {"contribution": "hog", "machine": "lived-in", "on_return": "new-program"}
        commands = [plan.owner_command, plan.contributor_command, plan.left_command, plan.new_program_command]
        self.assertEqual(["--compressible 3" in command(fakes.run(compressible=3, **changes)) for command in commands], [True] * 4)
        self.assertEqual(["--compressible" in command(fakes.run(**changes)) for command in commands], [False] * 4)

    def test_a_diary_is_one_argument_of_the_owner(self) -> None:
        command = plan.owner_command(fakes.run(workload="medium", diary="browser 7, away 4"))
        self.assertIn("owner-desktop medium --left-tabs 10 --diary 'browser 7, away 4' --log ", command)
        self.assertNotEqual(fakes.run(workload="medium", diary="away 4").key(""), fakes.run(workload="medium").key(""))

    def test_memory_gets_full(self) -> None:
        filled = plan.FILES_SHARE + plan.LEFT_SHARE
        self.assertGreaterEqual(filled + min(workloads.WORKLOADS[workload].share for workload in ("loop", "zipf", "phases", "gnuplot")), 1)
        # The left memory and the new program find room beside a working set, if the files go.
        self.assertLess(workloads.WORKLOADS["loop"].share + plan.NEW_PROGRAM_SHARE, 0.9)

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import unittest.mock

from . import fakes, machines, options, plan, workloads
from .fakes import FolderTest
from .workloads import Contribution, Workload


def parser() -> argparse.ArgumentParser:
    result = options.parser("desk.py", "", "out", backing="nvme")
    options.add_break(result, ["plain"], ram_mb=512, work_s=1, past_s=1)
    return result


class Entries(FolderTest):
    def settings(self, **changes: object) -> set[str]:
        return set(machines.settings_text(fakes.run(**changes)).splitlines())

    def test_an_entry_is_all_that_a_workload_needs(self) -> None:
        entry = Workload(0.5, command="exec player --cache {mb} /opt/tmm/film", packages=("player",), files=("read-once-more",),
                         data=lambda folder, mb: (folder / "film").write_text(f"{mb}"))
        guest = self.folder / "guest"
        guest.mkdir()
        for name in (*machines.GUEST_FILES, "read-once-more"):
            (guest / name).write_text("", encoding="ascii")
        with unittest.mock.patch.dict(workloads.WORKLOADS, {"video": entry}), unittest.mock.patch.object(machines, "HERE", self.folder), \
                unittest.mock.patch.object(machines, "GUEST_PROGRAMS", ()):
            self.assertEqual(parser().parse_args(["--workload", "video"]).workload, "video")
            self.assertLessEqual({"OWNER_COMMAND='exec player --cache 256 /opt/tmm/film'", "OWNER_SIGNALS_READY=0"},
                                 self.settings(workload="video"))
            made = machines.Machines(self.folder, self.folder)
            self.assertEqual(made.machine(fakes.run(workload="video"), ()).packages, ("player",))
            packed = made.pack(fakes.run(workload="video"))
            self.assertEqual((packed / "film").read_text(encoding="ascii"), "256.0")
            self.assertTrue((packed / "read-once-more").exists())

    def test_an_entry_is_all_that_a_contribution_needs(self) -> None:
        with unittest.mock.patch.dict(workloads.CONTRIBUTIONS, {"fold": Contribution("exec fold {mb}", ("fold",))}):
            run = fakes.run(contribution="fold")
            self.assertEqual((plan.contributor_command(run), run.name), ("exec fold 819", "loop-plain-fold-1"))
            self.assertEqual(machines.Machines(self.folder, self.folder).machine(run, ()).packages, ("fold",))

    def test_entries_of_the_repository_say_that_they_are_loaded(self) -> None:
        for name, workload in workloads.WORKLOADS.items():
            self.assertTrue(workload.signals_ready, name)
            self.assertIn("OWNER_SIGNALS_READY=1", self.settings(workload=name))
            self.assertEqual(bool(workload.touches), bool(plan.synthetic_options(fakes.run(workload=name))), name)

    def test_the_readme_describes_each(self) -> None:
        text = (machines.HERE / "README.md").read_text(encoding="utf-8")
        for name in (*workloads.WORKLOADS, *workloads.CONTRIBUTIONS):
            self.assertIn(f"`{name}`", text)


class Own(FolderTest):
    def chosen(self, *arguments: str) -> argparse.Namespace:
        return parser().parse_args(["--with=mpv", f"--tools={self.folder}", *arguments])

    def test_all_in_a_folder_of_tools_goes_to_the_guest(self) -> None:
        (self.folder / "data").mkdir()
        (self.folder / "player").write_text("", encoding="ascii")
        chosen = self.chosen()
        self.assertEqual([path.name for path in options.own_files(chosen)], ["data", "player"])
        self.assertEqual(chosen.packages, ["mpv"])

    def test_a_folder_that_is_not_there_is_an_error_at_once(self) -> None:
        with self.assertRaises(argparse.ArgumentTypeError):
            options.folder(str(self.folder / "missing"))
        (self.folder / "text").write_text("", encoding="ascii")
        with self.assertRaises(argparse.ArgumentTypeError):
            options.program(str(self.folder / "text"))

    def test_a_command_replaces_the_workload(self) -> None:
        fields = options.fields_of(self.chosen("--opaque=exec /opt/tmm/player"))
        self.assertEqual((fields["workload"], fields["opaque"]), ("custom", "exec /opt/tmm/player"))
        self.assertEqual(options.fields_of(self.chosen())["workload"], "loop")

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import importlib.machinery
import importlib.util
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import unittest
import xml.etree.ElementTree as ET

import boinc_guest

from desk import boots, fakes, plan, workloads
from desk.errors import DeskError
from desk.fakes import FolderTest

from . import project, report, tasks
from .systems import DEFAULTS, SYSTEMS

GUEST = pathlib.Path(boinc_guest.__file__).resolve().parent / "guest"
MB = 2**20


def answer(*results: str) -> str:
    return "<boinc_gui_rpc_reply>\n<results>\n" + "".join(results) + "</results>\n</boinc_gui_rpc_reply>\n"


def result(name: str = "task0_0", state: int = 2, exit_status: int = 0, active: str = "") -> str:
    return f"<result><name>{name}</name><state>{state}</state><exit_status>{exit_status}</exit_status>{active}</result>\n"


def active(state: int = 1, checkpoint: float = 0.0, current: float = 0.0) -> str:
    return (f"<active_task><active_task_state>{state}</active_task_state><checkpoint_cpu_time>{checkpoint}</checkpoint_cpu_time>"
            f"<current_cpu_time>{current}</current_cpu_time></active_task>")


TWO_RUN = answer(result("task0_0", active=active(1, 3.5, 4.0)), result("task1_0", active=active(1, 2.0, 2.5)), result("task2_0"))
ONE_RUNS = answer(result("task0_0", active=active(1, 9.0, 9.5)), result("task1_0", active=active(9, 2.5, 2.5)), result("task2_0"))


class Tasks(unittest.TestCase):
    def test_adds_up_the_tasks_of_an_answer(self) -> None:
        self.assertEqual(tasks.parse(f"@ 12.5 break 70\n{TWO_RUN}", "log"), [tasks.Sample(12.5, "break", 70, 5.5, 6.5, 2, ())])

    def test_one_that_the_client_suspended_does_not_execute(self) -> None:
        self.assertEqual([sample.executing for sample in tasks.parse(f"@ 1 break 0\n{ONE_RUNS}", "log")], [1])

    def test_leaves_out_a_client_without_an_answer_and_a_cut_one(self) -> None:
        log = f"@ 1 load 0\n<!-- refused -->\n@ 2 break 1\n{TWO_RUN}@ 4 return 2\n{TWO_RUN[:90]}"
        self.assertEqual([sample.t_s for sample in tasks.parse(log, "log")], [2.0])
        with self.assertRaisesRegex(DeskError, "not answered"):
            tasks.parse("@ 1 load 0\n<!-- refused -->\n", "log")

    def test_names_the_tasks_that_are_lost(self) -> None:
        lost = answer(result("task0_0", state=6, exit_status=198), result("task1_0", state=3, exit_status=1), result("task2_0"))
        self.assertEqual(tasks.parse(f"@ 1 break 0\n{lost}", "log")[0].harmed, ("task0_0", "task1_0"))

    def test_means_and_ends_are_of_a_phase(self) -> None:
        samples = tasks.parse(f"@ 1 break 1\n{TWO_RUN}@ 2 break 2\n{ONE_RUNS}@ 3 return 3\n{ONE_RUNS}", "log")
        self.assertEqual(tasks.mean_executing(samples, "break"), 1.5)
        self.assertEqual(tasks.last_in(samples, "break").steps, 2)
        self.assertIsNone(tasks.last_in(samples, "end"))


class Project(FolderTest):
    def test_sizes_are_shares_of_a_desktops_memory(self) -> None:
        self.assertEqual(project.tasks_mb(8192), list(project.DESKTOP_TASKS_MB))
        self.assertEqual((min(project.tasks_mb(1024)), max(project.tasks_mb(1024))), (25, 256))
        self.assertEqual((min(project.DESKTOP_TASKS_MB), max(project.DESKTOP_TASKS_MB)), (200, 2048))

    def test_the_tasks_of_all_processors_do_not_fit_beside_the_owner(self) -> None:
        first = sum(project.tasks_mb(1024)[:project.PROCESSORS])
        self.assertGreater(first, 1024 * (1 - workloads.WORKLOADS["loop"].share))
        self.assertLess(first, 0.9 * 1024)
        readme = pathlib.Path(boinc_guest.__file__).with_name("README.md").read_text(encoding="utf-8")
        self.assertIn(f"{first} MB in all", " ".join(readme.split()))

    def test_writes_what_a_client_reads(self) -> None:
        task = self.folder / "science_task"
        task.write_bytes(b"program")
        project.write(self.folder / "data", task, 1024)
        state = ET.parse(self.folder / "data/client_state.xml").getroot()
        sizes = [int(work.findtext("command_line")) for work in state.iter("workunit")]
        self.assertEqual(sizes, project.tasks_mb(1024))
        names = [work.findtext("name") for work in state.iter("workunit")]
        self.assertEqual([one.findtext("wu_name") for one in state.iter("result")], names)
        # A task above its project's bound would be the task's fault.
        for work, mb in zip(state.iter("workunit"), sizes):
            self.assertGreater(float(work.findtext("rsc_memory_bound")), mb * MB)
        self.assertEqual((self.folder / "data/projects" / project.FOLDER / "science_task").read_bytes(), b"program")
        for name in ("cc_config.xml", f"account_{project.FOLDER}.xml", f"projects/{project.FOLDER}/app_info.xml"):
            ET.parse(self.folder / "data" / name)


class GuestFiles(FolderTest):
    def test_all_shell_is_bash(self) -> None:
        for path in filter(pathlib.Path.is_file, sorted(GUEST.iterdir())):
            if path.read_text(encoding="utf-8").startswith("#!/bin/bash"):
                subprocess.run(["bash", "-n", path], check=True)
        for system in SYSTEMS.values():
            subprocess.run(["bash", "-n", "-c", system.setup], check=True)

    def test_preferences_are_those_asked_for(self) -> None:
        text = (GUEST / "boinc-setup").read_text(encoding="utf-8")
        body = re.search(r"<<PREFERENCES\n(.*)\nPREFERENCES\n", text, re.DOTALL)[1]
        done = subprocess.run(["bash", "-c", f"cat <<END\n{body}\nEND", "setup", "50", "90", "0"], stdout=subprocess.PIPE, text=True, check=True)
        preferences = ET.fromstring(done.stdout)
        self.assertEqual([preferences.findtext(name) for name in ("ram_max_used_busy_pct", "ram_max_used_idle_pct", "run_if_user_active")],
                         ["50", "90", "0"])

    def recorder(self):
        loader = importlib.machinery.SourceFileLoader("task_recorder", str(GUEST / "task-recorder"))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("task_recorder", loader))
        loader.exec_module(module)
        return module

    def test_the_recorder_reads_an_answer_that_comes_in_pieces(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        asked = []

        def client() -> None:
            connection, _ = server.accept()
            with connection:
                while not (asked and asked[-1].endswith(b"\003")):
                    asked.append(connection.recv(65536))
                for piece in (TWO_RUN[:50], TWO_RUN[50:] + "\003"):
                    connection.sendall(piece.encode())

        thread = threading.Thread(target=client)
        thread.start()
        self.assertEqual(self.recorder().ask(server.getsockname()), TWO_RUN)
        thread.join()
        self.assertIn(b"<get_results>", b"".join(asked))

    def test_the_recorder_adds_up_the_steps_in_checkpoints(self) -> None:
        for slot, text in enumerate(("12\n", "30\n", "")):
            (self.folder / f"slots/{slot}").mkdir(parents=True)
            (self.folder / f"slots/{slot}/checkpoint").write_text(text, encoding="ascii")
        self.assertEqual(self.recorder().steps_of(self.folder), 42)


class Runs(unittest.TestCase):
    @staticmethod
    def runs(*arguments: str) -> dict[str, plan.Run]:
        chosen = boinc_guest.parser().parse_args(arguments)
        return {name: boinc_guest.run_of(boots.Boot(name), chosen) for name in SYSTEMS}

    def test_each_system_differs_from_all_others(self) -> None:
        settings = [(system.base, system.setup) for system in SYSTEMS.values()]
        self.assertEqual(len(set(settings)), len(settings))
        self.assertEqual({system.base for system in SYSTEMS.values()} - set(plan.SYSTEMS), set())

    def test_tmm_meets_the_user_with_boincs_defaults(self) -> None:
        for name in ("tmm-stock", "tmm", "boinc-50-90"):
            self.assertTrue(SYSTEMS[name].setup.startswith(DEFAULTS), name)
        self.assertEqual(SYSTEMS["tmm-stock-keep"].setup, SYSTEMS["tmm-stock"].setup.replace(" 50 90 1 0 ", " 50 90 1 1 "))

    def test_only_the_patched_kernel_is_not_debians(self) -> None:
        self.assertEqual({name: run.kernel for name, run in self.runs().items() if run.kernel != "debian"}, {"priority": "tmm", "tmm": "tmm"})
        self.assertEqual(len({run.packages for run in self.runs().values()}), 1)

    def test_all_breaks_have_the_same_length(self) -> None:
        self.assertEqual({(run.break_s, run.max_break_s) for run in self.runs("--break=70").values()}, {(70, 70)})

    def test_with_boinc_off_nothing_contributes(self) -> None:
        run = self.runs()["none"]
        self.assertEqual((run.contributor, run.contribution, run.setup), ("", "none", ""))

    def test_own_programs_replace_owner_and_tasks(self) -> None:
        self.assertEqual({run.opaque for run in self.runs("--opaque=exec mpv film").values()}, {"exec mpv film"})
        with tempfile.TemporaryDirectory() as name:
            work = pathlib.Path(name)
            (work / "tools").mkdir()
            (work / "tools/film").write_text("", encoding="ascii")
            task = work / "fold"
            task.write_text("#!/bin/sh\n", encoding="ascii")
            task.chmod(0o755)
            chosen = boinc_guest.parser().parse_args([f"--task={task}", f"--tools={work}/tools", "--systems=none", f"--programs={name}"])
            self.assertIn(work / "tools/film", boinc_guest.guest_files(chosen, work))
            packed = work / "boinc-data/projects" / project.FOLDER / "science_task"
            self.assertEqual((packed.read_text(encoding="ascii"), packed.stat().st_mode & 0o111), ("#!/bin/sh\n", 0o111))

    def test_a_program_that_is_not_built_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as empty:
            chosen = boinc_guest.parser().parse_args([f"--programs={empty}"])
            with self.assertRaisesRegex(DeskError, "science_task, .*tmm-boinc; they need libboinc-app-dev"):
                boinc_guest.guest_files(chosen, pathlib.Path(empty))


class Table(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        fakes.write_run(self.folder)
        self.write("kernel-release", "6.12\n")
        self.write("tasks.log", f"@ 13.5 break 70\n{TWO_RUN}@ 16.5 return 95\n{ONE_RUNS}")
        self.write("contribution.log", "[science] [cpu_sched] Preempting task1_0 (removed from memory)\n"
                                       "[science] [cpu_sched] Preempting task0_0 (left in memory)\n")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def result(self, name: str = "boinc-25", **changes: object) -> report.Result:
        return report.result_of(name, fakes.run(**changes), self.folder)

    def test_counts_science_that_reached_a_checkpoint(self) -> None:
        found = self.result()
        self.assertEqual((found.science_s, found.task_break_s, found.task_s), (11.5, 7.0, 9.5))
        self.assertEqual((found.executing_break, found.executing_after, found.ended, found.aborted), (2.0, 1.0, 1, 0))

    def test_tasks_of_the_users_tell_no_steps(self) -> None:
        found = report.result_of("boinc-25", fakes.run(), self.folder, has_steps=False)
        self.assertEqual((found.science_s, found.task_break_s, found.task_after_s), (11.5, None, None))
        self.assertIn("| - | - |", report.text([found]))

    def test_donation_is_memory_over_time(self) -> None:
        # 0, 5 and 7 MB a second apart; then 7, 6, 0 and 0.
        found = self.result()
        self.assertEqual((found.donated_break_mb, found.donated_after_mb), (4.2, 3.2))
        self.assertEqual(found.gb_hours, round((8.5 + 9.5) / 1024 / 3600, 5))

    def test_an_aborted_task_counts_once(self) -> None:
        lost = answer(result("task0_0", state=6, exit_status=198), result("task1_0", active=active()))
        self.write("tasks.log", f"@ 13.5 break 70\n{TWO_RUN}@ 16.5 return 95\n{lost}")
        self.write("contribution.log", "Aborting task task0_0: exceeded memory limit 1.0MB > 0.5MB\n")
        self.assertEqual(self.result().aborted, 1)

    def test_a_client_that_was_silent_at_the_end_is_an_error(self) -> None:
        self.write("tasks.log", f"@ 13.5 break 70\n{TWO_RUN}")
        with self.assertRaisesRegex(DeskError, "not answered at the end"):
            self.result()

    def test_orders_of_tmm_boinc_are_counted_and_missed(self) -> None:
        fakes.write_limits(self.folder)
        self.write("tmm-boinc.log", "tmm-boinc: limit memory to 40.00 % in use, 40.00 % idle\n"
                                    "tmm-boinc: suspend task4_0, which waits for 1.2 GiB\ntmm-boinc: resume task4_0\n")
        self.assertEqual(self.result("tmm-stock", system="tmm-stock").orders, "limit 1, suspend 1, resume 1")
        self.write("tmm-boinc.log", "tmm-boinc: no such bus\n")
        with self.assertRaisesRegex(DeskError, "set no limit"):
            self.result("tmm-stock", system="tmm-stock")

    def test_without_boinc_nothing_is_donated(self) -> None:
        row = dict(zip(report.HEADER, report.cells(self.result("none", system="none"))))
        self.assertEqual((row["GB-hours"], row["task seconds, after"], row["aborted"]), ("-", "-", "-"))
        self.assertEqual(row["faults/s"], "10.0")

    def test_has_a_row_for_each_run(self) -> None:
        shown = report.text([self.result()])
        self.assertTrue(shown.startswith("| system |  | faults/s |"), shown)
        self.assertEqual(len(shown.splitlines()), 3)

    def test_of_several_boots_has_a_second_table(self) -> None:
        first = self.result()
        results = [dataclasses.replace(first, boot=number, task_s=seconds) for number, seconds in ((1, 30.0), (2, 10.0), (3, 90.0))]
        row = dict(zip(report.SPREAD_HEADER, report.spread_cells(results), strict=True))
        self.assertEqual([row[name] for name in ("faults/s", "new program s", "task seconds", "aborted")], ["10.0", "-", "30 (10 to 90)", "0"])
        shown = report.text(results)
        self.assertIn("| boinc-25, boot 2 |", shown)
        self.assertIn("\n\nMedians of the boots, with the least and the most:\n\n| system | boots | faults/s |", shown)

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmm-boinc with tasks as real projects have them: POV-Ray, which knows nothing of BOINC, under a wrapper. The client starts the wrapper,
and the wrapper starts POV-Ray: wrapper_task, or that of TMM_BOINC_WRAPPER, such as BOINC's own. Debian's library 7.20 tells POV-Ray to stop
by SIGTSTP; the kernel ignores that for processes without a terminal's session, and a suspended task renders on. The task `large` is POV-Ray
with 400,000 spheres, `small` with a few."""
import os
import re
import shutil
import signal
import sys
import time
import unittest
from pathlib import Path

import test_boinc
from offline_client import FOLDER, MEBIBYTE, OfflineClient, Task
from test_boinc import EXECUTING, LARGE, OWN_PREFERENCES, SMALL, SUSPENDED

WRAPPER = Path(os.environ.get("TMM_BOINC_WRAPPER") or test_boinc.BUILD / "boinc-adapter/tests/wrapper_task")
POVRAY = Path("/usr/bin/povray")
STATE = "out.pov-state"  # POV-Ray adds each block of pixels that is done; +C goes on from there
BLOCK = 8192  # more than one of them takes there
# Rays for a pixel: 81. So a checkpoint is small, and takes long to make.
COSTLY = "+A0.0 +R9"

JOB = f"""<job_desc><task>
<application>povray</application><append_cmdline_args/>
<command_line>+Iscene.pov +Oout.png -D +C +WT1 +BS8</command_line>
<stderr_filename>povray.log</stderr_filename><checkpoint_filename>{STATE}</checkpoint_filename>
</task></job_desc>
"""
SCENE = """#version 3.7;
global_settings { assumed_gamma 1 }
camera { location <0, 0, -12> look_at 0 }
light_source { <20, 30, -40> rgb 1 }
#declare Place = seed(1);
union {
  #declare I = 0;
  #while (I < N)
    sphere { <rand(Place) * 8 - 4, rand(Place) * 6 - 3, rand(Place) * 8 - 4>, 0.05 pigment { rgb <1, 0.5, 0.2> } }
    #declare I = I + 1;
  #end
}
"""


def ticks(pid: int) -> int:
    """The processor's time that the process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def runs(pid: int) -> bool:
    """A zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def memory_bytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return sum(int(kilobytes) << 10 for kilobytes in re.findall(r"^(?:VmRSS|VmSwap):\s+(\d+)", status, re.MULTILINE))


def give_files(client: OfflineClient, renderings: dict[str, str]) -> None:
    """The wrapper is there, in the place of memory_task. This adds that which it runs, and POV-Ray's arguments for each task."""
    project = client.data / "projects" / FOLDER
    shutil.copy(POVRAY, project / "povray")
    (project / "job.xml").write_text(JOB)
    (project / "scene.pov").write_text(SCENE)
    files = {"povray": "<executable/>", "job.xml": "", "scene.pov": ""}
    references = "".join(f"<file_ref><file_name>{name}</file_name><open_name>{name}</open_name>{'<copy_file/>' if name == 'scene.pov' else ''}</file_ref>"
                         for name in files)
    for path, tag in (project / "app_info.xml", "file_info"), (client.data / "client_state.xml", "file"):
        told = "".join(f"<{tag}><name>{name}</name><status>1</status>{kind}</{tag}>\n" for name, kind in files.items())
        text = path.read_text().replace("<app_version>", told + "<app_version>")
        text = text.replace("<main_program/></file_ref>", "<main_program/></file_ref>" + references)
        for name, arguments in renderings.items():
            text = re.sub(rf"(<name>{name}</name>.*?<command_line>)[^<]*", rf"\g<1>{arguments}", text, flags=re.DOTALL)
        path.write_text(text.replace("Memory &amp; time", "POV-Ray"))


class Renders:
    """For a fixture of test_boinc.py."""
    renderings = {"small": f"Declare=N=1000 +W2000 +H2000 {COSTLY}", "large": f"Declare=N=400000 +W2000 +H2000 {COSTLY}"}

    def make_client(self, data: Path, _program: Path, _tasks: list[Task]) -> OfflineClient:
        client = super().make_client(data, WRAPPER, [Task(name, 600 if name == "large" else 100) for name in self.renderings])
        give_files(client, self.renderings)
        return client

    def wrapper_of(self, name: str) -> int:
        return int(self.client.tasks()[name].findtext("active_task/pid", "0"))

    def povray_of(self, name: str) -> int:
        """0: it has none."""
        try:
            return int(Path(f"/proc/{self.wrapper_of(name)}/task/{self.wrapper_of(name)}/children").read_text().split()[0])
        except (OSError, IndexError):
            return 0

    def checkpoint_of(self, name: str) -> Path:
        return self.client.data / "slots" / self.client.tasks()[name].findtext("active_task/slot", "none") / STATE

    def rendered_bytes(self, name: str) -> int:
        file = self.checkpoint_of(name)
        return file.stat().st_size if file.exists() else 0

    def wait_until_it_renders(self, name: str, more_than: int = 0) -> None:
        self.wait(lambda: self.rendered_bytes(name) > more_than, f"POV-Ray saves pixels of {name}")

    def keep_in_memory(self) -> None:
        self.own = OWN_PREFERENCES.replace("memory>0", "memory>1")
        self.client.preferences.write_text(self.own)
        self.client.ask("<read_global_prefs_override/>")


class Squeezed(Renders, test_boinc.Shown):
    def test_its_program_counts_and_renders_on_where_it_was(self) -> None:
        """A suspended program that runs on occupies its memory: then there is no room for the small task either."""
        self.keep_in_memory()
        self.hold_large()
        self.wait(lambda: self.task_state(LARGE) == SUSPENDED, "the client has suspended it")
        povray = self.povray_of(LARGE)
        before = ticks(povray)
        time.sleep(3)  # the wrapper asks the client once a second
        told = ticks(povray)
        self.wait(lambda: self.state_shown(LARGE) == "waiting", "it waits for memory")
        time.sleep(12)
        if ticks(povray) > told:
            print(f"# a suspended program used {ticks(povray) - told} ticks in 12 s", file=sys.stderr)
            self.wait(lambda: self.is_held(SMALL), "beside a program that runs on, no other has room")
        else:
            print(f"# a suspended program stands still after {told - before} ticks", file=sys.stderr)
            self.assertFalse(self.is_held(SMALL))
        self.assertEqual(self.povray_of(LARGE), povray)
        saved = self.rendered_bytes(LARGE)
        self.give(2000)
        self.wait(lambda: self.task_state(LARGE) == self.task_state(SMALL) == EXECUTING, "both go on")
        self.wait_until_it_renders(LARGE, saved)
        self.assertEqual(self.povray_of(LARGE), povray)
        self.stop_adapter()
        self.assertEqual(self.client.preferences.read_text(), self.own)
        self.assertFalse(self.is_held(SMALL) or self.is_held(LARGE))
        self.assert_unharmed()

    def test_a_restart_of_the_client_costs_the_work_since_the_checkpoint(self) -> None:
        self.start_adapter()
        for how in (signal.SIGTERM, signal.SIGKILL):
            self.wait_until_it_renders(LARGE, self.rendered_bytes(LARGE))
            self.wait(lambda: float(self.client.tasks()[LARGE].findtext("active_task/checkpoint_cpu_time")) > 0, "the client knows of a checkpoint")
            saved = float(self.client.tasks()[LARGE].findtext("active_task/checkpoint_cpu_time"))
            rendered, povray = self.rendered_bytes(LARGE), self.povray_of(LARGE)
            self.client.stop(how)
            self.wait(lambda: not runs(povray), "POV-Ray ends with its client")
            self.client.start()
            self.wait(lambda: self.povray_of(LARGE) not in (0, povray), "another POV-Ray is there")
            # A POV-Ray that begins anew empties the file, and needs as long as before. A kill costs the block that it was writing.
            sizes = [rendered]
            self.wait(lambda: sizes.append(self.rendered_bytes(LARGE)) or sizes[-1] > rendered, "it saves more pixels")
            self.assertGreater(min(sizes), rendered - BLOCK)
            self.assertGreaterEqual(float(self.client.tasks()[LARGE].findtext("active_task/current_cpu_time")), saved)
        self.wait(lambda: self.state_shown(LARGE) == "running", "it is found again")
        self.assert_unharmed()


class Ends(Renders, test_boinc.Shown):
    renderings = {"brief": "Declare=N=1000 +W100 +H100"}

    def test_the_client_reports_the_task_as_done(self) -> None:
        self.start_adapter()
        self.wait(lambda: "Computation for task brief_0 finished" in self.client.log, "it is computed")
        self.wait(lambda: self.client.tasks()["brief_0"].find("ready_to_report") is not None, "it is to be reported")
        done = self.client.tasks()["brief_0"]
        self.assertEqual((done.findtext("exit_status"), done.findtext("state")), ("0", "5"))
        self.wait(lambda: self.state_shown("brief_0") in ("", "done"), "it is no contribution any more")


class Frozen(Renders, test_boinc.Frozen):
    def make_client(self, data: Path, program: Path, tasks: list[Task]) -> OfflineClient:
        client = super().make_client(data, program, tasks)
        # Before the cgroups go: POV-Ray may end a moment after its client.
        self.addCleanup(lambda: self.client.wait_for(lambda: "populated 0" in (self.service / "cgroup.events").read_text(), "all have ended"))
        return client

    def test_is_one_contribution_whose_pause_silences_its_program(self) -> None:
        self.start_adapter()
        self.wait_until_large()
        self.wait_until_it_renders(LARGE)
        self.wait(lambda: self.state_shown(LARGE) == self.state_shown(SMALL) == "running", "both run")
        wrapper, povray, checkpoint = self.wrapper_of(LARGE), self.povray_of(LARGE), self.checkpoint_of(LARGE)
        self.wait(lambda: self.shown_large()["memory-bytes"] > 0.9 * memory_bytes(povray), "POV-Ray's memory counts")
        now, both = self.shown_large(), memory_bytes(wrapper) + memory_bytes(povray)
        self.assertLess(memory_bytes(wrapper), 50 * MEBIBYTE)
        self.assertLess(abs(now["memory-bytes"] - both), both / 10)
        self.assertEqual((now["project"], now["name"], now["application"], now["outside"]), ("offline", LARGE, "POV-Ray", False))
        self.assertEqual({task["name"] for task in self.shown()["Tasks"]}, {SMALL, LARGE})

        (self.slice / "cgroup.freeze").write_text("1")
        self.daemon.order(set={"State": "paused"})
        time.sleep(1)
        saved, used, all_used = checkpoint.stat().st_size, ticks(povray), self.cpu_us()
        self.wait(lambda: self.state_shown(LARGE) == self.state_shown(SMALL) == "paused", "both are paused")
        time.sleep(5)
        self.assertEqual(ticks(povray), used)
        self.assertLess(self.cpu_us() - all_used, 10_000)
        self.resume()
        self.wait(lambda: self.state_shown(LARGE) == self.state_shown(SMALL) == "running", "both run again")
        self.wait_until_it_renders(LARGE, saved)
        self.assertEqual((self.wrapper_of(LARGE), self.povray_of(LARGE)), (wrapper, povray))
        self.stop_adapter()
        self.assert_clean()
        self.assert_unharmed()

    def shown_large(self) -> dict[str, object]:
        return next(task for task in self.shown()["Tasks"] if task["name"] == LARGE)


def without_inherited_tests(*cases: type) -> None:
    """Only the fixtures are wanted of test_boinc.py."""
    for case in cases:
        for inherited in [name for name in dir(case) if name.startswith("test_") and name not in vars(case)]:
            setattr(case, inherited, None)


without_inherited_tests(Squeezed, Ends, Frozen)


if __name__ == "__main__":
    unittest.main()

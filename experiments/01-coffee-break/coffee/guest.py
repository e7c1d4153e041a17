# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes into the guest for a run, and the run itself."""

import dataclasses
import hashlib
import pathlib
import shlex
import shutil
import sys

from . import dataset, plan, scene
from .errors import CoffeeError
from .plan import Run

EXPERIMENT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(EXPERIMENT.parent))

from vm.errors import KitError  # noqa: E402
from vm.machine import Machine  # noqa: E402

GUEST_FILES = ("scenario", "povray-contribution", "tmmd.conf")
# Where they lie in meson's build directory.
RIG_PROGRAMS = tuple(f"experiments/01-coffee-break/{name}" for name in ("owner-workload", "owner-gnuplot", "recorder"))
TMM_PROGRAMS = ("tmmd/tmmd", "maketransparent/maketransparent")
LOAD_LIMIT_S = 180
# Boot, loading, the end; generous, because a busy host makes an emulated machine slow.
SPARE_S = 420
CPUS = 2


def programs_of(system: str) -> tuple[str, ...]:
    return RIG_PROGRAMS + TMM_PROGRAMS if system == "tmm" else RIG_PROGRAMS


def settings_text(run: Run) -> str:
    """The shell variables that the scenario reads."""
    values = {
        "SYSTEM": run.system,
        "WORK_S": run.work_s,
        "BREAK_S": run.break_s,
        "RETURN_S": run.return_s,
        "LOAD_LIMIT_S": LOAD_LIMIT_S,
        "OWNER_SIGNALS_READY": 0 if run.opaque else 1,
        "OWNER_COMMAND": plan.owner_command(run),
        "CONTRIBUTOR_COMMAND": plan.contributor_command(run),
    }
    return "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items())


@dataclasses.dataclass
class Guest:
    """Packs and runs. programs: meson's build directory; work: a folder for what is packed."""

    programs: pathlib.Path
    work: pathlib.Path

    def check(self, runs: list[Run]) -> None:
        """CoffeeError: names the programs that are not built."""
        needed = dict.fromkeys(program for run in runs for program in programs_of(run.system))
        missing = [str(self.programs / program) for program in needed if not (self.programs / program).is_file()]
        if missing:
            raise CoffeeError(f"not built: {', '.join(missing)}; "
                              f"build with: meson setup {self.programs} && ninja -C {self.programs}")

    def machine(self, run: Run, tools: tuple[pathlib.Path, ...]) -> Machine:
        return Machine(kernel=run.kernel, ram_mb=run.ram_mb, cpus=CPUS, backing=run.backing, swap_mb=plan.SWAP_SHARE * run.ram_mb,
                       lru=run.lru, tools=tools, timeout_s=run.seconds + SPARE_S)

    def prepare(self, run: Run) -> str:
        """Makes the kernel, the root file system and the tools for runs of this kind; gives the hash of all that takes part."""
        try:
            kernel, root, plugin, _ = self.machine(run, ()).prepare()
        except KitError as error:
            raise CoffeeError(str(error)) from error
        digest = hashlib.sha256()
        # The root file system's and the disk's folders are named by the hashes of what they are made of.
        digest.update(f"{root.parent.name} {plugin.parent.name}".encode())
        for path in [kernel, *sorted(self.pack(run).iterdir())]:
            digest.update(path.name.encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def pack(self, run: Run) -> pathlib.Path:
        """The folder of all that runs of this kind have in common."""
        needs_data = run.workload == "gnuplot"
        folder = self.work / f"tools-{run.system}-{run.ram_mb}{'-gnuplot' if needs_data else ''}"
        if folder.exists():
            return folder
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for program in programs_of(run.system):
            shutil.copy2(self.programs / program, part)
        for name in GUEST_FILES:
            shutil.copy2(EXPERIMENT / "guest" / name, part)
        patches = scene.patches_for(plan.CONTRIBUTION_SHARE * run.ram_mb, plan.CONTRIBUTION_PROCESSES)
        for number in range(1, plan.CONTRIBUTION_PROCESSES + 1):
            (part / f"scene-{number}.pov").write_text(scene.scene(patches, seed=number), encoding="utf-8")
        if needs_data:
            dataset.make_data(part / "gnuplot.bin", dataset.points_for(plan.GNUPLOT_SHARE * run.ram_mb))
        part.rename(folder)
        return folder

    def execute(self, run: Run, folder: pathlib.Path) -> None:
        """Runs; results and logs are in folder. CoffeeError: the run failed."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        own_tools = self.work / f"run-{run.name}"
        own_tools.mkdir(parents=True, exist_ok=True)
        (own_tools / "coffee-settings").write_text(settings_text(run), encoding="utf-8")
        try:
            outcome = self.machine(run, (self.pack(run), own_tools)).run(["/opt/tmm/scenario"], folder)
        except KitError as error:
            raise CoffeeError(str(error)) from error
        if not outcome.ok:
            log = folder / "stderr"
            said = log.read_text(encoding="utf-8", errors="replace").strip() if log.exists() else ""
            raise CoffeeError(f"{outcome.message}{': ' + said if said else ''}")

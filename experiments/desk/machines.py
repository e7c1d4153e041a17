# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Packs the guest's files for a run, and runs it."""

import dataclasses
import hashlib
import pathlib
import platform
import shlex
import shutil

from vm.errors import KitError
from vm.machine import Machine

from . import plan, programs, scene, workloads
from .errors import DeskError
from .plan import Run
from .report import latencies, recorder_rows

HERE = pathlib.Path(__file__).resolve().parent
GUEST_FILES = ("scenario", "lib.bash", "in-session", "read-once", "povray-contribution")
# Paths in meson's build directory.
BUILD = "experiments/desk"
GUEST_PROGRAMS = tuple(f"{BUILD}/{name}" for name in ("owner-workload", "owner-gnuplot", "owner-break", "owner-hands", "recorder"))
LIMIT_HOLDER = f"{BUILD}/limit-holder"
TMMD = "tmmd/tmmd"
LAUNCHER = "maketransparent/maketransparent"
# Runs on the host, not in the guest.
CURVE_PROGRAM = f"{BUILD}/owner-curve"
# These bounds only end runs that hang, so they are long: on two cores with a load of 38, gnuplot took more than six minutes to load.
LOAD_LIMIT_S = 1800
# For boot and end.
SPARE_S = 900
CPUS = 2
RECORDED_EPOCH_S = 10
# Of Debian's release: the package of its usual kernel.
DEBIAN_KERNEL = "linux-image-amd64"


def host_release() -> str | None:
    """The name of this machine's release of Debian."""
    return platform.freedesktop_os_release().get("VERSION_CODENAME")


def scenario_command(run: Run) -> list[str]:
    return [*(["/opt/tmm/in-session"] if run.in_session else []), "/opt/tmm/scenario"]


def starts_transparent(run: Run) -> bool:
    return run.kernel == "tmm" or run.uses_tmmd


def programs_of(run: Run) -> tuple[str, ...]:
    """The guest's programs, as paths in the build directory."""
    programs = list(GUEST_PROGRAMS)
    if starts_transparent(run):
        programs.append(LAUNCHER)
    if run.sets_limits:
        programs.append(TMMD if run.uses_tmmd else LIMIT_HOLDER)
    return tuple(programs)


def tmmd_conf(system: str, record: bool = False) -> str:
    """tmmd's configuration. A recording tells no more than that a page was used in an epoch, and the default's epochs take up to five
    minutes while less than a tenth of memory is in use."""
    recorded = f"[Sampling]\nEpoch={RECORDED_EPOCH_S}s\n" if record else ""
    return recorded + ("[Policy]\nObjective=paper\n" if system == plan.PAPER else "") or "# tmmd's defaults\n"


def limiter_command(run: Run) -> str:
    """The command that sets the limits and writes their timeline; empty for systems without limits."""
    timeline = "--timeline /results/timeline.csv"
    if run.uses_tmmd:
        record = " --record /results/trace" if run.record else ""
        lapse = f" --time-lapse {run.time_lapse}" if run.time_lapse > 1 else ""
        source = f" --source {run.source}" if run.source else ""
        return f"exec /opt/tmm/tmmd --config /opt/tmm/tmmd.conf {timeline}{record}{lapse}{source}"
    if run.system in plan.STATIC_PERCENT:
        return f"exec /opt/tmm/limit-holder --opaque-percent {plan.STATIC_PERCENT[run.system]} {timeline}"
    return ""


def exceed_mb(run: Run) -> int:
    """The break waits until the contribution has had more than this; 0: it waits for nothing."""
    # 1 MB more than the memory: results.csv rounds to tenths, and has to show that it was exceeded.
    return 0 if run.system == "none" else run.ram_mb + 1


def settings_text(run: Run) -> str:
    """The shell variables that the scenario reads."""
    values = {
        "CONTRIBUTION_CLASS": "none" if run.system == "none" else "transparent" if starts_transparent(run) else "ordinary",
        "LIMITER_COMMAND": limiter_command(run),
        "LIMITER_IS_DAEMON": 1 if run.uses_tmmd else 0,
        "WORK_S": run.work_s,
        "BREAK_S": run.break_s,
        "MAX_BREAK_S": run.max_break_s,
        "EXCEED_MB": exceed_mb(run),
        "RETURN_S": run.return_s,
        "LOAD_LIMIT_S": LOAD_LIMIT_S,
        "OWNER_SIGNALS_READY": 1 if plan.signals_ready(run) else 0,
        "OWNER_COMMAND": plan.owner_command(run),
        "CONTRIBUTOR_COMMAND": plan.contributor_command(run),
        "PAST_S": run.past_s,
        "LEFT_COMMAND": plan.left_command(run),
        "FILES_MB": round(plan.FILES_SHARE * run.ram_mb) if run.lived_in else 0,
        "NIGHTLY_MB": round(plan.NIGHTLY_SHARE * run.ram_mb) if run.during == "nightly" else 0,
        "NEW_PROGRAM_COMMAND": plan.new_program_command(run),
        "SETUP_COMMAND": run.setup,
        "AT_RETURN_COMMAND": run.at_return,
        "MAY_KILL": 1 if run.may_kill else 0,
        "NIGHT": 1 if run.night else 0,
        "RETURNS": run.returns,
        "AGAIN_BREAK_S": plan.AGAIN_BREAK_S,
        "AGAIN_RETURN_S": plan.AGAIN_RETURN_S,
    }
    return "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items())


def touches_of_work(folder: pathlib.Path) -> int:
    """Number of touches of the owner's synthetic workload until the break."""
    work = recorder_rows.use_rows(recorder_rows.of_folder(folder))
    seconds = latencies.of_file(folder / "latencies.csv")
    return latencies.between(seconds, work[0].t_s, work[-1].t_s).interactions * plan.BATCH_PAGES


def copy_into(folder: pathlib.Path, path: pathlib.Path) -> None:
    """DeskError: the folder has that name already."""
    if (folder / path.name).exists():
        raise DeskError(f"{path}: the guest has another file of that name; give it another one")
    if path.is_dir():
        shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(path, folder)


@dataclasses.dataclass
class Machines:
    """programs: meson's build directory; work: a folder for packed files; kernels: a folder with plain.bzImage and tmm.bzImage, or
    None for those of kernel/build; more: files and folders that the guest has as well, in /opt/tmm; packages: of Debian, beside those of
    a run."""

    programs: pathlib.Path
    work: pathlib.Path
    kernels: pathlib.Path | None = None
    more: tuple[pathlib.Path, ...] = ()
    packages: tuple[str, ...] = ()

    def check(self, runs: list[Run]) -> None:
        """DeskError: a program is not built, or this tmmd refuses the configuration."""
        needed = dict.fromkeys(program for run in runs for program in programs_of(run))
        if any(plan.synthetic_options(run) for run in runs):
            needed[CURVE_PROGRAM] = None
        programs.built(self.programs, needed)
        # An objective that this tmmd does not know is found out before an hour of machines.
        for system, record in dict.fromkeys((run.system, run.record) for run in runs if run.uses_tmmd):
            path = self.work / f"{system}.conf"
            path.write_text(tmmd_conf(system, record), encoding="utf-8")
            try:
                programs.output_of([self.programs / TMMD, "--check-config", "--config", path])
            except DeskError as error:
                raise DeskError(f"the configuration of the system {system} is refused: {error}; leave the system out with --systems") from error

    def machine(self, run: Run, tools: tuple[pathlib.Path, ...]) -> Machine:
        kernel = str(self.kernels / f"{run.kernel}.bzImage") if self.kernels else run.kernel
        workload, contribution = workloads.workload_of(run.workload), workloads.contribution_of(run.contribution)
        of_system = run.packages or (DEBIAN_KERNEL,) * run.debian_kernel
        packages = (*of_system, *workload.packages, *contribution.packages, *self.packages)
        # The release by its name, as softlib's suite: they share the root file system.
        release = host_release() if packages else None
        return Machine(kernel=kernel, ram_mb=run.ram_mb, cpus=1 if run.count_instructions else CPUS, backing=run.backing,
                       swap_mb=plan.SWAP_SHARE * run.ram_mb, lru=run.lru, count_instructions=run.count_instructions, tools=tools,
                       desktop=workload.desktop, packages=packages, release=release, systemd=run.in_session,
                       timeout_s=run.max_seconds + LOAD_LIMIT_S + SPARE_S)

    def prepare(self, run: Run) -> str:
        """Makes the kernel, the root file system and the tools for runs of this kind; returns the hash of all of them."""
        try:
            parts = self.machine(run, ()).prepare()
        except KitError as error:
            raise DeskError(str(error)) from error
        digest = hashlib.sha256()
        # The folders of the root file system and the disk are named by the hashes of their sources.
        digest.update(f"{parts.root.parent.name} {parts.disk_plugin.parent.name}".encode())
        for path in [parts.kernel, *sorted(path for path in self.pack(run).rglob("*") if path.is_file())]:
            digest.update(path.name.encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def pack(self, run: Run) -> pathlib.Path:
        """The folder of the files that runs of this kind share."""
        workload = workloads.workload_of(run.workload)
        kind = f"-{run.workload}" if workload.files or workload.data else ""
        folder = self.work / f"tools-{run.system}-{run.ram_mb}{kind}"
        if folder.exists():
            return folder
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for program in programs_of(run):
            shutil.copy2(self.programs / program, part)
        for name in (*GUEST_FILES, *workload.files):
            copy_into(part, HERE / "guest" / name)
        if run.uses_tmmd:
            (part / "tmmd.conf").write_text(tmmd_conf(run.system, run.record), encoding="utf-8")
        patches = scene.patches_for(plan.CONTRIBUTION_SHARE * run.ram_mb, workloads.CONTRIBUTION_PROCESSES)
        for number in range(1, workloads.CONTRIBUTION_PROCESSES + 1):
            (part / f"scene-{number}.pov").write_text(scene.scene(patches, seed=number), encoding="utf-8")
        if workload.data:
            workload.data(part, workload.share * run.ram_mb)
        for path in self.more:
            copy_into(part, path)
        part.rename(folder)
        return folder

    def execute(self, run: Run, folder: pathlib.Path) -> None:
        """Runs; puts results and logs into folder. DeskError: the run failed."""
        self.execute_command(run, scenario_command(run), settings_text(run), folder)
        if plan.synthetic_options(run):
            self.write_curve(run, touches_of_work(folder), folder)

    def execute_command(self, run: Run, command: list[str], settings: str, folder: pathlib.Path) -> None:
        """Runs a command of the guest, which finds the settings in `run-settings`. DeskError: the run failed."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        own_tools = self.work / f"run-{folder.name}"
        own_tools.mkdir(parents=True, exist_ok=True)
        (own_tools / "run-settings").write_text(settings, encoding="utf-8")
        try:
            outcome = self.machine(run, (self.pack(run), own_tools)).run(command, folder)
        except KitError as error:
            raise DeskError(str(error)) from error
        if not outcome.ok:
            log = folder / "stderr"
            said = log.read_text(encoding="utf-8", errors="replace").strip() if log.exists() else ""
            raise DeskError(f"{outcome.message}{': ' + said if said else ''}")

    def write_curve(self, run: Run, touches: int, folder: pathlib.Path) -> None:
        """Writes the exact miss curve of the owner's first touches, for the oracle."""
        command = [self.programs / CURVE_PROGRAM, touches, *shlex.split(plan.synthetic_options(run))]
        (folder / "curve.csv").write_text(programs.output_of(command), encoding="utf-8")

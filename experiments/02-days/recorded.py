#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Days of a recorded desktop instead of invented ones. `reduce` makes the recording of a run of the coffee break small enough to
keep; `replay` simulates it with other sizes of memory, stores and systems. See README.md. Exit status: 0 it succeeded, 1 it did not."""

import argparse
import lzma
import pathlib
import shlex
import sys
import tempfile

from compare import recorded_report, recording, results
from compare.runner import Row, Simulator
from desk.boots import say
from desk.errors import DeskError

HERE = pathlib.Path(__file__).resolve().parent

TRACE, DIARY = "trace.xz", "diary.csv"


def reduce_recording(chosen: argparse.Namespace) -> None:
    run = chosen.run
    begin_s = recording.begin_s((run / "limits-start").read_text(encoding="ascii"), (run / "timeline.csv").read_text(encoding="utf-8"))
    spans = recording.read_diary((run / "diary.csv").read_text(encoding="utf-8"), begin_s)
    with (run / "trace").open(encoding="ascii") as lines:
        spans = recording.recorded(spans, lines)
    shift_s = recording.shift_s(spans)
    chosen.out.mkdir(parents=True, exist_ok=True)
    # The strongest compression, since the file is kept for good.
    with (run / "trace").open(encoding="ascii") as lines, lzma.open(chosen.out / TRACE, "wt", preset=9 | lzma.PRESET_EXTREME, encoding="ascii") as out:
        out.writelines(recording.reduced(lines, shift_s, chosen.step, chosen.keep))
    (chosen.out / DIARY).write_text(recording.diary_text(recording.later(spans, shift_s)), encoding="ascii")
    say(f"{chosen.out / TRACE}: {(chosen.out / TRACE).stat().st_size / 1024:.0f} KiB")


def replay(chosen: argparse.Namespace) -> None:
    simulator = Simulator(chosen.build, HERE)
    lines = lzma.decompress((chosen.recording / TRACE).read_bytes()).decode("ascii").splitlines(keepends=True)
    spans = recording.read_diary((chosen.recording / DIARY).read_text(encoding="ascii"))
    unit_kb = recording.unit_kb(lines)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="tmm-recorded-") as name:
        folder = pathlib.Path(name)
        for factor in chosen.stretch:
            owner = folder / f"recorded-x{factor}.ini"
            owner.write_text(recording.owner_text(spans, unit_kb, factor), encoding="ascii")
            trace = folder / "trace"
            with trace.open("w", encoding="ascii") as out:
                out.writelines(recording.stretched(lines, factor))
            for memory_mb in chosen.memory:
                say(f"{owner.stem}, {memory_mb} MB")
                rows += simulator.replay(trace, owner, memory_mb)
    results.write(chosen.recording / "results.csv", rows)
    command = shlex.join(["recorded.py", "replay", f"--memory={joined(chosen.memory)}", f"--stretch={joined(chosen.stretch)}"])
    text = recorded_report.text(rows, command, spans, recording.most_mb(lines), unit_kb)
    (chosen.recording / "report.md").write_text(text, encoding="utf-8")
    print(text)


def joined(values: list[int]) -> str:
    return ",".join(map(str, values))


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("reduce", help="makes trace.xz and diary.csv of a run's folder")
    command.add_argument("run", type=pathlib.Path, help="the folder of a run with --record and --diary")
    command.add_argument("out", type=pathlib.Path)
    command.add_argument("--step", type=int, default=1, help="seconds in which a page's touches count once (1)")
    command.add_argument("--keep", type=int, default=1, help="keep one of so many pages (1: all)")
    command.set_defaults(do=reduce_recording)
    command = commands.add_parser("replay", help="makes results.csv and report.md in the recording's folder")
    command.add_argument("recording", type=pathlib.Path, help="the folder with trace.xz and diary.csv")
    command.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build", help="folder of the compiled programs (build/)")
    command.add_argument("--memory", type=numbers, default=[384, 512, 1024, 2048], help="megabytes, separated by commas (384,512,1024,2048)")
    command.add_argument("--stretch", type=numbers, default=[1, 10], help="lengths of the day as multiples of the recorded one (1,10)")
    command.set_defaults(do=replay)
    chosen = parser.parse_args()
    try:
        chosen.do(chosen)
    except (DeskError, OSError, lzma.LZMAError) as error:
        say(f"recorded.py: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

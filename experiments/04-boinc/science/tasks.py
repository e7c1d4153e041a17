# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The client's tasks over time, from the log of guest/task-recorder."""

import dataclasses
import re
import xml.etree.ElementTree as ET

from desk.errors import DeskError

HEAD = re.compile(r"^@ ([0-9.]+) (\S+) ([0-9]+)$", re.MULTILINE)
# active_task_state of BOINC's GUI RPC.
EXECUTING = 1
# Of a result: received, and nothing went wrong.
DOWNLOADED = 2


@dataclasses.dataclass(frozen=True)
class Sample:
    """One answer of the client. CPU times are sums over all tasks, in seconds."""

    t_s: float
    phase: str
    steps: int  # in the tasks' checkpoints
    checkpoint_cpu_s: float
    cpu_s: float
    executing: int  # tasks
    harmed: tuple[str, ...]  # tasks that ended for another reason than that they were done; ours are never done


def number(result: ET.Element, path: str) -> float:
    return float(result.findtext(path) or 0)


def sample_of(t_s: str, phase: str, steps: str, answer: str) -> Sample | None:
    """None: the client gave no answer."""
    try:
        results = list(ET.fromstring(answer).iter("result"))
    except ET.ParseError:
        return None
    active = [result for result in results if result.find("active_task") is not None]
    harmed = [result.findtext("name", "?") for result in results
              if number(result, "state") != DOWNLOADED or number(result, "exit_status") != 0]
    return Sample(float(t_s), phase, int(steps), sum(number(result, "active_task/checkpoint_cpu_time") for result in active),
                  sum(number(result, "active_task/current_cpu_time") for result in active),
                  sum(number(result, "active_task/active_task_state") == EXECUTING for result in active), tuple(harmed))


def parse(text: str, name: str) -> list[Sample]:
    """DeskError: the client never answered. Leaves out an answer that the end has cut off."""
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    samples = [sample_of(*head.groups(), text[head.end():end]) for head, end in zip(heads, ends)]
    answered = [sample for sample in samples if sample]
    if not answered:
        raise DeskError(f"{name}: the client has not answered")
    return answered


def last_in(samples: list[Sample], phase: str) -> Sample | None:
    return next((sample for sample in reversed(samples) if sample.phase == phase), None)


def mean_executing(samples: list[Sample], phase: str) -> float:
    counts = [sample.executing for sample in samples if sample.phase == phase]
    return sum(counts) / len(counts) if counts else 0.0

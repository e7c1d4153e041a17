# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the results with the aims."""

import dataclasses

from desk.plan import STATIC_PERCENT, TMMD_SYSTEMS

from .summary import Group

# For the first minute after the return.
MIN_GAIN = 10.0
MAX_OF_NONE, MAX_MISSES = 1.1, 5.0
MIN_DONATED_MB = 100.0
MIN_OF_ORACLE = 0.85
MAX_LOW_SHARE = 0.01
MAX_PEAK_MB = 16.0
# On a lived-in machine, where the kernel alone gives less than MAX_OF_PRIORITY.
MAX_WAITING, MIN_OF_LIVED_IN, MAX_OF_PRIORITY = 0.05, 0.75, 0.30
# A donation is worse than another below this share of it; two boots differ by less.
AS_MUCH = 0.95


# The aims by topic: the measure, and its bound.
TO_SHOW = {
    "faults": ("opaque faults/s in the first minute, mean",
               f"at most {MAX_OF_NONE:g} x no contribution, or {MAX_MISSES:g}/s (paper: 6.8/s)"),
    "gain": ("plain kernel with contribution", f"at least {MIN_GAIN:g} times worse"),
    "oracle": ("donation", f"at least {MIN_OF_ORACLE:.0%} of the oracle's"),
    "static": ("no static limit as good on all workloads", "each of them fails on some"),
    "low": ("limit below the oracle's by more than 3 % of RAM", f"in at most {MAX_LOW_SHARE:.0%} of the time"),
    "memory": ("memory of tmmd", f"at most {MAX_PEAK_MB:g} MB"),
}
# The same, for lived-in machines.
TO_SHOW_LIVED_IN = {
    "waiting": ("lived-in: share of the first minute in which the owner waits", f"at most {MAX_WAITING:.0%}"),
    "lived-in": ("lived-in: donation", f"at least {MIN_OF_LIVED_IN:.0%} of the oracle's, "
                 f"where priority gives less than {MAX_OF_PRIORITY:.0%}"),
}


@dataclasses.dataclass(frozen=True)
class Verdict:
    """met is None if runs are missing. topic: a key of TO_SHOW, or empty; system: the system judged."""

    aim: str
    case: str
    met: bool | None
    text: str
    topic: str = ""
    system: str = ""


def verdicts(all_groups: list[Group]) -> list[Verdict]:
    """For each workload and contribution, then over all of them."""
    by_system = {(group.case, group.system): group for group in all_groups}
    cases = list(dict.fromkeys(group.case for group in all_groups if group.contribution != "none"))
    cases = cases or list(dict.fromkeys(group.case for group in all_groups))
    result = []
    for case in cases:
        situation = next(str(group.situation) for group in all_groups if group.case == case)
        none, plain = by_system.get((situation, "none")), by_system.get((case, "plain"))
        systems = [system for system in TMMD_SYSTEMS if (case, system) in by_system]
        for system in systems or ["tmm"]:
            tmm = by_system.get((case, system))
            result += [gain(case, system, plain, tmm), unnoticed(case, system, none, tmm), donated(case, system, tmm)]
            if tmm and tmm.lived_in:
                result += lived_in_verdicts(tmm, by_system.get((case, "priority")), none)
            elif tmm and tmm.oracle_donation_mb is not None:
                result += [near_oracle(tmm), seldom_low(tmm)]
            if tmm and tmm.tmmd_peak_mb is not None:
                result.append(small(tmm))
        result += [exceeded(group) for group in all_groups if group.case == case and group.system != "none"]
    return result + static_verdicts(by_system)


def gain(case: str, system: str, plain: Group | None, tmm: Group | None) -> Verdict:
    aim = f"plain at least {MIN_GAIN:g} x the faults of {system}"
    if not plain or not tmm:
        return Verdict(aim, case, None, f"needs runs of plain and of {system}", "gain", system)
    figures = f"{plain.misses_mean:.1f}/s against {tmm.misses_mean:.2f}/s"
    if plain.misses_mean == 0:
        return Verdict(aim, case, False, f"{figures}: the contribution did not hurt even the plain kernel", "gain", system)
    ratio = plain.misses_mean / tmm.misses_mean if tmm.misses_mean else float("inf")
    if ratio >= MIN_GAIN:
        times = "no fault at all" if ratio == float("inf") else f"{ratio:.0f} x"
        return Verdict(aim, case, True, f"{figures}: {times}", "gain", system)
    return Verdict(aim, case, False, f"{figures}: {ratio:.1f} x, short by a factor of {MIN_GAIN / ratio:.1f}", "gain", system)


def max_misses(none: Group) -> float:
    return max(MAX_OF_NONE * none.misses_mean, MAX_MISSES)


def unnoticed(case: str, system: str, none: Group | None, tmm: Group | None) -> Verdict:
    aim = f"{system} at most {MAX_OF_NONE:g} x the faults without contribution, or {MAX_MISSES:g}/s"
    if not none or not tmm:
        return Verdict(aim, case, None, f"needs runs of none and of {system}", "faults", system)
    figures = f"{tmm.misses_mean:.2f}/s, without contribution {none.misses_mean:.2f}/s"
    if tmm.misses_mean <= max_misses(none):
        return Verdict(aim, case, True, figures, "faults", system)
    return Verdict(aim, case, False, f"{figures}: {tmm.misses_mean - max_misses(none):.2f}/s too many", "faults", system)


def donated(case: str, system: str, tmm: Group | None) -> Verdict:
    aim = f"at least {MIN_DONATED_MB:g} MB donated by {system}"
    if not tmm:
        return Verdict(aim, case, None, f"needs runs of {system}")
    figures = f"{tmm.donated_mb:.0f} of {tmm.ram_mb} MB"
    if tmm.donated_mb >= MIN_DONATED_MB:
        return Verdict(aim, case, True, figures)
    return Verdict(aim, case, False, f"{figures}: {MIN_DONATED_MB - tmm.donated_mb:.0f} MB too little")


def near_oracle(tmm: Group) -> Verdict:
    aim = f"{tmm.system} donates at least {MIN_OF_ORACLE:.0%} of what the oracle would"
    share = tmm.oracle_share or 0.0
    figures = f"{tmm.donated_mb:.0f} of {tmm.oracle_donation_mb:.0f} MB: {share:.0%}"
    return Verdict(aim, tmm.case, share >= MIN_OF_ORACLE, figures, "oracle", tmm.system)


def lived_in_verdicts(tmm: Group, priority: Group | None, none: Group | None) -> list[Verdict]:
    # A new program waits for memory without a contribution, too.
    beside = f", without contribution {none.stall_share:.1%}" if none else ""
    waiting = Verdict(f"the owner waits with {tmm.system} in at most {MAX_WAITING:.0%} of the first minute", tmm.case,
                      tmm.stall_share <= MAX_WAITING, f"{tmm.stall_share:.1%}{beside}", "waiting", tmm.system)
    if tmm.oracle_share is None:
        return [waiting]
    aim = (f"{tmm.system} donates at least {MIN_OF_LIVED_IN:.0%} of what the oracle would, where priority donates less than "
           f"{MAX_OF_PRIORITY:.0%}")
    if not priority or priority.oracle_share is None:
        return [waiting, Verdict(aim, tmm.case, None, "needs runs of priority", "lived-in", tmm.system)]
    met = tmm.oracle_share >= MIN_OF_LIVED_IN and priority.oracle_share < MAX_OF_PRIORITY
    return [waiting, Verdict(aim, tmm.case, met, f"{tmm.oracle_share:.0%}, priority {priority.oracle_share:.0%}", "lived-in",
                             tmm.system)]


def seldom_low(tmm: Group) -> Verdict:
    aim = f"limit of {tmm.system} below the oracle's by more than 3 % of RAM in at most {MAX_LOW_SHARE:.0%} of the time"
    if tmm.low_share is None:
        return Verdict(aim, tmm.case, None, "no limit was learned", "low", tmm.system)
    return Verdict(aim, tmm.case, tmm.low_share <= MAX_LOW_SHARE, f"in {tmm.low_share:.1%}", "low", tmm.system)


def small(tmm: Group) -> Verdict:
    return Verdict(f"tmmd of {tmm.system} needs at most {MAX_PEAK_MB:g} MB", tmm.case, (tmm.tmmd_peak_mb or 0) <= MAX_PEAK_MB,
                   f"{tmm.tmmd_peak_mb:.1f} MB", "memory", tmm.system)


def exceeded(group: Group) -> Verdict:
    aim = f"the contribution on {group.system} exceeds the machine's memory"
    figures = f"{group.contributor_peak_mb:.0f} MB in {group.ram_mb} MB"
    if group.contributor_peak_mb > group.ram_mb:
        return Verdict(aim, group.case, True, figures)
    missing_mb = group.ram_mb - group.contributor_peak_mb
    return Verdict(aim, group.case, False, f"{figures}: {missing_mb:.0f} MB too little; try a longer --max-break")


def static_verdicts(by_system: dict[tuple[str, str], Group]) -> list[Verdict]:
    """The paper's claim: every static limit fails somewhere, by noticeable faults or by a smaller donation."""
    result = []
    for system in TMMD_SYSTEMS:
        for static in STATIC_PERCENT:
            cases = [case for case, name in by_system if name == static and (case, system) in by_system
                     and (str(by_system[case, static].situation), "none") in by_system]
            if not cases:
                continue
            failures = [text for case in cases
                        if (text := static_failure(by_system[case, static], by_system[case, system],
                                                   by_system[str(by_system[case, static].situation), "none"]))]
            result.append(Verdict(f"{static} not as good as {system} on all workloads", "all", bool(failures),
                                  "; ".join(failures) or f"as good on {', '.join(cases)}", "static", system))
    return result


def static_failure(static: Group, tmm: Group, none: Group) -> str:
    """Tells how the static limit is worse; empty if it is as good."""
    allowed = max(max_misses(none), tmm.misses_mean)
    if static.misses_mean > allowed:
        return f"{static.case}: {static.misses_mean:.1f} faults/s against {tmm.misses_mean:.1f}"
    if static.donated_mb < AS_MUCH * tmm.donated_mb:
        return f"{static.case}: donates {static.donated_mb:.0f} MB against {tmm.donated_mb:.0f}"
    return ""

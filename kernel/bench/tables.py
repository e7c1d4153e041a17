# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""Tables in Markdown from measurements, with the goals beside the measured values. Pure."""

import statistics

from measurements import Measurements

GIB = 2**30
MIB = 2**20
PAGE = 4096
NOT_MEASURED = "Not measured.\n"
# The largest part of the cost of clear_refs that a scan of every 64th frame may have.
SCAN_GOAL = 1 / 20
# For instructions with TMM off, relative to the plain kernel: a smaller difference counts as none; a larger spread decides nothing.
NEGLIGIBLE, DECIDABLE_SPREAD = 0.005, 0.05


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def ratio(value: float | None, base: float | None) -> float | None:
    return value / base if value is not None and base else None


def verdict(goal: str, value: float | None, limit: float, text: str) -> str:
    """One line: the goal, the measured value, and whether it is reached. Less is better."""
    if value is None:
        return f"Goal: {goal}. Not measured.\n"
    missed = "" if value <= limit else f" by a factor of {value / limit:.2f}"
    return f"Goal: {goal}. Measured: {text}. {'**Missed**' if missed else '**Reached**'}{missed}.\n"


def look_ns(variant: Measurements) -> float | None:
    """The cost of one period. The bitmap is read at its end, and written for the next one."""
    look, read = variant.median("look_cpu_ns"), variant.median("read_cpu_ns")
    return look + read if look is not None and read is not None else look


def per_page(measured: Measurements, variant: str, metric: str) -> list[float]:
    touched = measured.where(variant="size").median("touched_bytes")
    return [value * PAGE / touched for value in measured.where(variant=variant).values(metric)] if touched else []


def scan(measured: Measurements) -> str:
    timed, counted = measured.where(clock="time"), measured.where(clock="count")
    ram, touched = ((timed if timed.items else counted).where(variant="size").median(name) for name in ("ram_bytes", "touched_bytes"))
    if not ram or not touched:
        return NOT_MEASURED
    rows, goals = [], []
    for memory in ("anon", "mapped file", "cached file"):
        for method in ("k=0", "k=3", "k=6", "clear_refs", "bitmap"):
            here, count = (some.where(variant=f"{memory}/{method}") for some in (timed, counted))
            cost = look_ns(here)
            if cost is None and look_ns(count) is None:
                continue
            ms = None if cost is None else cost / 1e6
            parts = [ratio(look_ns(some.where(variant=f"{memory}/{method}")), look_ns(some.where(variant=f"{memory}/clear_refs")))
                     for some in (timed, counted)]
            if (memory, method) == ("anon", "k=6"):
                goals = parts
            counted_pages = ratio(counted.where(variant="size").median("touched_bytes"), PAGE)
            rows.append([f"{memory}, {method}", str(len(here.values("look_cpu_ns"))), number(ratio(ms, touched / GIB)),
                         "-" if method == "clear_refs" else number(ratio(ms, ram / GIB)), number(parts[0], 3),
                         number(ratio(look_ns(count), counted_pages), 0), number(parts[1], 3)])
    text = (f"{ram / GIB:.2f} GiB of RAM, of which {touched / GIB:.2f} GiB are the process's memory or the file; a scan and the bitmap "
            "look at all frames, clear_refs at the process's pages. CPU time, medians; instructions per page touched, from a smaller "
            "machine. Bitmap: written and read once.\n\n")
    text += table(["memory, method", "n", "ms per GiB touched", "ms per GiB of RAM", "of clear_refs", "instructions a page",
                   "of clear_refs"], rows) + "\n"
    for what, part in zip(("CPU time", "instructions"), goals, strict=False):
        text += verdict(f"k=6 costs at most 1/20 of clear_refs for each GiB of used memory, in {what}", part, SCAN_GOAL,
                        "-" if part is None else f"{part:.3f} of it (1/{1 / part:.1f})") + "\n"
    return text.rstrip("\n") + "\n"


def touch(measured: Measurements) -> str:
    timed, counted = measured.where(clock="time"), measured.where(clock="count")
    rows = []
    for memory in ("anon", "mapped file"):
        for method in ("nothing", "k=0", "k=3", "k=6", "clear_refs", "bitmap"):
            cells = []
            for order in ("in_order", "random"):
                costs, bases, counts = (per_page(some, f"{memory}/{variant}", f"touch_{order}_ns")
                                        for some, variant in ((timed, method), (timed, "nothing"), (counted, method)))
                if not (costs and bases) and not counts:
                    continue
                cells.append(number(statistics.median(costs) if costs else None, 1))
                cells += [number(of(costs) - of(bases), 1) if costs and bases and method != "nothing" else "-"
                          for of in (statistics.median, min)]
                cells.append(number(statistics.median(counts) if counts else None, 1))
            if cells:
                rows.append([f"{memory}, after {method}", *cells])
    if not rows:
        return NOT_MEASURED
    return ("Nanoseconds for the next read of a byte of each page, medians; the excess over a read after nothing, of the medians and of "
            "the fastest rounds, which a busy host disturbs least; and instructions. The TLB is empty at the start of every one, as after "
            "a daemon's sleep. The emulator sets accessed bits without an instruction: more of these would mean faults.\n\n"
            + table(["memory", "in order", "excess", "of the fastest", "instructions", "random", "excess", "of the fastest",
                     "instructions"], rows))


def unmeasurable(what: str, costs: list[tuple[str, list[float], list[float]]]) -> str:
    """Verdicts on the instructions with TMM off. The median may exceed the plain kernel's by twice the median deviation of the plain
    kernel's rounds. If these differ much, nothing is decided."""
    lines = ""
    for name, off, plain in costs:
        base = statistics.median(plain)
        more, spread = statistics.median(off) / base - 1, 2 * statistics.median(abs(cost - base) for cost in plain) / base
        lines += f"- {name}: {more:+.2%}, plain rounds differ by {spread:.2%}: "
        if more > max(spread, NEGLIGIBLE):
            lines += f"**missed** by {more - max(spread, NEGLIGIBLE):.2%}\n"
        else:
            lines += "**reached**\n" if spread <= DECIDABLE_SPREAD else "not decided\n"
    if not lines:
        return ""
    return (f"Goal: with TMM off, {what} takes no more instructions than rounds of the plain kernel differ by (twice their median "
            f"deviation; above {DECIDABLE_SPREAD:.0%} nothing is decided), or {NEGLIGIBLE:.1%}.\n\n{lines}")


STATES = (("plain", "off"), ("tmm", "off"), ("tmm", "on"))


def reclaim(measured: Measurements) -> str:
    rows, costs = [], []
    for lru in measured.of("lru"):
        for memory, groups in (("file", 1), ("file", 500), ("anon", 1), ("anon", 500)):
            name = f"{lru}, {memory}, {groups} group{'s' if groups > 1 else ''}"
            here = [measured.where(lru=lru, kernel=kernel, variant=f"{memory}/{groups}/{state}") for kernel, state in STATES]
            speeds = []
            for state in here:
                for metric in ("reclaim_cpu_ns", "reclaim_wall_ns"):
                    cost = state.where(clock="time").boots_median(metric, "pages")
                    speeds.append(number(PAGE / MIB * 1e9 / cost if cost else None, 0))
            counts = [state.where(clock="count").ratios("reclaim_cpu_ns", "pages") for state in here]
            medians = [statistics.median(count) if count else None for count in counts]
            rows.append([name, *speeds, *(number(median, 0) for median in medians), number(ratio(medians[1], medians[0]), 3),
                         number(ratio(medians[2], medians[0]), 3)])
            if counts[0] and counts[1]:
                costs.append((name, counts[1], counts[0]))
    return ("MiB/s through the root's memory.reclaim, by CPU time and by the wall clock, medians of the boots' medians; and instructions "
            "a page. Off: no cgroup is transparent; on: half of the groups are, or the only one.\n\n"
            + table(["", "plain CPU", "wall", "off CPU", "wall", "on CPU", "wall", "instructions plain", "off", "on", "off : plain",
                     "on : plain"], rows)
            + "\n" + unmeasurable("reclaim", costs))


def fault(measured: Measurements) -> str:
    rows, costs = [], []
    for lru in measured.of("lru"):
        here = [measured.where(lru=lru, kernel=kernel) for kernel in ("plain", "tmm")]
        times = [some.where(clock="time").boots_median("fault_cpu_ns", "pages") for some in here]
        counts = [some.where(clock="count").ratios("fault_cpu_ns", "pages") for some in here]
        medians = [statistics.median(count) if count else None for count in counts]
        rows.append([lru, *(number(value, 0) for value in times), number(ratio(times[1], times[0]), 3),
                     *(number(value, 0) for value in medians), number(ratio(medians[1], medians[0]), 4)])
        if all(counts):
            costs.append((lru, counts[1], counts[0]))
    return ("The first touch of a page of new anonymous memory: nanoseconds of CPU time, medians of the boots' medians; and "
            "instructions.\n\n"
            + table(["", "ns plain", "TMM off", "off : plain", "instructions plain", "TMM off", "off : plain"], rows)
            + "\n" + unmeasurable("a fault", costs))


def futile(measured: Measurements) -> str:
    rows = []
    for lru in measured.of("lru"):
        for variant in measured.of("variant"):
            cells = []
            for kernel in ("plain", "tmm"):
                here = measured.where(lru=lru, kernel=kernel, variant=variant)
                scanned = here.boots_median("scanned", "stolen")
                kept = here.median("owner_bytes")
                cells += [number(scanned), number(here.median("stolen"), 0),
                          "-" if kept is None else number(kept / MIB, 1)]
            rows.append([f"{lru}, {variant}", *cells])
    return ("Pages scanned for each page reclaimed, pages reclaimed, and MiB of its 48 that the idle owner still has, while a contribution "
            "of 64 MiB anonymous and 256 MiB file memory uses all of it again and again in a machine of 256 MiB; medians.\n\n"
            + table(["", "plain: scanned per page", "reclaimed", "owner", "tmm: scanned per page", "reclaimed", "owner"], rows))


def small(measured: Measurements) -> str:
    rows = []
    for lru in measured.of("lru"):
        here = measured.where(lru=lru)
        for variant in dict.fromkeys(name.rsplit("; ", 1)[0] for name in here.of("variant")):
            rows.append([f"{lru}, {variant}", *small_cells(here, variant)])
    return ("A contribution that cannot give memory, and an owner who reads a file of 800 MiB in a machine of 400 MiB: pages scanned for "
            "each page reclaimed, MiB of the owner's slab at the end, and MiB read in a second, if the contribution is opaque and if it is "
            "transparent; medians.\n\n"
            + table(["", "opaque: scanned per page", "slab", "MiB/s", "transparent: scanned per page", "slab", "MiB/s"], rows))


def small_cells(measured: Measurements, variant: str) -> list[str]:
    cells = []
    for kind in ("opaque", "transparent"):
        here = measured.where(variant=f"{variant}; {kind}")
        slab, time = here.median("slab_after"), here.median("stream_wall_ns")
        cells += [number(here.boots_median("scanned", "stolen")), "-" if slab is None else number(slab / MIB, 1),
                  "-" if time is None else number(800e9 / time, 0)]
    return cells


def parse_sizes(text: str) -> dict[str, int]:
    """Bytes of code by object, from the output of size(1)."""
    rows = (line.split() for line in text.splitlines()[1:])
    return {row[5]: int(row[0]) for row in rows if len(row) == 6}


def code(plain: dict[str, int] | None, tmm: dict[str, int] | None) -> str:
    if plain is None or tmm is None:
        return "Not measured: no file `sizes` beside the kernel.\n"
    names = sorted(name for name in plain.keys() | tmm.keys() if plain.get(name, 0) != tmm.get(name, 0))
    rows = []
    for name in names:
        before, after = plain.get(name, 0), tmm.get(name, 0)
        rows.append([name, str(before), str(after), f"{after - before:+d}", f"{(after - before) / before:+.2%}" if before else "new"])
    changed = sum(tmm.get(name, 0) - plain.get(name, 0) for name in names if "kunit" not in name)
    return ("Bytes of code, size(1).\n\n" + table(["object", "plain", "tmm", "growth", ""], rows)
            + f"\nAll together {changed:+d} bytes, without tests.\n")

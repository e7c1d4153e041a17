# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""The values that guests measured: the lines of tmm-kernel-bench with their machine and clock."""

import dataclasses
import statistics
from collections.abc import Iterable, Iterator


@dataclasses.dataclass(frozen=True)
class Measurement:
    """One value. The clock is "time", or "count" in a machine whose nanoseconds are instructions. A round is one turn of a variant in
    one boot; a metric may have several values in a round."""

    bench: str
    clock: str
    kernel: str
    lru: str
    boot: int
    variant: str
    round: int
    metric: str
    value: float


FIELDS = tuple(field.name for field in dataclasses.fields(Measurement))


def parse(text: str, clock: str, kernel: str, lru: str, boot: int) -> Iterator[Measurement]:
    """Parses the output of tmm-kernel-bench. ValueError names a line that is no result."""
    for line in text.splitlines():
        parts = line.split(",")
        try:
            bench, variant, turn, metric, value = parts
            yield Measurement(bench, clock, kernel, lru, boot, variant, int(turn), metric, float(value))
        except ValueError:
            raise ValueError(f"not a result: '{line}'") from None


class Measurements:
    """A set of measurements that can be filtered."""

    def __init__(self, items: Iterable[Measurement]) -> None:
        self.items = list(items)

    def where(self, **wanted: object) -> "Measurements":
        return Measurements(item for item in self.items if all(getattr(item, name) == value for name, value in wanted.items()))

    def of(self, field: str) -> list:
        """The distinct values of a field, in the order of their first appearance."""
        return list(dict.fromkeys(getattr(item, field) for item in self.items))

    def values(self, metric: str) -> list[float]:
        return [item.value for item in self.items if item.metric == metric]

    def median(self, metric: str) -> float | None:
        values = self.values(metric)
        return statistics.median(values) if values else None

    def ratios(self, dividend: str, divisor: str) -> list[float]:
        """One ratio for each round."""
        return [above / below for above, below in zip(self.values(dividend), self.values(divisor), strict=True)]

    def boots_median(self, dividend: str, divisor: str) -> float | None:
        """The median of the boots' medians of dividend / divisor, because rounds of one boot resemble each other more than boots do."""
        boots = [self.where(boot=boot).ratios(dividend, divisor) for boot in self.of("boot")]
        return statistics.median(map(statistics.median, filter(None, boots))) if any(boots) else None

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""What the guests measured: the lines of tmm-kernel-bench, and where they come from."""

import dataclasses
import statistics
from collections.abc import Iterable, Iterator


@dataclasses.dataclass(frozen=True)
class Sample:
    """One value. The clock is "time", or "count" in a machine whose nanoseconds are instructions. A round is one turn of a variant in
    a boot of a machine; a metric may have several values in a round."""

    bench: str
    clock: str
    kernel: str
    lru: str
    boot: int
    variant: str
    round: int
    metric: str
    value: float


FIELDS = tuple(field.name for field in dataclasses.fields(Sample))


def parse(text: str, clock: str, kernel: str, lru: str, boot: int) -> Iterator[Sample]:
    """The output of tmm-kernel-bench. ValueError names a line that is none of its results."""
    for line in text.splitlines():
        parts = line.split(",")
        try:
            bench, variant, turn, metric, value = parts
            yield Sample(bench, clock, kernel, lru, boot, variant, int(turn), metric, float(value))
        except ValueError:
            raise ValueError(f"not a result: '{line}'") from None


class Samples:
    """A set of samples that can be narrowed down."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self.samples = list(samples)

    def where(self, **wanted: object) -> "Samples":
        return Samples(sample for sample in self.samples if all(getattr(sample, name) == value for name, value in wanted.items()))

    def of(self, field: str) -> list:
        """The different values of a field, in the order of their first appearance."""
        return list(dict.fromkeys(getattr(sample, field) for sample in self.samples))

    def values(self, metric: str) -> list[float]:
        return [sample.value for sample in self.samples if sample.metric == metric]

    def median(self, metric: str) -> float | None:
        values = self.values(metric)
        return statistics.median(values) if values else None

    def ratios(self, dividend: str, divisor: str) -> list[float]:
        """One for each round."""
        return [above / below for above, below in zip(self.values(dividend), self.values(divisor), strict=True)]

    def boots_median(self, dividend: str, divisor: str) -> float | None:
        """The median of the boots' medians of dividend / divisor: rounds of one boot are alike, boots less so."""
        boots = [self.where(boot=boot).ratios(dividend, divisor) for boot in self.of("boot")]
        return statistics.median(map(statistics.median, filter(None, boots))) if any(boots) else None

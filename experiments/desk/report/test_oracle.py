# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from ..errors import DeskError
from . import oracle, timeline

PAGES_PER_MB = 256


def exact_curve(touches: list[int], seconds: float) -> oracle.Curve:
    """By the definition of Mattson's distances, with a list: for small cases."""
    stack: list[int] = []
    distances = []
    for page in touches:
        if page in stack:
            distances.append(stack.index(page))
            stack.remove(page)
        stack.insert(0, page)
    steps = [(0, len(distances))]
    for size in sorted({distance + 1 for distance in distances}):
        steps.append((size, sum(distance >= size for distance in distances)))
    return oracle.Curve(tuple(steps), seconds)


def loop_curve(mb: int, rounds: int, seconds: float) -> oracle.Curve:
    """A loop misses always below its length: the cliff as owner-curve prints it."""
    return oracle.Curve(((0, rounds * mb * PAGES_PER_MB), (mb * PAGES_PER_MB, 0)), seconds)


def decision(t_s: float, opaque_limit_mb: float, kind: str = "measured") -> timeline.Decision:
    return timeline.Decision(t_s, opaque_limit_mb, 0, 0, 0, 512, kind, "")


class CurveTest(unittest.TestCase):
    def test_misses_of_exact_distances(self) -> None:
        curve = exact_curve([0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1], 2.0)
        self.assertEqual(curve.steps, ((0, 8), (2, 2), (4, 0)))
        self.assertEqual([curve.misses_per_s(size) for size in range(6)], [4, 4, 1, 1, 0, 0])
        self.assertEqual([curve.min_size(allowed) for allowed in (0, 0.9, 1, 3.9, 4)], [4, 4, 2, 2, 0])

    def test_a_loop_of_exact_distances_is_a_cliff(self) -> None:
        self.assertEqual(exact_curve([0, 1, 2] * 3, 1.0).steps, ((0, 6), (3, 0)))

    def test_reads_what_owner_curve_prints(self) -> None:
        curve = oracle.parse_curve("size_pages,misses\n0,8\n2,2\n4,0\n", "c.csv", 2.0)
        self.assertEqual(curve, exact_curve([0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1], 2.0))

    def test_malformed_curves_are_refused(self) -> None:
        for text in ("size_pages,misses\n", "size_pages,misses\n1,5\n", "size_pages,misses\n0,5\n2,5\n",
                     "size_pages,misses\n0,5\n0,4\n"):
            with self.subTest(text), self.assertRaisesRegex(DeskError, "c.csv: not a curve"):
                oracle.parse_curve(text, "c.csv", 1)
        for text in ("size_pages,misses\n0,x\n", "size_pages,misses\n0\n"):
            with self.subTest(text), self.assertRaisesRegex(DeskError, "c.csv:2: not a row"):
                oracle.parse_curve(text, "c.csv", 1)
        with self.assertRaises(DeskError):
            oracle.parse_curve("size_pages,misses\n0,5\n", "c.csv", 0)


class NeedTest(unittest.TestCase):
    def test_a_loop_needs_all_of_it_and_the_desktop(self) -> None:
        self.assertEqual(oracle.need_mb(loop_curve(100, 10, 60), 480), 108)

    def test_what_is_looped_over_too_rarely_is_not_needed(self) -> None:
        # 25600 misses in 7 hours are fewer than one a second.
        self.assertEqual(oracle.need_mb(loop_curve(100, 1, 26000), 480), 48)

    def test_misses_that_no_memory_could_spare_allow_more(self) -> None:
        # With all of memory 100 misses/s: up to 105 are allowed.
        curve = oracle.Curve(((0, 1000), (1000, 106), (2000, 105), (1 << 20, 100), (1 << 21, 0)), 1.0)
        self.assertEqual(oracle.allowance(curve, 1 << 20), 105)
        self.assertAlmostEqual(oracle.need_mb(curve, 4096), 409.6)
        self.assertEqual(curve.min_size(105), 2000)

    def test_never_more_than_there_is(self) -> None:
        self.assertEqual(oracle.need_mb(loop_curve(475, 10, 60), 480), 480)


class LowTest(unittest.TestCase):
    def test_counts_learned_limits_only(self) -> None:
        decisions = [decision(0, 1, "learning"), decision(10, 185), decision(20, 184), decision(30, 300)]
        self.assertAlmostEqual(oracle.low_share(decisions, 40, 200, 512), 1 / 3)
        self.assertIsNone(oracle.low_share(decisions[:1], 40, 200, 512))
        self.assertIsNone(oracle.low_share(decisions, 10, 200, 512))

    def test_long_intervals_count_more(self) -> None:
        self.assertAlmostEqual(oracle.low_share([decision(0, 300), decision(1, 100), decision(4, 300)], 10, 200, 512), 0.3)
        self.assertAlmostEqual(oracle.low_share([decision(0, 300), decision(4, 100)], 10, 200, 512), 0.6)

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import math
import random
import unittest

from . import interactions, latencies
from .interactions import Bounds


def second(t_s: int, *values_ms: float) -> latencies.Second:
    return latencies.Second(t_s, len(values_ms), sum(values_ms) / len(values_ms), max(values_ms))


def calm(begin_s: int, end_s: int, ms: float = 1.0) -> list[latencies.Second]:
    return [second(t_s, *[ms] * 50) for t_s in range(begin_s, end_s)]


class BoundsOfEach(unittest.TestCase):
    def test_equal_latencies_are_known(self) -> None:
        self.assertEqual(interactions.bounds_of_each(second(0, 4.0, 4.0, 4.0)), [Bounds(4, 4)] * 3)

    def test_the_longest_is_known_and_the_others_share_the_rest(self) -> None:
        self.assertEqual(interactions.bounds_of_each(second(0, 10.0, 6.0, 2.0)), [Bounds(10, 10), Bounds(4, 8), Bounds(0, 4)])

    def test_what_exceeds_the_longest_belongs_to_the_next(self) -> None:
        self.assertEqual(interactions.bounds_of_each(second(0, 10.0, 10.0, 5.0)), [Bounds(10, 10), Bounds(7.5, 10), Bounds(5, 7.5)])

    def test_hold_for_any_latencies(self) -> None:
        chance = random.Random(1)
        for _ in range(300):
            values = [chance.choice((0.1, 1.0, 50.0)) * chance.random() for _ in range(chance.randrange(1, 12))]
            for value, bounds in zip(sorted(values, reverse=True), interactions.bounds_of_each(second(0, *values)), strict=True):
                self.assertLessEqual(bounds.low, value + 1e-9)
                self.assertGreaterEqual(bounds.high, value - 1e-9)


class P99(unittest.TestCase):
    def test_one_of_a_hundred_may_be_longer(self) -> None:
        # With nothing but zeros beside the longest, the log tells all.
        rest = [0.0] * 49
        self.assertEqual(interactions.p99([second(0, 0.0, *rest), second(1, 9.0, *rest)]), Bounds(0, 0))
        self.assertEqual(interactions.p99([second(0, 8.0, *rest), second(1, 9.0, *rest)]), Bounds(8, 8))
        self.assertIsNone(interactions.p99([]))

    def test_holds_for_any_latencies(self) -> None:
        chance = random.Random(2)
        for _ in range(50):
            log = [[chance.choice((0.1, 80.0)) * chance.random() for _ in range(chance.randrange(5, 50))] for _ in range(20)]
            exact = sorted(sum(log, []))
            p99 = exact[math.ceil(0.99 * len(exact)) - 1]
            bounds = interactions.p99([second(t_s, *values) for t_s, values in enumerate(log)])
            self.assertLessEqual(bounds.low, p99 + 1e-9)
            self.assertGreaterEqual(bounds.high, p99 - 1e-9)

    def test_times_that_before(self) -> None:
        self.assertEqual(interactions.p99_times(calm(0, 10), calm(20, 30, 3.0)), Bounds(3, 3))
        self.assertIsNone(interactions.p99_times(calm(0, 10), []))
        # 2 to 4 before, 6 to 12 after: from 6 / 4 to 12 / 2.
        # Of 110 the second longest counts: 2 to 4 before, 6 to 12 after.
        before, after = ([latencies.Second(0, 110, (longest + 109 * ms) / 110, longest)] for longest, ms in ((4.0, 2.0), (12.0, 6.0)))
        times = interactions.p99_times(before, after)
        self.assertAlmostEqual(times.low, 1.5)
        self.assertAlmostEqual(times.high, 6.0)


class Hitches(unittest.TestCase):
    def test_take_longer_than_100_ms(self) -> None:
        self.assertEqual(interactions.hitches(calm(0, 9), [second(20, 100.0, 1.0), second(21, 101.0, 1.0)]), Bounds(1, 1))

    def test_those_that_the_log_leaves_open_are_in_the_upper_bound(self) -> None:
        self.assertEqual(interactions.hitches([], [second(20, 250.0, 150.0, 150.0)]), Bounds(2, 3))

    def test_as_slow_as_before_the_break_is_none(self) -> None:
        slow_before = [second(0, 80.0)]
        self.assertEqual(interactions.hitches(slow_before, [second(20, 160.0), second(21, 161.0)]), Bounds(1, 1))


class Back(unittest.TestCase):
    def test_at_once(self) -> None:
        self.assertEqual(interactions.back_after_s(calm(0, 9), calm(20, 50), 20, 50), 0)

    def test_after_the_last_slow_second(self) -> None:
        after = [*calm(20, 27), second(27, *[50.0] * 50), *calm(28, 50)]
        self.assertEqual(interactions.back_after_s(calm(0, 9), after, 20, 50), 8)

    def test_not_in_the_run(self) -> None:
        after = [*calm(20, 49), second(49, *[50.0] * 50)]
        self.assertIsNone(interactions.back_after_s(calm(0, 9), after, 20, 50))

    def test_one_and_a_half_times_that_before_is_enough(self) -> None:
        self.assertEqual([interactions.back_after_s(calm(0, 9, 40.0), calm(20, 50, ms), 20, 50) for ms in (60.0, 61.0)], [0, None])

    def test_so_is_a_frame(self) -> None:
        self.assertEqual([interactions.back_after_s(calm(0, 9), calm(20, 50, ms), 20, 50) for ms in (16.0, 17.0)], [0, None])

    def test_an_owner_who_stands_still_is_not_back(self) -> None:
        self.assertEqual(interactions.back_after_s(calm(0, 9), [*calm(20, 22), *calm(35, 50)], 20, 50), 6)

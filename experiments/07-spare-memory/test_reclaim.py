# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of reclaim.py: CacheLib's rule."""
import unittest

import reclaim


class CachelibRule(unittest.TestCase):
    def test_gives_a_step_a_second(self) -> None:
        self.assertEqual(reclaim.cachelib_rule(100 * 1024, 1024), (1024, 4))

    def test_gives_whole_steps(self) -> None:
        self.assertEqual(reclaim.cachelib_rule(100 * 1024, 300), (512, 2))

    def test_stops_in_the_step_that_exceeds_a_fifth(self) -> None:
        # 20 % do not exceed a fifth: 1024 of 5120 MiB lets one more step through.
        self.assertEqual(reclaim.cachelib_rule(5120, 5000), (1280, 5))


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from . import latencies, records

HEADER = "t_s,interactions,mean_ms,max_ms\n"


class LatenciesTest(unittest.TestCase):
    def test_sums_over_a_span_weigh_by_interactions(self) -> None:
        seconds = records.parse(latencies.Second, HEADER + "9,5,100,100\n10,1,10.0,10.0\n11,3,2.0,4.0\n12,9,1,1\n", "l.csv")
        self.assertEqual(latencies.between(seconds, 10.4, 11.9), latencies.Latency(4, 4.0, 10.0))

    def test_nothing_in_the_span(self) -> None:
        self.assertEqual(latencies.between([], 0, 10), latencies.Latency(0, 0.0, 0.0))

    def test_the_first_interaction_after_the_return(self) -> None:
        text = HEADER.strip() + ",first_end_s\n9,1,1,1,9.9\n14,3,1,1,14.25\n15,1,1,1,15.0\n"
        self.assertAlmostEqual(latencies.first_after(records.parse(latencies.Second, text, "l.csv"), 13.75), 0.5)
        self.assertIsNone(latencies.first_after(records.parse(latencies.Second, text, "l.csv"), 15.5))
        self.assertIsNone(latencies.first_after(records.parse(latencies.Second, HEADER + "14,3,1,1\n", "l.csv"), 13))

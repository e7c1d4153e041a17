# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from .. import fakes
from . import records, timeline


class TimelineTest(unittest.TestCase):
    def test_reads_decisions_with_columns_by_name(self) -> None:
        decisions = records.parse(timeline.Decision, fakes.timeline_text(), "t.csv")
        self.assertEqual(len(decisions), 3)
        self.assertEqual([decision.learned for decision in decisions], [False, True, True])
        self.assertEqual((decisions[1].transparent_limit_mb, decisions[0].reason), (312.0, "still learning, 1 s"))

    def test_the_decision_that_holds(self) -> None:
        decisions = records.parse(timeline.Decision, fakes.timeline_text(), "t.csv")
        self.assertEqual(timeline.last_before(decisions, 7.9), decisions[1])
        self.assertEqual(timeline.last_before(decisions, 99), decisions[2])
        self.assertIsNone(timeline.last_before(decisions, 0.5))

    def test_the_decisions_of_a_span(self) -> None:
        decisions = records.parse(timeline.Decision, fakes.timeline_text(), "t.csv")
        self.assertEqual(timeline.between(decisions, 2, 6), decisions[:2])
        self.assertEqual(timeline.between(decisions, 6, 7), decisions[1:2])
        self.assertEqual(timeline.between(decisions, 0, 0.5), [])

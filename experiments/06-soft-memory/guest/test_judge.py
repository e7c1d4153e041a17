# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import dataclasses
import unittest

from guest.judge import PROGRAMS, Seen, Status, judge, number_after, parse_statuses

PHASES = {name: 10.0 * number for number, name in enumerate(
    ("alone", "fill", "divided", "killed", "restarted", "stopping", "stopped", "goes_on", "flood", "fork", "owner", "end"))} | {"another": 36.0}
HELD = {"dear": 300, "cheap": 150, "small": 90, "other": 140, "small-child": 10}


def seen(**changes):
    """All goes well, except what a change of held MiB by "NAME" at a second says."""
    programs = {}
    for name, held in HELD.items():
        begin = 95 if name == "small-child" else 15
        programs[name] = [Status(second, held if second < 105 else held // 2, held if second < 105 else held // 2, 0)
                          for second in range(begin, 112)]
    for name, at in changes.items():
        programs[name] = [dataclasses.replace(one, held_mib=at[one.second]) if one.second in at else one for one in programs[name]]
    return Seen(PHASES, programs, {"alone": 3, "owner": 2}, 20)


def failed(one):
    return [what for right, what, _ in judge(one) if not right]


class Parsers(unittest.TestCase):
    def test_statuses_are_read_and_other_lines_are_not(self):
        text = "status a 1.50 20 30 0\nnonsense\nstatus a-child 2.50 4 5 1\nstatus a 2"
        self.assertEqual(parse_statuses(text), {"a": [Status(1.5, 20, 30, 0)], "a-child": [Status(2.5, 4, 5, 1)]})

    def test_a_number_follows_its_word(self):
        self.assertEqual(number_after("faults", "x 1\nfaults 12\n"), 12)
        with self.assertRaises(ValueError):
            number_after("faults", "nothing")


class Judgement(unittest.TestCase):
    def test_nothing_fails_when_all_goes_well(self):
        self.assertEqual(failed(seen()), [])

    def test_each_mistake_is_found(self):
        for change, what in (({"dear": {second: 160 for second in range(15, 31)}}, "a program with dear misses has more"),
                             ({"cheap": {33: 50}}, "when tmmd is killed no program gives memory up"),
                             ({"cheap": {33: 300}}, "and none jumps at what is free"),
                             ({"small": {65: 20}}, "a frozen program costs the others nothing"),
                             ({"small": {85: 20}}, "a flood of connections costs others nothing"),
                             ({"dear": {95: 100}}, "and the others keep their division")):
            self.assertIn(what, failed(seen(**change)))
        # A new tmmd may move memory.
        self.assertEqual(failed(seen(cheap={38: 50})), [])
        self.assertEqual(failed(dataclasses.replace(seen(), tmmd_mib=100)), ["and tmmd stays small"])
        self.assertEqual(failed(dataclasses.replace(seen(), faults={"alone": 1, "owner": 2})),
                         ["the owner waits for the disk no more often than without them"])
        no_child = dataclasses.replace(seen(), programs={name: seen().programs[name] for name in PROGRAMS})
        self.assertEqual(failed(no_child), ["a child is a program of its own"])


if __name__ == "__main__":
    unittest.main()

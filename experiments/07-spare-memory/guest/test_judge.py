# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import pathlib
import tempfile
import unittest

from guest.judge import judge, read

NAMES = ("faults", "workingset_refault_anon", "workingset_refault_file", "pswpin", "pswpout", "stalled_us")
# All goes well.
MEASURES = ({(when, name): 0 for when in ("alone", "back", "back_fixed") for name in NAMES}
            | {("full", "cached_mib"): 700, ("back", "cached_mib"): 400, ("full", "free_mib"): 150, ("full_fixed", "free_mib"): 100,
               ("back_fixed", "workingset_refault_file"): 15_000})


def failed(**changes: int) -> list[str]:
    """Of these measures, PHASE__NAME."""
    changed = {tuple(name.split("__")): value for name, value in changes.items()}
    return [what for right, what in judge(MEASURES | changed) if not right]


class Judgement(unittest.TestCase):
    def test_nothing_fails_when_all_goes_well(self):
        self.assertEqual(failed(), [])

    def test_what_the_owner_had_alone_is_no_fault_of_the_cache(self):
        self.assertEqual(failed(alone__faults=5, back__faults=5), [])

    def test_each_mistake_is_found(self):
        for change, what in (({"full__free_mib": 400}, "the cache fills the machine during the break"),
                             ({"back__cached_mib": 650}, "it gives memory to the owner who is back"),
                             ({"back__faults": 1}, "the owner misses no memory"),
                             ({"back__workingset_refault_anon": 1}, "the owner misses no memory"),
                             ({"back__workingset_refault_file": 15_380}, "the owner misses no memory"),
                             ({"back__stalled_us": 283_306}, "the owner misses no memory"),
                             ({"back__pswpout": 1}, "nothing is swapped"),
                             ({"full_fixed__free_mib": 400}, "a cache of fixed size fills the machine likewise"),
                             ({"back_fixed__workingset_refault_file": 0}, "with that one the owner misses memory")):
            self.assertEqual(failed(**change), [what])


class Read(unittest.TestCase):
    def test_a_line_is_a_measure(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "measures"
            path.write_text("alone faults 3\nback pswpin 0\n", encoding="utf-8")
            self.assertEqual(read(path), {("alone", "faults"): 3, ("back", "pswpin"): 0})
            path.write_text("alone faults\n", encoding="utf-8")
            with self.assertRaises(ValueError):
                read(path)


if __name__ == "__main__":
    unittest.main()

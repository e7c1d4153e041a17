# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from measures import Progress, Result, Samples, best_score, best_static, fall, halfway, parse_fio, parse_grant, parse_progress, score


class Lines(unittest.TestCase):
    def test_progress_is_read_and_other_lines_are_not(self):
        self.assertEqual(parse_progress("progress rocksdb 42 1.5 1000 10 0.25\n"), Progress("rocksdb", 42, 1.5, 1000, 10, 0.25))
        for line in ("", "nearest 5", "progress rocksdb 42 1.5 1000 10"):
            self.assertIsNone(parse_progress(line))

    def test_a_damaged_grant_is_an_error(self):
        self.assertEqual(parse_grant("grant 3 42 posts 100 50 70 12.5 3").best_mib, 70)
        for line in ("", "grant 3", "grant x 42 posts 100 50 70 12.5 3"):
            with self.assertRaises(ValueError):
                parse_grant(line)


    def test_fio_tells_what_it_read(self):
        self.assertEqual(parse_fio("3;fio-3.33;reads;0;0;6400;100;1;60000;0\n"), 6400)
        for line in ("", "fio: it ends", "3;fio-3.33;reads;0;0", "3;fio-3.33;reads;0;0;x;1"):
            self.assertIsNone(parse_fio(line))


class Scores(unittest.TestCase):
    def samples(self):
        samples = Samples()
        for second in range(10):
            samples.add(Progress("a", 1, second + 0.5, 100 * second, 10 * second, 0.25 * second), second)
        return samples

    def test_progress_is_the_time_without_rebuilding(self):
        self.assertEqual(self.samples().between("a", 4, 8), Result(0.75, 100, 10))

    def test_a_program_without_lines_is_an_error(self):
        for since, until in ((8.5, 9), (20, 30)):
            with self.assertRaises(ValueError):
                self.samples().between("a", since, until)
        with self.assertRaises(ValueError):
            self.samples().between("b", 0, 10)

    def test_the_score_is_a_mean(self):
        self.assertEqual(score([Result(1, 0, 0), Result(0.5, 9, 9)]), 0.75)

    def test_static_parts_are_the_latest(self):
        grants = [parse_grant("grant 3 42 posts 100 50 70 12.5 3"), parse_grant("grant 4 42 posts 100 50 80 12.5 3")]
        self.assertEqual(best_static(grants, ("posts", "other")), {"posts": 80, "other": 0})

    def test_the_best_static_division_is_found(self):
        self.assertEqual(best_score({"plenty for each": 1, "coordinator": 0.9, "equal": 0.5, "static: a": 0.7}), 0.7)

    def test_halfway_is_between(self):
        self.assertEqual(halfway({"a": 10, "b": 0}, {"a": 20, "b": 30}), {"a": 15, "b": 15})

    def test_a_fall_takes_from_its_begin_to_its_end(self):
        self.assertEqual(fall([(0, 500), (1, 500), (2, 490), (2.5, 300), (3, 102), (4, 100), (5, 250)]), (400, 2, 1))
        self.assertEqual(fall([(0, 500), (1, 100), (2, 100)]), (400, 0, 1))
        self.assertEqual(fall([(0, 500), (1, 510), (2, 520)])[0], 0)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import unittest

from measures import Progress, Result, Samples, best_static, parse_grant, parse_progress, score


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


if __name__ == "__main__":
    unittest.main()

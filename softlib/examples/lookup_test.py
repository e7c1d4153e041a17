# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: LGPL-2.1-or-later
import random
import unittest

from example_test import ExampleTest, fields


class LookupTest(ExampleTest):
    def setUp(self):
        super().setUp()
        urls = [f"http://example.org/{number}" for number in range(20)]
        self.requests = urls + random.Random(1).choices(urls, k=80)

    def answers(self, urls, *options, code=0):
        output, messages = self.run_program(*options, given="".join(url + "\n" for url in urls), code=code)
        lines = messages.splitlines()
        return output.splitlines(), fields("\n".join(lines[-3:])), lines[:-3]

    def test_what_was_fetched_once_is_there(self):
        answers, counts, messages = self.answers(self.requests)
        self.assertEqual([answer.split()[2] for answer in answers], self.requests)
        self.assertEqual(len(set(answers)), 20)
        self.assertEqual(counts, {"requests": 100, "fetches": 20, "failed": 0})
        self.assertEqual(messages, [])

    def test_bodies_of_all_sizes_come_back(self):
        sizes = [int(answer.split()[0]) for answer in self.answers(self.requests[:20])[0]]
        self.assertEqual(sizes, [int(answer.split()[0]) for answer in self.answers(self.requests[:20], "--lose", 1)[0]])
        self.assertLess(min(sizes), 8192)
        self.assertGreater(max(sizes), 32768)

    def test_the_answers_are_the_same_whatever_is_lost(self):
        all_there = self.answers(self.requests)[0]
        for probability in (0.02, 0.5, 1):
            with self.subTest(probability=probability):
                answers, counts, _ = self.answers(self.requests, "--lose", probability)
                self.assertEqual(answers, all_there)
                self.assertGreater(counts["fetches"], 20)

    def test_what_fails_is_named_and_tried_again(self):
        urls = ["http://down.example.org/", "http://example.org/1", "ftp://example.org/", "", "http://down.example.org/"]
        answers, counts, messages = self.answers(urls, code=1)
        self.assertEqual(len(answers), 1)
        self.assertEqual(counts, {"requests": 5, "fetches": 1, "failed": 4})
        self.assertIn("http://down.example.org/: No route to host", messages[0])
        self.assertIn("ftp://example.org/: Protocol not supported", messages[1])
        self.assertEqual(messages[0], messages[3])

    def test_nothing_asked_nothing_answered(self):
        self.assertEqual(self.answers([]), ([], {"requests": 0, "fetches": 0, "failed": 0}, []))

    def test_wrong_arguments_are_refused(self):
        for arguments in (["a"], ["--lose", "2"], ["--lose", ""], ["--other"]):
            with self.subTest(arguments=arguments):
                self.assertIn("Usage", self.run_program(*arguments, code=2)[1])


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: LGPL-2.1-or-later
import random
import unittest

from example_test import ExampleTest, fields


class BlockCacheTest(ExampleTest):
    def file(self, size):
        path = self.folder / "file"
        path.write_bytes(random.Random(size).randbytes(size))
        return path

    def counts(self, *arguments):
        counts = fields(self.run_program("--check", *arguments)[0])
        self.assertEqual(counts["hits"] + counts["rebuilds"], counts["reads"])
        return counts

    def test_a_block_is_read_from_the_file_once(self):
        counts = self.counts("--reads", 5000, self.file(64 * 4096))
        self.assertEqual((counts["blocks"], counts["reads"], counts["rebuilds"]), (64, 5000, 64))

    def test_a_few_blocks_are_read_often(self):
        counts = self.counts("--reads", 1000, self.file(1000 * 4096))
        self.assertLess(counts["rebuilds"], 500)
        self.assertGreater(counts["rebuilds"], 100)

    def test_what_is_lost_is_read_again_and_is_what_the_file_has(self):
        counts = self.counts("--reads", 1000, "--lose", 1, self.file(64 * 4096))
        self.assertGreater(counts["rebuilds"], 64)
        self.assertGreater(counts["hits"], 0)

    def test_a_limit_costs_rebuilds_only(self):
        file = self.file(2500 * 4096)
        self.assertGreater(self.counts("--limit-mib", 6, file)["rebuilds"], 2500)

    def test_without_memory_all_is_read_from_the_file(self):
        counts = self.counts("--reads", 100, "--limit-mib", 1, self.file(4096))
        self.assertEqual(counts["rebuilds"], 100)

    def test_the_last_block_may_be_a_short_one(self):
        for size in (1, 4095, 4097):
            with self.subTest(size=size):
                self.assertEqual(self.counts("--reads", 100, "--delay-us", 1, self.file(size))["blocks"], (size + 4095) // 4096)

    def test_what_cannot_be_read_is_named(self):
        # This file of the kernel claims a page and ends before.
        for path, reason in (("/sys/devices/system/cpu/online", "became shorter"), (self.folder / "none", "No such file"),
                             (self.file(0), "is empty"), ("/dev/null", "is empty"), ("/proc/self", "is empty")):
            with self.subTest(path=path):
                message = self.run_program(path, code=1)[1]
                self.assertIn(str(path), message)
                self.assertIn(reason, message)

    def test_an_error_of_the_disk_reaches_the_reader(self):
        self.file(1)
        self.assertIn("block 0: Is a directory", self.run_program("--reads", 1, self.folder, code=1)[1])

    def test_wrong_arguments_are_refused(self):
        for arguments in ([], ["a", "b"], ["--lose", "1.5", "a"], ["--reads", "x", "a"], ["--reads", "", "a"],
                          ["--limit-mib", "-1", "a"], ["--other"]):
            with self.subTest(arguments=arguments):
                self.assertIn("Usage", self.run_program(*arguments, code=2)[1])


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizes, backings and limits."""

import os
import unittest

from . import settings
from .errors import KitError


class Sizes(unittest.TestCase):
    def test_units(self) -> None:
        for text, expected in (("512", 512), ("512M", 512), ("2G", 2048), (" 2g ", 2048), ("0", 0)):
            self.assertEqual(settings.size_mb(text), expected, text)

    def test_malformed(self) -> None:
        for text in ("", "M", "-1", "1.5G", "2T", "2GB", "1 G", "9999999999", "²"):
            with self.assertRaises(KitError, msg=text):
                settings.size_mb(text)


class Host(unittest.TestCase):
    def test_processors_kept_from_this_process_do_not_count(self) -> None:
        usable = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(usable)})
        try:
            self.assertEqual(settings.host_cpus(), 1)
        finally:
            os.sched_setaffinity(0, usable)


class Backings(unittest.TestCase):
    def test_latencies_are_those_promised(self) -> None:
        self.assertEqual({name: backing.latency_us for name, backing in settings.BACKINGS.items()},
                         {"hdd": 2500, "sata": 150, "nvme": 90, "zram": 90, "instant": 0})

    def test_only_the_disk_with_an_arm_is_serial(self) -> None:
        self.assertEqual([name for name, backing in settings.BACKINGS.items() if backing.serial], ["hdd"])

    def test_an_unknown_one_names_the_known(self) -> None:
        with self.assertRaisesRegex(KitError, "floppy.*hdd"):
            settings.backing_named("floppy")


class Limits(unittest.TestCase):
    GOOD = {"ram_mb": 512, "cpus": 2, "swap_mb": 0, "lru": "classic", "timeout_s": 1}

    def test_good(self) -> None:
        settings.check_machine(**self.GOOD)

    def test_each_bad_one_is_named(self) -> None:
        for key, bad, word in (("ram_mb", 64, "RAM"), ("cpus", 0, "CPU"), ("cpus", 65, "CPU"), ("swap_mb", -1, "swap"),
                               ("lru", "arc", "LRU"), ("timeout_s", 0, "timeout")):
            with self.assertRaisesRegex(KitError, word, msg=f"{key}={bad}"):
                settings.check_machine(**{**self.GOOD, key: bad})

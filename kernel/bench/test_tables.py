#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only

import unittest
from collections.abc import Sequence

import tables
from measurements import Measurements, parse


def parsed(text: str, clock: str = "time", kernel: str = "tmm", boot: int = 1) -> list:
    return list(parse(text, clock, kernel, "mglru", boot))


def rounds(bench: str, variant: str, metric: str, values: list[int]) -> str:
    return "".join(f"{bench},{variant},{number},{metric},{value}\n" for number, value in enumerate(values))


class Parse(unittest.TestCase):
    def test_a_line_is_a_measurement(self) -> None:
        (one,) = parsed("scan,anon/k=0,3,look_cpu_ns,1500\n")
        self.assertEqual(("scan", "time", "anon/k=0", 3, 1500.0), (one.bench, one.clock, one.variant, one.round, one.value))

    def test_a_line_that_is_no_result_is_named(self) -> None:
        for line in ("Bail out! no memory", "scan,anon,x,look,1", "scan,anon,1,look,fast", "a,b,1,c,2,d"):
            with self.assertRaisesRegex(ValueError, line.replace("!", ".")):
                parsed(line)


class Medians(unittest.TestCase):
    def test_boots_count_alike_however_many_rounds_they_have(self) -> None:
        text = [parsed(rounds("fault", "anon", "fault_cpu_ns", costs) + rounds("fault", "anon", "pages", [1] * len(costs)), boot=boot)
                for boot, costs in ((1, [10, 10, 10, 10]), (2, [30]), (3, [20, 90, 20]))]
        self.assertEqual(20, Measurements(sum(text, [])).boots_median("fault_cpu_ns", "pages"))

    def test_nothing_has_no_median(self) -> None:
        self.assertIsNone(Measurements([]).boots_median("fault_cpu_ns", "pages"))
        self.assertIsNone(Measurements([]).median("fault_cpu_ns"))


class Scan(unittest.TestCase):
    SIZE = f"scan,size,0,ram_bytes,{4 * tables.GIB}\nscan,size,0,touched_bytes,{2 * tables.GIB}\n"

    def report(self, k6: int) -> str:
        return tables.scan(Measurements(parsed(self.SIZE + rounds("scan", "anon/k=6", "look_cpu_ns", [k6, k6 + 9, k6 - 9])
                                           + rounds("scan", "anon/clear_refs", "look_cpu_ns", [80_000_000]))))

    def test_cost_for_each_gib_and_the_part_of_clear_refs(self) -> None:
        self.assertIn("| anon, k=6 | 3 | 2.00 | 1.00 | 0.050 |", self.report(4_000_000))

    def test_the_goal_is_reached_at_its_limit_and_missed_above(self) -> None:
        self.assertIn("**Reached**", self.report(4_000_000))
        self.assertIn("**Missed** by a factor of 1.50", self.report(6_000_000))

    def test_the_bitmap_is_written_and_read(self) -> None:
        text = rounds("scan", "anon/bitmap", "look_cpu_ns", [30]) + rounds("scan", "anon/bitmap", "read_cpu_ns", [12])
        self.assertEqual(42, tables.look_ns(Measurements(parsed(text))))

    def test_instructions_alone(self) -> None:
        text = (self.SIZE + rounds("scan", "anon/k=6", "look_cpu_ns", [2**20]) + rounds("scan", "anon/clear_refs", "look_cpu_ns", [2**24])
                + rounds("scan", "anon/nothing", "touch_in_order_ns", [2**22]) + rounds("scan", "anon/nothing", "touch_random_ns", [2**22]))
        counted = Measurements(parsed(text, clock="count"))
        self.assertIn("| anon, k=6 | 0 | - | - | - | 2 | 0.062 |", tables.scan(counted))
        self.assertIn("in CPU time. Not measured.", tables.scan(counted))
        self.assertIn("| anon, after nothing | - | - | - | 8.0 | - | - | - | 8.0 |", tables.touch(counted))

    def test_nothing_measured(self) -> None:
        self.assertEqual(tables.NOT_MEASURED, tables.scan(Measurements([])))
        self.assertEqual(tables.NOT_MEASURED, tables.touch(Measurements([])))


class Overhead(unittest.TestCase):
    def report(self, off: list[int], plain: Sequence[int] = (1000, 1010, 1005)) -> str:
        def boot(kernel: str, costs: Sequence[int]) -> list:
            text = rounds("fault", "anon", "fault_cpu_ns", costs) + rounds("fault", "anon", "pages", [1] * len(costs))
            return parsed(text, clock="count", kernel=kernel)

        return tables.fault(Measurements(boot("plain", plain) + boot("tmm", off)))

    def test_within_the_spread_of_plain_rounds(self) -> None:
        self.assertIn("+0.50%, plain rounds differ by 1.00%: **reached**", self.report([1010, 1010, 1010]))

    def test_beyond_it(self) -> None:
        self.assertIn("**missed** by 2.49%", self.report([1040, 1040, 1040]))

    def test_less_is_reached(self) -> None:
        self.assertIn("**reached**", self.report([900, 900, 900]))

    def test_one_bad_round_does_not_widen_the_spread(self) -> None:
        self.assertIn("**missed** by 2.49%", self.report([1040, 1040, 1040], plain=[1000, 1010, 1005, 1003, 9000]))

    def test_nothing_is_decided_if_rounds_differ_much(self) -> None:
        self.assertIn("not decided", self.report([1010, 1010, 1010], plain=[500, 1000, 1500]))


class Small(unittest.TestCase):
    def test_a_line_compares_the_classes(self) -> None:
        text = "".join(f"small,locked; no swap; {kind},0,{metric},{value}\n" for kind, values in
                       (("opaque", (100, 100, 12 * tables.MIB, 8e9)), ("transparent", (150, 100, 2 * tables.MIB, 16e9)))
                       for metric, value in zip(("scanned", "stolen", "slab_after", "stream_wall_ns"), values, strict=True))
        self.assertIn("| mglru, locked; no swap | 1.00 | 12.0 | 100 | 1.50 | 2.0 | 50 |", tables.small(Measurements(parsed(text))))

    def test_what_was_not_measured_is_a_dash(self) -> None:
        text = "small,locked; no swap; opaque,0,scanned,1\nsmall,locked; no swap; opaque,0,stolen,1\n"
        self.assertIn("| 1.00 | - | - | - | - | - |", tables.small(Measurements(parsed(text))))


class Code(unittest.TestCase):
    HEAD = "   text\t   data\t    bss\t    dec\t    hex\tfilename\n"

    def test_only_what_changed_and_tests_do_not_count(self) -> None:
        plain = tables.parse_sizes(self.HEAD + "100 1 2 103 67 mm/vmscan.o\n50 0 0 50 32 mm/util.o\n")
        tmm = tables.parse_sizes(self.HEAD + "110 1 2 113 71 mm/vmscan.o\n50 0 0 50 32 mm/util.o\n7 0 0 7 7 mm/tmm/scan.o\n"
                                 "9 0 0 9 9 mm/tmm/tmm_kunit.o\n")
        text = tables.code(plain, tmm)
        self.assertIn("| mm/vmscan.o | 100 | 110 | +10 | +10.00% |", text)
        self.assertIn("| mm/tmm/scan.o | 0 | 7 | +7 | new |", text)
        self.assertNotIn("util.o", text)
        self.assertIn("All together +17 bytes", text)

    def test_without_the_files(self) -> None:
        self.assertIn("Not measured", tables.code(None, {}))


if __name__ == "__main__":
    unittest.main()

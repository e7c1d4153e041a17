#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""Unit tests of races.py."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import races  # noqa: E402

LOG = """[    1.000000] Run /sbin/vm-init as init process
[   12.345678] ==================================================================
[   12.345679] BUG: KCSAN: data-race in folio_batch_move_lru / tmm_scan_folio.isra.0
[   12.345680] write to 0xffff888003c0f0e8 of 8 bytes by task 12 on cpu 1:
[   13.000000] BUG: KCSAN: data-race in folio_batch_move_lru / tmm_scan_folio.isra.0
[   14.000000][  T123] BUG: KCSAN: data-race in fill_rb
"""

PATCH = """diff --git a/mm/tmm/scan.c b/mm/tmm/scan.c
--- /dev/null
+++ b/mm/tmm/scan.c
@@ -0,0 +1,9 @@
+static bool tmm_harvest_one(struct folio *folio, struct vm_area_struct *vma,
+\t\t\t    unsigned long addr, void *arg)
+{
+\twhile (page_vma_mapped_walk(&pvmw)) {
+void tmm_declared(void);
+static __always_inline void tmm_update_lru_size(struct lruvec *lruvec,
+static struct folio *tmm_get_folio(unsigned long pfn)
 static void not_added(void)
diff --git a/Documentation/tmm.rst b/Documentation/tmm.rst
--- /dev/null
+++ b/Documentation/tmm.rst
@@ -0,0 +1 @@
+or a system call such as read(2) and
"""


class Reports(unittest.TestCase):
    def test_each_race_is_found_once_in_order(self) -> None:
        self.assertEqual(races.races(LOG), [races.Race(("folio_batch_move_lru", "tmm_scan_folio")), races.Race(("fill_rb",))])

    def test_no_reports(self) -> None:
        self.assertEqual(races.races("[    1.000000] BUG: kernel NULL pointer dereference\n"), [])
        self.assertEqual(races.races(""), [])

    def test_what_is_left_has_everything_else(self) -> None:
        other = "[   15.000000] BUG: kernel NULL pointer dereference\n"
        self.assertEqual(races.without_reports(other), other)
        self.assertNotIn("BUG", races.without_reports(LOG))

    def test_a_report_that_is_cut_short(self) -> None:
        self.assertEqual(races.races("[    1.000000] BUG: KCSAN: data-race in "), [])


class Functions(unittest.TestCase):
    def test_definitions_only(self) -> None:
        self.assertEqual(races.functions_of(PATCH), {"tmm_harvest_one", "tmm_update_lru_size", "tmm_get_folio"})

    def test_the_series_has_the_scanner(self) -> None:
        folder = pathlib.Path(__file__).resolve().parents[1] / "patches"
        self.assertLessEqual({"tmm_scan", "folio_clear_idle_by_mm", "tmm_note_access"}, races.functions_of_series(folder))


if __name__ == "__main__":
    unittest.main()

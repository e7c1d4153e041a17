# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmmd without a bus, and on a kernel without TMM."""
import unittest

from bus_fixture import TMM, BusFixture, await_true


class Lost(unittest.TestCase):
    def test_a_bus_that_is_lost_and_comes_back(self) -> None:
        fixture = BusFixture(with_polkit=False)
        self.addCleanup(fixture.close)
        for _ in range(2):
            lost = fixture.log().count("no D-Bus")
            fixture.stop("bus")
            await_true("it says so", lambda: fixture.log().count("no D-Bus") > lost)
            self.assertTrue(fixture.is_alive(), fixture.log())
            fixture.start_bus()
            fixture.await_name(TMM)
            self.assertEqual(fixture.client().get("Version").error, "")
        self.assertEqual(fixture.log().count("no D-Bus"), 2, fixture.log())
        self.assertEqual(fixture.log().count("D-Bus is back"), 2, fixture.log())

    def test_a_bus_that_comes_late(self) -> None:
        fixture = BusFixture(with_polkit=False, with_bus=False)
        self.addCleanup(fixture.close)
        await_true("it says so", lambda: "no D-Bus" in fixture.log())
        await_true("it works", lambda: "samples from" in fixture.log())
        fixture.start_bus()
        fixture.await_name(TMM)
        self.assertEqual(fixture.log().count("no D-Bus"), 1, fixture.log())


class NoKernel(unittest.TestCase):
    def test_on_a_kernel_without_tmm_it_says_so_to_those_who_ask(self) -> None:
        fixture = BusFixture(with_polkit=False, with_kernel=False)
        self.addCleanup(fixture.close)
        asker = fixture.client()
        self.assertEqual(asker.get("State").value, "trouble")
        self.assertIn("the running kernel has no TMM", asker.get("Reason").value)
        self.assertEqual(asker.get("ReasonCode").value, "no-kernel")
        self.assertEqual(asker.get("Source").value, "none")
        fixture.make_files(with_kernel=True)
        fixture.await_state(asker, "giving")

    def test_with_nobody_to_tell_it_ends(self) -> None:
        fixture = BusFixture(with_polkit=False, with_bus=False, with_kernel=False)
        self.addCleanup(fixture.close)
        self.assertEqual(await_true("its end", lambda: fixture.processes["tmmd"].poll()), 1)
        self.assertIn("the running kernel has no TMM", fixture.log())

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""tmmd goes on without a bus, and on a kernel without TMM."""
import unittest

from world import TMM, World, await_true


class Lost(unittest.TestCase):
    def test_a_bus_that_is_lost_and_comes_back(self) -> None:
        world = World(with_polkit=False)
        self.addCleanup(world.close)
        for _ in range(2):
            lost = world.log().count("no D-Bus")
            world.stop("bus")
            await_true("it says so", lambda: world.log().count("no D-Bus") > lost)
            self.assertTrue(world.is_alive(), world.log())
            world.start_bus()
            world.await_name(TMM)
            self.assertEqual(world.client().get("Version").error, "")
        self.assertEqual(world.log().count("no D-Bus"), 2, world.log())
        self.assertEqual(world.log().count("D-Bus is back"), 2, world.log())

    def test_a_bus_that_comes_late(self) -> None:
        world = World(with_polkit=False, with_bus=False)
        self.addCleanup(world.close)
        await_true("it says so", lambda: "no D-Bus" in world.log())
        await_true("it works", lambda: "samples from" in world.log())
        world.start_bus()
        world.await_name(TMM)
        self.assertEqual(world.log().count("no D-Bus"), 1, world.log())


class NoKernel(unittest.TestCase):
    def test_on_a_kernel_without_tmm_it_says_so_to_those_who_ask(self) -> None:
        world = World(with_polkit=False, with_kernel=False)
        self.addCleanup(world.close)
        asker = world.client()
        self.assertEqual(asker.get("State").value, "trouble")
        self.assertIn("this kernel has no TMM patches", asker.get("Reason").value)
        self.assertEqual(asker.get("Source").value, "none")
        world.make_files(with_kernel=True)
        world.await_state(asker, "giving")

    def test_with_nobody_to_tell_it_ends(self) -> None:
        world = World(with_polkit=False, with_bus=False, with_kernel=False)
        self.addCleanup(world.close)
        self.assertEqual(await_true("its end", lambda: world.processes["tmmd"].poll()), 1)
        self.assertIn("this kernel has no TMM patches", world.log())

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
"""Unit tests of lib.bash: of the tree that builds share, on a source of three files, and of the series with its selftests."""

import os
import pathlib
import subprocess
import tarfile
import tempfile
import unittest

LIB = pathlib.Path(__file__).resolve().parent / "lib.bash"
# A header for all, a file that two patches change one after the other, and a new file.
FIRST = """--- a/mm/both.c
+++ b/mm/both.c
@@ -1 +1 @@
-plain
+first
--- a/mm/header.h
+++ b/mm/header.h
@@ -1 +1 @@
-plain
+first
"""
SECOND = """--- a/mm/both.c
+++ b/mm/both.c
@@ -1 +1 @@
-first
+second
--- /dev/null
+++ b/mm/tmm/new.c
@@ -0,0 +1 @@
+new
"""


class SharedTree(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tree = self.folder / "tree"
        self.tarball = self.pack("linux.tar.xz", "plain\n")
        (self.folder / "0001-first.patch").write_text(FIRST)
        (self.folder / "0002-second.patch").write_text(SECOND)

    def pack(self, name: str, text: str) -> pathlib.Path:
        source = self.folder / f"{name}-files" / "linux-source-6.12"
        for file in ("mm/both.c", "mm/header.h", "mm/other.c", "drivers/gpu/drm/Kconfig", "drivers/gpu/drm/card.c",
                     "include/sound/core.h"):
            (source / file).parent.mkdir(parents=True, exist_ok=True)
            (source / file).write_text(text)
        with tarfile.open(self.folder / name, "w:xz") as archive:
            archive.add(source, source.name)
        return self.folder / name

    def bash(self, script: str) -> subprocess.CompletedProcess:
        return subprocess.run(["bash", "-euc", f". {LIB}; {script}"], cwd=self.folder, capture_output=True, text=True, check=False)

    def take(self, *patches: str) -> str:
        done = self.bash(f"take_tree . {self.tarball} tree {' '.join(patches)}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def leave(self) -> None:
        self.assertEqual(self.bash("leave_tree . tree").returncode, 0)
        self.assertEqual([path.name for path in self.folder.glob("linux-tree*")], ["linux-tree"])
        self.assertFalse(self.tree.exists())

    def texts(self) -> list[str]:
        files = [self.tree / "mm" / name for name in ("both.c", "header.h", "tmm/new.c")]
        return [file.read_text().strip() if file.exists() else "" for file in files]

    def make_old(self) -> None:
        """As if all of it had been compiled long ago."""
        for file in (self.tree / "mm").rglob("*.?"):
            os.utime(file, (1000, 1000))

    def changed(self) -> set[str]:
        return {file.name for file in (self.tree / "mm").rglob("*.?") if file.stat().st_mtime != 1000}

    def test_the_next_build_takes_what_was_left(self) -> None:
        self.assertIn("unpacking", self.take())
        self.assertEqual(self.texts(), ["plain", "plain", ""])
        (self.tree / "object").touch()
        self.leave()
        self.assertNotIn("unpacking", self.take("0001-first.patch", "0002-second.patch"))
        self.assertEqual(self.texts(), ["second", "first", "new"])
        self.assertTrue((self.tree / "object").exists())
        self.leave()
        self.assertNotIn("unpacking", self.take())
        self.assertEqual(self.texts(), ["plain", "plain", ""])

    def test_commands_follow_the_tree(self) -> None:
        self.take()
        command = self.tree / ".vm/tools/objtool/.check.o.cmd"
        command.parent.mkdir(parents=True)
        command.write_text(f"gcc {self.tree.resolve()}/tools/objtool/check.c\n")
        self.leave()
        done = self.bash(f"take_tree . {self.tarball} elsewhere")
        self.assertEqual(done.returncode, 0, done.stderr)
        moved = self.folder.resolve() / "elsewhere"
        self.assertEqual((moved / ".vm/tools/objtool/.check.o.cmd").read_text(), f"gcc {moved}/tools/objtool/check.c\n")

    def test_only_files_that_differ_are_new(self) -> None:
        self.take("0001-first.patch")
        self.make_old()
        self.take("0001-first.patch")
        self.assertEqual(self.changed(), set())
        self.take("0001-first.patch", "0002-second.patch")
        self.assertEqual(self.changed(), {"both.c", "new.c"})

    def test_nobody_else_can_take_a_tree_that_is_in_use(self) -> None:
        self.take()
        self.leave()
        self.take()
        done = self.bash(f"take_tree . {self.tarball} second-tree")
        self.assertIn("unpacking", done.stdout)
        self.leave()
        self.assertEqual(self.bash("leave_tree . second-tree").returncode, 0)
        self.assertEqual([path.name for path in self.folder.glob("linux-tree*")], ["linux-tree"])

    def test_an_interruption_between_patches_costs_the_tree(self) -> None:
        self.take("0001-first.patch")
        (self.tree / ".tmm-changing").touch()
        self.assertIn("unpacking", self.take("0001-first.patch"))
        self.assertEqual(self.texts(), ["first", "first", ""])

    def test_an_interruption_of_unpacking_costs_the_tree(self) -> None:
        self.take()
        (self.tree / ".tmm-source").unlink()
        (self.tree / "mm/other.c").unlink()
        self.take()
        self.assertTrue((self.tree / "mm/other.c").exists())

    def test_another_source_is_unpacked(self) -> None:
        self.take()
        self.leave()
        self.tarball = self.pack("newer.tar.xz", "newer\n")
        self.take()
        self.assertEqual(self.texts(), ["newer", "newer", ""])

    def test_a_patch_that_does_not_fit_is_named(self) -> None:
        self.take()
        done = self.bash(f'take_tree . {self.tarball} tree 0002-second.patch || echo "bad: $bad_patch"')
        self.assertIn("bad: 0002-second.patch", done.stdout)
        self.take()
        self.assertEqual(self.texts(), ["plain", "plain", ""])

    def test_drivers_are_left_out_but_their_kconfig(self) -> None:
        self.take()
        self.assertFalse((self.tree / "drivers/gpu/drm/card.c").exists())
        self.assertTrue((self.tree / "drivers/gpu/drm/Kconfig").exists())
        self.assertTrue((self.tree / "include/sound/core.h").exists())


class Releases(unittest.TestCase):
    """Which patches and which source belong to a release of Linux."""

    def bash(self, script: str) -> list[str]:
        environment = {name: value for name, value in os.environ.items() if name != "TMM_LINUX_SOURCE"}
        done = subprocess.run(["bash", "-euc", f". {LIB}; {script}"], cwd=LIB.parents[1], env=environment, capture_output=True, text=True,
                              check=True)
        return done.stdout.split()

    def test_each_has_its_source(self) -> None:
        self.assertEqual(self.bash("linux_tarball"), ["/usr/src/linux-source-6.12.tar.xz"])
        self.assertEqual(self.bash("linux_tarball 7.3"), ["/usr/src/linux-source-7.3.tar.xz"])
        self.assertEqual(self.bash("TMM_LINUX_SOURCE=/other.tar.xz; linux_tarball 7.3"), ["/other.tar.xz"])

    def test_each_has_its_patches(self) -> None:
        self.assertEqual({str(pathlib.Path(path).parent) for path in self.bash("code_patches")}, {"kernel/patches"})
        self.assertEqual({str(pathlib.Path(path).parent) for path in self.bash("code_patches 7.3")}, {"kernel/patches/linux-7.3"})
        self.assertEqual(self.bash("code_patches 6.12"), self.bash("code_patches"))

    def test_the_kernel_has_the_test_of_idle_pages_but_not_ours(self) -> None:
        both = self.bash("code_patches; code_patches 7.3")
        self.assertTrue(any("0002-selftests-mm-" in path for path in both))
        self.assertFalse(any("-selftests-tmm-" in path for path in both))


SELFTESTS = """From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
From: The TMM authors <tmm@example.org>
Date: Sat, 21 Nov 2026 10:11:16 +0000
Subject: [PATCH 2/2] selftests: tmm: test it

Signed-off-by: The TMM authors <tmm@example.org>
---
 tools/testing/selftests/Makefile | 1 +
 1 file changed, 1 insertion(+)

diff --git a/tools/testing/selftests/Makefile b/tools/testing/selftests/Makefile
--- a/tools/testing/selftests/Makefile
+++ b/tools/testing/selftests/Makefile
@@ -1 +1,2 @@
 TARGETS = others
+TARGETS += tmm
"""


class CompleteSeries(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "kernel/patches").mkdir(parents=True)
        (self.folder / "kernel/patches/0001-first.patch").write_text(FIRST)
        (self.folder / "kernel/patches/0002-selftests-tmm.patch").write_text(SELFTESTS)
        # As a file of each kind: the last line may lack its end, and spaces are not ours to change.
        self.selftests = {"a_test.c": "int a;\n\n\treturn; \n", "config": "CONFIG_A=y", ".gitignore": "*.o\n"}
        (self.folder / "kernel/selftests").mkdir()
        for name, text in self.selftests.items():
            (self.folder / "kernel/selftests" / name).write_text(text)
        (self.folder / "kernel/selftests/.clang-format").write_text("Language: Cpp\n")

    def test_it_has_the_selftests(self) -> None:
        subprocess.run(["bash", "-euc", f". {LIB}; complete_series series"], cwd=self.folder, check=True)
        self.assertEqual((self.folder / "series/0001-first.patch").read_text(), FIRST)
        patch = (self.folder / "series/0002-selftests-tmm.patch").read_text()
        (self.folder / "tree/tools/testing/selftests").mkdir(parents=True)
        (self.folder / "tree/tools/testing/selftests/Makefile").write_text("TARGETS = others\n")
        for command in (["git", "init", "-q"], ["git", "apply", "--whitespace=nowarn", "-"]):
            subprocess.run(command, cwd=self.folder / "tree", input=patch, text=True, check=True)
        applied = self.folder / "tree/tools/testing/selftests"
        self.assertEqual((applied / "Makefile").read_text(), "TARGETS = others\nTARGETS += tmm\n")
        self.assertEqual({file.name: file.read_text() for file in (applied / "tmm").iterdir()}, self.selftests)

    def test_no_patch_here_repeats_them(self) -> None:
        for patch in (LIB.parent / "patches").glob("*.patch"):
            self.assertFalse("\n+++ b/tools/testing/selftests/tmm/" in patch.read_text(), patch.name)


if __name__ == "__main__":
    unittest.main()

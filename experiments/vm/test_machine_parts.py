# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Command lines of QEMU and of the disk server, what the guest is told, and how tools folders are merged."""

import dataclasses
import io
import pathlib
import shlex
import tempfile
import unittest
import unittest.mock

from . import disks, process, products, qemu, settings
from .errors import KitError
from .machine import Machine

SHAPE = qemu.MachineShape(kernel=pathlib.Path("/k/bzImage"), ram_mb=512, cpus=2, disks=("root", "tools", "swap"),
                          socket=pathlib.Path("/w/a,b.sock"), results_dir=pathlib.Path("/r,1"),
                          serial_log=pathlib.Path("/r,1/serial.log"), kernel_args=("quiet",))


class Qemu(unittest.TestCase):
    def test_disks_are_in_order_behind_one_socket(self) -> None:
        drives = [word for word in qemu.command_line(SHAPE) if word.startswith("driver=nbd")]
        self.assertEqual([word.rsplit("export=")[-1] for word in drives], ["root", "tools", "swap"])

    def test_commas_in_paths_are_doubled(self) -> None:
        line = " ".join(qemu.command_line(SHAPE))
        for part in ("server.path=/w/a,,b.sock,", "path=/r,,1,security_model", "path=/r,,1/serial.log"):
            self.assertIn(part, line)

    def test_emulation_unless_asked(self) -> None:
        self.assertIn("tcg,thread=multi", qemu.command_line(SHAPE))
        self.assertIn("kvm", qemu.command_line(dataclasses.replace(SHAPE, kvm=True)))

    def test_counts_instructions_on_request(self) -> None:
        self.assertNotIn("-icount", qemu.command_line(SHAPE))
        command = qemu.command_line(dataclasses.replace(SHAPE, count_instructions=True))
        self.assertIn("shift=0,sleep=off", command)
        self.assertIn("tcg,thread=single", command)

    def test_the_guest_knows_how_fast_the_host_ticks(self) -> None:
        told = dataclasses.replace(SHAPE, host_tsc_khz=2594000)
        self.assertIn("tsc_early_khz=2594000", qemu.kernel_command_line(told).split())
        # These processors tick at another rate, or tell theirs.
        for other in (dataclasses.replace(told, count_instructions=True), dataclasses.replace(told, kvm=True), SHAPE):
            self.assertNotIn("tsc_early_khz", qemu.kernel_command_line(other))

    def test_a_panic_ends_the_machine(self) -> None:
        words = qemu.kernel_command_line(SHAPE).split()
        self.assertLessEqual({"panic=-1", "oops=panic", "printk.time=1", "quiet", "no_timer_check"}, set(words))
        self.assertIn("-no-reboot", qemu.command_line(SHAPE))


class DiskServer(unittest.TestCase):
    def exports(self, backing: str, swap_mb: int) -> tuple[list[str], tuple[str, ...]]:
        paths = [pathlib.Path(path) for path in ("/p.so", "/s", "/root.ext4", "/tools.ext4")]
        return disks.server_command(paths[0], paths[1], settings.BACKINGS[backing], paths[2], paths[3], swap_mb)

    def test_hdd(self) -> None:
        command, names = self.exports("hdd", 3)
        self.assertEqual(names, ("root", "tools", "swap"))
        self.assertLessEqual({"latency-us=2500", "serial=true", "memory=swap:3145728", "file=root:/root.ext4"}, set(command))

    def test_nvme_is_parallel(self) -> None:
        self.assertIn("serial=false", self.exports("nvme", 3)[0])

    def test_no_swap_disk_for_zram_or_no_swap(self) -> None:
        self.assertEqual(self.exports("zram", 3)[1], ("root", "tools"))
        self.assertEqual(self.exports("hdd", 0)[1], ("root", "tools"))


class Guest(unittest.TestCase):
    def test_swap_kind(self) -> None:
        for backing, swap_mb, expected in (("hdd", 5, "disk"), ("zram", 5, "zram"), ("zram", 0, "none")):
            text = disks.guest_settings(settings.BACKINGS[backing], swap_mb, "mglru", "command")
            self.assertIn(f"SWAP={expected}\n", text)

    def test_arguments_survive_the_shell(self) -> None:
        command = ["sh", "-c", "echo 'a' \"$b\"", "", "x y\n"]
        self.assertEqual(shlex.split(disks.guest_command(command).split("exec ", 1)[1]), command)

    def test_systemd_has_to_be_in_the_root_file_system(self) -> None:
        with self.assertRaisesRegex(KitError, "--with systemd-sysv"):
            Machine(systemd=True, packages=("dbus",)).prepare()

    def test_a_kernel_of_debian_has_to_be_in_the_root_file_system(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / "root.ext4"
            with self.assertRaisesRegex(KitError, "--with linux-image-amd64"):
                products.debian_kernel(root)
            for name in ("vmlinuz", "initrd.img"):
                (root.parent / name).touch()
            self.assertEqual(products.debian_kernel(root), (root.parent / "vmlinuz", root.parent / "initrd.img"))

    def test_only_a_longer_run_can_hang_at_boot(self) -> None:
        machine = Machine(timeout_s=100, boot_timeout_s=60)
        self.assertEqual([machine.limit(has_booted) for has_booted in (False, True)], [(60, True), (100, False)])
        self.assertEqual(dataclasses.replace(machine, timeout_s=50).limit(False), (50, False))

    def test_systemd_has_no_shell(self) -> None:
        with self.assertRaisesRegex(KitError, "vm run"):
            Machine(systemd=True, packages=("systemd-sysv",)).shell(pathlib.Path("/nonexistent"))


class RootFileSystem(unittest.TestCase):
    def test_packages_and_the_desktop_are_asked_for(self) -> None:
        with unittest.mock.patch.object(products, "printed_path") as made:
            products.root_image.__wrapped__(("vim",), True)
            products.root_image.__wrapped__()
        commands = [call.args[0] for call in made.call_args_list]
        self.assertEqual(commands, [["experiments/vm/rootfs/build", "--desktop", "--with", "vim"], ["experiments/vm/rootfs/build"]])


class Merging(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root_ = pathlib.Path(folder.name)
        for name in ("one", "two", "target"):
            (self.root_ / name).mkdir()

    def test_later_over_earlier(self) -> None:
        (self.root_ / "one/sub").mkdir()
        (self.root_ / "one/sub/a").write_text("1", encoding="utf-8")
        (self.root_ / "one/sub/b").write_text("1", encoding="utf-8")
        (self.root_ / "one/dir-or-file").mkdir()
        (self.root_ / "two/sub").mkdir()
        (self.root_ / "two/sub/a").write_text("2", encoding="utf-8")
        (self.root_ / "two/dir-or-file").write_text("2", encoding="utf-8")
        (self.root_ / "two/dangling").symlink_to("/nowhere")
        for name in ("one", "two"):
            disks.merge(self.root_ / name, self.root_ / "target")
        target = self.root_ / "target"
        texts = [(target / name).read_text(encoding="utf-8") for name in ("sub/a", "sub/b", "dir-or-file")]
        self.assertEqual(texts, ["2", "1", "2"])
        self.assertTrue((target / "dangling").is_symlink())
        self.assertEqual((self.root_ / "one/sub/a").read_text(encoding="utf-8"), "1")

    def test_a_file_where_a_folder_comes(self) -> None:
        (self.root_ / "one/x").write_text("1", encoding="utf-8")
        (self.root_ / "two/x").mkdir()
        for name in ("one", "two"):
            disks.merge(self.root_ / name, self.root_ / "target")
        self.assertTrue((self.root_ / "target/x").is_dir())
        self.assertTrue((self.root_ / "one/x").is_file())

    def test_a_missing_folder_is_named(self) -> None:
        with self.assertRaisesRegex(KitError, "nowhere"):
            disks.pack_tools(self.root_, [self.root_ / "nowhere"], {})

    def test_kit_files_never_change_the_owner_s(self) -> None:
        (self.root_ / "one/.kit").mkdir()
        (self.root_ / "one/.kit/command").write_text("mine", encoding="utf-8")
        self.assertGreater(disks.pack_tools(self.root_, [self.root_ / "one"], {"command": "theirs"}).stat().st_size, 0)
        self.assertEqual((self.root_ / "one/.kit/command").read_text(encoding="utf-8"), "mine")


class Following(unittest.TestCase):
    def test_each_byte_once_from_the_moment_the_file_appears(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, sink = pathlib.Path(folder) / "stdout", io.BytesIO()
            follower = process.Follower(path, sink)
            follower.pass_on()
            path.write_bytes(b"one")
            follower.pass_on()
            follower.pass_on()
            with path.open("ab") as file:
                file.write(b"\x00two")
            follower.pass_on()
            self.assertEqual(sink.getvalue(), b"one\x00two")

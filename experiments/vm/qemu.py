# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's command line, as pure text."""

import dataclasses
import pathlib

PROGRAM = "qemu-system-x86_64"


@dataclasses.dataclass(frozen=True)
class MachineShape:
    """QEMU's parameters of one machine."""

    kernel: pathlib.Path
    ram_mb: int
    cpus: int
    disks: tuple[str, ...]  # names of the disk server's exports, in the order of /dev/vda, /dev/vdb ...
    socket: pathlib.Path
    results_dir: pathlib.Path
    serial_log: pathlib.Path
    interactive: bool = False
    kvm: bool = False
    count_instructions: bool = False
    host_tsc_khz: int | None = None
    kernel_args: tuple[str, ...] = ()
    initrd: pathlib.Path | None = None


def option_value(text: object) -> str:
    """A comma ends a value on QEMU's command line unless it is doubled."""
    return str(text).replace(",", ",,")


def kernel_command_line(shape: MachineShape) -> str:
    # A busy host starves the emulated timer for so long that the kernel's check of it fails, and panics.
    # An oops is a panic, and a panic ends the machine at once, without a timeout.
    fixed = ("console=ttyS0 root=/dev/vda rw rootfstype=ext4 init=/sbin/vm-init printk.time=1 oops=panic panic=-1 no_timer_check "
             "random.trust_cpu=on loglevel=5")
    return " ".join((fixed, *clock(shape), *shape.kernel_args))


def clock(shape: MachineShape) -> tuple[str, ...]:
    """The emulated processor counts the host's ticks. The guest would measure them by the emulated timer, which a busy host starves:
    its clock then went up to four times too fast."""
    if shape.kvm or shape.count_instructions or not shape.host_tsc_khz:
        return ()
    return (f"tsc_early_khz={shape.host_tsc_khz}",)


def accelerator(shape: MachineShape) -> list[str]:
    if shape.kvm:
        return ["-accel", "kvm", "-cpu", "host"]
    if shape.count_instructions:
        return ["-accel", "tcg,thread=single", "-cpu", "max", "-icount", "shift=0,sleep=off"]
    return ["-accel", "tcg,thread=multi", "-cpu", "max"]


def command_line(shape: MachineShape) -> list[str]:
    command = [PROGRAM, "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-machine", "pc"]
    command += accelerator(shape)
    command += ["-smp", str(shape.cpus), "-m", f"{shape.ram_mb}M"]
    command += ["-kernel", str(shape.kernel), "-append", kernel_command_line(shape)]
    if shape.initrd:
        command += ["-initrd", str(shape.initrd)]
    log = option_value(shape.serial_log)
    if shape.interactive:
        command += ["-chardev", f"stdio,id=console,signal=off,logfile={log}"]
    else:
        command += ["-chardev", f"file,id=console,path={log}"]
    command += ["-serial", "chardev:console", "-object", "iothread,id=disks"]
    server = f"server.type=unix,server.path={option_value(shape.socket)}"
    for disk in shape.disks:
        command += ["-blockdev", f"driver=nbd,node-name={disk},{server},export={disk}"]
        command += ["-device", f"virtio-blk-pci,drive={disk},iothread=disks"]
    command += ["-fsdev", f"local,id=results,path={option_value(shape.results_dir)},security_model=none"]
    command += ["-device", "virtio-9p-pci,fsdev=results,mount_tag=results"]
    return command

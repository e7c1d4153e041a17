#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""staged.py BUILD_DIR TREE: installs what meson compiled in BUILD_DIR, with any prefix, into the new folder TREE, in the places that Debian's
packages have."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Where systemd's package says where units belong, that place counts, as in meson.build.
UNIT_DIR = "usr/lib/systemd/system"


def options(build: pathlib.Path) -> dict[str, str]:
    text = subprocess.run(["meson", "introspect", "--buildoptions", build], check=True, capture_output=True, text=True).stdout
    return {option["name"]: option["value"] for option in json.loads(text)}


def as_packaged(path: pathlib.PurePath, prefix: str, sysconfdir: str) -> str:
    """The path of an installed file, with the prefix and the folder of configuration that a package has; without the first slash."""
    prefix_path = pathlib.PurePath(prefix)
    for folder, packaged in ((prefix_path / sysconfdir, "etc"), (prefix_path, "usr")):
        if path.is_relative_to(folder):
            return str(packaged / path.relative_to(folder))
    return str(path.relative_to("/"))


def unit_dir_of_release() -> str:
    asked = subprocess.run(["pkg-config", "--variable=systemd_system_unit_dir", "systemd"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True, check=False)
    return asked.stdout.strip().lstrip("/") or UNIT_DIR


def place(installed: pathlib.Path, tree: pathlib.Path, prefix: str, sysconfdir: str, unit_dir: str) -> None:
    """Copies a tree that was installed with this prefix. Units name programs by their paths."""
    for path in sorted(installed.rglob("*")):
        packaged = as_packaged("/" / path.relative_to(installed), prefix, sysconfdir)
        if packaged.startswith(f"{UNIT_DIR}/"):
            packaged = unit_dir + packaged.removeprefix(UNIT_DIR)
        target = tree / packaged
        if path.is_dir() and not path.is_symlink():
            # A package has empty folders, too, but not those that only lead to the prefix.
            if not any(path.iterdir()):
                target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)
        if target.suffix == ".service":
            target.write_text(path.read_text(encoding="utf-8").replace(f"{prefix}/", "/usr/"), encoding="utf-8")


def main() -> int:
    build, tree = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    values = options(build)
    with tempfile.TemporaryDirectory(prefix="tmm-staged-") as folder:
        # It names what is not compiled.
        if subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", folder], check=False).returncode != 0:
            return 1
        place(pathlib.Path(folder), tree, values["prefix"], values["sysconfdir"], unit_dir_of_release())
    return 0


if __name__ == "__main__":
    sys.exit(main())

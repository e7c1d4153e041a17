#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the documents that quote committed results again, from these results. `git diff` then shows what has changed."""

import argparse
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# The package of each experiment; its module `committed` makes the documents.
PACKAGES = {"03-resume-after-idle": "idle", "04-boinc": "science", "05-sources": "turns"}
sys.path[1:1] = [str(HERE / folder) for folder in PACKAGES]


def documents(package: str) -> dict[pathlib.Path, str]:
    """By their paths."""
    importlib.import_module(package)
    return importlib.import_module(f"{package}.committed").documents()


def main() -> None:
    argparse.ArgumentParser(prog="reports.py", description=__doc__).parse_args()
    for package in PACKAGES.values():
        for path, text in documents(package).items():
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

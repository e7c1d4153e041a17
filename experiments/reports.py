#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the documents that quote committed results again, from these results. `git diff` then shows what has changed."""

import argparse
import importlib
import pathlib
import sys

from desk.errors import DeskError
from desk.report import template

HERE = pathlib.Path(__file__).resolve().parent
# The package of each experiment; its module `committed` makes the documents.
PACKAGES = {"01-coffee-break": "coffee", "02-days": "compare", "03-resume-after-idle": "idle", "04-boinc": "science", "05-sources": "turns",
            "08-far-memory": "far"}
sys.path[1:1] = [str(HERE / folder) for folder in PACKAGES]
COFFEE, DAYS, IDLE, SCIENCE, TURNS, FAR = (importlib.import_module(f"{package}.committed") for package in PACKAGES.values())


def of_several() -> dict[pathlib.Path, str]:
    """The documents that quote more than one experiment."""
    policy, owners = (HERE.parent / "docs" / name for name in ("policy.md", "owners.md"))
    kinds = {"stock": "", "old": "-6.1", "large": "-6G", "newest_large": "-7.3-6G"}
    boots = {name: IDLE.rows(f"nvme-lived-in{kind}").tmm_stock for name, kind in kinds.items()}
    newest = IDLE.rows("nvme-lived-in-7.3") + IDLE.rows("nvme-lived-in-7.3-again")
    names = COFFEE.names() | boots | {"newest": newest, "remedies": IDLE.names()["others"]}
    pages = (HERE.parent / "README.md", HERE / "README.md")
    return {**{page: template.passages(page, HERE / "README.template.md", names) for page in pages},
            owners: template.passages(owners, HERE / "owners.template.md", DAYS.names() | {"breaks": IDLE.rows("nvme-lived-in"), "rows": IDLE.rows}),
            policy: template.passages(policy, HERE / "policy.template.md", DAYS.names() | TURNS.names())}


# Each gives texts by their paths.
DOCUMENTS = {**{module.__package__: module.documents for module in (COFFEE, DAYS, IDLE, SCIENCE, TURNS, FAR)}, "several": of_several}


def main() -> int:
    argparse.ArgumentParser(prog="reports.py", description=__doc__).parse_args()
    try:
        made = [of_some() for of_some in DOCUMENTS.values()]
    except DeskError as error:
        print(f"reports.py: {error}", file=sys.stderr)
        return 1
    for path, text in (item for documents in made for item in documents.items()):
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The Python programs of scripts/, whose names have no .py, as modules."""
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

SCRIPTS = Path(__file__).resolve().parents[1]


def load(program: str) -> ModuleType:
    name = program.replace("-", "_")
    loader = SourceFileLoader(name, str(SCRIPTS / program))
    module = module_from_spec(spec_from_loader(name, loader))
    # dataclasses look their module up here.
    sys.modules[name] = module
    write_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = write_bytecode
    return module

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hints for Python programs on far memory: what will be read next. Without far memory they do nothing.

    import tmm_far
    tmm_far.will_read(table[:, 3])   # a column of a numpy array, before the program goes through it
"""
import ctypes
from collections.abc import Iterable
from itertools import pairwise

PAGE = 4096
MAX_EDGES = 1024  # of one call

try:
    _hint = ctypes.CDLL(None).tmm_far_hint
    _hint.restype = ctypes.c_size_t
    _hint.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
except AttributeError:
    _hint = None


def follow(addresses: Iterable[int]) -> int:
    """Says that the pages of these addresses are read one after the other. Returns how many of its edges were taken."""
    pages = []
    for address in addresses:
        if not pages or pages[-1] != address // PAGE * PAGE:
            pages.append(address // PAGE * PAGE)
    if _hint is None:
        return 0
    edges = list(pairwise(pages))
    taken = 0
    for first in range(0, len(edges), MAX_EDGES):
        some = edges[first:first + MAX_EDGES]
        taken += _hint((ctypes.c_uint64 * (2 * len(some)))(*(address for edge in some for address in edge)), len(some))
    return taken


def will_read(array) -> int:
    """Says that a one-dimensional numpy array, such as a column, is read from front to back."""
    (length,), (stride,) = array.shape, array.strides
    step = max(1, PAGE // max(abs(stride), 1))
    start = array.__array_interface__["data"][0]
    return follow(start + i * stride for i in range(0, length, step))

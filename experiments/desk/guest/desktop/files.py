# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The owner's files: static pages with pictures, and a sheet of numbers. The same for the same seed."""

import pathlib
import random
import struct
import zlib

PAGES = 5
PICTURES = 8
PICTURE_SIZE = (800, 600)
SHEET_ROWS, SHEET_COLUMNS = 20000, 15
WORDS = "memory page idle owner break coffee limit donate return fault disk kernel science render cloud patch".split()


def png(width: int, height: int, seed: int) -> bytes:
    """A picture of noise, which nothing can share or compress."""
    generator = random.Random(seed)
    rows = b"".join(b"\0" + generator.randbytes(3 * width) for _ in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def page(number: int, seed: int) -> str:
    generator = random.Random(seed)
    parts = []
    for section in range(60):
        text = " ".join(generator.choice(WORDS) for _ in range(120))
        picture = f'<img src="picture-{(number + section) % PICTURES}.png" width="600">' if section % 20 == 0 else ""
        parts.append(f"<h2>{section}</h2>{picture}<p>{text}</p>")
    return f"<html><head><title>page {number}</title></head><body>{''.join(parts)}</body></html>"


def sheet(rows: int, columns: int, seed: int) -> str:
    generator = random.Random(seed)
    return "".join(",".join(f"{generator.random():.4f}" for _ in range(columns)) + "\n" for _ in range(rows))


def make_files(folder: pathlib.Path) -> None:
    """Writes page-N.html, picture-N.png and sheet.csv. Keeps a folder that exists, since it is complete."""
    if folder.is_dir():
        return
    part = folder.with_suffix(".part")
    part.mkdir(parents=True)
    for number in range(PICTURES):
        (part / f"picture-{number}.png").write_bytes(png(*PICTURE_SIZE, seed=number))
    for number in range(PAGES):
        (part / f"page-{number}.html").write_text(page(number, seed=number), encoding="utf-8")
    (part / "sheet.csv").write_text(sheet(SHEET_ROWS, SHEET_COLUMNS, seed=1), encoding="utf-8")
    part.rename(folder)

# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A memcached server that loses, delays, doubles, cuts off, falsifies and mixes up what it was given: liar.py SOCKET [SEED]."""
import asyncio
import random
import sys

MAX_RECORDS = 40_000


class Liar:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.records: dict[bytes, bytes] = {}
        self.old: list[bytes] = []

    def happens(self, per_mille: float) -> bool:
        return self.random.random() * 1000 < per_mille

    def put(self, key: bytes, value: bytes) -> bytes:
        if self.happens(3):
            return b"SERVER_ERROR out of memory storing object\r\n"
        if key in self.records and self.happens(20):
            self.old.append(self.records[key])
            del self.old[:-1000]
        if self.happens(3):
            return b"STORED\r\n"
        if self.happens(3):
            at = self.random.randrange(len(value))
            value = value[:at] + bytes([value[at] ^ 1 << self.random.randrange(8)]) + value[at + 1:]
        self.records[key] = value
        if len(self.records) > MAX_RECORDS:
            del self.records[next(iter(self.records))]
        return b"STORED\r\n"

    def get(self, key: bytes) -> bytes:
        value = self.records.get(key)
        if value is None or self.happens(3):
            return b""
        if self.old and self.happens(5):
            value = self.random.choice(self.old)
        if self.happens(3):
            value = self.records[self.random.choice(list(self.records)[:100])]
        record = b"VALUE %s 0 %d\r\n%s\r\n" % (key, len(value), value)
        return record * 2 if self.happens(3) else record

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while words := (await reader.readline()).split():
                if words[0] == b"set":
                    value = await reader.readexactly(int(words[4]) + 2)
                    answer = self.put(words[1], value[:-2])
                elif words[0] == b"get":
                    answer = b"".join(map(self.get, words[1:])) + b"END\r\n"
                else:
                    answer = b"DELETED\r\n" if self.records.pop(words[1], None) else b"NOT_FOUND\r\n"
                if self.happens(0.3):
                    await asyncio.sleep(self.random.uniform(0, 1.5))
                if self.happens(0.5):
                    writer.write(answer[:self.random.randrange(len(answer))])
                    break
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        writer.close()


async def main() -> None:
    liar = Liar(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    async with await asyncio.start_unix_server(liar.serve, sys.argv[1], limit=1 << 20) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())

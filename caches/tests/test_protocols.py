# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The protocols other than memcached's text."""
import struct

from server import Connection, ServerTest

GET, SET, ADD, DELETE, INCREMENT, QUIT, NOOP, VERSION, GETQ, GETK, APPEND, STAT, SETQ, TOUCH = (
    0x00, 0x01, 0x02, 0x04, 0x05, 0x07, 0x0A, 0x0B, 0x09, 0x0C, 0x0E, 0x10, 0x11, 0x1C)
SUCCESS, NOT_FOUND, EXISTS, TOO_LARGE, INVALID, NOT_STORED, BAD_DELTA, UNKNOWN = 0, 1, 2, 3, 4, 5, 6, 0x81


def packet(opcode: int, key: bytes = b"", value: bytes = b"", extras: bytes = b"", opaque: int = 0, cas: int = 0) -> bytes:
    body = len(extras) + len(key) + len(value)
    return struct.pack(">BBHBBHIIQ", 0x80, opcode, len(key), len(extras), 0, 0, body, opaque, cas) + extras + key + value


class Binary(ServerTest):
    def reply(self) -> tuple[int, int, bytes, bytes, int]:
        """Returns opcode, status, key, value and cas of the next reply."""
        header = self.connection.read(24)
        magic, opcode, key_bytes, extras_bytes, _, status, body_bytes, _, cas = struct.unpack(">BBHBBHIIQ", header)
        self.assertEqual(magic, 0x81)
        body = self.connection.read(body_bytes)
        return opcode, status, body[extras_bytes:extras_bytes + key_bytes], body[extras_bytes + key_bytes:], cas

    def ask(self, *arguments, **named) -> tuple[int, bytes]:
        self.connection.send(packet(*arguments, **named))
        _, status, _, value, _ = self.reply()
        return status, value

    def set(self, key: bytes, value: bytes) -> None:
        self.assertEqual(self.ask(SET, key, value, bytes(8))[0], SUCCESS)

    def test_what_was_set_can_be_got(self) -> None:
        for size in (0, 10, 100000):
            self.set(b"key", b"v" * size)
            self.assertEqual(self.ask(GET, b"key"), (SUCCESS, b"v" * size))
        self.assertEqual(self.ask(GET, b"other"), (NOT_FOUND, b"Not found"))

    def test_quiet_commands_answer_only_what_matters(self) -> None:
        self.set(b"b", b"2")
        self.connection.send(packet(GETQ, b"a") + packet(SETQ, b"c", b"3", bytes(8)) + packet(GETQ, b"b") + packet(NOOP))
        self.assertEqual(self.reply()[3], b"2")
        self.assertEqual(self.reply()[0], NOOP)

    def test_cas_notices_another_writer(self) -> None:
        self.set(b"key", b"a")
        self.connection.send(packet(GETK, b"key"))
        _, _, key, _, cas = self.reply()
        self.assertEqual(key, b"key")
        self.assertEqual(self.ask(SET, b"key", b"b", bytes(8), cas=cas + 1)[0], EXISTS)
        self.assertEqual(self.ask(SET, b"key", b"b", bytes(8), cas=cas)[0], SUCCESS)
        self.assertEqual(self.ask(DELETE, b"key", cas=cas)[0], EXISTS)

    def test_increment(self) -> None:
        never = struct.pack(">QQI", 5, 7, 0xFFFFFFFF)
        self.assertEqual(self.ask(INCREMENT, b"n", extras=never)[0], NOT_FOUND)
        create = struct.pack(">QQI", 5, 7, 0)
        self.assertEqual(self.ask(INCREMENT, b"n", extras=create), (SUCCESS, struct.pack(">Q", 7)))
        self.assertEqual(self.ask(INCREMENT, b"n", extras=create), (SUCCESS, struct.pack(">Q", 12)))
        self.set(b"n", b"text")
        self.assertEqual(self.ask(INCREMENT, b"n", extras=create)[0], BAD_DELTA)

    def test_errors_keep_the_connection(self) -> None:
        self.assertEqual(self.ask(0x7F, b"key", b"value")[0], UNKNOWN)
        self.assertEqual(self.ask(SET, b"key", b"value")[0], INVALID)
        self.assertEqual(self.ask(SET, b"key", b"v" * 2000000, bytes(8))[0], TOO_LARGE)
        self.assertEqual(self.ask(GET, b"k" * 251)[0], INVALID)
        self.assertEqual(self.ask(APPEND, b"none", b"x")[0], NOT_STORED)
        self.assertEqual(self.ask(VERSION)[0], SUCCESS)

    def test_statistics_end_with_an_empty_one(self) -> None:
        self.connection.send(packet(STAT))
        names = set()
        while key := self.reply()[2]:
            names.add(key)
        self.assertIn(b"curr_items", names)


class Resp(ServerTest):
    def ask(self, *words: bytes | str) -> bytes | int | list | None:
        data = b"*%d\r\n" % len(words)
        for word in words:
            word = word.encode() if isinstance(word, str) else word
            data += b"$%d\r\n%s\r\n" % (len(word), word)
        self.connection.send(data)
        return self.reply()

    def reply(self) -> bytes | int | list | None:
        line = self.connection.line()
        if line[:1] == b"*":
            return [self.reply() for _ in range(int(line[1:]))]
        if line[:1] == b"$":
            if line == b"$-1":
                return None
            value = self.connection.read(int(line[1:]))
            self.connection.read(2)
            return value
        return int(line[1:]) if line[:1] == b":" else line

    def test_strings(self) -> None:
        value = bytes(range(256)) * 300
        self.assertEqual(self.ask("SET", "key", value), b"+OK")
        self.assertEqual(self.ask("get", "key"), value)
        self.assertEqual(self.ask("MGET", "key", "none", "key"), [value, None, value])
        self.assertEqual(self.ask("EXISTS", "key", "none", "key"), 2)
        self.assertEqual(self.ask("DEL", "key", "none"), 1)
        self.assertIsNone(self.ask("GET", "key"))

    def test_times(self) -> None:
        self.assertEqual(self.ask("TTL", "key"), -2)
        self.ask("SET", "key", "v")
        self.assertEqual(self.ask("TTL", "key"), -1)
        self.assertEqual(self.ask("SET", "key", "v", "PX", "99500"), b"+OK")
        self.assertEqual(self.ask("TTL", "key"), 100)
        self.assertEqual(self.ask("EXPIRE", "key", "50"), 1)
        self.assertEqual(self.ask("PTTL", "key"), 50000)

    def test_late_times(self) -> None:
        days = 60 * 24 * 60 * 60
        for late in (2 ** 63 - 1, 10 ** 10):
            self.assertEqual(self.ask("SET", "key", "v", "EX", str(late)), b"+OK")
            self.assertEqual(self.ask("GET", "key"), b"v")
            self.assertGreater(self.ask("TTL", "key"), days)
        self.assertEqual(self.ask("EXPIRE", "key", str(days)), 1)
        self.assertGreater(self.ask("TTL", "key"), days - 60)

    def test_conditions(self) -> None:
        self.assertIsNone(self.ask("SET", "key", "v", "XX"))
        self.assertEqual(self.ask("SET", "key", "v", "NX", "EX", "10"), b"+OK")
        self.assertIsNone(self.ask("SET", "key", "w", "NX"))

    def test_what_clients_send_first(self) -> None:
        self.assertEqual(self.ask("PING"), b"+PONG")
        self.assertEqual(self.ask("HELLO", "3")[:8], b"-NOPROTO")
        self.assertEqual(self.ask("HELLO", "2")[:2], [b"server", b"redis"])
        self.assertEqual(self.ask("SELECT", "3"), b"+OK")
        self.assertIn(b"redis_version", self.ask("INFO"))
        self.assertTrue(self.ask("LPUSH", "a", "b").startswith(b"-ERR unknown command"))
        self.assertEqual(self.ask("QUIT"), b"+OK")

    def test_a_value_that_is_too_large(self) -> None:
        self.ask("SET", "key", "old")
        self.assertEqual(self.ask("SET", "key", b"v" * 2000000), b"-ERR value is too large")
        self.assertIsNone(self.ask("GET", "key"))


class Crsh(ServerTest):
    def setUp(self) -> None:
        super().setUp()
        self.helper: Connection = self.connect("crsh")
        self.assertEqual(self.helper.read(4), b"\x01\x02\x00\x01")

    def put(self, key: bytes, value: bytes, overwrite: bool) -> bytes:
        self.helper.send(b"\x01" + bytes([len(key)]) + key + bytes([overwrite]) + struct.pack("=Q", len(value)) + value)
        return self.helper.read(1)

    def test_requests(self) -> None:
        key = bytes(range(20))
        self.helper.send(b"\x00\x14" + key)
        self.assertEqual(self.helper.read(1), b"\x01")
        self.assertEqual(self.put(key, b"v" * 100000, False), b"\x00")
        self.assertEqual(self.put(key, b"w", False), b"\x01")
        self.helper.send(b"\x00\x14" + key)
        self.assertEqual(self.helper.read(9 + 100000), b"\x00" + struct.pack("=Q", 100000) + b"v" * 100000)
        self.assertEqual(self.put(key, b"w", True), b"\x00")
        self.helper.send(b"\x02\x14" + key + b"\x02\x14" + key)
        self.assertEqual(self.helper.read(2), b"\x00\x01")

    def test_a_value_that_is_too_large(self) -> None:
        self.assertEqual(self.put(b"key", b"v" * 2000000, True), b"\x02")
        self.helper.read(self.helper.read(1)[0])
        self.helper.send(b"\x04")
        self.assertTrue(self.helper.read(self.helper.read(1)[0]).startswith(b"tmm-cached"))

    def test_stop_ends_one_connection_only(self) -> None:
        self.helper.send(b"\x03")
        self.assertEqual(self.helper.read(2), b"\x00")
        self.assertEqual(self.connection.ask("mn"), b"MN")

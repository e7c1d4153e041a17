# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import tempfile

from server import ServerTest


class Text(ServerTest):
    def test_what_was_set_can_be_got(self) -> None:
        for size in (0, 1, 100, 2048, 2049, 70000, 1000000):
            value = bytes(i * 7 % 251 for i in range(size))
            self.assertEqual(self.connection.set("key", value), b"STORED")
            self.assertEqual(self.connection.get("key"), value)

    def test_get_of_many_keys_is_longer_than_any_buffer(self) -> None:
        self.connection.set("key", b"v" * 5000)
        self.connection.send(b"get" + b" key" * 2000 + b"\r\nversion\r\n")
        for _ in range(2000):
            self.assertEqual(self.connection.line(), b"VALUE key 0 5000")
            self.assertEqual(self.connection.read(5002), b"v" * 5000 + b"\r\n")
        self.assertEqual(self.connection.line(), b"END")
        self.assertTrue(self.connection.line().startswith(b"VERSION 1.6."))

    def test_storage_commands_depend_on_what_is_there(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("replace key 0 0 1\r\na"), b"NOT_STORED")
        self.assertEqual(ask("append key 0 0 1\r\na"), b"NOT_STORED")
        self.assertEqual(ask("add key 5 0 1\r\nb"), b"STORED")
        self.assertEqual(ask("add key 0 0 1\r\nc"), b"NOT_STORED")
        self.assertEqual(ask("append key 0 0 1\r\nx"), b"STORED")
        self.assertEqual(ask("prepend key 0 0 1\r\na"), b"STORED")
        self.assertEqual(self.connection.get("key"), b"abx")
        self.assertEqual(ask("delete key"), b"DELETED")
        self.assertEqual(ask("delete key"), b"NOT_FOUND")

    def test_cas_notices_another_writer(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("cas key 0 0 1 5\r\na"), b"NOT_FOUND")
        self.connection.set("key", b"a")
        cas = ask("gets key").split()[4].decode()
        self.connection.read(8)
        self.assertEqual(ask(f"cas key 0 0 1 {int(cas) + 1}\r\nb"), b"EXISTS")
        self.assertEqual(ask(f"cas key 0 0 1 {cas}\r\nb"), b"STORED")
        self.assertEqual(ask(f"cas key 0 0 1 {cas}\r\nc"), b"EXISTS")

    def test_numbers_wrap_and_stop_at_zero(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("incr n 1"), b"NOT_FOUND")
        self.connection.set("n", b"18446744073709551615")
        self.assertEqual(ask("incr n 1"), b"0")
        self.connection.set("n", b"10")
        self.assertEqual(ask("decr n 1"), b"9")
        self.assertEqual(self.connection.get("n"), b"9 ")
        self.assertEqual(ask("incr n 1"), b"10")
        self.assertEqual(ask("decr n 50"), b"0")
        self.connection.set("n", b"text")
        self.assertEqual(ask("incr n 1"), b"CLIENT_ERROR cannot increment or decrement non-numeric value")

    def test_items_expire(self) -> None:
        ask = self.connection.ask
        self.connection.set("negative", b"v", expiry=-1)
        self.assertIsNone(self.connection.get("negative"))
        self.connection.set("soon", b"v", expiry=10)
        self.connection.set("touched", b"v", expiry=10)
        self.assertEqual(ask("touch touched 100"), b"TOUCHED")
        self.assertEqual(ask("touch nothing 100"), b"NOT_FOUND")
        self.assertEqual(ask("gat 100 soon"), b"VALUE soon 0 1")
        self.connection.read(8)
        ask("debugtime 50")
        self.assertEqual(self.connection.get("soon"), b"v")
        ask("debugtime 60")
        self.assertIsNone(self.connection.get("soon"))
        self.assertIsNone(self.connection.get("touched"))

    def test_flush_with_delay(self) -> None:
        ask = self.connection.ask
        self.connection.set("key", b"v")
        self.assertEqual(ask("flush_all 10"), b"OK")
        self.assertEqual(self.connection.get("key"), b"v")
        ask("debugtime 11")
        self.assertIsNone(self.connection.get("key"))
        self.connection.set("key", b"v")
        self.assertEqual(ask("flush_all"), b"OK")
        self.assertIsNone(self.connection.get("key"))

    def test_noreply_says_nothing(self) -> None:
        self.connection.send(b"set key 0 0 1 noreply\r\na\r\nadd key 0 0 1 noreply\r\nb\r\nincr key x noreply\r\n"
                             b"delete none noreply\r\n"
                             b"set other 0 0 2000000 noreply\r\n" + b"v" * 2000000 + b"\r\n")
        self.assertEqual(self.connection.get("key"), b"a")

    def test_a_value_that_is_too_large_replaces_nothing_by_itself(self) -> None:
        self.connection.set("key", b"old")
        self.assertEqual(self.connection.set("key", b"v" * 1048577), b"SERVER_ERROR object too large for cache")
        self.assertIsNone(self.connection.get("key"))

    def test_the_connection_goes_on_after_errors(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask(""), b"ERROR")
        self.assertEqual(ask("   "), b"ERROR")
        self.assertEqual(ask("set key 0 0 -1"), b"CLIENT_ERROR bad command line format")
        self.assertEqual(ask("set key 0 0 2\r\nabcd"), b"CLIENT_ERROR bad data chunk")
        self.assertEqual(self.connection.line(), b"ERROR")
        self.assertEqual(ask("get " + "k" * 251), b"CLIENT_ERROR bad command line format")
        self.assertEqual(ask("mn"), b"MN")

    def test_statistics_count(self) -> None:
        self.connection.set("key", b"v")
        self.connection.get("key")
        self.connection.get("other")
        stats = self.connection.stats()
        self.assertEqual((stats["cmd_get"], stats["get_hits"], stats["get_misses"], stats["curr_items"]), ("2", "1", "1", "1"))
        self.assertEqual(self.connection.stats("settings")["item_size_max"], str(1 << 20))
        self.assertEqual(self.connection.ask("stats reset"), b"RESET")
        self.assertEqual(self.connection.stats()["cmd_get"], "0")
        self.assertEqual(self.connection.ask("stats nonsense"), b"ERROR")


class SmallItems(ServerTest):
    options = ["-m", "64", "-I", "1k"]

    def test_the_request_behind_a_value_that_is_too_large_is_carried_out(self) -> None:
        self.connection.send(b"set key 0 0 2000\r\n" + b"v" * 2000 + b"\r\nmn\r\n")
        self.assertEqual(self.connection.line(), b"SERVER_ERROR object too large for cache")
        self.assertEqual(self.connection.line(), b"MN")


class Meta(ServerTest):
    def test_get_returns_what_is_asked(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("mg key v k Oabc"), b"EN kkey Oabc")
        self.assertEqual(ask("ms key 3 T0 F7 c\r\nabc").split()[0], b"HD")
        self.assertEqual(ask("mg key s v f t Oabc k"), b"VA 3 s3 f7 t-1 Oabc kkey")
        self.assertEqual(self.connection.line(), b"abc")
        self.assertEqual(ask("mg key h"), b"HD h1")

    def test_only_one_client_makes_a_missing_item(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("mg key s v N30 t"), b"VA 0 s0 t30 W")
        self.connection.line()
        self.assertEqual(ask("mg key N30"), b"HD Z")
        self.assertEqual(ask("ms key 1 T60\r\na"), b"HD")
        self.assertEqual(ask("mg key N30"), b"HD")

    def test_a_stale_item_is_won_once(self) -> None:
        ask = self.connection.ask
        self.connection.set("key", b"old")
        self.assertEqual(ask("md key I T30"), b"HD")
        self.assertEqual(ask("mg key t"), b"HD t30 X W")
        self.assertEqual(ask("mg key"), b"HD Z X")

    def test_an_item_that_ends_soon_is_won_once(self) -> None:
        ask = self.connection.ask
        self.connection.set("key", b"v", expiry=30)
        self.assertEqual(ask("mg key R20"), b"HD")
        self.assertEqual(ask("mg key R60"), b"HD W")
        self.assertEqual(ask("mg key R60"), b"HD Z")

    def test_an_older_value_is_stored_as_stale(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("ms key 1 E100 c\r\na"), b"HD c100")
        self.assertEqual(ask("ms key 1 C99\r\nb"), b"EX")
        self.assertEqual(ask("ms key 1 C99 I\r\nb"), b"HD")
        self.assertEqual(ask("mg key"), b"HD X W")

    def test_arithmetic(self) -> None:
        ask = self.connection.ask
        self.assertEqual(ask("ma n"), b"NF")
        self.assertEqual(ask("ma n N0 J13 v t"), b"VA 2 t-1")
        self.assertEqual(self.connection.line(), b"13")
        self.assertEqual(ask("ma n D30 v"), b"VA 2")
        self.assertEqual(self.connection.line(), b"43")
        self.assertEqual(ask("ma n MD D50 v"), b"VA 1")
        self.assertEqual(self.connection.line(), b"0")

    def test_quiet_commands_end_with_a_noop(self) -> None:
        self.connection.send(b"mg a v q\r\nms b 1 q\r\nx\r\nmd b q\r\nmn\r\n")
        self.assertEqual(self.connection.line(), b"MN")

    def test_binary_keys(self) -> None:
        self.assertEqual(self.connection.ask("ms AAEC 1 b\r\nx"), b"HD")
        self.assertEqual(self.connection.ask("mg AAEC b k v"), b"VA 1 kAAEC b")
        self.connection.line()


class Password(ServerTest):
    def setUp(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".auth") as file:
            file.write("user:secret\n")
            file.flush()
            self.options = ["-m", "64", "-Y", file.name]
            super().setUp()

    def test_nothing_works_without_it(self) -> None:
        ask = self.connection.ask
        for command in ("get key", "version", "", " ", "mn", "nonsense"):
            self.assertEqual(ask(command), b"CLIENT_ERROR unauthenticated")
        self.assertEqual(ask("set any 0 0 10\r\nuser wrong"), b"CLIENT_ERROR authentication failure")
        self.assertEqual(ask("set any 0 0 11\r\nuser secret"), b"STORED")
        self.assertIsNone(self.connection.get("any"))

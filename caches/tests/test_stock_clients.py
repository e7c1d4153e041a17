# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's own clients, unchanged: pymemcache, Django, memccapable of libmemcached, Dalli of Ruby, ccache."""
import os
import subprocess
import unittest
from pathlib import Path

from server import TIMEOUT_S, ServerTest, start_tcp

import django.conf
from pymemcache.client.base import Client
from pymemcache.client.hash import HashClient


class Pymemcache(ServerTest):
    def test_a_client(self) -> None:
        client = Client(str(self.path), no_delay=False, default_noreply=False)
        self.assertTrue(client.set("key", b"value", expire=100))
        self.assertEqual(client.get("key"), b"value")
        self.assertEqual(client.get_many(["key", "none"]), {"key": b"value"})
        value, cas = client.gets("key")
        self.assertTrue(client.cas("key", value + b"!", cas))
        self.assertFalse(client.cas("key", value, cas))
        self.assertTrue(client.set("n", "5"))
        self.assertEqual(client.incr("n", 7), 12)
        self.assertTrue(client.touch("key", 10))
        self.assertTrue(client.delete("key"))
        self.assertIsNone(client.get("key"))
        self.assertIn(b"curr_items", client.stats())
        self.assertTrue(client.flush_all())

    def test_keys_are_spread_over_servers(self) -> None:
        client = HashClient([str(self.path)], default_noreply=False)
        self.assertEqual(client.set_many({f"key{i}": b"v" for i in range(100)}), [])
        self.assertEqual(len(client.get_many([f"key{i}" for i in range(100)])), 100)


class Django(ServerTest):
    def test_a_cache(self) -> None:
        django.conf.settings.configure(CACHES={"default": {"BACKEND": "django.core.cache.backends.memcached.PyMemcacheCache",
                                               "LOCATION": f"unix:{self.path}"}})
        from django.core.cache import cache
        cache.set("page", {"html": "<p>" * 10000}, 60)
        self.assertEqual(cache.get("page"), {"html": "<p>" * 10000})
        self.assertFalse(cache.add("page", 1))
        cache.set_many({"a": 1, "b": 2})
        self.assertEqual(cache.get_many(["a", "b", "c"]), {"a": 1, "b": 2})
        self.assertEqual(cache.incr("a"), 2)
        self.assertTrue(cache.touch("a", 100))
        cache.delete_many(["a", "b"])
        self.assertEqual(cache.get_or_set("made", lambda: 42), 42)
        cache.clear()
        self.assertIsNone(cache.get("page"))
        cache.close()


class Memccapable(unittest.TestCase):
    def test_both_protocols(self) -> None:
        _, port = start_tcp(self)
        done = subprocess.run(["memccapable", "-h", "127.0.0.1", "-p", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300)
        self.assertIn("All tests passed", done.stdout, done.stdout)


DALLI = """
require "dalli"
def check(what, got, wanted)
  abort "#{what}: #{got.inspect}, and not #{wanted.inspect}" unless got == wanted
end
protocols = Gem::Version.new(Dalli::VERSION) >= Gem::Version.new("3.2") ? [:binary, :meta] : [:binary]
protocols.each do |protocol|
  client = Dalli::Client.new(ARGV[0], protocol: protocol, compress: true, expires_in: 100)
  client.flush
  client.set("key", { "a" => [1, nil, "x" * 5000] })
  check "get", client.get("key"), { "a" => [1, nil, "x" * 5000] }
  check "none", client.get("none"), nil
  check "add", client.add("key", 1), false
  client.replace("key", { "a" => 2 })
  client.replace("none", 1)
  check "replace", client.get_multi("key", "none"), { "key" => { "a" => 2 } }
  client.multi { 100.times { |i| client.set("key#{i}", i) } }
  check "get_multi", client.get_multi((0...101).map { |i| "key#{i}" }).size, 100
  check "cas", !!client.cas("key") { |value| value.size }, true
  check "after cas", client.get("key"), 1
  check "incr", client.incr("n", 7, nil, 5), 5
  check "incr again", client.incr("n", 7), 12
  check "decr", client.decr("n", 20), 0
  client.set("raw", "b", 100, raw: true)
  client.append("raw", "c")
  client.prepend("raw", "a")
  check "raw", client.get("raw", raw: true), "abc"
  check "touch", !!client.touch("raw", 10), true
  check "gat", client.gat("raw", 10), "abc"
  check "delete", client.delete("raw"), true
  check "fetch", client.fetch("made") { "value" }, "value"
  check "stats", client.stats.values[0].key?("curr_items"), true
  client.close
end
"""


class Dalli(ServerTest):
    def test_all_protocols(self) -> None:
        done = subprocess.run(["ruby", "-e", DALLI, str(self.path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class Ccache(ServerTest):
    def compile(self, local: str) -> None:
        environment = {**os.environ, "CCACHE_DIR": str(self.folder / local), "CCACHE_REMOTE_STORAGE": f"redis+unix:{self.path}"}
        subprocess.run(["ccache", "cc", "-c", "program.c", "-o", f"{local}.o"], cwd=self.folder, env=environment, check=True)

    def test_results_are_shared(self) -> None:
        (self.folder / "program.c").write_text("int main(void) { return 42; }\n")
        self.compile("one")
        before = int(self.connection.stats()["get_hits"])
        # Another machine, whose local cache is empty.
        self.compile("two")
        self.assertGreaterEqual(int(self.connection.stats()["get_hits"]), before + 2)
        self.assertEqual(Path(self.folder / "one.o").read_bytes(), Path(self.folder / "two.o").read_bytes())

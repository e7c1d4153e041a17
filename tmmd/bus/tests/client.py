#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A client on the system bus, to be run as any user: reads a JSON request a line, writes a JSON answer a line.

{"op": "call", "member": "org.interface.Member", "path": ..., "signature": ..., "arguments": [...], "timeout": s}
  -> {"value": ..., "ms": ...} or {"error": NAME, "message": ..., "ms": ...}; values in a variant are given as [TYPE, VALUE]
{"op": "begin", ...}: as call, without waiting; {"op": "end"} -> [answer...] of all that were begun
{"op": "flood", ..., "count": N}: as call, N times, asking for no answer -> {"value": N}
{"op": "crowd", ..., "connections": C, "count": N}: as flood, N times from each of C connections of their own
{"op": "hostile", "shape": ..., "key": ..., "count": N}: SetCaps with a dictionary of a hostile SHAPE
{"op": "slow", "member": ..., "path": ..., "count": N}: sends a call with a string of N bytes but for its second half -> {"value": bytes
  sent}; {"op": "finish"} sends that half -> {"value": the name of the error that comes back}
{"op": "deaf", "member": ..., "path": ..., "count": N}: makes N calls without arguments, and never reads an answer -> {"value": N}; again: over the same
  connection
{"op": "drown", "member": ..., "path": ..., "signature": "", "t" or "s", "connections": C, "seconds": S, "reads": BOOL}: as many
  calls as the bus takes from each of C connections, which read answers only if told to -> {"value": number of calls}
{"op": "own", "name": ...} -> {"value": ...} or an error
"""
import itertools
import json
import os
import selectors
import socket
import struct
import sys
import time

import dbus
import dbus.bus
import dbus.lowlevel

NAME = "org.transparentmemory.Tmm1"
TYPES = {"b": dbus.Boolean, "d": dbus.Double, "i": dbus.Int32, "s": dbus.String, "t": dbus.UInt64, "u": dbus.UInt32}


def message_of(request):
    interface, member = request["member"].rsplit(".", 1)
    message = dbus.lowlevel.MethodCallMessage(request.get("destination", NAME), request["path"], interface, member)
    arguments = request.get("arguments", [])
    signature = request.get("signature", "")
    if signature == "a{sv}":
        variants = {key: TYPES[kind](value, variant_level=1) for key, (kind, value) in arguments[0].items()}
        arguments = [dbus.Dictionary(variants, signature="sv")]
    message.append(*arguments, signature=signature)
    return message


def plain(value):
    """Without the types of dbus, for json."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return bool(value) if isinstance(value, dbus.Boolean) else value


def answer_of(reply, began):
    ms = (time.monotonic() - began) * 1000
    values = reply.get_args_list()
    if isinstance(reply, dbus.lowlevel.ErrorMessage):
        return {"error": reply.get_error_name(), "message": values[0] if values else "", "ms": ms}
    return {"value": plain(values[0]) if values else None, "ms": ms}


def hostile_caps(shape, key, count):
    if shape == "keys":
        return {f"{number:x}": dbus.Byte(1, variant_level=1) for number in range(count)}
    if shape == "bytes":
        return {key: dbus.ByteArray(b"x" * count, variant_level=1)}
    if shape == "string":
        return {key: dbus.String("x" * count, variant_level=1)}
    assert shape == "depth", shape
    return {key: dbus.Boolean(True, variant_level=count)}


def marshalled(serial, name, path, member, signature="", body=b""):
    """A method call in the bytes of the D-Bus protocol."""
    def string(kind, text):
        data = text.encode()
        return struct.pack("<I" if kind in "so" else "<B", len(data)) + data + b"\0"

    interface, _, method = member.rpartition(".")
    fields = b""
    for code, kind, text in ((1, "o", path), (2, "s", interface), (3, "s", method), (6, "s", name), (8, "g", signature)):
        if text:
            fields += bytes(-len(fields) % 8) + bytes((code,)) + string("g", kind) + string(kind, text)
    header = struct.pack("<cBBBIII", b"l", 1, 0, 1, len(body), serial, len(fields)) + fields
    return header + bytes(-len(header) % 8) + body


class RawConnection:
    """A connection that sends and reads only when it is told to."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect("/run/dbus/system_bus_socket")
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(100).startswith(b"OK")
        bus = "org.freedesktop.DBus"
        self.socket.sendall(b"BEGIN\r\n" + marshalled(1, bus, "/org/freedesktop/DBus", bus + ".Hello"))
        self.read_until(b":1.")

    def read_until(self, *words):
        """Returns the first of the words that comes."""
        data = b""
        while True:
            more = self.socket.recv(1 << 16)
            assert more, "the bus closed the connection"
            data += more
            for word in words:
                if word in data:
                    return word


class CallStream(RawConnection):
    """Sends one call again and again, some at once."""

    CALLS_AT_ONCE = 64
    SERIAL_AT = 8

    def __init__(self, request) -> None:
        super().__init__()
        signature = request.get("signature", "")
        body = {"": b"", "t": struct.pack("<Q", 1), "s": struct.pack("<I", 4) + b"days\0"}[signature]
        self.call = marshalled(0, request.get("destination", NAME), request["path"], request["member"], signature, body)
        self.count = 0
        self.rest = b""

    def go_on(self, events) -> None:
        if events & selectors.EVENT_READ:
            self.socket.recv(1 << 20)
        if events & selectors.EVENT_WRITE:
            self.rest = self.rest or self.next_calls()
            self.rest = self.rest[self.socket.send(self.rest):]

    def next_calls(self) -> bytes:
        serials = range(2 + self.count, 2 + self.count + self.CALLS_AT_ONCE)
        self.count += self.CALLS_AT_ONCE
        before, after = self.call[:self.SERIAL_AT], self.call[self.SERIAL_AT + 4:]
        return b"".join(before + struct.pack("<I", serial) + after for serial in serials)


class Client:
    def __init__(self) -> None:
        self.bus = dbus.bus.BusConnection(dbus.bus.BusConnection.TYPE_SYSTEM)
        self.begun = []
        self.answers = []
        self.crowd_buses = []
        self.deaf_connection = None
        self.deaf_serials = itertools.count(2)

    def call(self, request):
        began = time.monotonic()
        try:
            return answer_of(self.bus.send_message_with_reply_and_block(message_of(request), request.get("timeout", 150)), began)
        except dbus.DBusException as error:
            return {"error": error.get_dbus_name(), "message": str(error), "ms": (time.monotonic() - began) * 1000}

    def begin(self, request):
        began = time.monotonic()

        def arrived(reply) -> None:
            self.answers.append(answer_of(reply, began))

        self.begun.append(self.bus.send_message_with_reply(message_of(request), arrived, request.get("timeout", 150)))
        self.bus.flush()
        return {"value": len(self.begun)}

    def end(self, request):
        for pending in self.begun:
            pending.block()
        answers, self.begun, self.answers = self.answers, [], []
        return answers

    def hostile(self, request):
        message = dbus.lowlevel.MethodCallMessage(NAME, request["path"], NAME, "SetCaps")
        caps = hostile_caps(request["shape"], request.get("key"), request["count"])
        message.append(dbus.Dictionary(caps, signature="sv"), signature="a{sv}")
        began = time.monotonic()
        try:
            return answer_of(self.bus.send_message_with_reply_and_block(message, 150), began)
        except dbus.DBusException as error:
            return {"error": error.get_dbus_name(), "message": str(error), "ms": (time.monotonic() - began) * 1000}

    def flood(self, request):
        for _ in range(request["count"]):
            message = message_of(request)
            message.set_no_reply(True)
            self.bus.send_message(message)
        self.bus.flush()
        return {"value": request["count"]}

    def crowd(self, request):
        while len(self.crowd_buses) < request["connections"]:
            self.crowd_buses.append(dbus.bus.BusConnection(dbus.bus.BusConnection.TYPE_SYSTEM))
        for _ in range(request["count"]):
            for bus in self.crowd_buses:
                message = message_of(request)
                message.set_no_reply(True)
                bus.send_message(message)
                bus.flush()
        return {"value": request["count"]}

    def slow(self, request):
        count = request["count"]
        body = struct.pack("<I", count) + b"x" * count + b"\0"
        message = marshalled(2, NAME, request["path"], request["member"], "s", body)
        half = len(message) - count // 2
        self.slow_connection, self.slow_rest = RawConnection(), message[half:]
        self.slow_connection.socket.sendall(message[:half])
        return {"value": half}

    def finish(self, request):
        self.slow_connection.socket.sendall(self.slow_rest)
        error = (NAME + ".Error.InvalidArgument").encode()
        return {"value": self.slow_connection.read_until(error).decode()}

    def deaf(self, request):
        self.deaf_connection = self.deaf_connection or RawConnection()
        for serial in itertools.islice(self.deaf_serials, request["count"]):
            self.deaf_connection.socket.sendall(marshalled(serial, NAME, request["path"], request["member"]))
        return {"value": request["count"]}

    def drown(self, request):
        streams = [CallStream(request) for _ in range(request["connections"])]
        end = time.monotonic() + request["seconds"]
        with selectors.DefaultSelector() as selector:
            for stream in streams:
                stream.socket.setblocking(False)
                selector.register(stream.socket, selectors.EVENT_WRITE | (selectors.EVENT_READ if request["reads"] else 0), stream)
            while time.monotonic() < end:
                for key, events in selector.select(1):
                    key.data.go_on(events)
        for stream in streams:
            stream.socket.close()
        return {"value": sum(stream.count for stream in streams)}

    def own(self, request):
        try:
            return {"value": self.bus.request_name(request["name"], dbus.bus.NAME_FLAG_DO_NOT_QUEUE)}
        except dbus.DBusException as error:
            return {"error": error.get_dbus_name(), "message": str(error)}


def main() -> None:
    client = Client()
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(getattr(client, request["op"])(request)), flush=True)


if __name__ == "__main__":
    main()

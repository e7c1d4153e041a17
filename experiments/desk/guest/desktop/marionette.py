# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Firefox's remote control: JSON over TCP, each message after its length (Marionette protocol, version 3)."""

import json
import socket
import time


class MarionetteError(Exception):
    """The browser answered with an error, or not at all."""


def encode(number: int, command: str, parameters: dict) -> bytes:
    text = json.dumps([0, number, command, parameters]).encode()
    return str(len(text)).encode() + b":" + text


def decode(buffer: bytes) -> tuple[object, bytes] | None:
    """The first message in the buffer, and the rest of the buffer; None: the message is incomplete."""
    length, colon, rest = buffer.partition(b":")
    if not colon:
        if len(buffer) > 20:
            raise MarionetteError(f"no length before a message: {buffer[:20]!r}")
        return None
    if not length.isdigit():
        raise MarionetteError(f"no length before a message: {length[:20]!r}")
    size = int(length)
    if len(rest) < size:
        return None
    try:
        return json.loads(rest[:size]), rest[size:]
    except ValueError as error:
        raise MarionetteError(f"no JSON in a message: {rest[:60]!r}") from error


class Marionette:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.buffer = b""
        self.number = 0
        self.receive()  # The greeting.

    @staticmethod
    def connect(port: int, limit_s: float) -> "Marionette":
        """Waits for the browser to listen."""
        deadline = time.monotonic() + limit_s
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
                break
            except OSError as error:
                if time.monotonic() > deadline:
                    raise MarionetteError(f"the browser does not listen on port {port} after {limit_s:.0f} s") from error
                time.sleep(0.2)
        return Marionette(connection)

    def receive(self) -> object:
        while (message := decode(self.buffer)) is None:
            data = self.connection.recv(65536)
            if not data:
                raise MarionetteError("the browser has closed the connection")
            self.buffer += data
        self.buffer = message[1]
        return message[0]

    def call(self, command: str, **parameters: object) -> object:
        """Waits for the command and returns its result."""
        self.number += 1
        self.connection.sendall(encode(self.number, command, parameters))
        answer = self.receive()
        if not isinstance(answer, list) or len(answer) != 4 or answer[1] != self.number:
            raise MarionetteError(f"not an answer to {command}: {answer!r}")
        if answer[2]:
            raise MarionetteError(f"{command}: {answer[2].get('error')}: {answer[2].get('message')}")
        return answer[3]

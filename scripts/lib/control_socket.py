# SPDX-License-Identifier: MIT
"""A connection to a host's control socket (docs/protocol.md): calls, and events after `subscribe`."""

import json
import socket


def line(method, params):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return json.dumps(request).encode() + b"\n"


class Refused(Exception):
    """The host's answer is an error."""


class Connection:
    """A connection to a control socket: calls one after the other, or lines without waiting.

    Raises OSError where there is no host, or where it hangs up.
    """

    def __init__(self, path, seconds=None):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(seconds)
        self.socket.connect(path)
        self.answers = self.socket.makefile("rb")
        self.unsent = b""
        self.sent = self.answered = self.refused = 0

    def call(self, method, **params):
        self.socket.sendall(line(method, params))
        answer = self.next()
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def next(self):
        """The next answer or notification."""
        text = self.answers.readline()
        if not text.endswith(b"\n"):
            raise ConnectionError("the host has hung up")
        return json.loads(text)

    def send(self, lines):
        self.unsent += b"".join(lines)
        self.sent += len(lines)
        try:
            self.unsent = self.unsent[self.socket.send(self.unsent) :]
        except BlockingIOError:
            pass

    def take_answers(self):
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return
        if not data:
            raise ConnectionError("the host has hung up")
        self.answered += data.count(b"\n")
        self.refused += data.count(b'"error":')

    def close(self):
        self.answers.close()
        self.socket.close()

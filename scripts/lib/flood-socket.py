# SPDX-License-Identifier: MIT
"""Floods a host's control socket, and measures how long others wait meanwhile.

For each flood, a process of its own sends without a pause. Beside it one client asks for the status 50 times a second,
and five times a second a newcomer says hello. Prints a line for each flood; an error ends it where one of them is not answered.
Both have real-time priority where the user may (rtprio): so the waits are the host's, and not the machine's.
"""

import argparse
import multiprocessing
import os
import selectors
import socket
import sys
import time

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"status"}'
HELLO = b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"client":"flood","versions":[1]}}\n'
LONG = b'{"jsonrpc":"2.0","id":1,"method":"setSolo","params":{"solo":true,"strip":"' + 8000 * b"x" + b'"}}'
FLOODS = {
    "none": (0, b""),
    "junk lines, 64 connections": (64, 13_000 * b"junk\n"),
    "blank lines, 64 connections": (64, 65_536 * b"\n"),
    "1 MiB batches of 128 requests, 8 connections": (8, b"[" + b",".join(128 * [LONG]) + b"]\n"),
    "1 MiB batches of numbers, 8 connections": (8, b"[" + b",".join(((1 << 19) - 2) * [b"0"]) + b"]\n"),
    "good requests, 64 connections": (64, 1500 * (REQUEST + b"\n")),
    "connections that come and go": (None, b""),
}
ASKS_PER_SECOND = 50
ASKS_PER_NEWCOMER = 10
# A host that answers nobody for so long is not waited for.
PATIENCE_SECONDS = 30


def connect(path):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(PATIENCE_SECONDS)
    client.connect(path)
    return client


def flood(path, connections, lines):
    """Sends the lines again and again, and reads all answers."""
    selector = selectors.DefaultSelector()

    def add():
        client = connect(path)
        client.setblocking(False)
        selector.register(client, selectors.EVENT_READ | selectors.EVENT_WRITE, [memoryview(b"")])

    for _ in range(connections):
        add()
    while True:
        for key, events in selector.select():
            client, rest = key.fileobj, key.data
            try:
                if events & selectors.EVENT_READ and not client.recv(1 << 16):
                    raise ConnectionResetError
                if events & selectors.EVENT_WRITE:
                    rest[0] = rest[0] or memoryview(lines)
                    rest[0] = rest[0][client.send(rest[0][: 1 << 16]) :]
            except BlockingIOError:
                pass
            except OSError:
                selector.unregister(client)
                client.close()
                add()


def come_and_go(path):
    """Connects, asks and leaves without the answer."""
    while True:
        try:
            client = connect(path)
            client.sendall(HELLO + REQUEST + b"\n")
            client.close()
        except OSError:
            pass


def answer(client):
    received = b""
    while not received.endswith(b"\n"):
        received = client.recv(1 << 20)
        if not received:
            sys.exit("the host has closed a connection without an answer")


def timed(work):
    start = time.monotonic()
    work()
    return 1000 * (time.monotonic() - start)


def newcomer(path):
    client = connect(path)
    client.sendall(HELLO)
    answer(client)
    client.close()


def measure(path, seconds):
    """The waits of one who asks and of newcomers, in milliseconds."""
    client = connect(path)
    asks, newcomers = [], []

    def ask():
        client.sendall(REQUEST + b"\n")
        answer(client)

    due = time.monotonic()
    end = due + seconds
    while due < end or not newcomers:
        # The time until the next question.
        time.sleep(max(0, due - time.monotonic()))
        asks.append(timed(ask))
        if len(asks) % ASKS_PER_NEWCOMER == 0:
            newcomers.append(timed(lambda: newcomer(path)))
        due = max(due + 1 / ASKS_PER_SECOND, time.monotonic())
    client.close()
    return asks, newcomers


def shown(name, waits):
    waits = sorted(waits)
    at = lambda share: waits[min(len(waits) - 1, int(share * len(waits)))]
    return f"{name} {at(0.5):.1f} {at(0.99):.1f} {waits[-1]:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", help="the socket")
    parser.add_argument("--seconds", type=float, default=20, help="for each flood")
    parser.add_argument("--flood", default="", help="only floods whose name begins with this")
    options = parser.parse_args()
    try:
        # The processes that flood have ordinary priority.
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        print("without real-time priority; waits of this machine count too")
    print("waits in ms: median, 99th percentile, longest")
    for name, (connections, lines) in FLOODS.items():
        if not name.startswith(options.flood):
            continue
        if connections is None:
            process = multiprocessing.Process(target=come_and_go, args=(options.path,), daemon=True)
        else:
            arguments = (options.path, connections, lines)
            process = multiprocessing.Process(target=flood, args=arguments, daemon=True)
        if connections != 0:
            process.start()
            # The flood has begun when it has filled what there is to fill.
            time.sleep(1)
        asks, newcomers = measure(options.path, options.seconds)
        if connections != 0:
            process.terminate()
            process.join()
        print(f"{name}: {shown('asks', asks)}, {shown('newcomers', newcomers)}", flush=True)


if __name__ == "__main__":
    main()

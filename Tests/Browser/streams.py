# SPDX-License-Identifier: MIT
"""Sends over loopback what pages have received, without a host, for `multiroute bench web`: streams.py COUNT

The messages come as one line of JSON, as `crowd.py` prints them, and go over so many connections, again and again, until the input
ends. The sender has the priority of an ordinary program, the reader that of the pages (SCHED_IDLE).
"""

import json
import os
import select
import socket
import sys
import time

# A frame of a WebSocket has this many bytes before its message.
HEADER, LONG_HEADER, LONG = 2, 4, 126


def read(connections):
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLIN)
    by_number = {connection.fileno(): connection for connection in connections}
    while by_number:
        for number, _ in poll.poll():
            if not by_number[number].recv(1 << 16):
                poll.unregister(number)
                del by_number[number]


def pairs(count):
    with socket.create_server(("127.0.0.1", 0), backlog=count) as server:
        for _ in range(count):
            ours = socket.create_connection(server.getsockname())
            ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield ours, server.accept()[0]


def send(messages, connections):
    start = time.monotonic()
    for at, length in messages:
        while (pause := start + at - time.monotonic()) > 0:
            if select.select([sys.stdin], [], [], pause)[0]:
                return False
        frame = bytes(length + (HEADER if length < LONG else LONG_HEADER))
        for connection in connections:
            connection.sendall(frame)
    return True


def main(count):
    messages = json.loads(sys.stdin.readline())
    if not messages:
        raise SystemExit("the pages have received nothing that could be sent again")
    ours, theirs = zip(*pairs(count))
    if not os.fork():
        for connection in ours:
            connection.close()
        sys.stdin.close()
        read(theirs)
        os._exit(0)
    for connection in theirs:
        connection.close()
    print(flush=True)
    while send(messages, ours) and not select.select([sys.stdin], [], [], 0)[0]:
        pass
    for connection in ours:
        connection.close()
    os.wait()


main(int(sys.argv[1]))

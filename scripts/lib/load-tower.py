# SPDX-License-Identifier: MIT
"""Loads a host's control tower: many clients, many sessions, many messages, for a while.

Beside it, in the same run, a second host idles on a server of its own: the load must not cost an
xrun more than idling does. Says what holds and what does not; exit status 1 where something does not.
"""

import argparse
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time

from control_socket import Connection, Refused, line

GRAPH = """\
multiroute: 1
name: {name}
session: {{category: playback, options: [mixWithOthers], preferred: {{ioBufferFrames: {frames}}}}}
server: {{driver: dummy, start: always, name: {name}-server}}
adopt: [{{client: "/load-.*/", session: {{preset: musicMaking}}}}]
routes: {{main: {{type: lineOut, ports: [system:playback_1, system:playback_2]}}}}
sources: {{tone: {{tone: {{}}}}}}
mix: [{{from: tone, to: main}}]
"""
LIMIT_SECONDS = 90
TICK_SECONDS = 0.005


class Host:
    """A host on a dummy server of its own."""

    def __init__(self, program, name, frames, folder):
        graph = os.path.join(folder, f"{name}.yaml")
        with open(graph, "w") as file:
            file.write(GRAPH.format(name=name, frames=frames))
        self.name = name
        self.socket = os.path.join(folder, "multiroute", f"{name}.sock")
        self.log = open(os.path.join(folder, f"{name}.log"), "w")
        self.process = subprocess.Popen(
            [program, "run", graph], stdout=subprocess.DEVNULL, stderr=self.log
        )
        wait_until(lambda: self.is_attached(), f"host {name} runs")

    def is_attached(self):
        if self.process.poll() is not None:
            sys.exit(f"error: host {self.name} has ended: {open(self.log.name).read()}")
        try:
            return self.status()["server"]["state"] == "running"
        except OSError:
            return False

    def status(self):
        connection = Connection(self.socket)
        try:
            return connection.call("status")
        finally:
            connection.close()

    def seconds_of_processor(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(LIMIT_SECONDS)


def wait_until(condition, what):
    deadline = time.monotonic() + LIMIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"error: not within {LIMIT_SECONDS} s: {what}")
        time.sleep(0.01)


def script(sessions):
    """What a connection says over and over: faders, and its sessions' coming and going."""
    lines = []
    for number, session in enumerate(sessions):
        lines += [
            line("setGain", {"strip": "tone", "gainDB": -(number % 20)}),
            line("deactivateSession", {"session": session}),
            line("configureSession", {"session": session, "mode": "default"}),
            line("activateSession", {"session": session}),
        ]
    return lines


def storm(path, connections, scripts, messages, seconds):
    """Sends at a steady rate for a while, and asks for one change at a time beside it.

    Returns how long the asked ones took, sorted, in seconds.
    """
    selector = selectors.DefaultSelector()
    for connection in connections:
        connection.socket.setblocking(False)
        selector.register(connection.socket, selectors.EVENT_READ, connection)
    probe = Connection(path)
    selector.register(probe.socket, selectors.EVENT_READ, None)
    asked = None
    took = []
    start = time.monotonic()
    sent = 0
    while True:
        elapsed = time.monotonic() - start
        isOver = elapsed >= seconds
        if isOver and all(c.answered >= c.sent for c in connections) and asked is None:
            break
        if elapsed > seconds + LIMIT_SECONDS:
            sys.exit("error: the host is behind by more than a minute")
        if not isOver:
            due = int(elapsed * messages) - sent
            share = -(-due // len(connections))
            for number, connection in enumerate(connections):
                lines = scripts[number]
                first = connection.sent % len(lines)
                connection.send((lines + lines)[first : first + share])
                sent += share
            if asked is None:
                asked = time.monotonic()
                probe.socket.sendall(line("setGain", {"strip": "tone", "gainDB": -6}))
        for connection in connections:
            if connection.unsent:
                connection.send([])
        next_tick = time.monotonic() + TICK_SECONDS
        while (left := next_tick - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if key.data:
                    key.data.take_answers()
                else:
                    probe.answers.readline()
                    took.append(time.monotonic() - asked)
                    asked = None
    probe.close()
    for connection in connections:
        connection.socket.setblocking(True)
    return sorted(took), time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the multiroute program")
    parser.add_argument("--clients", type=int, default=60)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=10_000, help="a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--frames", type=int, default=512, help="in a period")
    parser.add_argument("--together", action="store_true",
                        help="all clients come in the same moment, not one after the other")
    parser.add_argument("--only-tell", action="store_true",
                        help="report speed and xruns without failing, for debug builds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        children = []
        try:
            sys.exit(0 if measure(options, folder, children) else 1)
        finally:
            for child in children:
                if child.poll() is None:
                    child.kill()
                    child.wait()


def measure(options, folder, children):
    idle = Host(options.program, "load-idle", options.frames, folder)
    children.append(idle.process)
    host = Host(options.program, "load", options.frames, folder)
    children.append(host.process)

    environment = dict(os.environ, JACK_DEFAULT_SERVER="load-server", JACK_NO_START_SERVER="1")

    def adopted():
        sessions = host.status()["sessions"]
        return sum(1 for s in sessions if s["app"].startswith("load-") and s["active"])

    clients = []
    began = time.monotonic()
    for number in range(options.clients):
        clients.append(
            subprocess.Popen(
                ["jack_simple_client", f"load-{number:02}", "load-server"],
                env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        )
        children.append(clients[-1])
        if not options.together:
            wait_until(lambda: adopted() == len(clients), f"client {number} is active")
    wait_until(lambda: adopted() == len(clients), "all clients are active")
    adopting = time.monotonic() - began

    began = time.monotonic()
    connections = [Connection(host.socket) for _ in range(options.connections)]
    names = [[] for _ in connections]
    for number in range(options.sessions):
        place = number % options.connections
        opened = connections[place].call("openSession", app="app", preset="musicMaking")
        connections[place].call("activateSession", session=opened["session"])
        names[place].append(opened["session"])
    opening = time.monotonic() - began

    def xruns():
        return [h.status()["engine"]["xruns"] for h in (host, idle)]

    before = xruns()
    used = host.seconds_of_processor()
    took, lasted = storm(
        host.socket, connections, [script(own) for own in names],
        options.messages, options.seconds,
    )
    used = host.seconds_of_processor() - used
    loaded, idling = (after - first for after, first in zip(xruns(), before))

    status = host.status()
    alive = {session["id"] for session in status["sessions"]}
    forgotten = {name for own in names for name in own} - alive
    sent = sum(connection.sent for connection in connections)
    answered = sum(connection.answered for connection in connections)
    refused = sum(connection.refused for connection in connections)
    silent = options.clients - adopted()
    for connection in connections:
        connection.close()
    wait_until(
        lambda: len(host.status()["sessions"]) == options.clients + 1,
        "the sessions have ended with their connections",
    )
    for number, client in enumerate(clients):
        # jackd takes seconds for each that is killed while others are.
        client.send_signal(signal.SIGKILL if number == 0 else signal.SIGTERM)
        client.wait()
    wait_until(lambda: len(host.status()["sessions"]) == 1, "the clients' sessions have ended")
    ends = [host.stop(), idle.stop()]

    order = "at once" if options.together else "one after the other"
    print(f"{options.clients} clients ({order}, adopted in {adopting:.1f} s), "
          f"{options.sessions} sessions (opened and activated in "
          f"{opening:.2f} s), periods of {options.frames} frames")
    print(f"{sent} messages in {lasted:.1f} s: {sent / lasted:.0f} a second, "
          f"{used / lasted * 100:.0f} % of a processor")
    print("one change beside them is answered in {:.1f} ms (p50), {:.1f} ms (p99), {:.1f} ms (max)"
          .format(*(1000 * took[int(share * (len(took) - 1))] for share in (0.5, 0.99, 1))))
    print(f"xruns: {loaded} with the load, {idling} on the idle server beside it")
    verdicts = {
        "every message is answered": answered == sent,
        "none is refused": refused == 0,
        "they come at the wanted rate": (
            sent / lasted >= 0.98 * options.messages or options.only_tell
        ),
        "no session is forgotten": not forgotten,
        "every client sounds": silent == 0,
        "no xrun beyond the idle server's": loaded <= idling or options.only_tell,
        "both hosts end in order": ends == [0, 0],
    }
    for what, holds in verdicts.items():
        print(f"{'yes' if holds else 'NO '} {what}")
    return all(verdicts.values())


if __name__ == "__main__":
    main()

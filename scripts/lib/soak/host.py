# SPDX-License-Identifier: MIT
"""The host of a soak, and its graph."""

import collections
import contextlib
import os
import threading
import time

from control_socket import Connection, Refused

GRAPH = """\
multiroute: 1
name: {name}
session: {{category: multiRoute, options: [mixWithOthers], preferred: {{ioBufferFrames: {frames}}}}}
server: {{driver: dummy, start: always, name: {name}-server, channels: {{capture: 2, playback: 4}}}}
routes:
  main: {{type: lineOut, ports: ["speaker:input_1", "speaker:input_2"]}}
  phones: {{type: headphones, ports: ["system:playback_3", "system:playback_4"]}}
  mic: {{type: builtInMic, direction: input, ports: ["mic:out_0"]}}
tower: {{classes: {{phone: [call]}}, appsMayChangePolicy: true}}
permissions: {{default: denied}}
surfaces: {{web: {{port: 0}}, osc: {{port: 0}}}}
sources: {{{sources}}}
mix: [{mix}]
adopt:
  - {{client: "/radio.*/", session: {{category: playback}}, routes: [main], channels: 1}}
  - {{client: "/prompt.*/", session: {{category: playback, options: [duckOthers]}}, routes: [main], channels: 1}}
  - {{client: "/mixing.*/", session: {{category: playback, options: [mixWithOthers]}}, routes: [main], channels: 1}}
  - {{client: "/.*/", leave: true}}
"""


def graph(name, frames, version):
    extra = version % 2 == 1
    return GRAPH.format(
        name=name,
        frames=frames,
        sources="extra: {tone: {frequency: 3000 Hz, level: -50 dB}}" if extra else "",
        mix="{from: extra, to: main}" if extra else "",
    )


def targets(folder):
    """What the descriptors of a process lead to."""
    for name in os.listdir(folder):
        # Others are closed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            yield os.readlink(f"{folder}/{name}")


class Host:
    """The host under test."""

    def __init__(self, program, name, frames, folder, programs):
        self.program, self.name, self.frames, self.programs = program, name, frames, programs
        self.path = os.path.join(folder, "graph.yaml")
        self.socket = os.path.join(folder, "multiroute", f"{name}.sock")
        self.version = 0
        self.process = None
        # By who was late, with the host's evidence for the first of each.
        self.xruns = collections.Counter()
        self.evidence = {}
        self.write()

    def write(self):
        with open(self.path, "w") as file:
            file.write(graph(self.name, self.frames, self.version))

    def start(self):
        self.process = self.programs.start(self.program, "run", self.path, log="host")
        threading.Thread(target=self.listen, args=(self.process,), daemon=True).start()

    def listen(self, process):
        """Counts the xruns of a life of the host by their causes."""
        while process.poll() is None:
            try:
                events = Connection(self.socket)
                events.call("subscribe", topics=["events"])
                while True:
                    event = events.next().get("params", {})
                    if event.get("kind") == "xrun":
                        cause = event["details"].get("cause") or "unknown"
                        kind = cause.partition(":")[0]
                        self.xruns[kind] += 1
                        self.evidence.setdefault(kind, cause)
            except (OSError, Refused):
                time.sleep(0.2)

    def ask(self, method, **params):
        connection = Connection(self.socket, seconds=5)
        try:
            return connection.call(method, **params)
        finally:
            connection.close()

    def status(self):
        """The host's status; None while it does not answer."""
        try:
            return self.ask("status")
        except OSError:
            return None

    def command(self, *words):
        return self.programs.run(self.program, words[0], "--host", self.socket, *words[1:])

    def use(self):
        """Resident memory in KiB, descriptors and threads.

        libjack keeps a descriptor open for each client of the server; those come and go with the programs, and are not counted.
        """
        folder = f"/proc/{self.process.pid}"
        fields = dict(line.split(":", 1) for line in open(f"{folder}/status"))
        return (
            int(fields["VmRSS"].split()[0]),
            sum(not target.startswith("/dev/shm/jack_sem.") for target in targets(f"{folder}/fd")),
            int(fields["Threads"]),
        )

# SPDX-License-Identifier: MIT
"""The random actions of a soak, one at a time, and its report."""

import collections
import glob
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request

import numpy

from control_socket import Connection, Refused
from ear import Ear
from host import Host
from judge import Judge
from programs import Player, Programs
from tones import RATE_HZ, TONES_HZ

# After the end of a server or host, clients take so long to be back.
RECOVERY_SECONDS = 8
TICK_SECONDS = 0.25
# Growth beyond which memory is not flat: the allocator's own breath over minutes.
GROWTH_KIB = 8192
FLAT_AFTER_SECONDS = 300


class Soak:
    """The random actions, one at a time."""

    def __init__(self, options, folder):
        self.options = options
        self.random = random.Random(options.seed)
        name = f"soak-{os.getpid()}"
        environment = dict(
            os.environ, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=folder, JACK_DEFAULT_SERVER=f"{name}-server"
        )
        os.environ["XDG_RUNTIME_DIR"] = folder
        self.folder = folder
        self.programs = Programs(environment, folder)
        self.host = Host(options.program, name, options.frames, folder, self.programs)
        self.ear = Ear(self.programs, folder)
        self.judge = Judge()
        self.players = {}
        self.nodes = []
        self.start = time.monotonic()
        self.settles_at = 0
        self.actions = collections.Counter()
        self.uses = []
        self.unplugged = set()
        self.spy = self.microphone = None

    def now(self):
        return time.monotonic() - self.start

    def run(self):
        self.host.start()
        if not self.wait(lambda: self.host.status() is not None, 30):
            sys.exit(f"error: the host does not run: {open(os.path.join(self.folder, 'host.log')).read()[-2000:]}")
        if self.options.stress:
            self.programs.start("stress-ng", "--cpu", "2", "--io", "1", "--vm", "1", "--vm-bytes", "64M")
        end = self.now() + 3600 * self.options.hours
        next_action = self.now() + 2
        self.settle(RECOVERY_SECONDS)
        while self.now() < end:
            tick = self.now()
            self.ear.keep()
            self.keep_microphone()
            self.listen()
            if tick >= next_action:
                self.act()
                next_action = self.now() + self.random.uniform(0.3, 2.5)
            time.sleep(max(0.02, TICK_SECONDS - (self.now() - tick)))
        return self.report()

    def wait(self, condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def keep_microphone(self):
        """Starts the microphone, a program that plays noise into nothing, again after the end of a server."""
        if self.microphone is None or self.microphone.poll() is not None:
            self.microphone = self.play("mic", "anoisesrc=amplitude=0.1", "nobody")

    def play(self, name, source, port):
        return self.programs.start(
            "mpv", "--no-config", "--ao=jack", f"--jack-name={name}", f"--jack-port={port}",
            "--really-quiet", "--no-video", "--no-terminal", f"av://lavfi:{source}:sample_rate={RATE_HZ}",
        )

    def settle(self, seconds):
        """Judges nobody until the sound has settled after a break."""
        self.settles_at = max(self.settles_at, self.now() + seconds)

    def listen(self):
        status = self.host.status()
        now = self.now()
        if status is None or status["server"]["state"] != "running" or now < self.settles_at:
            self.judge.forget()
            return
        amplitudes = self.ear.amplitudes()
        sessions = {session["app"]: session for session in status["sessions"]}
        available = {route["name"]: route["available"] for route in status["routes"]}
        for tone in range(len(TONES_HZ)):
            state = self.state(tone, sessions, available["main"])
            self.judge.note(tone, state, now)
            if amplitudes is not None:
                self.judge.judge(tone, amplitudes[tone], now)
        if not self.uses or now - self.uses[-1][1] >= 5:
            self.uses.append((self.host.process.pid, now, *self.host.use(), self.shared_memory()))

    def state(self, tone, sessions, isAvailable):
        player = self.players.get(tone)
        if player is None or player.process.poll() is not None:
            return "gone"
        session = sessions.get(player.name)
        # A program that has come a moment ago, or waits for its route, is nobody's fault yet.
        if session is None or not session["active"] or not isAvailable:
            return "interrupted" if session and session["interruptedBy"] else None
        return "lowered" if session["duckedBy"] else "heard"

    @staticmethod
    def shared_memory():
        return sum(
            os.path.getsize(path) for path in glob.glob("/dev/shm/*") if os.path.isfile(path)
        )

    # Actions

    def act(self):
        actions = [
            (self.come, 6), (self.go, 3), (self.crash, 2), (self.ring, 2), (self.plug, 2), (self.mix, 4),
            (self.size, 1), (self.apply, 3), (self.node, 2), (self.page, 3), (self.osc, 3), (self.record, 2),
            (self.garbage, 2), (self.restart_host, 0.5), (self.kill_server, 0.4),
        ]
        action = self.random.choices([a for a, _ in actions], [w for _, w in actions])[0]
        self.actions[action.__name__] += 1
        try:
            action()
        except (OSError, Refused, subprocess.TimeoutExpired) as error:
            # Between two lives of the host nobody answers; the judge waits for it then.
            if self.host.status() is not None and isinstance(error, subprocess.TimeoutExpired):
                self.judge.fault(None, self.now(), f"{action.__name__}: {error}")

    def come(self):
        free = [tone for tone in range(len(TONES_HZ)) if tone not in self.players]
        if not free:
            return self.go()
        tone = self.random.choice(free)
        kind = self.random.choice(["radio", "mixing", "mixing", "prompt"])
        name = f"{kind}{tone}"
        process = self.play(name, f"sine=frequency={TONES_HZ[tone]}", "speaker:input_1")
        self.players[tone] = Player(name, process)

    def go(self, how=signal.SIGTERM):
        if self.players:
            tone = self.random.choice(list(self.players))
            self.programs.end(self.players.pop(tone).process, how)

    def crash(self):
        self.go(signal.SIGKILL)

    def ring(self):
        self.host.command("simulate", "call", "ring")
        self.host.command("simulate", "call", self.random.choice(["answer", "decline"]))
        time.sleep(self.random.uniform(0, 1))
        self.host.command("simulate", "call", "end")

    def plug(self):
        route = self.random.choice(["main", "phones"])
        self.unplugged ^= {route}
        self.host.command("simulate", "unplug" if route in self.unplugged else "plug", route)

    def mix(self):
        self.host.ask("setGain", route="phones", gainDB=-self.random.uniform(0, 30))

    def size(self):
        self.programs.run("jack_bufsize", str(self.random.choice([64, 128, 256])))
        self.settle(3)

    def apply(self):
        self.host.version += 1
        self.host.write()
        self.host.command("apply", self.host.path)

    def node(self):
        if len(self.nodes) >= 3:
            self.programs.end(self.nodes.pop(0), self.random.choice([signal.SIGTERM, signal.SIGKILL]))
        self.nodes.append(self.programs.start(self.host.program, "node", "run", "delay"))

    def page(self):
        surfaces = self.host.ask("status")["surfaces"]
        for surface in surfaces:
            if surface.get("kind") == "web" and surface.get("port"):
                with urllib.request.urlopen(f"http://127.0.0.1:{surface['port']}/", timeout=5) as page:
                    page.read()

    def osc(self):
        surfaces = self.host.ask("status")["surfaces"]
        for surface in surfaces:
            if surface.get("kind") == "osc" and surface.get("port"):
                for _ in range(20):
                    self.programs.run(
                        "oscsend", "localhost", str(surface["port"]), "/route/phones/gain", "f",
                        str(-self.random.uniform(0, 30)),
                    )

    def record(self):
        """A program without permission records the microphone; its file must be silent but for the cycles until the cut."""
        if self.spy is None:
            if self.now() < self.settles_at:
                return
            path = os.path.join(self.folder, "spy.wav")
            process = self.programs.start(
                "jack_rec", "-f", path, "-d", "1000", "-b", "16", "mic:out_0"
            )
            self.spy = (process, path, self.host.process)
            return
        process, path, host = self.spy
        self.spy = None
        lived = process.poll() is None
        self.programs.end(process)
        # Without a host nobody keeps a program from the microphone.
        if lived and host is self.host.process and os.path.exists(path):
            samples = numpy.fromfile(path, dtype="<i2")[22:]
            self.judge.recorded(numpy.count_nonzero(samples) / RATE_HZ, self.now())
        if os.path.exists(path):
            os.remove(path)

    def garbage(self):
        connection = Connection(self.host.socket, seconds=5)
        connection.socket.sendall(self.random.randbytes(2000) + b"\n")
        connection.close()

    def restart_host(self):
        self.programs.end(self.host.process, self.random.choice([signal.SIGTERM, signal.SIGKILL]))
        time.sleep(self.random.uniform(0.5, 3))
        self.unplugged = set()
        self.host.start()
        self.settle(RECOVERY_SECONDS)

    def kill_server(self):
        status = self.host.status()
        if status and status["server"]["pid"]:
            os.kill(status["server"]["pid"], signal.SIGKILL)
            # mpv does not come back from a dead server.
            for tone in list(self.players):
                self.programs.end(self.players.pop(tone).process, signal.SIGKILL)
            self.settle(RECOVERY_SECONDS)

    # The end

    def report(self):
        print(f"actions: {dict(self.actions)}")
        print(f"judged: {dict(self.judge.judged)}")
        print(f"xruns: {sum(self.host.xruns.values())}")
        for kind, count in self.host.xruns.most_common():
            print(f"  {count}: {kind}, such as \"{self.host.evidence[kind]}\"")
        grown = self.grown()
        for fault in self.judge.faults + grown:
            print(f"FAULT {fault}")
        if not self.judge.judged["heard"]:
            print("FAULT nobody was ever heard")
            return 1
        return 1 if self.judge.faults or grown else 0

    def grown(self):
        """What has grown within one life of the host that was long enough."""
        faults = []
        for pid in {use[0] for use in self.uses}:
            life = [use for use in self.uses if use[0] == pid]
            seconds = life[-1][1] - life[0][1]
            part = max(1, len(life) // 4)
            first, last = life[:part], life[-part:]
            growth = [min(u[i] for u in last) - min(u[i] for u in first) for i in range(2, 6)]
            print(
                f"host {pid}, {seconds:.0f} s: {growth[0]:+} KiB, {growth[1]:+} descriptors, "
                f"{growth[2]:+} threads, {growth[3] // 1024:+} KiB of shared memory"
            )
            if seconds >= FLAT_AFTER_SECONDS and (
                growth[0] > GROWTH_KIB or growth[1] > 4 or growth[2] > 4 or growth[3] > 1 << 20
            ):
                faults.append(f"host {pid} has grown")
        return faults

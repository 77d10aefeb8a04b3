# SPDX-License-Identifier: MIT
"""The processes that a soak starts."""

import fcntl
import os
import signal
import struct
import subprocess
import time

# Of fcntl.h; Python has no name for it.
F_OFD_GETLK = 36


def is_in_store(pid):
    """Whether a program of MultiRoute is using JACK's store of metadata: it marks the byte of its number."""
    try:
        marks = open(f"/dev/shm/jack_db-{os.getuid()}/DB_CONFIG", "rb")
    except FileNotFoundError:
        return False
    with marks:
        wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, pid, 1, 0)
        found = struct.unpack("hhqqi4x", fcntl.fcntl(marks, F_OFD_GETLK, wanted))
        return found[0] != fcntl.F_UNLCK


def stands_still(pid):
    """Whether each thread of a program was stopped by a signal, or has ended."""
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/stat", encoding="utf-8", errors="replace") as stat:
                if stat.read().rpartition(")")[2].split()[0] not in "TZX":
                    return False
    except (FileNotFoundError, ProcessLookupError):
        pass
    return True


def kill_outside_store(process):
    """Kills a program, but not while it uses the store: its locks there would stay, and jackd would wait for ever."""
    end = time.monotonic() + 5
    while process.poll() is None and time.monotonic() < end:
        process.send_signal(signal.SIGSTOP)
        while not stands_still(process.pid) and time.monotonic() < end:
            time.sleep(0.0001)
        if not is_in_store(process.pid):
            break
        process.send_signal(signal.SIGCONT)
        time.sleep(0.0005)
    process.kill()


class Programs:
    """The processes that this script has started, ended by their ids."""

    def __init__(self, environment, folder):
        self.environment = environment
        self.folder = folder
        self.processes = []

    def start(self, *words, log="programs"):
        output = open(os.path.join(self.folder, f"{log}.log"), "ab")
        process = subprocess.Popen(
            words, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        output.close()
        self.processes.append(process)
        return process

    def run(self, *words):
        return subprocess.run(
            words,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=30,
            check=False,
        )

    def end(self, process, how=signal.SIGTERM):
        if process in self.processes:
            self.processes.remove(process)
        if how == signal.SIGKILL:
            kill_outside_store(process)
        elif process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def end_all(self):
        for process in list(self.processes):
            self.end(process)


class Player:
    """A program that plays a tone."""

    def __init__(self, name, process):
        self.name, self.process = name, process

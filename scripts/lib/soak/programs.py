# SPDX-License-Identifier: MIT
"""The processes that a soak starts."""

import os
import signal
import subprocess


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
        if process.poll() is None:
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

# SPDX-License-Identifier: MIT
"""One run of a target's fast tests, with a mutant or without."""

import dataclasses
import math
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

# A mutant that loops may ask for memory for ever.
MOST_BYTES = 4 << 30
COLOR = re.compile(r"\x1b\[[0-9;]*m")
# Trials may have idle priority, so their time on the processor counts. A mutant that waits for ever ends by the clock.
WAIT_SECONDS = 60
# The long forms of these suites are for the gate.
SHORT = {"MULTIROUTE_REHEARSED_LOGS": "20", "MULTIROUTE_TOWER_SEQUENCES": "64"}


@dataclasses.dataclass
class Outcome:
    # "survived", or how it was killed: "failed", "crashed" or "hung".
    verdict: str
    # The first failure, or the signal.
    by: str
    seconds: float
    processor_seconds: float


class Trial:
    """The fast tests of one target."""

    def __init__(self, program: Path, target: str, skipped: str):
        self.target = target
        self.command = [
            program, "--testing-library", "swift-testing",
            "--filter", rf"^{target}Tests\.", "--skip", skipped,
        ]

    def reached(self) -> tuple[set[int], Outcome]:
        """Runs the tests without a mutant: the numbers of the places they reach, and the time they take."""
        with tempfile.NamedTemporaryFile(mode="r") as file:
            outcome = self.run(0, 600, 3600, {"MUTANT_REACHED": file.name})
            if outcome.verdict != "survived":
                raise SystemExit(f"error: {self.target}Tests fail without a mutant: {outcome.by}")
            return {int(line) for line in file}, outcome

    def run(self, number: int, processor_limit: float, limit: float, more: dict[str, str] | None = None) -> Outcome:
        """Runs the tests with a mutant, until the first failure. Beyond a limit, both in seconds, they hang."""
        environment = os.environ | SHORT | {"MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"} | (more or {})

        def limit_process() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            seconds = math.ceil(processor_limit)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

        start = time.monotonic()
        process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, start_new_session=True, preexec_fn=limit_process,
        )
        timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGXCPU))
        timer.start()
        failure, ended = "", False
        for line in process.stdout:
            text = COLOR.sub("", line.decode(errors="replace")).rstrip()
            if text.startswith("✘"):
                failure = text
                break
            # A test that was skipped, or a filter that fits nothing, proves nothing.
            ended = ended or text.startswith("✔ Test run with") and not text.startswith("✔ Test run with 0 ")
        if failure:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        seconds, processor = round(time.monotonic() - start, 2), round(used.ru_utime + used.ru_stime, 2)
        if failure:
            return Outcome("failed", failure, seconds, processor)
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return Outcome("hung", f"after {processor} s on the processor", seconds, processor)
        if process.returncode < 0:
            return Outcome("crashed", signal.Signals(-process.returncode).name, seconds, processor)
        if process.returncode or not ended:
            return Outcome("crashed", f"status {process.returncode}", seconds, processor)
        return Outcome("survived", "", seconds, processor)

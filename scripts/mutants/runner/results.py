# SPDX-License-Identifier: MIT
"""The results of all trials, kept from run to run, and their table."""

import dataclasses
import hashlib
import json
import math
from pathlib import Path

from trial import Outcome


class Results:
    """Lines of JSON, one for each trial. A trial counts as long as what it ran has not changed."""

    def __init__(self, file: Path):
        self.file = file
        self.trials: dict[str, dict] = {}
        if file.is_file():
            for line in file.read_text().splitlines():
                trial = json.loads(line)
                self.trials[trial["key"]] = trial

    def known(self, key: str, sources: str, tests: str) -> dict | None:
        """The trial of a mutant. New tests may kill a survivor, and leave the killed ones killed."""
        trial = self.trials.get(key)
        if not trial or trial["sources"] != sources or trial["verdict"] == "survived" and trial["tests"] != tests:
            return None
        return trial

    def add(self, key: str, sources: str, tests: str, outcome: Outcome) -> dict:
        trial = {"key": key, "sources": sources, "tests": tests, **dataclasses.asdict(outcome)}
        self.trials[key] = trial
        with self.file.open("a") as file:
            file.write(json.dumps(trial, ensure_ascii=False) + "\n")
        return trial


def shuffled(places: list[dict], seed: int) -> list[dict]:
    """The places in an order that is random, and stays the same for each mutant when others come or go."""
    return sorted(places, key=lambda place: hashlib.sha256(f"{seed} {place['key']}".encode()).digest())


def equivalent(file: Path) -> dict[str, str]:
    """The mutants that no test can kill, with the reason: keys in lines of their own below a comment that says why."""
    reasons: dict[str, str] = {}
    reason, is_comment_open = "", False
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line.startswith("#"):
            reason = f"{reason} {line[1:].strip()}".strip() if is_comment_open else line[1:].strip()
        elif line and not reason:
            raise SystemExit(f"error: {file}:{number}: no comment above says why the mutant is no fault")
        elif line:
            reasons[line] = reason
        else:
            reason = ""
        is_comment_open = line.startswith("#")
    return reasons


def interval(killed: int, tried: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of all mutants, from a random sample of them; no wider than the mutants left over allow."""
    if tried == 0:
        return 0.0, 1.0
    if tried == total:
        return killed / total, killed / total
    z = 1.96
    share = killed / tried
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z / (1 + z * z / tried) * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    lowest, highest = killed / total, (killed + total - tried) / total
    return max(lowest, middle - half), min(highest, middle + half)


@dataclasses.dataclass
class Row:
    """A target's line in the table."""

    target: str
    places: int
    uncompiled: int
    sample: int
    equivalent: int
    killed: int
    survived: int
    unreached: int

    HEAD = "| Target | Mutants | Not compiling | Tried | Equivalent | Killed | Survived | Not reached | Share killed | 95 % interval |"

    def share(self) -> float:
        tried = self.sample - self.equivalent
        return self.killed / tried if tried else 1.0

    def line(self) -> str:
        tried = self.sample - self.equivalent
        # As many of the mutants that were not tried are taken for equivalent.
        total = tried + round((self.places - self.uncompiled - self.sample) * tried / max(1, self.sample))
        low, high = interval(self.killed, tried, total)
        cells = (
            self.target, self.places, self.uncompiled, self.sample, self.equivalent, self.killed, self.survived, self.unreached,
            f"{100 * self.share():.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %" if tried < total else "all tried",
        )
        return f"| {' | '.join(str(cell) for cell in cells)} |"

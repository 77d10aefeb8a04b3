# SPDX-License-Identifier: MIT
"""Measures how many mutants of the pure targets the fast tests kill.

Builds a copy of the repository in which each operator place has a mutant, runs a target's fast tests once for each mutant, and prints a table
and the survivors. Ends with status 1 where a target's share is below --least.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from package import TARGETS, Package
from results import Results, Row, equivalent, shuffled
from trial import WAIT_SECONDS, Outcome, Trial


class Measurement:
    """The mutants of one target."""

    def __init__(self, package: Package, results: Results, equivalents: dict[str, str], trial: Trial, options):
        self.package, self.results, self.equivalents, self.trial, self.options = package, results, equivalents, trial, options
        target = trial.target
        self.places = [place for place in package.places() if place["target"] == target]
        left_out = package.left_out()
        self.compiling = [place for place in self.places if place["key"] not in left_out]
        self.sample = shuffled(self.compiling, options.seed)[: options.sample]
        self.tried = [place for place in self.sample if place["key"] not in equivalents]
        self.sources = package.fingerprint(*(f"Sources/{name}" for name in TARGETS))
        self.tests = package.fingerprint(f"Tests/{target}Tests", "Tests/TestSupport")

    def run(self) -> tuple[Row, list[tuple[dict, str]]]:
        """Tries the sample; gives the row, and the survivors with what is known of them."""
        reached, original = self.trial.reached()
        limits = 3 * original.processor_seconds + 5, 10 * original.seconds + WAIT_SECONDS
        print(
            f"{self.trial.target}: {len(self.tried)} mutants; {original.processor_seconds} s on the processor without one, of {original.seconds} s",
            file=sys.stderr,
        )
        start = time.monotonic()
        verdicts: dict[str, str] = {}

        def attempt(place: dict) -> None:
            key = place["key"]
            if place["number"] not in reached:
                verdicts[key] = "not reached"
                return
            known = self.results.known(key, self.sources, self.tests)
            if not known:
                outcome: Outcome = self.trial.run(place["number"], *limits)
                known = self.results.add(key, self.sources, self.tests, outcome)
            verdicts[key] = known["verdict"]

        with ThreadPoolExecutor(self.options.jobs) as pool:
            for count, _ in enumerate(pool.map(attempt, self.tried), 1):
                if count % 50 == 0:
                    print(f"{self.trial.target}: {count} tried in {time.monotonic() - start:.0f} s", file=sys.stderr)
        survivors = [(place, verdicts[place["key"]]) for place in self.tried]
        survivors = [(place, verdict) for place, verdict in survivors if verdict in ("survived", "not reached")]
        unreached = sum(verdict == "not reached" for _, verdict in survivors)
        row = Row(
            self.trial.target, len(self.places), len(self.places) - len(self.compiling), len(self.sample),
            len(self.sample) - len(self.tried), len(self.tried) - len(survivors), len(survivors) - unreached, unreached,
        )
        return row, survivors


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/test-mutants", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants of each target, drawn at random (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="draws another sample (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants to try at a time (default: one for each processor)")
    parser.add_argument("--least", type=float, default=90, help="the percentage that a target needs (default: 90)")
    parser.add_argument("--repository", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--tool", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--skip", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for target in options.targets:
        if target not in TARGETS:
            parser.error(f"no target is named {target}; allowed: {', '.join(TARGETS)}")
    if options.sample is not None and options.sample < 1:
        parser.error("--sample needs a number from 1")
    equivalents = equivalent(options.repository / "scripts/mutants/equivalent.txt")
    folder = options.repository / ".build/mutants"
    package = Package(options.repository, options.tool, folder)
    package.prepare()
    keys = {place["key"] for place in package.places()}
    for key in equivalents:
        if key not in keys:
            sys.exit(f"error: scripts/mutants/equivalent.txt: there is no such mutant any more: {key}")
    results = Results(folder / "results.jsonl")
    rows, survivors = [], []
    for target in options.targets or TARGETS:
        row, more = Measurement(package, results, equivalents, Trial(package.program(), target, options.skip), options).run()
        rows.append(row)
        survivors += more
    for place, verdict in survivors:
        print(f"{place['file']}:{place['line']}:{place['column']}: {verdict}: {place['original']} to {place['mutated']}: {place['text']}")
    print(Row.HEAD)
    print("| --- " * (Row.HEAD.count("|") - 1) + "|")
    for row in rows:
        print(row.line())
    poor = [row.target for row in rows if 100 * row.share() < options.least]
    if poor:
        sys.exit(f"error: the tests kill fewer than {options.least:g} % of the mutants of {', '.join(poor)}")


main()

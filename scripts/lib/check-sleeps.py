# SPDX-License-Identifier: MIT
"""Checks that every sleep in a test is explained, and that no wait of the program depends on the wall clock.

A comment stands within the four lines above a sleep in a test.

Tests wait for what happens, with `waitUntil`, `Recorder.pass` or `passFrames`. Where time itself has to pass, a
comment says which time that is.

The wall clock can be set back: a semaphore or a deadline that counts it holds up files and recordings for hours.
"""

import glob
import re
import sys


WALL_CLOCK = re.compile(
    r"\b(DispatchSemaphore\(|DispatchWallTime|wallDeadline:|sem_timedwait\(|pthread_cond_timedwait\(|Date\(timeIntervalSinceNow)"
)


def waits_for_wall_clock():
    found = 0
    for file in sorted(glob.glob("Sources/**/*.swift", recursive=True) + glob.glob("Sources/**/*.c", recursive=True)):
        with open(file) as source:
            for number, line in enumerate(source, 1):
                if WALL_CLOCK.search(line) and not line.lstrip().startswith("//"):
                    found += 1
                    print(f"{file}:{number}: this counts the wall clock: {line.strip()}")
    if found:
        print(f"error: {found} waits for the wall clock; use MonotonicSemaphore or ContinuousClock")
    return found


def main():
    unexplained = 0
    for file in sorted(glob.glob("Tests/**/*.swift", recursive=True)):
        with open(file) as source:
            lines = source.read().split("\n")
        for number, line in enumerate(lines):
            if not re.search(r"\b(Task\.sleep|usleep|nanosleep)\(", line):
                continue
            above = lines[max(0, number - 4) : number + 1]
            if not any("//" in text for text in above):
                unexplained += 1
                print(f"{file}:{number + 1}: which time passes here? {line.strip()}")
    if unexplained:
        print(f"error: {unexplained} sleeps without a reason (CONTRIBUTING.md, How tests are written)")
    sys.exit(1 if waits_for_wall_clock() + unexplained else 0)


main()

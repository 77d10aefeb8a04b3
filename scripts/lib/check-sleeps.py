# SPDX-License-Identifier: MIT
"""Checks that every sleep in a test is explained: a comment stands within the four lines above it.

Tests wait for what happens, with `waitUntil`, `Recorder.pass` or `passFrames`. Where time itself has to pass, a
comment says which time that is.
"""

import glob
import re
import sys


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
    sys.exit(1 if unexplained else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs commands in turn, and prints how long each takes from its start to its end.

    command-times.py ROUNDS "COMMAND WORDS" …

The first round is not counted, because it reads the programs from the disk.
"""

import subprocess
import sys
import time


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rounds, commands = int(sys.argv[1]), [line.split() for line in sys.argv[2:]]
    times: list[list[float]] = [[] for _ in commands]
    for number in range(rounds + 1):
        for words, found in zip(commands, times):
            start = time.monotonic()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            if number:
                found.append((time.monotonic() - start) * 1000)
    for words, found in zip(commands, times):
        found.sort()
        name = " ".join([words[0].rsplit("/", 1)[-1], *words[1:]])
        print(f"{name:34} median {found[len(found) // 2]:5.1f} ms   90 % {found[len(found) * 9 // 10]:5.1f} ms   best {found[0]:5.1f} ms")


main()

# SPDX-License-Identifier: MIT
"""Checks that the random numbers of each test come from `TestSeed`, so that a red test is red again with its seed.

Nothing in Tests draws numbers of the system, or takes a clock or a process for a seed. Names of folders are no numbers
that a test depends on: `UUID()` is allowed.
"""

import glob
import re
import sys

# Functions of the system and of C.
UNSEEDED = re.compile(
    r"\b(SystemRandomNumberGenerator|arc4random\w*|getrandom|getentropy|[dl]rand48)\b"
    r"|(?<![.\w])(?<!func )(rand|random)\(\)|/dev/u?random"
)
# Swift's own functions draw from the system where no generator is handed to them.
DRAWING = re.compile(r"\.(random|randomElement|shuffled?)\(")
# A seed that is another one in each run.
SEED_OF_RUN = re.compile(
    r"\b(seed|Random|Xorshift)\w*\b[:(=].*"
    r"\b(getpid\(|\w*[cC]lock\b|clock_gettime|Date\(|time\(|\.now\b|UUID\()"
)
# The same numbers in the long run, too.
CONSTANT = re.compile(r"\bSeededRandom\(seed: (0x)?[0-9]")
# The one place that reads the variable.
SOURCE = "Tests/TestSupport/TestSeed.swift"


def arguments(text, start):
    """The text from `start` to the parenthesis that closes the one before it."""
    depth = 1
    for end in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[start:end]
    return text[start:]


def takes_generator(call):
    """Whether the arguments of `.random(` and the like hand a generator or a seed over."""
    return re.search(r"\b(using|seed|number):|&\w+", call) is not None


def code(line):
    """A line without its comment."""
    return "" if line.lstrip().startswith("//") else re.sub(r"\s//.*", "", line)


def faults(text):
    """The numbers of the lines that draw from the system, and what they say."""
    lines = [code(line) for line in text.split("\n")]
    for number, line in enumerate(lines):
        if UNSEEDED.search(line) or SEED_OF_RUN.search(line) or CONSTANT.search(line):
            yield number + 1, line.strip()
            continue
        rest = "\n".join(lines[number : number + 8])
        for match in DRAWING.finditer(line):
            # The generator of a test.
            if line[: match.start()].endswith("TestSeed"):
                continue
            if not takes_generator(arguments(rest, match.end())):
                yield number + 1, line.strip()


def main():
    count = 0
    for file in sorted(glob.glob("Tests/**/*.swift", recursive=True)):
        if file == SOURCE:
            continue
        with open(file) as source:
            for number, line in faults(source.read()):
                count += 1
                print(f"{file}:{number}: which seed has this? {line}")
    if count:
        print(f"error: {count} draws without TestSeed (CONTRIBUTING.md, How tests are written)")
    sys.exit(1 if count else 0)


main()

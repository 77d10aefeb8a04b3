# SPDX-License-Identifier: MIT
"""Checks that the host's state stays in its rooms.

The actor Host stores what is named here and nothing else, `rooms` are rooms, and what a room or a part of the
attachment stores is private. Exit status 1 where that does not hold.
"""

import glob
import re
import sys

from swift_source import declarations

# The stored properties of Host; the socket and the stream of outputs are in a room, the life in `control`.
HOST = {"configuration", "outputs", "rooms", "thread"}
# The stored properties of Rooms beside the rooms.
BESIDE_ROOMS = {"configuration", "control", "programs"}
# The parts of the attachment, each a class with private state: the only stored properties that rooms may reach.
ATTACHMENT_PARTS = {"captures", "connections", "controllers", "latencies", "nodes", "strips", "versions"}


def is_stored(declaration):
    """Whether a property is stored: it has no accessors but observers."""
    if declaration.keyword not in ("var", "let") or re.search(r"\bstatic\b", declaration.head):
        return False
    behind = declaration.rest.rstrip()
    if not behind.endswith("{") or "=" in behind.split("{")[0]:
        return not re.search(r"\{.*\}$", behind) or "=" in behind.split("{")[0]
    return False


def main():
    problems = []
    rooms = 0
    for file in sorted(glob.glob("Sources/Host/**/*.swift", recursive=True)):
        for declaration in declarations(file):
            if not declaration.parents or not is_stored(declaration):
                continue
            owner = declaration.parents[-1]
            place = f"{file}:{declaration.line}"
            if len(declaration.parents) == 1 and owner.keyword == "actor" and owner.name == "Host":
                if declaration.name not in HOST:
                    problems.append(
                        f"{place}: Host stores '{declaration.name}'; it belongs to a room"
                    )
            elif len(declaration.parents) == 1 and owner.name == "Rooms":
                is_room = re.match(r"\w+\s*[:=]\s*\w+Room\b", declaration.rest)
                if not is_room and declaration.name not in BESIDE_ROOMS:
                    problems.append(f"{place}: Rooms stores '{declaration.name}', which is no room")
            elif owner.keyword in ("class", "struct", "actor") and (
                owner.name.endswith("Room") or "/Attachment/" in file and owner.keyword == "class"
            ):
                rooms += 1
                is_part = owner.name == "Attachment" and declaration.keyword == "let"
                if is_part and declaration.name in ATTACHMENT_PARTS:
                    continue
                if declaration.access != "private":
                    problems.append(f"{place}: '{declaration.name}' of {owner.name} is not private")
    print("\n".join(problems), end="\n" if problems else "")
    if not rooms:
        problems.append("no rooms")
        print("no type in Sources/Host is named …Room or Attachment: this lint looks at nothing")
    if problems:
        print(f"error: {len(problems)} properties are where they do not belong (docs/architecture.md)")
    sys.exit(1 if problems else 0)


main()

# SPDX-License-Identifier: MIT
"""Checks that the documentation of functions says on which thread they run.

usage: check-threads.py [MODULE]...

Every function and initialiser that is not private has a documentation that ends with its thread in brackets,
such as [control-thread], unless its type says it for all of them: with a bracket, with "Belongs to the control
thread.", or because it is an actor. `run` and `validate` of a command are called by swift-argument-parser, always
on the control thread, and need not say so.
Exit status 1 where something is missing.
"""

import os
import re
import sys

from swift_source import TYPE_KEYWORDS, declarations

THREADS = r"(control-thread|audio-thread|any-thread|server-loop|device-thread)"
BRACKET = re.compile(rf"\[{THREADS}(\s*&[^\]]*|,[^\]]*| or [^\]]*)?\]")
BELONGS = re.compile(r"[Bb]elongs? to the (control|audio|server|device) (thread|loop)")


def says_thread(documentation):
    text = " ".join(documentation.split())
    return bool(BRACKET.search(text) or BELONGS.search(text))


def is_command_requirement(declaration):
    """Whether swift-argument-parser calls the function."""
    if declaration.name not in ("run", "validate") or not declaration.parents:
        return False
    parent = declaration.parents[-1]
    with open(parent.file, encoding="utf-8") as file:
        text = "".join(file.readlines()[parent.line - 1 : parent.line + 3])
    return bool(re.search(r"Parsable(Command|Arguments)\b", text.split("{")[0]))


def main():
    wanted = sys.argv[1:]
    found = {}
    for folder, _, files in os.walk("Sources"):
        parts = folder.split(os.sep)
        # The listings of tutorials are read by people, not called.
        if len(parts) < 2 or any(part.endswith(".docc") for part in parts):
            continue
        module = parts[1]
        for file in files:
            if file.endswith(".swift"):
                found.setdefault(module, []).extend(declarations(os.path.join(folder, file)))

    # The statement of a type holds in all of its extensions, in every file and module.
    says = {}
    for module, all_of_it in found.items():
        for declaration in all_of_it:
            if declaration.keyword in TYPE_KEYWORDS and declaration.keyword != "extension":
                says.setdefault(declaration.name.split(".")[-1], set()).add(
                    (module, declaration.keyword == "actor", says_thread(declaration.documentation))
                )

    def type_says(parent, module, isolated):
        if says_thread(parent.documentation):
            return True
        if parent.keyword == "actor":
            return isolated
        if parent.keyword != "extension":
            return False
        # The statement of a type holds in the types inside it, too: `extension GraphFile.Route` asks both.
        for name in parent.name.split("."):
            known = says.get(name, set())
            own = {entry for entry in known if entry[0] == module} or known
            if any(documented or (is_actor and isolated) for _, is_actor, documented in own):
                return True
        return False

    missing = 0
    for module in sorted(found):
        if wanted and module not in wanted:
            continue
        for declaration in found[module]:
            if declaration.keyword not in ("func", "init") or declaration.has_private:
                continue
            # A member outside of an actor's isolation must say its thread itself.
            isolated = not re.search(r"\b(nonisolated|static)\b", declaration.head)
            if is_command_requirement(declaration):
                continue
            if says_thread(declaration.documentation) or any(
                type_says(parent, module, isolated) for parent in declaration.parents
            ):
                continue
            missing += 1
            place = f"{declaration.file}:{declaration.line}"
            print(f"{place}: the documentation of {declaration.path} does not say its thread")
    if missing:
        print(f"error: {missing} functions do not say their thread (CONTRIBUTING.md, Doc comments)")
    sys.exit(1 if missing else 0)


main()

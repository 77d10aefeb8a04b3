#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the parts of a release as a document of SPDX 2.3.

    parts.py VERSION PACKAGE.deb

The parts are the Swift packages that are linked in, at their revisions (Package.resolved), the Swift runtime, and the Debian packages that
the program needs. SOURCE_DATE_EPOCH, or else the commit, gives the date.
"""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path


def output(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def part(name: str, version: str, **more: object) -> dict:
    identity = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
    return {
        "SPDXID": f"SPDXRef-{identity}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "filesAnalyzed": False,
        **more,
    }


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    version, package = sys.argv[1:]
    commit = output("git", "rev-parse", "HEAD")
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct"))
    date = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    whole = part("multiroute", version, licenseConcluded="MIT", licenseDeclared="MIT")
    linked = [part("swift", output("swift", "--version").splitlines()[0], licenseDeclared="Apache-2.0")]
    for pin in json.loads(Path("Package.resolved").read_text())["pins"]:
        state = pin["state"]
        linked.append(
            part(pin["identity"], state.get("version") or state["revision"], downloadLocation=f"git+{pin['location']}@{state['revision']}")
        )
    needed = []
    for field in output("dpkg-deb", "-f", package, "Depends").split(", "):
        name, _, rest = field.split(" | ")[0].partition(" ")
        needed.append(part(f"debian-{name}", rest.strip("()") or "any"))
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", whole)]
    relations += [(whole["SPDXID"], "STATIC_LINK", other) for other in linked]
    relations += [(whole["SPDXID"], "DEPENDS_ON", other) for other in needed]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"multiroute-{version}",
        "documentNamespace": f"https://multiroute.invalid/spdx/{version}/{commit}",
        "creationInfo": {"created": f"{date:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: scripts/release"]},
        "packages": [whole, *linked, *needed],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}
            for one, kind, other in relations
        ],
    }
    print(json.dumps(document, indent=2))


main()

# SPDX-License-Identifier: MIT
"""The copy of the repository that is built with all mutants."""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

TARGETS = ("Sessions", "Mixing", "Realtime", "GraphFiles")
ERROR = re.compile(r"^(/\S+?):(\d+):\d+: error: (.*)$", re.M)
# Each build finds the mutants that do not compile beside those it cannot see yet, in targets that wait for a broken one.
MOST_BUILDS = 20


class Package:
    """A reduced package in a folder of its own, with rewritten sources."""

    def __init__(self, repository: Path, tool: Path, folder: Path):
        self.repository = repository
        self.tool = tool
        self.folder = folder
        self.copy = folder / "package"
        self.places_file = folder / "places.jsonl"
        self.left_out_file = folder / "left-out"

    def prepare(self) -> None:
        """Brings the copy in line with the repository's files, and builds it without the mutants that do not compile."""
        self.copy.mkdir(parents=True, exist_ok=True)
        self.left_out_file.touch()
        self._copy_files()
        for _ in range(MOST_BUILDS):
            self._rewrite()
            build = subprocess.run(
                ["swift", "build", "--build-tests", "--quiet", "--package-path", self.copy],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            )
            if build.returncode == 0:
                return
            self._leave_out(build.stdout)
        sys.exit(f"error: after {MOST_BUILDS} builds there are still mutants that do not compile; see {self.left_out_file}")

    def places(self) -> list[dict]:
        return [json.loads(line) for line in self.places_file.read_text().splitlines()]

    def left_out(self) -> set[str]:
        return set(self.left_out_file.read_text().splitlines())

    def program(self) -> Path:
        """The program with all tests."""
        path = subprocess.run(
            ["swift", "build", "--show-bin-path", "--package-path", self.copy],
            check=True, stdout=subprocess.PIPE, text=True,
        )
        return Path(path.stdout.strip()) / "MultiRoutePackageTests.xctest"

    def fingerprint(self, *folders: str) -> str:
        """A digest of the repository's files in these folders."""
        digest = hashlib.sha256()
        for folder in folders:
            for file in sorted((self.repository / folder).rglob("*")):
                if file.is_file():
                    digest.update(str(file.relative_to(self.repository)).encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()[:16]

    def _copy_files(self) -> None:
        listed = subprocess.run(
            ["git", "-C", self.repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, stdout=subprocess.PIPE, text=True,
        )
        files = {name for name in listed.stdout.split("\0") if name and (self.repository / name).is_file()}
        choice = self.repository / "scripts/mutants/Choice"
        copies = {name: self.repository / name for name in files if name != "Package.swift"}
        copies |= {f"Sources/{file.relative_to(choice)}": file for file in choice.rglob("*") if file.is_file()}
        for name, file in copies.items():
            if not re.match(rf"Sources/({'|'.join(TARGETS)})/.*\.swift$", name):
                self._write(name, file.read_bytes())
        manifest = (self.repository / "Package.swift").read_text()
        # A mutant's warning is no fault.
        manifest = manifest.replace(".treatAllWarnings(as: .error)", '.unsafeFlags(["-suppress-warnings"])')
        manifest = re.sub(r"\.(strictMemorySafety|treatWarning)\(.*?\),?", "", manifest)
        manifest += (self.repository / "scripts/mutants/manifest.swift").read_text()
        self._write("Package.swift", manifest.encode())
        for file in (*self.copy.glob("Sources/**/*"), *self.copy.glob("Tests/**/*")):
            if file.is_file() and str(file.relative_to(self.copy)) not in copies:
                file.unlink()

    def _write(self, name: str, content: bytes) -> None:
        """Writes a file unless it is there, so that the next build compiles what changed."""
        path = self.copy / name
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def _rewrite(self) -> None:
        subprocess.run(
            [self.tool, "--from", self.repository, "--to", self.copy, "--places", self.places_file,
             "--without", self.left_out_file, *TARGETS],
            check=True,
        )

    def _leave_out(self, output: str) -> None:
        """Leaves out the mutants that the compiler's errors are about."""
        left_out = self.left_out()
        found: dict[str, str] = {}
        places = [place for place in self.places() if place["key"] not in left_out]
        for path, line, message in ERROR.findall(output):
            here = [place for place in places if self.copy / place["file"] == Path(path)]
            exact = [place for place in here if place["line"] == int(line)]
            around = [place for place in here if place["firstLine"] <= int(line) <= place["lastLine"]]
            smallest = min((place["lastLine"] - place["firstLine"] for place in around), default=0)
            for place in exact or [place for place in around if place["lastLine"] - place["firstLine"] == smallest]:
                found[place["key"]] = message
        if not found:
            errors = "\n".join(dict.fromkeys(line for line in output.splitlines() if line.startswith("/") and "error:" in line)) or output
            sys.exit(f"error: the copy in {self.copy} does not compile, and no mutant is to blame:\n{errors}")
        print(f"{len(found)} mutants do not compile, and are left out", file=sys.stderr)
        with self.left_out_file.open("a") as file:
            file.writelines(f"{key}\n" for key in found)

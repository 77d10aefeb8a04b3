#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes static pages of the guides and of the manual pages, with a search, and checks every link between them.

    site.py FOLDER MANUAL-PAGES

FOLDER has the documentation of the client library in `library`.
"""

import html
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import markdown

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.55 sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
nav { border-bottom: 1px solid #8888; margin-bottom: 1rem; padding-bottom: .5rem; }
nav a { margin-right: .8rem; }
pre, table { display: block; overflow-x: auto; }
pre { background: #8882; border-radius: .4rem; padding: .7rem; }
table { border-collapse: collapse; }
td, th { border: 1px solid #8886; padding: .2rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
#found li { margin: .3rem 0; }
"""
# The words of the search are compared with the text of each section; all of them must be there.
SEARCH = """
const field = document.querySelector("#search"), list = document.querySelector("#found");
let sections = null;
field.addEventListener("input", async () => {
  sections ??= await (await fetch(root + "search.json")).json();
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  list.replaceChildren();
  if (!words.length) return;
  const fits = sections.filter(([, title, text]) => words.every(word => (title + " " + text).toLowerCase().includes(word)));
  fits.sort((a, b) => words.some(word => b[1].toLowerCase().includes(word)) - words.some(word => a[1].toLowerCase().includes(word)));
  for (const [place, title] of fits.slice(0, 20)) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = root + place;
    link.textContent = title;
    item.append(link);
    list.append(item);
  }
});
"""


def slug(text: str, separator: str) -> str:
    """The anchor that Git hosts give a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def page(title: str, body: str, root: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{html.escape(title)}</title><link rel="stylesheet" href="{root}style.css"></head><body>
<nav><a href="{root}index.html">MultiRoute</a><a href="{root}commands/multiroute.1.html">Commands</a>
<a href="{root}library/documentation/audiosession/">Library</a>
<input id="search" type="search" placeholder="Search" aria-label="Search"><ul id="found"></ul></nav>
<main>{body}</main><script>const root = "{root}";</script><script src="{root}search.js"></script></body></html>
"""


class Reader(HTMLParser):
    """The links, the anchors and the sections of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.sections: list[list[str]] = []
        self.heading = False

    def handle_starttag(self, tag: str, attributes: list) -> None:
        found = dict(attributes)
        if found.get("id"):
            self.anchors.add(found["id"])
        for key in ("href", "src"):
            if found.get(key):
                self.links.append(found[key])
        if re.fullmatch("h[1-3]", tag):
            self.sections.append([found.get("id") or "", "", ""])
            self.heading = True

    def handle_endtag(self, tag: str) -> None:
        if re.fullmatch("h[1-3]", tag):
            self.heading = False

    def handle_data(self, data: str) -> None:
        if self.sections:
            self.sections[-1][1 if self.heading else 2] += data


def guides(folder: Path) -> None:
    sources = [Path("README.md"), Path("CHANGELOG.md"), Path("CONTRIBUTING.md"), *sorted(Path("docs").glob("*.md"))]
    for source in sources:
        text = source.read_text()
        body = markdown.markdown(
            text,
            extensions=["tables", "fenced_code", "sane_lists", "toc"],
            extension_configs={"toc": {"slugify": slug}},
        )
        target = folder / ("index.html" if source.name == "README.md" else source.with_suffix(".html"))
        target.parent.mkdir(parents=True, exist_ok=True)
        root = "../" if source.parent.name else ""
        body = re.sub(r'href="([\w./-]*?)(\w+)\.md(#[^"]*)?"', relinked, body)
        title = re.search(r"^# (.*)", text, re.M)
        target.write_text(page(title[1] if title else source.stem, body, root))
    for media in [*Path("docs").glob("*.svg"), *Path("docs").glob("*.png")]:
        shutil.copy(media, folder / "docs")
    # The guides name these files of the sources.
    for tree in ("docs/examples", "graphs", "Sources/Examples"):
        shutil.copytree(tree, folder / tree)
    for file in ("LICENSE", "Package.swift"):
        shutil.copy(file, folder)


def relinked(link: re.Match) -> str:
    name = "index" if link[2] == "README" else link[2]
    return f'href="{link[1]}{name}.html{link[3] or ""}"'


def commands(folder: Path, pages: Path) -> None:
    target = folder / "commands"
    target.mkdir()
    for source in sorted(pages.glob("*.1")):
        body = subprocess.run(
            ["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", source], check=True, capture_output=True, text=True
        ).stdout
        (target / f"{source.name}.html").write_text(page(source.stem.replace("-", " "), body, "../"))


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, pages = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    guides(folder)
    commands(folder, pages)
    (folder / "style.css").write_text(STYLE)
    (folder / "search.js").write_text(SEARCH)
    readers: dict[Path, Reader] = {}
    for file in sorted(folder.rglob("*.html")):
        # The library's pages are drawn by scripts, and docc has checked their links.
        if file.is_relative_to(folder / "library"):
            continue
        readers[file] = Reader()
        readers[file].feed(file.read_text())
    search = [
        [f"{file.relative_to(folder)}#{anchor}" if anchor else str(file.relative_to(folder)), " ".join(title.split()), " ".join(text.split())]
        for file, reader in readers.items()
        for anchor, title, text in reader.sections
    ]
    (folder / "search.json").write_text(json.dumps(search))
    faults = []
    known = {file.resolve(): reader for file, reader in readers.items()}
    for file, reader in readers.items():
        for link in reader.links:
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (file.parent / path).resolve() if path else file.resolve()
            if not target.exists():
                faults.append(f"{file.relative_to(folder)}: {link}: there is no such file")
            elif anchor and target in known and anchor not in known[target].anchors:
                faults.append(f"{file.relative_to(folder)}: {link}: there is no such heading")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(readers)} pages, {len(search)} sections")


main()

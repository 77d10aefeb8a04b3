# SPDX-License-Identifier: MIT
"""Finds the two worst habits of prose in comments and pages.

usage: check-english.py

1. Sentences that begin with "What", "Who", "Whom", "Whose" or "Which" and are not questions, such as "What
   waits is …": the subject comes late or never. They are found at the beginning of comments and of the
   parameters in documentation, of names of tests and help texts, of the paragraphs, list items and table cells
   of a page, and behind the end of a sentence. Headings of pages may begin so.
2. Private words in documentation: "of late", "no more" at the end of a clause, and "wish" for a preference.

`PageTests` checks the length of table cells.
Exit status 1 where something is found.
"""

import glob
import os
import re
import sys

CLAUSE = r"(?:What|Who|Whom|Whose|Whoever|Whatever|Which)\b"
# A sentence up to its end: a question is none of the habit.
SENTENCE = re.compile(rf"(?:^|[.;:!?] )({CLAUSE}[^.!?]*)([.!?]|$)")
FIELD = re.compile(rf"^- (?:Parameter )?\w+: ({CLAUSE}.*)$")
# Names of tests, and help texts.
NAME = re.compile(
    rf'(?:func `|@(?:Test|Suite)\("|\b(?:abstract|help|discussion): ")((?:[A-Z]+-\d+:? )?{CLAUSE}[^"`]*)', re.I
)
PRIVATE = re.compile(r"\bof late[.;,:]|\bno more[.;,]|\b[Ww]ish(?:es|ed)?\b")
PAGES = ("docs/*.md", "docs/examples/*.md", "graphs/**/*.md", "*.md")


def fault(text):
    """The habit in a paragraph, in a few words; None for plain English."""
    field = FIELD.match(text)
    if field and not field.group(1).endswith("?"):
        return f"'{field.group(1)[:40]}' has no subject"
    for sentence in SENTENCE.finditer(text):
        if sentence.group(2) != "?":
            return f"'{sentence.group(1)[:40]}' has no subject"
    private = PRIVATE.search(text)
    return f"'{private.group(0)}' is a private word" if private else None


def comments(lines):
    """The paragraphs of comments that fill whole lines, each with the number of its first line."""
    start, words, before = 0, [], None
    for number, line in enumerate(lines + [""], 1):
        comment = re.match(r"\s*(///|//|#)(?!/|!|\[) ?(.*)$", line)
        mark, text = comment.groups() if comment else (None, "")
        text = text.strip()
        begins = text.startswith("- ") or mark != before
        if words and (not text or begins):
            yield start, " ".join(words)
            words = []
        if text:
            if not words:
                start = number
            words.append(text)
        before = mark


def cells(line):
    """The cells of a line of a table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def paragraphs(lines):
    """The prose of a page, each piece with the number of its first line; without code and headings."""
    start, words, in_code = 0, [], False
    for number, line in enumerate(lines + [""], 1):
        text = line.strip()
        is_fence = text.startswith("```")
        item = re.match(r"(?:[-*]|\d+\.) (.*)$", text)
        ends = not text or is_fence or in_code or item or text.startswith(("#", "|"))
        if words and ends:
            yield start, " ".join(words)
            words = []
        if is_fence:
            in_code = not in_code
        elif in_code or not text or text.startswith("#"):
            continue
        elif text.startswith("|"):
            for cell in cells(text):
                yield number, cell
        else:
            if not words:
                start = number
            words.append(re.sub(r"^\*\*(.*?)\*\* ?", r"\1 ", item.group(1) if item else text))


def main():
    found = 0

    def report(file, line, message):
        nonlocal found
        found += 1
        print(f"{file}:{line}: {message}")

    sources = [
        os.path.join(folder, file)
        for top in ("Sources", "Tests", "scripts")
        for folder, _, files in os.walk(top)
        # A package of its own has its builds in its folder.
        if ".build" not in folder.split(os.sep)
        for file in files
        if file.endswith((".swift", ".h", ".c", ".py", ".bash")) or top == "scripts"
    ]
    for file in sorted(sources):
        with open(file) as source:
            lines = source.read().split("\n")
        for line, text in comments(lines):
            if message := fault(text):
                report(file, line, message)
        for number, line in enumerate(lines, 1):
            if (name := NAME.search(line)) and not name.group(1).endswith("?"):
                report(file, number, f"'{name.group(1)[:40]}' has no subject")
    for file in sorted(set(name for page in PAGES for name in glob.glob(page, recursive=True))):
        with open(file) as source:
            lines = source.read().split("\n")
        for line, text in paragraphs(lines):
            if message := fault(text):
                report(file, line, message)
    if found:
        print(f"error: {found} places are not plain English (CONTRIBUTING.md, English)")
    sys.exit(1 if found else 0)


main()

# SPDX-License-Identifier: MIT
"""Reads the declarations of Swift source files, for the lints beside this file.

No compiler: comments and strings are blanked, braces are counted, and what begins with a keyword of a
declaration is one. That is exact enough for sources that swift-format has formatted.
"""

import re
from dataclasses import dataclass, field

TYPE_KEYWORDS = ("class", "struct", "enum", "actor", "protocol", "extension")
DECLARATION = re.compile(
    r"(?P<head>(?:@\w+(?:\([^()\n]*\))?\s+|(?:public|package|internal|private|fileprivate|open|final|static"
    r"|class|override|mutating|nonmutating|consuming|borrowing|convenience|required|nonisolated|isolated"
    r"|indirect|lazy|weak|unowned|dynamic|prefix|postfix|infix|distributed|unsafe"
    r"|private\(set\)|fileprivate\(set\)|package\(set\)|public\(set\)|internal\(set\)"
    r"|nonisolated\([a-z]+\)|unowned\([a-z]+\))\s+)*)"
    r"(?P<keyword>class|struct|enum|actor|protocol|extension|func|init|var|let|subscript|deinit)\b"
)


@dataclass
class Declaration:
    """A declaration: where it stands, how it is introduced, and what is documented of it."""

    file: str
    line: int
    keyword: str
    name: str
    head: str
    documentation: str
    parents: list = field(default_factory=list)
    # The text of a stored property behind its name, up to the end of its line.
    rest: str = ""

    @property
    def access(self):
        for level in ("private", "fileprivate", "public", "open", "package"):
            if re.search(rf"\b{level}\b(?!\(set\))", self.head):
                return level
        return ""

    @property
    def path(self):
        return ".".join([parent.name for parent in self.parents] + [self.name])

    @property
    def has_private(self):
        """Whether it, or anything that it stands in, is private to its file or type."""
        return any(d.access in ("private", "fileprivate") for d in self.parents + [self])


def blanked(text):
    """The text with comments and string literals as spaces, and the documentation by line number."""
    out = []
    documentation = {}
    position, line = 0, 1
    length = len(text)

    def put(piece):
        nonlocal line
        for character in piece:
            out.append("\n" if character == "\n" else " ")
            line += character == "\n"

    while position < length:
        two = text[position : position + 2]
        if two == "//":
            end = text.find("\n", position)
            end = length if end < 0 else end
            comment = text[position:end]
            if comment.startswith("///"):
                documentation[line] = comment[3:].strip()
            put(comment)
            position = end
        elif two == "/*":
            end = text.find("*/", position)
            end = length if end < 0 else end + 2
            put(text[position:end])
            position = end
        elif match := re.compile(r'(#*)("""|")').match(text, position):
            position = _skip_string(text, position, match, put)
        else:
            character = text[position]
            out.append(character)
            line += character == "\n"
            position += 1
    return "".join(out), documentation


def _skip_string(text, position, match, put):
    hashes, quote = match.groups()
    closing = quote + hashes
    escape = "\\" + hashes
    place = match.end()
    while place < len(text):
        if text.startswith(escape + "(", place):
            # Interpolations may hold strings: skip to the parenthesis that closes them.
            depth, place = 1, place + len(escape) + 1
            while place < len(text) and depth:
                inner = re.compile(r'(#*)("""|")').match(text, place)
                if inner:
                    place = _skip_string(text, place, inner, lambda piece: None)
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        elif text.startswith("\\", place) and not hashes:
            place += 2
        elif text.startswith(closing, place):
            place += len(closing)
            break
        else:
            place += 1
    put(text[position:place])
    return place


def declarations(file):
    """All declarations of a file that are not local to a function."""
    with open(file) as source:
        text = source.read()
    code, documentation = blanked(text)
    found = []
    # One entry for each open brace: the declaration that it belongs to, or None.
    scopes = []
    pending = None
    parentheses = 0
    line = 1
    position = 0
    lines_with_code = {
        number for number, content in enumerate(code.split("\n"), 1) if content.strip()
    }

    def documentation_above(number):
        above = number - 1
        collected = []
        while above in documentation or (
            above in lines_with_code and _is_attribute(code_lines[above - 1])
        ):
            if above in documentation:
                collected.append(documentation[above])
            above -= 1
        return "\n".join(reversed(collected))

    code_lines = code.split("\n")
    while position < len(code):
        character = code[position]
        if character == "\n":
            line += 1
        elif character in "([":
            parentheses += 1
        elif character in ")]":
            parentheses -= 1
        elif character == "{":
            scopes.append(pending if parentheses == 0 else None)
            if parentheses == 0:
                pending = None
        elif character == "}":
            if scopes:
                scopes.pop()
            pending = None
        elif (
            parentheses == 0
            and (character.isalpha() or character == "@")
            and (position == 0 or not (code[position - 1].isalnum() or code[position - 1] in "_.`"))
            and all(scope is not None and scope.keyword in TYPE_KEYWORDS for scope in scopes)
        ):
            match = DECLARATION.match(code, position)
            # `init` and `self.init` inside expressions, `.extension` and the like are no declarations.
            if match and _begins(code, position):
                declared = _declaration(file, line, match, code)
                if declared:
                    declared.documentation = documentation_above(line)
                    declared.parents = list(scopes)
                    found.append(declared)
                    line += match.group(0).count("\n")
                    position = match.end()
                    if declared.keyword not in ("var", "let"):
                        pending = declared
                    else:
                        pending = None
                    continue
        position += 1
    return found


def _is_attribute(content):
    return re.match(r"\s*@\w+", content) is not None or re.match(r"\s*#(if|else|endif)", content)


def _begins(code, position):
    """Whether only white space, attributes or an opening brace stand before it on its line."""
    before = code[code.rfind("\n", 0, position) + 1 : position]
    return before.strip() == "" or before.rstrip()[-1] in "{;}"


def _declaration(file, line, match, code):
    keyword = match.group("keyword")
    after = code[match.end() : code.find("\n", match.end()) + 1 or len(code)]
    if keyword in ("init", "deinit", "subscript"):
        name = keyword
    else:
        named = re.match(r"\s*([\w.`]+|[^\s\w(<]+)", after)
        if not named:
            return None
        name = named.group(1).strip("`")
    line += match.group(0).count("\n")
    return Declaration(file, line, keyword, name, match.group("head"), "", rest=after.strip())

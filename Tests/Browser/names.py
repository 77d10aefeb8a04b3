# SPDX-License-Identifier: MIT
"""Shows hostile names of JACK clients, ports and strips: each is text, and none becomes an element or a script."""

import json
import pathlib

from playwright.sync_api import TimeoutError
from stage import arguments, check, perform

# Elements that only a name could have brought.
STRANGERS = "main :is(script, iframe, style, object, embed, a[href^=javascript], [onload], [onerror]), main img[src=x]"
MISSING = "names => { const text = document.querySelector('main').textContent; return names.filter(name => !text.includes(name)); }"


def shows(visit, names, what):
    try:
        visit.page.wait_for_function(f"names => !({MISSING})(names).length", arg=names, timeout=30_000)
    except TimeoutError:
        check(False, f"{what}: not shown: {visit.page.evaluate(MISSING, names)[:3]}")
    strangers = visit.page.locator(STRANGERS).count()
    check(strangers == 0, f"{what}: {strangers} elements came out of names")
    title = visit.page.title()
    check("owned" not in title, f"{what}: a name has run as a script")
    visit.check(what)


def play(stage):
    names = json.loads(pathlib.Path(stage.options.names).read_text())
    for phone in (False, True):
        with stage.visit(phone=phone) as visit:
            visit.open("mixer")
            shows(visit, names["labels"], "labels in the mixer")
            visit.open("patch")
            shows(visit, names["clientNames"] + names["portNames"], "clients and ports in the patch view")
            visit.open("sends")
            shows(visit, names["labels"], "labels in the sends")
            visit.open("surfaces")
            shows(visit, names["labels"], "labels of what can be learned")
            visit.open("scenes")
            shows(visit, names["labels"], "labels of strips that scenes leave alone")
            for view in ("sessions", "hardware"):
                visit.open(view)
                shows(visit, [], view)


perform(play, parser=arguments(names="a file with the names, as JSON"))

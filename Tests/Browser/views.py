# SPDX-License-Identifier: MIT
"""Opens every view in light and dark, on a phone and on a desktop.

Each must be without messages of the console and without faults of accessibility, and ask nobody but the host.
"""

from axe_playwright_python.sync_playwright import Axe

from stage import check, perform

VIEWS = ["mixer", "sends", "patch", "sessions", "hardware", "surfaces", "scenes"]
LARGEST_BYTES = 150_000
# Everything that axe-core tells of, but what its own authors call experimental.
RULES = {"resultTypes": ["violations"]}


def described(violation):
    places = ["; ".join(map(str, node["target"])) for node in violation["nodes"][:3]]
    return f"{violation['id']} ({violation['help']}) at {' | '.join(places)}"


def play(stage):
    axe = Axe()
    loaded = {}
    faults = []
    for phone in (False, True):
        for dark in (False, True):
            # Without motion: axe-core must not measure colours halfway.
            with stage.visit(phone=phone, dark=dark, calm=True) as visit:
                visit.page.on("response", lambda response: loaded.setdefault(response.url, response))
                for view in VIEWS:
                    where = f"{view}, {'phone' if phone else 'desktop'}, {'dark' if dark else 'light'}"
                    visit.open(view)
                    visit.page.wait_for_load_state("networkidle")
                    visit.check(where)
                    stage.picture(visit, where.replace(", ", "-"))
                    wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    if wide > 0:
                        faults.append(f"{where}: {wide} pixels wider than the window")
                    for violation in axe.run(visit.page, options=RULES).response["violations"]:
                        faults.append(f"{where}: {described(violation)}")
                if not phone and not dark:
                    check(len(loaded) > 1, "the page has loaded nothing")
                    size = sum(len(response.body()) for url, response in loaded.items() if response.ok)
                    check(size <= LARGEST_BYTES, f"the page has {size} bytes, more than {LARGEST_BYTES}")
    check(not faults, "\n".join(faults))


perform(play)

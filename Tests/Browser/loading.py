# SPDX-License-Identifier: MIT
"""Takes each kind of request from the page while it loads, as a network does that changes: the page comes up all the same."""

from stage import check, perform

# A module that others import, the module that all begins with, a look, and the request that a key is spent on.
LOST = ["live.js", "main.js", "style.css", "login"]
HAS_LOOKS = """() => {
  const looks = [...document.querySelectorAll("link[rel=stylesheet]")];
  try {
    return document.querySelector("fieldset.view") && looks.length && looks.every(({ sheet }) => sheet?.cssRules.length);
  } catch {
    return false; // Nobody may read a sheet that has not come.
  }
}"""


def losing(stage, name):
    taken = []

    def answer(route):
        if taken:
            route.continue_()
        else:
            taken.append(route.request.url)
            route.abort("connectionreset")

    with stage.visit() as visit:
        visit.page.route(f"**/{name}", answer)
        visit.enter(stage.host.key("all"))
        check(taken, f"the page has not asked for {name}")
        # A page without its looks is there at once, and is loaded again.
        visit.page.wait_for_function(HAS_LOOKS)
        check(len(visit.faults) == 1, f"{name} was taken once, and the page tells {visit.faults}")
        refused = visit.page.evaluate("window.violations")
        check(not refused, f"Content-Security-Policy refused {refused}")


def play(stage):
    for name in LOST:
        losing(stage, name)


perform(play)

# SPDX-License-Identifier: MIT
"""Visits the page with each role: who watches moves nothing, and who has one route's mix moves that alone."""

from stage import check, perform, until

VIEWS = ["mixer", "sends", "patch", "sessions", "hardware", "surfaces", "scenes"]
MIX = {"/strip/toy/send/phones/gain", "/strip/toy/send/phones/mute", "/route/phones/gain"}
# Sliders that tell nobody that they are disabled, and other controls that are not.
USABLE = """() => {
  const open = [...document.querySelectorAll("[role=slider]")].filter(one => one.getAttribute("aria-disabled") !== "true");
  return [...open, ...document.querySelectorAll("fieldset.view :is(button, input, select):enabled")].map(one =>
    one.getAttribute("aria-label") ?? one.textContent);
}"""
CALL = """async ([method, params]) => {
  const { openLive } = await import("/live.js");
  window.live ??= openLive();
  if (!live.connected) await new Promise(resolve => live.on("state", ({ connected }) => connected && resolve()));
  return live.call(method, params).then(() => "done", error => error.message);
}"""
GAIN_OF_DECK = ["setGain", {"strip": "deck", "gainDB": -30}]


def settings(stage):
    """All that can be set, by path."""
    return {one["path"]: one["value"] for one in stage.host.call("list")["parameters"] if one["access"] == "readWrite"}


def use(visit):
    """Uses all that can be seen, as hands and keys do."""
    page = visit.page
    for slider in page.get_by_role("slider").all():
        slider.focus()
        for key in ("ArrowUp", "PageDown", "End", "m", "s", "c"):
            page.keyboard.press(key)
    box = page.get_by_role("slider").first.bounding_box() if page.get_by_role("slider").count() else None
    if box:
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 60, steps=5)
        page.mouse.up()
        page.mouse.wheel(0, 100)
    page.evaluate("document.querySelectorAll('fieldset.view :is(button, input, select)').forEach(one => one.click())")


def watching(stage):
    before = settings(stage)
    with stage.visit() as visit:
        visit.enter(stage.host.key("watch"))
        visit.page.locator("header .role").get_by_text("only watching").wait_for()
        for view in VIEWS:
            visit.open(view)
            visit.page.wait_for_load_state("networkidle")
            stage.picture(visit, f"watching-{view}")
            usable = visit.page.evaluate(USABLE)
            check(not usable, f"who watches can use in {view}: {usable[:5]}")
            use(visit)
        visit.open("mixer")
        visit.page.get_by_role("link", name="deck, details").click()
        visit.page.get_by_role("dialog").get_by_role("slider").first.wait_for()
        usable = visit.page.evaluate(USABLE)
        check(not usable, f"who watches can use in the details: {usable[:5]}")
        check(not visit.writes(), f"who watches sends {visit.writes()[:3]}")
        refusal = visit.page.evaluate(CALL, GAIN_OF_DECK)
        check("watch" in refusal, f"a gain set by who watches: {refusal}")
        visit.check("watching")
    check(settings(stage) == before, "who watches has changed something")


def mixing(stage):
    before = settings(stage)
    for dark in (False, True):
        with stage.visit(phone=True, dark=dark) as visit:
            visit.enter(stage.host.key("mix", route="phones"))
            visit.page.wait_for_selector("#view-sends")
            until("the mix has its faders", lambda: visit.page.get_by_role("slider").count(), lambda count: count == 2)
            stage.picture(visit, f"one-mix-{'dark' if dark else 'light'}")
            links = visit.page.locator("#views a").count()
            check(links == 1, f"who has one mix is shown {links} views")
            use(visit)
            fader = visit.page.get_by_role("slider", name="toy to phones, gain")
            fader.focus()
            visit.page.keyboard.press("Home")
            visit.page.keyboard.press("PageUp")
            until("the host has the movement", lambda: stage.host.value("/strip/toy/send/phones/gain"),
                  lambda gain: gain not in ("-inf", 10))
            visit.page.evaluate("location.hash = 'mixer'")
            check(visit.page.locator("#view-sends").count() == 1, "who has one mix opens the mixer")
            refusal = visit.page.evaluate(CALL, GAIN_OF_DECK)
            check("mix" in refusal, f"a gain set by who has one mix: {refusal}")
            visit.check("one mix")
    after = settings(stage)
    moved = {path for path in after if after[path] != before.get(path)}
    check("/strip/toy/send/phones/gain" in moved and moved <= MIX, f"who has one mix has changed {sorted(moved)}")


def all_of_it(stage):
    with stage.visit() as visit:
        visit.enter(stage.host.key("all"))
        check(visit.page.locator("#views a").count() == len(VIEWS), "a view is missing")
        visit.fader("deck").focus()
        visit.page.keyboard.press("PageDown")
        until("the host has the movement", lambda: stage.host.value("/strip/deck/gain"), lambda gain: gain < 0)
        refusal = visit.page.evaluate(CALL, ["makeWebToken", {"role": "all"}])
        check("own machine" in refusal, f"a key made by who was let in: {refusal}")
        visit.check("all")


def play(stage):
    watching(stage)
    mixing(stage)
    all_of_it(stage)


perform(play)

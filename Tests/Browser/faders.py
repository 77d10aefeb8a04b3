# SPDX-License-Identifier: MIT
"""Moves a fader by mouse, touch and keyboard, reads the gain back from the host, and shows changes by others."""

import pathlib

from stage import PHONE, check, perform, until

GAIN = "/strip/{}/gain"
STRIP = "deck"
# A quarter of the shortest fader; far less than from its end to its middle.
DRAG_PIXELS = 24
SAME_DB = 0.01


def handle(visit):
    """The middle of the fader's lower part, where its handle is not."""
    visit.fader(STRIP).scroll_into_view_if_needed()
    box = visit.fader(STRIP).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.85


def agrees(stage, visit, what):
    """Waits until page and host tell the same gain, and returns it."""
    pair = until(
        f"{what}: page and host tell the same gain",
        lambda: (visit.gain(STRIP), stage.host.value(GAIN.format(STRIP))),
        lambda pair: pair[1] != "-inf" and abs(pair[0] - pair[1]) < SAME_DB,
    )
    return pair[1]


def start(stage, visit, gain):
    stage.host.set(GAIN.format(STRIP), gain)
    until("the page shows another's change", lambda: visit.gain(STRIP), lambda shown: abs(shown - gain) < SAME_DB)
    visit.sent.clear()


def drag(stage, visit, name, press, move, release):
    """A drag changes the gain by the way of the finger, and not before it moves."""
    start(stage, visit, 0)
    x, y = handle(visit)
    press(x, y)
    check(abs(visit.gain(STRIP)) < SAME_DB, f"{name}: the fader jumps to {visit.gain(STRIP)} dB at the press")
    for step in range(1, DRAG_PIXELS + 1):
        move(x, y + step)
    release(x, y + DRAG_PIXELS)
    # Page and host agree on the way, too.
    until(f"{name}: a drag of {DRAG_PIXELS} pixels down lowers it by half a decibel or more, and not to the end",
          lambda: agrees(stage, visit, name), lambda gain: -30 < gain < -0.5)


def mouse(stage):
    with stage.visit() as visit:
        visit.open()
        pointer = visit.page.mouse

        def press(x, y):
            pointer.move(x, y)
            pointer.down()

        drag(stage, visit, "mouse", press, pointer.move, lambda x, y: pointer.up())
        visit.check("mouse")


def touch(stage):
    with stage.visit(phone=True) as visit:
        visit.open()
        link = visit.page.context.new_cdp_session(visit.page)

        def finger(kind, *places):
            points = [{"x": x, "y": y} for x, y in places]
            link.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        drag(
            stage,
            visit,
            "touch",
            lambda x, y: finger("touchStart", (x, y)),
            lambda x, y: finger("touchMove", (x, y)),
            lambda x, y: finger("touchEnd"),
        )
        wide = visit.page.evaluate("visualViewport.width")
        check(wide == PHONE["width"], f"touch: the page is zoomed to a width of {wide}")
        visit.check("touch")


def keyboard(stage):
    with stage.visit() as visit:
        visit.open()
        keys = visit.page.keyboard
        start(stage, visit, -20)
        visit.fader(STRIP).focus()
        gain = -20
        for key, louder in (("ArrowUp", True), ("PageUp", True), ("ArrowDown", False), ("PageDown", False)):
            keys.press(key)
            before = gain
            gain = until(f"{key} changes the host's gain", lambda: agrees(stage, visit, key), lambda now: now != before)
            check((gain > before) == louder, f"{key}: from {before} dB to {gain} dB")
        keys.press("End")
        until("End is the fader's top", lambda: stage.host.value(GAIN.format(STRIP)), lambda now: now == 10)
        keys.press("Home")
        until("Home is silence", lambda: stage.host.value(GAIN.format(STRIP)), lambda now: now == "-inf")
        text = visit.fader(STRIP).get_attribute("aria-valuetext")
        check("dB" in text, f"aria-valuetext is {text!r}, without dB")
        for key, name in (("m", "mute"), ("s", "solo"), ("c", "cue")):
            stage.host.set(f"/strip/{STRIP}/{name}", False)
            button = visit.page.get_by_role("button", name=f"{STRIP}, {name}", exact=True)
            until(f"the page shows {name}", lambda: button.get_attribute("aria-pressed"), lambda on: on == "false")
            for wanted in (True, False):
                keys.press(key)
                until(f"{key} sets {name} to {wanted}", lambda: stage.host.value(f"/strip/{STRIP}/{name}"),
                      lambda now: now == wanted)
        visit.check("keyboard")


def rename(stage):
    """A strip that another version of the graph renames keeps its gain, and its fader is moved on; the page does not load anew."""
    with stage.visit() as visit:
        visit.open()
        start(stage, visit, -6)
        text = pathlib.Path(stage.host.call("status")["host"]["graph"]).read_text()
        for old, new in (("deck: {", "player: {was: deck, "), ("from: deck,", "from: player,"), ("a: deck,", "a: player,"),
                         ("[deck]", "[player]")):
            check(old in text, f"the graph has no {old!r}")
            text = text.replace(old, new)
        stage.host.call("apply", text=text)
        gain = until("the page shows the new name", lambda: visit.fader("player").count() and visit.gain("player"))
        check(abs(gain + 6) < SAME_DB, f"the renamed strip has {gain} dB")
        check(not visit.fader(STRIP).count(), "the old name is still there")
        visit.fader("player").focus()
        visit.page.keyboard.press("End")
        until("the fader moves the renamed strip", lambda: stage.host.value(GAIN.format("player")), lambda now: now == 10)
        check("list" not in [request["method"] for request in visit.requests()], "the page has asked for all parameters again")
        visit.check("rename")


READ_TOP = """canvas => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  // A context for reading: Chromium warns of readings from the page's own.
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const column = context.getImageData(0, 0, 1, canvas.height).data;
  let y = 0;
  while (y < canvas.height && [0, 1, 2].every(i => column[4 * y + i] === column[i])) y++;
  return canvas.getBoundingClientRect().top + y * canvas.clientHeight / canvas.height;
}"""
SAME_PIXELS = 2


def scale(stage):
    """A tone of -20 dB stands at the 20 of the scale beside its meter."""
    with stage.visit() as visit:
        visit.open()
        start(stage, visit, 0)
        # At this end of the crossfader its side A is heard as it is.
        stage.host.set("/crossfader/position", -1)
        strip = visit.page.get_by_role("region", name=STRIP, exact=True)
        box = strip.locator(".tick[data-gain='20']").bounding_box()
        until(
            f"the level stands at the scale's 20, {box['y']}",
            lambda: strip.locator("canvas.meter").evaluate(READ_TOP),
            lambda top: abs(top - box["y"]) <= SAME_PIXELS,
        )
        stage.host.set("/crossfader/position", 0)


def play(stage):
    scale(stage)
    mouse(stage)
    touch(stage)
    keyboard(stage)
    rename(stage)


perform(play)

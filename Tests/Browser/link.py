# SPDX-License-Identifier: MIT
"""Loses the link in every way: a host that stands still, and a cable that is pulled in the middle of a fade."""

import os
import signal
import subprocess
import time

from stage import arguments, check, perform, until

STRIPS = ["deck", "toy"]
FADE_MILLISECONDS = 3000
RATE_HZ = 48_000
# The host's control thread reports the end, and the dummy server makes up for cycles that it was late with.
SLACK_SECONDS = 1
# Longer than the time after which TCP would send again what the cut has swallowed.
REPEAT_SECONDS = 5
SAME_DB = 0.05
# A phone does not learn that the mixer's own cable is pulled; a computer at its other end does.
UNAWARE = """for (const kind of ["offline", "online"]) addEventListener(kind, event => event.stopImmediatePropagation());"""


def same(stage, visit, what):
    """Waits until the page shows the gains of the host's status."""
    for strip in stage.host.call("status")["strips"]:
        wanted = -90 if strip["gainDB"] == "-inf" else strip["gainDB"]
        until(f"{what}: the page shows {wanted} dB for {strip['id']}", lambda: visit.gain(strip["id"]),
              lambda shown: abs(shown - wanted) < SAME_DB)


def is_lost(visit):
    banner = visit.page.locator("#banner")
    banner.wait_for(state="visible")
    text = banner.text_content()
    check("No link" in text and " old" in text, f"the banner says {text!r}, without the age of the page")
    check(visit.page.locator("fieldset.view[disabled]").count() == 1, "the controls of a lost link can be used")
    return text


def is_back(visit):
    visit.page.locator("#banner").wait_for(state="hidden")
    visit.page.wait_for_selector("fieldset.view:not([disabled])")


def stopped_host(stage, visit):
    same(stage, visit, "at first")
    earlier = len(visit.writes())
    os.kill(stage.options.pid, signal.SIGSTOP)
    try:
        first = is_lost(visit)
        until("the banner counts the age", visit.page.locator("#banner").text_content, lambda text: text != first)
        stage.picture(visit, "lost-link")
    finally:
        os.kill(stage.options.pid, signal.SIGCONT)
    is_back(visit)
    same(stage, visit, "after a halt of the host")
    later = visit.writes()[earlier:]
    check(not later, f"after a halt of the host the page sends {later}")


def plug(stage, state):
    """Plugs the cable in (`up`) or out (`down`) at the host's machine."""
    away = ["nsenter", "--target", str(stage.options.pid), "--net"]
    subprocess.run([*away, "ip", "link", "set", stage.options.interface, state], check=True)


def pulled_cable(stage, visit, what, is_aware, pause_seconds):
    for strip in STRIPS:
        stage.host.set(f"/strip/{strip}/gain", 0)
    same(stage, visit, "before the fade")
    watcher = stage.host.watcher()
    fade = visit.page.evaluate(
        """async (milliseconds) => {
            const { openLive } = await import("/live.js");
            const live = openLive();
            await new Promise(resolve => live.on("state", ({ connected }) => connected && resolve()));
            return live.call("fade", { strip: "deck", gainDB: -40, durationMilliseconds: milliseconds });
        }""",
        FADE_MILLISECONDS,
    )
    listener = stage.host.watcher()
    listener.call("watch", paths=["/strip/toy/gain"])
    earlier = len(visit.writes())
    plug(stage, "down")
    visit.fader("toy").focus()
    visit.page.keyboard.press("ArrowUp")
    if not is_aware:
        # Sent into the dead network: the host never gets it, and it is not sent again.
        until("the page sends the movement", lambda: len(visit.writes()), lambda count: count > earlier)
    is_lost(visit)
    visit.page.keyboard.press("ArrowUp")
    end = watcher.event("fadeFinished", lambda details: details["fade"] == fade["fade"])
    seconds = (end["time"]["frame"] - fade["frame"]) / RATE_HZ
    check(abs(seconds - FADE_MILLISECONDS / 1000) < SLACK_SECONDS, f"the fade of {FADE_MILLISECONDS} ms ends after {seconds} s")
    stage.host.set("/strip/toy/gain", -13)
    # The network stays away for so long.
    time.sleep(pause_seconds)
    before = len(visit.writes())
    plug(stage, "up")
    start = time.monotonic()
    same(stage, visit, "after the return")
    is_back(visit)
    print(f"{what}: the fade of {FADE_MILLISECONDS} ms ended after {seconds:.3f} s; "
          f"{time.monotonic() - start:.2f} s after the return the page equals the status")
    # A movement that is repeated comes by now.
    time.sleep(REPEAT_SECONDS)
    check(len(visit.writes()) == before, f"after the return the page sends {visit.writes()[before:]}")
    listener.call("get", paths=["/strip/toy/gain"])
    told = [change["value"] for change in listener.changes]
    check(told == [-13], f"the host's gain of toy was set to {told}, and not to -13 alone")
    moves = [request["params"] for request in visit.writes()[earlier:] if request["method"] == "set"]
    check(len(moves) <= 1, f"one movement was sent as {moves}")


def play(stage):
    with stage.visit() as visit:
        visit.enter(stage.host.key("all"))
        pulled_cable(stage, visit, "cable pulled", True, 0)
    with stage.visit() as visit:
        visit.page.add_init_script(UNAWARE)
        visit.enter(stage.host.key("all"))
        pulled_cable(stage, visit, "cable pulled, and the page is not told", False, 0)
        pulled_cable(stage, visit, "cable pulled for 10 s more, and the page is not told", False, 10)
        stopped_host(stage, visit)


perform(play, parser=arguments(interface="the host's end of the cable to this machine"))

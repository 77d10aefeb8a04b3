# SPDX-License-Identifier: MIT
"""Loses the link in every way: a host that stands still, and a network that is cut in the middle of a fade."""

import os
import signal
from urllib.parse import urlsplit

from stage import check, perform, until
from wire import Wire

STRIPS = ["deck", "toy"]
# The methods that change nothing.
READS = {"list", "get", "watch", "status", "subscribe", "unsubscribe", "hello", "webMeters", "listPatch", "listScenes",
         "controllers", "session", "why", "listPermissions", "listWebTokens"}
FADE_MILLISECONDS = 3000
RATE_HZ = 48_000
# The host's control thread reports the end, and the dummy server makes up for cycles that it was late with.
SLACK_SECONDS = 1
SAME_DB = 0.05
wires = []


def same(stage, visit, what):
    """Waits until the page shows what the host has."""
    for strip in STRIPS:
        wanted = stage.host.value(f"/strip/{strip}/gain")
        until(f"{what}: the page shows {wanted} dB for {strip}", lambda: visit.gain(strip),
              lambda shown: abs(shown - (-90 if wanted == "-inf" else wanted)) < SAME_DB)


def is_lost(visit):
    banner = visit.page.locator("#banner")
    banner.wait_for(state="visible")
    text = banner.text_content()
    check("No link" in text and " s old" in text, f"the banner says {text!r}, without the age of the page")
    check(visit.page.locator("fieldset.view[disabled]").count() == 1, "the controls of a lost link can be used")
    return text


def is_back(visit):
    visit.page.locator("#banner").wait_for(state="hidden")
    visit.page.wait_for_selector("fieldset.view:not([disabled])")


def writes(visit):
    return [request for request in visit.requests() if request["method"] not in READS]


def stopped_host(stage):
    with stage.visit() as visit:
        visit.open()
        same(stage, visit, "at first")
        os.kill(stage.options.pid, signal.SIGSTOP)
        try:
            first = is_lost(visit)
            until("the banner counts the age", visit.page.locator("#banner").text_content, lambda text: text != first)
            stage.picture(visit, "lost-link")
        finally:
            os.kill(stage.options.pid, signal.SIGCONT)
        is_back(visit)
        same(stage, visit, "after a halt of the host")
        check(not writes(visit), f"after a halt of the host the page sends {writes(visit)}")
        visit.check("a host that stands still")


def cut_network(stage, wire):
    with stage.visit() as visit:
        visit.open()
        same(stage, visit, "at first")
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
        wire.cut()
        # Sent into the cut network: the host never has it, and it is not sent again.
        visit.fader("toy").focus()
        visit.page.keyboard.press("ArrowUp")
        until("the page sends the movement", lambda: len(writes(visit)), lambda count: count >= 2)
        is_lost(visit)
        visit.page.keyboard.press("ArrowUp")
        end = watcher.event("fadeFinished", lambda details: details["fade"] == fade["fade"])
        seconds = (end["time"]["frame"] - fade["frame"]) / RATE_HZ
        check(abs(seconds - FADE_MILLISECONDS / 1000) < SLACK_SECONDS, f"the fade of {FADE_MILLISECONDS} ms ends after {seconds} s")
        check(stage.host.value("/strip/toy/gain") == 0, "the host has a movement that was sent into the cut network")
        stage.host.set("/strip/toy/gain", -13)
        before = len(writes(visit))
        wire.join()
        is_back(visit)
        same(stage, visit, "after the return")
        check(stage.host.value("/strip/toy/gain") == -13, "the page has set a gain after its return")
        check(len(writes(visit)) == before, f"after the return the page sends {writes(visit)[before:]}")
        moves = [request["params"] for request in writes(visit) if request["method"] == "set"]
        check(len(moves) == 1, f"one movement was sent as {moves}")


def play(stage):
    stopped_host(stage)
    cut_network(stage, wires[0])


def flags(options):
    port = urlsplit(options.url).port
    wires.append(Wire(port))
    return [f"--host-resolver-rules=MAP localhost:{port} 127.0.0.1:{wires[0].port}"]


perform(play, flags)

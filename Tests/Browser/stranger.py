# SPDX-License-Identifier: MIT
"""Opens the page that a host has printed, as a phone does, and lowers a fader: stranger.py ADDRESS LABEL

Prints the gain that the page shows afterwards, in dB.
"""

import os
import sys

from playwright.sync_api import sync_playwright

from stage import CHROMIUM, PHONE, Visit, until

# How far the finger goes down.
DRAG_PIXELS = 60


def main():
    address, strip = sys.argv[1:]
    url, _, key = address.partition("/#token=")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        visit = Visit(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True), url)
        visit.enter(key)
        fader = visit.fader(strip)
        fader.scroll_into_view_if_needed()
        before = until("the fader has a gain", lambda: visit.gain(strip), lambda gain: gain > -90)
        box = fader.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = visit.page.context.new_cdp_session(visit.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + DRAG_PIXELS}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        print(until("the fader is lower", lambda: visit.gain(strip), lambda gain: gain < before - 1))
        visit.check("the page")
        browser.close()


main()

# SPDX-License-Identifier: MIT
"""Uses a host's page in Chromium for `multiroute bench web`: drive.py URL

Commands come by line on standard input, and each is answered with a line of JSON:
`move N` moves the fader of the strip `music` so often, `watch S` counts meters for so many seconds,
`listen 0` and `heard 0` note what the fader of the strip `tone-2` shows between them, and when,
`pages N` closes the page and keeps the links of so many others open instead, `streams N` has another program send over so many
connections what the last of these links have received.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from stage import CHROMIUM, Visit

# The way of the mouse, down and up in turn.
STEP_PIXELS = 12
PAUSES_MILLISECONDS = (100, 160)

LISTEN = """fader => {
  window.shown = [];
  // A change of the page is seen with the next picture.
  window.listener = new MutationObserver(() => {
    const gain = Number(fader.getAttribute("aria-valuenow"));
    requestAnimationFrame(() => shown.push([gain, performance.now()]));
  });
  listener.observe(fader, { attributeFilter: ["aria-valuenow"] });
}"""
READINGS = 20


class Driver:
    def __init__(self, browser, url):
        self._context = browser.new_context(viewport={"width": 1280, "height": 800})
        self._url = url
        self._visit = Visit(self._context, url)
        self._visit.open()
        self._crowd = None
        self._record = b""
        # As the random tests in Swift: TestSeed.swift.
        self._random = random.Random(int(os.environ.get("MULTIROUTE_TEST_SEED", "1"), 0))

    def move(self, count):
        page = self._visit.page
        fader = self._visit.fader("music")
        fader.scroll_into_view_if_needed()
        box = fader.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        moments = []
        for number in range(count):
            page.wait_for_timeout(self._random.uniform(*PAUSES_MILLISECONDS))
            moments.append(time.monotonic_ns())
            page.mouse.move(x, y + (0 if number % 2 else STEP_PIXELS))
        # The last movement is heard before the recording ends.
        page.wait_for_timeout(PAUSES_MILLISECONDS[1])
        page.mouse.up()
        return {"nanoseconds": moments}

    def listen(self, _):
        self._visit.fader("tone-2").evaluate(LISTEN)
        return {}

    def heard(self, _):
        page = self._visit.page
        # The last change is seen before the end.
        page.wait_for_timeout(PAUSES_MILLISECONDS[1])
        shown = page.evaluate("listener.disconnect(), shown")
        offset = min((self._offset() for _ in range(READINGS)), key=lambda pair: pair[0])[1]
        return {"gainsDB": [gain for gain, _ in shown], "nanoseconds": [int(at * 1e6 + offset) for _, at in shown]}

    def _offset(self):
        """How wide the place of the page's clock on CLOCK_MONOTONIC is known, and the place, in nanoseconds."""
        before = time.monotonic_ns()
        now = self._visit.page.evaluate("performance.now()")
        after = time.monotonic_ns()
        return after - before, (before + after) / 2 - now * 1e6

    def watch(self, seconds):
        page = self._visit.page
        link = self._context.new_cdp_session(page)
        link.send("Performance.enable")
        link.send("Network.enable")
        frames = []
        link.on("Network.webSocketFrameReceived", lambda event: event["response"]["opcode"] == 2 and frames.append(event))

        def spent():
            metrics = {metric["name"]: metric["value"] for metric in link.send("Performance.getMetrics")["metrics"]}
            # Time on a processor; TaskDuration would also count waits for one.
            return metrics["Timestamp"], metrics["ThreadTime"]

        start, busy = spent()
        frames.clear()
        page.wait_for_timeout(seconds * 1000)
        end, later = spent()
        return {"framesPerSecond": len(frames) / (end - start), "mainThreadShare": (later - busy) / (end - start)}

    def pages(self, count):
        self._disperse()
        if count:
            self._start("crowd.py", self._url, str(count))
        return {}

    def streams(self, count):
        self._disperse()
        self._start("streams.py", str(count), line=self._record)
        return {}

    def _start(self, script, *words, line=b""):
        command = [sys.executable, Path(__file__).with_name(script), *words]
        self._crowd = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if line:
            self._crowd.stdin.write(line)
            self._crowd.stdin.flush()
        if self._crowd.stdout.readline() != b"\n":
            raise SystemExit(f"{script} did not get its connections")

    def _disperse(self):
        if self._visit:
            self._visit.page.close()
            self._visit = None
        if self._crowd:
            # It ends with its input; before that only where the host has closed a link.
            last, _ = self._crowd.communicate()
            if self._crowd.returncode:
                raise SystemExit("the pages did not keep their links; their last words are above")
            self._record = last or self._record
            self._crowd = None


def main():
    with sync_playwright() as playwright:
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=as_root)
        driver = Driver(browser, sys.argv[1])
        for line in sys.stdin:
            command, number = line.split()
            act = {"move": driver.move, "listen": driver.listen, "heard": driver.heard, "watch": driver.watch,
                   "pages": driver.pages, "streams": driver.streams}[command]
            print(json.dumps(act(int(number))), flush=True)
        driver.pages(0)


main()

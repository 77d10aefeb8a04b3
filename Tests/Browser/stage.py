# SPDX-License-Identifier: MIT
"""A host's page in Chromium, and the host behind it: shared by the scripts of this folder.

A script is started with the options of `arguments()`, and ends with status 0, or with 1 and one message.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import socket
import sys
import time

from playwright.sync_api import Error, sync_playwright

# The longest wait for anything; generous, because a passing test does not use it.
PATIENCE_SECONDS = 60
CHROMIUM = "/usr/bin/chromium"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
# The methods that change nothing.
READS = {"list", "get", "watch", "status", "subscribe", "unsubscribe", "hello", "webMeters", "listPatch", "listScenes",
         "controllers", "session", "why", "listPermissions", "listWebTokens"}
# The page gives up an attempt to open its link that takes too long, and makes another one. Chromium calls that an error.
GIVEN_UP = re.compile(r"WebSocket connection to '[^']*/live' failed: WebSocket is closed before the connection is established\.")
# Counts what the page was refused by its Content-Security-Policy.
WATCH_VIOLATIONS = """
  window.violations = [];
  addEventListener('securitypolicyviolation', e => violations.push(`${e.violatedDirective} ${e.blockedURI}`));
"""


class Fault(Exception):
    """A statement of a test that does not hold."""


def check(holds, message):
    if not holds:
        raise Fault(message)


def until(what, look, fits=bool):
    """Waits until a look fits, and returns what was seen."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        seen = look()
        if fits(seen):
            return seen
        if time.monotonic() > end:
            raise Fault(f"not within {PATIENCE_SECONDS} s: {what}; last seen: {seen!r}")
        # The interval between two looks.
        time.sleep(0.005)


class Host:
    """The control socket of a host."""

    def __init__(self, path):
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(PATIENCE_SECONDS)
        self._socket.connect(path)
        self._lines = self._socket.makefile()
        self._number = 0
        # The changes of parameters that a watcher was told.
        self.changes = []

    def call(self, method, **params):
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = json.loads(self._lines.readline())
            if answer.get("method") == "parameters":
                self.changes += answer["params"]["changes"]
            if answer.get("id") == self._number:
                check("error" not in answer, f"{method} {params}: {answer.get('error')}")
                return answer["result"]

    def watcher(self):
        """A connection of its own that hears events."""
        other = Host(self._path)
        other.call("subscribe", topics=["events"])
        return other

    def event(self, kind, fits=lambda details: True):
        """Waits for an event, and drops those before it."""
        while True:
            line = self._lines.readline()
            check(line, f"the host has closed the socket before the event {kind}")
            event = json.loads(line).get("params", {})
            if event.get("kind") == kind and fits(event["details"]):
                return event

    def key(self, role, **rights):
        """A key that opens the page once."""
        return self.call("makeWebToken", role=role, **rights)["addresses"][0].partition("#token=")[2]

    def value(self, path):
        return self.call("get", paths=[path])["values"][0]["value"]

    def set(self, path, value):
        self.call("set", values=[{"path": path, "value": value}])


class Visit:
    """One page of a browser, with everything on it that must not be."""

    def __init__(self, context, url):
        self.faults = []
        self.sent = []
        self.url = url
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE_SECONDS * 1000)
        self.page.add_init_script(WATCH_VIOLATIONS)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"exception: {error}"))
        self.page.on("request", self._asked)
        self.page.on("dialog", self._dialog)
        self.page.on("websocket", self._connected)

    def _heard(self, message):
        if message.type in ("error", "warning") and not GIVEN_UP.fullmatch(message.text):
            self.faults.append(f"console: {message.text}")

    def _asked(self, request):
        if not re.match(re.escape(self.url) + r"(/|$)|data:|blob:", request.url):
            self.faults.append(f"request to elsewhere: {request.url}")

    def _dialog(self, dialog):
        self.faults.append(f"dialog of a script: {dialog.message}")
        dialog.dismiss()

    def _connected(self, link):
        if not link.url.startswith(self.url.replace("http", "ws", 1) + "/"):
            self.faults.append(f"WebSocket to elsewhere: {link.url}")
        link.on("framesent", lambda payload: self.sent.append(payload))

    def requests(self):
        """The requests that the page has sent, in their order."""
        # Playwright tells what has happened while it is asked something.
        self.page.evaluate("0")
        return [json.loads(text) for text in self.sent if isinstance(text, str)]

    def writes(self):
        """Those that are to change something."""
        return [request for request in self.requests() if request["method"] not in READS]

    def enter(self, key):
        """Opens the page with a key."""
        self.page.goto(f"{self.url}/#token={key}")
        self.page.wait_for_selector("fieldset.view")

    def open(self, view="mixer"):
        """Opens a view, and waits until it shows the host's state."""
        if self.page.url.startswith(self.url):
            self.page.evaluate("view => { location.hash = view }", view)
        else:
            self.page.goto(f"{self.url}/#{view}")
        self.page.wait_for_selector(f"#view-{view}")

    def fader(self, strip):
        """The fader of a strip in the mixer, by the strip's name for people."""
        return self.page.get_by_role("slider", name=f"{strip}, gain", exact=True).first

    def gain(self, strip):
        """The gain in dB that the mixer shows; -90 is the end of the travel."""
        return float(self.fader(strip).get_attribute("aria-valuenow"))

    def check(self, where):
        """Nothing has happened that must not."""
        refused = self.page.evaluate("window.violations")
        check(not refused, f"{where}: Content-Security-Policy refused {refused[:5]}")
        check(not self.faults, f"{where}: {'; '.join(self.faults[:5])}")


class Stage:
    """Chromium, and the host whose page it shows."""

    def __init__(self, options, playwright, flags=()):
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.options = options
        self.url = options.url
        self.host = Host(options.socket)
        self.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=as_root + list(flags))

    @contextlib.contextmanager
    def visit(self, *, phone=False, dark=False, calm=False, cookies=()):
        context = self.browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            is_mobile=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
            # Nobody vouches for a test's certificate.
            ignore_https_errors=self.url.startswith("https"),
        )
        context.add_cookies(list(cookies))
        visit = Visit(context, self.url)
        try:
            yield visit
        except (Fault, Error) as fault:
            self.picture(visit, "fault")
            raise Fault("\n".join([str(fault), *visit.faults])) from fault
        finally:
            context.close()

    def picture(self, visit, name):
        if self.options.screenshots:
            folder = pathlib.Path(self.options.screenshots)
            folder.mkdir(parents=True, exist_ok=True)
            visit.page.screenshot(path=folder / f"{name}.png")


def arguments(**more):
    """The options of all scripts, and further ones by name with their help."""
    parser = argparse.ArgumentParser()
    for name, text in more.items():
        parser.add_argument(f"--{name}", required=True, help=text)
    parser.add_argument("--url", required=True, help="the page's address, without a slash at its end")
    parser.add_argument("--socket", required=True, help="the path of the host's control socket")
    parser.add_argument("--pid", type=int, help="the host's process")
    parser.add_argument(
        "--screenshots",
        default=os.environ.get("MULTIROUTE_SCREENSHOTS"),
        help="a folder for pictures; $MULTIROUTE_SCREENSHOTS when left out",
    )
    return parser


def perform(play, flags=lambda options: (), parser=None):
    """Runs a script's test, and ends the process."""
    options = (parser or arguments()).parse_args()
    try:
        with sync_playwright() as playwright:
            stage = Stage(options, playwright, flags(options))
            play(stage)
            stage.browser.close()
    except (Fault, Error, OSError) as fault:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {fault}")

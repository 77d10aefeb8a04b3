# SPDX-License-Identifier: MIT
"""Uses the page over TLS: levels come, and a fader moves."""

from stage import check, perform, until

GAIN = "/strip/deck/gain"


def play(stage):
    with stage.visit() as visit:
        visit.open()
        address = visit.page.evaluate("[location.protocol, isSecureContext]")
        check(address == ["https:", True], f"the page is at {address}")
        level = visit.page.get_by_role("button", name="deck, highest peak", exact=False)
        until("the meter of deck shows its level", level.text_content, lambda text: text.startswith("−2"))
        visit.fader("deck").focus()
        visit.page.keyboard.press("PageDown")
        gain = until("the host has the movement", lambda: stage.host.value(GAIN), lambda gain: gain < 0)
        stage.host.set(GAIN, -7)
        until("the page shows another's change", lambda: visit.gain("deck"), lambda shown: shown == -7)
        visit.check(f"over TLS, from {gain} dB")


perform(play)

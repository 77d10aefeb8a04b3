# SPDX-License-Identifier: MIT
"""A link that is lost says nothing about the sound; a host that ends says so."""

import os
import signal

from stage import check, perform, until


def play(stage):
    with stage.visit() as visit:
        visit.open()
        banner = visit.page.locator("#banner")
        os.kill(stage.options.pid, signal.SIGSTOP)
        try:
            banner.wait_for(state="visible")
            text = banner.text_content()
            check("No link" in text and "goes on" not in text, f"a lost link says {text!r}")
        finally:
            os.kill(stage.options.pid, signal.SIGCONT)
        banner.wait_for(state="hidden")
        os.kill(stage.options.pid, signal.SIGTERM)
        until("the page says that the host has ended", banner.text_content, lambda text: "The host has ended" in text)


perform(play)

# SPDX-License-Identifier: MIT
"""Learns the control of a controller that the graph does not have: by a click and a touch, after another one was given up."""

import pathlib

from stage import arguments, check, perform, until

DEVICE = "Fader Box"
GAIN = "/strip/deck/gain"


def play(stage):
    def touch():
        """Has the fader pushed to its top."""
        pathlib.Path(stage.options.touch).touch()

    def guest():
        return next((one for one in stage.host.call("controllers")["unknown"] if DEVICE in one["device"]), None)

    with stage.visit() as visit:
        page = visit.page
        visit.open("surfaces")
        row = page.get_by_role("list", name="MIDI controllers").get_by_role("listitem").filter(has_text=DEVICE)
        row.get_by_text("Not in the graph").wait_for()
        row.get_by_text("nothing moved yet").wait_for()
        fader = page.get_by_role("button", name=f"Learn {GAIN}", exact=False)
        status = page.locator("#view-surfaces .v-report")

        fader.click()
        until("the page asks for a touch", status.text_content, lambda text: "Move the control" in text)
        stage.picture(visit, "learning")
        page.get_by_role("button", name="Give up").click()
        until("it is given up", status.text_content, lambda text: text == "Given up.")
        touch()
        row.get_by_text("moved last: cc 1/7 = 117").wait_for()
        row.get_by_text("generic.yaml has this control").wait_for()
        row.get_by_text("mapping: generic.yaml").wait_for()
        check(guest()["learned"] == [], f"a control was learned that was given up: {guest()}")
        check(stage.host.value(GAIN) == 0, "a control that is mapped to nothing moves a fader")

        fader.click()
        until("the page asks for a touch", status.text_content, lambda text: "Move the control" in text)
        touch()
        until("the control is learned", status.text_content,
              lambda text: text.startswith("Learned: cc 1/7 of ") and DEVICE in text)
        check(len(guest()["learned"]) == 1, f"the host has learned {guest()['learned']}")
        row.get_by_role("button", name=f"Forget cc 1/7 for {GAIN}").wait_for()
        stage.picture(visit, "learned")

        stage.host.set(GAIN, "-inf")
        touch()
        until("the control moves the fader", lambda: stage.host.value(GAIN), lambda gain: gain != "-inf" and gain > 0)
        visit.check("learning")
        row.get_by_role("button", name=f"Forget cc 1/7 for {GAIN}").click()
        until("it is forgotten", lambda: guest()["learned"], lambda learned: learned == [])
    for phone in (False, True):
        for dark in (False, True):
            with stage.visit(phone=phone, dark=dark) as visit:
                visit.open("surfaces")
                visit.page.get_by_text("Not in the graph").wait_for()
                stage.picture(visit, f"surfaces-guest-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}")


perform(play, parser=arguments(touch="the file whose making pushes the fader"))

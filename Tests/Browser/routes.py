# SPDX-License-Identifier: MIT
"""Moves an app to another route in the view of sessions, and leaves it to the rules again (VOL-4)."""

from stage import check, perform, until


def play(stage):
    session = stage.host.call("openSession", app="radio", category="playback", ports=["radio-port:out"])["session"]

    def routes():
        return [send["route"] for send in stage.host.call("status")["sends"] if send["strip"] == session]

    with stage.visit() as visit:
        visit.open("sessions")
        choice = visit.page.get_by_label(f"Route of {session}", exact=True)
        choice.wait_for()
        until("the page names the route in use", choice.inner_text, lambda text: "phones (now)" in text)
        check(visit.page.get_by_label("Route of host", exact=True).is_hidden(), "the host's own session has a choice")
        for option, expected in (("main", "main"), ("", "phones")):
            choice.select_option(option)
            until(f"the app moves to {expected}", routes, lambda now, expected=expected: now == [expected])
            until("the page shows it", choice.input_value, lambda value, option=option: value == option)
        # Another's choice is shown, too, and a route without its ports cannot be chosen.
        stage.host.call("chooseRoute", session=session, route="main")
        until("the page shows another's choice", choice.input_value, lambda value: value == "main")
        visit.page.get_by_text("Simulate", exact=True).click()
        unplugged = visit.page.get_by_label("main unplugged", exact=True)
        unplugged.check()
        gone = choice.locator("option[value=main]")
        until("the route cannot be chosen", gone.is_disabled)
        check(gone.get_attribute("title") == "its ports are not there", "the page lacks the reason")
        until("the pick has ended", choice.input_value, lambda value: value == "")
        unplugged.uncheck()
        stage.picture(visit, "routes")
        visit.check("the route picker")
    stage.host.call("closeSession", session=session)


perform(play)

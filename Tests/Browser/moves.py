# SPDX-License-Identifier: MIT
"""Sends moves: the first at once, then the latest value every 20 ms. Asks again for parameters that the host did not tell."""

import json

from stage import check, perform, until

GAIN = "/strip/deck/gain"
OPEN = """async () => {
  const [{ openLive }, { openTree }] = await Promise.all([import("/live.js"), import("/tree.js")]);
  const live = openLive();
  window.tree = openTree(live);
  await new Promise(resolve => tree.onShape(resolve));
  window.sets = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const { method, params } = JSON.parse(text);
    if (method === "set") sets.push({ at: performance.now(), value: params.values[0].value });
    return send.call(this, text);
  };
}"""
MOVE = """async ({ path, count }) => {
  tree.set(path, -1);
  const first = sets.length;
  for (let number = 2; number <= count; number++) {
    tree.set(path, -number);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  await new Promise(resolve => setTimeout(resolve, 100));
  return { first, sets };
}"""
MOVES = 40
# A timer of the page may fire so much early by the clock of another one.
SHORTEST_MILLISECONDS = 18
REFUSALS = 3


def sending(stage):
    with stage.visit() as visit:
        visit.open()
        visit.page.evaluate(OPEN)
        moved = visit.page.evaluate(MOVE, {"path": GAIN, "count": MOVES})
        check(moved["first"] == 1, "the first move waits")
        sets = moved["sets"]
        check(3 <= len(sets) < MOVES, f"{MOVES} moves are sent as {len(sets)}")
        pauses = [later["at"] - one["at"] for one, later in zip(sets, sets[1:])]
        check(min(pauses) > SHORTEST_MILLISECONDS, f"only {min(pauses):.1f} ms between two sets")
        check(sets[-1]["value"] == -MOVES, f"the last value sent is {sets[-1]['value']}")
        until("the host has the last value", lambda: stage.host.value(GAIN), lambda gain: gain == -MOVES)
        visit.check("moves")


def asking(stage):
    """A host that refuses the list is asked again, at longer and longer intervals, and the page says so."""
    asked = []

    def answer(link):
        server = link.connect_to_server()

        def hear(message):
            request = json.loads(message)
            if request["method"] == "list" and len(asked) < REFUSALS:
                asked.append(request["id"])
                error = {"code": -32010, "message": "watch: too many watchers."}
                link.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}))
            else:
                server.send(message)

        link.on_message(hear)

    with stage.visit() as visit:
        visit.page.route_web_socket("**/live", answer)
        visit.page.goto(stage.url)
        text = visit.page.locator("main [role=status]")
        until("the page says why it waits", lambda: text.text_content() if text.count() else "",
              lambda text: "too many watchers" in text)
        stage.picture(visit, "asked-again")
        visit.page.wait_for_selector("#view-mixer")
        check(len(asked) == REFUSALS, f"the host has refused {len(asked)} lists")
        until("the page shows the host's gain", lambda: visit.gain("deck"), lambda gain: gain == stage.host.value(GAIN))


def play(stage):
    sending(stage)
    asking(stage)


perform(play)

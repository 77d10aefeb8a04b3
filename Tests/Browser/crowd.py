# SPDX-License-Identifier: MIT
"""Keeps pages' links to a host open for `multiroute bench web`, until its input ends: crowd.py URL COUNT

At its end it prints what one of the links has received meanwhile, as lengths of messages and times in seconds: `streams.py` sends the
same again, without a host.

A browser that is driven by a script hands on each frame of a WebSocket three times, and would measure that. The process has
the lowest priority: pages run on other machines, and take no time of this one's processors.
"""

import asyncio
import json
import os
import sys
import time

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

# The requests that a page begins with.
REQUESTS = [
    ("webMeters", {"on": True}),
    ("subscribe", {"topics": ["events"]}),
    ("watch", {"paths": ["/"], "levels": False}),
]


async def page(url, joined, record):
    try:
        async with connect(url.replace("http", "ws", 1) + "/live", origin=url, max_size=None) as link:
            await read(link, joined, record)
    except (OSError, WebSocketException) as fault:
        raise SystemExit(f"a page lost its link: {fault}") from fault
    raise SystemExit("the host has closed a page's link")


async def read(link, joined, record):
    for number, (method, params) in enumerate(REQUESTS):
        await link.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    # Each has the whole tree and its first levels before the measurement.
    missing = {"levels", len(REQUESTS) - 1}
    async for message in link:
        if missing:
            missing.discard("levels" if isinstance(message, bytes) else json.loads(message).get("id"))
            if not missing:
                joined.release()
        elif record is not None:
            record.append((time.monotonic(), len(message if isinstance(message, bytes) else message.encode())))


async def main(url, count):
    joined = asyncio.Semaphore(0)
    record = []
    pages = [asyncio.create_task(page(url, joined, None if number else record)) for number in range(count)]
    for _ in pages:
        await joined.acquire()
    print(flush=True)
    # The end of a page ends the program with its fault.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in pages:
        task.cancel()
    start = record[0][0] if record else 0
    print(json.dumps([[at - start, length] for at, length in record]))


os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
asyncio.run(main(sys.argv[1], int(sys.argv[2])))

# SPDX-License-Identifier: MIT
"""Stops each processor for 50 ms at random, twice a second on average, until it is ended.

A process on each processor computes at the highest real-time priority, so nothing else runs there meanwhile, jackd's threads neither.
Needs the right to real-time priority.
"""

import os
import random
import time

PAUSE_SECONDS = 0.05
MEAN_DISTANCE_SECONDS = 0.5


def pause(processor):
    os.sched_setaffinity(0, {processor})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(os.sched_get_priority_max(os.SCHED_FIFO)))
    while True:
        # Until the next pause.
        time.sleep(random.expovariate(1 / MEAN_DISTANCE_SECONDS))
        end = time.monotonic() + PAUSE_SECONDS
        while time.monotonic() < end:
            pass


def main():
    processors = sorted(os.sched_getaffinity(0))
    for processor in processors[1:]:
        if os.fork() == 0:
            pause(processor)
    pause(processors[0])


main()

# SPDX-License-Identifier: MIT
"""The comparison of what is heard with what the host says."""

import collections

from tones import AMPLITUDE, TONES_HZ

HEARD_SHARE = 0.7
TWICE_SHARE = 1.4
SILENCE_SHARE = 0.03
# A state counts once it has lasted this long: fades, ducks and the way of the sound to the file.
SETTLED_SECONDS = 1.5
# Someone who should be heard and is not for so long is silent for ever.
PATIENCE_SECONDS = 6
# The cycles until the host cuts a connection to the microphone.
CUT_SECONDS = 0.1


class Judge:
    """Compares what is heard with what the host says, program by program."""

    def __init__(self):
        self.states = {}
        self.silent_since = {}
        self.faults = []
        self.judged = collections.Counter()

    def forget(self):
        """After a break of the sound everything has to settle anew."""
        self.states.clear()
        self.silent_since.clear()

    def note(self, tone, state, now):
        if tone not in self.states or self.states[tone][0] != state:
            self.states[tone] = (state, now)
            self.silent_since.pop(tone, None)

    def judge(self, tone, amplitude, now):
        state, since = self.states[tone]
        if state is None or now - since < SETTLED_SECONDS:
            return
        self.judged[state] += 1
        share = amplitude / AMPLITUDE
        if share > TWICE_SHARE:
            self.fault(tone, now, f"{state}, and heard {share:.2f} times as loud as it plays")
        if state == "heard":
            if share >= HEARD_SHARE:
                self.silent_since.pop(tone, None)
            elif now - self.silent_since.setdefault(tone, now) >= PATIENCE_SECONDS:
                self.silent_since[tone] = now
                self.fault(tone, now, f"should be heard, and is not for {PATIENCE_SECONDS} s")
        elif state in ("interrupted", "gone") and share > SILENCE_SHARE:
            self.fault(tone, now, f"{state}, and heard at {share:.3f} of its level")

    def recorded(self, seconds, now):
        """Judges the recording of a program that may not record."""
        self.judged["recordings"] += 1
        if seconds > CUT_SECONDS:
            self.fault(None, now, f"recorded {seconds:.2f} s of the microphone without permission")

    def fault(self, tone, now, words):
        who = "" if tone is None else f"{TONES_HZ[tone]} Hz: "
        self.faults.append(f"{now:8.1f} s: {who}{words}")
        print(f"FAULT {self.faults[-1]}", flush=True)

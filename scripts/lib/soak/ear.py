# SPDX-License-Identifier: MIT
"""The loudspeaker of a soak."""

import os
import time

import numpy

from tones import RATE_HZ, TONES_HZ, WINDOW_SECONDS


class Ear:
    """The loudspeaker, a JACK client of its own, and a recording of it that is read while it grows."""

    HEADER_BYTES = 44

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.speaker = self.recorder = None
        self.count = 0
        self.position = 0

    def keep(self):
        """Starts again what a dead server has ended."""
        if self.speaker is None or self.speaker.poll() is not None:
            self.speaker = self.programs.start("jack_thru", "speaker")
            time.sleep(0.5)
        if self.recorder is None or self.recorder.poll() is not None:
            if self.count:
                os.remove(self.path)
            self.count += 1
            self.path = os.path.join(self.folder, f"ear-{self.count}.wav")
            open(self.path, "wb").close()
            self.position = 0
            self.recorder = self.programs.start(
                "jack_rec", "-f", self.path, "-d", "100000", "-b", "16", "speaker:output_1"
            )

    def amplitudes(self):
        """The amplitude of each tone in the newest window; None where nothing new was recorded."""
        frames = int(RATE_HZ * WINDOW_SECONDS)
        size = (os.path.getsize(self.path) - self.HEADER_BYTES) // 2
        if size < frames or size <= self.position:
            return None
        self.position = size
        with open(self.path, "rb") as file:
            file.seek(self.HEADER_BYTES + 2 * (size - frames))
            samples = numpy.frombuffer(file.read(2 * frames), dtype="<i2") / 32768
        window = numpy.hanning(frames)
        spectrum = numpy.abs(numpy.fft.rfft(samples * window)) / (window.sum() / 2)
        return [spectrum[round(tone * WINDOW_SECONDS)] for tone in TONES_HZ]

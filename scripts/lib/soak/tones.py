# SPDX-License-Identifier: MIT
"""The tones: each program plays one of its own."""

RATE_HZ = 48_000
# The tones lie on bins of the window, far from each other's harmonics.
WINDOW_SECONDS = 0.25
TONES_HZ = [404, 548, 692, 836, 988, 1132, 1276, 1420]
# A tone of the source `sine` has an amplitude of 1/8.
AMPLITUDE = 0.125

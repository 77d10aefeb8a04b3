# SPDX-License-Identifier: MIT
"""Times programs from their start to the first sample that is not silence.

usage: first-sample.py ROUNDS NAME COMMAND [NAME COMMAND]...

Stands for the loudspeakers: a JACK client with two physical inputs, which the programs connect to
by themselves. The programs take turns, so that all of them meet the same machine.
"""

import ctypes
import shlex
import signal
import statistics
import subprocess
import sys
import time

jack = ctypes.CDLL("libjack.so.0")
jack.jack_client_open.restype = ctypes.c_void_p
jack.jack_port_register.restype = ctypes.c_void_p
jack.jack_port_get_buffer.restype = ctypes.c_void_p
jack.jack_port_register.argtypes = [
    ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong,
]
jack.jack_port_get_buffer.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
jack.jack_activate.argtypes = [ctypes.c_void_p]
ProcessCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)
jack.jack_set_process_callback.argtypes = [ctypes.c_void_p, ProcessCallback, ctypes.c_void_p]

JACK_NO_START_SERVER = 1
INPUT_PHYSICAL_TERMINAL = 0x1 | 0x4 | 0x10
LIMIT_SECONDS = 20

heard = None  # when the first sample that is not silence came, on CLOCK_MONOTONIC


@ProcessCallback
def process(frames, _):
    global heard
    for port in ports:
        samples = ctypes.string_at(jack.jack_port_get_buffer(port, frames), frames * 4)
        # A cycle begins a moment before this runs: what is measured is at most too long.
        if heard is None and samples.strip(b"\0"):
            heard = time.monotonic()
    return 0


def wait_for(condition, what):
    deadline = time.monotonic() + LIMIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"error: {what} within {LIMIT_SECONDS} s")
        time.sleep(0.002)


def seconds_until_heard(command):
    global heard
    heard = None
    start = time.monotonic()
    program = subprocess.Popen(
        shlex.split(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: heard is not None, f"nothing was heard of {command}")
    seconds = heard - start
    program.send_signal(signal.SIGINT)
    program.wait()
    time.sleep(0.2)  # its ports are gone, and the next one finds silence
    return seconds


client = jack.jack_client_open(b"speaker", JACK_NO_START_SERVER, None)
if not client:
    sys.exit("error: no JACK server")
ports = [
    jack.jack_port_register(
        client, name, b"32 bit float mono audio", INPUT_PHYSICAL_TERMINAL, 0
    )
    for name in (b"in_1", b"in_2")
]
jack.jack_set_process_callback(client, process, None)
jack.jack_activate(client)

rounds = int(sys.argv[1])
commands = dict(zip(sys.argv[2::2], sys.argv[3::2]))
times = {name: [] for name in commands}
for _ in range(rounds):
    for name, command in commands.items():
        times[name].append(1000 * seconds_until_heard(command))
print(f"{'first sample after (ms)':24}{'median':>9}{'shortest':>10}{'longest':>9}")
for name, values in times.items():
    print(f"{name:24}{statistics.median(values):9.1f}{min(values):10.1f}{max(values):9.1f}")

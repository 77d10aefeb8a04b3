#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program in Python with a session: it ducks other sessions for some seconds.

    python3 session.py 5
"""
import ctypes
import os
import sys
import time

library = ctypes.CDLL(os.environ.get("MULTIROUTE_LIBRARY", "libmultiroute-session.so"))
library.mr_session_sample_rate.restype = ctypes.c_double
Callback = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p)
NAMES = {1: "interrupted", 2: "interruption over", 3: "new route", 4: "no host", 5: "host is back"}


def check(code):
    if code:
        text = ctypes.create_string_buffer(512)
        library.mr_session_last_error(text, ctypes.c_size_t(512))
        sys.exit(text.value.decode())


@Callback
def heard(event, detail, user):
    # One write for a line: events come on a thread of the library.
    print(f"{NAMES.get(event, event)} {detail}\n", end="", flush=True)


library.mr_session_set_callback(heard, None)
check(library.mr_session_set_category(b"playback", b"voicePrompt", ctypes.c_uint32(0x2)))
check(library.mr_session_activate())
print(f"ducking others at {library.mr_session_sample_rate():g} Hz\n", end="", flush=True)
time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 5)
library.mr_session_deactivate(1)

# SPDX-License-Identifier: MIT
"""Audio sessions of MultiRoute, for Python.

    import multiroute_session as session

    session.set_category("playback", "voicePrompt", session.DUCK_OTHERS)
    session.activate()

A function that fails raises SessionError. multiroute_session.h explains every value. MULTIROUTE_LIBRARY names another library.
"""

import ctypes
import os

INTERRUPTION_BEGAN, INTERRUPTION_ENDED, ROUTE_CHANGED, MEDIA_SERVICES_LOST, MEDIA_SERVICES_RESET = range(1, 6)
MIX_WITH_OTHERS, DUCK_OTHERS = 0x1, 0x2

_library = ctypes.CDLL(os.environ.get("MULTIROUTE_LIBRARY", "libmultiroute-session.so.0"))
_library.mr_session_sample_rate.restype = ctypes.c_double
_library.mr_session_io_buffer_seconds.restype = ctypes.c_double
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p)
# The library keeps the pointer alone, so the object is kept here.
_callback = None


class SessionError(Exception):
    """A request that the host or the library has refused, in one sentence."""


def _check(code):
    if code:
        text = ctypes.create_string_buffer(512)
        _library.mr_session_last_error(text, ctypes.c_size_t(len(text)))
        raise SessionError(text.value.decode())


def set_callback(heard):
    """Calls heard(event, detail) for each event, on a thread of the library."""
    global _callback
    _callback = _CALLBACK(lambda event, detail, _: heard(event, detail))
    _library.mr_session_set_callback(_callback, None)


def set_category(category, mode=None, options=0):
    """Sets the category, such as "playback", the mode, such as "voicePrompt", and the options."""
    _check(_library.mr_session_set_category(category.encode(), mode and mode.encode(), ctypes.c_uint32(options)))


def set_preferred(sample_rate_hz, io_buffer_seconds):
    """Asks for a sample rate and an I/O buffer."""
    _check(_library.mr_session_set_preferred(ctypes.c_double(sample_rate_hz), ctypes.c_double(io_buffer_seconds)))


def activate():
    """Activates the session."""
    _check(_library.mr_session_activate())


def deactivate(notify_others=True):
    """Deactivates the session; the sessions that it interrupted may resume."""
    _check(_library.mr_session_deactivate(int(notify_others)))


def set_ports(ports, channels):
    """Routes ports of the program's own JACK client through the session; None removes them."""
    _check(_library.mr_session_set_ports(ports and ports.encode(), channels))


def is_active():
    """Whether the session is active."""
    return _library.mr_session_is_active() == 1


def route():
    """The lines of the route: direction, type, uid and channels of each port."""
    text = ctypes.create_string_buffer(4096)
    _library.mr_session_route(text, ctypes.c_size_t(len(text)))
    return [line.split("\t") for line in text.value.decode().splitlines()]


def sample_rate():
    """The sample rate in hertz."""
    return _library.mr_session_sample_rate()


def io_buffer_seconds():
    """The I/O buffer in seconds."""
    return _library.mr_session_io_buffer_seconds()

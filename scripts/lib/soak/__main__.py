# SPDX-License-Identifier: MIT
"""Soaks a host: programs, calls, plugs, buffer sizes, graphs, surfaces and kills at random, and listens all the time.

Each program plays a tone of its own. Four times a second the loudspeaker's sound is compared with what the host says:
who should be heard is heard, at its level and once, and nobody is heard while the host says interrupted, or after its
end. Ends with status 1 where that does not hold, or where the host grows.
"""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from soak import Soak  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the multiroute program")
    parser.add_argument("--hours", type=float, default=1, help="how long (default: 1)")
    parser.add_argument("--frames", type=int, default=64, help="the server's period (default: 64)")
    parser.add_argument("--seed", type=int, default=None, help="repeats another run (or MULTIROUTE_TEST_SEED)")
    parser.add_argument("--stress", action="store_true", help="beside stress-ng on both processors")
    options = parser.parse_args()
    if options.seed is None:
        given = os.environ.get("MULTIROUTE_TEST_SEED")
        options.seed = random.SystemRandom().randrange(1 << 32) if given is None else int(given, 0)
    options.program = os.path.abspath(options.program)
    print(f"seed {options.seed}", flush=True)
    # A soak that is ended ends its programs, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="soak-")
    soak = Soak(options, folder)
    try:
        status = soak.run()
    finally:
        soak.programs.end_all()
    if status:
        print(f"logs: {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(status)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Runs every test of a bundle, and repeats each red one twenty times alone: its rate tells a fault from a rare one.

    run-all-tests.py BUNDLE RESULTS

Suites that start JACK servers or processes have a process of their own, because a process is the client of one server at a time. As in
the gate four of them run at a time, where each may have a /dev/shm of its own (root may), else one; a suite that hangs ends after a
quarter of an hour. Rows for docs/long-runs.md are appended to RESULTS. Ends with status 1 where a test was red once.
"""

import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

REPETITIONS = 20
LIMIT_SECONDS = 900
OWN_MEMORY = ["unshare", "--mount", "--ipc", "--propagation", "private", "bash", "-c",
              'mount -t tmpfs -o mode=1777 tmpfs /dev/shm && exec "$@"', "sh"]
SEED = os.environ.get("MULTIROUTE_TEST_SEED", "")
# Their tests share nothing with other processes, so one process has them all.
PURE = ("Sessions", "GraphFiles", "Mixing", "ControlProtocol", "Console", "Patchbay", "PatchFiles", "CoreMedia")


def may_have_own_memory():
    return subprocess.run([*OWN_MEMORY, "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def status_of(command):
    """The exit status of a command; that of `timeout` where it hangs."""
    # A session of its own: what it has started ends with it.
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            return process.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            print(f"ended after {LIMIT_SECONDS} s: {command[-1]}", flush=True)
            return 124


def run(prefix, bundle, filters, folder, name):
    """Runs the tests that a filter names; returns the ids of the red ones, and the exit status."""
    events = os.path.join(folder, f"{name}.jsonl")
    options = ["--testing-library", "swift-testing", "--event-stream-output-path", events]
    options += ["--event-stream-version", "0"]
    for one in filters:
        options += ["--filter", one]
    if not name.startswith("pure"):
        options.append("--no-parallel")
    status = status_of([*prefix, bundle, *options])
    red = set()
    if os.path.exists(events):
        with open(events, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                payload = record.get("payload", {})
                if payload.get("kind") != "issueRecorded" or payload.get("issue", {}).get("isKnown"):
                    continue
                red.add(test_name(payload.get("testID", name)))
        os.remove(events)
    if status != 0 and not red:
        # Its process died before it could say which test was at fault.
        red.add(filters[0].strip("^/"))
    return red, status


def test_name(identifier):
    """The id without the place in the sources that follows it."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", identifier)


def rate(prefix, bundle, test, folder):
    """Of twenty runs of one test alone, how many are red."""
    return sum(
        run(prefix, bundle, ["^" + re.escape(test)], folder, "again")[1] != 0 for _ in range(REPETITIONS)
    )


def main():
    bundle, results = sys.argv[1:]
    command = [bundle, "--testing-library", "swift-testing", "--list-tests"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    suites = sorted({line.split("/")[0] for line in listed if "/" in line})
    pure = [suite for suite in suites if suite.split(".")[0].removesuffix("Tests") in PURE]
    prefix = OWN_MEMORY if may_have_own_memory() else []
    red = set()
    with tempfile.TemporaryDirectory() as folder:
        if pure:
            red |= run([], bundle, [f"^{re.escape(suite)}/" for suite in pure], folder, "pure")[0]
        with concurrent.futures.ThreadPoolExecutor(4 if prefix else 1) as pool:
            waiting = [
                pool.submit(run, prefix, bundle, [f"^{re.escape(suite)}/"], folder, suite.replace("/", "-"))
                for suite in suites
                if suite not in pure
            ]
            for one in waiting:
                red |= one.result()[0]
        with open(results, "a", encoding="utf-8") as rows:
            for test in sorted(red):
                line = f"{rate(prefix, bundle, test, folder)} of {REPETITIONS} red, seed {SEED}"
                print(f"{test}: {line}", flush=True)
                rows.write(f"| {test} | {line} | |\n")
    print(f"{len(listed)} tests, {len(red)} red at least once", flush=True)
    sys.exit(1 if red else 0)


main()

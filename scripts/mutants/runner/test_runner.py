# SPDX-License-Identifier: MIT
"""Tests of the runner, with programs of the shell in place of the tests' program."""

import stat
import tempfile
import unittest
from pathlib import Path

from results import Results, equivalent, interval, shuffled
from trial import Outcome, Trial


class TrialTests(unittest.TestCase):
    def outcome(self, script: str, limit: float = 60) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text(f"#!/bin/bash\n{script}\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            return Trial(program, "Any", "none").run(7, 1, limit)

    def test_passed_tests_leave_a_survivor(self):
        self.assertEqual(self.outcome("echo $'\\e[92m✔\\e[0m Test run with 3 tests in 1 suite passed'").verdict, "survived")

    def test_first_failure_kills_without_waiting_for_the_rest(self):
        outcome = self.outcome("echo '✘ Test a() recorded an issue'; sleep 1000")
        self.assertEqual((outcome.verdict, outcome.by), ("failed", "✘ Test a() recorded an issue"))

    def test_crash_and_hang_kill(self):
        self.assertEqual(self.outcome("kill -ILL $$").by, "SIGILL")
        self.assertEqual(self.outcome("sleep 1000", limit=0.2).verdict, "hung")
        self.assertEqual(self.outcome("while :; do :; done").verdict, "hung")

    def test_the_program_knows_its_mutant(self):
        self.assertEqual(self.outcome("echo \"✘ $MUTANT\"").by, "✘ 7")

    def test_no_tests_prove_nothing(self):
        self.assertEqual(self.outcome("echo '✔ Test run with 0 tests in 0 suites passed'").verdict, "crashed")


class ResultsTests(unittest.TestCase):
    def test_a_trial_counts_while_sources_and_tests_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "results")
            results = Results(file)
            results.add("alive", "s1", "t1", Outcome("survived", "", 1, 1))
            results.add("dead", "s1", "t1", Outcome("failed", "✘", 1, 1))
            results = Results(file)
            self.assertEqual(results.known("alive", "s1", "t1")["verdict"], "survived")
            self.assertIsNone(results.known("alive", "s1", "t2"))
            self.assertEqual(results.known("dead", "s1", "t2")["verdict"], "failed")
            self.assertIsNone(results.known("dead", "s2", "t1"))
            self.assertIsNone(results.known("other", "s1", "t1"))

    def test_reasons_of_equivalent_mutants(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "list")
            file.write_text("# Head.\n\n# One,\n# two.\na\nb\n\n# Three.\nc\n")
            self.assertEqual(equivalent(file), {"a": "One, two.", "b": "One, two.", "c": "Three."})
            file.write_text("# One.\n\na\n")
            with self.assertRaises(SystemExit):
                equivalent(file)

    def test_intervals(self):
        low, high = interval(135, 150, 1000)
        self.assertAlmostEqual(low, 0.842, places=3)
        self.assertAlmostEqual(high, 0.938, places=3)
        self.assertEqual(interval(9, 10, 10), (0.9, 0.9))
        # Ten of eleven were killed: the last one cannot lower the share below ten elevenths.
        self.assertAlmostEqual(interval(10, 10, 11)[0], 10 / 11)

    def test_order_of_mutants_does_not_depend_on_others(self):
        places = [{"key": str(number)} for number in range(50)]
        order = shuffled(places, 1)
        self.assertNotEqual(order, places)
        self.assertEqual(shuffled(places[10:], 1), [place for place in order if int(place["key"]) >= 10])
        self.assertNotEqual(shuffled(places, 2), order)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the cases in one of meson's test logs: tally.py [--repeated FOLDER] LOG

Prints "PASSED FAILED SKIPPED" on standard output; names what failed and what was skipped, and why, on
standard error. A TAP test counts once for each of its cases, any other test once.

With --repeated the log holds several runs of each test, and a run is what counts: says how often which
test failed, with the end of its first failure, whose whole output is put in FOLDER; prints the sum on
standard output, and fails where a run did.
"""
import argparse
import json
import pathlib
import re
import sys

CASE = re.compile(r'^(ok|not ok)\b *\d* *-? *(?P<name>[^#]*?) *(?:# *(?P<directive>SKIP|TODO)\S*[ :]*(?P<why>.*))?$', re.I)
BAD = ('FAIL', 'TIMEOUT', 'INTERRUPT', 'ERROR', 'UNEXPECTEDPASS')
TAIL_LINES = 25


def cases(test):
    """The TAP cases of one test as (outcome, name, why); none where it speaks no TAP."""
    for line in (test.get('stdout') or '').splitlines():
        match = CASE.match(line)
        if not match:
            continue
        directive = (match['directive'] or '').upper()
        outcome = 'skipped' if directive == 'SKIP' else 'passed'
        if match[1] == 'not ok' and directive != 'TODO':
            outcome = 'failed'
        yield outcome, match['name'], match['why']


def skip_reason(test):
    """What a test that is no TAP said when it skipped: its last line, or the line of a whole skipped plan."""
    output = (test.get('stdout') or '') + '\n' + (test.get('stderr') or '')
    plan = re.search(r'^1\.\.0 *# *SKIP\S* *(.*)$', output, re.M | re.I)
    if plan:
        return plan[1]
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else 'no reason given'


def output_of(test):
    return (test.get('stdout') or '') + (test.get('stderr') or '')


def show_tail(test):
    for line in output_of(test).splitlines()[-TAIL_LINES:]:
        print(f'     | {line}', file=sys.stderr)


def show_failure(test):
    print(f'   FAILED {test["name"]} ({test["result"]}, exit status {test.get("returncode")})', file=sys.stderr)
    show_tail(test)


def count(test):
    counts = {'passed': 0, 'failed': 0, 'skipped': 0}
    for outcome, name, why in cases(test):
        counts[outcome] += 1
        if outcome == 'skipped':
            print(f'   skipped {test["name"]} {name}: {why or "no reason given"}', file=sys.stderr)
    if test['result'] in BAD:
        show_failure(test)
        counts['failed'] = max(counts['failed'], 1)
    elif not any(counts.values()):
        skipped = test['result'] == 'SKIP'
        counts['skipped' if skipped else 'passed'] = 1
        if skipped:
            print(f'   skipped {test["name"]}: {skip_reason(test)}', file=sys.stderr)
    return counts


def count_cases(tests):
    total = {'passed': 0, 'failed': 0, 'skipped': 0}
    for test in tests:
        for outcome, number in count(test).items():
            total[outcome] += number
    print(total['passed'], total['failed'], total['skipped'])


def show_failures(failures, n_runs, folder):
    """What one test's failures were, of which the first is kept in a file."""
    first = failures[0]
    path = folder / f'repeat-{first["name"].rsplit(" / ", 1)[-1]}.log'
    path.write_text(output_of(first), encoding='utf-8')
    print(f'   FAILED {len(failures)} of {n_runs} times: {first["name"]} '
          f'(first {first["result"]}, exit status {first.get("returncode")}), in {path}', file=sys.stderr)
    show_tail(first)


def count_runs(tests, folder):
    runs = {}
    for test in tests:
        runs.setdefault(test['name'], []).append(test)
    n_failed = n_skipped = 0
    for of_one in runs.values():
        failures = [test for test in of_one if test['result'] in BAD]
        n_failed += len(failures)
        n_skipped += sum(test['result'] == 'SKIP' for test in of_one)
        if failures:
            show_failures(failures, len(of_one), folder)
    n_runs = sum(map(len, runs.values()))
    print(f'{n_runs} runs of {len(runs)} tests: '
          f'{n_runs - n_failed - n_skipped} passed, {n_failed} failed, {n_skipped} skipped')
    return n_failed == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--repeated', type=pathlib.Path, metavar='FOLDER')
    parser.add_argument('log', type=pathlib.Path)
    arguments = parser.parse_args()
    with arguments.log.open(encoding='utf-8') as log:
        tests = [json.loads(line) for line in log]
    if not arguments.repeated:
        count_cases(tests)
    elif not count_runs(tests, arguments.repeated):
        sys.exit(1)


if __name__ == '__main__':
    main()

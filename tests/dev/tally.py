#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the cases in one of meson's test logs (testlog.json).

Prints "PASSED FAILED SKIPPED" on standard output; names what failed and what was skipped, and why, on
standard error. A TAP test counts once for each of its cases, any other test once.
"""
import json
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


def show_failure(test):
    print(f'   FAILED {test["name"]} ({test["result"]}, exit status {test.get("returncode")})', file=sys.stderr)
    output = (test.get('stdout') or '') + (test.get('stderr') or '')
    for line in output.splitlines()[-TAIL_LINES:]:
        print(f'     | {line}', file=sys.stderr)


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


def main():
    total = {'passed': 0, 'failed': 0, 'skipped': 0}
    with open(sys.argv[1], encoding='utf-8') as log:
        for line in log:
            for outcome, number in count(json.loads(line)).items():
                total[outcome] += number
    print(total['passed'], total['failed'], total['skipped'])


if __name__ == '__main__':
    main()

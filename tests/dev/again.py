#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tells tests that fail only beside others from those that fail: again.py names LOG | merge LOG AGAIN FOLDER

`names` prints what failed in one of meson's test logs. `merge` puts the outcome of the tests that have passed each
time in the log AGAIN, where they ran alone, in the place of their failure in LOG; says which they are, with the end
of what they printed when they failed, all of which is put in FOLDER.
"""
import json
import pathlib
import sys

from tally import BAD, output_of, show_tail


def read_log(path):
    with open(path, encoding='utf-8') as log:
        return [json.loads(line) for line in log]


def short_name(test):
    return test['name'].rsplit(' / ', 1)[-1]


def print_failed(log):
    for name in sorted({short_name(test) for test in read_log(log) if test['result'] in BAD}):
        print(name)


def show_unsteady(test, n_passed, folder):
    path = folder / f'unsteady-{short_name(test)}.log'
    path.write_text(output_of(test), encoding='utf-8')
    print(f'   UNSTEADY {test["name"]}: failed beside other tests, passed alone {n_passed} times; what it printed: {path}',
          file=sys.stderr)
    show_tail(test)


def merge(log, again_log, folder):
    runs = {}
    for test in read_log(again_log):
        runs.setdefault(test['name'], []).append(test)
    merged = []
    for test in read_log(log):
        again = runs.get(test['name'], [])
        if test['result'] in BAD and again and not any(run['result'] in BAD for run in again):
            show_unsteady(test, len(again), pathlib.Path(folder))
            test = again[0]
        merged.append(test)
    with open(log, 'w', encoding='utf-8') as file:
        file.writelines(json.dumps(test) + '\n' for test in merged)


if __name__ == '__main__':
    {'names': print_failed, 'merge': merge}[sys.argv[1]](*sys.argv[2:])

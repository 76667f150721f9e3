#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guide's comparison with other programs names tests that there are, in each row where it says that gmcp can do something.

    check-compared.py BUILD-FOLDER
"""
import json
import pathlib
import re
import sys

import tree

PAGE = 'data/docs/compared.md'
COLUMNS = 6
NOTHING = ('no', '–', 'Linux')


def check_row(cells, tests):
    what, gmcp, shown = cells[0], cells[1], cells[-1]
    if len(cells) != COLUMNS:
        yield f'{PAGE}: “{what}” has {len(cells)} cells, not {COLUMNS}'
        return
    named = re.findall(r'`([^`]+)`', shown)
    yield from (f'{PAGE}: “{what}” names a test “{name}” that there is not' for name in named if name not in tests)
    can_do = re.split(r'[;:,]', gmcp)[0].strip() not in NOTHING
    if can_do and not named:
        yield f'{PAGE}: no test shows what “{what}” says of gmcp'
    if not can_do and named:
        yield f'{PAGE}: “{what}” names tests for what gmcp cannot do'


def check_page(build):
    tests = {test['name'] for test in json.loads((build / 'meson-info/intro-tests.json').read_text(encoding='utf-8'))}
    rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in tree.read(PAGE).splitlines() if line.startswith('|')][2:]
    if not rows:
        yield f'{PAGE}: it has no table'
    for cells in rows:
        if any(cells[1:]):
            yield from check_row(cells, tests)


if __name__ == '__main__':
    tree.report([*check_page(pathlib.Path(sys.argv[1]))], 'the comparison')

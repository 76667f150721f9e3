#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""targets.py BUILD SUITES [PROGRAM…]: prints what is to be built so that the tests of these suites (with commas between) can run,
a file a line, as ninja has them; and all that is no test, or, where PROGRAMs are named, all that is compiled but those.
"""
import json
import pathlib
import sys

from pick import matching


def main():
    build, suites, left_out = pathlib.Path(sys.argv[1]), sys.argv[2].split(','), sys.argv[3:]
    tests, targets = (json.loads((build / 'meson-info' / f'intro-{kind}.json').read_text(encoding='utf-8')) for kind in ('tests', 'targets'))
    wanted = {name for suite in suites for name in matching(tests, suite)}
    needed = {target for test in tests if test['name'] in wanted for target in test['depends']}
    for target in targets:
        files = [pathlib.PurePath(name).relative_to(build.resolve()) for name in target['filename']]
        if left_out:
            others = target['type'] in ('executable', 'shared library', 'shared module', 'static library') and target['name'] not in left_out
        else:
            others = files[0].parts[0] != 'tests'
        if target['id'] in needed or (target['build_by_default'] and others):
            print(*files, sep='\n')


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""targets.py BUILD SUITE: prints what is to be built so that the tests of one suite can run, and all that is no test, a file
a line, as ninja has them.
"""
import json
import pathlib
import sys

from pick import matching


def main():
    build, suite = pathlib.Path(sys.argv[1]), sys.argv[2]
    tests, targets = (json.loads((build / 'meson-info' / f'intro-{kind}.json').read_text(encoding='utf-8')) for kind in ('tests', 'targets'))
    wanted = matching(tests, suite)
    needed = {target for test in tests if test['name'] in wanted for target in test['depends']}
    for target in targets:
        files = [pathlib.PurePath(name).relative_to(build.resolve()) for name in target['filename']]
        if target['id'] in needed or (target['build_by_default'] and files[0].parts[0] != 'tests'):
            print(*files, sep='\n')


if __name__ == '__main__':
    main()

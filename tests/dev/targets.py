#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""targets.py BUILD SUITE: prints what is to be built so that the tests of one suite can run, and all that is no test, a file
a line, as ninja has them.
"""
import json
import pathlib
import sys


def main():
    build, suite = pathlib.Path(sys.argv[1]), sys.argv[2]
    tests, targets = (json.loads((build / 'meson-info' / f'intro-{kind}.json').read_text(encoding='utf-8')) for kind in ('tests', 'targets'))
    needed = {target for test in tests if suite in [name.rsplit(':', 1)[-1] for name in test['suite']] for target in test['depends']}
    folder = build.resolve()
    of_tests = {target['id'] for target in targets if 'tests' in pathlib.PurePath(target['filename'][0]).relative_to(folder).parts[:1]}
    for target in targets:
        if target['id'] in needed or (target['build_by_default'] and target['id'] not in of_tests):
            print(*(pathlib.PurePath(name).relative_to(folder) for name in target['filename']), sep='\n')


if __name__ == '__main__':
    main()

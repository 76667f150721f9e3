#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pick.py BUILD NAME…: prints the tests that are called NAME, are of a suite NAME, or match NAME as a
pattern, one a line and each once. Fails with status 2 where a NAME stands for none.
"""
import difflib
import fnmatch
import json
import pathlib
import sys


def matching(tests, name):
    return [test['name'] for test in tests
            if fnmatch.fnmatchcase(test['name'], name)
            or name in [suite.rsplit(':', 1)[-1] for suite in test['suite']]]


def main():
    build, *names = sys.argv[1:]
    tests = json.loads((pathlib.Path(build) / 'meson-info' / 'intro-tests.json').read_text(encoding='utf-8'))
    picked = {}
    for name in names:
        found = matching(tests, name)
        if not found:
            close = difflib.get_close_matches(name, {test['name'] for test in tests})
            hint = f'; did you mean {" or ".join(close)}?' if close else ''
            print(f'dev: there is no test or suite called {name}{hint}', file=sys.stderr)
            sys.exit(2)
        picked.update(dict.fromkeys(found))
    print('\n'.join(picked))


if __name__ == '__main__':
    main()

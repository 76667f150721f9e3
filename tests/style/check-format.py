#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""C and C++ files are as clang-format 14 lays them out; other versions differ in detail."""
import re
import shutil
import subprocess

import tree


def find_clang_format():
    for name in ('clang-format-14', 'clang-format'):
        program = shutil.which(name)
        if program is None:
            continue
        version = subprocess.run([program, '--version'], capture_output=True, text=True, check=True).stdout
        if re.search(r'version 14\.', version):
            return program
    tree.skip('clang-format 14 is not installed')


def main():
    program = find_clang_format()
    sources = [str(path) for path in tree.files('.c', '.h', '.cc')]
    run = subprocess.run([program, '--dry-run', '-Werror', *sources], cwd=tree.ROOT, capture_output=True, text=True)
    problems = [line for line in run.stderr.splitlines() if ': error:' in line or ': warning:' in line]
    if run.returncode != 0 and not problems:
        problems = run.stderr.splitlines()
    tree.report(problems, f'format of {len(sources)} files (clang-format -i mends it)')


if __name__ == '__main__':
    main()

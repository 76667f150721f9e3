#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each source file says its licence in one of its first lines."""
import tree

LINE = 'SPDX-License-Identifier: LGPL-2.1-or-later'
SUFFIXES = ('.c', '.h', '.cc', '.h.in', '.py', '.js', '.mjs', '.sh', '.xml', '.map', 'meson.build',
            'meson_options.txt', '.toml.in')
SCRIPTS = ('dev', '.ci/run')


def main():
    paths = [path for path in tree.files() if str(path).endswith(SUFFIXES) or str(path) in SCRIPTS]
    problems = [f'{path}: no line "{LINE}" near its top' for path in paths
                if LINE not in '\n'.join(tree.read(path).splitlines()[:4])]
    tree.report(problems, f'licence lines of {len(paths)} files')


if __name__ == '__main__':
    main()

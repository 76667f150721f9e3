#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""po/POTFILES.in lists the files that have something to translate, and no other. --update writes it."""
import re
import sys

import tree

POTFILES = tree.ROOT / 'po' / 'POTFILES.in'
MARKED = re.compile(r'(?<![\w])(?:_|N_|C_|NC_|g_dngettext|g_dpgettext2)\s*\(')


def translatable(path):
    if path.suffix == '.xml':
        return 'gettext-domain' in tree.read(path)
    return bool(MARKED.search(tree.code_only(re.sub(r'^#\s*define.*', '', tree.read(path), flags=re.M))))


def main():
    lines = POTFILES.read_text(encoding='utf-8').splitlines()
    listed = [line for line in lines if line and not line.startswith('#')]
    found = sorted(str(path) for path in tree.files('.c', '.h', '.gschema.xml')
                   if path.parts[0] in ('src', 'plugin', 'data') and translatable(path))
    if '--update' in sys.argv[1:]:
        head = [line for line in lines if line.startswith('#')]
        POTFILES.write_text('\n'.join(head + found) + '\n', encoding='utf-8')
        return
    problems = [f'po/POTFILES.in lacks {name}' for name in found if name not in listed]
    problems += [f'po/POTFILES.in has {name}, which has nothing to translate' for name in listed if name not in found]
    if listed != sorted(listed):
        problems.append('po/POTFILES.in is not sorted')
    tree.report(problems, 'POTFILES.in (tests/style/check-potfiles.py --update mends it)')


if __name__ == '__main__':
    main()

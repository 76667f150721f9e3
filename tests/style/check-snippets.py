#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs that README.md and the guide show are the ones that the tests run.

A code block that follows the line <!-- PATH --> holds that file, without its licence line. --update fills
the blocks from the files.
"""
import pathlib
import re
import sys

import tree

BLOCK = re.compile(r'(<!-- (?P<path>\S+) -->\n```\w*\n)(?P<code>.*?)(```\n)', re.S)
LICENCE = re.compile(r'^(?:/\*|//|#) SPDX-License-Identifier: \S+(?: \*/)?\n\n?', re.M)


def shown(path):
    """What a reader sees of a file: neither its licence line nor how a shell starts it."""
    text = re.sub(r'^#!.*\n', '', tree.read(path))
    return LICENCE.sub('', text, count=1)


def main():
    problems = []
    pages = [pathlib.Path('README.md'), *sorted((tree.ROOT / 'data' / 'docs').glob('*.md'))]
    for page in pages:
        text = tree.read(page)
        filled = BLOCK.sub(lambda m: m[1] + shown(m['path']) + m[4], text)
        if filled == text:
            continue
        if '--update' in sys.argv[1:]:
            (tree.ROOT / page).write_text(filled, encoding='utf-8')
        else:
            problems += [f'{page} shows another {m["path"]}' for m in BLOCK.finditer(text)
                         if m['code'] != shown(m['path'])]
    tree.report(problems, 'programs in the documentation (check-snippets.py --update shows the present ones)')


if __name__ == '__main__':
    main()

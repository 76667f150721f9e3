#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Copies pages of the guide, with links that lead to what gi-docgen makes of the pages.

    make-pages.py FOLDER PAGE…

In the sources a page links to another as PAGE.md, so that links work where the sources are read.
"""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
for page in map(pathlib.Path, sys.argv[2:]):
    text = re.sub(r'\]\(([\w-]+)\.md((?:#[\w-]+)?)\)', r'](\1.html\2)', page.read_text(encoding='utf-8'))
    (folder / page.name).write_text(text, encoding='utf-8')

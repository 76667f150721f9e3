#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program of the guide's cookbook prints what its comments say: run-cookbook.py PYTHON SERVER FILE COMMAND…

What is expected stands behind a line that prints, or in the lines of comments right below one.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMENT = re.compile(r'(?:^|\s)\s*(?:#|//|/\*) (.*?)(?: \*/)?$')
PRINTS = re.compile(r'\b(?:g_)?print(?:f|ln)? ?\(')


def find_expected(text):
    expected = []
    below = False
    for line in text.splitlines():
        alone = re.match(r'\s*(?:#|//|/\*) ', line)
        prints = not alone and PRINTS.search(line)
        comment = COMMENT.search(line)
        if comment and (prints or (below and alone)):
            expected.append(comment[1])
        below = bool(prints or (below and alone))
    return expected


def main(python, server, file, *command):
    expected = find_expected(pathlib.Path(file).read_text(encoding='utf-8'))
    assert expected, f'{file} does not say what it prints'
    with tempfile.TemporaryDirectory(prefix='gmcp-cookbook-') as folder:
        config = pathlib.Path(folder) / 'mcp.json'
        config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {'recipes': {'command': python, 'args': [server]}}}))
        environment = dict(os.environ, HOME=folder, **{f'XDG_{name}_HOME': f'{folder}/{name}' for name in ('CACHE', 'STATE')})
        run = subprocess.run([*command, str(config)], env=environment, text=True, stdout=subprocess.PIPE, timeout=60)
    printed = run.stdout.splitlines()
    assert run.returncode == 0, f'{file} ended with {run.returncode}: {run.stdout}'
    assert printed == expected, f'{file} prints\n{run.stdout}and not\n' + '\n'.join(expected)


if __name__ == '__main__':
    main(*sys.argv[1:])

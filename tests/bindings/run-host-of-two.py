#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host of two servers says the same in each language: run-host-of-two.py GMCP-TASKS PYTHON SERVER HOST…"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

EXPECTED = '''\
10 tools
call tasks__create_task? (ask-first: tasks.create_task)
created
1 of 2: step 1
2 of 2: step 2
counted
-32001 recipes: Not today {"again": "tomorrow"}
no answer in time
begun
cancelled
recipes asks: Which day for Ada?
not a day to choose
reserved for Monday
recipes asks: Which day for Bob?
not reserved
'''


def main(tasks, python, server, *command):
    with tempfile.TemporaryDirectory(prefix='gmcp-host-', ignore_cleanup_errors=True) as folder:
        told = pathlib.Path(folder) / 'told'
        config = pathlib.Path(folder) / 'mcp.json'
        config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
            'tasks': {
                'command': os.path.abspath(tasks),
                'args': ['--database', f'{folder}/tasks.db'],
                # A server does not get it from its host.
                'env': {'LD_LIBRARY_PATH': os.environ.get('LD_LIBRARY_PATH', '')},
            },
            'recipes': {'command': 'sh', 'args': ['-c', 'exec "$0" "$1" 2> "$2"', python, server, str(told)]},
        }}), encoding='utf-8')
        environment = dict(os.environ, HOME=folder, **{f'XDG_{name}_HOME': f'{folder}/{name}' for name in ('CACHE', 'STATE')})
        host = subprocess.run([*command, str(config)], env=environment, text=True, capture_output=True, timeout=60)
        print(host.stdout, host.stderr, sep='\n')
        assert told.read_text() == 'cancelled\n' * 2, 'the server is told of the call without time and of the cancelled one'
    assert host.returncode == 0, f'exit status {host.returncode}'
    assert host.stdout == EXPECTED, 'the host says what it should'
    assert host.stderr == '', 'there is nothing to complain about'


if __name__ == '__main__':
    main(*sys.argv[1:])

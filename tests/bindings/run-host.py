#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs a host against gmcp-tasks, and where that cannot be, and looks at what it prints: run-host.py GMCP-TASKS HOST…"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TOOLS = {f'tasks__{name}' for name in ('create_task', 'list_tasks', 'update_task', 'complete_task', 'delete_task')}
PATIENCE_S = 30


def run(config, command, home, **more):
    environment = dict(os.environ, HOME=home, XDG_CACHE_HOME=f'{home}/cache', XDG_DATA_HOME=f'{home}/data', **more)
    return subprocess.run([*command, config], capture_output=True, text=True, env=environment, timeout=15)


def processes_with(argument):
    for cmdline in pathlib.Path('/proc').glob('[0-9]*/cmdline'):
        try:
            if argument.encode() in cmdline.read_bytes().split(b'\0'):
                yield cmdline.parent.name
        except OSError:  # It has just ended.
            pass


def wait_until_gone(argument):
    end = time.monotonic() + PATIENCE_S
    while any(processes_with(argument)):
        assert time.monotonic() < end, 'the server outlives its host'
        time.sleep(0.02)


def expect_failure(config, command, home, word):
    """A host that cannot do what it is for says why, and ends with a status that says so."""
    # GJS tells of an error that nobody catches as of one of its own.
    host = run(str(config), command, home, G_DEBUG='gc-friendly')
    print(host.stdout, host.stderr, sep='\n')
    assert host.returncode == 1, f'exit status {host.returncode}'
    assert host.stdout == '', 'there is nothing to be listed'
    assert word in host.stderr, f'“{word}” is named'


def main():
    server, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        database = f'{home}/tasks.db'
        config = pathlib.Path(home) / 'servers.json'
        config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {'tasks': {
            'command': os.path.abspath(server),
            'args': ['--database', database],
            # A server does not get it from its host.
            'env': {'LD_LIBRARY_PATH': os.environ.get('LD_LIBRARY_PATH', '')},
        }}}), encoding='utf-8')
        host = run(str(config), command, home)
        print(host.stdout, host.stderr, sep='\n')
        lines = host.stdout.splitlines()
        assert host.returncode == 0, f'exit status {host.returncode}'
        assert set(lines[:5]) == TOOLS, 'the five tools are listed first'
        assert 'Water the plants' in '\n'.join(lines[5:]), 'the new task is printed'
        assert host.stderr == '', 'there is nothing to complain about'
        wait_until_gone(database)

        expect_failure(f'{home}/no-such-file.json', command, home, 'no-such-file.json')
        config.write_text('{"mcpServers": {"tasks": {"command": "/does/not/exist"}}}', encoding='utf-8')
        expect_failure(config, command, home, '/does/not/exist')


if __name__ == '__main__':
    main()

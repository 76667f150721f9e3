#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An idle gmcp-tasks takes a tenth of the memory of an idle server in Node at most.

test-tasks-memory.py GMCP_TASKS
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import postgres
import tap

PROGRAM = os.path.abspath(sys.argv[1])
NODE, MODULES = os.environ.get('GMCP_TEST_NODE'), os.environ.get('GMCP_TEST_NODE_MODULES')
OPENING = [{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize',
            'params': {'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'tests', 'version': '1'}}},
           {'jsonrpc': '2.0', 'method': 'notifications/initialized'},
           {'jsonrpc': '2.0', 'id': 2, 'method': 'tools/list', 'params': {}}]
CALL = [{'jsonrpc': '2.0', 'id': 3, 'method': 'tools/call', 'params': {'name': 'list_tasks', 'arguments': {}}}]


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-tasks-memory-')
        self.addCleanup(folder.cleanup)
        self.database = os.path.join(folder.name, 'tasks.db')

    def measure(self, command, messages):
        """Its share of the memory, in KiB, when it has answered all and does nothing more."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(('MALLOC_', 'G_SLICE', 'G_DEBUG'))}
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env) as process:
            for message in messages:
                process.stdin.write(json.dumps(message).encode() + b'\n')
                process.stdin.flush()
                while 'id' in message and json.loads(process.stdout.readline()).get('id') != message['id']:
                    pass
            before = -1
            while (share := self.read_share(process.pid)) != before:
                before = share
                time.sleep(0.2)
            process.stdin.close()
            process.terminate()
        return share

    def read_share(self, pid):
        with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as file:
            return next(int(line.split()[1]) for line in file if line.startswith('Pss:'))

    def test_idle(self):
        everything = os.path.join(MODULES, '@modelcontextprotocol', 'server-everything', 'dist', 'index.js')
        node = self.measure([NODE, everything], OPENING)
        idle = self.measure([PROGRAM, '--database', self.database], OPENING)
        used = self.measure([PROGRAM, '--database', self.database], OPENING + CALL)
        print(f'# KiB: Node {node}, gmcp-tasks {idle}, after a call {used}')
        self.assertLess(idle * 10, node)
        self.assertLess(used * 10, node)

    @unittest.skipUnless(postgres.is_installed(), 'PostgreSQL is not installed')
    def test_library_is_loaded_late(self):
        """The address of a server alone does not cost what its library does."""
        with subprocess.Popen([PROGRAM, '--database', 'postgresql:///tasks?host=/nonexistent'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            def is_loaded_after(messages):
                for message in messages:
                    process.stdin.write(json.dumps(message).encode() + b'\n')
                    process.stdin.flush()
                    if 'id' in message:
                        process.stdout.readline()
                with open(f'/proc/{process.pid}/maps', encoding='utf-8') as file:
                    return 'libpq' in file.read()

            self.assertFalse(is_loaded_after(OPENING))
            self.assertTrue(is_loaded_after(CALL))
            process.stdin.close()


def find_missing():
    if not NODE or not MODULES:
        return 'no npm packages; ./dev test installs them'
    with open(PROGRAM, 'rb') as file:
        if b'__asan_init' in file.read():
            return 'a sanitizer takes the memory here'
    return None


if __name__ == '__main__':
    missing = find_missing()
    if missing:
        print(f'1..0 # SKIP {missing}')
    else:
        tap.main()

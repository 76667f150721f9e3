#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp-tasks and a host, both with the limits that they have by default, while another program
keeps the database locked for longer than either of them waits.

test-tasks-limits.py GMCP GMCP_TASKS
"""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, TASKS = map(os.path.abspath, sys.argv[1:3])
LOCKED_SECONDS = 45
PATIENCE = 300


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-tasks-limits-')
        self.addCleanup(folder.cleanup)
        self.database = os.path.join(folder.name, 'tasks.db')
        self.config = os.path.join(folder.name, 'servers.json')
        with open(self.config, 'w', encoding='utf-8') as file:
            json.dump({'mcpServers': {'tasks': {'command': TASKS, 'args': ['--database', self.database]}}}, file)
        self.env = {**os.environ, 'HOME': folder.name,
                    **{name: os.path.join(folder.name, name) for name in ('XDG_STATE_HOME', 'XDG_CACHE_HOME')}}

    def call(self, *arguments):
        run = subprocess.run([GMCP, '--config', self.config, 'call', *arguments, '--json'], capture_output=True, text=True,
                             timeout=PATIENCE, env=self.env, stdin=subprocess.DEVNULL, check=False)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return json.loads(run.stdout)['structuredContent']

    def lock(self, database):
        """Locks the database until the test lets go, or its 45 seconds are over."""
        locked, let_go, freed = threading.Event(), threading.Event(), threading.Event()

        def hold():
            connection = sqlite3.connect(database, isolation_level=None)
            connection.execute('BEGIN EXCLUSIVE')
            locked.set()
            let_go.wait(LOCKED_SECONDS)
            connection.execute('COMMIT')
            connection.close()
            freed.set()

        threading.Thread(target=hold, daemon=True).start()
        self.assertTrue(locked.wait(PATIENCE))
        self.addCleanup(let_go.set)
        return let_go, freed

    def test_write(self):
        self.assertTrue(self.call('tasks__create_task', 'title=First')['success'])
        let_go, freed = self.lock(self.database)
        failed = self.call('tasks__create_task', 'title=Blocked')
        self.assertFalse(freed.is_set(), 'the answer came before the lock was gone')
        self.assertEqual((failed['success'], failed['data'], failed['error_code']), (False, None, 'TIMEOUT'))
        self.assertIn('25 s', failed['error'])
        let_go.set()
        self.assertTrue(freed.wait(PATIENCE))
        self.assertEqual(self.call('tasks__list_tasks')['data']['total'], 1)


if __name__ == '__main__':
    del sys.argv[1:]
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp replay: a call is made again as whoever made it.

test-cli-replay.py GMCP MANAGED_SERVER
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = sys.argv[1:3]
OK, USAGE, NOT_PERMITTED = 0, 2, 5
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-replay-')
HOME = pathlib.Path(FOLDER.name)
CONFIG = HOME / 'mcp.json'
LOG = HOME / 'log'


class Replay(unittest.TestCase):
    def setUp(self):
        self.configure({'echoer': {'allowed_tools': ['one.echo'], 'host': 'org.example.Host'},
                        'reader': {'allowed_tools': ['one.pid']}})

    def configure(self, roles):
        CONFIG.write_text(json.dumps({
            'mcpServers': {'one': {'command': '/usr/bin/python3', 'args': [SERVER, '--tools', 'echo,pid', '--log', str(LOG)]}},
            'roles': roles}))

    def gmcp(self, status, *args):
        done = subprocess.run([GMCP, '--config', str(CONFIG), *args], capture_output=True, text=True, timeout=60,
                              check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, 'XDG_STATE_HOME': str(HOME / 'state')})
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout, done.stderr

    def last(self):
        return json.loads(self.gmcp(OK, 'audit', '--json', '--limit', '1')[0])[0]

    def count(self):
        return LOG.read_text().count('call ')

    def test_host_and_role(self):
        self.gmcp(OK, '--host', 'org.example.Host', 'call', 'one.echo', '--role', 'echoer')
        first = self.last()
        self.gmcp(OK, 'replay', first['id'])
        again = self.last()
        self.assertEqual((again['host'], again['role'], again['replayOf']),
                         ('org.example.Host', 'echoer', first['id']))

        n_calls = self.count()
        self.assertIn('org.example.Host', self.gmcp(NOT_PERMITTED, '--host', 'org.example.Other', 'replay', first['id'])[1])
        self.configure({'echoer': {'allowed_tools': ['one.pid'], 'host': 'org.example.Host'}})
        self.assertIn('role echoer', self.gmcp(NOT_PERMITTED, 'replay', first['id'])[1])
        self.configure({'reader': {'allowed_tools': ['*']}})
        self.assertIn('role echoer: not configured', self.gmcp(NOT_PERMITTED, 'replay', first['id'])[1])
        self.assertEqual(self.count(), n_calls)

    def test_refused(self):
        self.gmcp(OK, 'tools')
        self.gmcp(NOT_PERMITTED, 'call', 'one.echo', '--role', 'reader')
        self.configure({'reader': {'allowed_tools': ['*']}})
        self.assertIn('was refused', self.gmcp(NOT_PERMITTED, 'replay', self.last()['id'])[1])

    def test_deep(self):
        """What the server was sent is found again, also where the line of it is deeper than a message may be."""
        deepest = 0
        for depth in (250, 252, 253, 254, 255, 256):
            done = subprocess.run([GMCP, '--config', str(CONFIG), 'call', 'one.echo', json.dumps({'x': 0}).replace('0', '[' * depth + ']' * depth)],
                                  capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
                                  env={**os.environ, 'XDG_STATE_HOME': str(HOME / 'state')})
            if done.returncode != OK:
                break
            deepest = depth
            self.assertEqual(json.dumps(self.last()['arguments']).count('['), depth)
            self.gmcp(OK, 'replay', self.last()['id'])
        self.assertGreaterEqual(deepest, 253)

    def test_unknown(self):
        self.gmcp(USAGE, 'replay', 'nothing')
        self.gmcp(USAGE, 'replay')

    def test_no_host(self):
        self.gmcp(OK, 'call', 'one.echo')
        line = self.last()
        line['id'] = 'old-1'
        del line['host']
        with open(HOME / 'state/gmcp/audit.jsonl', 'a', encoding='utf-8') as log:
            log.write(json.dumps(line) + '\n')
        self.assertIn('does not say which host', self.gmcp(NOT_PERMITTED, 'replay', 'old-1')[1])


tap.main()

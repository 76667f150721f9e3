#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands of gmcp for tools that change: pins and approve.

test-cli-pins.py GMCP MANAGED_SERVER
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

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, USAGE = 0, 2
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-pins-')
HOME = pathlib.Path(FOLDER.name)
CONFIG = HOME / 'mcp.json'
# It says the same of itself whatever it is called with.
STARTER = HOME / 'server'


class Pins(unittest.TestCase):
    def gmcp(self, status, *args):
        done = subprocess.run([GMCP, '--config', str(CONFIG), *args], capture_output=True, text=True, timeout=60,
                              check=False, env={**os.environ, 'XDG_STATE_HOME': str(HOME / 'state')})
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout, done.stderr

    def offer(self, tools):
        STARTER.write_text(f'#!/bin/sh\nexec {sys.executable} {SERVER} --tools {tools}\n')
        STARTER.chmod(0o755)

    def test_all(self):
        CONFIG.write_text(json.dumps({'mcpServers': {'one': {'command': str(STARTER)}}}))
        self.offer('echo,pid')
        self.assertEqual(self.gmcp(OK, 'pins'), ('', 'gmcp: no tool is new or has changed\n'))
        self.assertEqual(self.gmcp(OK, 'pins', '--all'), ('', 'gmcp: no tool has been seen yet\n'))
        self.assertEqual(self.gmcp(OK, 'tools')[1], f'gmcp: one runs with all your privileges: {STARTER}\n')
        self.assertEqual(self.gmcp(OK, 'tools')[1], '')
        self.assertEqual(self.gmcp(OK, 'pins')[0], '')
        self.assertEqual(self.gmcp(OK, 'pins', '--all')[0], 'one.echo: approved\none.pid: approved\n')

        self.offer('echo,pid,late')
        self.assertIn('gmcp approve one.late', self.gmcp(OK, 'call', 'one.echo')[1])
        self.assertEqual(self.gmcp(OK, 'tools')[1], '')
        shown = self.gmcp(OK, 'pins')[0].splitlines()
        self.assertEqual(shown[0], 'one.late: new')
        self.assertIn('+ description: "Does late"', shown)

        self.assertIn('one.echo', self.gmcp(USAGE, 'approve', 'one.echo')[1])
        self.gmcp(USAGE, 'approve')
        self.gmcp(USAGE, 'approve', '--all', 'one')
        self.gmcp(USAGE, 'pins', 'one')
        digest = shown[-1].removeprefix('--digest=')
        self.assertEqual([(pin['tool'], pin['digest']) for pin in json.loads(self.gmcp(OK, 'pins', '--json')[0])], [('late', digest)])
        # What is approved is what was shown.
        for words in (['--all'], ['one'], ['one.late', 'one.pid'], ['one.pid']):
            self.gmcp(USAGE, 'approve', f'--digest={digest}', *words)
        self.offer('echo,pid,late --described late')
        self.gmcp(OK, 'call', 'one.echo')
        self.assertIn('look at it again', self.gmcp(USAGE, 'approve', f'--digest={digest}', 'one.late')[1])
        shown = self.gmcp(OK, 'pins')[0]
        self.assertIn('+ description: "Another description"', shown)
        self.assertEqual(self.gmcp(OK, 'approve', 'one__late')[0], shown + 'Approved 1 tool.\n')
        self.assertEqual(self.gmcp(OK, 'pins')[0], '')
        self.offer('echo,pid,late')
        self.gmcp(OK, 'call', 'one.echo')
        self.assertEqual(self.gmcp(OK, 'approve', f'--digest={digest}', 'one.late')[0], 'Approved 1 tool.\n')
        self.assertEqual(self.gmcp(OK, 'pins')[0], '')
        self.assertEqual(self.gmcp(OK, 'approve', '--all'), ('', 'gmcp: no tool is new or has changed\n'))


tap.main()

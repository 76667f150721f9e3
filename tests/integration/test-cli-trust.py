#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of projects: what gmcp config trust and distrust say, and what a program that runs makes of them.

test-cli-trust.py GMCP MANAGED_SERVER
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, USAGE, UNREACHABLE = 0, 2, 3
YES = ''
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-trust-')
HOME = pathlib.Path(FOLDER.name)
PROJECT = HOME / 'project'
FILE = PROJECT / '.mcp.json'
OWN = HOME / 'config/mcp/mcp.json'
ENVIRONMENT = {**os.environ, 'XDG_STATE_HOME': str(HOME / 'state'), 'XDG_CONFIG_HOME': str(HOME / 'config'),
               'LC_ALL': 'C.UTF-8'}


class Trust(unittest.TestCase):
    def gmcp(self, status, *args, cwd=None):
        done = subprocess.run([GMCP, *[word for word in args if word]], capture_output=True, text=True, timeout=60,
                              check=False, cwd=cwd or PROJECT, env=ENVIRONMENT)
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout, done.stderr

    def configure(self, **more):
        PROJECT.mkdir(exist_ok=True)
        FILE.write_text(json.dumps({'mcpServers': {'one': {
            'command': sys.executable, 'args': ['-S', SERVER, '--tools', 'pid,echo'], **more}}}))

    def test_says(self):
        self.configure(env={'LD_PRELOAD': '/x.so', 'API_TOKEN': 's3cr3t-value'},
                       args=['--token', 's3cr3t-value', 'a\x1b[2Kb'])
        self.assertIn('gmcp config trust', self.gmcp(UNREACHABLE, 'call', 'one.pid')[1])
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json')[0]
        self.assertIn(str(FILE), out)
        self.assertIn(f"  one: {sys.executable} --token '[redacted]' 'a\N{REPLACEMENT CHARACTER}[2Kb'\n", out)
        self.assertIn('API_TOKEN, LD_PRELOAD', out)
        self.assertNotIn('s3cr3t', out)
        self.assertIn('not trusted any more', self.gmcp(OK, 'config', 'distrust', '.mcp.json')[0])

        FILE.write_text(json.dumps({'mcpServers': {'web': {'url': 'https://me:pa55word@example.org/'},
                                                   'off': {'command': 'x', 'disabled': True}}}))
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json')[0]
        self.assertIn('  web: https://', out)
        self.assertNotIn('pa55word', out)
        self.assertNotIn('  off:', out)
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_names(self):
        """A folder has one trust, whatever path is said; a file that is a link is trusted for what is beside it."""
        self.configure()
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        elsewhere = HOME / 'elsewhere.json'
        elsewhere.symlink_to(FILE)
        self.gmcp(OK, 'config', 'trust', str(elsewhere), YES)
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        elsewhere.unlink()

        way = HOME / 'way'
        way.symlink_to(PROJECT)
        out = self.gmcp(OK, 'config', 'trust', str(way / '.mcp.json'), YES)[0]
        self.assertIn(str(FILE.resolve()), out)
        self.gmcp(OK, 'call', 'one.pid')
        self.gmcp(OK, 'call', 'one.pid', cwd=way)
        self.gmcp(OK, 'config', 'distrust', '../project/./.mcp.json')
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        way.unlink()

    def test_linked(self):
        """A clone whose file leads to a trusted one runs nothing, neither of its own nor of the other."""
        self.configure(command='tools/server', args=[], cwd='.')
        clone = HOME / 'clone'
        mark = HOME / 'mark'
        for folder in PROJECT, clone:
            (folder / 'tools').mkdir(parents=True, exist_ok=True)
            program = folder / 'tools/server'
            program.write_text(f'#!/bin/sh\necho {folder.name} >> {mark}\n')
            program.chmod(0o700)
        (clone / '.mcp.json').symlink_to(FILE)
        self.gmcp(OK, 'config', 'trust', '.mcp.json', YES)
        err = self.gmcp(UNREACHABLE, 'call', 'one.pid', cwd=clone)[1]
        self.assertFalse(mark.exists())
        self.assertIn(f'gmcp config trust {clone.resolve()}/.mcp.json', err)
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        self.assertEqual(mark.read_text(), 'project\n' * mark.read_text().count('\n'))
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_shadowed(self):
        """What does not run although it is trusted is said to."""
        self.configure()
        OWN.parent.mkdir(parents=True, exist_ok=True)
        OWN.write_text(json.dumps({'mcpServers': {'one': {'command': 'mine'}}}))
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json')[0]
        self.assertIn('this server does not count: one of that id stands elsewhere', out)
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json', 'one')[0]
        self.assertNotIn('does not count', out)
        OWN.unlink()
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json')[0]
        self.assertNotIn('does not count', out)
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_own_file(self):
        self.configure()
        OWN.parent.mkdir(parents=True, exist_ok=True)
        OWN.write_text('{"mcpServers":{}}')
        link = HOME / 'link.json'
        link.symlink_to(OWN)
        for path in OWN, link:
            self.assertIn('of your own', self.gmcp(USAGE, 'config', 'trust', str(path))[1])
        self.gmcp(USAGE, 'config', 'trust', str(HOME / 'none.json'))

    def test_running(self):
        """Another process is told while it looks after the server."""
        self.configure()
        self.gmcp(OK, 'config', 'trust', '.mcp.json')
        process = subprocess.Popen([GMCP, 'start', '--foreground', 'one'], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=PROJECT, env=ENVIRONMENT)
        self.assertEqual(process.stdout.readline(), 'one\n')
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')
        err = process.communicate(timeout=30)[1]
        self.assertIn('gmcp config trust', err)
        self.assertNotEqual(process.returncode, OK)


tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What takes long to load is loaded by those who need it only, and whoever needs it is told where it is not there:
test-cli-start.py GMCP MANAGED_SERVER [yaml]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, UNREACHABLE, PROTOCOL = 0, 3, 6
LATE = {'libsoup-3.0.so.0', 'libsecret-1.so.0', 'libyaml-0.so.2', 'libsqlite3.so.0', 'libedit.so.2',
        'libgirepository-1.0.so.1', 'libgirepository-2.0.so.0'}


class Start(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-cli-start-')
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name).resolve()
        self.broken = self.home / 'broken'
        self.broken.mkdir()
        self.env = {**os.environ, 'LC_ALL': 'C.UTF-8', 'LD_DEBUG': 'files', 'LD_DEBUG_OUTPUT': str(self.home / 'loaded'),
                    **{f'XDG_{name}_HOME': str(self.home / name) for name in ('STATE', 'CACHE', 'CONFIG')}}
        self.log = self.home / 'log'
        self.stdio = {'command': sys.executable, 'args': ['-S', SERVER, '--log', str(self.log)]}

    def configure(self, name, text):
        file = self.home / name
        file.write_text(text)
        return file

    def gmcp(self, status, *args):
        """What the program wrote, and which of the libraries it loaded."""
        process = subprocess.Popen([GMCP, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, f'{args}\n{out}\n{err}')
        loaded = re.findall(r'calling init: .*/(\S+)', (self.home / f'loaded.{process.pid}').read_text())
        self.assertIn('libgmcp-1.so.0', loaded)
        return out, err, LATE & set(loaded)

    def break_library(self, name):
        """The loader finds this file first."""
        (self.broken / name).write_bytes(b'')
        self.env['LD_LIBRARY_PATH'] = ':'.join(filter(None, [str(self.broken), self.env.get('LD_LIBRARY_PATH')]))

    def test_nothing_but_json_and_pipes(self):
        config = self.configure('mcp.json', json.dumps({'mcpServers': {'one': self.stdio}}))
        out, _, loaded = self.gmcp(OK, '--config', config, 'call', 'one__echo', 'text=hello')
        self.assertIn('hello', out)
        self.assertEqual(loaded, set())
        for command in ('tools', 'servers'):
            self.assertEqual(self.gmcp(OK, '--config', config, command)[2], set(), command)

    def test_kept_lists_start_nothing(self):
        config = self.configure('mcp.json', json.dumps({'mcpServers': {'one': self.stdio}}))
        first = self.gmcp(OK, '--config', config, 'tools', '--json')[0]
        log = self.log.read_text()
        self.assertEqual(json.loads(first)[0]['tool'], 'echo')
        self.assertEqual(self.gmcp(OK, '--config', config, 'tools', '--json')[0], first)
        self.assertEqual(self.log.read_text(), log)

    def test_http(self):
        config = self.configure('mcp.json', json.dumps({'mcpServers': {'web': {'url': 'http://127.0.0.1:9/mcp'}}}))
        self.assertIn('libsoup-3.0.so.0', self.gmcp(UNREACHABLE, '--config', config, 'call', 'web__echo')[2])

    def test_http_that_cannot_be_had(self):
        self.break_library('libsoup-3.0.so.0')
        config = self.configure('mcp.json', json.dumps({'mcpServers': {'web': {'url': 'http://127.0.0.1:9/mcp'}, 'one': self.stdio}}))
        err = self.gmcp(PROTOCOL, '--config', config, 'call', 'web__echo')[1]
        self.assertIn('libsoup-3.0.so.0', err)
        self.assertIn('install', err)
        out, _, loaded = self.gmcp(OK, '--config', config, 'call', 'one__echo', 'text=hello')
        self.assertIn('hello', out)
        self.assertEqual(loaded, set())

    @unittest.skipUnless('yaml' in sys.argv[3:], 'built without libyaml')
    def test_yaml(self):
        config = self.configure('mcp.yaml', 'mcp_servers:\n  one:\n    auto_start: true\n    command: ' + json.dumps(sys.executable)
                                + f'\n    args: {json.dumps(self.stdio["args"])}\n')
        self.assertEqual(self.gmcp(OK, '--config', config, 'call', 'one__echo', 'text=hello')[2], {'libyaml-0.so.2'})
        self.break_library('libyaml-0.so.2')
        err = self.gmcp(PROTOCOL, '--config', config, 'call', 'one__echo', 'text=hello')[1]
        self.assertIn('libyaml-0.so.2', err)
        self.assertIn('mcp.yaml', err)


if __name__ == '__main__':
    tap.main()

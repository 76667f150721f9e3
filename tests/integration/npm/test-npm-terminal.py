#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Somebody who comes from another program, at a terminal of 80 and of 120 columns, with servers of npm's.

test-npm-terminal.py GMCP
"""
import base64
import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import CTRL_C, CTRL_D, Terminal, check_screen, environment_of, make_home

GMCP = os.path.abspath(sys.argv[1])
NODE, MODULES = os.environ.get('GMCP_TEST_NODE', ''), os.environ.get('GMCP_TEST_NODE_MODULES', '')
OK, USAGE, UNREACHABLE, TIMED_OUT = 0, 2, 3, 4
PACKAGES = pathlib.Path(MODULES) / '@modelcontextprotocol'


class NpmTerminal(unittest.TestCase):
    def setUp(self):
        if not NODE or not (PACKAGES / 'server-everything').is_dir():
            self.skipTest('npm packages are not installed; see tests/dev/npm.sh')
        self.home = make_home(self)
        # The one program that “nodee” is near to.
        self.environment = {**environment_of(self.home), 'PATH': f'{pathlib.Path(NODE).parent}:{os.environ["PATH"]}'}
        self.everything = {'command': NODE, 'args': [str(PACKAGES / 'server-everything/dist/index.js')]}
        self.files = {'command': NODE, 'args': [str(PACKAGES / 'server-filesystem/dist/index.js'), str(self.home)]}

    def run_on(self, columns, *words, status=OK, after=()):
        """What is to be seen when the program has ended; after are texts to wait for and what to type then."""
        with Terminal([GMCP, *words], columns=columns, environment=self.environment, cwd=self.home) as terminal:
            for text, typed in after:
                terminal.wait_for(text)
                terminal.type(typed)
            self.assertEqual(terminal.finish(), status, terminal.text())
            return terminal.text()

    def write(self, path, content):
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))

    def fill_home(self):
        """Files of four programs: one with a server that is dead, one with a comment and a variable to be asked for."""
        self.write('.config/Claude/claude_desktop_config.json',
                   {'mcpServers': {'everything': self.everything, 'files': self.files, 'dead': {'command': 'nodee', 'args': ['x.js']}}})
        self.write('.cursor/mcp.json', {'mcpServers': {'everything': self.everything, 'remote': {'url': 'http://127.0.0.1:1/mcp'}}})
        self.write('.config/Code/User/mcp.json', '{ // mine\n "inputs": [{"type": "promptString", "id": "word", "description": "A word"}],\n'
                   ' "servers": {"asks": {"type": "stdio", "command": ' + json.dumps(NODE) + ', "args": ' +
                   json.dumps(self.everything['args']) + ', "env": {"WORD": "${input:word}"}},},}')
        self.write('.codex/config.toml', '[mcp_servers.codex]\ncommand = "true"\n')

    def test_home_is_empty(self):
        for words in ['tools'], ['status'], ['doctor'], ['logs'], ['audit'], ['resources'], ['sync'], ['pins'], ['role'], ['search', 'x']:
            text = self.run_on(80, *words)
            self.assertRegex(text, 'No server is configured. “gmcp add NAME -- COMMAND…” or “gmcp add NAME URL”', words)
            self.assertNotIn('import', text)
        for words in ['call', 'x'], ['show'], ['test'], ['edit'], ['remove'], ['enable'], ['disable'], ['start'], ['stop'], ['restart'], ['discover'], ['subscribe'], ['show', 'x']:
            self.assertIn('No server is configured', self.run_on(80, *words, status=USAGE), words)

    def test_home_is_full(self):
        self.fill_home()
        self.assertRegex(self.run_on(120, 'tools'), r'There are servers of Claude Desktop, Cursor, Visual Studio Code, Codex:\s+“gmcp import --all”')
        with Terminal([GMCP, 'import', '--all'], columns=80, environment=self.environment, cwd=self.home) as terminal:
            for i in range(4):
                terminal.wait_for('[y/N]', times=i + 1)
                terminal.type('y\r')
            self.assertEqual(terminal.finish(), OK, terminal.text())
        text = self.run_on(120, 'status')
        for name in 'everything', 'files', 'dead', 'remote', 'asks', 'codex':
            self.assertRegex(text, rf'(?m)^{name} ')

        # One that is dead, one that is not reached and one that ends hide none of the tools of the others.
        with Terminal([GMCP, 'tools'], columns=120, environment=self.environment, cwd=self.home) as terminal:
            terminal.wait_for('“word”')
            terminal.wait_for_line('Value (it is not shown):')
            # What comes meanwhile waits until the question is answered, or it would not be seen any more.
            terminal.read(1)
            self.assertEqual(terminal.screen.lines()[-1], 'Value (it is not shown):')
            terminal.type('hush\r')
            terminal.wait_for('Remember it')
            terminal.type('n\r')
            self.assertEqual(terminal.finish(), OK, terminal.text())
            text = terminal.text()
        for part in ('get-sum (a: number, b: number)', 'list_directory', 'files runs with all your', 'Near to it: node.',
                     '“http://127.0.0.1:1/mcp” cannot be reached'):
            self.assertIn(part, text.replace('\n', ''))

    def test_tools(self):
        self.run_on(80, 'add', 'everything', '--', NODE, *self.everything['args'])
        for columns in 80, 120:
            text = self.run_on(columns, 'tools')
            self.assertLessEqual(max(map(len, text.splitlines())), columns)
            check_screen(self, text, f'npm-tools-{columns}.txt', self.home)
        for words in ['tools', 'everything.get-sum'], ['call', 'everything.get-sum', '--help']:
            text = self.run_on(80, *words)
            check_screen(self, text, 'npm-tool-80.txt', self.home)
        example = re.search(r'gmcp (call everything\.get-sum .*)', text)[1]
        self.assertIn('The sum of', self.run_on(80, *example.split()))

        text = self.run_on(80, 'call', 'everything.get-sum', 'a=1', after=[('b (number):', '4\r')])
        self.assertEqual(text.splitlines()[-1], 'The sum of 1 and 4 is 5.')
        text = self.run_on(120, 'call', 'everything.get-sum', 'a=x', 'b=2', status=USAGE)
        self.assertIn('“a” has to be number, not “x” – for example: gmcp call everything.get-sum a=1 b=2', text)
        text = self.run_on(80, 'call', 'everything.get-tiny-image', '--output', 'logo.png')
        self.assertIn('Wrote logo.png (image/png', text)
        self.assertEqual((self.home / 'logo.png').read_bytes()[:4], b'\x89PNG')
        with Terminal([GMCP, 'call', 'everything.get-tiny-image'], cwd=self.home,
                      environment={**self.environment, 'KITTY_WINDOW_ID': '1'}) as terminal:
            self.assertEqual(terminal.finish(), OK)
            drawn = ''.join(re.findall('\x1b_G[^;]*;([^\x1b]*)\x1b\\\\', terminal.raw))
            self.assertEqual(base64.b64decode(drawn), (self.home / 'logo.png').read_bytes())

    def test_doctor(self):
        self.write('.config/mcp/mcp.json', {'mcpServers': {'files': self.files, 'dead': {'command': 'nodee'}}})
        text = self.run_on(80, 'doctor', status=UNREACHABLE)
        for step in 'Configuration', 'Program', 'Start', 'Era', 'Handshake', 'Tools', 'Health check':
            self.assertRegex(text, rf'✓ {step} +[0-9.]+ m?s')
        self.assertRegex(text, r'✗ Program +[0-9.]+ m?s +nodee')
        for part in 'Near to it: node.', 'Directories searched', 'gmcp edit dead', '1 of 2 servers work.':
            self.assertIn(part, re.sub(r'\n', '', text))
        self.assertIn('files works: 14 tools', self.run_on(80, 'test', 'files'))

    def test_ctrl_c_and_a_shell(self):
        self.write('.config/mcp/mcp.json', {'mcpServers': {'everything': self.everything}})
        long = ['call', 'everything.trigger-long-running-operation', 'duration=60', 'steps=60']
        text = self.run_on(80, *long, status=TIMED_OUT, after=[(' %, ', CTRL_C)])
        self.assertEqual(text.splitlines()[-1], 'gmcp: cancelled')
        with Terminal([GMCP, 'shell'], environment=self.environment, cwd=self.home) as terminal:
            terminal.wait_for_line('gmcp>')
            terminal.type(' '.join(long) + '\r')
            terminal.wait_for(' %, ')
            terminal.type(CTRL_C)
            terminal.wait_for('gmcp: cancelled')
            terminal.wait_for_line('gmcp>')
            terminal.type('/mcp call everything.get-sum a=1 b=2\r')
            terminal.wait_for('The sum of 1 and 2 is 3.')
            terminal.wait_for_line('gmcp>')
            terminal.type(CTRL_D)
            terminal.finish()


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a newcomer sees in a terminal, compared with tests/data/screens: test-cli-screens.py GMCP SERVER

With GMCP_UPDATE_SCREENS=1 the screens are written instead; look at them with git diff.
"""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from screen import Screen
from terminal import Terminal, check_screen, environment_of, make_home

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])


class ScreenItself(unittest.TestCase):
    """The emulator, by what terminals do."""

    def shown(self, text, columns=10, rows=5):
        screen = Screen(columns, rows)
        for character in text:  # sequences may come in pieces
            screen.feed(character)
        return screen.lines()

    def test_lines(self):
        self.assertEqual(self.shown('one\r\ntwo\rTW\b.\r\n\tx'), ['one', 'T.o', '        x'])
        self.assertEqual(self.shown('0123456789'), ['0123456789'])
        self.assertEqual(self.shown('0123456789ab\r\nc'), ['0123456789', 'ab', 'c'])
        self.assertEqual(self.shown('0123456789\r\nc'), ['0123456789', 'c'])
        self.assertEqual(self.shown('\n'.join('abcdefg')), ['a', ' b', '  c', '   d', '    e', '     f', '      g'])

    def test_erasing(self):
        self.assertEqual(self.shown('abcdef\r\x1b[Kxy'), ['xy'])
        self.assertEqual(self.shown('abcdef\x1b[3D\x1b[1K'), ['    ef'])
        self.assertEqual(self.shown('abcdef\x1b[2Kx'), ['      x'])
        self.assertEqual(self.shown('ab\r\ncd\r\nef\x1b[2A\r\x1b[J'), [])
        self.assertEqual(self.shown('ab\r\n\x1b[H\x1b[2Jcd'), ['ab', '', 'cd'])

    def test_movements(self):
        self.assertEqual(self.shown('ab\r\ncd\x1b[AX\x1b[1GY\x1b[B\x1b[2CZ'), ['YbX', 'cd Z'])
        self.assertEqual(self.shown('abcdef\x1b[4D\x1b[2PX'), ['abXf'])
        self.assertEqual(self.shown('abc\r\x1b[2@'), ['  abc'])
        self.assertEqual(self.shown('\x1b[2;3Hx'), ['', '  x'])

    def test_widths(self):
        self.assertEqual(self.shown('中文e\u0301x'), ['中文e\u0301x'])
        self.assertEqual(self.shown('12345678中9'), ['12345678中', '9'])
        self.assertEqual(self.shown('123456789中'), ['123456789', '中'])

    def test_styles(self):
        self.assertEqual(self.shown('\x1b[1mbold\x1b[0m\x1b]8;;http://x\x1b\\link\x1b[?25l'), ['boldlink'])
        with self.assertRaises(ValueError):
            self.shown('\x1b[1z')


class Screens(unittest.TestCase):
    def configure(self, home, servers):
        file = home / '.config' / 'mcp' / 'mcp.json'
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({'mcpServers': servers}).replace('HOME', str(home)))

    def check(self, name, *words, columns=(80, 120), status=0, servers=None):
        for width in columns:
            home = make_home(self)
            (home / 'server.py').symlink_to(SERVER)
            if servers is not None:
                self.configure(home, servers)
            with Terminal([GMCP, *words], columns=width, environment=environment_of(home), cwd=home) as terminal:
                self.assertEqual(terminal.finish(), status, terminal.text())
                check_screen(self, terminal.text(), f'{name}-{width}.txt', home)

    def test_help(self):
        self.check('help', '--help')
        self.check('help', '-?', columns=[80])
        self.check('add-help', 'add', '-?', columns=[80])
        self.check('add-help', 'add', '--help', columns=(60, 80))

    def test_nothing_is_configured(self):
        self.check('nothing-tools', 'tools')
        self.check('nothing-add', 'add', columns=[80], status=2)

    def test_tools(self):
        self.check('tools', 'tools', servers={
            'files': {'command': '/usr/bin/python3', 'args': ['-S', 'HOME/server.py', '--tools', 'pid,echo']},
            'dead': {'command': '/does/not/exist'}})

    def test_status(self):
        server = {'command': '/usr/bin/python3', 'args': ['-S', 'HOME/server.py']}
        servers = {'files': server, 'a-server-with-a-rather-long-name': {'url': 'http://127.0.0.1:1/mcp'},
                   'by-hand': server | {'start': 'manual'}, 'off': server | {'disabled': True}}
        self.check('status', 'status', columns=(40, 80, 120), servers=servers)
        self.check('doctor', 'doctor', 'off', columns=[80], status=2, servers=servers)

    def test_servers_of_other_programs(self):
        for width in 80, 120:
            home = make_home(self)
            claude, cursor = home / '.config' / 'Claude' / 'claude_desktop_config.json', home / '.cursor' / 'mcp.json'
            one = {'command': 'npx', 'args': ['-y', '@example/server', 'a b']}
            for file, servers in (claude, {'one': one, 'odd': {'type': 'pigeon', 'command': 'x'}}), (cursor, {'one': one}):
                file.parent.mkdir(parents=True)
                file.write_text(json.dumps({'mcpServers': servers}))
            for name, words, answer in ('found', [], None), ('import', ['claude-desktop'], 'n\r'):
                with Terminal([GMCP, 'import', *words], columns=width, environment=environment_of(home), cwd=home) as terminal:
                    if answer is not None:
                        terminal.wait_for('[y/N]')
                        terminal.type(answer)
                    self.assertEqual(terminal.finish(), 0, terminal.text())
                    check_screen(self, terminal.text(), f'{name}-{width}.txt', home)

    def test_add(self):
        self.check('add', 'add', 'mine', '--', '/usr/bin/python3', '-S', 'server.py', columns=[80])


if __name__ == '__main__':
    tap.main()

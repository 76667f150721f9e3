#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a server hides in what it says is shown in lists, pins, errors and findings, wherever these go.

test-cli-visible.py GMCP
"""
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-visible-')
HOME = pathlib.Path(FOLDER.name)
CONFIG = HOME / 'mcp.json'
TEXT = HOME / 'text'
# Direction, no width, tags, a blank letter, a control character.
SLY = 'a\u202eb\u200bc\U000e0041\u3164\x1bd'
SHOWN = 'a<U+202E>b<U+200B>c<U+E0041><U+3164><U+001B>d'
HIDDEN = '\u202e\u200b\U000e0041\u3164\x1b'
SERVER = r'''
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    text = open(sys.argv[1], encoding="utf-8").read()
    if 'id' not in message:
        continue
    answer = {'error': {'code': -32601, 'message': 'Method not found: ' + text}}
    if message['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}, 'resources': {}, 'prompts': {}},
                             'serverInfo': {'name': 'sly', 'version': '1'}}}
    elif message['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': 'tool', 'description': text, 'inputSchema': {'type': 'object'}}]}}
    elif message['method'] == 'resources/list':
        answer = {'result': {'resources': [{'uri': 'x:1', 'name': text, 'description': text}]}}
    elif message['method'] == 'prompts/list':
        answer = {'result': {'prompts': [{'name': 'p', 'description': text}]}}
    elif message['method'] == 'tools/call':
        answer = {'result': {'content': [{'type': 'text', 'text': text}]}}
    sys.stdout.buffer.write(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}, ensure_ascii=False).encode() + b'\n')
    sys.stdout.flush()
'''


class Visible(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.env = {**os.environ, 'LC_ALL': 'C.UTF-8', **{f'XDG_{name}_HOME': str(HOME / name) for name in ('STATE', 'CACHE', 'CONFIG')}}
        TEXT.write_text(SLY)
        CONFIG.write_text(json.dumps({'mcpServers': {'sly': {'command': sys.executable, 'args': ['-S', '-c', SERVER, str(TEXT)]}}}))

    def setUp(self):
        shutil.rmtree(HOME / 'STATE', ignore_errors=True)
        TEXT.write_text(SLY)

    def gmcp(self, *args, terminal=False):
        if not terminal:
            done = subprocess.run([GMCP, '--config', str(CONFIG), *args], capture_output=True, text=True, timeout=60, check=False, env=self.env)
            return done.stderr + done.stdout
        master, slave = pty.openpty()
        process = subprocess.Popen([GMCP, '--config', str(CONFIG), *args], stdout=slave, stderr=subprocess.DEVNULL, stdin=slave, env=self.env)
        os.close(slave)
        text = b''
        while True:
            try:
                data = os.read(master, 4096)
            except OSError:
                break
            if not data:
                break
            text += data
        os.close(master)
        process.wait(timeout=60)
        return text.decode().replace('\r\n', '\n')

    def clean(self, text):
        self.assertEqual([c for c in text if c in HIDDEN], [], ascii(text))
        self.assertIn(SHOWN, text)

    def test_lists(self):
        for words in (['tools'], ['search', 'tool'], ['resources'], ['prompts']):
            self.clean(self.gmcp(*words))

    def test_cut(self):
        """What does not fit says how much there is."""
        TEXT.write_text('word ' * 100)
        self.assertRegex(self.gmcp('prompts', terminal=True), r'wo… \+\d+\n')

    def test_error(self):
        self.clean(self.gmcp('read', 'sly', 'x:1'))

    def test_results(self):
        """A result is another program's in a pipe, and a person's on a terminal."""
        self.assertEqual(self.gmcp('call', 'sly.tool').rstrip('\n').split('\n')[-1], SLY)
        self.clean(self.gmcp('call', 'sly.tool', terminal=True))
        text = self.gmcp('call', 'sly.tool', '--json', terminal=True)
        self.assertEqual([c for c in text if c in HIDDEN], [], ascii(text))
        self.assertEqual(json.loads(text)['content'][0]['text'], SLY)

    def test_pins(self):
        self.gmcp('tools')
        TEXT.write_text(SLY + ' now')
        self.gmcp('call', 'sly.tool')
        text = self.gmcp('pins')
        self.assertIn('changed', text)
        # JSON has an escape for the control character.
        self.assertEqual([c for c in text if c in HIDDEN], [], ascii(text))
        self.assertIn('a<U+202E>b<U+200B>c<U+E0041><U+3164>', text)

    def test_findings(self):
        path = HOME / 'broken.json'
        path.write_text(json.dumps({'mcpServers': {SLY: {'url': 'gopher://x/'}, 'b': {'command': 'x', SLY: 1}}}))
        self.clean(self.gmcp('config', 'check', str(path)))


tap.main()

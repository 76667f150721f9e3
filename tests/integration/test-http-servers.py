#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""server-everything over HTTP: Streamable HTTP, HTTP+SSE by name, and HTTP+SSE gone over to.

test-http-servers.py GMCP
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import tap

GMCP = sys.argv[1]
NODE = os.environ.get('GMCP_TEST_NODE', '')
MODULES = os.environ.get('GMCP_TEST_NODE_MODULES', '')
SCRIPT = pathlib.Path(MODULES or '/') / '@modelcontextprotocol/server-everything/dist/index.js'
KEPT = tempfile.TemporaryDirectory(prefix='gmcp-http-servers-', ignore_cleanup_errors=True)  # until the program ends
FOLDER = pathlib.Path(KEPT.name)
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL, OUTPUT = range(8)


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as taken:
        return taken.getsockname()[1]


def start(mode):
    """It says which port it has, not which it got; another program may have been faster."""
    for _ in range(5):
        port = free_port()
        server = subprocess.Popen([NODE, str(SCRIPT), mode], env=dict(os.environ, PORT=str(port)),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in server.stderr:
            if f'port {port}' in line and 'Failed' not in line:
                # It logs, and would wait for a reader.
                threading.Thread(target=server.stderr.read, daemon=True).start()
                return server, port
        server.wait()
    raise RuntimeError(f'server-everything {mode} does not start')


@unittest.skipUnless(NODE and SCRIPT.exists(), 'the npm packages of tests/package.json are not installed')
class Everything(unittest.TestCase):
    """What all ways to the server have in common."""
    mode = path = None
    entry = {}

    @classmethod
    def setUpClass(cls):
        cls.server, cls.port = start(cls.mode)
        cls.config = FOLDER / f'{cls.__name__}.json'
        cls.config.write_text(json.dumps({'mcpServers': {'all': {
            'url': f'http://127.0.0.1:{cls.port}/{cls.path}', **cls.entry}}}))

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()
        cls.server.wait()

    def gmcp(self, *words):
        return subprocess.run([GMCP, '--config', str(self.config), *words], capture_output=True, text=True,
                              timeout=60, check=False)

    def call(self, *words):
        done = self.gmcp('call', *words, '--json')
        self.assertEqual(done.returncode, OK, done)
        return json.loads(done.stdout)

    def test_tools(self):
        done = self.gmcp('tools', '--json')
        self.assertEqual(done.returncode, OK, done)
        self.assertIn('echo', [tool['tool'] for tool in json.loads(done.stdout)])

    def test_text(self):
        result = self.call('echo', 'message=grüße\u2028')
        self.assertEqual(result['content'][0]['text'], 'Echo: grüße\u2028')

    def test_large(self):
        """More than one read of the answer's stream."""
        text = 'x' * 300_000
        argument = FOLDER / 'large.json'
        argument.write_text(json.dumps({'message': text}))
        done = self.gmcp('call', 'echo', f'@{argument}')
        # Some hold that a message over 100 kB is too large.
        self.assertIn(done.returncode, (OK, PROTOCOL, UNREACHABLE), done.stderr)
        if done.returncode == OK:
            self.assertEqual(done.stdout.strip(), 'Echo: ' + text)
        else:
            self.assertIn('413', done.stderr)

    def test_numbers(self):
        self.assertIn('42', self.call('get-sum', 'a:=40', 'b:=2')['content'][0]['text'])

    def test_image(self):
        kinds = [block['type'] for block in self.call('get-tiny-image')['content']]
        self.assertIn('image', kinds)

    def test_structured(self):
        result = self.call('get-structured-content', 'location=New York')
        self.assertIn('temperature', result['structuredContent'])

    def test_progress(self):
        """Progress comes between, and the answer after it."""
        done = self.gmcp('call', 'trigger-long-running-operation', 'duration:=1', 'steps:=4')
        self.assertEqual(done.returncode, OK, done)
        self.assertIn('4', done.stdout)

    def test_error(self):
        done = self.gmcp('call', 'get-sum', 'a=x')
        self.assertEqual(done.returncode, USAGE, done)
        self.assertIn('“a” has to be number', done.stderr)
        # What the schema does not say, only the server can refuse.
        done = self.gmcp('call', 'get-resource-reference', 'resourceType=Text', 'resourceId=-1')
        self.assertIn(done.returncode, (TOOL_ERROR, PROTOCOL), done)

    def test_time_limit(self):
        done = self.gmcp('call', 'trigger-long-running-operation', 'duration:=30', 'steps:=2', '--timeout', '1')
        self.assertEqual(done.returncode, TIMED_OUT, done)
        self.assertEqual(self.gmcp('call', 'echo', 'message=x').returncode, OK)


class StreamableHttp(Everything):
    mode, path = 'streamableHttp', 'mcp'


class HttpSse(Everything):
    mode, path, entry = 'sse', 'sse', {'type': 'sse'}


class GoneOverTo(Everything):
    """The server knows HTTP+SSE only, and nobody says so."""
    mode, path = 'sse', 'sse'


def load_tests(loader, _tests, _pattern):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (StreamableHttp, HttpSse, GoneOverTo))


if __name__ == '__main__':
    tap.main()

# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests against a flood-server of their own, whose tools do as they are told; the token of a user is the user's name."""
import http.client
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest
import urllib.parse

SERVER = sys.argv[1]
MODERN, LEGACY = '2026-07-28', '2025-11-25'
LIMIT_S = 100
SERVER_KEY = b'This is the key of flood-server: no secret'
MIB = 1 << 20
INTERNAL, PARAMS = -32603, -32602
CAPABILITIES = {'elicitation': {}, 'extensions': {'io.modelcontextprotocol/tasks': {}}}
META = {'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': CAPABILITIES}


class Case(unittest.TestCase):
    PROPERTIES = {}  # of the endpoint

    def setUp(self):
        # What is large is given back to the system once it is freed, and what is not used is not filled, so that what is
        # measured is what is kept.
        env = {name: value for name, value in os.environ.items() if not name.startswith('MALLOC_') and name != 'G_DEBUG'}
        self.process = subprocess.Popen([SERVER, *(f'{name}={value}' for name, value in self.PROPERTIES.items())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**env, 'G_DEBUG': 'fatal-warnings', 'MALLOC_MMAP_THRESHOLD_': '131072'})
        self.port = urllib.parse.urlsplit(self.process.stdout.readline().strip()).port
        self.call('echo', text='to begin with')
        self.before = self.memory()

    def tearDown(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.assertEqual(self.process.wait(LIMIT_S), 0)

    def memory(self):
        for line in pathlib.Path(f'/proc/{self.process.pid}/smaps_rollup').read_text(encoding='ascii').splitlines():
            if line.startswith('Private_Dirty:'):
                return int(line.split()[1]) * 1024
        raise RuntimeError('no Private_Dirty')

    def check_grown(self, n_bytes):
        grown = self.memory() - self.before
        print(f'# {self.id()}: {grown / MIB:.1f} MiB', flush=True)
        self.assertLess(grown, n_bytes)

    def send(self, message, headers, user='ann'):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=LIMIT_S)
        connection.request('POST', '/mcp', message, {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
                                                      'Authorization': f'Bearer {user}', **headers})
        response = connection.getresponse()
        response.whole = connection
        return response

    def send_modern(self, method, params, user='ann', named=None):
        message = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {**params, '_meta': META}}
        headers = {'MCP-Protocol-Version': MODERN, 'Mcp-Method': method}
        if named:
            headers['Mcp-Name'] = named
        return self.send(json.dumps(message), headers, user)

    def request(self, method, params, user='ann', named=None):
        """The answer to a request of 2026-07-28."""
        response = self.send_modern(method, params, user, named)
        answer = json.load(response)
        response.whole.close()
        return answer

    def call(self, name, user='ann', rounds=None, **arguments):
        return self.request('tools/call', {'name': name, 'arguments': arguments, **(rounds or {})}, user, named=name)

    def check_served(self, user='ben'):
        self.assertEqual(self.call('echo', user, text='still here')['result']['content'][0]['text'], 'still here')

    def make_task(self, name, user='ann', **arguments):
        """The id of a task, or None where it is refused."""
        answer = self.call(name, user, **arguments)
        if 'error' in answer:
            self.assertEqual(answer['error']['code'], INTERNAL, answer)
            return None
        return answer['result']['taskId']

    def get_task(self, task, user='ann'):
        return self.request('tasks/get', {'taskId': task}, user, named=task)['result']

    def cancel_task(self, task):
        self.assertIn('result', self.request('tasks/cancel', {'taskId': task}, named=task))

    def wait_task(self, task):
        end = time.monotonic() + LIMIT_S
        while (state := self.get_task(task))['status'] == 'working' and time.monotonic() < end:
            pass
        return state

    def open_session(self, user='ann'):
        message = {'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {
            'protocolVersion': LEGACY, 'capabilities': {'elicitation': {}}, 'clientInfo': {'name': 'tests', 'version': '1'}}}
        response = self.send(json.dumps(message), {}, user)
        headers = {'Mcp-Session-Id': response.headers['Mcp-Session-Id'], 'MCP-Protocol-Version': LEGACY}
        response.read()
        response.whole.close()
        return headers

    def post(self, session, user='ann', **message):
        return self.send(json.dumps({'jsonrpc': '2.0', **message}), session, user)

    def call_in_session(self, session, name, number=1, meta=None, **arguments):
        return self.post(session, id=number, method='tools/call',
                         params={'name': name, 'arguments': arguments, **({'_meta': meta} if meta else {})})

    @staticmethod
    def read_message(stream):
        if stream.headers['Content-Type'] == 'application/json':
            return json.load(stream)
        while line := stream.readline():
            if line.startswith(b'data: {'):
                return json.loads(line[len(b'data: '):])
        return None

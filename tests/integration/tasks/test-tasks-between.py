#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp-tasks with programs of other makers in between: the inspector on the command line, mcp-proxy and mcp-remote."""
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

PROGRAM = sys.argv[1]
NODE = os.environ.get('GMCP_TEST_NODE', '')
MODULES = pathlib.Path(os.environ.get('GMCP_TEST_NODE_MODULES', '/nonexistent'))
INSPECTOR = MODULES / '@modelcontextprotocol/inspector-cli/build/index.js'
PROXY = MODULES / 'mcp-proxy/dist/bin/mcp-proxy.mjs'
REMOTE = MODULES / 'mcp-remote/dist/proxy.js'
PATIENCE = 90


def needs(*scripts):
    missing = [script.relative_to(MODULES).as_posix() for script in scripts if not script.exists()]
    return unittest.skipIf(missing or not NODE, f'{", ".join(missing) or "node"} is not there; ./dev test installs it')


def read_until(stream, word):
    """The line that has the word in it, of those that a process says when it begins."""
    while True:
        assert select.select([stream], [], [], PATIENCE)[0], 'nothing was said'
        line = stream.readline().decode()
        assert line, f'it ended before it said “{word}”'
        if word in line:
            return line


class Between(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='gmcp-tasks-between-')
        # What these programs keep is kept here, and what they start with npx or node is this Node.
        self.env = {**os.environ, 'LC_ALL': 'C.UTF-8', 'HOME': self.folder, 'XDG_CONFIG_HOME': self.folder,
                    'PATH': f'{os.path.dirname(NODE)}:{os.environ["PATH"]}'}
        self.database = ['--database', os.path.join(self.folder, 'tasks.db')]
        self.processes = []

    def tearDown(self):
        for process in reversed(self.processes):
            process.terminate()
            process.communicate(timeout=PATIENCE)
        shutil.rmtree(self.folder)

    def start(self, *command, **how):
        process = subprocess.Popen([*map(str, command)], env=self.env, bufsize=0,
                                   **{'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.DEVNULL, **how})
        self.processes.append(process)
        return process

    def serve_http(self):
        process = self.start(PROGRAM, *self.database, '--http', '0', '--http-user', 'ann')
        return read_until(process.stdout, 'http://').split()[-1]

    def inspect(self, *arguments):
        done = subprocess.run([NODE, str(INSPECTOR), *map(str, arguments)], env=self.env, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done)
        return json.loads(done.stdout)

    def check_with_inspector(self, *server):
        tools = self.inspect(*server, '--method', 'tools/list')['tools']
        self.assertEqual(len(tools), 5)
        made = self.inspect(*server, '--method', 'tools/call', '--tool-name', 'create_task', '--tool-arg', 'title=Water the plants')
        self.assertTrue(made['structuredContent']['success'], made)
        listed = self.inspect(*server, '--method', 'tools/call', '--tool-name', 'list_tasks')['structuredContent']['data']
        self.assertEqual([task['title'] for task in listed['tasks']], ['Water the plants'])
        refused = self.inspect(*server, '--method', 'tools/call', '--tool-name', 'create_task')
        self.assertEqual(refused['structuredContent']['error_code'], 'VALIDATION_ERROR')

    @needs(INSPECTOR)
    def test_inspector_over_stdio(self):
        self.check_with_inspector(PROGRAM, *self.database, '--user', 'ann')

    @needs(INSPECTOR)
    def test_inspector_over_http(self):
        self.check_with_inspector(self.serve_http(), '--transport', 'http')

    @needs(INSPECTOR, PROXY)
    def test_proxy_in_front(self):
        with socket.create_server(('127.0.0.1', 0)) as free:
            port = free.getsockname()[1]
        proxy = self.start(NODE, PROXY, '--port', port, '--', PROGRAM, *self.database, '--user', 'ann', stderr=subprocess.STDOUT)
        read_until(proxy.stdout, 'server on port')
        self.check_with_inspector(f'http://127.0.0.1:{port}/mcp', '--transport', 'http')
        self.assertEqual(len(self.inspect(f'http://127.0.0.1:{port}/sse', '--transport', 'sse', '--method', 'tools/list')['tools']), 5)

    @needs(REMOTE)
    def test_remote_behind(self):
        """A host that starts programs only, and a server that is reached over HTTP."""
        remote = self.start(NODE, REMOTE, self.serve_http(), '--allow-http', '--transport', 'http-only', stdin=subprocess.PIPE)

        def send(**message):
            remote.stdin.write(json.dumps({'jsonrpc': '2.0', **message}).encode() + b'\n')

        def ask(request_id, method, **params):
            send(id=request_id, method=method, params=params)
            while True:
                answer = json.loads(read_until(remote.stdout, '"jsonrpc"'))
                if answer.get('id') == request_id:
                    return answer['result']

        opened = ask(1, 'initialize', protocolVersion='2025-11-25', capabilities={}, clientInfo={'name': 'tests', 'version': '1'})
        self.assertEqual(opened['serverInfo']['name'], 'gmcp-tasks')
        send(method='notifications/initialized')
        made = ask(2, 'tools/call', name='create_task', arguments={'title': 'Water the plants'})
        self.assertTrue(made['structuredContent']['success'], made)
        self.assertEqual(ask(3, 'tools/call', name='list_tasks', arguments={})['structuredContent']['data']['total'], 1)


if __name__ == '__main__':
    tap.main()

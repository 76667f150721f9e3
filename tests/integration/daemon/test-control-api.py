#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The control API of gmcpd: test-control-api.py GMCPD MANAGED_SERVER"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import unittest

from control import ControlSession, PROBLEM, ROOT
from session import Session, is_running, wait_until
import tap

Session.gmcpd, Session.server = map(os.path.abspath, sys.argv[1:3])
NODE = os.environ.get('GMCP_TEST_NODE')
EVERYTHING = os.path.join(os.environ.get('GMCP_TEST_NODE_MODULES', ''), '@modelcontextprotocol/server-everything/dist/index.js')
GET = ('status', 'servers', 'servers/one', 'servers/one/tools', 'servers/one/logs')
POST = ('start', 'stop', 'restart', 'health', 'test', 'tools/echo')


class Api(ControlSession):
    def setUp(self):
        super().setUp()
        self.configure(one={'start': 'manual', 'words': ['--tools', 'echo,pid']}, two={}, bad={'command': '/does/not/exist'})

    def test_reads(self):
        self.start_control()
        status = self.ask(200, 'GET', 'status')
        self.assertEqual([server['name'] for server in status['servers']], ['one', 'two', 'bad'])
        self.assertEqual((status['total_running'], status['total_healthy']), (0, 0))
        listed = self.ask(200, 'GET', 'servers')
        self.assertEqual((listed['total_running'], len(listed['servers'])), (0, 3))
        one = self.ask(200, 'GET', 'servers/one')
        self.assertEqual((one['name'], one['state'], one['health'], one['start'], one['transport'], one['tools'], one['memory_bytes']),
                         ('one', 'stopped', 'n/a', 'manual', 'stdio', [], 0))
        self.assertEqual((one['source'], one['enabled']), (str(self.config), True))
        self.assertIn('managed-server.py', one['command_text'])
        # The list starts the server that it is of, where that is not manual, and no other one.
        self.assertEqual(self.ask(502, 'GET', 'servers/bad/tools')['code'], 'start-failed')
        self.assertEqual(self.servers(), [])
        tools = self.ask(200, 'GET', 'servers/two/tools')['tools']
        self.assertEqual([(tool['name'], tool['tool']) for tool in tools], [('two__echo', 'echo')])
        self.assertEqual(tools[0]['inputSchema']['type'], 'object')
        self.assertEqual(self.ask(200, 'GET', 'servers/one/tools')['tools'], [])
        listed = {server['name']: server for server in self.ask(200, 'GET', 'servers')['servers']}
        self.assertEqual([tool['tool'] for tool in listed['two']['tools']], ['echo'])
        self.assertGreater(listed['two']['memory_bytes'], 1_000_000)

    def test_ranges(self):
        """However many parts of an answer are asked for, it comes once, as a whole; for a page that needs no token."""
        self.start_control()
        for path in '/', '/dashboard.css', ROOT + 'status':
            headers = {'Authorization': f'Bearer {self.token}'}
            whole = self.send('GET', path, **headers)
            parts = self.send('GET', path, **headers, Range='bytes=' + ','.join(['0-'] * 1000))
            self.assertEqual((parts.status, parts.type, parts.body), (200, whole.type, whole.body))

    def test_tools_of_failing(self):
        """What has no tools is told from what cannot say which it has."""
        late = self.home / 'late'
        self.configure(none={'words': ['--tools', '']}, failing={'words': ['--fail', 'list']}, off={'disabled': True}, late={'words': ['--late', str(late)]})
        self.start_control()
        for name in ('none', 'off'):
            self.assertEqual(self.ask(200, 'GET', f'servers/{name}/tools')['tools'], [])
        self.assertEqual(self.ask(200, 'GET', 'servers/off')['pid'], None)
        self.assertIn('failing', self.ask(502, 'GET', 'servers/failing/tools')['detail'])
        # One that is slow is waited for.
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            tools = pool.submit(self.ask, 200, 'GET', 'servers/late/tools')
            wait_until(lambda: self.ask(200, 'GET', 'servers/late')['pid'])
            late.touch()
            self.assertEqual([tool['tool'] for tool in tools.result(60)['tools']], ['echo'])

    def test_tools_of_what_has_failed(self):
        """Asking for them does not have a start tried again before its time."""
        program = self.home / 'server'
        self.configure(later={'command': str(program), 'words': []})
        self.start_control()
        self.ask(502, 'GET', 'servers/later/tools')
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {self.server}\n', encoding='utf-8')
        program.chmod(0o755)
        self.ask(502, 'GET', 'servers/later/tools')
        self.ask(200, 'POST', 'servers/later/start')
        self.assertTrue(self.ask(200, 'GET', 'servers/later/tools')['tools'])

    def test_tools_of_before(self):
        """What a server had that a person starts is known after the daemon's end."""
        self.configure(hand={'start': 'manual'})
        daemon = self.start_control()
        self.assertEqual(self.ask(200, 'GET', 'servers/hand/tools')['tools'], [])
        self.ask(200, 'POST', 'servers/hand/start')
        self.assertEqual(self.end_daemon(daemon), 0)
        self.start_control()
        self.assertEqual([tool['tool'] for tool in self.ask(200, 'GET', 'servers/hand/tools')['tools']], ['echo'])
        self.assertIsNone(self.ask(200, 'GET', 'servers/hand')['pid'])

    def test_actions(self):
        daemon = self.start_control()
        one = self.ask(200, 'POST', 'servers/one/start')
        self.assertEqual((one['state'], one['health'], [one['pid']]), ('running', 'healthy', self.servers()))
        self.assertEqual(self.ask(200, 'POST', 'servers/one/start', {})['pid'], one['pid'])
        self.assertEqual(self.ask(200, 'POST', 'servers/one/health')['health'], 'healthy')
        called = self.ask(200, 'POST', 'servers/one/tools/echo', {'arguments': {'text': 'hello'}})
        # As great a number as a caller likes is one.
        great = self.ask(200, 'POST', 'servers/one/tools/echo', {'arguments': {'text': 'e1e+20.0', 'number': 1e20}})
        self.assertIn('e1e+20.0', great['content'][0]['text'])
        self.assertIn('hello', called['content'][0]['text'])
        self.assertTrue(self.ask(200, 'POST', 'servers/one/tools/pid')['content'])
        again = self.ask(200, 'POST', 'servers/one/restart')
        self.assertNotEqual(again['pid'], one['pid'])
        wait_until(lambda: not is_running(one['pid']))
        stopped = self.ask(200, 'POST', 'servers/one/stop')
        self.assertEqual((stopped['state'], stopped['pid'], self.servers()), ('stopped', None, []))
        self.ask(200, 'POST', 'servers/one/start')
        self.ask(200, 'POST', 'servers/one/stop', {'force': True})
        self.assertEqual(self.servers(), [])
        report = self.ask(200, 'POST', 'servers/one/test')
        self.assertTrue(report['works'], report)
        self.assertTrue(all(step['outcome'] != 'failed' for step in report['steps']), report)
        self.ask(200, 'POST', 'servers/one/stop')
        report = self.ask(200, 'POST', 'servers/bad/test')
        self.assertFalse(report['works'])
        self.assertIn('failed', [step['outcome'] for step in report['steps']])
        self.assertTrue(report['error'])
        lines = self.ask(200, 'GET', 'servers/one/logs?lines=5')['lines']
        self.assertLessEqual(len(lines), 5)
        self.assertTrue(all(line['text'] for line in lines))
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_loopback(self):
        """Nothing listens where other machines could reach it."""
        self.start_control()
        tables = [pathlib.Path(f'/proc/net/{name}').read_text(encoding='utf-8').splitlines()[1:] for name in ('tcp', 'tcp6')]
        listening = [line.split()[1] for table in tables for line in table if line.split()[3] == '0A']
        self.assertEqual([address for address in listening if address.endswith(f':{self.port:04X}')], [f'0100007F:{self.port:04X}'])

    def test_failures(self):
        self.start_control()
        self.assertEqual(self.ask(409, 'POST', 'servers/one/tools/echo')['code'], 'not-running')
        self.assertIn('bad', self.ask(502, 'POST', 'servers/bad/start')['detail'])
        self.ask(200, 'POST', 'servers/one/start')
        self.assertEqual(self.ask(404, 'POST', 'servers/one/tools/nope')['code'], 'unknown-tool')
        for lines in ('0', '-1', 'x', '10001', '1e3', ''):
            self.assertIn('lines', self.ask(400, 'GET', f'servers/one/logs?lines={lines}')['detail'])
        for body in ([], 'text', 5, {'arguments': []}, {'arguments': {}, 'more': 1}, {'role': 5}, {'timeout_ms': 0}, {'timeout_ms': 2**40}):
            self.ask(400, 'POST', 'servers/one/tools/echo', body)
        for body in ([], {'force': 1}, {'force': True, 'more': 1}):
            self.ask(400, 'POST', 'servers/one/stop', body)

    def test_add_and_remove(self):
        self.start_control()
        added = self.ask(201, 'POST', 'servers', {'name': 'three', **self.describe(['--tools', 'pid,echo'])})
        self.assertEqual((added['name'], added['state'], [added['pid']], added['source']), ('three', 'running', self.servers(), 'program'))
        self.assertEqual([tool['tool'] for tool in added['tools']], ['pid', 'echo'])
        self.assertIn(str(added['pid']), str(self.ask(200, 'POST', 'servers/three/tools/pid')))
        self.ask(409, 'POST', 'servers', {'name': 'three', **self.describe()})
        # What is not stored anywhere is not removed from there.
        self.ask(409, 'DELETE', 'servers/three?store=true')
        self.ask(400, 'DELETE', 'servers/three?store=maybe')
        self.assertEqual(self.ask(200, 'GET', 'servers/three')['state'], 'running')
        self.ask(204, 'DELETE', 'servers/three')
        self.assertEqual(self.servers(), [])
        self.ask(404, 'DELETE', 'servers/three')
        # One that does not start is not added.
        self.assertEqual(self.ask(502, 'POST', 'servers', {'name': 'three', 'command': '/bin/false'})['code'], 'start-failed')
        self.ask(404, 'GET', 'servers/three')
        # Nor is one that is not to start, unless it is stored.
        self.assertEqual(self.ask(409, 'POST', 'servers', {'name': 'three', 'disabled': True, **self.describe()})['code'], 'not-running')
        self.ask(404, 'GET', 'servers/three')

    @unittest.skipUnless(NODE, 'no npm packages; ./dev test installs them')
    def test_add_address(self):
        """A server that runs already, of another maker."""
        with socket.socket() as taken:
            taken.bind(('127.0.0.1', 0))
            port = taken.getsockname()[1]
        server = self.run_beside([NODE, EVERYTHING, 'streamableHttp'], env=self.env | {'PORT': str(port)}, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        with socket.socket() as client:
            wait_until(lambda: client.connect_ex(('127.0.0.1', port)) == 0)
        self.start_control()
        added = self.ask(201, 'POST', 'servers', {'name': 'far', 'url': f'http://127.0.0.1:{port}/mcp'})
        self.assertEqual((added['name'], added['state'], added['transport'], added['pid']), ('far', 'running', 'http', None))
        self.assertIn('echo', [tool['tool'] for tool in added['tools']])
        self.assertIn('from far', str(self.ask(200, 'POST', 'servers/far/tools/echo', {'arguments': {'message': 'from far'}})))
        self.ask(204, 'DELETE', 'servers/far')
        self.assertIsNone(server.poll())
        self.ask(404, 'GET', 'servers/far')
        self.ask(502, 'POST', 'servers', {'name': 'far', 'url': 'http://127.0.0.1:1/mcp'})

    def test_add_bad(self):
        self.start_control()
        self.ask(400, 'POST', 'servers')
        for body in ({}, {'name': 'x'}, {'command': 'true'}, {'name': 5, 'command': 'true'}, {'name': 'x', 'command': 5}, {'name': 'x', 'args': ['true']},
                     {'name': 'x', 'command': 'true', 'args': 'true'}, {'name': 'x', 'url': 'nonsense'}, {'name': 'x', 'command': 'true', 'store': 1},
                     {'name': 'x', 'command': 'true', 'env': []}, *({'name': name, 'command': 'true'} for name in ('', '/', '..', 'a/b', '../one', 'ö', 'x' * 200, 'x' * 300))):
            self.ask(400, 'POST', 'servers', body)
        self.assertEqual(len(self.ask(200, 'GET', 'servers')['servers']), 3)

    def test_at_once(self):
        """Of many who add the same one gets it; and of many who remove it."""
        daemon = self.start_control()
        for _ in range(3):
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                body = json.dumps({'name': 'three', **self.describe()})
                headers = {'Authorization': f'Bearer {self.token}', 'Content_Type': 'application/json'}
                added = list(pool.map(lambda _: self.send('POST', ROOT + 'servers', body, **headers).status, range(16)))
                self.assertEqual(added.count(201), 1, added)
                self.assertEqual(set(added), {201, 409}, added)
                self.assertEqual(len(self.servers()), 1)
                removed = list(pool.map(lambda _: self.send('DELETE', ROOT + 'servers/three', **headers).status, range(16)))
                self.assertIn(204, removed)
                self.assertTrue(set(removed) <= {204, 404}, removed)
                self.assertEqual(self.servers(), [])
        self.assertEqual(len(self.ask(200, 'GET', 'servers')['servers']), 3)
        self.assertIsNone(daemon.poll())

    def open_events(self):
        """The answer, and a function that reads the next event of it."""
        connection = self.connect()
        connection.request('GET', ROOT + 'events', headers={'Authorization': f'Bearer {self.token}'})
        response = connection.getresponse()

        def read_event():
            fields = {}
            while line := response.readline().decode().rstrip('\n'):
                name, _, value = line.partition(': ')
                fields[name] = value
            if 'event' not in fields:  # a comment
                return read_event()
            return fields['event'], json.loads(fields['data'])
        return response, read_event

    def test_events(self):
        daemon = self.start_control()
        response, read_event = self.open_events()
        self.assertEqual((response.status, response.headers.get_content_type()), (200, 'text/event-stream'))
        event, data = read_event()
        self.assertEqual((event, [server['name'] for server in data['servers']]), ('servers', ['one', 'two', 'bad']))
        self.ask(200, 'POST', 'servers/one/start')
        while (event, data.get('name'), data.get('state'), data.get('tools_count')) != ('server', 'one', 'running', 2):
            event, data = read_event()
        # Nothing but a call has happened.
        self.ask(200, 'POST', 'servers/one/tools/echo', {'arguments': {}})
        while event != 'calls' or data['statistics']['calls'] != 1:
            event, data = read_event()
        self.assertEqual(data['name'], 'one')
        self.assertGreater(data['memory_bytes'], 1_000_000)
        self.ask(201, 'POST', 'servers', {'name': 'three', **self.describe()})
        while event != 'servers' or 'three' not in [server['name'] for server in data['servers']]:
            event, data = read_event()
        self.ask(204, 'DELETE', 'servers/three')
        while event != 'servers' or len(data['servers']) != 3:
            event, data = read_event()
        # The list starts what is not manual, and this one does not start.
        self.ask(502, 'GET', 'servers/bad/tools')
        while (event, data.get('server')) != ('notice', 'bad'):
            event, data = read_event()
        self.assertIn(data['level'], ('info', 'warning', 'error'))
        self.assertTrue(data['message'])
        # A stream does not keep the daemon from ending.
        self.assertEqual(self.end_daemon(daemon), 0)
        while response.readline():
            pass

    def test_large_events(self):
        """What the servers have is told however much that is, to a client that reads."""
        self.configure(**{name: {'words': ['--tools', 'echo', '--flood', '80']} for name in ('one', 'two')})
        daemon = self.start_control()
        for name in ('one', 'two'):
            self.ask(200, 'POST', f'servers/{name}/start')
        response, read_event = self.open_events()
        event, data = read_event()
        self.assertEqual((event, [len(server['tools']) for server in data['servers']]), ('servers', [81, 81]))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            restarted = pool.map(lambda name: self.ask(200, 'POST', f'servers/{name}/restart'), ('one', 'two'))
            awaited = {server['name']: server['pid'] for server in restarted}
        while awaited:
            event, data = read_event()
            if event == 'server' and data['pid'] == awaited.get(data['name']) and data['state'] == 'running':
                self.assertEqual(len(data['tools']), 81)
                del awaited[data['name']]
        self.assertEqual(self.end_daemon(daemon), 0)
        response.close()

    def test_many_streams(self):
        self.start_control()
        streams = [self.open_events()[0] for _ in range(16)]
        self.assertEqual({stream.status for stream in streams}, {200})
        self.assertEqual(self.ask(503, 'GET', 'events')['code'], 'limit-exceeded')
        self.ask(405, 'POST', 'events')
        # Those whose clients have gone make room.
        streams[0].close()
        wait_until(lambda: self.open_events()[0].status == 200)

    def test_names(self):
        self.start_control()
        # Dots lead to where they lead, which is no server either.
        for name in ('..', '.', '%2e%2e', '../..'):
            answer = self.send('POST', f'{ROOT}servers/{name}/start', Authorization=f'Bearer {self.token}')
            self.assertIn(answer.status, (404, 405))
        for name in ('nope', '%2F', 'one%2Ftools', 'one%2f..%2ftwo', '%00', '%ff', '%C3%B6', 'x' * 8000):
            for path in (f'servers/{name}', f'servers/{name}/tools', f'servers/{name}/logs'):
                self.ask(404, 'GET', path)
            for action in POST:
                self.ask(404, 'POST', f'servers/{name}/{action}')
        for path in ('', 'nope', 'servers/', 'servers//tools', 'servers/one/', 'servers/one/nope', 'servers/one/tools/', 'status/'):
            self.ask(404, 'GET', path)
        for path in ('/api', '/api/v1/mcp', '/api/v2/mcp/status', '//api/v1/mcp/status'):
            self.check_problem(answer := self.send('GET', path, Authorization=f'Bearer {self.token}'))
            self.assertEqual(answer.status, 404)

    def test_methods(self):
        self.start_control()
        for path in GET:
            for method in ('PUT', 'PATCH', 'OPTIONS', 'TRACE', 'NONSENSE'):
                if (method, path) != ('PATCH', 'servers/one'):
                    self.ask(405, method, path)
            head = self.send('HEAD', ROOT + path, Authorization=f'Bearer {self.token}')
            self.assertEqual((head.status, head.body), (200, b''))
        answer = self.send('GET', ROOT + 'servers/one/start', Authorization=f'Bearer {self.token}')
        self.assertEqual((answer.status, answer.headers['Allow']), (405, 'POST'))

    def test_token(self):
        daemon = self.start_control()
        self.assertEqual(self.token_file.stat().st_mode & 0o777, 0o600)
        self.assertRegex(self.token, '^[0-9a-f]{64}$')
        wrong = ['', 'Bearer', 'Bearer ', f'Bearer {self.token[:-1]}', f'Bearer {self.token}0', f'Basic {self.token}', self.token,
                 f'Bearer  {self.token}', 'Bearer ' + '0' * 64, 'Bearer ' + 'x' * 20000]
        for path in (*GET, 'nope'):
            answer = self.send('GET', ROOT + path)
            self.assertEqual((answer.status, answer.headers['WWW-Authenticate']), (401, 'Bearer realm="gmcpd"'))
            self.check_problem(answer)
        for words in wrong:
            self.ask(401, 'POST', 'servers/one/start', {}, Authorization=words)
        self.assertEqual(self.servers(), [])
        # It stays, and a file that is not what it should be is not used.
        self.assertEqual(self.end_daemon(daemon), 0)
        before = self.token
        self.end_daemon(self.start_control())
        self.assertEqual(self.token, before)
        for spoil in (lambda file: file.chmod(0o644), lambda file: file.write_text('secret'), self.link_token):
            spoil(self.token_file)
            done = subprocess.run([self.gmcpd, '--config', self.config, '--no-bus', '--control-port', '0'], env=self.env,
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn('control API cannot be opened', done.stderr)
            self.assertNotIn(before, done.stderr)
            self.token_file.unlink()
            self.token_file.touch(0o600)
            self.token_file.write_text(before)

    def link_token(self, file):
        file.rename(other := file.with_name('other'))
        file.symlink_to(other)

    def test_origin_and_host(self):
        self.start_control()
        token = f'Bearer {self.token}'
        own = f'127.0.0.1:{self.port}'
        for host in ('example.org', f'example.org:{self.port}', '127.0.0.1', 'localhost', '127.0.0.1:1', f'127.0.0.1:{self.port}:1', f'localhost.:{self.port}',
                     f'{own}, {own}', f'user@{own}', '', f'127.0.0.1.nip.io:{self.port}', '[::1]'):
            answer = self.send('POST', ROOT + 'servers/one/start', Host=host, Authorization=token)
            self.assertIn(answer.status, (400, 403), host)
        for origin in ('https://example.org', 'null', '', 'http://127.0.0.1', f'https://{own}', f'http://{own}.example.org', f'http://evil@{own}', f'http://{own}/',
                       'http://localhost:1', f'http://{own}, https://example.org'):
            self.check_problem(answer := self.send('POST', ROOT + 'servers/one/start', Origin=origin, Authorization=token))
            self.assertEqual(answer.status, 403, origin)
        self.assertEqual(self.servers(), [])
        for host in (own, f'localhost:{self.port}', f'LOCALHOST:{self.port}', f'[::1]:{self.port}'):
            self.ask(200, 'GET', 'status', Host=host, Origin=f'http://{own}')

    def send_raw(self, data):
        """What comes back of it; b'' where the connection is just closed."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=60) as client:
            try:
                client.sendall(data)
                client.shutdown(socket.SHUT_WR)
                return b''.join(iter(lambda: client.recv(65536), b''))
            except OSError:
                return b''

    def test_bad_http(self):
        daemon = self.start_control()
        for data in (b'\r\n\r\n', b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'\0' * 1000, b'\x16\x03\x01' + b'x' * 500, b'GET ' + b'/' * 200_000 + b' HTTP/1.1\r\n\r\n',
                     b'GET / HTTP/1.1\r\n' + b'A: b\r\n' * 100_000 + b'\r\n', b'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
                     b'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', b'GET http://example.org/api/v1/mcp/status HTTP/1.1\r\n\r\n'):
            self.assertNotIn(b' 200 ', self.send_raw(data)[:20])
        # Where the next request would begin cannot be known. What is no number at all libsoup answers itself.
        for headers in ('Content-Length: -5', 'Content-Length: +5', 'Content-Length: ' + 17 * '9', 'Content-Length: 5\r\nTransfer-Encoding: chunked'):
            head, _, body = self.send_raw(f'POST / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{headers}\r\n\r\n'.encode()).partition(b'\r\n\r\n')
            self.assertTrue(head.startswith(b'HTTP/1.1 400 '), headers)
            self.assertIn(f'Content-Type: {PROBLEM}'.encode(), head, headers)
            self.assertEqual(json.loads(body)['status'], 400)
            self.assertIn('Content-Length', json.loads(body)['detail'])
        self.ask(200, 'GET', 'status')
        self.assertIsNone(daemon.poll())

    def test_bodies(self):
        daemon = self.start_control()
        self.ask(200, 'POST', 'servers/one/start')
        path = ROOT + 'servers/one/tools/echo'
        token = {'Authorization': f'Bearer {self.token}'}
        for kind in ('text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', ''):
            self.check_problem(answer := self.send('POST', path, '{}', Content_Type=kind, **token))
            self.assertEqual(answer.status, 415, kind)
        for body in ('{', '{}}', '[]', '5', 'null', '"x"', "{'a': 1}", '{"a": 1,}', '{/* */}', '[' * 100_000, '{"a":' * 100_000, '{"arguments": {}} x', '{} {}', '{"arguments": {"a": 0777}}', '{"arguments": {"a": .5}}', '{"arguments": {"a": 1.}}', r'{"arguments": {"a": "\q"}}', '{"arguments": {"a": "\\\n"}}', '\ufeff{}',
                     '{"a": "\n"}', b'{"a": "\xff"}', b'\0', '{"arguments": "{}"}'):
            body = body if isinstance(body, bytes) else body.encode()
            self.check_problem(answer := self.send('POST', path, body, Content_Type='application/json', **token))
            self.assertEqual(answer.status, 400, body[:20])
        self.check_problem(answer := self.send('POST', path, b'"' + b'x' * 2_000_000 + b'"', Content_Type='application/json', **token))
        self.assertEqual(answer.status, 413)
        for status, headers in ((413, token), (401, {})):
            for chunked in (False, True):
                body = (b'x' * 100_000 for _ in range(1000))
                more = {} if chunked else {'Content_Length': '100000000'}
                self.check_problem(answer := self.send('POST', path, body, Content_Type='application/json', **more, **headers))
                self.assertEqual(answer.status, status)
        # A client that does not end is cut off, whoever it is.
        for headers in (token, {}):
            with self.assertRaises(ConnectionError):
                self.send('POST', path, (b'x' * 100_000 for _ in range(100_000)), Content_Type='application/json', **headers)
        with open(f'/proc/{daemon.pid}/status', encoding='utf-8') as file:
            size = next(int(line.split()[1]) for line in file if line.startswith('VmHWM:'))
        self.assertLess(size, 60_000)
        self.ask(200, 'GET', 'status')

    def test_connections(self):
        """Those who show no token give way; one who does is let in."""
        self.start_control()
        others = [socket.create_connection(('127.0.0.1', self.port)) for _ in range(200)]
        for client in others:
            self.addCleanup(client.close)
            with contextlib.suppress(OSError):
                client.sendall(b'GET /')
        self.ask(200, 'GET', 'status')
        self.ask(200, 'GET', 'servers')

    def test_client_leaves(self):
        self.configure(one={'words': ['--tools', 'wait,release']})
        daemon = self.start_control()
        self.ask(200, 'POST', 'servers/one/start')
        for _ in range(100):
            connection = self.connect()
            connection.request('POST', f'{ROOT}servers/one/tools/wait', '{}', {'Authorization': f'Bearer {self.token}', 'Content-Type': 'application/json'})
            connection.close()
        # More than may be under way at once, so that those of clients that are gone have to end.
        wait_until(lambda: self.send('POST', ROOT + 'servers/one/tools/release', Authorization=f'Bearer {self.token}').status == 200)
        # And a call that is under way does not keep the daemon from ending.
        connection = self.connect()
        connection.request('POST', f'{ROOT}servers/one/tools/wait', '{}', {'Authorization': f'Bearer {self.token}', 'Content-Type': 'application/json'})
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_options(self):
        for port in ('-2', '65536', 'x', ''):
            done = subprocess.run([self.gmcpd, '--config', self.config, '--control-port', port], env=self.env, capture_output=True,
                                  text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2, port)
        with socket.socket() as taken:
            taken.bind(('127.0.0.1', 0))
            taken.listen()
            done = subprocess.run([self.gmcpd, '--config', self.config, '--no-bus', '--control-port', str(taken.getsockname()[1])], env=self.env,
                                  capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('control API cannot be opened', done.stderr)


if __name__ == '__main__':
    tap.main()

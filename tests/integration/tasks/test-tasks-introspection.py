#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp-tasks asks an authorization server about tokens, whatever that answers: test-tasks-introspection.py GMCP_TASKS

A real one is asked by ../clients/sign-in-oidc.mjs."""
import base64
import http.server
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

PROGRAM = os.path.abspath(sys.argv[1])
ISSUER = 'https://login.example.org'
PLACES = 100
META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}


class Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 2 * PLACES  # who finds no room there comes again after seconds


class AuthorizationServer:
    """Answers as the test says: answers has a status and a text, or a function that does all of it, for each token."""
    def __init__(self):
        self.answers, self.asked = {}, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_POST(self):
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers['Content-Length'])).decode())
                token = form['token'][0]
                outer.asked.append((token, form, self.headers))
                answer = outer.answers.get(token, (200, '{"active": false}'))
                if callable(answer):
                    answer(self)
                    return
                status, text = answer
                body = text.encode()
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(body)))
                if status == 307:
                    self.send_header('Location', text)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def log_message(self, *_):
                pass

        self.server = Listener(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        # Connections end as the tests have it.
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}/introspect'

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Introspection(unittest.TestCase):
    def setUp(self):
        self.server = AuthorizationServer()
        self.addCleanup(self.server.close)
        folder = tempfile.TemporaryDirectory(prefix='gmcp-introspection-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.secret = self.write('secret', 'a secret\n')

    def write(self, name, text, mode=0o600):
        path = self.folder / name
        path.write_text(text, encoding='utf-8')
        path.chmod(mode)
        return str(path)

    def words(self, *more, url=None):
        return [PROGRAM, '--database', str(self.folder / 'tasks.db'), '--http', '0', '--introspection-url', self.server.url if url is None else url, *more]

    def start(self, *more, url=None):
        self.process = subprocess.Popen(self.words('--issuer', ISSUER, *more, url=url), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, 'LC_ALL': 'C.UTF-8'}, text=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.assertTrue(select.select([self.process.stdout], [], [], 60)[0])
        self.url = self.process.stdout.readline().split()[-1]

    def end(self):
        """What was told on standard error."""
        self.process.send_signal(signal.SIGTERM)
        told = self.process.stderr.read()
        self.assertEqual(self.process.wait(), 0)
        return told

    def call(self, token, name='list_tasks', **arguments):
        """The status, and the titles of the tasks."""
        body = {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': name, 'arguments': arguments, '_meta': META}}
        request = urllib.request.Request(self.url, json.dumps(body).encode(), {
            'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream', 'Authorization': f'Bearer {token}',
            'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, None
        lines = [line.removeprefix('data:') for line in text.splitlines() if line.startswith(('data:', '{'))]
        data = json.loads(lines[-1])['result']['structuredContent']['data']
        return 200, [task['title'] for task in data.get('tasks', [])]

    def allow(self, token, **more):
        """An answer that lets the token in, but for what is said; None leaves a member out."""
        answer = {'active': True, 'sub': 'ann', 'aud': self.url, 'iss': ISSUER, 'exp': int(time.time()) + 3600, 'token_type': 'Bearer', **more}
        self.server.answers[token] = (200, json.dumps({key: value for key, value in answer.items() if value is not None}))

    def test_users(self):
        """Each has the own tasks, and what was asked is remembered for a while."""
        self.start('--introspection-client', 'tasks:1', '--introspection-secret-file', self.secret)
        self.allow('of-ann')
        self.allow('of-ben', sub='ben', aud=['https://other.example.org', self.url])
        self.assertEqual(self.call('of-ann', 'create_task', title='of Ann')[0], 200)
        self.assertEqual(self.call('of-ben', 'create_task', title='of Ben')[0], 200)
        self.assertEqual(self.call('of-ann'), (200, ['of Ann']))
        self.assertEqual(self.call('of-ben'), (200, ['of Ben']))
        self.assertEqual(self.call('of-nobody'), (401, None))

        token, form, headers = self.server.asked[0]
        self.assertEqual((token, form['token_type_hint']), ('of-ann', ['access_token']))
        self.assertNotIn('client_id', form)
        self.assertEqual(headers['Authorization'], 'Basic ' + base64.b64encode(b'tasks%3A1:a%20secret').decode())
        self.assertEqual(headers['Content-Type'], 'application/x-www-form-urlencoded')
        self.assertEqual(self.end(), '')

    def test_characters(self):
        """A token is sent as it is, whatever is in it."""
        self.start()
        token = 'a+b/c~d-e._='
        self.allow(token)
        self.assertEqual(self.call(token)[0], 200)
        self.assertEqual(self.server.asked[0][0], token)

    def test_ways_to_ask(self):
        self.start('--introspection-client', 'tasks')
        self.assertEqual(self.call('x')[0], 401)
        _, form, headers = self.server.asked[-1]
        self.assertEqual((form['client_id'], headers['Authorization']), (['tasks'], None))
        self.end()
        self.start('--introspection-secret-file', self.secret)
        self.assertEqual(self.call('x')[0], 401)
        self.assertEqual(self.server.asked[-1][2]['Authorization'], 'Bearer a secret')

    def test_not_good(self):
        self.start('--require-scope', 'tasks')
        for number, more in enumerate([
                {'active': False}, {'sub': None}, {'sub': ''}, {'sub': 5}, {'sub': 'two\nlines'}, {'sub': 'x' * 300},
                {'aud': None}, {'aud': []}, {'aud': 'https://other.example.org'}, {'aud': self.url + '/more'}, {'aud': {'a': self.url}},
                {'aud': [5, None]}, {'exp': int(time.time()) - 5}, {'exp': 'tomorrow'}, {'exp': -1}, {'exp': 0}, {'iss': 'https://another.example.org'},
                {'iss': 5}, {'token_type': 'DPoP'}, {'token_type': 7}, {'cnf': {'jkt': 'x'}}, {'token_use': 'refresh_token'}]):
            self.allow(f'token-{number}', **{'scope': 'tasks', **more})
            with self.subTest(more=more):
                self.assertEqual(self.call(f'token-{number}')[0], 401)
        for number, scope in enumerate([None, '', 'task', 'tasks:read', 5]):
            self.allow(f'scope-{number}', scope=scope)
            self.assertEqual(self.call(f'scope-{number}')[0], 403)
        for number, more in enumerate([{'exp': None}, {'exp': 1e300}, {'iss': None}, {'token_type': None}, {'token_type': 'bearer'}, {'more': [1]}]):
            self.allow(f'good-{number}', **{'scope': 'other  tasks', **more})
            with self.subTest(more=more):
                self.assertEqual(self.call(f'good-{number}')[0], 200)
        self.assertEqual(self.end(), '')

    def test_answers_that_are_none(self):
        """Each lets nobody in and is told of, without the token; the next one is asked about all the same."""
        self.start()
        deep = '[' * 100_000
        for number, (status, text, told) in enumerate([
                (500, '', 'the status 500'), (404, '{"active": true}', 'the status 404'), (401, '', 'does not let this server ask'),
                (403, '', 'does not let this server ask'), (200, '', 'introspection endpoint'), (200, 'no JSON', 'introspection endpoint'),
                (200, '[]', 'is active'), (200, '{}', 'is active'), (200, '{"active": "true"}', 'is active'), (200, deep, 'introspection endpoint'),
                (200, '{"active": true, "x": "' + 'x' * 100_000 + '"}', 'more than 64 KiB'),
                (307, 'https://elsewhere.example.org/', ''), (307, 'http://127.0.0.2:1/', ''), (204, '', 'the status 204')]):
            token = f'token-{number}'
            self.server.answers[token] = (status, text)
            with self.subTest(status=status, text=text[:30]):
                self.assertEqual(self.call(token)[0], 503)
                line = self.process.stderr.readline()
                self.assertIn(told, line)
                self.assertIn(self.server.url, line)
                self.assertNotIn(token, line)
        self.allow('good')
        self.assertEqual(self.call('good')[0], 200)
        self.assertEqual(self.end(), '')

    def test_broken_connections(self):
        self.start()
        self.server.answers['closed'] = lambda handler: handler.connection.close()
        def half(handler):
            handler.send_response(200)
            handler.send_header('Content-Length', '1000')
            handler.end_headers()
            handler.wfile.write(b'{"active": true,')
            handler.close_connection = True
        self.server.answers['half'] = half
        self.assertEqual(self.call('closed')[0], 503)
        self.assertEqual(self.call('half')[0], 503)
        self.allow('good')
        self.assertEqual(self.call('good')[0], 200)
        self.assertEqual(self.end().count(self.server.url), 2)

    def test_nobody_there(self):
        """It starts, and lets nobody in until the authorization server is there."""
        self.start(url='http://127.0.0.1:9/introspect')
        self.assertEqual(self.call('any')[0], 503)
        self.assertIn('cannot be asked about a token', self.end())

    def test_silent(self):
        """Who waits for one that does not answer is told so in the end, and keeps nobody else waiting."""
        self.start()
        released = threading.Event()
        self.addCleanup(released.set)
        self.server.answers['silent'] = lambda handler: released.wait()
        statuses = []
        waiting = threading.Thread(target=lambda: statuses.append(self.call('silent')[0]))
        waiting.start()
        self.allow('good')
        self.assertEqual(self.call('good')[0], 200)
        waiting.join()
        self.assertEqual(statuses, [503])
        self.end()

    def ask(self, connection, token):
        """Sends a call whose answer is not waited for."""
        body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list', 'params': {'_meta': META}})
        connection.sendall((f'POST {urllib.parse.urlsplit(self.url).path} HTTP/1.1\r\nHost: {urllib.parse.urlsplit(self.url).netloc}\r\n'
                            f'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nAuthorization: Bearer {token}\r\n'
                            f'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nContent-Length: {len(body)}\r\n\r\n{body}').encode())

    def test_many_that_hang_up(self):
        """They keep none of the places of those who wait; more than there are places for are told to come again, and hold nothing against them."""
        self.start()
        released = threading.Event()
        self.addCleanup(released.set)
        address = urllib.parse.urlsplit(self.url)
        connections = []
        for number in range(PLACES):
            self.server.answers[f'silent-{number}'] = lambda handler: released.wait()
            connections.append(socket.create_connection((address.hostname, address.port)))
            self.addCleanup(connections[-1].close)
            self.ask(connections[-1], f'silent-{number}')
        while len(self.server.asked) < PLACES:
            time.sleep(0.01)
        self.allow('good')
        statuses = [self.call('good')[0] for _ in range(30)]
        # A place is free again after ten seconds, which may pass meanwhile.
        self.assertEqual(statuses[0], 503)
        self.assertLessEqual(set(statuses), {200, 503})
        for connection in connections:
            connection.close()
        status = 503
        while status == 503:
            status, _ = self.call('good')
        self.assertEqual(status, 200)
        self.assertEqual(self.end(), '')

    def test_end_while_asked(self):
        self.start()
        released = threading.Event()
        self.addCleanup(released.set)
        self.server.answers['silent'] = lambda handler: released.wait()
        waiting = threading.Thread(target=self.try_call, args=['silent'])
        waiting.start()
        while not self.server.asked:
            time.sleep(0.01)
        self.end()
        waiting.join()

    def try_call(self, token):
        try:
            self.call(token)
        except (urllib.error.URLError, ConnectionError, IndexError):
            pass

    def test_metadata(self):
        self.start('--require-scope', 'tasks', '--require-scope', 'more')
        url = urllib.parse.urlsplit(self.url)
        with urllib.request.urlopen(f'http://{url.netloc}/.well-known/oauth-protected-resource{url.path}', timeout=60) as answer:
            document = json.load(answer)
        self.assertEqual((document['resource'], document['authorization_servers']), (self.url, [ISSUER]))

    def test_wrong_tokens_behind_a_proxy(self):
        """All come from its address, and whoever sends wrong ones keeps nobody out."""
        public = 'https://tasks.example.org/mcp'
        self.start('--public-url', public)
        self.assertEqual({self.call(f'wrong-{i}') for i in range(100)}, {(401, None)})
        self.allow('of-ann', aud=public)
        self.assertEqual(self.call('of-ann'), (200, []))

    def refuse(self, reason, words):
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, 'LC_ALL': 'C.UTF-8'})
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn(reason, done.stderr)

    def test_options(self):
        issuer = ['--issuer', ISSUER]
        for url in ('http://login.example.org/introspect', 'ftp://x', '', 'https://name:pass@login.example.org/', 'https:///x'):
            with self.subTest(url=url):
                self.refuse('has to begin with https://', self.words(*issuer, url=url))
        self.refuse('needs --issuer', self.words())
        self.refuse('needs --issuer', self.words('--issuer', 'login'))
        self.refuse('are for --introspection-url', [PROGRAM, '--http', '0', *issuer])
        self.refuse('are for --introspection-url', [PROGRAM, '--http', '0', '--require-scope', 'x'])
        self.refuse('is for --http', [PROGRAM, '--introspection-url', self.server.url, *issuer])
        self.refuse('give one of them', self.words(*issuer, '--http-user', 'ann'))
        self.refuse('give one of them', self.words(*issuer, '--token-file', 'tokens'))
        self.refuse('takes one word', self.words(*issuer, '--require-scope', 'two words'))
        secret = ['--introspection-client', 'x', '--introspection-secret-file']
        self.refuse('No such file', self.words(*issuer, *secret, str(self.folder / 'none')))
        self.refuse('others can read', self.words(*issuer, *secret, self.write('open', 'x', 0o644)))
        self.refuse('one line', self.words(*issuer, *secret, self.write('empty', '\n')))
        self.refuse('one line', self.words(*issuer, *secret, self.write('lines', 'a\nb\n')))
        self.refuse('one line', self.words(*issuer, *secret, self.write('zero', 'a\0b\n')))
        self.refuse('larger than', self.words(*issuer, *secret, self.write('large', 'x' * 5000)))


if __name__ == '__main__':
    tap.main()

#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who may use a server over HTTP: tokens good and bad, and the attacks on it that are known, as they are on the wire.

http-auth.py serve PROPERTIES  is the server: it prints its address, then a line for each token that it is asked about.
"""
import contextlib
import importlib.util
import json
import os
import pathlib
import re
import socket
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / 'integration'))
import tap

spec = importlib.util.spec_from_file_location('http_endpoint', HERE / 'http-endpoint.py')
wire = importlib.util.module_from_spec(spec)
spec.loader.exec_module(wire)

RESOURCE = 'https://mcp.example/mcp'
ISSUER = 'https://login.example'
# user, scopes, audience, when it expires
TOKENS = {
    'ann': ('ann', ['tasks'], [RESOURCE], 0),
    'ben': ('ben', ['tasks', 'more'], ['https://other.example', 'HTTPS://MCP.example:443/mcp'], 4000000000),
    'narrow': ('ann', ['more'], [RESOURCE], 0),
    'other': ('ann', ['tasks'], ['https://other.example/mcp'], 0),
    'longer': ('ann', ['tasks'], [RESOURCE + '/x', RESOURCE + '#x', 'https://x@mcp.example/mcp', 'http://mcp.example/mcp'], 0),
    'anybody': ('ann', ['tasks'], None, 0),
    'old': ('ann', ['tasks'], [RESOURCE], 1),
    'nameless': ('', ['tasks'], [RESOURCE], 0),
    'lines': ('ann\nben', ['tasks'], [RESOURCE], 0),
}


def serve(properties):
    import gi
    gi.require_version('Gmcp', '1')
    from gi.repository import Gio, GLib, Gmcp
    kept = []

    def whoami(call):
        call.return_result(Gmcp.ToolResult.new_text(str(call.get_caller().get_user())))

    def ask(call):
        def on_answer(caller, result):
            try:
                call.return_result(Gmcp.ToolResult.new_text(caller.ask_finish(result)))
            except GLib.Error as error:
                call.return_error(error)
        call.get_caller().ask_async(Gmcp.Elicitation.new('?', '{"type": "object", "properties": {}}'), None, on_answer)

    def verify(endpoint, request):
        token = request.get_token()
        print(token, flush=True)
        assert request.is_open() and request.get_resource() == properties.get('resource', endpoint.dup_uri())
        if token == 'here':
            request.accept('ann', ['tasks'], [request.get_resource()], 0)
        elif token in TOKENS:
            request.accept(*TOKENS[token])
            request.refuse()
            assert not request.is_open() and request.get_token() is None
        elif token == 'later':
            GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN,
                              lambda channel, condition: bool(channel.readline()) and request.accept(*TOKENS['ann']))
        elif token == 'never':
            kept.append(request)
        elif token == 'bad':
            request.refuse()

    server = Gmcp.Server.new('auth', '1.0', None)
    for name, function in (('whoami', whoami), ('ask', ask)):
        server.add_tool(Gmcp.Tool.new(name, name, '{"type": "object"}'), function)
    path = properties.pop('file', None)
    is_added = properties.pop('added', False)
    endpoint = Gmcp.HttpEndpoint(server=server, **properties)
    if path:
        tokens = Gmcp.TokenFile.new(Gio.File.new_for_path(path))
        tokens.connect('problem', lambda file, line, message: print('problem', line, message, flush=True))
        endpoint.connect('verify-token', lambda endpoint, request: tokens.verify(request))
    elif properties.get('authorization_servers'):
        endpoint.connect('verify-token', verify)
    if is_added:
        gi.require_version('Soup', '3.0')
        from gi.repository import Soup
        soup_server = Soup.Server()
        soup_server.listen_local(0, Soup.ServerListenOptions.IPV4_ONLY)
        endpoint.add_to(soup_server)
        soup_server.connect('request-finished', lambda server, message: print(
            'kept:', message.get_request_headers().get_one('Authorization'), flush=True))
    else:
        endpoint.listen(0)
    print(endpoint.dup_uri(), flush=True)
    loop = GLib.MainLoop()
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: loop.quit())
    loop.run()
    endpoint.close()


class Server(wire.Server):
    script = __file__

    def as_user(self, token, name='whoami', **more):
        return self.modern('tools/call', {'name': name, 'arguments': {}} | more, bearer(token))

    def whoami(self, token):
        status, answer = self.as_user(token)
        return answer['result']['content'][0]['text'] if status == 200 else status

    def refused(self, headers, path='/mcp'):
        """Status, the challenge, and what was said."""
        with contextlib.closing(self.send(wire.request('tools/list'), headers, path=path)) as response:
            return response.status, response.headers['WWW-Authenticate'], response.read().decode()

    def connect(self):
        return socket.create_connection((self.address.hostname, self.address.port), timeout=60)

    def exchange(self, text):
        """All that comes until the connection ends."""
        with self.connect() as peer:
            peer.sendall(text)
            return read_all(peer)


def bearer(token):
    return {'Authorization': f'Bearer {token}'}


def read_all(peer):
    text = b''
    with contextlib.suppress(ConnectionError):
        while data := peer.recv(65536):
            text += data
    return text


def params_of(challenge):
    return dict(re.findall(r'(\w+)="([^"]*)"', challenge))


SIGN_IN = {'resource': RESOURCE, 'authorization_servers': [ISSUER], 'scopes_supported': ['tasks', 'more'], 'required_scopes': ['tasks']}


class Case(wire.Case):
    make_server = Server


class Tokens(Case):
    properties = SIGN_IN

    def test_nobody_is_told_where_to_sign_in(self):
        status, challenge, body = self.server.refused({})
        self.assertEqual(status, 401)
        self.assertTrue(challenge.startswith('Bearer '))
        self.assertEqual(params_of(challenge), {'scope': 'tasks',
                                                'resource_metadata': 'https://mcp.example/.well-known/oauth-protected-resource/mcp'})
        self.assertIn('error', json.loads(body))
        for headers in ({'Authorization': 'Basic YTpi'}, {'Authorization': 'Bearerann'}, {'Authorization': ''}):
            self.assertEqual(self.server.refused(headers)[0], 401, headers)
        for method in ('GET', 'DELETE', 'PUT'):
            self.assertEqual(self.server.ask(None, {'Accept': 'text/event-stream'}, method=method)[0], 401)

    def test_document(self):
        expected = {'resource': RESOURCE, 'authorization_servers': [ISSUER], 'scopes_supported': ['tasks', 'more'],
                    'bearer_methods_supported': ['header']}
        for path in ('', '/mcp'):
            # However many parts of it are asked for, it comes once.
            for headers in {}, {'Range': 'bytes=' + ','.join(['0-'] * 1000)}:
                answer = self.server.ask(None, headers, method='GET', path='/.well-known/oauth-protected-resource' + path)
                self.assertEqual(answer, (200, expected))
        for path in ('/', '/other', '/mcp/x'):
            self.assertEqual(self.server.ask(None, method='GET', path='/.well-known/oauth-protected-resource' + path)[0], 404)
        self.assertEqual(self.server.ask({}, path='/.well-known/oauth-protected-resource')[0], 405)
        self.assertEqual(self.server.ask(None, {'Host': 'evil.example'}, method='GET', path='/.well-known/oauth-protected-resource')[0], 403)

    def test_users(self):
        self.assertEqual([self.server.whoami(token) for token in ('ann', 'ben')], ['ann', 'ben'])
        self.assertEqual(self.server.modern('tools/call', {'name': 'whoami', 'arguments': {}}, {'Authorization': 'bearer  ann'})[0], 200)

    def test_bad_tokens(self):
        for token in ('bad', 'old', 'nameless', 'lines', 'dropped'):
            status, challenge, body = self.server.refused(bearer(token))
            self.assertEqual((status, params_of(challenge)['error']), (401, 'invalid_token'), token)
            self.assertNotIn(token, challenge + body.replace('not good here', ''))

    def test_tokens_for_other_servers(self):
        """The confused deputy, and tokens that were passed through."""
        for token in ('other', 'longer', 'anybody'):
            status, challenge, _ = self.server.refused(bearer(token))
            self.assertEqual((status, params_of(challenge)['error']), (401, 'invalid_token'), token)
            self.assertIn('another server', challenge)

    def test_scopes(self):
        status, challenge, _ = self.server.refused(bearer('narrow'))
        self.assertEqual(status, 403)
        params = params_of(challenge)
        self.assertEqual((params['error'], params['scope']), ('insufficient_scope', 'tasks'))
        self.assertIn('resource_metadata', params)

    def test_malformed(self):
        for value in ('Bearer', 'Bearer ', 'Bearer a b', 'Bearer a,b', 'Bearer ä'.encode().decode('latin-1'), 'Bearer =', 'Bearer a=b', 'Bearer ' + 'x' * 20000):
            status, challenge, _ = self.server.refused({'Authorization': value})
            self.assertEqual((status, params_of(challenge)['error']), (400, 'invalid_request'), value[:20])

    def test_query(self):
        for headers in ({}, bearer('ann')):
            status, challenge, body = self.server.refused(headers, path='/mcp?access_token=ann')
            self.assertEqual((status, params_of(challenge)['error']), (400, 'invalid_request'))
            self.assertNotIn('access_token=', body)

    def test_two_headers(self):
        body = json.dumps(wire.request('tools/list')).encode()
        for first, second in ((b'ann', b'ann'), (b'ann', b'bad'), (b'bad', b'ann')):
            text = self.server.exchange(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n'
                                        b'Authorization: Bearer %b\r\nAuthorization: Bearer %b\r\nContent-Length: %d\r\n\r\n' % (first, second, len(body)) + body)
            self.assertIn(b' 400 ', text.split(b'\r\n')[0])
            self.assertIn(b'invalid_request', text)

    def test_large_bodies_of_nobody_are_not_kept(self):
        def count():
            return int(re.search(r'VmRSS:\s+(\d+)', pathlib.Path(f'/proc/{self.server.process.pid}/status').read_text())[1])
        before = count()
        size, sent = 30000000, 0
        with self.server.connect() as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n' % size)
            while sent < size:
                sent += peer.send(b' ' * min(1000000, size - sent))
            self.assertIn(b' 401 ', peer.recv(1000))
        self.assertLess(count() - before, 10000)

    def test_the_states_of_others(self):
        meta = {'_meta': {'io.modelcontextprotocol/clientCapabilities': {'elicitation': {}}}}
        first = self.server.as_user('ann', 'ask', **meta)[1]['result']
        more = {'inputResponses': {key: {'action': 'accept', 'content': {}} for key in first['inputRequests']}, 'requestState': first['requestState']} | meta
        self.refuses(self.server.as_user('ben', 'ask', **more), 400, -32602)
        self.assertEqual(self.server.as_user('ann', 'ask', **more)[0], 200)


class AnotherPath(Case):
    """A proxy has the server at another path than the server itself."""
    properties = SIGN_IN | {'resource': 'https://mcp.example/tasks/mcp'}

    def test_document(self):
        where = params_of(self.server.refused({})[1])['resource_metadata']
        self.assertEqual(where, 'https://mcp.example/.well-known/oauth-protected-resource/tasks/mcp')
        for path in ('/tasks/mcp', '/mcp'):
            answer = self.server.ask(None, method='GET', path='/.well-known/oauth-protected-resource' + path)
            self.assertEqual((answer[0], answer[1] and answer[1]['resource']), (200, self.properties['resource']), path)
        for path in ('/mcp/x', '/tasks', '/tasks/mcp/x'):
            self.assertEqual(self.server.ask(None, method='GET', path='/.well-known/oauth-protected-resource' + path)[0], 404, path)


class AddedAnotherPath(AnotherPath):
    properties = AnotherPath.properties | {'added': True}


class OnAServerOfTheProgram(Case):
    properties = SIGN_IN | {'added': True}

    def test_signing_in(self):
        self.assertEqual([self.server.whoami(token) for token in ('ann', 'bad')], ['ann', 401])
        self.assertEqual(self.server.ask(None, method='GET', path='/.well-known/oauth-protected-resource')[0], 404)
        self.assertEqual(self.server.ask(None, method='GET', path='/.well-known/oauth-protected-resource/mcp')[1]['resource'], RESOURCE)

    def test_the_token_is_passed_to_nobody(self):
        """Not to who looks at the request once it is served, either."""
        self.assertEqual(self.server.whoami('ben'), 'ben')
        while (line := self.server.process.stdout.readline()) != 'ben\n':
            self.assertNotIn('Bearer', line)
        self.assertEqual(self.server.process.stdout.readline(), 'kept: None\n')


class Sessions(Case):
    properties = SIGN_IN

    def initialize(self, token, **headers):
        params = {'protocolVersion': wire.LEGACY, 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}}
        with contextlib.closing(self.server.send(wire.request('initialize', params), bearer(token) | headers)) as response:
            response.read()
            return response.status, {'Mcp-Session-Id': response.headers['Mcp-Session-Id'], 'MCP-Protocol-Version': wire.LEGACY}

    def test_hijack(self):
        session = self.initialize('ann')[1]
        for method in ('POST', 'GET', 'DELETE'):
            body = wire.request('ping') if method == 'POST' else None
            for thief in (bearer('ben'), bearer('ben') | {'Last-Event-ID': '1-0'}):
                self.refuses(self.server.ask(body, session | thief | {'Accept': wire.BOTH}, method=method), 404)
            self.refuses(self.server.ask(body, session | {'Accept': wire.BOTH}, method=method), 401)
        answer = self.server.ask(wire.call('whoami'), session | bearer('ann'))
        self.assertEqual(answer[1]['result']['content'][0]['text'], 'ann')

    def test_fixation(self):
        """Nobody begins a session by a name of his own, and another's stays another's."""
        self.assertEqual(self.initialize('ann', **{'Mcp-Session-Id': 'chosen'})[0], 404)
        session = self.initialize('ben')[1]
        self.assertEqual(self.initialize('ann', **{'Mcp-Session-Id': session['Mcp-Session-Id']})[0], 404)
        self.refuses(self.server.ask(wire.request('ping'), session | bearer('ann')), 404)


class Waiting(Case):
    properties = SIGN_IN | {'token_timeout_ms': 300}

    def test_answers(self):
        with self.subTest('that it cannot be judged yet is no verdict on the request'):
            status, answer = self.server.as_user('never')
            self.assertEqual((status, answer['error']['code']), (503, -32603), answer)
        self.assertEqual(self.server.whoami('ann'), 'ann')

    def test_who_does_not_wait(self):
        body = json.dumps(wire.request('tools/list')).encode()
        with self.server.connect() as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer never\r\n'
                         b'Content-Length: %d\r\n\r\n' % len(body) + body)
            while self.server.process.stdout.readline() != 'never\n':
                pass
        self.assertEqual(self.server.whoami('ann'), 'ann')


class Later(Case):
    properties = SIGN_IN | {'token_timeout_ms': 60000}

    def test_an_answer_that_comes_later(self):
        body = json.dumps(wire.call('whoami')).encode()
        with self.server.connect() as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer later\r\n'
                         b'Connection: close\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
            self.assertEqual(self.server.process.stdout.readline(), 'later\n')
            self.assertEqual(self.server.whoami('ben'), 'ben')
            self.server.process.stdin.write('\n')
            # It is let in, as a client that has no session.
            self.assertIn(b'names no session', read_all(peer))


class Remembered(Case):
    properties = SIGN_IN

    def test_asked_once(self):
        for _ in range(3):
            self.assertEqual(self.server.whoami('ann'), 'ann')
        self.assertEqual(self.server.whoami('ben'), 'ben')
        self.assertEqual([self.server.process.stdout.readline() for _ in range(2)], ['ann\n', 'ben\n'])


class NotRemembered(Case):
    properties = SIGN_IN | {'token_cache_ms': 0}

    def test_asked_each_time(self):
        for _ in range(3):
            self.assertEqual(self.server.whoami('ann'), 'ann')
        self.assertEqual([self.server.process.stdout.readline() for _ in range(3)], ['ann\n'] * 3)


class Guessing(Case):
    properties = SIGN_IN | {'max_failed_tokens': 3}

    def test_too_many(self):
        self.assertEqual(self.server.whoami('ann'), 'ann')
        self.assertEqual([self.server.whoami(f'bad{i}') for i in range(3)], [401] * 3)
        with contextlib.closing(self.server.send(wire.request('tools/list'), bearer('bad3'))) as response:
            self.assertEqual(response.status, 429)
            self.assertGreater(int(response.headers['Retry-After']), 0)
        self.assertEqual(self.server.whoami('ann'), 'ann')
        # Nobody is asked about one that is not known.
        self.assertEqual(self.server.whoami('ben'), 429)
        self.assertEqual(self.server.refused({})[0], 401)


class Flood(Case):
    properties = SIGN_IN | {'max_requests': 5}

    def test_one_user_does_not_keep_out_another(self):
        seen = [self.server.whoami('ann') for _ in range(50)]
        self.assertEqual(seen[:3], ['ann'] * 3)
        self.assertIn(429, seen)
        self.assertEqual(self.server.whoami('ben'), 'ben')
        while self.server.whoami('ann') != 'ann':
            time.sleep(0.05)


class NoTokens(Case):
    properties = {'required_scopes': ['tasks']}

    def test_nobody_who_verifies_lets_nobody_in(self):
        status, challenge, _ = self.server.refused(bearer('ann'))
        self.assertEqual((status, params_of(challenge)['error']), (401, 'invalid_token'))
        self.assertNotIn('resource_metadata', challenge)
        self.assertEqual(self.server.ask(None, method='GET', path='/.well-known/oauth-protected-resource')[0], 404)


class Secrets(Case):
    def test_no_token_is_logged(self):
        with tempfile.TemporaryFile('w+') as errors:
            server = Server(errors=errors, **SIGN_IN)
            for token in ('ann', 'bad', 'other', 'narrow'):
                server.whoami(token)
            server.refused({}, path='/mcp?access_token=querytoken')
            server.close()
            errors.seek(0)
            text = errors.read()
            for token in ('Bearer ann', 'Bearer bad', 'querytoken'):
                self.assertNotIn(token, text)


class Slow(Case):
    properties = {'header_timeout_ms': 300, 'body_timeout_ms': 300, 'max_header_bytes': 4000}

    def test_half_open(self):
        for text in (b'', b'P', b'POST /mcp HTTP/1.1\r\nHost: localhost\r\n'):
            self.assertEqual(self.server.exchange(text), b'', text)

    def test_headers_by_drops(self):
        with self.server.connect() as peer, self.assertRaises(OSError):
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\n')
            while True:
                peer.sendall(b'X: y\r\n')
                time.sleep(0.05)

    def test_bodies(self):
        for head in (b'Content-Length: 100\r\n\r\n{', b'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'):
            text = self.server.exchange(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' + head)
            self.assertEqual(text, b'', head)
        with self.server.connect() as peer, self.assertRaises(OSError):
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n')
            while True:
                peer.sendall(b' ')
                time.sleep(0.05)

    def test_others_are_served_meanwhile_and_who_waits_is_not_cut_off(self):
        peers = [self.server.connect() for _ in range(20)]
        self.assertEqual(self.server.modern('tools/list')[0], 200)
        for peer in peers:
            self.assertEqual(read_all(peer), b'')
            peer.close()
        session = self.server.initialize()
        listener = self.server.send(None, session | {'Accept': 'text/event-stream'}, method='GET')
        time.sleep(0.7)
        self.assertEqual(self.server.ask(wire.request('ping'), session)[0], 200)
        listener.connection.settimeout = None
        self.assertFalse(listener.isclosed())
        listener.connection.close()

    def test_large_headers(self):
        self.assertEqual(self.server.ask(wire.request('ping'), {'X': 'y' * 5000})[0], 431)
        self.assertEqual(self.server.ask(wire.request('ping'), {f'X-{i}': 'y' for i in range(2000)})[0], 431)
        self.assertNotIn(b' 200 ', self.server.exchange(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ' + b'y' * 200000)[:20])


class Crowd(Case):
    properties = {'max_connections': 3, 'header_timeout_ms': 60000}

    def test_the_one_that_brings_nothing_makes_room(self):
        peers = [self.server.connect() for _ in range(3)]
        self.assertEqual(self.server.modern('tools/list')[0], 200)
        self.assertEqual(read_all(peers[0]), b'')
        for peer in peers:
            peer.close()


class Smuggling(Case):
    """What two programs on the way could read in two ways is read once, or refused."""
    properties = SIGN_IN

    def post(self, head, body, token=b'ann'):
        return self.server.exchange(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n'
                                    b'Connection: close\r\nMcp-Method: tools/call\r\nMcp-Name: whoami\r\nAuthorization: Bearer ' + token + b'\r\n' + head + b'\r\n' + body)

    def test_requests_within(self):
        inner = (b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ben\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
        good = json.dumps(wire.call('whoami', **{'io.modelcontextprotocol/protocolVersion': wire.MODERN,
                                                 'io.modelcontextprotocol/clientCapabilities': {}})).encode()
        chunked = b'%x\r\n' % len(good) + good + b'\r\n0\r\n\r\n'
        cases = {
            'both lengths': (b'Content-Length: %d\r\nTransfer-Encoding: chunked\r\n' % (len(chunked) + len(inner)), chunked + inner),
            'a length before the chunks end': (b'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', chunked + inner),
            'two lengths': (b'Content-Length: %d\r\nContent-Length: %d\r\n' % (len(good), len(good + inner)), good + inner),
            'a list of lengths': (b'Content-Length: %d, 3\r\n' % len(good), good),
            'a sign': (b'Content-Length: +%d\r\n' % len(good), good),
            'an unknown coding': (b'Transfer-Encoding: xchunked\r\n', chunked),
            'two codings': (b'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', chunked),
        }
        for name, (head, body) in cases.items():
            text = self.post(head, body)
            self.assertLessEqual(text.count(b'HTTP/1.1 '), 1, name)
            self.assertNotIn(b'ben', text, name)

    def test_folded_headers(self):
        """A line that goes on the one before is no header of its own, and gives nobody another name."""
        body = json.dumps(wire.call('whoami', **{'io.modelcontextprotocol/protocolVersion': wire.MODERN,
                                                 'io.modelcontextprotocol/clientCapabilities': {}})).encode()
        length = b'Content-Length: %d\r\n' % len(body)
        for head in (b'X: y\r\n Authorization: Bearer ben\r\n', b'Authorization : Bearer ben\r\n', b'X: y\r\n\tHost: evil.example\r\n'):
            text = self.post(head + length, body)
            self.assertNotIn(b'"text":"ben"', text, head)
            self.assertNotIn(b'evil', text, head)

    def test_other_hosts(self):
        for host in (b'Host: evil.example\r\n', b'Host: localhost\r\nHost: localhost\r\n'):
            text = self.server.exchange(b'POST /mcp HTTP/1.1\r\n' + host + b'Authorization: Bearer ann\r\nContent-Type: application/json\r\n'
                                        b'Connection: close\r\nContent-Length: 2\r\n\r\n{}')
            self.assertIn(text.split(b' ')[1], (b'400', b'403'))


class Files(wire.unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / 'tokens'

    def add(self, user, scopes=None, expires=0):
        import gi
        gi.require_version('Gmcp', '1')
        from gi.repository import Gio, GLib, Gmcp
        done = []
        file = Gmcp.TokenFile.new(Gio.File.new_for_path(str(self.path)))
        file.add_async(user, scopes, expires, None, lambda file, result: done.append(result))
        while not done:
            GLib.MainContext.default().iteration(True)
        return file.add_finish(done[0])

    def serve(self, **properties):
        server = Server(file=str(self.path), **properties)
        self.addCleanup(server.close)
        return server

    def read_problem(self, server):
        return server.process.stdout.readline()

    def test_life(self):
        ann = self.add('ann', ['tasks'])
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
        ben = self.add('ben', expires=4000000000)
        text = self.path.read_text()
        self.assertNotIn(ann, text)
        self.assertNotIn(ann.split('_')[2], text)
        self.assertRegex(text, r'^[0-9a-f]{16}\$[0-9a-f]{32}\$[0-9a-f]{64} ann scope=tasks\n.* ben expires=2096-10-02T07:06:40Z\n$')

        server = self.serve(required_scopes=['tasks'])
        self.assertEqual([server.whoami(token) for token in (ann, ben)], ['ann', 403])
        for bad in (ann[:-1], ann + 'a', ann[:-1] + ('0' if ann[-1] != '0' else '1'), ann.upper(), ben[:22] + ann[22:], text.split()[0].split('$')[2], 'x'):
            self.assertEqual(server.whoami(bad), 401)
        # A user whose line is gone is kept out, and a new one let in, while it serves.
        self.path.write_text(text.splitlines()[1] + '\n')
        while server.whoami(ann) != 401:
            time.sleep(0.05)
        again = self.add('ann', ['tasks'])
        while server.whoami(again) != 'ann':
            time.sleep(0.05)

    def test_wrong_tokens_keep_nobody_out(self):
        """All come from one address, as behind a proxy, and the good one is not known yet."""
        ann, ben = self.add('ann'), self.add('ben')
        server = self.serve(max_failed_tokens=3)
        self.assertEqual([server.whoami(f'bad{i}') for i in range(3)], [401] * 3)
        with contextlib.closing(server.send(wire.request('tools/list'), bearer('bad3'))) as response:
            self.assertEqual(response.status, 429)
            self.assertGreater(int(response.headers['Retry-After']), 0)
        for token, user in ((ann, 'ann'), (ben, 'ben'), (ann, 'ann')):
            self.assertEqual(server.whoami(token), user)
            self.assertEqual(server.whoami('bad'), 429)

    def test_old_tokens(self):
        with self.assertRaisesRegex(Exception, 'in the future'):
            self.add('ann', expires=1000)
        old = self.add('ann', expires=4000000000)
        self.path.write_text(self.path.read_text().replace('2096-', '1996-'))
        self.assertEqual(self.serve().whoami(old), 401)

    def test_no_file(self):
        server = self.serve()
        self.assertEqual(server.whoami('x'), 401)
        self.assertIn('problem 0', self.read_problem(server))
        ann = self.add('ann')
        while server.whoami(ann) != 'ann':
            time.sleep(0.05)

    def test_bad_lines(self):
        ann = self.add('ann')
        line = self.path.read_text().strip()
        word = line.split()[0]
        bad = ['x', word, f'{word} ann more', f'{word} ann scope=', f'{word} ann expires=x', f'{word} ann expires=2030-01-01T00:00:00Z expires=2031-01-01T00:00:00Z',
               f'{word[:-1]} ann', f'{word}0 ann', word.upper() + ' ann', line, 'gmcp_token ann', f'{word} ' + 'x' * 5000, f'{word} a\0b']
        self.path.write_text('# Comment\n\n' + line + '\n' + '\n'.join(bad) + '\n')
        server = self.serve()
        self.assertEqual(server.whoami(ann), 'ann')
        problems = [self.read_problem(server) for _ in bad]
        self.assertEqual([int(problem.split()[1]) for problem in problems], list(range(4, 4 + len(bad))))
        self.assertNotIn('gmcp_token', ''.join(problems))

    def test_others_may_write(self):
        ann = self.add('ann')
        self.path.chmod(0o622)
        server = self.serve()
        self.assertEqual(server.whoami(ann), 401)
        self.assertIn('chmod 600', self.read_problem(server))

    @unittest.skipIf(os.geteuid() != 0, 'only root can give a file away')
    def test_of_another_user(self):
        ann = self.add('ann')
        os.chown(self.path, 65534, -1)
        server = self.serve()
        self.assertEqual(server.whoami(ann), 401)
        self.assertIn('another user', self.read_problem(server))

    def test_others_may_replace_it(self):
        ann = self.add('ann')
        folder = self.path.parent
        for mode, answer in ((0o1777, 'ann'), (0o777, 401), (0o770, 401)):
            folder.chmod(mode)
            server = self.serve()
            self.assertEqual(server.whoami(ann), answer, oct(mode))
            if answer == 401:
                self.assertIn('a folder of your own', self.read_problem(server))

    def test_bad_users(self):
        import gi
        from gi.repository import GLib
        for user in ('', 'a b', 'a\nb', 'x' * 300):
            with self.assertRaises(GLib.Error):
                self.add(user)
        self.assertFalse(self.path.exists())


if __name__ == '__main__':
    if sys.argv[1:2] == ['serve']:
        serve(json.loads(sys.argv[2]))
    else:
        tap.main()

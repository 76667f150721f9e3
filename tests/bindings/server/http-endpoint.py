#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server behind an endpoint, in Python, and what it answers to requests as they are on the wire, good and bad.

http-endpoint.py serve PROPERTIES  is that server: it prints its address, and ends with its standard input.
"""
import contextlib
import http.client
import json
import pathlib
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'integration'))
import tap

MODERN = '2026-07-28'
LEGACY = '2025-11-25'
BOTH = 'application/json, text/event-stream'


def serve(properties):
    import gi
    gi.require_version('Gmcp', '1')
    from gi.repository import GLib, Gmcp

    def echo(call):
        call.return_result(Gmcp.ToolResult.new_text(call.get_arguments_json()))

    def steps(call):
        """Reports progress with each line that the test writes, and is done with an empty one."""
        def on_line(channel, condition):
            line = channel.readline().strip()
            if line:
                call.report_progress(float(line), 0, None)
                return GLib.SOURCE_CONTINUE
            call.return_result(Gmcp.ToolResult.new_text('done'))
            return GLib.SOURCE_REMOVE
        GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, on_line)

    def wait(call):
        call.get_cancellable().connect(lambda *_: print('cancelled', flush=True))
        wait.calls = wait.calls + [call]
    wait.calls = []

    def question(key):
        form = Gmcp.Elicitation.new(f'The {key}?', json.dumps({'type': 'object', 'properties': {'name': {'type': 'string'}}, 'required': ['name']}))
        form.set_key(key)
        assert form.get_key() == form.props.key == key
        return form

    def ask(call):
        """Two names, one after the other."""
        names = []

        def on_answer(caller, result):
            try:
                names.append(json.loads(caller.ask_finish(result))['content']['name'])
            except GLib.Error as error:
                return call.return_error(error)
            if len(names) < 2:
                return caller.ask_async(question('second'), None, on_answer)
            call.return_result(Gmcp.ToolResult.new_text(' and '.join(names)))

        call.get_caller().ask_async(question('first'), None, on_answer)

    def count(call):
        """Counts its rounds in what it keeps: three questions, wherever they are asked."""
        caller = call.get_caller()
        rounds = json.loads(caller.dup_state_json() or '0') + 1
        assert caller.set_state_json(json.dumps(rounds))

        def on_answer(caller, result):
            try:
                caller.ask_finish(result)
            except GLib.Error as error:
                return call.return_error(error)
            caller.ask_async(question(f'after-{rounds}'), None, on_answer) if rounds < 3 else call.return_result(Gmcp.ToolResult.new_text(str(rounds)))
        caller.ask_async(question('first'), None, on_answer)

    def grow(call):
        grow.n += 1
        server.add_tool(Gmcp.Tool.new(f'grown-{grow.n}', None, '{"type":"object"}'), wait)
        call.return_result(Gmcp.ToolResult.new_text('grown'))
    grow.n = 0

    region = {'type': 'object', 'properties': {'region': {'type': 'string', 'x-mcp-header': 'Region'},
                                               'size': {'type': 'integer', 'x-mcp-header': 'Size'}}}
    server = Gmcp.Server.new('endpoint', '1.0', None)
    for name, schema, function in (('echo', region, echo), ('steps', {'type': 'object'}, steps), ('wait', {'type': 'object'}, wait), ('ask', region, ask),
                                   ('count', {'type': 'object'}, count), ('grow', {'type': 'object'}, grow)):
        server.add_tool(Gmcp.Tool.new(name, name, json.dumps(schema)), function)
    is_added = properties.pop('added', False)
    if key := properties.pop('key', None):
        server.set_state_key(GLib.Bytes.new(key.encode()))
    endpoint = Gmcp.HttpEndpoint(server=server, **properties)
    assert endpoint.dup_uri() is None
    if is_added:
        gi.require_version('Soup', '3.0')
        from gi.repository import Soup
        soup_server = Soup.Server()
        soup_server.listen_local(0, Soup.ServerListenOptions.IPV4_ONLY)
        endpoint.add_to(soup_server)
    else:
        endpoint.listen(0)
    try:
        endpoint.listen(0)
        raise SystemExit('it listens twice')
    except GLib.Error as error:
        assert 'already' in error.message
    print(endpoint.dup_uri(), flush=True)
    loop = GLib.MainLoop()
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: loop.quit())
    loop.run()
    endpoint.close()


class Server:
    script = __file__

    def __init__(self, errors=None, **properties):
        self.process = subprocess.Popen([sys.executable, self.script, 'serve', json.dumps(properties)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1)
        self.uri = self.process.stdout.readline().strip()
        self.address = urllib.parse.urlsplit(self.uri)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait() == 0

    def send(self, body, headers=None, method='POST', path='/mcp'):
        """An open response."""
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        given = {'Content-Type': 'application/json', 'Accept': BOTH} if method == 'POST' else {}
        given |= headers or {}
        text = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        connection.request(method, path, body=text, headers={name: value for name, value in given.items() if value is not None})
        response = connection.getresponse()
        response.connection = connection
        return response

    def ask(self, *args, **kwargs):
        """Status and what was answered."""
        with contextlib.closing(self.send(*args, **kwargs)) as response:
            text = response.read().decode()
            response.connection.close()
            return response.status, json.loads(text) if text else None

    @staticmethod
    def make_modern(method, params=None, version=MODERN, named=None):
        """The message, and the headers that go with it."""
        params = dict(params or {})
        params['_meta'] = {'io.modelcontextprotocol/protocolVersion': version,
                           'io.modelcontextprotocol/clientCapabilities': {}} | params.get('_meta', {})
        given = {'MCP-Protocol-Version': version, 'Mcp-Method': method}
        if named := named or params.get('name') or params.get('uri'):
            given['Mcp-Name'] = named
        return {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}, given

    def modern(self, method, params=None, headers=None, version=MODERN, named=None):
        message, given = self.make_modern(method, params, version, named)
        return self.ask(message, given | (headers or {}))

    def initialize(self):
        """The headers of a session."""
        params = {'protocolVersion': LEGACY, 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}}
        with contextlib.closing(self.send({'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': params})) as response:
            assert response.status == 200
            session = response.headers['Mcp-Session-Id']
            response.read()
        return {'Mcp-Session-Id': session, 'MCP-Protocol-Version': LEGACY}


def request(method, params=None, number=1):
    return {'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params or {}}


def call(name, arguments=None, number=1, **meta):
    return request('tools/call', {'name': name, 'arguments': arguments or {}} | ({'_meta': meta} if meta else {}), number)


def read_event(response):
    """The id and the data of the next event; None at the end."""
    event = {}
    while line := response.readline().decode():
        if line == '\n' and 'data' in event:
            return event.get('id'), event['data']
        name, _, value = line.rstrip('\n').partition(': ')
        event[name] = value
    return None


class Case(unittest.TestCase):
    properties = {}
    make_server = Server

    @classmethod
    def setUpClass(cls):
        cls.server = cls.make_server(**cls.properties)

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def refuses(self, answer, status, code=None):
        self.assertEqual(answer[0], status, answer)
        if code is not None:
            self.assertEqual(answer[1]['error']['code'], code, answer)


class LetIn(Case):
    def ask_as(self, **headers):
        return self.server.modern('tools/list', headers=headers)[0]

    def test_hosts(self):
        port = self.server.address.port
        for host in (f'127.0.0.1:{port}', f'localhost:{port}', 'LOCALHOST', f'[::1]:{port}'):
            self.assertEqual(self.ask_as(Host=host), 200, host)
        for host in ('evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '[::1', '[::1]x', '', f'evil.example:{port}'):
            self.assertIn(self.ask_as(Host=host), (400, 403), host)

    def test_several_hosts(self):
        body = json.dumps(request('ping')).encode()
        for hosts in (b'Host: localhost:1\r\nHost: evil.example\r\n', b'Host: localhost:1@evil.example\r\n'):
            with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
                peer.sendall(b'POST /mcp HTTP/1.1\r\n' + hosts + b'Content-Type: application/json\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
                self.assertIn(b' 403 ', peer.recv(1000))

    def test_who_closes_leaves_no_socket(self):
        def count():
            return len(list(pathlib.Path(f'/proc/{self.server.process.pid}/fd').iterdir()))
        self.server.modern('tools/list')
        before = count()
        for path in ('/mcp', '/other') * 20:
            self.server.ask(request('ping'), path=path)
        while count() > before + 5:
            self.server.modern('tools/list')

    def test_origins(self):
        for origin in ('http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:80'):
            self.assertEqual(self.ask_as(Origin=origin), 200, origin)
        for origin in ('null', 'http://evil.example', 'http://localhost@evil.example', 'http://localhost.evil.example', 'file://',
                       'http://localhost/x', 'localhost', ''):
            self.assertEqual(self.ask_as(Origin=origin), 403, origin)

    def test_methods_and_paths(self):
        self.assertEqual(self.server.ask(None, method='PUT')[0], 405)
        self.assertEqual(self.server.ask(None, method='GET', headers={'Accept': 'text/event-stream'})[0], 405)
        self.assertEqual(self.server.ask(request('ping'), path='/mcp/more')[0], 404)
        self.assertEqual(self.server.ask(request('ping'), path='/')[0], 404)

    def test_types(self):
        for kind in ('text/plain', None):
            self.refuses(self.server.ask(json.dumps(request('ping')), {'Content-Type': kind}), 415)
        for accept in ('text/html', 'application/json', 'text/event-stream'):
            self.refuses(self.server.ask(request('ping'), {'Accept': accept}), 406)
        self.assertEqual(self.server.modern('tools/list', headers={'Accept': '*/*'})[0], 200)
        self.assertEqual(self.server.modern('tools/list', headers={'Accept': 'application/*;q=0.5 , text/*'})[0], 200)


class AllowedNames(Case):
    properties = {'allowed_hosts': ['mcp.example'], 'allowed_origins': ['https://page.example'], 'path': '/other'}

    def test_names(self):
        def ask_as(**headers):
            return self.server.ask(request('server/discover'), headers | {'MCP-Protocol-Version': MODERN}, path='/other')[0]
        self.assertEqual(ask_as(Host='mcp.example:8080', Origin='https://page.example'), 400)
        self.assertEqual(ask_as(Host='other.example'), 403)
        self.assertEqual(ask_as(Origin='https://mcp.example'), 403)
        self.assertTrue(self.server.uri.endswith('/other'))


class Bodies(Case):
    properties = {'max_message_bytes': 10000}

    def test_not_json(self):
        for text in ('', '{', 'null null', '\0', '{"jsonrpc": "2.0", "id": 1', b'\xff\xfe'):
            self.refuses(self.server.ask(text), 400, -32700)

    def test_no_messages(self):
        for body in (1, 'text', None, {}, {'id': 1}, [], [1]):
            self.refuses(self.server.ask(json.dumps(body)), 400)

    def test_too_large(self):
        self.refuses(self.server.ask(call('echo', {'text': 'x' * 20000})), 413)

    def test_length_alone(self):
        """Refused before anything of it is there."""
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n'
                         b'Content-Length: 1000000000000\r\n\r\n')
            self.assertIn(b' 413 ', peer.recv(1000))

    def test_too_large_at_once(self):
        """Its end is there before anybody could tell that it is too large."""
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
                         b'4000\r\n' + b' ' * 0x4000 + b'\r\n0\r\n\r\n')
            with contextlib.suppress(ConnectionError):
                while peer.recv(1000):
                    pass
        self.assertEqual(self.server.modern('tools/list')[0], 200)

    def test_no_end(self):
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n')
            with self.assertRaises(OSError):
                while True:
                    peer.sendall(b'400\r\n' + b' ' * 0x400 + b'\r\n')
        self.assertEqual(self.server.modern('tools/list')[0], 200)

    def test_old_http(self):
        body = json.dumps(request('server/discover', {'_meta': {'io.modelcontextprotocol/protocolVersion': MODERN,
                                                                'io.modelcontextprotocol/clientCapabilities': {}}})).encode()
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(b'POST /mcp HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: server/discover\r\n'
                         b'MCP-Protocol-Version: ' + MODERN.encode() + b'\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
            text = b''
            while data := peer.recv(65536):
                text += data
        self.assertIn(b' 200 ', text)
        self.assertIn(b'supportedVersions', text)


class Modern(Case):
    def test_answers(self):
        status, answer = self.server.modern('tools/call', {'name': 'echo', 'arguments': {'text': 'hello'}})
        self.assertEqual((status, answer['result']['content'][0]['text']), (200, '{"text": "hello"}'))
        self.assertEqual(answer['id'], 1)

    def test_version(self):
        self.refuses(self.server.modern('tools/list', version='2099-01-01'), 400, -32022)
        self.refuses(self.server.modern('tools/list', headers={'MCP-Protocol-Version': None}), 400, -32020)
        self.refuses(self.server.modern('tools/list', headers={'MCP-Protocol-Version': LEGACY}), 400, -32020)
        for method in ('tools/list', 'initialize', 'ping'):
            headers = {'MCP-Protocol-Version': MODERN, 'Mcp-Method': method}
            self.refuses(self.server.ask(request(method, {'protocolVersion': LEGACY, 'capabilities': {}}), headers), 400, -32602)

    def test_names(self):
        params = {'name': 'echo', 'arguments': {}}
        for headers in ({'Mcp-Method': None}, {'Mcp-Method': 'tools/list'}, {'Mcp-Method': 'TOOLS/CALL'}, {'Mcp-Name': None},
                        {'Mcp-Name': 'other'}, {'Mcp-Name': '=?base64?b3RoZXI=?='}, {'Mcp-Name': '=?base64?!?='}):
            self.refuses(self.server.modern('tools/call', params, headers), 400, -32020)
        self.assertEqual(self.server.modern('tools/call', params, {'Mcp-Name': '=?base64?ZWNobw==?='})[0], 200)

    def test_arguments(self):
        def ask(arguments, **headers):
            return self.server.modern('tools/call', {'name': 'echo', 'arguments': arguments},
                                      {f'Mcp-Param-{name}': value for name, value in headers.items()})
        self.assertEqual(ask({'region': 'eu', 'size': 42}, Region='eu', Size='42')[0], 200)
        self.assertEqual(ask({'region': 'ü'}, Region='=?base64?w7w=?=')[0], 200)
        self.assertEqual(ask({'size': 42}, Size='42.0')[0], 200)
        self.assertEqual(ask({'region': None})[1]['result']['isError'], True)
        for arguments, headers in (({'region': 'eu'}, {}), ({'region': 'eu'}, {'Region': 'us'}), ({}, {'Region': 'eu'}),
                                   ({'size': 42}, {'Size': '43'}), ({'size': 42}, {'Size': ''}), ({'size': 42}, {'Size': '42x'})):
            self.refuses(ask(arguments, **headers), 400, -32020)

    def test_methods(self):
        for method in ('nope', 'initialize', 'ping', 'logging/setLevel', 'resources/subscribe'):
            self.refuses(self.server.modern(method), 404, -32601)
        self.refuses(self.server.modern('tools/call', {'name': 'nope'}), 200, -32602)
        self.assertEqual(self.server.ask({'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {}},
                                         {'MCP-Protocol-Version': MODERN}), (202, None))

    def test_a_session_is_not_needed_nor_minded(self):
        self.assertEqual(self.server.modern('tools/list', headers={'Mcp-Session-Id': 'none', 'Last-Event-ID': '1'})[0], 200)

    def test_gone_is_cancelled(self):
        params = {'name': 'wait', 'arguments': {}, '_meta': {'io.modelcontextprotocol/protocolVersion': MODERN,
                                                             'io.modelcontextprotocol/clientCapabilities': {}}}
        body = json.dumps(request('tools/call', params)).encode()
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: tools/call\r\nMcp-Name: wait\r\n'
                         b'MCP-Protocol-Version: ' + MODERN.encode() + b'\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
            # Behind it in the queue.
            self.assertEqual(self.server.modern('tools/list')[0], 200)
        self.assertEqual(self.server.process.stdout.readline(), 'cancelled\n')


class Closing(unittest.TestCase):
    def test_what_runs_is_cancelled(self):
        params = {'name': 'wait', 'arguments': {}, '_meta': {'io.modelcontextprotocol/protocolVersion': MODERN,
                                                             'io.modelcontextprotocol/clientCapabilities': {}}}
        body = json.dumps(request('tools/call', params)).encode()
        for is_added in (False, True):
            server = Server(added=is_added)
            with socket.create_connection((server.address.hostname, server.address.port), timeout=60) as peer:
                peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: tools/call\r\n'
                             b'Mcp-Name: wait\r\nMCP-Protocol-Version: ' + MODERN.encode() + b'\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
                # Behind it in the queue.
                self.assertEqual(server.modern('tools/list')[0], 200)
                server.process.stdin.close()
                self.assertEqual(server.process.stdout.readline(), 'cancelled\n', is_added)
            server.close()


class HalfClosed(Case):
    """Who sends no more cannot be told from who has gone, and is taken for that; the connection ends in any case."""

    def ask(self, name):
        message = call(name)
        message['params']['_meta'] = {'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {}}
        body = json.dumps(message).encode()
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n'
                         f'MCP-Protocol-Version: {MODERN}\r\nContent-Length: {len(body)}\r\n\r\n'.encode() + body)
            peer.shutdown(socket.SHUT_WR)
            text = b''
            while data := peer.recv(65536):
                text += data
        return text

    def test_it_is_told(self):
        for _ in range(5):
            self.assertIn(self.ask('echo').split(b' ')[1], (b'200', b'408'))

    def test_what_runs_is_cancelled(self):
        self.assertIn(b' 408 ', self.ask('wait'))
        self.assertEqual(self.server.process.stdout.readline(), 'cancelled\n')


class Questions(Case):
    def ask(self, state=None, answers=None, name='ask', arguments=None, capabilities=None):
        params = {'name': name, 'arguments': arguments or {}}
        params |= {'inputResponses': answers} if answers else {}
        params |= {'requestState': state} if state is not None else {}
        params['_meta'] = {'io.modelcontextprotocol/clientCapabilities': {'elicitation': {}} if capabilities is None else capabilities}
        return self.server.modern('tools/call', params, named=name)

    @staticmethod
    def answer(key, name):
        return {key: {'action': 'accept', 'content': {'name': name}}}

    def begin(self, **arguments):
        result = self.ask(**arguments)[1]['result']
        self.assertEqual((result['resultType'], list(result['inputRequests'])), ('input_required', ['first']))
        return result['requestState']

    def test_two_rounds(self):
        state = self.begin()
        second = self.ask(state, self.answer('first', 'Ann'))[1]['result']
        self.assertEqual(list(second['inputRequests']), ['second'])
        done = self.ask(second['requestState'], self.answer('second', 'Bob'))[1]['result']
        self.assertEqual((done['resultType'], done['content'][0]['text']), ('complete', 'Ann and Bob'))

    def test_other_processes_go_on(self):
        """Two processes with one key, in turn; one with another key refuses."""
        self.addCleanup(setattr, self, 'server', self.server)
        servers = [Server(key='k' * 32), Server(key='k' * 32), Server(key='x' * 32)]
        for server in servers:
            self.addCleanup(server.close)
        self.server = servers[0]
        state = self.begin(name='count')
        self.server = servers[2]
        self.refuses(self.ask(state, self.answer('first', 'Ann'), name='count'), 400, -32602)
        self.server = servers[1]
        second = self.ask(state, self.answer('first', 'Ann'), name='count')[1]['result']
        self.assertEqual(list(second['inputRequests']), ['after-2'])
        self.server = servers[0]
        done = self.ask(second['requestState'], self.answer('after-2', 'Bob'), name='count')[1]['result']
        self.assertEqual((done['resultType'], done['content'][0]['text']), ('complete', '3'))

    def test_wrong_answers_are_asked_again(self):
        state = self.begin()
        for answers in ({}, self.answer('other', 'x'), {'first': 'x'}):
            self.assertEqual(list(self.ask(state, answers)[1]['result']['inputRequests']), ['first'], answers)
        # Of an answer that does not fit the handler hears.
        for answers in ({'first': {'action': 'accept', 'content': {'name': 7}}}, {'first': {}}):
            self.assertTrue(self.ask(state, answers)[1]['result']['isError'], answers)
        for answers in ([{}], 'x', 7):
            self.refuses(self.ask(state, answers), 400, -32602)

    def test_states_of_others_are_refused(self):
        state = self.begin()
        for bad in (state[:-4], state[1:], state.swapcase(), '', 'x', 'x' * 100, 7, {}, [], state[:64], state + 'AAAA'):
            self.refuses(self.ask(bad, self.answer('first', 'x')), 400, -32602)
        # Of another request.
        self.refuses(self.ask(state, name='echo'), 400, -32602)

    def test_a_client_that_cannot_be_asked(self):
        answer = self.ask(capabilities={})
        self.refuses(answer, 400, -32021)
        self.assertEqual(answer[1]['error']['data'], {'requiredCapabilities': {'elicitation': {}}})


class Sessions(Case):
    def test_life(self):
        session = self.server.initialize()
        self.assertGreaterEqual(len(session['Mcp-Session-Id']), 32)
        self.assertNotEqual(session, self.server.initialize())
        self.assertEqual(self.server.ask({'jsonrpc': '2.0', 'method': 'notifications/initialized'}, session), (202, None))
        self.assertEqual(self.server.ask(call('echo', {'text': 'x'}), session)[1]['result']['content'][0]['text'], '{"text": "x"}')
        self.refuses(self.server.ask(request('nope'), session), 200, -32601)
        self.assertEqual(self.server.ask(None, session, method='DELETE')[0], 204)
        for method in ('POST', 'GET', 'DELETE'):
            self.refuses(self.server.ask(request('ping') if method == 'POST' else None, session | {'Accept': BOTH}, method=method), 404)

    def test_without(self):
        self.refuses(self.server.ask(request('tools/list')), 400)
        self.refuses(self.server.ask(request('tools/list'), {'Mcp-Session-Id': 'x'}), 404)
        self.refuses(self.server.ask(None, method='DELETE'), 400)

    def test_version(self):
        session = self.server.initialize()
        for version in ('1.0', '2099-01-01', ''):
            self.refuses(self.server.ask(request('ping'), session | {'MCP-Protocol-Version': version}), 400)
        self.assertEqual(self.server.ask(request('ping'), session | {'MCP-Protocol-Version': None})[0], 200)

    def test_one_id_at_a_time(self):
        session = self.server.initialize()
        waiting = self.server.send(None, session | {'Accept': 'text/event-stream'}, method='GET')
        first = socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60)
        body = json.dumps(call('wait', number='a')).encode()
        head = ''.join(f'{name}: {value}\r\n' for name, value in session.items())
        first.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{head}\r\n'.encode() + body)
        self.assertEqual(self.server.ask(request('ping'), session)[0], 200)
        self.refuses(self.server.ask(call('echo', number='a'), session), 400)
        cancelled = {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 'a'}}
        self.assertEqual(self.server.ask(cancelled, session)[0], 202)
        self.assertEqual(self.server.process.stdout.readline(), 'cancelled\n')
        first.close()
        waiting.connection.close()

    def test_what_is_cancelled_leaves_nothing(self):
        """More of them than a session may have that run: each ends the connection that waits for it, and its id is free again."""
        session = self.server.initialize()
        cancelled = {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 1}}
        body = json.dumps(call('wait')).encode()
        head = ''.join(f'{name}: {value}\r\n' for name, value in session.items())
        for _ in range(3):
            with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
                peer.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n'
                             f'Content-Length: {len(body)}\r\n{head}\r\n'.encode() + body)
                self.assertEqual(self.server.ask(request('ping', number=2), session)[0], 200)
                self.assertEqual(self.server.ask(cancelled, session)[0], 202)
                self.assertEqual(self.server.process.stdout.readline(), 'cancelled\n')
                text = b''
                while data := peer.recv(65536):
                    text += data
            self.assertIn(b' 200 ', text)
            self.assertNotIn(b'"id":1', text)
        self.assertEqual(self.server.ask(request('ping'), session)[0], 200)

    def test_a_refused_batch_leaves_nothing(self):
        session = self.server.initialize()
        self.refuses(self.server.ask([request('ping')], session), 400)
        self.assertEqual(self.server.ask(request('ping'), session)[0], 200)

    def test_a_broken_stream_goes_on(self):
        session = self.server.initialize()
        stream = self.server.send(call('steps', number=7, progressToken='t'), session) if self.step('1') else None
        self.assertEqual(stream.headers['Content-Type'], 'text/event-stream')
        first, data = read_event(stream)
        self.assertEqual(data, '')
        event, data = read_event(stream)
        self.assertEqual(json.loads(data)['params']['progress'], 1)
        stream.close()
        stream.connection.close()
        self.step('2')
        self.step('')

        again = self.server.send(None, session | {'Accept': 'text/event-stream', 'Last-Event-ID': event}, method='GET')
        self.assertEqual(json.loads(read_event(again)[1])['params']['progress'], 2)
        self.assertEqual(json.loads(read_event(again)[1])['result']['content'][0]['text'], 'done')
        self.assertIsNone(read_event(again))
        whole = self.server.send(None, session | {'Accept': 'text/event-stream', 'Last-Event-ID': first}, method='GET')
        self.assertEqual([json.loads(read_event(whole)[1])['id' if i == 2 else 'method'] for i in range(3)],
                         ['notifications/progress', 'notifications/progress', 7])
        for unknown in ('99-1', 'x', '', '-1', f'{event}x'):
            self.refuses(self.server.ask(None, session | {'Accept': 'text/event-stream', 'Last-Event-ID': unknown}, method='GET'), 400)

    def listen(self, session, **headers):
        return self.server.send(None, session | {'Accept': 'text/event-stream'} | headers, method='GET')

    def grow(self, session, stream):
        """What belongs to no request comes there; gives the event's id."""
        self.assertEqual(self.server.ask(call('grow'), session)[0], 200)
        event, data = read_event(stream)
        self.assertEqual(json.loads(data)['method'], 'notifications/tools/list_changed')
        return event

    def leave(self, session, stream):
        stream.close()
        stream.connection.close()
        # The server has looked at all connections once in between.
        for number in (1, 2):
            self.assertEqual(self.server.ask(request('ping', number=number), session)[0], 200)

    def test_several_listeners(self):
        """Each message comes on one of them, and none of them is in another's way."""
        session = self.server.initialize()
        self.assertEqual(self.server.ask({'jsonrpc': '2.0', 'method': 'notifications/initialized'}, session)[0], 202)
        first, second = self.listen(session), self.listen(session)
        event = self.grow(session, second)
        self.leave(session, second)
        self.grow(session, first)
        again = self.listen(session, **{'Last-Event-ID': event})
        self.grow(session, again)
        self.leave(session, again)
        self.grow(session, first)

        # The oldest makes room for what is too much.
        others = [self.listen(session) for _ in range(16)]
        self.assertIsNone(read_event(first))
        self.grow(session, others[-1])
        for stream in (first, *others):
            stream.connection.close()

    def step(self, text):
        self.server.process.stdin.write(f'{text}\n')
        return True


class FewSessions(Case):
    properties = {'max_sessions': 2}

    def test_who_is_not_initialized_has_none(self):
        sessions = [self.server.initialize() for _ in range(2)]
        good = {'protocolVersion': LEGACY, 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}
        large = {'name': 'x' * 70000, 'version': '1'}
        for status, code, body in ((200, -32602, request('initialize', {'capabilities': {}})),
                                   (200, -32602, request('initialize', good | {'protocolVersion': 7})),
                                   (200, -32602, request('initialize', good | {'clientInfo': large})),
                                   (200, -32602, request('initialize', good | {'capabilities': {'experimental': large}})),
                                   (400, -32602, request('initialize') | {'params': [7]}),
                                   (400, -32600, request('initialize', good) | {'jsonrpc': '1.0'}),
                                   (400, -32600, request('initialize', good) | {'id': 1.5}),
                                   (400, -32600, [request('initialize', good)]),
                                   (400, -32600, [request('initialize', good), request('ping', number=2)])):
            for _ in sessions:
                with contextlib.closing(self.server.send(body)) as response:
                    self.refuses((response.status, json.loads(response.read())), status, code)
                    self.assertNotIn('Mcp-Session-Id', response.headers, body)
                    response.connection.close()
        for session in sessions:
            self.assertEqual(self.server.ask(request('ping'), session)[0], 200)
            self.assertEqual(self.server.ask(None, session, method='DELETE')[0], 204)

    def test_the_one_without_use_makes_room(self):
        first, second = self.server.initialize(), self.server.initialize()
        self.assertEqual(self.server.ask(request('ping'), first)[0], 200)
        third = self.server.initialize()
        self.refuses(self.server.ask(request('ping'), second), 404)
        listeners = [self.server.send(None, session | {'Accept': 'text/event-stream'}, method='GET') for session in (first, third)]
        self.refuses(self.server.ask(request('initialize', {'protocolVersion': LEGACY, 'capabilities': {}})), 503)
        for listener in listeners:
            listener.connection.close()


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, 'in time'
        time.sleep(0.01)


class FewStreams(Case):
    properties = {'max_session_streams': 1}

    def test_limit_of_each_session(self):
        session, other = self.server.initialize(), self.server.initialize()
        waiting = {}
        for name, of in (('one', session), ('two', other)):
            body = json.dumps(call('wait', number=name)).encode()
            head = ''.join(f'{key}: {value}\r\n' for key, value in of.items())
            peer = waiting[name] = socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60)
            self.addCleanup(peer.close)
            peer.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{head}\r\n'
                         .encode() + body)
            # Those of one session are no matter for another; a second request of it is one too many.
            wait_until(lambda of=of: self.server.ask(call('echo', number=5), of)[0] == 503)
        self.refuses(self.server.ask(call('echo', number=5), session), 503)
        cancelled = {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 'one'}}
        self.assertEqual(self.server.ask(cancelled, session)[0], 202)
        wait_until(lambda: self.server.ask(call('echo', number=5), session)[0] == 200)
        self.refuses(self.server.ask(call('echo', number=5), other), 503)


class IdleSessions(Case):
    properties = {'session_idle_ms': 1, 'keep_alive_ms': 1}

    def test_it_ends_and_who_listens_stays(self):
        session, other = self.server.initialize(), self.server.initialize()
        listener = self.server.send(None, session | {'Accept': 'text/event-stream'}, method='GET')
        while self.server.ask(request('ping'), other)[0] == 200:
            time.sleep(0.05)  # asking is a use
        self.assertEqual(listener.readline(), b':\n')
        self.assertEqual(self.server.ask(request('ping'), session)[0], 200)
        listener.connection.close()

    def test_a_call_does_not_keep_it_when_its_client_has_gone(self):
        session = self.server.initialize()
        body = json.dumps(call('wait')).encode()
        head = ''.join(f'{name}: {value}\r\n' for name, value in session.items())
        with socket.create_connection((self.server.address.hostname, self.server.address.port), timeout=60) as peer:
            peer.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{head}\r\n'.encode() + body)
            # Behind it in the queue.
            self.assertEqual(self.server.modern('tools/list')[0], 200)
        self.assertEqual(self.server.process.stdout.readline(), 'cancelled\n')


class KeptAlive(Case):
    properties = {'keep_alive_ms': 20}

    def test_whatever_waits(self):
        """What stands between the two hears that each of them is there still."""
        session = self.server.initialize()
        waiting = {
            'a call': self.server.make_modern('tools/call', {'name': 'wait', 'arguments': {}}),
            'a subscription': self.server.make_modern('subscriptions/listen', {'notifications': {'toolsListChanged': True}}),
            'a call of a session': (call('wait'), session),
            'the stream of a session': (None, session | {'Accept': 'text/event-stream'}),
        }
        for what, (message, headers) in waiting.items():
            with self.subTest(what), contextlib.closing(self.server.send(message, headers, method='POST' if message else 'GET')) as stream:
                self.assertEqual((stream.status, stream.headers['Content-Type']), (200, 'text/event-stream'))
                for _ in range(2):
                    while (line := stream.readline()) != b':\n':
                        self.assertNotEqual(line, b'')
                stream.connection.close()


class NoSessions(Case):
    properties = {'max_sessions': 0}

    def test_each_request_stands_alone(self):
        initialize = request('initialize', {'protocolVersion': LEGACY, 'capabilities': {}})
        with contextlib.closing(self.server.send(initialize)) as response:
            self.assertNotIn('Mcp-Session-Id', response.headers)
            self.assertEqual(json.loads(response.read())['result']['protocolVersion'], LEGACY)
        for headers in ({'MCP-Protocol-Version': LEGACY}, {}):
            self.assertEqual(len(self.server.ask(request('tools/list'), headers)[1]['result']['tools']), 6)
        batch = self.server.ask([request('ping', number=1), request('ping', number=2)])
        self.assertEqual([answer['id'] for answer in batch[1]], [1, 2])
        for method in ('GET', 'DELETE'):
            self.refuses(self.server.ask(None, {'Accept': 'text/event-stream'}, method=method), 405)

    def test_nothing_is_promised_for_later(self):
        """A client without a session is told of nothing unasked, and nothing is kept for it."""
        answer = self.server.ask(request('initialize', {'protocolVersion': LEGACY, 'capabilities': {}}))[1]
        capabilities = answer['result']['capabilities']
        self.assertIn('tools', capabilities)
        self.assertNotIn('logging', capabilities)
        for word in 'listChanged', 'subscribe':
            self.assertNotIn(word, json.dumps(capabilities))
        for method, params in (('logging/setLevel', {'level': 'debug'}), ('resources/subscribe', {'uri': 'test:///'}),
                               ('resources/unsubscribe', {'uri': 'test:///'})):
            self.assertEqual(self.server.ask(request(method, params), {'MCP-Protocol-Version': LEGACY})[1]['error']['code'], -32601, method)

    def test_a_batch_that_cancels_itself_ends(self):
        cancelled = {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 1}}
        with contextlib.closing(self.server.send([call('wait'), cancelled])) as response:
            self.assertEqual((response.status, response.read()), (200, b''))


class AddedLetIn(LetIn):
    """At a SoupServer that the program has already, as all of the following."""
    properties = {'added': True}
    # Its connections are the program's.
    test_who_closes_leaves_no_socket = None


class AddedBodies(Bodies):
    properties = Bodies.properties | {'added': True}


class AddedModern(Modern):
    properties = {'added': True}


class AddedSessions(Sessions):
    properties = {'added': True}


if __name__ == '__main__':
    if sys.argv[1:2] == ['serve']:
        serve(json.loads(sys.argv[2]))
    else:
        tap.main()

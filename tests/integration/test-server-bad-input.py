#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is malformed, at the level of HTTP, of JSON-RPC and of MCP, and the status and code that it gets: a table, row by
row with the place that says so. After each row the server still serves.

test-server-bad-input.py TOOLS_SERVER
"""
import json
import pathlib
import re
import socket
import subprocess
import sys
import unittest
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import tap
from http_messages import (CAPABILITIES_KEY, CLOSED, INVALID, LEGACY, LIMIT_S, META, METHOD, MISMATCH, MODERN, PARAMS, PARSE, VERSION,
                           VERSION_KEY, ask, post, read_code, without)

SERVER = sys.argv[1]


def call(number=1, meta=META, method='tools/call', name='echo', **changes):
    return {'jsonrpc': '2.0', 'id': number, 'method': method,
            'params': {'name': name, 'arguments': {'text': 'x'}, '_meta': meta}} | changes


def old(method='tools/list', number=1, **changes):
    return {'jsonrpc': '2.0', 'id': number, 'method': method, 'params': {}} | changes


def nothing(method, **headers):
    """A request without a body."""
    return post(b'', **{'line': f'{method} /mcp HTTP/1.1', 'Content_Length': None, 'Accept': 'text/event-stream'} | headers)


def modern(body, **headers):
    return post(body, **{'MCP_Protocol_Version': MODERN, 'Mcp_Method': 'tools/call', 'Mcp_Name': 'echo'} | headers)


GOOD = modern(call())
NOTIFICATION = {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 7}}
HTTP, JSON_RPC, MESSAGES, META_FIELDS = 'RFC 9112', 'JSON-RPC 2.0', '2026-07-28 basic, Messages', '2026-07-28 basic, _meta'
SENDING, HEADERS, ORIGIN = ('2026-07-28 streamable-http, Sending Messages', '2026-07-28 streamable-http, Request Metadata',
                            '2026-07-28 streamable-http, Security')
OLD_SENDING, OLD_SESSION, OLD_VERSION = ('2025-11-25 transports, Sending Messages', '2025-11-25 transports, Session Management',
                                         '2025-11-25 transports, Protocol Version Header')

# section, what is wrong, the request, its status or statuses, the code of the error or None
REQUESTS = [
    (HTTP, 'nothing', GOOD, 200, None),
    (HTTP, 'an absolute target is nothing wrong', modern(call(), line='POST http://localhost/mcp HTTP/1.1'), 200, None),
    (HTTP, 'an absolute target of another host', modern(call(), line='POST http://evil.example/mcp HTTP/1.1', Host='evil.example'), 403, INVALID),
    (HTTP, 'no host', modern(call(), Host=None), (400, 403), None),
    (HTTP, 'no request line', b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', (400, CLOSED), None),
    (HTTP, 'a version that is none', modern(call(), line='POST /mcp HTTP/9.9'), (400, 505, CLOSED), None),
    (HTTP, 'HTTP/1.0 is nothing wrong', modern(call(), line='POST /mcp HTTP/1.0'), 200, None),
    (HTTP, 'a target without a slash', modern(call(), line='POST mcp HTTP/1.1'), 400, None),
    (HTTP, 'a target that climbs', modern(call(), line='POST /x/../mcp HTTP/1.1'), 200, None),
    (HTTP, 'a target with a nought', modern(call(), line='POST /mcp%00 HTTP/1.1'), (400, 404), None),
    (HTTP, 'CONNECT', b'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', (400, 404, 405), None),
    (HTTP, 'OPTIONS of the server', b'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', (200, 204, 400, 404, 405), None),
    (HTTP, 'a method that there is not', modern(call(), line='BREW /mcp HTTP/1.1'), 405, None),
    (HTTP, 'a length that is no number', modern(call(), length='ten'), (400, CLOSED), None),
    (HTTP, 'a negative length', modern(call(), length='-5'), (400, CLOSED), None),
    (HTTP, 'a length past all numbers', modern(call(), length='9' * 40), (400, 413, CLOSED), None),
    (HTTP, 'chunks that are nothing wrong', modern(b'', chunked=True, tail=b'%x\r\n%s\r\n0\r\n\r\n' % (len(json.dumps(call())), json.dumps(call()).encode())), 200, None),
    (HTTP, 'chunks with trailers', modern(b'', chunked=True, tail=b'%x\r\n%s\r\n0\r\nMcp-Name: other\r\n\r\n' % (len(json.dumps(call())), json.dumps(call()).encode())), 200, None),
    (HTTP, 'a chunk whose length is no number', modern(b'', chunked=True, tail=b'zz\r\nx\r\n0\r\n\r\n'), (400, CLOSED), None),
    (HTTP, 'a transfer encoding that is none', modern(call(), Transfer_Encoding='gzip'), (400, 501, CLOSED), None),
    (HTTP, 'Expect of something else', modern(call(), Expect='a miracle'), (200, 417), None),
    (HTTP, 'headers without an end', b'POST /mcp HTTP/1.1\r\nHost: localhost\r\n' + b'X: ' + b'x' * 200000, (400, 431, 500, CLOSED), None),
    (HTTP, 'a body in gzip', modern(b'\x1f\x8b\x08\x00\x00\x00\x00\x00', Content_Encoding='gzip'), 400, None),
    (ORIGIN, 'an origin of elsewhere', modern(call(), Origin='http://evil.example'), 403, INVALID),
    (ORIGIN, 'a host of elsewhere', modern(call(), Host='evil.example'), 403, INVALID),
    (SENDING, 'another path', modern(call(), line='POST /other HTTP/1.1'), 404, None),
    (SENDING, 'GET', post(b'', line='GET /mcp HTTP/1.1', MCP_Protocol_Version=MODERN, Content_Length=None), 405, None),
    (SENDING, 'PUT', modern(call(), line='PUT /mcp HTTP/1.1'), 405, None),
    (SENDING, 'HEAD', post(b'', line='HEAD /mcp HTTP/1.1', Content_Length=None), 405, None),
    (SENDING, 'DELETE without a session', post(b'', line='DELETE /mcp HTTP/1.1', Content_Length=None), 400, INVALID),
    (SENDING, 'plain text', modern(call(), Content_Type='text/plain'), 415, INVALID),
    (SENDING, 'no type', modern(call(), Content_Type=None), 415, INVALID),
    (SENDING, 'a type with a charset is nothing wrong', modern(call(), Content_Type='application/json; charset=utf-8'), 200, None),
    (SENDING, 'Accept of JSON alone', modern(call(), Accept='application/json'), 406, INVALID),
    (SENDING, 'Accept of events alone', modern(call(), Accept='text/event-stream'), 406, INVALID),
    (SENDING, 'Accept that is none', modern(call(), Accept=';;,,'), 406, INVALID),
    (SENDING, 'a batch', modern([call(1), call(2)]), 400, INVALID),
    (SENDING, 'a result', modern({'jsonrpc': '2.0', 'id': 1, 'result': {}}), 400, INVALID),
    (SENDING, 'an error', modern({'jsonrpc': '2.0', 'id': 1, 'error': {'code': 1, 'message': 'x'}}), 400, INVALID),
    (SENDING, 'a batch of notifications', modern([NOTIFICATION]), 400, INVALID),
    (SENDING, 'a notification without a version of JSON-RPC', modern(without(NOTIFICATION, 'jsonrpc')), 400, INVALID),
    (SENDING, 'a notification of another version of JSON-RPC', modern(NOTIFICATION | {'jsonrpc': '1.0'}), 400, INVALID),
    (SENDING, 'a notification with params as an array', modern(NOTIFICATION | {'params': []}), 400, INVALID),
    (SENDING, 'a notification is nothing wrong', modern(NOTIFICATION, Mcp_Method='notifications/cancelled'), 202, None),
    (HEADERS, 'no version header', modern(call(), MCP_Protocol_Version=None), 400, MISMATCH),
    (HEADERS, 'another version in the header', modern(call(), MCP_Protocol_Version=LEGACY), 400, MISMATCH),
    (HEADERS, 'an unknown version in the header alone', modern(call(), MCP_Protocol_Version='1999-01-01'), 400, MISMATCH),
    (HEADERS, 'an unknown version in both', modern(call(meta=META | {VERSION_KEY: '1999-01-01'}), MCP_Protocol_Version='1999-01-01'), 400, VERSION),
    (HEADERS, 'no method header', modern(call(), Mcp_Method=None), 400, MISMATCH),
    (HEADERS, 'another method in the header', modern(call(), Mcp_Method='tools/list'), 400, MISMATCH),
    (HEADERS, 'a method header in other letters', modern(call(), Mcp_Method='Tools/Call'), 400, MISMATCH),
    (HEADERS, 'no name header', modern(call(), Mcp_Name=None), 400, MISMATCH),
    (HEADERS, 'another name in the header', modern(call(), Mcp_Name='add'), 400, MISMATCH),
    (HEADERS, 'a name that is encoded is nothing wrong', modern(call(), Mcp_Name='=?base64?ZWNobw==?='), 200, None),
    (HEADERS, 'a name that is encoded badly', modern(call(), Mcp_Name='=?base64?!?='), 400, MISMATCH),
    (HEADERS, 'two names', modern(call(), Mcp_Name='echo\r\nMcp-Name: add'), 400, MISMATCH),
    (HEADERS, 'an unknown method', modern(call(method='tools/brew'), Mcp_Method='tools/brew', Mcp_Name=None), 404, METHOD),
    (META_FIELDS, 'a version that is no string', modern(call(meta=META | {VERSION_KEY: 7})), 400, PARAMS),
    (META_FIELDS, 'no capabilities', modern(call(meta={VERSION_KEY: MODERN})), 400, PARAMS),
    (META_FIELDS, 'capabilities that are no object', modern(call(meta=META | {CAPABILITIES_KEY: 1})), 400, PARAMS),
    (META_FIELDS, '_meta that is no object', modern(call(meta=[])), 400, PARAMS),
    (META_FIELDS, 'no params', modern(without(call(), 'params')), 400, PARAMS),
    (META_FIELDS, 'a log level that is none', modern(call(meta=META | {'io.modelcontextprotocol/logLevel': 'loud'})), 400, PARAMS),
    (MESSAGES, 'no id, which makes it a notification', modern(without(call(), 'id')), 202, None),
    (MESSAGES, 'null for an id', modern(call(None)), 400, INVALID),
    (MESSAGES, 'a fraction for an id', modern(call(1.5)), 400, INVALID),
    (MESSAGES, 'an object for an id', modern(call({})), 400, INVALID),
    (MESSAGES, 'true for an id', modern(call(True)), 400, INVALID),
    (JSON_RPC, 'no JSON', modern(b'{'), 400, PARSE),
    (JSON_RPC, 'nothing', modern(b''), 400, PARSE),
    (JSON_RPC, 'not UTF-8', modern(b'{"jsonrpc":"2.0","id":1,"method":"\xff"}'), 400, PARSE),
    (JSON_RPC, 'two messages', modern(json.dumps(call()).encode() * 2), 400, PARSE),
    (JSON_RPC, 'a thousand brackets', modern(b'[' * 1000), 400, PARSE),
    (JSON_RPC, 'a number', modern(b'7'), 400, INVALID),
    (JSON_RPC, 'an empty batch', modern(b'[]'), 400, INVALID),
    (JSON_RPC, 'no version of JSON-RPC', modern(without(call(), 'jsonrpc')), 400, INVALID),
    (JSON_RPC, 'another version of JSON-RPC', modern(call(jsonrpc='1.0')), 400, INVALID),
    (JSON_RPC, 'a version of JSON-RPC that is a number', modern(call(jsonrpc=2.0)), 400, INVALID),
    (JSON_RPC, 'a method that is no string', modern(call(method=7)), 400, INVALID),
    (JSON_RPC, 'params as an array', modern(call(params=[])), 400, PARAMS),
    (JSON_RPC, 'params as a text', modern(call(params='x')), 400, PARAMS),
    ('2026-07-28 tools, Error Handling', 'an unknown tool', modern(call(name='brew'), Mcp_Name='brew'), 200, PARAMS),
    ('2026-07-28 tools, Error Handling', 'a name that is no string', modern(call(name=7)), 200, PARAMS),
    ('2026-07-28 pagination', 'a cursor that is none', modern(call(method='tools/list', params={'cursor': 'x', '_meta': META}), Mcp_Method='tools/list', Mcp_Name=None), 200, PARAMS),
    (OLD_SENDING, 'a request without a session', post(old(), MCP_Protocol_Version=LEGACY), 400, INVALID),
    (OLD_SESSION, 'a session of nobody', post(old(), MCP_Protocol_Version=LEGACY, Mcp_Session_Id='nobody'), 404, INVALID),
    (OLD_SESSION, 'an initialization with a session of nobody', post(old('initialize'), Mcp_Session_Id='nobody'), 404, INVALID),
    (OLD_SESSION, 'the end of a session of nobody', post(b'', line='DELETE /mcp HTTP/1.1', Content_Length=None, Mcp_Session_Id='nobody'), 404, INVALID),
    (OLD_VERSION, 'an unknown version', post(old(), MCP_Protocol_Version='1999-01-01'), 400, INVALID),
    (OLD_VERSION, 'GET of an unknown version', nothing('GET', MCP_Protocol_Version='1999-01-01'), 400, INVALID),
    (OLD_VERSION, 'DELETE of an unknown version', nothing('DELETE', MCP_Protocol_Version='1999-01-01'), 400, INVALID),
    (OLD_VERSION, 'GET of a version without it', nothing('GET', MCP_Protocol_Version=MODERN, Mcp_Session_Id='nobody'), 405, None),
    (OLD_VERSION, 'DELETE of a version without it', nothing('DELETE', MCP_Protocol_Version=MODERN, Mcp_Session_Id='nobody'), 405, None),
]

# In a session: section, what is wrong, the request without its session, status, code
IN_SESSION = [
    (OLD_SENDING, 'nothing', post(old('ping'), MCP_Protocol_Version=LEGACY), 200, None),
    (OLD_VERSION, 'an unknown version', post(old('ping'), MCP_Protocol_Version='1999-01-01'), 400, INVALID),
    (OLD_VERSION, 'GET of an unknown version', nothing('GET', MCP_Protocol_Version='1999-01-01'), 400, INVALID),
    (OLD_VERSION, 'GET of a version that is none', nothing('GET', MCP_Protocol_Version='x'), 400, INVALID),
    (OLD_VERSION, 'DELETE of an unknown version', nothing('DELETE', MCP_Protocol_Version='1999-01-01'), 400, INVALID),
    (OLD_SENDING, 'a batch', post([old('ping')], MCP_Protocol_Version=LEGACY), 400, INVALID),
    (OLD_SENDING, 'an answer to nothing is dropped', post({'jsonrpc': '2.0', 'id': 77, 'result': {}}, MCP_Protocol_Version=LEGACY), 202, None),
    (OLD_SENDING, 'a notification that nobody knows is dropped', post({'jsonrpc': '2.0', 'method': 'notifications/brewed'}, MCP_Protocol_Version=LEGACY), 202, None),
    ('2025-11-25 basic, Requests', 'null for an id', post(old('ping', None), MCP_Protocol_Version=LEGACY), 400, INVALID),
    ('2025-11-25 basic, Requests', 'a fraction for an id', post(old('ping', 1.5), MCP_Protocol_Version=LEGACY), 400, INVALID),
    (JSON_RPC, 'an unknown method', post(old('tools/brew'), MCP_Protocol_Version=LEGACY), 200, METHOD),
    (JSON_RPC, 'params as an array', post(old('ping', params=[]), MCP_Protocol_Version=LEGACY), 200, PARAMS),
    (JSON_RPC, 'no version of JSON-RPC', post(without(old('ping'), 'jsonrpc'), MCP_Protocol_Version=LEGACY), 200, INVALID),
    ('2025-11-25 transports, Resumability', 'an event of elsewhere', post(b'', line='GET /mcp HTTP/1.1', Content_Length=None, Accept='text/event-stream', Last_Event_ID='999-1'), 400, INVALID),
    ('2025-11-25 transports, Resumability', 'an event that is none', post(b'', line='GET /mcp HTTP/1.1', Content_Length=None, Accept='text/event-stream', Last_Event_ID='\xe4'), 400, INVALID),
    ('2025-11-25 transports, Listening', 'Accept of JSON', post(b'', line='GET /mcp HTTP/1.1', Content_Length=None, Accept='application/json'), 406, INVALID),
]

# A line, and the code of the answer
LINES = [
    (JSON_RPC, 'no JSON', b'{', PARSE),
    (JSON_RPC, 'not UTF-8', b'"\xff"', PARSE),
    (JSON_RPC, 'a number', b'7', INVALID),
    (JSON_RPC, 'an empty batch', b'[]', INVALID),
    (JSON_RPC, 'no version of JSON-RPC', without(call(), 'jsonrpc'), INVALID),
    (JSON_RPC, 'a method that is no string', call(method=7), INVALID),
    (JSON_RPC, 'params as an array', call(params=[]), PARAMS),
    (MESSAGES, 'null for an id', call(None), INVALID),
    (MESSAGES, 'a fraction for an id', call(1.5), INVALID),
    (MESSAGES, 'a batch', [call()], INVALID),
    (META_FIELDS, 'no capabilities', call(meta={VERSION_KEY: MODERN}), PARAMS),
    (META_FIELDS, 'an unknown version', call(meta=META | {VERSION_KEY: '1999-01-01'}), VERSION),
    (META_FIELDS, 'an unknown method', call(method='tools/brew'), METHOD),
    ('2025-11-25 lifecycle', 'a request before the initialization', old(), PARAMS),
]


class BadRequests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen([SERVER, '--http'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        cls.port = urllib.parse.urlsplit(cls.process.stdout.readline().strip()).port

    @classmethod
    def tearDownClass(cls):
        cls.process.stdin.close()
        cls.process.stdout.close()
        assert cls.process.wait(LIMIT_S) == 0

    def find_fault(self, section, what, request, statuses, code):
        status, head, body = ask(self.port, request)
        good = (status in (statuses if isinstance(statuses, tuple) else (statuses,))
                and (code is None or not body or read_code(body) == code)
                and (status != 405 or b'allow:' in head.lower()))
        if not good:
            return f'{what} ({section}): {status} {body[:300]!r}, not {statuses} and {code}'
        return None if ask(self.port, GOOD)[0] == 200 else f'nothing is served after {what} ({section})'

    def check_rows(self, rows):
        faults = [fault for fault in (self.find_fault(*row) for row in rows) if fault]
        self.assertEqual(faults, [])

    def test_requests(self):
        self.check_rows(REQUESTS)

    def test_in_a_session(self):
        initialize = old('initialize', params={'protocolVersion': LEGACY, 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}})
        _, head, _ = ask(self.port, post(initialize))
        session = re.search(rb'(?i)mcp-session-id: (\S+)', head)[1]
        self.assertEqual(ask(self.port, post({'jsonrpc': '2.0', 'method': 'notifications/initialized'}, Mcp_Session_Id=session.decode()))[0], 202)
        self.check_rows((section, what, request.replace(b'\r\n\r\n', b'\r\nMcp-Session-Id: ' + session + b'\r\n\r\n', 1), status, code)
                        for section, what, request, status, code in IN_SESSION)

    def test_answers_to_what_hurries(self):
        """Several requests at once on one connection are answered in their order, a bad one among them, too."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=LIMIT_S) as peer:
            peer.sendall(GOOD + modern(b'{') + GOOD)
            data = b''
            while data.count(b'HTTP/1.1 ') < 3 or not data.endswith(b'}'):
                part = peer.recv(65536)
                self.assertTrue(part, data)
                data += part
        self.assertEqual([int(status) for status in re.findall(rb'HTTP/1\.1 (\d+)', data)], [200, 400, 200])


class BadLines(unittest.TestCase):
    def test_lines(self):
        process = subprocess.Popen([SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        faults = []

        def ask_line(line):
            process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b'\n')
            process.stdin.flush()
            return process.stdout.readline()
        for section, what, line, code in LINES:
            answer = ask_line(line)
            if read_code(answer) != code:
                faults.append(f'{what} ({section}): {answer!r}, not {code}')
            if json.loads(ask_line(call(99)))['result']['content'][0]['text'] != 'x':
                faults.append(f'nothing is served after {what} ({section})')
        self.assertEqual(faults, [])
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.wait(LIMIT_S), 0)


if __name__ == '__main__':
    tap.main()

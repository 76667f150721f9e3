#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every method that a server serves over HTTP, in both eras, with what can be wrong about a request of it, and the status
and code that it gets: tables, row by row with the page that says so. After each row the server still serves.

test-server-bad-methods.py NOTES_SERVER
"""
import itertools
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
from http_messages import (CAPABILITIES_KEY, CAPABILITY, INVALID, LEGACY, LIMIT_S, META, METHOD, MISMATCH, MODERN, PARAMS, VERSION,
                           VERSION_KEY, ask, post, read_code, without)

SERVER = sys.argv[1]
TASKS = 'io.modelcontextprotocol/tasks'
TASK_META = META | {CAPABILITIES_KEY: {'extensions': {TASKS: {}}}}
TASK = 'the id of a task that there is'
NOT_FOUND = -32002

PROMPT, TEMPLATE = {'type': 'ref/prompt', 'name': 'greet'}, {'type': 'ref/resource', 'uri': 'note:{n}'}
ARGUMENT, VARIABLE = {'name': 'name', 'value': 'a'}, {'name': 'n', 'value': ''}

# What both eras have: method, params that are good
SHARED = {
    'tools/list': {},
    'tools/call': {'name': 'count_words', 'arguments': {'text': 'a b'}},
    'resources/list': {},
    'resources/templates/list': {},
    'resources/read': {'uri': 'note:1'},
    'prompts/list': {},
    'prompts/get': {'name': 'greet', 'arguments': {'name': 'Ann'}},
    'completion/complete': {'ref': PROMPT, 'argument': ARGUMENT},
}
MODERN_METHODS = SHARED | {
    'server/discover': {},
    'subscriptions/listen': {'notifications': {'toolsListChanged': True}},
    'tasks/get': {'taskId': TASK},
    'tasks/update': {'taskId': TASK, 'inputResponses': {}},
    'tasks/cancel': {'taskId': TASK},
}
LEGACY_METHODS = SHARED | {
    'ping': {},
    'logging/setLevel': {'level': 'info'},
    'resources/subscribe': {'uri': 'note:1'},
    'resources/unsubscribe': {'uri': 'note:1'},
    'tasks/get': {'taskId': TASK},
    'tasks/result': {'taskId': TASK},
}
# These need no params before 2026-07-28.
WITHOUT_PARAMS = ('tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'ping')
IN_HEADER = {'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri', 'tasks/get': 'taskId', 'tasks/update': 'taskId',
             'tasks/cancel': 'taskId'}

BASIC, HEADERS, DISCOVERY = '2026-07-28 basic, _meta', '2026-07-28 streamable-http, Server Validation', '2026-07-28 streamable-http, Protocol Version Header'
MESSAGES, JSON_RPC, NO_METHOD = '2026-07-28 basic, Messages', 'JSON-RPC 2.0, 5.1', '2026-07-28 streamable-http, Protocol Version Header'
TASKS_PAGE = 'io.modelcontextprotocol/tasks, SEP-2663, Error Handling'

# What is wrong with any request of 2026-07-28: page, what, members of the message, headers, status, code
ANY_MODERN = [
    (BASIC, 'no params', {'params': None}, {}, 400, PARAMS),
    (BASIC, 'no _meta', {'meta': None}, {}, 400, PARAMS),
    (BASIC, '_meta that is a text', {'meta': 'x'}, {}, 400, PARAMS),
    (BASIC, '_meta that is an array', {'meta': [META]}, {}, 400, PARAMS),
    (BASIC, 'no version', {'meta': without(TASK_META, VERSION_KEY)}, {}, 400, PARAMS),
    (BASIC, 'a version that is a number', {'meta': TASK_META | {VERSION_KEY: 20260728}}, {}, 400, PARAMS),
    (BASIC, 'no capabilities', {'meta': without(TASK_META, CAPABILITIES_KEY)}, {}, 400, PARAMS),
    (BASIC, 'capabilities that are an array', {'meta': TASK_META | {CAPABILITIES_KEY: []}}, {}, 400, PARAMS),
    ('2026-07-28 logging, Error Handling', 'a log level that is none', {'meta': TASK_META | {'io.modelcontextprotocol/logLevel': 'loud'}}, {}, 400, PARAMS),
    (JSON_RPC, 'params that are an array', {'params': [TASK_META]}, {}, 400, PARAMS),
    (JSON_RPC, 'params that are a text', {'params': 'x'}, {}, 400, PARAMS),
    (MESSAGES, 'null for an id', {'id': None}, {}, 400, INVALID),
    (MESSAGES, 'an array for an id', {'id': [1]}, {}, 400, INVALID),
    (HEADERS, 'no version header', {}, {'MCP_Protocol_Version': None}, 400, MISMATCH),
    (HEADERS, 'a version header of before', {}, {'MCP_Protocol_Version': LEGACY}, 400, MISMATCH),
    (DISCOVERY, 'an unknown version', {'meta': TASK_META | {VERSION_KEY: '1999-01-01'}}, {'MCP_Protocol_Version': '1999-01-01'}, 400, VERSION),
    (DISCOVERY, 'a version of before', {'meta': TASK_META | {VERSION_KEY: LEGACY}}, {'MCP_Protocol_Version': LEGACY}, 400, VERSION),
    (HEADERS, 'no method header', {}, {'Mcp_Method': None}, 400, MISMATCH),
    (HEADERS, 'another method in the header', {}, {'Mcp_Method': 'prompts/brew'}, 400, MISMATCH),
]
# Where the header says what the request is about
ANY_NAMED = [
    (HEADERS, 'no name header', {}, {'Mcp_Name': None}, 400, MISMATCH),
    (HEADERS, 'another name in the header', {}, {'Mcp_Name': 'brew'}, 400, MISMATCH),
    (HEADERS, 'a name that is encoded badly', {}, {'Mcp_Name': '=?base64?!?='}, 400, MISMATCH),
]
ANY_LEGACY = [
    (JSON_RPC, 'params that are an array', {'params': [{}]}, {}, 200, PARAMS),
    (JSON_RPC, 'params that are a text', {'params': 'x'}, {}, 200, PARAMS),
    ('2025-11-25 basic, Requests', 'null for an id', {'id': None}, {}, 400, INVALID),
    ('2025-11-25 transports, Protocol Version Header', 'an unknown version', {}, {'MCP_Protocol_Version': '1999-01-01'}, 400, INVALID),
    ('2025-11-25 transports, Session Management', 'no session', {}, {'Mcp_Session_Id': None}, 400, INVALID),
    ('2025-11-25 transports, Session Management', 'a session of nobody', {}, {'Mcp_Session_Id': 'nobody'}, 404, INVALID),
]

# Members of params: page (of both revisions), method, what, params, code; the status is 200
PAGINATION, READING = 'server/utilities/pagination, Error Handling', 'server/resources, Error Handling'
PROMPTS, COMPLETION = 'server/prompts, Error Handling', 'server/utilities/completion, Error Handling'
MEMBERS = [
    *((PAGINATION, method, f'the cursor {cursor!r}', {'cursor': cursor}, PARAMS)
      for method in ('tools/list', 'resources/list', 'resources/templates/list', 'prompts/list')
      for cursor in ('x', '', 'r99999999999999999999', 'r-1', 7, True, {}, [])),
    ('server/tools, Error Handling', 'tools/call', 'no name', {'arguments': {}}, PARAMS),
    ('server/tools, Error Handling', 'tools/call', 'a name that is a number', {'name': 7}, PARAMS),
    ('server/tools, Error Handling', 'tools/call', 'an unknown tool', {'name': 'brew'}, PARAMS),
    ('server/tools, Error Handling', 'tools/call', 'arguments that are an array', {'name': 'count_words', 'arguments': []}, PARAMS),
    (READING, 'resources/read', 'no uri', {}, PARAMS),
    (READING, 'resources/read', 'a uri that is a number', {'uri': 7}, PARAMS),
    (READING, 'resources/read', 'a uri that is null', {'uri': None}, PARAMS),
    (READING, 'resources/read', 'an unknown uri', {'uri': 'note:nine'}, NOT_FOUND),
    (READING, 'resources/read', 'an empty uri', {'uri': ''}, NOT_FOUND),
    (READING, 'resources/read', 'a uri that climbs', {'uri': 'note:../../etc/passwd'}, NOT_FOUND),
    (PROMPTS, 'prompts/get', 'no name', {}, PARAMS),
    (PROMPTS, 'prompts/get', 'a name that is an object', {'name': {}}, PARAMS),
    (PROMPTS, 'prompts/get', 'an unknown prompt', {'name': 'brew'}, PARAMS),
    (PROMPTS, 'prompts/get', 'no arguments, of which one is required', {'name': 'greet'}, PARAMS),
    (PROMPTS, 'prompts/get', 'another argument than the required one', {'name': 'greet', 'arguments': {'nam': 'Ann'}}, PARAMS),
    (PROMPTS, 'prompts/get', 'arguments that are an array', {'name': 'greet', 'arguments': ['Ann']}, PARAMS),
    (PROMPTS, 'prompts/get', 'an argument that is a number', {'name': 'greet', 'arguments': {'name': 7}}, PARAMS),
    (PROMPTS, 'prompts/get', 'an argument that is null', {'name': 'greet', 'arguments': {'name': None}}, PARAMS),
    (COMPLETION, 'completion/complete', 'nothing', {}, PARAMS),
    (COMPLETION, 'completion/complete', 'no ref', {'argument': ARGUMENT}, PARAMS),
    (COMPLETION, 'completion/complete', 'a ref that is a text', {'ref': 'ref/prompt', 'argument': ARGUMENT}, PARAMS),
    (COMPLETION, 'completion/complete', 'a ref of another type', {'ref': PROMPT | {'type': 'ref/tool'}, 'argument': ARGUMENT}, PARAMS),
    (COMPLETION, 'completion/complete', 'a ref without a type', {'ref': {'name': 'greet'}, 'argument': ARGUMENT}, PARAMS),
    (COMPLETION, 'completion/complete', 'an unknown prompt', {'ref': PROMPT | {'name': 'brew'}, 'argument': ARGUMENT}, PARAMS),
    (COMPLETION, 'completion/complete', 'an unknown template', {'ref': TEMPLATE | {'uri': 'note:1'}, 'argument': VARIABLE}, PARAMS),
    (COMPLETION, 'completion/complete', 'no argument', {'ref': PROMPT}, PARAMS),
    (COMPLETION, 'completion/complete', 'an argument that is a text', {'ref': PROMPT, 'argument': 'name'}, PARAMS),
    (COMPLETION, 'completion/complete', 'an argument without a value', {'ref': PROMPT, 'argument': {'name': 'name'}}, PARAMS),
    (COMPLETION, 'completion/complete', 'a value that is a number', {'ref': TEMPLATE, 'argument': {'name': 'n', 'value': 1}}, PARAMS),
    (COMPLETION, 'completion/complete', 'a context that is a text', {'ref': PROMPT, 'argument': ARGUMENT, 'context': {'arguments': 'x'}}, PARAMS),
    (COMPLETION, 'completion/complete', 'a context of numbers', {'ref': PROMPT, 'argument': ARGUMENT, 'context': {'arguments': {'a': 1}}}, PARAMS),
]
LISTENING = 'basic/patterns/subscriptions'
MODERN_MEMBERS = [
    (LISTENING, 'subscriptions/listen', 'no notifications', {}, PARAMS),
    (LISTENING, 'subscriptions/listen', 'notifications that are an array', {'notifications': ['toolsListChanged']}, PARAMS),
    (LISTENING, 'subscriptions/listen', 'a list that is a text', {'notifications': {'toolsListChanged': 'yes'}}, PARAMS),
    (LISTENING, 'subscriptions/listen', 'resources that are a text', {'notifications': {'resourceSubscriptions': 'note:1'}}, PARAMS),
    (LISTENING, 'subscriptions/listen', 'resources that are numbers', {'notifications': {'resourceSubscriptions': [1]}}, PARAMS),
    (LISTENING, 'subscriptions/listen', 'tasks that are a text', {'notifications': {'taskIds': TASK}}, PARAMS),
    (LISTENING, 'subscriptions/listen', 'tasks that are numbers', {'notifications': {'taskIds': [1]}}, PARAMS),
    *((TASKS_PAGE, method, what, params | {'inputResponses': {}}, PARAMS) for method in ('tasks/get', 'tasks/update', 'tasks/cancel')
      for what, params in (('no id', {}), ('an id that is a number', {'taskId': 7}), ('an unknown id', {'taskId': 'nobody'}))),
    (TASKS_PAGE, 'tasks/update', 'no answers', {'taskId': TASK}, PARAMS),
    (TASKS_PAGE, 'tasks/update', 'answers that are an array', {'taskId': TASK, 'inputResponses': []}, PARAMS),
]
SUBSCRIBING, LEVELS, OLD_TASKS = 'server/resources, Subscriptions', 'server/utilities/logging, Error Handling', 'basic/utilities/tasks, Protocol Errors'
LEGACY_MEMBERS = [
    *((SUBSCRIBING, method, what, params, PARAMS) for method in ('resources/subscribe', 'resources/unsubscribe')
      for what, params in (('no uri', {}), ('a uri that is a number', {'uri': 7}), ('a uri that is an array', {'uri': ['note:1']}))),
    (LEVELS, 'logging/setLevel', 'no level', {}, PARAMS),
    (LEVELS, 'logging/setLevel', 'a level that is none', {'level': 'loud'}, PARAMS),
    (LEVELS, 'logging/setLevel', 'a level in other letters', {'level': 'INFO'}, PARAMS),
    (LEVELS, 'logging/setLevel', 'a level that is a number', {'level': 7}, PARAMS),
    *((OLD_TASKS, method, what, params, PARAMS) for method in ('tasks/get', 'tasks/result', 'tasks/cancel')
      for what, params in (('no id', {}), ('an id that is an object', {'taskId': {}}), ('an unknown id', {'taskId': 'nobody'}))),
    (OLD_TASKS, 'tasks/cancel', 'a task that has ended', {'taskId': TASK}, PARAMS),
    # Of clients that nobody knows none may see what there is.
    (OLD_TASKS, 'tasks/list', 'a client that is not known', {}, METHOD),
]

# Before there is a session: page, what, method, params, status, code
LIFECYCLE = '2025-11-25 basic/lifecycle, Initialization'
HELLO = {'protocolVersion': LEGACY, 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}
OPENING = [
    (LIFECYCLE, 'no params', 'initialize', None, (200, 400), PARAMS),
    (LIFECYCLE, 'params that are an array', 'initialize', [HELLO], (200, 400), PARAMS),
    (LIFECYCLE, 'no version', 'initialize', without(HELLO, 'protocolVersion'), (200, 400), PARAMS),
    (LIFECYCLE, 'a version that is a number', 'initialize', HELLO | {'protocolVersion': 20251125}, (200, 400), PARAMS),
    (LIFECYCLE, 'capabilities that are too large', 'initialize', HELLO | {'capabilities': {'x': 'x' * 70000}}, (200, 400), PARAMS),
    (LIFECYCLE, 'an unknown version is nothing wrong', 'initialize', HELLO | {'protocolVersion': '1999-01-01'}, 200, None),
    (LIFECYCLE, 'a version that is newer is nothing wrong', 'initialize', HELLO | {'protocolVersion': '2999-01-01'}, 200, None),
    *(('2025-11-25 transports, Session Management', 'no session', method, LEGACY_METHODS[method], 400, INVALID) for method in LEGACY_METHODS),
]


def write_modern(method, params, number=1, meta=TASK_META, headers=()):
    name = params.get(IN_HEADER.get(method)) if isinstance(params, dict) else MODERN_METHODS[method].get(IN_HEADER.get(method))
    body = {'jsonrpc': '2.0', 'id': number, 'method': method}
    if params is not None:
        body['params'] = params | ({'_meta': meta} if meta is not None else {}) if isinstance(params, dict) else params
    return post(body, **{'MCP_Protocol_Version': MODERN, 'Mcp_Method': method, 'Mcp_Name': name if isinstance(name, str) else None} | dict(headers))


class BadMethods(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen([SERVER, '--http', '--jobs'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        cls.port = urllib.parse.urlsplit(cls.process.stdout.readline().strip()).port

    @classmethod
    def tearDownClass(cls):
        cls.process.stdin.close()
        cls.process.stdout.close()
        assert cls.process.wait(LIMIT_S) == 0

    def setUp(self):
        self.faults = []

    def tearDown(self):
        self.assertEqual(self.faults, [])

    def ask_json(self, request):
        _, _, body = ask(self.port, request)
        return json.loads(body[body.index(b'{'):body.rindex(b'}') + 1])

    def check(self, where, request, statuses, code):
        status, _, body = ask(self.port, request)
        if status not in (statuses if isinstance(statuses, tuple) else (statuses,)) or read_code(body) != code:
            self.faults.append(f'{where}: {status} {bytes(body[:200])!r}, not {statuses} and {code}')
        if ask(self.port, write_modern('resources/read', {'uri': 'note:1'}))[0] != 200:
            self.faults.append(f'nothing is served after {where}')

    # 2026-07-28

    def make_task(self):
        return self.ask_json(write_modern('tools/call', {'name': 'job', 'arguments': {}}))['result']['taskId']

    def fill_in(self, params, task):
        return json.loads(json.dumps(params).replace(TASK, task))

    def test_modern_methods(self):
        task = self.make_task()
        for method, good in MODERN_METHODS.items():
            good = self.fill_in(good, task)
            if method != 'subscriptions/listen':
                self.check(f'{method} with nothing wrong', write_modern(method, good), 200, None)
            for page, what, message, headers, status, code in ANY_MODERN + (ANY_NAMED if method in IN_HEADER else []):
                message = {'params': good, 'meta': TASK_META, 'id': 1} | message
                headers = ({'Mcp_Name': good[IN_HEADER[method]]} if method in IN_HEADER else {}) | headers
                self.check(f'{method} with {what} ({page})',
                           write_modern(method, message['params'], message['id'], message['meta'], headers), status, code)

    def test_modern_stream(self):
        """The stream of a subscription begins with what is listened to, as nothing is wrong."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=LIMIT_S) as peer:
            peer.sendall(write_modern('subscriptions/listen', MODERN_METHODS['subscriptions/listen']))
            data = b''
            while b'acknowledged' not in data:
                part = peer.recv(65536)
                self.assertTrue(part, data)
                data += part
        self.assertTrue(data.startswith(b'HTTP/1.1 200 '), data)

    def test_modern_members(self):
        task = self.make_task()
        for page, method, what, params, code in MEMBERS + MODERN_MEMBERS:
            self.check(f'{method} with {what} (2026-07-28 {page})', write_modern(method, self.fill_in(params, task)), 200,
                       PARAMS if code == NOT_FOUND else code)

    def test_modern_capabilities(self):
        """What needs the extension of tasks is refused to those who do not have it."""
        for method in ('tasks/get', 'tasks/update', 'tasks/cancel'):
            self.check(f'{method} without the extension ({TASKS_PAGE})',
                       write_modern(method, self.fill_in(MODERN_METHODS[method], 'x'), meta=META), 400, CAPABILITY)
        self.check(f'listening to tasks without the extension ({TASKS_PAGE})',
                   write_modern('subscriptions/listen', {'notifications': {'taskIds': ['x']}}, meta=META), 400, CAPABILITY)

    def test_methods_of_before(self):
        """What 2026-07-28 does not have any more is not found, as what nobody ever had."""
        for method in ('initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/result', 'tasks/list',
                       'resources/brew', 'rpc.discover', ''):
            self.check(f'{method} ({NO_METHOD})', write_modern(method, {'uri': 'note:1', 'taskId': 'x', 'level': 'info'} | HELLO), 404, METHOD)

    # Before

    def open_session(self):
        _, head, _ = ask(self.port, self.write_legacy('initialize', HELLO))
        session = re.search(rb'(?i)mcp-session-id: (\S+)', head)[1].decode()
        ask(self.port, post({'jsonrpc': '2.0', 'method': 'notifications/initialized'}, Mcp_Session_Id=session))
        return {'MCP_Protocol_Version': LEGACY, 'Mcp_Session_Id': session}

    @staticmethod
    def write_legacy(method, params, headers=(), number=1):
        body = {'jsonrpc': '2.0', 'id': number, 'method': method} | ({'params': params} if params is not None else {})
        return post(body, **dict(headers))

    def make_legacy_task(self, session):
        made = self.ask_json(self.write_legacy('tools/call', {'name': 'job', 'arguments': {}, 'task': {}}, session))['result']['task']['taskId']
        # That waits until it has ended.
        self.assertIn('result', self.ask_json(self.write_legacy('tasks/result', {'taskId': made}, session)))
        return made

    def test_legacy_methods(self):
        session = self.open_session()
        task = self.make_legacy_task(session)
        for method, good in LEGACY_METHODS.items():
            good = self.fill_in(good, task)
            self.check(f'{method} with nothing wrong', self.write_legacy(method, good, session), 200, None)
            self.check(f'{method} without params', self.write_legacy(method, None, session), 200, None if method in WITHOUT_PARAMS else PARAMS)
            for page, what, message, headers, status, code in ANY_LEGACY:
                message = {'params': good, 'id': 1} | message
                self.check(f'{method} with {what} ({page})',
                           self.write_legacy(method, message['params'], session | headers, message['id']), status, code)

    def test_legacy_members(self):
        session = self.open_session()
        task = self.make_legacy_task(session)
        for page, method, what, params, code in MEMBERS + LEGACY_MEMBERS:
            self.check(f'{method} with {what} (2025-11-25 {page})', self.write_legacy(method, self.fill_in(params, task), session), 200, code)

    def test_legacy_opening(self):
        for page, what, method, params, statuses, code in OPENING:
            self.check(f'{method} with {what} ({page})', self.write_legacy(method, params), statuses, code)

    def test_methods_to_come(self):
        """In a session, what only 2026-07-28 has is refused for not saying that it is of it."""
        session = self.open_session()
        for method, code in {'server/discover': (PARAMS, MISMATCH), 'subscriptions/listen': (PARAMS, MISMATCH), 'tasks/update': (METHOD,)}.items():
            status, _, body = ask(self.port, self.write_legacy(method, MODERN_METHODS[method], session))
            self.assertIn(read_code(body), code, method)
            self.assertIn(status, (200, 400), method)

    def test_every_method_is_here(self):
        """A method that is served and has no row is one that was forgotten."""
        source = pathlib.Path(__file__).resolve().parents[2] / 'src'
        words = set(re.findall(r'"([a-z]+/[a-zA-Z/]+|ping|initialize)"', ''.join(
            path.read_text(encoding='utf-8') for path in itertools.chain((source / 'server').rglob('*.c'), [source / 'protocol/gmcp-protocol-private.h']))))
        served = {word for word in words if not re.match(r'notifications/|application/|text/|ref/|roots/|elicitation/|sampling/', word)}
        rows = set(MODERN_METHODS) | set(LEGACY_METHODS) | {row[1] for row in LEGACY_MEMBERS} | {'initialize'}
        self.assertGreater(len(served), 15, served)
        self.assertEqual(served - rows, set())


if __name__ == '__main__':
    tap.main()

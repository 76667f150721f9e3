#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server (2025-11-25) for tests that tells everybody what it was given: its environment and arguments, or
the headers and addresses of requests over HTTP. It prints them on standard error, in errors, in descriptions and
in log messages.

--http prints its port and serves on 127.0.0.1 until its standard input ends: /mcp answers, /401, /403, /500 refuse
with all that they were told in the body, /rpc answers each request with such an error, /location redirects.
Other arguments mean nothing, but for --crash (ends with status 3 once it is asked for its tools), --late (the same at
the first call) and --error (answers initialize with an error).

Tools: show gives what it knows as its result, fail as a tool's error, refuse as an error of the protocol, end ends it.
"""
import http.server
import json
import os
import sys
import threading

TOOLS = ['show', 'fail', 'refuse', 'end']


def answer(message, secrets):
    """What goes back for a request: None for nothing, and the status to end with."""
    method, id_, params = message.get('method'), message.get('id'), message.get('params') or {}
    if id_ is None:
        return None
    result, error = None, None
    if method == 'initialize' and '--error' in sys.argv:
        error = {'code': -32000, 'message': f'I do not like {secrets}', 'data': {'all': secrets}}
    elif method == 'initialize':
        result = {'protocolVersion': '2025-11-25', 'serverInfo': {'name': 'leaky', 'version': '1'},
                  'instructions': f'Know that {secrets}', 'capabilities': {'tools': {}, 'logging': {}, 'prompts': {}}}
    elif method == 'tools/list':
        if '--crash' in sys.argv:
            sys.exit(3)
        result = {'tools': [{'name': name, 'title': f'{name} {secrets}'[:4000], 'description': f'Knows {secrets}',
                             'inputSchema': {'type': 'object', 'description': secrets}} for name in TOOLS]}
    elif method == 'prompts/list':
        error = {'code': -32603, 'message': f'no prompts for {secrets}'}
    elif method == 'tools/call' and params['name'] == 'end' or method == 'tools/call' and '--late' in sys.argv:
        print(f'the end: {secrets} {json.dumps(params)}', file=sys.stderr, flush=True)
        os._exit(4)
    elif method == 'tools/call' and params['name'] == 'refuse':
        error = {'code': -32602, 'message': f'bad arguments {json.dumps(params)} {secrets}', 'data': {'all': secrets}}
    elif method == 'tools/call':
        result = {'content': [{'type': 'text', 'text': f'{secrets} {json.dumps(params)}'}], 'isError': params['name'] == 'fail'}
    elif method == 'ping':
        result = {}
    else:
        error = {'code': -32601, 'message': f'Unknown method: {method} {secrets}'}
    return {'jsonrpc': '2.0', 'id': id_, **({'result': result} if error is None else {'error': error})}


def serve_stdio():
    secrets = ' '.join(sys.argv[1:] + [f'{name}={value}' for name, value in os.environ.items()])
    print(f'started with {secrets}', file=sys.stderr, flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message.get('method') == 'tools/call':
            print(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {
                'level': 'warning', 'logger': 'leak', 'data': f'called with {secrets} {line}'}}), flush=True)
        if (reply := answer(message, secrets)) is not None:
            print(json.dumps(reply), flush=True)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        secrets = ' '.join([self.path, *(f'{name}: {value}' for name, value in self.headers.items())])
        print(f'asked {secrets}', file=sys.stderr, flush=True)
        path = self.path.split('?')[0].strip('/')
        if path in ('401', '403', '500'):
            self.tell(int(path), f'Not with {secrets}'.encode(), 'text/plain')
        elif path == 'location':
            self.tell(307, b'', 'text/plain', Location=f'http://127.0.0.1:1/gone?{secrets.split("?")[1].split()[0]}')
        elif path == 'rpc':
            self.tell(400, json.dumps({'jsonrpc': '2.0', 'id': json.loads(body).get('id'), 'error': {
                'code': -32000, 'message': f'Refused: {secrets}', 'data': secrets}}).encode())
        else:
            reply = answer(json.loads(body), secrets)
            self.tell(202 if reply is None else 200, b'' if reply is None else json.dumps(reply).encode())

    def do_GET(self):
        self.tell(405, b'', 'text/plain')

    do_DELETE = do_GET

    def tell(self, status, body, content_type='application/json', **fields):
        self.send_response(status)
        self.send_header('Content-Type', content_type)
        self.send_header('Content-Length', str(len(body)))
        if status == 401:
            self.send_header('WWW-Authenticate', f'Bearer error="invalid_token", error_description="{self.headers["Authorization"]}"')
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


if '--http' in sys.argv:
    web = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    print(web.server_address[1], flush=True)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    sys.stdin.read()
else:
    serve_stdio()

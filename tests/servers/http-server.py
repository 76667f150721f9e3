#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An HTTP server for the tests of the HTTP transport. What it does is in the path; it knows no library.

Prints the two ports that it listens on, 127.0.0.1 both, in one line; --socket PATH adds a Unix socket.
POST /stats answers with a notification whose params count what came to each path.
"""
import collections
import gzip
import json
import os
import socket
import socketserver
import sys
import threading
import time

STATS = collections.Counter()
LAST = {}
LOCK = threading.Lock()
PORTS = []


class Drop(Exception):
    """Close the connection now."""


class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    n_connections = 0
    sessions = set()

    def setup(self):
        if self.request.family == socket.AF_UNIX:
            self.disable_nagle_algorithm = False
        super().setup()

    def handle(self):
        with LOCK:
            Handler.n_connections += 1
            self.number = Handler.n_connections
        self.n_requests = 0
        try:
            while self.read_request():
                self.n_requests += 1
                with LOCK:
                    STATS[f'{self.method} {self.path}'] += 1
                    LAST[self.path] = dict(self.headers)
                name = self.path.split('?')[0].strip('/').replace('-', '_')
                getattr(self, f'do_{name}')()
                self.wfile.flush()
        except (Drop, BrokenPipeError, ConnectionResetError):
            pass

    def read_request(self):
        line = self.rfile.readline().decode()
        if not line.strip():
            return False
        self.method, self.path, _ = line.split()
        self.headers = {}
        while (line := self.rfile.readline().decode().strip()) != '':
            name, value = line.split(':', 1)
            self.headers[name.lower()] = value.strip()
        self.text = self.rfile.read(int(self.headers.get('content-length', 0)))
        self.message = json.loads(self.text) if self.text else {}
        self.id = self.message.get('id')
        return True

    # What most answers are made of.

    def head(self, status, **headers):
        lines = [f'HTTP/1.1 {status} Status']
        lines += [f'{name.replace("_", "-")}: {value}' for name, value in headers.items()]
        self.wfile.write(('\r\n'.join(lines) + '\r\n\r\n').encode())

    def reply(self, status, body=b'', content_type='application/json', **headers):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        if content_type:
            headers['Content_Type'] = content_type
        self.head(status, Content_Length=len(body), **headers)
        self.wfile.write(body)

    def result(self, **result):
        return {'jsonrpc': '2.0', 'id': self.id, 'result': result}

    def begin_events(self, **headers):
        self.head(200, Content_Type='text/event-stream', Transfer_Encoding='chunked', **headers)

    def chunk(self, text):
        data = text.encode() if isinstance(text, str) else text
        self.wfile.write(b'%x\r\n%s\r\n' % (len(data), data))
        self.wfile.flush()

    def event(self, message, **fields):
        lines = ''.join(f'{name}: {value}\n' for name, value in fields.items())
        self.chunk(f'{lines}data: {json.dumps(message) if message else ""}\n\n')

    def end_events(self):
        self.wfile.write(b'0\r\n\r\n')

    def last_event(self, message):
        """With the end of the stream in one write, so that who has the one has the other."""
        data = f'data: {json.dumps(message)}\n\n'.encode()
        self.wfile.write(b'%x\r\n%s\r\n0\r\n\r\n' % (len(data), data))

    def wait_for_close(self):
        self.wfile.flush()
        self.request.recv(1)
        with LOCK:
            STATS[f'closed {self.path}'] += 1
        raise Drop

    def wait_for(self, what):
        """Until that has been counted."""
        while STATS[what] == 0:
            time.sleep(0.01)

    # The paths.

    def do_stats(self):
        with LOCK:
            params = {'stats': dict(STATS), 'headers': dict(LAST)}
        self.reply(200, {'jsonrpc': '2.0', 'method': 'stats', 'params': params})

    def do_json(self):
        if self.id is None:
            self.reply(202, content_type=None)
        else:
            self.reply(200, self.result(connection=self.number, echo=self.message.get('params')))

    def do_sse(self):
        self.begin_events()
        self.event({'jsonrpc': '2.0', 'method': 'progress'})
        self.last_event(self.result(connection=self.number))

    def do_sse_open(self):
        self.begin_events()
        self.chunk(': no comment\n\n')
        self.event(self.result(connection=self.number))
        self.wait_for_close()

    def do_sse_cut(self):
        self.begin_events()
        self.event({'jsonrpc': '2.0', 'method': 'progress'})
        raise Drop

    def do_stall(self):
        self.wait_for_close()

    def do_once(self):
        """A connection that is closed after its second request has been read."""
        if self.n_requests == 2:
            raise Drop
        self.reply(200, self.result(connection=self.number))

    def do_refuse(self):
        self.reply(401, 'No', 'text/plain', WWW_Authenticate='Basic realm="x", Bearer scope="a b", '
                   'resource_metadata="https://example.org/.well-known/x"')

    def do_expire(self):
        """An MCP server that refuses everything once its tool `expire` has been called, and `forbid` always."""
        method = self.message.get('method')
        if self.method != 'POST':
            self.reply(405, content_type=None)
        elif STATS['expired'] > 0:
            self.do_refuse()
        elif self.id is None:
            self.reply(202, content_type=None)
        elif method == 'initialize':
            self.reply(200, self.result(protocolVersion='2025-06-18', serverInfo={'name': 'expire', 'version': '1'},
                                        capabilities={'tools': {}}))
        elif method == 'tools/list':
            self.reply(200, self.result(tools=[{'name': name, 'inputSchema': {'type': 'object'}}
                                               for name in ('expire', 'forbid')]))
        elif method == 'tools/call' and self.message['params']['name'] == 'forbid':
            self.do_forbid()
        elif method == 'tools/call':
            with LOCK:
                STATS['expired'] += 1
            self.reply(200, self.result(content=[]))
        elif method == 'ping':
            self.reply(200, self.result())
        else:
            self.reply(200, {'jsonrpc': '2.0', 'id': self.id, 'error': {'code': -32601, 'message': 'Unknown'}})

    def do_forbid(self):
        self.reply(403, {'jsonrpc': '2.0', 'id': self.id, 'error': {'code': -1, 'message': 'no'}})

    def do_busy(self):
        self.reply(429, 'Slowly\x01', 'text/plain', Retry_After='7')

    def do_busy_rpc(self):
        self.reply(503, json.dumps({'jsonrpc': '2.0', 'id': None, 'error': {'code': -32603, 'message': 'Not yet'}}),
                   'application/json', Retry_After='7')

    def do_down(self):
        self.reply(503, '<p>down', 'text/html')

    def do_html(self):
        self.reply(200, '<!DOCTYPE html><p>Hello', 'text/html; charset=utf-8')

    def do_plain(self):
        """A message of no declared type."""
        self.reply(200, self.result(ok=True), None)

    def do_nonsense(self):
        self.reply(200, 'nonsense')

    def do_empty(self):
        self.reply(200, '')

    def do_accepted(self):
        self.reply(202, 'Accepted', 'text/plain')

    def error(self, status, id, code=-32601, **headers):
        self.reply(status, {'jsonrpc': '2.0', 'id': id, 'error': {'code': code, 'message': 'bad', 'data': [1]}}, **headers)

    def do_error_id(self):
        self.error(404, self.id)

    def do_error_null(self):
        self.error(400, None, -32020)

    def do_error_200(self):
        self.error(200, None)

    def do_short(self):
        self.head(200, Content_Type='application/json', Content_Length=1000)
        self.wfile.write(b'{"jsonrpc":"2.0",')
        raise Drop

    def do_garbage(self):
        self.wfile.write(b'SSH-2.0-OpenSSH\r\n\r\n')
        raise Drop

    def do_header(self):
        self.head(200, Big='x' * 200000)

    def do_big(self):
        self.reply(200, b'[' + b' ' * 100000 + b']')

    def do_big_chunked(self):
        self.head(200, Content_Type='application/json', Transfer_Encoding='chunked')
        while True:
            self.chunk(' ' * 10000)

    def do_big_event(self):
        self.begin_events()
        self.chunk('data: ')
        while True:
            self.chunk('x' * 10000)

    def do_part(self):
        """30 MB of an answer, and not the rest."""
        if 'events' in self.path:
            self.begin_events()
            self.chunk('data: ')
        else:
            self.head(200, Content_Type='application/json', Transfer_Encoding='chunked')
        for _ in range(30):
            self.chunk(b' ' * 1000000)
        self.wait_for_close()

    def do_bomb(self):
        body = gzip.compress(b' ' * 100000000, 1)
        self.reply(200, body, Content_Encoding='gzip')

    def do_gzip(self):
        self.reply(200, gzip.compress(json.dumps(self.result(ok=True)).encode()), Content_Encoding='gzip')

    # What holds up, or is too much.

    def do_go(self):
        self.do_json()

    def do_interim(self):
        while True:
            self.wfile.write(b'HTTP/1.1 100 Continue\r\n\r\n' * 1000)

    def do_interim_few(self):
        self.wfile.write(b'HTTP/1.1 103 Early Hints\r\n\r\n' * 16)
        self.do_json()

    def do_refuse_stall(self):
        self.head(401, Content_Type='text/plain', WWW_Authenticate='Bearer scope="a"', Content_Length=100)
        self.wait_for_close()

    def do_fail_stall(self):
        self.head(500, Content_Type='application/json', Content_Length=100)
        self.wait_for_close()

    def do_redirect_stall(self):
        self.head(307, Location='/json', Content_Length=100)
        self.wait_for_close()

    def do_refuse_endless(self):
        self.head(401, Content_Type='text/plain', Transfer_Encoding='chunked')
        while True:
            self.chunk(' ' * 100000)

    def do_accept_stall(self):
        self.head(202, Content_Length=100)
        self.wait_for_close()

    def do_note_open(self):
        if self.id is None:
            self.begin_events()
            self.wait_for_close()
        self.do_json()

    def do_flood(self):
        self.begin_events()
        self.chunk('data:1\n\n' * 5000)
        self.event(self.result())
        self.end_events()

    def do_grow(self):
        """A large event, after POST /go."""
        self.begin_events()
        self.event({'jsonrpc': '2.0', 'method': 'progress'})
        self.wait_for('POST /go')
        self.event(self.result(text='x' * 5000))
        self.end_events()

    # HTTP+SSE. The answers come by the stream; what is posted gets no answer, and stays open.

    def do_old(self):
        if self.method == 'GET':
            Handler.old = self
            self.begin_events()
            if self.path.endswith('late'):
                self.wait_for('POST /go')
            self.chunk(f'event: endpoint\ndata: {self.path}\n\n')
            if self.path.endswith('grow'):
                self.wait_for('POST /go')
                self.event({'jsonrpc': '2.0', 'method': 'progress', 'text': 'x' * 5000})
        elif self.id is not None:
            Handler.old.event(self.result())
        self.wait_for_close()

    # Redirections.

    def do_to(self):
        status, _, target = self.path.split('?')[1].partition('=')
        target = target.replace('AWAY', f'http://127.0.0.1:{PORTS[1]}')
        self.reply(int(status), **({'Location': target} if target else {}))

    def do_loop(self):
        self.reply(307, Location='/loop')

    # Sessions.

    def do_session(self):
        """One session, with a stream to listen to that says one thing and ends."""
        session = self.headers.get('mcp-session-id')
        if self.method == 'DELETE':
            self.reply(405 if session != 's1' else 200, content_type=None)
        elif self.message.get('method') == 'begin':
            self.reply(200, self.result(had=session), Mcp_Session_Id='s1')
        elif session != 's1':
            self.reply(400, 'No session', 'text/plain')
        elif self.method == 'GET':
            self.begin_events()
            self.event(None, id=f'e{STATS["GET " + self.path]}', retry=0)
            self.event({'jsonrpc': '2.0', 'method': 'unasked', 'params': {'after': self.headers.get('last-event-id')}})
            self.end_events()
        elif self.message.get('method') == 'lose':
            self.error(404, None, -32001)
        elif self.message.get('method') == 'break':
            self.begin_events()
            self.event(None, id='p1', retry=10)
            self.end_events()
        elif self.id is None:
            time.sleep(0.05)
            with LOCK:
                STATS['taken in'] += 1
            self.reply(202, content_type=None)
        else:
            with LOCK:
                taken_in = STATS['taken in']
            self.reply(200, self.result(taken_in=taken_in))

    def do_listen(self):
        """Sessions with a stream to listen to, which goes as the query says."""
        way = self.path.split('?')[1]
        session = self.headers.get('mcp-session-id')
        rpc = self.message.get('method')
        if rpc == 'begin':
            session = f's{STATS["POST " + self.path]}'
            Handler.sessions.add(session)
            self.reply(200, self.result(session=session), Mcp_Session_Id=session)
            return
        if rpc == 'forget' or (self.method == 'GET' and way == 'first'):
            Handler.sessions.discard(session)
        if session not in Handler.sessions:
            self.reply(400 if way == '400' or not session else 404, 'Bad Request: No valid session ID provided', 'text/plain')
        elif self.method == 'GET':
            getattr(self, 'listen_' + way)(STATS['GET ' + self.path])
        elif rpc == 'odd':
            self.reply(400, 'What is this?', 'text/plain')
        elif rpc == 'told':
            self.reply(400, {'jsonrpc': '2.0', 'id': self.id, 'error': {'code': -1, 'message': 'Give a session'}})
        elif way == 'elsewhere' and self.id is not None:
            self.wait_for('stands')
            with LOCK:
                Handler.listener.event(self.result())
            self.wait_for_close()
        else:
            self.reply(202 if self.id is None else 200, self.result() if self.id else '')

    def listen_briefly(self, n, **fields):
        self.begin_events()
        self.chunk(': here\n\n')
        if fields:
            self.event(None, **fields)
        if n == 10:
            self.event({'jsonrpc': '2.0', 'method': 'unasked'})
        self.end_events()

    listen_cut = listen_briefly

    def listen_ids(self, n):
        self.listen_briefly(n, id=str(n))

    def listen_back(self, n):
        if n in (1, 10):
            self.listen_briefly(n)
        else:
            self.reply(503 if n % 2 else 405, content_type=None)

    def listen_404(self, n):
        Handler.sessions.discard(self.headers['mcp-session-id'])
        self.listen_briefly(n)

    listen_400 = listen_404

    def listen_elsewhere(self, n):
        self.begin_events()
        self.chunk(': here\n\n')
        Handler.listener = self
        with LOCK:
            STATS['stands'] += 1
        self.wait_for_close()

    def do_deaf(self):
        """A session without a stream to listen to."""
        if self.method == 'GET':
            self.reply(405, content_type=None)
        elif self.method == 'DELETE':
            self.wait_for_close()
        else:
            self.reply(200, self.result(), Mcp_Session_Id='deaf')

    def do_poll(self):
        """An answer that comes by the stream that is opened again."""
        after = self.headers.get('last-event-id')
        if self.method == 'GET' and after is None:
            self.reply(405, content_type=None)
            return
        self.begin_events()
        if self.method == 'POST':
            Handler.poll_id = self.id
            self.event(None, id='1', retry=20)
        elif after == '1':
            self.event({'jsonrpc': '2.0', 'method': 'progress'}, id='2')
            raise Drop
        else:
            self.event({'jsonrpc': '2.0', 'id': Handler.poll_id, 'result': {'after': after}}, id='3')
        self.end_events()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


class UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


def main():
    servers = [Server(('127.0.0.1', 0), Handler) for _ in range(2)]
    PORTS.extend(server.server_address[1] for server in servers)
    if '--socket' in sys.argv:
        servers.append(UnixServer(sys.argv[sys.argv.index('--socket') + 1], Handler))
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(*PORTS, flush=True)
    # Whoever started it holds the other end.
    sys.stdin.read()
    os._exit(0)


if __name__ == '__main__':
    main()

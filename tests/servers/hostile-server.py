#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server of revision 2025-11-25 over Streamable HTTP that goes wrong in the way that its path names.

Out of raw sockets, so that nothing puts right what is meant to be wrong. As a program it prints its two
ports, both on 127.0.0.1, and serves until its standard input ends; a test imports it instead, and reads
CALLED and SEEN.
"""
import collections
import gzip
import json
import socket
import sys
import threading

VERSION = '2025-11-25'
TEXT = 'grüße'
CALLED = collections.Counter()  # by path: how often tools/call came
SEEN = collections.defaultdict(list)  # by path: the headers of each request
STREAMS = {}  # by kind: the connection whose stream brings the answers of HTTP+SSE
LOCK = threading.Lock()


class Done(Exception):
    """Close the connection now."""


def message(id_, **members):
    return json.dumps({'jsonrpc': '2.0', 'id': id_, **members}, ensure_ascii=False).encode()


def head(status, *lines, **fields):
    fields = [f'{name.replace("_", "-")}: {value}' for name, value in fields.items()]
    return '\r\n'.join([f'HTTP/1.1 {status} Told', *lines, *fields, '', '']).encode()


def whole(body, content_type='application/json', status=200, **fields):
    return head(status, Content_Type=content_type, Content_Length=len(body), **fields) + body


def event(data, **fields):
    return b''.join(f'{name}: {value}\n'.encode() for name, value in fields.items()) + b'data: ' + data + b'\n\n'


def chunk(data):
    return b'%x\r\n%s\r\n' % (len(data), data)


EVENTS = {'Content_Type': 'text/event-stream', 'Transfer_Encoding': 'chunked'}


class Connection:
    def __init__(self, server, sock):
        self.server = server
        self.sock = sock
        self.file = sock.makefile('rb')

    def serve(self):
        try:
            while self.read_request():
                self.answer()
        except (Done, OSError, ValueError):
            pass
        finally:
            self.file.close()
            self.sock.close()

    def read_request(self):
        line = self.file.readline().decode().split()
        if len(line) != 3:
            return False
        self.method, self.path, _version = line
        self.headers = {}
        while (line := self.file.readline().decode().strip()):
            name, value = line.split(':', 1)
            self.headers[name.lower()] = value.strip()
        body = self.file.read(int(self.headers.get('content-length', 0)))
        self.message = json.loads(body) if body else {}
        self.id = self.message.get('id')
        with LOCK:
            SEEN[self.path].append(dict(self.headers, method=self.method, rpc=self.message.get('method', '')))
            if self.message.get('method') == 'tools/call':
                CALLED[self.path] += 1
        return True

    def send(self, data):
        self.sock.sendall(data)

    def stall(self):
        """Until the other side goes, or half a minute has passed."""
        self.sock.settimeout(30)
        self.sock.recv(1)
        raise Done

    def result_of_call(self):
        return message(self.id, result={'content': [{'type': 'text', 'text': TEXT}]})

    def answer(self):
        name, *words = self.path.strip('/').split('/')
        rpc = self.message.get('method')
        always = getattr(self, 'always_' + name.replace('-', '_'), None)
        if always is not None:
            always(*words)
        elif self.method == 'GET':
            getattr(self, 'listen_' + name.replace('-', '_'), self.no_stream)()
        elif self.method == 'DELETE' or self.id is None:
            self.send(head(202, Content_Length=0))
        elif rpc == 'initialize':
            self.send(whole(message(self.id, result={'protocolVersion': VERSION, 'capabilities': {'tools': {}},
                                                     'serverInfo': {'name': 'hostile', 'version': '1'}})))
        elif rpc == 'tools/list':
            self.send(whole(message(self.id, result={'tools': [{'name': 'go', 'inputSchema': {'type': 'object'}}]})))
        elif rpc == 'tools/call':
            getattr(self, 'call_' + name.replace('-', '_'))(*words)
        else:
            self.send(whole(message(self.id, error={'code': -32601, 'message': 'no such method'})))

    def no_stream(self):
        self.send(head(405, Content_Length=0))

    # What comes on each request.

    def always_html(self):
        self.send(whole(b'<html><body>Welcome to the hotel</body></html>', 'text/html; charset=utf-8'))

    def always_missing(self):
        self.send(whole(b'not here', 'text/plain', 404))

    def always_sign_in(self):
        self.send(whole(b'', 'text/plain', 401, WWW_Authenticate='Bearer realm="x", scope="tools"'))

    def always_forbidden(self):
        self.send(whole(b'', 'text/plain', 403))

    def always_broken(self):
        self.send(whole(b'it broke', 'text/plain', 500))

    def always_redirect_loop(self):
        self.send(head(307, Location=self.path, Content_Length=0))

    def always_redirect_file(self):
        self.send(head(307, Location='file:///etc/passwd', Content_Length=0))

    def always_redirect_get(self):
        self.send(head(302, Location='/json', Content_Length=0))

    def always_redirect_other(self):
        self.send(head(307, Location=f'http://127.0.0.1:{self.server.other.port}/json', Content_Length=0))

    def always_redirect_same(self):
        self.send(head(308, Location='/json', Content_Length=0))

    def always_not_http(self):
        self.send(b'220 mail.example.org ESMTP\r\n')
        raise Done

    def always_silent(self):
        self.stall()

    def always_endless_head(self):
        self.send(b'HTTP/1.1 200 OK\r\n')
        line = b'X-More: ' + b'a' * 4000 + b'\r\n'
        for _ in range(100000):
            self.send(line)

    # What comes on a call of the tool.

    def call_json(self):
        self.send(whole(self.result_of_call()))

    def call_sse(self):
        self.send(head(200, **EVENTS) + chunk(event(self.result_of_call())) + chunk(b''))

    def call_slowly(self):
        """Each byte by itself."""
        for byte in head(200, **EVENTS) + chunk(event(self.result_of_call())) + chunk(b''):
            self.send(bytes([byte]))

    def call_stall_head(self):
        self.send(head(200, **EVENTS))
        self.stall()

    def call_stall_json(self):
        self.send(whole(self.result_of_call())[:-5])
        self.stall()

    def call_stall_event(self):
        self.send(head(200, **EVENTS) + chunk(event(self.result_of_call())[:20]))
        self.stall()

    def call_stall_utf8(self):
        data = event(self.result_of_call())
        self.send(head(200, **EVENTS) + chunk(data[:data.index('ü'.encode()) + 1]))
        self.stall()

    def cut(self, data, at):
        self.send(data[:int(at)])
        if int(at) < len(data):
            raise Done

    def call_cut_json(self, at):
        self.cut(whole(self.result_of_call()), at)

    def call_cut_sse(self, at):
        self.cut(head(200, **EVENTS) + chunk(event(self.result_of_call())) + chunk(b''), at)

    def call_large_event(self):
        self.send(head(200, Content_Type='text/event-stream') + b'data: "')
        block = b'x' * (1 << 20)
        for _ in range(200):
            self.send(block)
        self.send(b'"\n\n' + event(self.result_of_call()))
        raise Done

    def call_large_json(self):
        self.send(head(200, Content_Type='application/json', Connection='close') + b'"')
        block = b'x' * (1 << 20)
        for _ in range(200):
            self.send(block)
        self.send(b'"')
        raise Done

    def call_bomb(self):
        body = gzip.compress(bytes(200 << 20), 9)
        self.send(whole(body, Content_Encoding='gzip'))

    def call_bomb_events(self):
        body = gzip.compress(b'data: ' + b'x' * (200 << 20) + b'\n\n', 9)
        self.send(whole(body, 'text/event-stream', Content_Encoding='gzip'))

    def call_length_short(self):
        """Less comes than was said."""
        body = self.result_of_call()
        self.send(head(200, Content_Type='application/json', Content_Length=len(body) + 10) + body)
        raise Done

    def call_length_long(self):
        """More comes than was said: the rest is nobody's answer."""
        body = self.result_of_call()
        self.send(head(200, Content_Type='application/json', Content_Length=len(body)) + body + b'{"jsonrpc": "2.0"}')

    def call_length_cut(self):
        body = self.result_of_call()
        self.send(head(200, Content_Type='application/json', Content_Length=len(body) - 8) + body)

    def call_length_nonsense(self):
        self.send(head(200, Content_Type='application/json', Content_Length='-5') + self.result_of_call())
        raise Done

    def call_bad_utf8(self):
        self.send(whole(self.result_of_call().replace('ü'.encode(), b'\xff')))

    def call_other_id(self):
        self.send(whole(message(4711, result={'content': []})))

    def call_no_answer(self):
        """A stream that ends without the answer."""
        self.send(head(200, **EVENTS) + chunk(b': nothing\n\n') + chunk(b''))

    def busy(self, status, after):
        if CALLED[self.path] > 1:
            self.call_json()
        else:
            self.send(whole(b'', 'text/plain', status, Retry_After=after))

    def call_busy_429(self):
        self.busy(429, 1)

    def call_busy_503(self):
        self.busy(503, 1)

    def call_busy_for_ever(self):
        self.send(whole(b'', 'text/plain', 429, Retry_After=0))

    def call_busy_for_a_year(self):
        self.send(whole(b'', 'text/plain', 503, Retry_After=31536000))

    # A stream that asks to be opened again at once, and ends.

    def listen_retry_zero(self):
        self.send(head(200, **EVENTS) + chunk(b'retry: 0\nid: 1\ndata:\n\n') + chunk(b''))

    def call_retry_zero(self):
        self.send(head(200, **EVENTS) + chunk(b'retry: 0\nid: 1\ndata:\n\n') + chunk(b''))


    # HTTP+SSE: /old/KIND is the stream, /old/KIND/post takes the messages.

    def always_old(self, kind, *words):
        if self.method == 'GET':
            STREAMS[kind] = self
            self.send(head(200, Content_Type='text/event-stream'))
            for endpoint in self.endpoints(kind):
                self.send(f'event: endpoint\r\ndata: {endpoint}\r\n\r\n'.encode())
            self.stall()
        elif not words:
            self.send(head(405, Content_Length=0))
        else:
            self.take_old(kind)

    def endpoints(self, kind):
        other = self.server.other
        return {
            'silent': [],
            'elsewhere': [f'http://127.0.0.1:{other.port}/old/elsewhere/post'],
            'other-host': [f'//localhost:{self.server.port}/old/other-host/post'],
            'file': ['file:///etc/passwd'],
            'long': ['/' + 'x' * 100000],
            'whole': [f'http://127.0.0.1:{self.server.port}/old/whole/post'],
            'twice': ['twice/post', f'http://127.0.0.1:{other.port}/old/elsewhere/post'],
        }.get(kind, [f'/old/{kind}/post'])

    def take_old(self, kind):
        rpc = self.message.get('method')
        stream = STREAMS[kind]
        if rpc == 'tools/call' and kind == 'refuses':
            self.send(whole(b'no such session', 'text/plain', 500))
            return
        if rpc == 'tools/call' and kind == 'ends':
            stream.sock.shutdown(socket.SHUT_RDWR)
        elif rpc == 'tools/call' and kind == 'large':
            stream.send(b'data: ' + b'x' * (70 << 20) + b'\n\n')
            stream.send(event(self.result_of_call()))
        elif self.id is not None:
            result = {'initialize': {'protocolVersion': '2024-11-05', 'capabilities': {'tools': {}},
                                     'serverInfo': {'name': 'old', 'version': '1'}},
                      'tools/list': {'tools': [{'name': 'go', 'inputSchema': {'type': 'object'}}]},
                      'tools/call': {'content': [{'type': 'text', 'text': TEXT}]}}.get(rpc)
            answer = message(self.id, result=result) if result else message(self.id, error={'code': -32601, 'message': ''})
            stream.send(event(answer))
            if kind == 'both':
                self.send(whole(answer))
                return
        self.send(head(202, Content_Length=0))


class Server(threading.Thread):
    def __init__(self, other=None, path=None):
        super().__init__(daemon=True)
        self.other = other
        if path is not None:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.bind(path)
            self.socket.listen()
            self.port = 0
        else:
            self.socket = socket.create_server(('127.0.0.1', 0))
            self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            sock, _peer = self.socket.accept()
            threading.Thread(target=Connection(self, sock).serve, daemon=True).start()


def main():
    other = Server()
    server = Server(other)
    print(server.port, other.port, flush=True)
    sys.stdin.read()


if __name__ == '__main__':
    main()

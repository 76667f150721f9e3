#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many clients of one server over HTTP, good and bad: whatever some of them do, the others are served, what is kept
for each is bounded in bytes, and who has gone has left nothing.

test-server-load.py TOOLS_SERVER

With GMCP_LOAD=full there are 10,000 subscriptions and 1,000 clients, as far as descriptors go.
"""
import contextlib
import json
import os
import pathlib
import resource
import selectors
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import tap

SERVER = sys.argv[1]
FULL = os.environ.get('GMCP_LOAD') == 'full'
MODERN = '2026-07-28'
LIMIT_S = 120
META = {'_meta': {'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {}}}


def raise_descriptors():
    """For both ends: the server, which is another process, inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard if hard != resource.RLIM_INFINITY else 1 << 20


SUBSCRIPTIONS = 10000 if FULL else 1000
CLIENTS = 1000 if FULL else 200
# A seventh of them the server keeps for itself.
DESCRIPTORS = (max(SUBSCRIPTIONS, 3 * CLIENTS) + 200) * 7 // 6 + 1


def message(method, params, number=1, name=None):
    """A whole request of 2026-07-28, as bytes."""
    body = json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params | META}).encode()
    named = f'Mcp-Name: {name}\r\n' if name else ''
    return (f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
            f'MCP-Protocol-Version: {MODERN}\r\nMcp-Method: {method}\r\n{named}Content-Length: {len(body)}\r\n\r\n').encode() + body


def call(name, **arguments):
    return message('tools/call', {'name': name, 'arguments': arguments}, name=name)


LISTEN = message('subscriptions/listen', {'notifications': {'toolsListChanged': True}})


class Server:
    def __init__(self, *args):
        self.process = subprocess.Popen([SERVER, '--http', *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = urllib.parse.urlsplit(self.process.stdout.readline().strip()).port

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(LIMIT_S)
        self.process.stdout.close()
        return status

    def connect(self, receive_bytes=None):
        client = socket.socket()
        if receive_bytes is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        client.settimeout(LIMIT_S)
        client.connect(('127.0.0.1', self.port))
        return client

    def count_descriptors(self):
        return len(os.listdir(f'/proc/{self.process.pid}/fd'))

    def memory(self):
        """What it has taken of the memory, in bytes, what is shared with others left out."""
        for line in pathlib.Path(f'/proc/{self.process.pid}/smaps_rollup').read_text().splitlines():
            if line.startswith('Private_Dirty:'):
                return int(line.split()[1]) * 1024
        raise RuntimeError('no Private_Dirty')

    def answers(self, within_s=LIMIT_S):
        """Another client is served, and in time."""
        begin = time.monotonic()
        with self.connect() as client:
            client.settimeout(within_s)
            client.sendall(call('echo', text='still here'))
            return b'still here' in read_until(client, b'still here') and time.monotonic() - begin < within_s


def read_until(client, what):
    data = b''
    while what not in data:
        part = client.recv(65536)
        if not part:
            break
        data += part
    return data


def wait_for(condition):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def read_all(clients, what, limit_s=LIMIT_S):
    """Until each has got that; gives how many have."""
    deadline = time.monotonic() + limit_s
    got = 0
    with selectors.DefaultSelector() as selector:
        for client in clients:
            client.setblocking(False)
            selector.register(client, selectors.EVENT_READ, bytearray())
        while selector.get_map() and time.monotonic() < deadline:
            for key, _ in selector.select(1):
                try:
                    part = key.fileobj.recv(65536)
                except BlockingIOError:
                    continue
                key.data.extend(part)
                if not part or what in key.data:
                    got += bool(part)
                    selector.unregister(key.fileobj)
    return got


def report(name, figure):
    print(f'# {name}: {figure}', flush=True)


class ManyClients(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.stack = contextlib.ExitStack()
        self.assertTrue(self.server.answers())
        # One more than there are: that client may not have been seen to leave yet.
        self.before = self.server.count_descriptors()

    def tearDown(self):
        self.stack.close()
        self.assertEqual(self.server.close(), 0)

    def open(self, n, first=b'', receive_bytes=None):
        clients = []
        for _ in range(n):
            client = self.stack.enter_context(self.server.connect(receive_bytes))
            if first:
                client.sendall(first)
            clients.append(client)
        return clients

    def check_nothing_left(self):
        self.assertTrue(wait_for(lambda: self.server.count_descriptors() <= self.before),
                        f'{self.server.count_descriptors()} descriptors are open, {self.before} were')

    def test_subscriptions(self):
        memory = self.server.memory()
        begin = time.monotonic()
        clients = self.open(SUBSCRIPTIONS, LISTEN)
        self.assertEqual(read_all(clients, b'acknowledged'), SUBSCRIPTIONS)
        each = (self.server.memory() - memory) / SUBSCRIPTIONS
        report('subscriptions', f'{SUBSCRIPTIONS} in {time.monotonic() - begin:.1f} s, {each:.0f} bytes each')
        self.assertLess(each, 32 * 1024)

        self.assertTrue(self.server.answers())
        with self.server.connect() as client:
            client.sendall(call('set_extra', on=True))
            begin = time.monotonic()
            self.assertEqual(read_all(clients, b'tools/list_changed'), SUBSCRIPTIONS)
            report('a change told to all of them', f'{time.monotonic() - begin:.2f} s')
        self.stack.close()
        self.check_nothing_left()
        self.assertTrue(self.server.answers())

    def test_clients(self):
        """Each sends its next request when it has its answer, on one connection."""
        rounds = 5
        request = call('echo', text='A text of its own')
        clients = self.open(CLIENTS, request)
        left = dict.fromkeys(clients, rounds)
        data = {client: b'' for client in clients}
        begin = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for client in clients:
                selector.register(client, selectors.EVENT_READ)
            while selector.get_map() and time.monotonic() - begin < LIMIT_S:
                for key, _ in selector.select(1):
                    client = key.fileobj
                    data[client] += client.recv(65536)
                    if not data[client].endswith(b'}'):
                        continue
                    self.assertEqual(data[client].count(b'A text of its own'), 1)
                    data[client] = b''
                    left[client] -= 1
                    if left[client] > 0:
                        client.sendall(request)
                    else:
                        selector.unregister(client)
        self.assertEqual(sum(left.values()), 0)
        report('clients', f'{CLIENTS} with {rounds} calls each in {time.monotonic() - begin:.2f} s')
        # They stay connected, for they may go on, and leave nothing when they go.
        self.assertGreaterEqual(self.server.count_descriptors(), self.before - 1 + CLIENTS)
        self.stack.close()
        self.check_nothing_left()

    def test_clients_that_reset(self):
        clients = self.open(100, call('echo', text='t'))
        read_all(clients, b'"t"')
        for client in clients:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        self.stack.close()
        self.check_nothing_left()
        self.assertTrue(self.server.answers())

    def test_half_open(self):
        """Neither a connection without a byte nor a head that does not end keeps others from being served."""
        memory = self.server.memory()
        self.open(CLIENTS)
        self.open(CLIENTS, b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
        self.open(CLIENTS, call('echo', text='x' * 1000)[:-500])
        self.assertTrue(self.server.answers())
        each = (self.server.memory() - memory) / CLIENTS / 3
        report('a request that is not there yet', f'{each:.0f} bytes')
        self.assertLess(each, 40 * 1024)
        self.stack.close()
        self.check_nothing_left()

    def test_refused_bodies(self):
        """Nothing is kept of what is sent along with a request that is refused already."""
        memory = self.server.memory()
        part = b'10000\r\n' + b' ' * 0x10000 + b'\r\n'
        for path, host in (('/other', 'localhost'), ('/mcp', 'evil.example')):
            [client] = self.open(1, f'POST {path} HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n'.encode())
            for _ in range(320):
                client.sendall(part)
            grown = self.server.memory() - memory
            self.assertLess(grown, 8 * 1024 * 1024, path)
        self.assertTrue(self.server.answers())

    def test_bodies_together(self):
        """Large bodies that do not end are kept up to a sum; those that come then are refused, small ones served."""
        memory = self.server.memory()
        size = 48 * 1024 * 1024
        head = message('tools/call', {})
        head = head[:head.index(b'Content-Length')] + f'Content-Length: {size}\r\n\r\n'.encode()
        part = b' ' * (1 << 20)
        for client in self.open(5, head):
            for _ in range((size >> 20) - 1):
                client.sendall(part)
        self.assertTrue(wait_for(lambda: self.server.memory() - memory > 200 * 1024 * 1024))
        [late] = self.open(1, head + part)
        late.shutdown(socket.SHUT_WR)
        self.assertLess(self.server.memory() - memory, 320 * 1024 * 1024)
        self.assertTrue(self.server.answers())
        self.stack.close()
        self.check_nothing_left()

    def test_readers_that_are_slow(self):
        """What a client does not read is kept up to a limit, and others hear what they wait for."""
        memory = self.server.memory()
        slow = self.open(20, LISTEN, receive_bytes=4096)
        quick = self.open(20, LISTEN)
        self.assertEqual(read_all(quick, b'acknowledged'), 20)
        with self.server.connect() as client:
            for i in range(200):
                client.sendall(call('set_extra', on=i % 2 == 0))
                read_until(client, b'done')
        self.assertEqual(read_all(quick, b'tools/list_changed'), 20)
        self.assertLess(self.server.memory() - memory, 8 * 1024 * 1024)
        del slow
        self.stack.close()
        self.check_nothing_left()

    def test_waiting_calls(self):
        memory = self.server.memory()
        clients = self.open(CLIENTS, call('slow', steps=1, step_ms=86400000))
        self.assertTrue(self.server.answers())
        with selectors.DefaultSelector() as selector:
            for client in clients:
                selector.register(client, selectors.EVENT_READ)
            self.assertEqual(selector.select(0), [], 'they do not wait')
        each = (self.server.memory() - memory) / CLIENTS
        report('a call that waits for its answer', f'{each:.0f} bytes')
        self.assertLess(each, 32 * 1024)
        self.stack.close()
        self.check_nothing_left()


if __name__ == '__main__':
    limit = raise_descriptors()
    if limit < DESCRIPTORS:
        print(f'1..0 # SKIP a process may have {limit} descriptors (ulimit -Hn); {DESCRIPTORS} are needed')
    else:
        tap.main()

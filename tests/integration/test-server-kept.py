#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Connections that are kept for the next request over HTTP: clients leave them in every way and at every moment, from
several threads, and each request that was whole is answered, the others are served, and nothing is left of who has gone.

test-server-kept.py TOOLS_SERVER

The server of a libsoup before 3.3 lost such connections, or crashed, where a client left at the wrong moment.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import time
import unittest
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import tap

SERVER = sys.argv[1]
FULL = os.environ.get('GMCP_LOAD') == 'full'
# Of each way to leave; four clients at a time.
TIMES = int(os.environ.get('GMCP_KEPT_TIMES') or (500 if FULL else 60))
THREADS = 4
LIMIT_S = 120
MODERN = '2026-07-28'
META = {'_meta': {'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {}}}


def call(text):
    params = {'name': 'echo', 'arguments': {'text': text}} | META
    body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': params}).encode()
    return (f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
            f'MCP-Protocol-Version: {MODERN}\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: {len(body)}\r\n\r\n').encode() + body


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port), timeout=LIMIT_S)
        self.rest = b''
        self.n_asked = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, n=1):
        for _ in range(n):
            self.n_asked += 1
            self.socket.sendall(call(f'This is text {self.n_asked}.'))

    def read_answer(self, number):
        """An answer as long as its head says; it has to be the one to that request."""
        while b'\r\n\r\n' not in self.rest:
            self.fill()
        head, _, self.rest = self.rest.partition(b'\r\n\r\n')
        if b' 200 ' not in head.partition(b'\r\n')[0] or b'connection: close' in head.lower():
            raise AssertionError(head)
        length = int(head.lower().partition(b'content-length: ')[2].partition(b'\r\n')[0])
        while len(self.rest) < length:
            self.fill()
        body, self.rest = self.rest[:length], self.rest[length:]
        if f'This is text {number}.'.encode() not in body:
            raise AssertionError(body)

    def fill(self):
        part = self.socket.recv(65536)
        if not part:
            raise AssertionError('the server has ended the connection')
        self.rest += part

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))

    def reads_end(self):
        if self.rest or self.socket.recv(1):
            raise AssertionError('more than the answers has come')


def begin(client):
    """Some requests on one connection."""
    client.ask()
    client.read_answer(1)
    client.ask()
    client.read_answer(2)


def close_idle(client):
    begin(client)


def reset_idle(client):
    begin(client)
    client.reset()


def half_close_idle(client):
    begin(client)
    client.socket.shutdown(socket.SHUT_WR)
    client.reads_end()


def close_in_line(client):
    begin(client)
    client.socket.sendall(b'PO')


def reset_in_line(client):
    begin(client)
    client.socket.sendall(b'P')
    client.reset()


def half_close_in_line(client):
    begin(client)
    client.socket.sendall(b'POST /mcp')
    client.socket.shutdown(socket.SHUT_WR)
    client.reads_end()


def close_in_head(client):
    begin(client)
    client.socket.sendall(call('never')[:100])


def close_in_body(client):
    begin(client)
    client.socket.sendall(call('never')[:-3])


def close_unanswered(client):
    begin(client)
    client.ask()


def reset_unanswered(client):
    begin(client)
    client.ask()
    client.reset()


def half_close_unanswered(client):
    """Who says nothing more still gets what was asked for."""
    begin(client)
    client.ask()
    client.socket.shutdown(socket.SHUT_WR)
    client.read_answer(3)
    client.reads_end()


def hurry(client):
    """Several at once are answered in their order."""
    begin(client)
    client.socket.sendall(b''.join(call(f'This is text {i}.') for i in range(3, 8)))
    for i in range(3, 8):
        client.read_answer(i)


def hurry_and_half_close(client):
    begin(client)
    client.socket.sendall(b''.join(call(f'This is text {i}.') for i in range(3, 6)))
    client.socket.shutdown(socket.SHUT_WR)
    for i in range(3, 6):
        client.read_answer(i)
    client.reads_end()


def hurry_and_close(client):
    begin(client)
    client.ask(3)


WAYS = (close_idle, reset_idle, half_close_idle, close_in_line, reset_in_line, half_close_in_line, close_in_head, close_in_body,
        close_unanswered, reset_unanswered, half_close_unanswered, hurry, hurry_and_half_close, hurry_and_close)


class KeptConnections(unittest.TestCase):
    def setUp(self):
        self.server = subprocess.Popen([SERVER, '--http'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = urllib.parse.urlsplit(self.server.stdout.readline().strip()).port

    def tearDown(self):
        self.server.stdin.close()
        self.assertEqual(self.server.wait(LIMIT_S), 0)
        self.server.stdout.close()

    def count_descriptors(self):
        return len(os.listdir(f'/proc/{self.server.pid}/fd'))

    def leave(self, way):
        with Client(self.port) as client:
            try:
                way(client)
            except (AssertionError, OSError) as error:
                return f'{way.__name__}: {error!r}'
        return None

    def test_leaving(self):
        with Client(self.port) as client:
            begin(client)
            before = self.count_descriptors()

        ways = list(itertools.chain.from_iterable(itertools.repeat(way, TIMES) for way in WAYS))
        random.Random(1).shuffle(ways)
        started = time.monotonic()
        with Client(self.port) as constant, concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
            begin(constant)
            problems = list(filter(None, threads.map(self.leave, ways)))
            self.assertEqual(problems, [])
            constant.ask()
            constant.read_answer(3)
            print(f'# {len(ways)} connections in {time.monotonic() - started:.1f} s', flush=True)

        deadline = time.monotonic() + LIMIT_S
        while self.count_descriptors() > before and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertLessEqual(self.count_descriptors(), before)


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clients over HTTP that send requests and do not read what they are answered: the endpoint keeps so many bytes for all of
them and no more, refuses what is beyond that, and serves those who read.

test-server-readers.py FLOOD_SERVER
"""
import json
import pathlib
import re
import socket
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import tap
from flooding import INTERNAL, LIMIT_S, META, MIB, MODERN, Case

# More than the kernel takes of one answer for a client that does not read.
LARGE = 6 * MIB
N_READERS = 10


class Reader:
    """A connection that takes as little as it can of what it is sent, until it is asked to read."""

    def __init__(self, port):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(LIMIT_S)
        self.socket.connect(('127.0.0.1', port))
        self.data = bytearray()

    def send(self, message, headers, user='ann'):
        body = json.dumps(message).encode()
        head = ''.join(f'{name}: {value}\r\n' for name, value in headers.items())
        self.socket.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {user}\r\nContent-Type: application/json\r\n'
                            f'Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n{head}\r\n'.encode() + body)

    def call(self, name, user='ann', **arguments):
        params = {'name': name, 'arguments': arguments, '_meta': META | {'progressToken': 1}}
        self.send({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': params},
                  {'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': name}, user)

    def read_some(self):
        part = self.socket.recv(1 << 20)
        self.data += part
        return part

    def read_status(self):
        """The first line is there as soon as there is an answer, however little is read of it."""
        while b'\r\n' not in self.data:
            if not self.read_some():
                return None
        return int(self.data.split()[1])

    def read_all(self):
        """What the answer says in the end, of an event or of the body."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * MIB)
        while b'\r\n\r\n' not in self.data:
            self.read_more()
        head = self.data.partition(b'\r\n\r\n')[0]
        length = re.search(rb'(?i)content-length: (\d+)', head)
        while len(self.data) < len(head) + 4 + int(length[1]) if length else not self.data.endswith(b'\r\n0\r\n\r\n'):
            self.read_more()
        body = bytes(self.data[len(head) + 4:])
        return json.loads(body if length else self.join_chunks(body).rpartition(b'data: ')[2])

    def read_more(self):
        if not self.read_some():
            raise AssertionError(f'the answer ends with {bytes(self.data[-100:])!r}')

    @staticmethod
    def join_chunks(body):
        parts = []
        while body:
            length, _, body = body.partition(b'\r\n')
            parts.append(body[:int(length, 16)])
            body = body[int(length, 16) + 2:]
        return b''.join(parts)

    def close(self):
        self.socket.close()


class ReadersCase(Case):
    def setUp(self):
        super().setUp()
        self.readers = []

    def tearDown(self):
        for reader in self.readers:
            reader.close()
        super().tearDown()

    def open_reader(self):
        self.readers.append(Reader(self.port))
        return self.readers[-1]


class Readers(ReadersCase):
    PROPERTIES = {'max-unread-bytes': 32 * MIB, 'max-kept-bytes': MIB}

    def check_others(self):
        """Others are served small answers, and refused large ones, while nobody reads."""
        self.check_served('ann')
        self.check_served('ben')
        refused = self.open_reader()
        refused.call('text', 'ben', bytes=LARGE)
        self.assertEqual(refused.read_status(), 503)
        self.assertEqual(refused.read_all()['error']['code'], INTERNAL)

    def check_room_again(self):
        for reader in self.readers:
            reader.close()
        self.readers.clear()
        # The server has seen that they are gone once there is room.
        while True:
            reader = self.open_reader()
            reader.call('text', 'ben', bytes=LARGE)
            if reader.read_status() == 200:
                break
        self.assertEqual(len(reader.read_all()['result']['content'][0]['text']), LARGE)

    def test_answers(self):
        """As many large answers as there is room for wait; the rest is refused at once."""
        statuses = []
        for _ in range(N_READERS):
            reader = self.open_reader()
            reader.call('text', bytes=LARGE)
            statuses.append(reader.read_status())
        self.assertEqual(statuses, [200] * 5 + [503] * (N_READERS - 5))
        self.check_grown(48 * MIB)
        self.check_others()
        # Whoever reads after all has the whole answer, and makes room for another.
        self.assertEqual(len(self.readers[0].read_all()['result']['content'][0]['text']), LARGE)
        again = self.open_reader()
        again.call('text', 'ben', bytes=LARGE)
        self.assertEqual(again.read_status(), 200)
        self.check_room_again()

    def test_answers_in_streams(self):
        """A stream that has begun can be no 503: where there is no room, it ends with an error in place of the answer."""
        for _ in range(N_READERS):
            reader = self.open_reader()
            reader.call('tell', steps=2, bytes=LARGE)
            self.assertEqual(reader.read_status(), 200)
        self.check_after_streams()

    def test_answers_in_sessions(self):
        session = self.open_session()
        for number in range(N_READERS):
            reader = self.open_reader()
            reader.send({'jsonrpc': '2.0', 'id': number, 'method': 'tools/call', 'params': {
                'name': 'tell', 'arguments': {'steps': 2, 'bytes': LARGE}, '_meta': {'progressToken': number}}}, session)
            self.assertEqual(reader.read_status(), 200)
        self.check_after_streams()

    def check_after_streams(self):
        # What is given later than those is answered after them.
        self.call('text', 'ben', bytes=1)
        self.assertTrue(self.is_full())
        self.check_served()
        self.check_grown(48 * MIB)
        answers = [reader.read_all() for reader in self.readers]
        codes = [answer['error']['code'] for answer in answers if 'error' in answer]
        whole = [answer for answer in answers if 'result' in answer]
        # As the first ones are read, those that were refused stay so.
        self.assertEqual((len(whole), codes), (5, [INTERNAL] * (N_READERS - 5)))
        self.assertTrue(all(len(answer['result']['content'][0]['text']) == LARGE for answer in whole))
        self.check_room_again()

    def is_full(self):
        reader = Reader(self.port)
        reader.call('text', 'ben', bytes=LARGE)
        status = reader.read_status()
        reader.close()
        return status == 503

    def test_events(self):
        """Reports of progress are left out where there is no room; the calls go on, and who reads hears of them."""
        full = [self.open_reader() for _ in range(5)]
        for reader in full:
            reader.call('text', bytes=LARGE)
            self.assertEqual(reader.read_status(), 200)
        for _ in range(N_READERS):
            reader = self.open_reader()
            reader.call('chat', steps=100, bytes=4000)
            self.assertEqual(reader.read_status(), 200)
        self.check_grown(48 * MIB)
        self.check_served()
        told = self.open_reader()
        told.call('tell', 'ben', steps=2, bytes=10)
        self.assertEqual(told.read_all()['result']['content'][0]['text'], 'x' * 10)


class NoRoom(ReadersCase):
    """There is room for five large answers, and for not a byte more."""

    def setUp(self):
        super().setUp()
        response = self.send_modern('tools/call', {'name': 'text', 'arguments': {'bytes': LARGE}}, named='text')
        self.PROPERTIES = {'max-unread-bytes': 5 * len(response.read()), 'max-kept-bytes': 1}
        response.whole.close()
        super().tearDown()
        super().setUp()

    def test_refusal(self):
        """What says that there is none comes all the same."""
        session = self.open_session()
        for _ in range(5):
            self.open_reader().call('text', bytes=LARGE)
        self.assertEqual([reader.read_status() for reader in self.readers], [200] * 5)
        refused = self.open_reader()
        refused.send({'jsonrpc': '2.0', 'id': 7, 'method': 'tools/call', 'params': {
            'name': 'tell', 'arguments': {'steps': 2, 'bytes': LARGE}, '_meta': {'progressToken': 7}}}, session)
        self.assertEqual(refused.read_status(), 200)
        answer = refused.read_all()
        self.assertEqual((answer['id'], answer['error']['code']), (7, INTERNAL))


class Bodies(Case):
    PROPERTIES = {'max-unanswered-bytes': 16 * MIB}

    def test_bodies(self):
        """Requests that are not answered have so many bytes together; one more is refused by its headers."""
        waiting = []
        for _ in range(5):
            waiting.append(Reader(self.port))
            waiting[-1].call('keep', text='x' * (3 * MIB))
        # What was sent is there once it counts.
        while True:
            reader = Reader(self.port)
            reader.call('echo', 'ben', text='x' * (3 * MIB))
            status = reader.read_status()
            reader.close()
            if status == 503:
                break
            # An answer that comes while its request is still sent can be lost with the connection.
            self.assertIn(status, (200, None))
        self.check_grown(96 * MIB)
        self.check_served()
        for reader in waiting:
            reader.close()
        while True:
            reader = Reader(self.port)
            reader.call('echo', 'ben', text='x' * (3 * MIB))
            status = reader.read_status()
            reader.close()
            if status == 200:
                break


if __name__ == '__main__':
    tap.main()

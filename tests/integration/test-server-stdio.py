#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The server over real pipes: how it starts, takes bad input and stops."""

import json
import os
import signal
import subprocess
import unittest

import tap

SERVER = os.environ['GMCP_TOOLS_SERVER']
META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}


def request(id, method, **params):
    return {'jsonrpc': '2.0', 'id': id, 'method': method, 'params': {**params, '_meta': META}}


def call(id, name, **arguments):
    return request(id, 'tools/call', name=name, arguments=arguments)


class Server:
    def __init__(self):
        self.process = subprocess.Popen([SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        self.write(''.join(json.dumps(message) + '\n' for message in messages).encode())

    def take(self):
        line = self.process.stdout.readline()
        assert line.endswith(b'\n'), line
        return json.loads(line)

    def end(self):
        """Closes the input; gives what still comes and the exit status."""
        self.process.stdin.close()
        rest = [json.loads(line) for line in self.process.stdout]
        return rest, self.process.wait(30)


class ServerStdio(unittest.TestCase):
    def test_pipeline(self):
        """What was asked before the input ended is answered, also what takes a while."""
        server = Server()
        server.send(request('L', 'subscriptions/listen', notifications={'toolsListChanged': True}))
        assert server.take()['method'] == 'notifications/subscriptions/acknowledged'
        server.send(call(1, 'slow', steps=5, step_ms=20), call(2, 'echo', text='x'))
        rest, status = server.end()
        assert status == 0, status
        assert sorted(str(message['id']) for message in rest if 'id' in message) == ['1', '2', 'L'], rest
        told = [message['params']['requestId'] for message in rest if message.get('method') == 'notifications/cancelled']
        assert told == ['L'], rest

    def test_meta(self):
        """A tool sees what its client sent in _meta, but for what the protocol puts there, in both eras."""
        trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
        sent = {'a/b': 1, 'progressToken': 't', 'io.modelcontextprotocol/related-task': {'taskId': 'x'},
                'traceparent': trace, 'tracestate': 'a=1', 'baggage': 'b=2'}
        server = Server()
        legacy = Server()
        legacy.send({'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {
            'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}}})
        legacy.take()
        legacy.send({'jsonrpc': '2.0', 'method': 'notifications/initialized'})
        for each, era in (server, META), (legacy, {}):
            each.send({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {
                'name': 'meta', '_meta': {**sent, **era}}})
            self.assertEqual(each.take()['result']['structuredContent'],
                             {'meta': {'a/b': 1}, 'trace': f'{trace}|a=1|b=2'})
            each.send({'jsonrpc': '2.0', 'id': 2, 'method': 'tools/call', 'params': {
                'name': 'meta', '_meta': {'traceparent': 'x', 'tracestate': 7, 'baggage': '', **era}}})
            self.assertEqual(each.take()['result']['structuredContent'], {'meta': None, 'trace': '||'})
            self.assertEqual(each.end()[1], 0)

    def test_no_last_newline(self):
        """What is no whole line is no message."""
        server = Server()
        server.write(json.dumps(call(1, 'echo', text='x')).encode())
        rest, status = server.end()
        assert status == 0, status
        assert rest[0]['id'] is None and rest[0]['error']['code'] == -32700, rest

    def test_endless_call(self):
        """A call that does not end holds the server up for a moment only."""
        server = Server()
        server.send(call(1, 'slow', steps=1000000, step_ms=50), call(2, 'echo', text='x'))
        assert server.take()['id'] == 2
        rest, status = server.end()
        assert status == 0 and rest == [], rest

    def test_sigterm(self):
        server = Server()
        server.send(request(1, 'subscriptions/listen', notifications={}), call(2, 'slow', steps=1000, step_ms=1000))
        server.take()
        server.process.send_signal(signal.SIGTERM)
        rest, status = server.end()
        assert status == 0, status
        assert (rest[0]['method'], rest[0]['params']['requestId']) == ('notifications/cancelled', 1), rest
        assert rest[1]['id'] == 1 and rest[1]['result']['resultType'] == 'complete', rest
        assert all(message.get('id') != 2 for message in rest), rest

    def test_no_reader(self):
        """The client no longer reads: the server ends, and no signal kills it."""
        server = Server()
        server.process.stdout.close()
        try:
            for i in range(1000):
                server.send(call(i, 'echo', text='x' * 1000))
        except BrokenPipeError:
            pass
        assert server.process.wait(30) == 0, server.process.returncode

    def test_bytes(self):
        """However the bytes are cut up, and whatever is between the messages."""
        server = Server()
        text = 'a\u00e9\u20ac\U0001f600"\\'
        for byte in b'\r\n\n' + json.dumps(call(1, 'echo', text=text), ensure_ascii=False).encode() + b'\r\n':
            server.write(bytes([byte]))
        assert server.take()['result']['content'][0]['text'] == text
        server.write(b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}\n' + b'[' * 200000 + b'\n')
        assert [server.take()['error']['code'] for _ in range(2)] == [-32700, -32700]
        server.send(call(2, 'echo', text='still here'))
        assert server.take()['id'] == 2
        assert server.end() == ([], 0)

    def test_large(self):
        """A line above the limit is refused, and the next one is served."""
        server = Server()
        for _ in range(100):
            server.write(b'x' * 1000000)
        server.write(b'\n')
        answer = server.take()
        assert answer['id'] is None and answer['error']['code'] == -32600, answer
        text = 'y' * 10000000
        server.send(call(1, 'echo', text=text))
        assert server.take()['result']['content'][0]['text'] == text
        assert server.end() == ([], 0)

    def test_closed_streams(self):
        """Without a standard input or output the program says so."""
        for closed in '<&-', '>&-':
            process = subprocess.run(['sh', '-c', f'exec "$0" {closed}', SERVER], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30)
            assert process.returncode == 1, process
            assert b'tools-server: Standard ' in process.stderr, process


if __name__ == '__main__':
    tap.main()

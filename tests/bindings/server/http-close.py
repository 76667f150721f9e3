#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An endpoint that is closed in order, in Python: what its callers see of it."""
import json
import pathlib
import socket
import sys
import unittest

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'integration'))
import tap

META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}


class Close(unittest.TestCase):
    def setUp(self):
        self.calls = []
        self.cancelled = []
        self.server = Gmcp.Server.new('closing', '1.0', None)
        self.server.add_tool(Gmcp.Tool.new('wait', 'Waits', '{"type": "object"}'), self.wait)
        self.endpoint = Gmcp.HttpEndpoint.new(self.server)
        self.closed = []

    def wait(self, call):
        self.calls.append(call)
        call.get_cancellable().connect(lambda *_: self.cancelled.append(call))

    def until(self, condition):
        while not condition():
            GLib.MainContext.default().iteration(True)

    def on_closed(self, endpoint, result):
        try:
            self.closed.append(endpoint.close_finish(result))
        except GLib.Error as error:
            self.closed.append(error)

    def send_call(self):
        uri = GLib.Uri.parse(self.endpoint.dup_uri(), GLib.UriFlags.NONE)
        body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'wait', 'arguments': {}, '_meta': META}}).encode()
        peer = socket.create_connection((uri.get_host(), uri.get_port()))
        peer.sendall(b'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
                     b'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wait\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
        self.until(lambda: self.calls)
        return peer

    def read_all(self, peer):
        with peer:
            return b''.join(iter(lambda: peer.recv(65536), b'')).decode()

    def test_one_that_does_not_serve(self):
        self.endpoint.close_async(None, self.on_closed)
        self.until(lambda: self.closed)
        self.assertEqual(self.closed, [True])

    def test_what_runs_is_waited_for(self):
        self.assertTrue(self.endpoint.listen(0))
        peer = self.send_call()
        self.endpoint.close_async(None, self.on_closed)
        self.endpoint.close_async(None, self.on_closed)
        self.until(lambda: self.closed)
        self.assertTrue(self.closed[0].matches(Gio.io_error_quark(), Gio.IOErrorEnum.PENDING), self.closed)
        self.assertEqual(self.cancelled, [])
        self.calls.pop().return_result(Gmcp.ToolResult.new_text('done at last'))
        self.until(lambda: len(self.closed) == 2)
        self.assertIs(self.closed[1], True)
        self.assertIn('done at last', self.read_all(peer))
        self.assertIsNone(self.endpoint.dup_uri())
        self.assertTrue(self.endpoint.listen(0))
        self.endpoint.close()

    def test_a_time_limit(self):
        self.endpoint.props.close_timeout_ms = 0
        self.endpoint.listen(0)
        peer = self.send_call()
        self.endpoint.close_async(None, self.on_closed)
        self.until(lambda: self.closed)
        self.assertEqual((self.closed, len(self.cancelled)), ([True], 1))
        self.assertIn(' 503 ', self.read_all(peer))

    def test_who_does_not_wait_any_more(self):
        for end in (lambda cancellable: cancellable.cancel(), lambda _: self.endpoint.close()):
            self.closed, self.calls, self.cancelled = [], [], []
            self.endpoint.listen(0)
            peer = self.send_call()
            cancellable = Gio.Cancellable()
            self.endpoint.close_async(cancellable, self.on_closed)
            end(cancellable)
            self.until(lambda: self.closed)
            self.assertEqual((self.closed, len(self.cancelled)), ([True], 1))
            peer.close()


if __name__ == '__main__':
    tap.main()

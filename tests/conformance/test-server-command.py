#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What `./dev conformance server-command PORT` prints starts a server where it says."""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests' / 'integration'))
import tap

ENV = {**os.environ, 'GMCP_DEV_IS_BUILT': 'yes'}
REVISION = '2026-07-28'
DISCOVER = {'jsonrpc': '2.0', 'id': 1, 'method': 'server/discover', 'params': {'_meta': {
    'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientInfo': {'name': 'test', 'version': '1'},
    'io.modelcontextprotocol/clientCapabilities': {}}}}


def find_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def ask(url):
    request = urllib.request.Request(url, json.dumps(DISCOVER).encode(), {
        'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream', 'MCP-Protocol-Version': REVISION,
        'Mcp-Method': 'server/discover'})
    # Whatever proxy the machine has is not for this.
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        return json.load(answer)


@unittest.skipUnless(pathlib.Path(os.environ['GMCP_BUILD_DIR']).resolve() == ROOT / 'build', './dev knows the folder build alone')
class ServerCommand(unittest.TestCase):
    def test_server(self):
        port = find_port()
        printed = subprocess.run([ROOT / 'dev', 'conformance', 'server-command', str(port)], stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, check=True, env=ENV)
        command, url = printed.stdout.splitlines()[-2:]
        self.assertEqual(url, f'http://127.0.0.1:{port}/mcp')
        server = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=ENV)
        self.addCleanup(server.kill)
        while True:
            self.assertIsNone(server.poll())
            try:
                found = ask(url)
                break
            except urllib.error.URLError as error:
                self.assertIsInstance(error.reason, ConnectionRefusedError, error)
                time.sleep(0.1)
        self.assertIn(REVISION, found['result']['supportedVersions'])
        server.stdin.close()
        self.assertEqual(server.wait(), 0)


if __name__ == '__main__':
    tap.main()

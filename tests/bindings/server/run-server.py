#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Speaks to the server of server.py as a client would, over its pipes: run-server.py COMMAND…"""
import json
import subprocess
import sys


class Peer:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.last_id = 0

    def send(self, **message):
        self.process.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')

    def request(self, method, **params):
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        answer = json.loads(self.process.stdout.readline())
        print(method, '->', json.dumps(answer))
        assert answer['id'] == self.last_id
        return answer

    def call(self, **arguments):
        return self.request('tools/call', name='count_words', arguments=arguments)


def main():
    peer = Peer(sys.argv[1:])
    opened = peer.request('initialize', protocolVersion='2025-11-25', capabilities={},
                          clientInfo={'name': 'test', 'version': '1'})
    assert opened['result']['serverInfo']['name'] == 'words'
    peer.send(method='notifications/initialized')

    tools = peer.request('tools/list')['result']['tools']
    assert [tool['name'] for tool in tools] == ['count_words']
    assert peer.call(text='to be or not')['result']['content'][0]['text'] == '4 words'

    # What the schema does not allow never reaches the function, which would raise an exception.
    refused = peer.call(text=4)
    assert 'error' in refused or refused['result']['isError'], refused
    assert peer.call(text='still here')['result']['content'][0]['text'] == '2 words'

    peer.process.stdin.close()
    assert peer.process.wait() == 0, 'it ends when its input does'


if __name__ == '__main__':
    main()

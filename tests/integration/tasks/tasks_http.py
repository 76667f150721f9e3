# SPDX-License-Identifier: LGPL-2.1-or-later
"""Requests of revision 2026-07-28 to gmcp-tasks over HTTP, each on its own."""
import json
import urllib.request

PATIENCE = 60
META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': {'name': 'tests', 'version': '1'},
        'io.modelcontextprotocol/clientCapabilities': {}}


def send(url, method, headers=None, **params):
    message = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {**params, '_meta': META}}
    names = {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
             'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, **(headers or {})}
    if 'name' in params:
        names['Mcp-Name'] = params['name']
    return urllib.request.urlopen(urllib.request.Request(url, json.dumps(message).encode(), names), timeout=PATIENCE)


def post(url, method, headers=None, **params):
    with send(url, method, headers, **params) as answer:
        return json.load(answer)


def listen(url, uris, headers=None):
    """The open answer, whose messages read_events() gives."""
    return send(url, 'subscriptions/listen', headers, notifications={'resourceSubscriptions': uris})


def read_events(answer):
    for line in answer:
        if line.startswith(b'data:'):
            yield json.loads(line[5:])


def post_call(url, tool, headers=None, **arguments):
    return post(url, 'tools/call', headers, name=tool, arguments=arguments)['result']['structuredContent']

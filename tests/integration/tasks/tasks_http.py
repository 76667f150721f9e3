# SPDX-License-Identifier: LGPL-2.1-or-later
"""Requests of revision 2026-07-28 to gmcp-tasks over HTTP, each on its own."""
import json
import urllib.request

PATIENCE = 60
META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': {'name': 'tests', 'version': '1'},
        'io.modelcontextprotocol/clientCapabilities': {}}


def post(url, method, headers=None, **params):
    message = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {**params, '_meta': META}}
    names = {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
             'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, **(headers or {})}
    if 'name' in params:
        names['Mcp-Name'] = params['name']
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(message).encode(), names), timeout=PATIENCE) as answer:
        return json.load(answer)


def post_call(url, tool, headers=None, **arguments):
    return post(url, 'tools/call', headers, name=tool, arguments=arguments)['result']['structuredContent']

# SPDX-License-Identifier: LGPL-2.1-or-later
"""A client of the gateway over HTTP."""
import json
import urllib.error
import urllib.request


def send(address, token, method, headers=(), **params):
    """The status, and the result of the request."""
    meta = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}
    body = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {**params, '_meta': meta}}
    headers = {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream', 'Mcp-Method': method,
               'MCP-Protocol-Version': '2026-07-28', **dict(headers)}
    if 'name' in params:
        headers['Mcp-Name'] = params['name']
    if token:
        headers['Authorization'] = f'Bearer {token}'
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, None
    lines = [line.removeprefix('data:') for line in text.splitlines() if line.startswith(('data:', '{'))]
    return 200, json.loads(lines[-1]).get('result')


def list_tools(address, token=None, **headers):
    """The status, and the names of the tools."""
    status, result = send(address, token, 'tools/list', headers)
    return status, [tool['name'] for tool in result['tools']] if result else []

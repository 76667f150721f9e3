# SPDX-License-Identifier: LGPL-2.1-or-later
"""Requests over HTTP that are written byte by byte, since what is wrong with them is for a test to say."""
import json
import re
import socket

LIMIT_S = 60
MODERN, LEGACY = '2026-07-28', '2025-11-25'
PARSE, INVALID, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
MISMATCH, CAPABILITY, VERSION = -32020, -32021, -32022
VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
META = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}
CLOSED = 'closed'  # the connection, without an answer


def post(body, line='POST /mcp HTTP/1.1', chunked=False, length=None, tail=b'', **headers):
    """A whole request; headers that are None are left out, and underscores stand for dashes."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {'Host': 'localhost', 'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
             'Content-Length': None if chunked else len(text) if length is None else length,
             'Transfer-Encoding': 'chunked' if chunked else None}
    given |= {name.replace('_', '-'): value for name, value in headers.items()}
    head = ''.join(f'{name}: {value}\r\n' for name, value in given.items() if value is not None)
    return f'{line}\r\n{head}\r\n'.encode('latin-1') + text + tail


def without(body, *names):
    return {name: value for name, value in body.items() if name not in names}


def ask(port, request):
    """Status (or CLOSED), headers and body of the answer; each request has a connection of its own."""
    with socket.create_connection(('127.0.0.1', port), timeout=LIMIT_S) as peer:
        data = b''
        try:
            peer.sendall(request)
            while True:
                part = peer.recv(65536)
                data += part
                head, found, body = data.partition(b'\r\n\r\n')
                length = re.search(rb'(?i)content-length: (\d+)', head)
                if not part or (found and (length and len(body) >= int(length[1]) or b'\r\n0\r\n\r\n' in data or b' 204 ' in head[:14])):
                    break
                if found and b'HEAD' == request[:4]:
                    break
        except ConnectionError:
            pass
    head, _, body = data.partition(b'\r\n\r\n')
    match = re.match(rb'HTTP/1\.[01] (\d+)', head)
    return int(match[1]) if match else CLOSED, head, body


def read_code(body):
    try:
        error = json.loads(body[body.index(b'{'):body.rindex(b'}') + 1]).get('error')
    except ValueError:
        return None
    return error and error['code']

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server whose resources change: changing-server.py [--legacy] [--at-once]

The tool `touch` changes a resource, the method `x/echo` gives its parameters back. With --at-once all that
is subscribed to changes right after the acknowledgement, and then a tool appears.
"""
import json
import sys

LEGACY = '--legacy' in sys.argv
AT_ONCE = '--at-once' in sys.argv
CAPABILITIES = {'tools': {'listChanged': True}, 'resources': {'subscribe': True, 'listChanged': True}}
SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'

streams = {}  # Filters by the id of their request.
subscribed = set()


def send(message):
    print(json.dumps({'jsonrpc': '2.0', **message}), flush=True)


def notify(method, params, stream=None):
    meta = {} if stream is None else {'_meta': {SUBSCRIPTION: stream}}
    send({'method': f'notifications/{method}', 'params': {**params, **meta}})


def tell_updated(uri):
    if uri in subscribed:
        notify('resources/updated', {'uri': uri})
    for stream, wanted in streams.items():
        if uri in wanted.get('resourceSubscriptions', []):
            notify('resources/updated', {'uri': uri}, stream)


def tell_all(uris):
    for uri in uris:
        tell_updated(uri)
    if LEGACY:
        notify('tools/list_changed', {})
    for stream, wanted in streams.items():
        if wanted.get('toolsListChanged'):
            notify('tools/list_changed', {}, stream)


def call(params):
    tell_updated(params['arguments']['uri'])
    notify('x/touched', {'uri': params['arguments']['uri']})
    return {'content': [{'type': 'text', 'text': 'touched'}]}


def listen(request, params):
    wanted = {key: value for key, value in params['notifications'].items() if key != 'promptsListChanged'}
    streams[request] = wanted
    notify('subscriptions/acknowledged', {'notifications': wanted}, request)


HANDLERS = {
    'ping': lambda params: {},
    'tools/list': lambda params: {'tools': [{'name': 'touch', 'inputSchema': {'type': 'object'}}]},
    'tools/call': call,
    'x/echo': lambda params: params,
}
HANDLERS |= {
    'initialize': lambda params: {
        'protocolVersion': '2025-11-25', 'capabilities': CAPABILITIES, 'serverInfo': {'name': 'c', 'version': '1'}},
    'resources/subscribe': lambda params: subscribed.add(params['uri']) or {},
    'resources/unsubscribe': lambda params: subscribed.discard(params['uri']) or {},
} if LEGACY else {
    'server/discover': lambda params: {'supportedVersions': ['2026-07-28'], 'capabilities': CAPABILITIES},
}

for line in sys.stdin:
    message = json.loads(line)
    method, params = message['method'], message.get('params', {})
    if method == 'notifications/cancelled':
        streams.pop(params['requestId'], None)
    elif method == 'subscriptions/listen' and not LEGACY:
        listen(message['id'], params)
    elif method in HANDLERS:
        send({'id': message['id'], 'result': HANDLERS[method](params)})
    elif 'id' in message:
        send({'id': message['id'], 'error': {'code': -32601, 'message': 'Method not found'}})
    if AT_ONCE and method == 'resources/subscribe':
        tell_all([params['uri']])
    elif AT_ONCE and method == 'subscriptions/listen':
        tell_all(params['notifications'].get('resourceSubscriptions', []))

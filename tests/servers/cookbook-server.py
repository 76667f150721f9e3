#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) for the guide's cookbook.

Tools: divide divides a by b, or says that it cannot; count tells how far it is on the way to `to`; refuse gives an
error of the protocol, with data; hang never answers, but tells that it has begun, and on standard error when it is
cancelled; reserve asks for the day first.
"""
import json
import sys

waiting = {}


def send(**message):
    print(json.dumps({'jsonrpc': '2.0', **message}), flush=True)


def answer(id_, text, is_error=False):
    send(id=id_, result={'content': [{'type': 'text', 'text': text}], 'isError': is_error})


def call(id_, name, arguments, token):
    if name == 'divide':
        if arguments['b'] == 0:
            answer(id_, 'b is 0: give another one', True)
        else:
            answer(id_, f'{arguments["a"] / arguments["b"]:g}')
    elif name == 'count':
        for step in range(1, arguments['to'] + 1):
            if token is not None:
                send(method='notifications/progress',
                     params={'progressToken': token, 'progress': step, 'total': arguments['to'], 'message': f'step {step}'})
        answer(id_, 'counted')
    elif name == 'refuse':
        send(id=id_, error={'code': -32001, 'message': 'Not today', 'data': {'again': 'tomorrow'}})
    elif name == 'hang' and token is not None:
        send(method='notifications/progress', params={'progressToken': token, 'progress': 0, 'total': 1, 'message': 'begun'})
    elif name == 'reserve':
        waiting[f'day-{id_}'] = id_
        send(id=f'day-{id_}', method='elicitation/create', params={
            'message': f'Which day for {arguments["guest"]}?',
            'requestedSchema': {'type': 'object', 'properties': {'day': {'type': 'string', 'enum': ['Monday', 'Tuesday']}},
                                'required': ['day']}})


def reserve(id_, reply):
    answer(id_, f'reserved for {reply["content"]["day"]}' if reply['action'] == 'accept' else 'not reserved')


for line in sys.stdin:
    message = json.loads(line)
    id_, method, params = message.get('id'), message.get('method'), message.get('params', {})
    if method == 'initialize':
        send(id=id_, result={'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},
                             'serverInfo': {'name': 'cookbook', 'version': '1'}})
    elif method == 'tools/list':
        send(id=id_, result={'tools': [{'name': name, 'inputSchema': {'type': 'object'}}
                                       for name in ('divide', 'count', 'refuse', 'hang', 'reserve')]})
    elif method == 'tools/call':
        call(id_, params['name'], params.get('arguments', {}), params.get('_meta', {}).get('progressToken'))
    elif method == 'notifications/cancelled':
        print('cancelled', file=sys.stderr, flush=True)
    elif method == 'ping':
        send(id=id_, result={})
    elif method is None and id_ in waiting:
        reserve(waiting.pop(id_), message['result'])
    elif id_ is not None:
        send(id=id_, error={'code': -32601, 'message': 'Method not found'})

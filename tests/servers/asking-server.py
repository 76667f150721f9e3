#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) that asks before it answers.

Tools: form asks for some fields, visit wants an address to be visited,
sly hides what it can in a long question, alike has an address whose host looks like another, pay refuses with the error that says so
until that is done, think asks the model, withdraw asks for the fields, withdraws that when it can read from the file “go”,
and asks once more; log logs a line before it answers; meta gives the request's _meta; late is never answered, and asks when another tool is called. The prompts and the resources ask:… ask as the tools of that name. Each gives the answer as JSON text; capabilities gives those of the client.
"""
import json
import sys

FORM = {
    'message': 'Who\u001b[31m are\nyou?',
    'requestedSchema': {
        'type': 'object',
        'properties': {
            'name': {'type': 'string', 'title': 'Your name', 'description': 'As on the door', 'minLength': 2},
            'age': {'type': 'integer', 'minimum': 18, 'default': 30},
            'color': {'type': 'string', 'oneOf': [{'const': '#f00', 'title': 'Red'}, {'const': '#0f0', 'title': 'Green'}]},
            'many': {'type': 'array', 'items': {'type': 'string', 'enum': ['x', 'y', 'z']}, 'minItems': 1},
            'news': {'type': 'boolean', 'default': False},
        },
        'required': ['name', 'color', 'many'],
    },
}
VISIT = {'mode': 'url', 'message': 'Please sign in', 'url': 'http://shop.example/pay', 'elicitationId': 'v1'}
SLY = {
    'message': 'Sure\u202e?\U000e0041 ' + 'word ' * 1000 + 'the end',
    'requestedSchema': {'type': 'object', 'properties': {
        'sly': {'type': 'string', 'title': 'Which\u200b', 'default': 'a\u2066b',
                'oneOf': [{'const': 'a\u2066b', 'title': 'First\u3164'}, {'const': 'c', 'title': 'c'}]}}}}
ALIKE = {'mode': 'url', 'message': 'Sign in', 'url': 'https://\u0430pple.example/', 'elicitationId': 'v2'}
THINK = {'messages': [{'role': 'user', 'content': {'type': 'text', 'text': '6 × 7?'}}], 'maxTokens': 9}
QUESTIONS = {
    'form': ('elicitation/create', FORM),
    'visit': ('elicitation/create', VISIT),
    'sly': ('elicitation/create', SLY),
    'alike': ('elicitation/create', ALIKE),
    'think': ('sampling/createMessage', THINK),
}

waiting = {}
late = []
capabilities = {}
paid = False


def send(*messages):
    print('\n'.join(json.dumps({'jsonrpc': '2.0', **message}) for message in messages), flush=True)


def give_tool(text):
    return {'content': [{'type': 'text', 'text': text}]}


def give_prompt(text):
    return {'messages': [{'role': 'user', 'content': {'type': 'text', 'text': text}}]}


def give_resource(text):
    return {'contents': [{'uri': 'ask:it', 'text': text}]}


def answer(id_, value, give=give_tool):
    send({'id': id_, 'result': give(json.dumps(value))})


def ask(id_, name, give=give_tool, number=1, before=()):
    method, params = QUESTIONS[name]
    waiting[f'question-{id_}-{number}'] = id_, give
    send(*before, {'id': f'question-{id_}-{number}', 'method': method, 'params': params})


def call(id_, name, arguments):
    global paid
    if late and name != 'late':
        ask(late.pop(), 'form')
    if name == 'late':
        late.append(id_)
    elif name in QUESTIONS:
        ask(id_, name)
    elif name == 'log':
        send({'method': 'notifications/message', 'params': {'level': 'notice', 'data': 'at work'}})
        answer(id_, 'logged')
    elif name == 'meta':
        answer(id_, message['params'].get('_meta'))
    elif name == 'withdraw':
        ask(id_, 'form')
        with open(arguments['go'], encoding='utf-8') as go:
            go.read()
        # At once, so that there is no time between the two.
        ask(id_, 'form', number=2, before=[{'method': 'notifications/cancelled', 'params': {'requestId': f'question-{id_}-1'}}])
    elif name == 'pay' and not paid:
        paid = True
        send({'id': id_, 'error': {'code': -32042, 'message': 'Pay first', 'data': {'elicitations': [VISIT]}}})
    elif name == 'pay':
        paid = False
        answer(id_, 'paid')
    elif name == 'visited':
        send({'method': 'notifications/elicitation/complete', 'params': {'elicitationId': VISIT['elicitationId']}})
        answer(id_, 'told')
    else:
        answer(id_, capabilities)


for line in sys.stdin:
    message = json.loads(line)
    id_ = message.get('id')
    method = message.get('method')
    if method == 'initialize':
        capabilities = message['params']['capabilities']
        send({'id': id_, 'result': {
            'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}, 'prompts': {}, 'resources': {}},
            'serverInfo': {'name': 'asking', 'version': '1'}}})
    elif method == 'tools/list':
        names = [*QUESTIONS, 'pay', 'visited', 'withdraw', 'late', 'log', 'meta', 'capabilities']
        tools = [{'name': name, 'inputSchema': {'type': 'object'}} for name in names]
        # Whoever serves it to others may let their calls be tasks.
        tools[names.index('log')]['execution'] = {'taskSupport': 'optional'}
        send({'id': id_, 'result': {'tools': tools}})
    elif method == 'prompts/list':
        send({'id': id_, 'result': {'prompts': [{'name': name} for name in QUESTIONS]}})
    elif method == 'resources/list':
        send({'id': id_, 'result': {'resources': [{'uri': f'ask:{name}', 'name': name} for name in QUESTIONS]}})
    elif method == 'tools/call':
        call(id_, message['params']['name'], message['params'].get('arguments', {}))
    elif method == 'prompts/get':
        ask(id_, message['params']['name'], give_prompt)
    elif method == 'resources/read':
        ask(id_, message['params']['uri'].removeprefix('ask:'), give_resource)
    elif method is None and id_ in waiting:
        request, give = waiting.pop(id_)
        answer(request, message.get('result') or message['error'], give)
    elif id_ is not None and method is not None:
        send({'id': id_, 'error': {'code': -32601, 'message': 'Method not found'}})

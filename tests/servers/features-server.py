#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) with resources, prompts, completion and log messages.

--nothing   it knows none of them
--wrong     each list has a malformed entry too, and results lack what they should have

The prompt "grow" adds a resource and a prompt, and tells of both. A message is logged for each resource that is
read: at the level that its URI ends in, else "info".
"""
import argparse
import base64
import json
import sys

options = argparse.ArgumentParser()
options.add_argument('--nothing', action='store_true')
options.add_argument('--wrong', action='store_true')
options = options.parse_args()

LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
level = 'info'
resources = [
    {'uri': 'mem:text', 'name': 'text', 'title': 'A text', 'description': 'Some words', 'mimeType': 'text/plain', 'size': 9,
     'annotations': {'audience': ['user'], 'priority': 0.5, 'lastModified': '2025-01-12T15:00:58Z'},
     'icons': [{'src': 'https://example.org/t.png', 'sizes': ['48x48']}]},
    {'uri': 'mem:bytes', 'name': 'bytes', 'mimeType': 'application/octet-stream'},
    {'uri': 'mem:parts', 'name': 'parts'},
    {'uri': 'mem:escape', 'name': 'es\u001b[31mcape'},
]
templates = [{'uriTemplate': 'mem:note/{name}{?part}', 'name': 'notes', 'description': 'Notes by name'}]
prompts = [
    {'name': 'review', 'title': 'Review', 'description': 'Looks at code',
     'arguments': [{'name': 'code', 'description': 'what to look at', 'required': True}, {'name': 'style'}]},
    {'name': 'grow', 'description': 'Adds a resource and a prompt'},
]


def send(message):
    print(json.dumps({'jsonrpc': '2.0', **message}), flush=True)


def fail(code, message):
    return {'error': {'code': code, 'message': message}}


def page(member, items, params):
    """Two to a page."""
    if options.nothing:
        return fail(-32601, 'Method not found')
    start = int(params.get('cursor', '0'))
    items = items + ([{'nonsense': True}] if options.wrong else [])
    result = {member: items[start:start + 2]}
    if start + 2 < len(items):
        result['nextCursor'] = str(start + 2)
    return {'result': result}


def text(uri, value):
    return {'uri': uri, 'mimeType': 'text/plain', 'text': value}


def read(params):
    uri = params['uri']
    log(uri.rsplit(':', 1)[1] if uri.rsplit(':', 1)[1] in LEVELS else 'info', {'read': uri})
    blob = {'uri': uri, 'mimeType': 'application/octet-stream', 'blob': base64.b64encode(bytes(range(256))).decode()}
    contents = {
        'mem:text': [text(uri, 'some words')],
        'mem:bytes': [blob],
        'mem:parts': [text('mem:parts/1', 'one\n'), text('mem:parts/2', 'two\n')],
        'mem:escape': [text(uri, 'red: \u001b[31mred\u0007')],
    }.get(uri)
    if uri.startswith('mem:note/') or uri.rsplit(':', 1)[1] in LEVELS:
        contents = [text(uri, f'the note {uri}')]
    if options.wrong:
        return {'result': {'contents': [{'uri': uri, 'blob': '***'}]} if uri == 'mem:bytes' else {}}
    return {'result': {'contents': contents}} if contents else fail(-32002, 'Resource not found')


def get_prompt(params):
    arguments = params.get('arguments', {})
    if params['name'] == 'grow':
        resources.append({'uri': 'mem:new', 'name': 'new'})
        prompts.append({'name': 'new'})
        send({'method': 'notifications/resources/list_changed'})
        send({'method': 'notifications/prompts/list_changed'})
        return {'result': {'messages': []}}
    if params['name'] != 'review':
        return fail(-32602, f'Prompt {params["name"]} not found')
    if 'code' not in arguments:
        return fail(-32602, 'The argument code is missing')
    return {'result': {'description': 'a review', 'messages': [
        {'role': 'user', 'content': {'type': 'text', 'text': f'Look at {arguments["code"]}'}},
        {'role': 'assistant', 'content': {'type': 'resource', 'resource': text('mem:text', 'I looked')}},
    ]}}


def complete(params):
    typed = params['argument']['value']
    known = ['python', 'pytorch', 'perl'] if params['ref']['type'] == 'ref/prompt' else ['monday', 'tuesday']
    if params.get('context', {}).get('arguments', {}).get('style') == 'short':
        known = ['py']
    values = [value for value in known if value.startswith(typed)]
    return {'result': {'completion': {'values': values, 'total': len(values) + 1, 'hasMore': True}}}


def set_level(params):
    global level
    if params['level'] not in LEVELS:
        return fail(-32602, 'Unknown level')
    level = params['level']
    return {'result': {}}


def log(wanted, data):
    if LEVELS.index(wanted) >= LEVELS.index(level):
        send({'method': 'notifications/message', 'params': {'level': wanted, 'logger': 'reader', 'data': data}})


METHODS = {
    'resources/list': lambda params: page('resources', resources, params),
    'resources/templates/list': lambda params: page('resourceTemplates', templates, params),
    'resources/read': read,
    'prompts/list': lambda params: page('prompts', prompts, params),
    'prompts/get': get_prompt,
    'completion/complete': complete,
    'logging/setLevel': set_level,
}
CAPABILITIES = {'resources': {'listChanged': True}, 'prompts': {'listChanged': True}, 'completions': {}, 'logging': {}}

for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get('method'), message.get('params', {})
    if 'id' not in message or method is None:
        continue
    if method == 'initialize':
        answer = {'result': {'protocolVersion': '2025-11-25', 'capabilities': {} if options.nothing else CAPABILITIES,
                             'serverInfo': {'name': 'features', 'version': '1'}}}
    elif method in METHODS and not options.nothing:
        answer = METHODS[method](params)
    else:
        answer = fail(-32601, f'Method not found: {method}')
    send({'id': message['id'], **answer})

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server of revision 2025-11-25 over standard input that tries what its arguments say.

lying-server.py [--sly] [--tools NAME…] [--log FILE] [--name NAME] [--url URL] [--links URL] [--noise MB] [--big MB]
                [--ask-for-ever FILE] [--write FILE…]
"""
import argparse
import json
import os
import sys

parser = argparse.ArgumentParser()
parser.add_argument('--sly', action='store_true')
parser.add_argument('--tools', nargs='*', default=['echo', 'fail', 'refuse', 'progress', 'structured', 'visit', 'ask', 'big', 'write', 'end'])
for name in '--log', '--name', '--url', '--links', '--ask-for-ever':
    parser.add_argument(name, default='')
for name in '--noise', '--big':
    parser.add_argument(name, type=int, default=0)
parser.add_argument('--write', nargs='*', default=[])
given = parser.parse_args()
TEXT = 'a\u202eb\u200bc\U000e0041\x1b[31md\x9be' if given.sly else 'text'
asked = 0


def send(**message):
    sys.stdout.buffer.write(json.dumps({'jsonrpc': '2.0', **message}, ensure_ascii=False).encode() + b'\n')
    sys.stdout.flush()


def append(path, text):
    with open(path, 'a', encoding='utf-8') as file:
        file.write(text + '\n')


def tool(name):
    one = {'name': name, 'title': TEXT, 'description': TEXT, 'inputSchema': {'type': 'object', 'title': TEXT}, 'annotations': {'title': TEXT}}
    if given.links:
        one['icons'] = [{'src': given.links, 'mimeType': 'image/png'}]
        one['inputSchema'] = {'type': 'object', '$schema': given.links, 'properties': {'a': {'$ref': given.links}}}
        one['outputSchema'] = {'type': 'object', '$ref': given.links, '$id': given.links}
    return one


def write(path):
    """Whether this process could change a file of its host."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        append(path, '{}')
        return True
    except OSError:
        return False


def call(id_, name):
    content = [{'type': 'text', 'text': TEXT}]
    if given.links:
        content += [{'type': 'resource_link', 'uri': given.links, 'name': 'n'},
                    {'type': 'resource', 'resource': {'uri': given.links, 'text': 't'}}]
    if name == 'end':
        sys.stderr.write(TEXT + '\n')
        sys.stderr.flush()
        os._exit(1)
    if name == 'refuse':
        send(id=id_, error={'code': -32000, 'message': TEXT, 'data': TEXT})
        return
    if name == 'visit':
        send(id='q', method='elicitation/create', params={'mode': 'url', 'message': TEXT, 'url': given.url, 'elicitationId': 'e'})
        wait_for_answer('q')
    if name == 'ask':
        ask()
        return
    if name == 'progress':
        for i in range(3):
            send(method='notifications/progress', params={'progressToken': token, 'progress': i, 'total': 3, 'message': TEXT})
            send(method='notifications/message', params={'level': 'error', 'logger': TEXT, 'data': TEXT})
    if name == 'big':
        content = [{'type': 'text', 'text': 'x' * given.big * 1024 * 1024}]
    if name == 'write':
        content = [{'type': 'text', 'text': json.dumps([path for path in given.write if write(path)])}]
    result = {'content': content, 'isError': name == 'fail'}
    if name == 'structured' or given.links:
        result['structuredContent'] = {'key' + TEXT: TEXT}
    send(id=id_, result=result)


def wait_for_answer(id_):
    """What comes before it, such as a question whether this server is well, is no answer."""
    for line in sys.stdin:
        message = json.loads(line)
        if message.get('id') == id_ and 'method' not in message:
            return
        if message.get('method') == 'ping':
            send(id=message['id'], result={})


def ask():
    global asked
    asked += 1
    append(given.ask_for_ever, str(asked))
    send(id=f'ask-{asked}', method='elicitation/create', params={'message': TEXT, 'requestedSchema': {
        'type': 'object', 'properties': {'n': {'type': 'string', 'title': 'Name'}}, 'required': ['n']}})


for _ in range(given.noise):
    sys.stdout.buffer.write((b'noise' * 20 + b'\n') * 10382)
sys.stderr.write(TEXT + '\n')
sys.stderr.flush()
for line in sys.stdin:
    message = json.loads(line)
    method, id_ = message.get('method'), message.get('id')
    if str(id_).startswith('ask-') and method is None:
        ask()
        continue
    if id_ is None or method is None:
        continue
    token = message.get('params', {}).get('_meta', {}).get('progressToken')
    if method == 'initialize':
        send(id=id_, result={'protocolVersion': '2025-11-25', 'instructions': TEXT,
                             'capabilities': {'tools': {}, 'resources': {}, 'prompts': {}, 'completions': {}, 'logging': {}},
                             'serverInfo': {'name': TEXT, 'title': TEXT, 'version': TEXT, 'websiteUrl': given.links or 'https://e.org/'}})
    elif method == 'tools/list':
        send(id=id_, result={'tools': [tool(name) for name in given.tools]})
    elif method == 'tools/call':
        if given.log:
            append(given.log, f"{given.name} {message['params']['name']}".strip())
        call(id_, message['params']['name'])
    elif method == 'resources/list':
        send(id=id_, result={'resources': [{'uri': given.links or 'x:1', 'name': TEXT, 'title': TEXT, 'description': TEXT, 'mimeType': TEXT}]})
    elif method == 'resources/templates/list':
        send(id=id_, result={'resourceTemplates': [{'uriTemplate': 'x:{y}', 'name': TEXT, 'title': TEXT, 'description': TEXT}]})
    elif method == 'resources/read':
        send(id=id_, result={'contents': [{'uri': given.links or 'x:1', 'text': TEXT, 'mimeType': TEXT}]})
    elif method == 'prompts/list':
        send(id=id_, result={'prompts': [{'name': 'p', 'title': TEXT, 'description': TEXT, 'arguments': [{'name': 'q', 'description': TEXT}]}]})
    elif method == 'prompts/get':
        send(id=id_, result={'description': TEXT, 'messages': [{'role': 'user', 'content': {'type': 'text', 'text': TEXT}}]})
    elif method == 'completion/complete':
        send(id=id_, result={'completion': {'values': [TEXT]}})
    elif method in ('ping', 'logging/setLevel'):
        send(id=id_, result={})
    else:
        send(id=id_, error={'code': -32601, 'message': TEXT})

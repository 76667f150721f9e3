#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) with resources and prompts, for tests of what
keeps and gathers them.

--resource URI=TEXT  one that can be read; the text is followed by how often it was read
--slow URI           is answered only once there is the file of --gate
--gate FILE
--ttl MS             the hint that comes with what is read
--template URI       one whose resources can be read: `x:{name}`; its variable and topics can be completed
--prompt NAME        one that can be got, with the argument `topic`
--changes            has a tool `add` with an argument `uri` that adds a resource, or changes it, and tells of it
--instructions TEXT
--silent             does not answer any request but those of the handshake, of its lists and pings
--late FILE          answers the list of tools, and what comes after it, once there is such a file
--need FILE          ends at once where there is no such file
--log FILE           each start and each read as a line

Its other tool, exit, ends the server.
"""
import argparse
import json
import os
import sys
import threading
import time

options = argparse.ArgumentParser()
options.add_argument('--resource', action='append', default=[])
options.add_argument('--slow', action='append', default=[])
options.add_argument('--gate')
options.add_argument('--ttl', type=int)
options.add_argument('--template', action='append', default=[])
options.add_argument('--changes', action='store_true')
options.add_argument('--prompt', action='append', default=[])
options.add_argument('--instructions')
options.add_argument('--silent', action='store_true')
options.add_argument('--late')
options.add_argument('--need')
options.add_argument('--log')
options = options.parse_args()

resources = dict(entry.split('=', 1) for entry in options.resource)
reads = {}
subscribed = set()
lock = threading.Lock()


def log(line):
    if options.log:
        with open(options.log, 'a', encoding='utf-8') as file:
            file.write(line + '\n')


def send(message):
    with lock:
        print(json.dumps({'jsonrpc': '2.0', **message}), flush=True)


def fail(id_, code, text):
    send({'id': id_, 'error': {'code': code, 'message': text}})


def read(id_, uri):
    log(f'read {uri}')
    while uri in options.slow and not os.path.exists(options.gate):
        time.sleep(0.01)
    if any(uri.startswith(template.split('{')[0]) for template in options.template):
        resources.setdefault(uri, uri)
    if uri not in resources:
        fail(id_, -32002, f'Resource not found: {uri}')
        return
    reads[uri] = reads.get(uri, 0) + 1
    result = {'contents': [{'uri': uri, 'mimeType': 'text/plain', 'text': f'{resources[uri]} {reads[uri]}'}]}
    if options.ttl is not None:
        result |= {'ttlMs': options.ttl, 'cacheScope': 'public'}
    send({'id': id_, 'result': result})


def handle(message):
    method, id_, params = message.get('method'), message.get('id'), message.get('params') or {}
    if method == 'initialize':
        result = {'protocolVersion': '2025-11-25', 'serverInfo': {'name': 'context', 'version': '1'},
                  'capabilities': {'tools': {}, 'resources': {'listChanged': options.changes, 'subscribe': options.changes}, 'prompts': {}}}
        if options.template:
            result['capabilities']['completions'] = {}
        if options.instructions:
            result['instructions'] = options.instructions
        send({'id': id_, 'result': result})
    elif method == 'tools/list':
        while options.late and not os.path.exists(options.late):
            time.sleep(0.01)
        log('list')
        names = ['exit', 'add'] if options.changes else ['exit']
        send({'id': id_, 'result': {'tools': [{'name': name, 'inputSchema': {'type': 'object'}} for name in names]}})
    elif method == 'resources/list':
        send({'id': id_, 'result': {'resources': [{'uri': uri, 'name': uri} for uri in resources]}})
    elif method == 'resources/templates/list' and options.template:
        send({'id': id_, 'result': {'resourceTemplates': [{'uriTemplate': uri, 'name': uri} for uri in options.template]}})
    elif method == 'completion/complete' and options.template:
        reference, typed = params['ref'], params['argument']['value']
        name = reference.get('name') or reference.get('uri')
        send({'id': id_, 'result': {'completion': {'values': [f'{typed} of {name}'], 'hasMore': False}}})
    elif method == 'resources/subscribe' and options.changes:
        log('subscribe')
        subscribed.add(params['uri'])
        send({'id': id_, 'result': {}})
    elif method == 'resources/unsubscribe' and options.changes:
        log('unsubscribe')
        subscribed.discard(params['uri'])
        send({'id': id_, 'result': {}})
    elif method == 'prompts/list':
        log('prompts')
        send({'id': id_, 'result': {'prompts': [{'name': name, 'arguments': [{'name': 'topic', 'required': False}]}
                                                for name in options.prompt]}})
    elif method == 'ping':
        send({'id': id_, 'result': {}})
    elif options.silent:
        pass
    elif method == 'resources/read':
        threading.Thread(target=read, args=(id_, params['uri']), daemon=True).start()
    elif method == 'prompts/get' and params['name'] in options.prompt:
        topic = (params.get('arguments') or {}).get('topic', 'nothing')
        text = f'{params["name"]} about {topic}'
        send({'id': id_, 'result': {'messages': [{'role': 'user', 'content': {'type': 'text', 'text': text}}]}})
    elif method == 'prompts/get':
        fail(id_, -32602, f'Unknown prompt: {params["name"]}')
    elif method == 'tools/call' and params['name'] == 'add':
        resources[params['arguments']['uri']] = 'added'
        send({'method': 'notifications/resources/list_changed'})
        if params['arguments']['uri'] in subscribed:
            send({'method': 'notifications/resources/updated', 'params': {'uri': params['arguments']['uri']}})
        send({'id': id_, 'result': {'content': []}})
    elif method == 'tools/call':
        os._exit(4)
    elif id_ is not None:
        fail(id_, -32601, f'Unknown method: {method}')


log(f'start {os.getpid()}')
if options.need and not os.path.exists(options.need):
    sys.exit(3)
for line in sys.stdin:
    handle(json.loads(line))
log('end')

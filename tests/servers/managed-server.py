#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) for tests of what manages servers.

--tools NAMES       names with a comma between them; what each does is said below
--instructions TEXT
--fail STEP         start, initialize, list: exits with status 3 there
--once              exits with status 3 at list where its log says that it has started before
--hang STEP         initialize, list, ping: never answers that
--linger            stays when its input ends, and when it gets SIGTERM
--late FILE         answers the list of tools once there is such a file
--no-list-changed   does not declare that it tells of changes of its list
--described NAMES   tools with another description than they would have
--read-only NAMES   tools that it calls read-only; --gentle NAMES: that it says destroy nothing
--asking NAMES      tools that only clients get that can be asked something
--flood NUMBER      so many more tools of 60 kB, which are others once there is a file --log + .changed
--log FILE          each start and each call as a line

Tools: sick gives an error once there is a file of the name --log + .sick, echo gives its arguments, pid the process id, env the variable `name`, exit ends in the call,
flip says from then on that
it is read-only, wait answers when release is called (or never), add adds the tool `name`, describe changes its own description, refuse gives an error of
the protocol, work answers once there is a file --log + .done and takes nothing in before; tell does the same and says how far it is, and
print does it and prints lines.
Others give their own name.
"""
import argparse
import json
import os
import signal
import sys
import time

options = argparse.ArgumentParser()
options.add_argument('--tools', default='echo')
options.add_argument('--instructions')
options.add_argument('--fail')
options.add_argument('--once', action='store_true')
options.add_argument('--hang')
options.add_argument('--linger', action='store_true')
options.add_argument('--late')
options.add_argument('--no-list-changed', action='store_true')
options.add_argument('--described', default='')
options.add_argument('--read-only', default='')
options.add_argument('--gentle', default='')
options.add_argument('--asking', default='')
options.add_argument('--flood', type=int, default=0)
options.add_argument('--log')
options = options.parse_args()

tools = options.tools.split(',') if options.tools else []
descriptions = {name: 'Another description' for name in options.described.split(',')}
waiting = []
abilities = {}


def log(line):
    if options.log:
        with open(options.log, 'a', encoding='utf-8') as file:
            file.write(line + '\n')


def step(name):
    """Whether the step is to be answered."""
    if options.fail == name:
        print(f'cannot {name}', file=sys.stderr)
        sys.exit(3)
    return options.hang != name


def send(message):
    print(json.dumps({'jsonrpc': '2.0', **message}), flush=True)


def answer(id_, text, is_error=False):
    send({'id': id_, 'result': {'content': [{'type': 'text', 'text': text}], 'isError': is_error}})


def describe(name):
    tool = {'name': name, 'description': descriptions.get(name, f'Does {name}'), 'inputSchema': {'type': 'object'}}
    if name in options.read_only.split(',') or name == 'flip' and 'flip' in descriptions:
        tool['annotations'] = {'readOnlyHint': True}
    elif name in options.gentle.split(','):
        tool['annotations'] = {'destructiveHint': False}
    return tool


def offer():
    hidden = [] if 'elicitation' in abilities else options.asking.split(',')
    letter = 'y' if options.log and os.path.exists(options.log + '.changed') else 'x'
    flood = [{'name': f'flood-{i}', 'description': letter * 60000, 'inputSchema': {'type': 'object'}}
             for i in range(options.flood)]
    return [describe(name) for name in tools if name not in hidden] + flood


def change():
    if not options.no_list_changed:
        send({'method': 'notifications/tools/list_changed'})


def work(token, name):
    while not os.path.exists(options.log + '.done'):
        if name == 'tell':
            send({'method': 'notifications/progress', 'params': {'progressToken': token, 'progress': time.monotonic(), 'message': 'still telling'}})
        elif name == 'print':
            print('still at it', file=sys.stderr, flush=True)
        time.sleep(0.01)


def call(id_, name, arguments, token):
    log(f'call {name}')
    if name == 'exit':
        print('told to exit', file=sys.stderr)
        sys.exit(4)
    elif name == 'sick':
        answer(id_, name, os.path.exists(options.log + '.sick'))
    elif name == 'wait':
        waiting.append(id_)
    elif name in ('work', 'tell', 'print'):
        work(token, name)
        answer(id_, name)
    elif name == 'release':
        while waiting:
            answer(waiting.pop(), 'released')
        answer(id_, name)
    elif name == 'add':
        tools.append(arguments['name'])
        change()
        answer(id_, name)
    elif name == 'describe':
        descriptions[name] = 'Another description'
        change()
        answer(id_, name)
    elif name == 'flip':
        descriptions[name] = 'Does flip'
        change()
        answer(id_, name)
    elif name == 'echo':
        answer(id_, json.dumps(arguments, sort_keys=True))
    elif name == 'pid':
        answer(id_, str(os.getpid()))
    elif name == 'env':
        answer(id_, os.environ.get(arguments['name'], ''))
    elif name == 'refuse':
        send({'id': id_, 'error': {'code': -32010, 'message': 'Not today'}})
    elif name in tools:
        answer(id_, name)
    else:
        send({'id': id_, 'error': {'code': -32602, 'message': f'Unknown tool: {name}'}})


def handle(message):
    method, id_, params = message.get('method'), message.get('id'), message.get('params') or {}
    if method == 'initialize':
        if step('initialize'):
            log('client ' + params['clientInfo']['name'])
            abilities.update(params['capabilities'])
            result = {'protocolVersion': '2025-11-25', 'serverInfo': {'name': 'managed', 'version': '1.2'},
                      'capabilities': {'tools': {'listChanged': not options.no_list_changed}}}
            if options.instructions:
                result['instructions'] = options.instructions
            send({'id': id_, 'result': result})
    elif method == 'tools/list':
        if step('list'):
            while options.late and not os.path.exists(options.late):
                time.sleep(0.01)
            log('list')
            send({'id': id_, 'result': {'tools': offer()}})
    elif method == 'tools/call':
        call(id_, params['name'], params.get('arguments') or {}, params.get('_meta', {}).get('progressToken'))
    elif method == 'ping' and options.hang == 'ping':
        log('ping')
    elif id_ is not None:
        send({'id': id_, 'error': {'code': -32601, 'message': f'Unknown method: {method}'}})


if options.linger:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if options.once and os.path.exists(options.log) and 'start' in open(options.log, encoding='utf-8').read():
    options.fail = 'list'
log(f'start {os.getpid()}')
step('start')
for line in sys.stdin:
    handle(json.loads(line))
log('end')
while options.linger:
    signal.pause()

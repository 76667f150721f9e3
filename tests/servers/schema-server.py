#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) whose tools stand in a file, with whatever schemas.

    schema-server.py TOOLS.json [LOG [GATE]]

TOOLS.json is an array of tools as tools/list gives them. A call gives back its arguments as JSON; a tool with a
member `answer` gives that for its result. LOG gets a line for each start, GATE is a file without which the list
is not answered yet.
"""
import json
import os
import sys
import time

with open(sys.argv[1], encoding='utf-8') as file:
    TOOLS = json.load(file)
if len(sys.argv) > 2:
    with open(sys.argv[2], 'a', encoding='utf-8') as log:
        log.write('start\n')


def call(params):
    for tool in TOOLS:
        if tool['name'] == params['name']:
            text = json.dumps(params.get('arguments', {}), ensure_ascii=False)
            return tool.get('answer', {'content': [{'type': 'text', 'text': text}]})
    return {'content': [{'type': 'text', 'text': 'no such tool'}], 'isError': True}


def list_tools():
    while len(sys.argv) > 3 and not os.path.exists(sys.argv[3]):
        time.sleep(0.01)
    return {'tools': [{key: value for key, value in tool.items() if key != 'answer'} for tool in TOOLS]}


for line in sys.stdin:
    message = json.loads(line)
    method = message['method']
    if 'id' not in message:
        continue
    if method == 'initialize':
        result = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},
                  'serverInfo': {'name': 'schemas', 'version': '1'}}
    elif method == 'tools/list':
        result = list_tools()
    elif method == 'tools/call':
        result = call(message['params'])
    elif method == 'ping':
        result = {}
    else:
        result = None
    answer = {'result': result} if result is not None else {'error': {'code': -32601, 'message': 'Method not found'}}
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}), flush=True)

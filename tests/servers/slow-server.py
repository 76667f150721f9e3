#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server that starts slowly, and may be another one each time that it is started: slow-server.py LOG LIFE…

Each start appends a line to LOG: the methods that came, in their order. A LIFE is DISCOVER/INITIALIZE/DISCOVER, what it
does at the first probe, at initialize, and at the second probe: modern, legacy, capability, refuse, silent, die or kill (itself, by a signal). With
“late:” in front, nothing is read before initialize is there. Starts after the last LIFE are as that."""
import json
import os
import signal
import sys

log = open(sys.argv[1], 'a+', encoding='utf-8')
log.seek(0)
number = len(log.readlines())
log.write('\n' if number > 0 else '')
log.write('start ')
log.flush()
life = sys.argv[2:][min(number, len(sys.argv) - 3)]
late = life.startswith('late:')
steps = dict(zip(('server/discover', 'initialize', 'server/discover again'), life.removeprefix('late:').split('/')))
seen = set()


def answer(request, **members):
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **members}), flush=True)


def act(request):
    method = request['method']
    log.write(method + ' ')
    log.flush()
    if method == 'server/discover' and method in seen:
        method += ' again'
    seen.add(method)
    if 'id' not in request:
        return
    match steps.get(method, 'refuse'):
        case 'modern':
            answer(request, result={'resultType': 'complete', 'supportedVersions': ['2026-07-28'], 'capabilities': {'logging': {}, 'tools': {}}})
        case 'legacy':
            answer(request, result={'protocolVersion': '2025-11-25', 'capabilities': {'logging': {}, 'tools': {}},
                                    'serverInfo': {'name': 'slow', 'version': '1'}})
        case 'capability':
            answer(request, error={'code': -32021, 'message': 'It wants more'})
        case 'refuse':
            answer(request, error={'code': -32601, 'message': f'{method} is not known'})
        case 'die':
            os._exit(1)
        case 'kill':
            os.kill(os.getpid(), signal.SIGKILL)
        case 'silent':
            pass


waiting = []
for line in sys.stdin:
    waiting.append(json.loads(line))
    if late and waiting[-1]['method'] != 'initialize':
        continue
    late = False
    while waiting:
        act(waiting.pop(0))

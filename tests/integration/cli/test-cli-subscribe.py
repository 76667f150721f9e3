#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp subscribe as its user meets it: test-cli-subscribe.py GMCP CHANGING_SERVER"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL, OUTPUT = range(8)
URIS = ['note://1', 'note://2']
# A server that acknowledges nothing of what is wanted, and one that answers nothing but the opening.
NONE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answer = lambda result: print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
    if message['method'] == 'server/discover':
        answer({'supportedVersions': ['2026-07-28'], 'capabilities': {'tools': {}}})
    elif message['method'] == 'tools/list':
        answer({'tools': []})
    elif message['method'] == 'subscriptions/listen' and sys.argv[1:] == ['none']:
        meta = {'io.modelcontextprotocol/subscriptionId': message['id']}
        print(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/subscriptions/acknowledged',
                          'params': {'_meta': meta, 'notifications': {}}}), flush=True)
    elif message['method'] == 'subscriptions/listen' and sys.argv[1:] == ['exit']:
        meta = {'io.modelcontextprotocol/subscriptionId': message['id']}
        print(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/subscriptions/acknowledged',
                          'params': {'_meta': meta, 'notifications': message['params']['notifications']}}), flush=True)
        sys.exit(9)
"""
failures = 0
count = 0


def check(name, condition, told=''):
    global failures, count
    count += 1
    failures += not condition
    print(f'{"ok" if condition else "not ok"} {count} - {name}', flush=True)
    if not condition:
        for line in str(told).splitlines():
            print(f'# {line}')


def start(config, *args):
    return subprocess.Popen([GMCP, '--config', config, 'subscribe', *args], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def interrupt(process):
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return out, re.sub('gmcp: .* runs with all your privileges: .*\n', '', err), process.returncode


def expect(name, status, config, *args, err=()):
    process = start(config, *args)
    out, told = process.communicate(timeout=60)
    check(name, process.returncode == status and all(text in told for text in err),
          f'status {process.returncode}\n{out}\n{told}')
    return out


def test_changes(config, server):
    process = start(config, server, *URIS, '--tools')
    lines = {process.stdout.readline() for _ in range(3)}
    check(f'{server}: a line a change', lines == {'resource note://1\n', 'resource note://2\n', 'tools\n'}, lines)
    _out, err, status = interrupt(process)
    check(f'{server}: Ctrl-C ends it', status == OK and err == '', f'{status} {err}')

    process = start(config, server, URIS[0], '--json', '--prompts')
    line = process.stdout.readline()
    check(f'{server}: as JSON', json.loads(line) == {'change': 'resource', 'uri': URIS[0]}, line)
    _out, err, status = interrupt(process)
    check(f'{server}: what is not told is said', status == OK and 'prompts' in err, f'{status} {err}')


def test_all_lists(config):
    process = start(config, 'modern')
    check('without URIs all lists', process.stdout.readline() == 'tools\n')
    _out, err, status = interrupt(process)
    check('those that are not told are said', status == OK and 'prompts' in err, f'{status} {err}')


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'servers.json'
        servers = {
            'modern': ['/usr/bin/env', 'python3', SERVER, '--at-once'],
            'legacy': ['/usr/bin/env', 'python3', SERVER, '--at-once', '--legacy'],
            'none': ['/usr/bin/env', 'python3', '-c', NONE, 'none'],
            'exit': ['/usr/bin/env', 'python3', '-c', NONE, 'exit'],
            'silent': ['/usr/bin/env', 'python3', '-c', NONE, 'silent'],
            'gone': ['/does/not/exist'],
        }
        path.write_text(json.dumps({'mcpServers': {
            name: {'command': argv[0], 'args': argv[1:]} for name, argv in servers.items()}}), encoding='utf-8')
        config = str(path)
        test_changes(config, 'modern')
        test_changes(config, 'legacy')
        test_all_lists(config)
        out = expect('--timeout ends it', OK, config, 'modern', '--tools', '--timeout', '2')
        check('what came until then is printed', out == 'tools\n', out)
        expect('nothing is told', PROTOCOL, config, 'none', '--tools', err=['tools'])
        expect('no acknowledgement', TIMED_OUT, config, 'silent', '--tools', '--timeout', '1')
        expect('a server that exits', UNREACHABLE, config, 'exit', '--tools', err=['exit'])
        expect('a server that is not there', UNREACHABLE, config, 'gone', '--tools', err=['/does/not/exist'])
        expect('an unknown server', USAGE, config, 'nosuch', err=['Unknown server: nosuch', 'modern'])
        expect('no server', USAGE, config, err=['subscribe'])
        expect('an empty URI', USAGE, config, 'modern', '', err=['URI'])
        expect('a negative limit', USAGE, config, 'modern', '--timeout', '-1', err=['limit'])
        expect('an unknown option', USAGE, config, 'modern', '--dance', err=['dance'])
    print(f'1..{count}')
    sys.exit(1 if failures else 0)


main()

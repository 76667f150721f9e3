#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An MCP server over standard input and output (2025-11-25) for tests of what a program may do.

Its tool look gives what the Python expression `code` is worth, or the name of its error, as JSON.
--on-term FILE   stays when its input ends; at SIGTERM, writes the file and exits
--log FILE       writes a line at its start
"""
import argparse
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys

options = argparse.ArgumentParser()
options.add_argument('--on-term')
options.add_argument('--log')
options = options.parse_args()


def write(path):
    with open(path, 'w', encoding='utf-8') as file:
        file.write('x')
    return 'written'


def burn():
    while True:
        pass


def connect(port):
    with socket.create_connection(('127.0.0.1', port), timeout=10):
        return 'connected'


def reach(address):
    """Whether a Unix socket is reached; a name without a slash is an abstract one."""
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(address if '/' in address else chr(0) + address)
        return 'connected'


def reach_from_pair(address, kind=socket.SOCK_STREAM):
    """The same from a socket that was connected to another one from the beginning."""
    one, other = socket.socketpair(socket.AF_UNIX, kind)
    with one, other:
        one.connect(address)
        return 'connected'


def syscall(number, *arguments):
    """What a system call by its number fails with."""
    libc = ctypes.CDLL(None, use_errno=True)
    return 0 if libc.syscall(number, *arguments) >= 0 else ctypes.get_errno()


def leave(**more):
    """A process that goes on to run, which the words on its command line tell from others."""
    words = [sys.executable, '-S', '-c', 'import time; time.sleep(1000)', options.on_term]
    return subprocess.Popen(words, **more).pid


def daemonize():
    """A process in a session of its own, which outlives this one where nobody sees to it."""
    return leave(start_new_session=True)


def kill_guard():
    """Leaves a process in a session of its own and one in a group of its own, sees to it that it does not end
    with its parent, and kills that."""
    leave(start_new_session=True)
    leave(preexec_fn=os.setpgrp)
    ctypes.CDLL(None).prctl(1, 0)
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()


def hide():
    """Leaves a process that nothing tells from one of the user's own."""
    return leave(start_new_session=True, env={})


def look(code):
    names = {'os': os, 'socket': socket, 'write': write, 'burn': burn, 'connect': connect, 'reach': reach,
             'reach_from_pair': reach_from_pair, 'syscall': syscall, 'daemonize': daemonize,
             'kill_guard': kill_guard, 'hide': hide}
    try:
        return json.dumps(eval(code, names))
    except OSError as error:
        return json.dumps(type(error).__name__)


def answer(method, params):
    if method == 'initialize':
        return {'protocolVersion': '2025-11-25', 'serverInfo': {'name': 'confined', 'version': '1'},
                'capabilities': {'tools': {}}}
    if method == 'tools/list':
        return {'tools': [{'name': 'look', 'inputSchema': {'type': 'object'}}]}
    if method == 'tools/call':
        return {'content': [{'type': 'text', 'text': look(params['arguments']['code'])}]}
    return None


def on_term(_number, _frame):
    write(options.on_term)
    os._exit(0)


if options.on_term:
    signal.signal(signal.SIGTERM, on_term)
if options.log:
    with open(options.log, 'a', encoding='utf-8') as file:
        file.write('start\n')
for line in sys.stdin:
    message = json.loads(line)
    if 'id' in message:
        result = answer(message['method'], message.get('params') or {})
        outcome = {'result': result} if result else {'error': {'code': -32601, 'message': 'no such method'}}
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **outcome}), flush=True)
while options.on_term:
    signal.pause()

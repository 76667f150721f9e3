#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp as its user meets it: what it prints, and its exit status.

test-cli.py GMCP TOOLS_SERVER
"""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

GMCP, SERVER = sys.argv[1:3]
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL = range(7)
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix='gmcp-cli-'))
failures = 0
count = 0


def write_config(name, servers):
    path = FOLDER / name
    path.write_text(servers if isinstance(servers, str) else json.dumps({'mcpServers': servers}))
    return str(path)


GOOD = write_config('good.json', {'test': {'command': SERVER}})
TWO = write_config('two.json', {'test': {'command': SERVER}, 'gone': {'command': '/does/not/exist'}})
DEAD = write_config('dead.json', {'gone': {'command': '/does/not/exist'}})
EXITS = write_config('exits.json', {'exits': {'command': 'sh', 'args': ['-c', 'echo no licence >&2; exit 7']}})
SILENT = write_config('silent.json', {'silent': {'command': 'sleep', 'args': ['60']}})
EMPTY = write_config('empty.json', {})
BROKEN = write_config('broken.json', '{"mcpServers": {')
WRONG = write_config('wrong.json', {'test': {'command': 7}})


def run(*args, stdin=None):
    return subprocess.run([GMCP, *args], input=stdin, capture_output=True, text=True, timeout=60, check=False)


def check(name, condition, told=''):
    global failures, count
    count += 1
    failures += not condition
    print(f'{"ok" if condition else "not ok"} {count} - {name}', flush=True)
    if not condition:
        for line in str(told).splitlines():
            print(f'# {line}')


def expect(name, status, *args, out=(), err=(), stdin=None):
    done = run(*args, stdin=stdin)
    check(name, done.returncode == status and all(text in done.stdout for text in out)
          and all(text in done.stderr for text in err), f'status {done.returncode}\n{done.stdout}\n{done.stderr}')
    return done


def test_tools():
    done = expect('tools lists a table', OK, '--config', GOOD, 'tools', out=['test__echo', 'Gives the text back'])
    check('one line a tool', len(done.stdout.splitlines()) == len(run('--config', GOOD, 'tools', 'test').stdout.splitlines()))
    done = expect('tools --json', OK, '--config', GOOD, 'tools', '--json')
    tools = json.loads(done.stdout)
    echo = next(tool for tool in tools if tool['tool'] == 'echo')
    check('tools --json has the names', echo['name'] == 'test__echo' and echo['server'] == 'test', echo)
    check('tools --json has the schema', echo['inputSchema']['type'] == 'object', echo)
    expect('an unknown server', USAGE, '--config', GOOD, 'tools', 'nosuch', err=['Unknown server: nosuch', 'test'])
    expect('a dead server does not hide the others', OK, '--config', TWO, 'tools', out=['test__echo'],
           err=['/does/not/exist'])
    expect('asked for the dead one', UNREACHABLE, '--config', TWO, 'tools', 'gone', err=['/does/not/exist'])
    expect('only a dead one', UNREACHABLE, '--config', DEAD, 'tools')
    expect('nothing configured', OK, '--config', EMPTY, 'tools', err=['No server is configured'])
    expect('nothing configured, JSON', OK, '--config', EMPTY, 'tools', '--json', out=['['])
    expect('no such file', USAGE, '--config', str(FOLDER / 'none.json'), 'tools', err=['none.json'])
    expect('broken JSON', USAGE, '--config', BROKEN, 'tools', err=['broken.json'])
    expect('a wrong type', USAGE, '--config', WRONG, 'tools', err=['wrong.json', 'command'])
    expect('too many words', USAGE, '--config', GOOD, 'tools', 'a', 'b')


def test_call():
    for tool in ('test__echo', 'test.echo', 'echo', 'mcp__test__echo', 'test_echo'):
        expect(f'call {tool}', OK, '--config', GOOD, 'call', tool, 'text=hi there', out=['hi there'])
    expect('call with an object', OK, '--config', GOOD, 'call', 'echo', '{"text": "äß€"}', out=['äß€'])
    expect('call with standard input', OK, '--config', GOOD, 'call', 'echo', '-', stdin='{"text": "piped"}', out=['piped'])
    arguments = FOLDER / 'arguments.json'
    arguments.write_text('{"text": "from a file"}')
    expect('call with a file', OK, '--config', GOOD, 'call', 'echo', f'@{arguments}', out=['from a file'])
    expect('numbers', OK, '--config', GOOD, 'call', 'add', 'a:=40', 'b:=2', out=['42'])
    done = expect('call --json', OK, '--config', GOOD, 'call', 'echo', 'text=x', '--json')
    check('the whole result', json.loads(done.stdout)['content'][0] == {'type': 'text', 'text': 'x'}, done.stdout)
    expect('what the schema forbids', TOOL_ERROR, '--config', GOOD, 'call', 'add', 'a=1', err=['add'])
    expect('an error of the tool', TOOL_ERROR, '--config', GOOD, 'call', 'fails', err=['It failed'])
    expect('an error of the protocol', PROTOCOL, '--config', GOOD, 'call', 'fails', 'code:=-31000', err=['It failed', 'test'])
    expect('an unknown tool', USAGE, '--config', GOOD, 'call', 'test__nosuch', err=['test__nosuch'])
    expect('a tool of an unknown server', USAGE, '--config', GOOD, 'call', 'other.echo', err=['other.echo'])
    expect('no tool', USAGE, '--config', GOOD, 'call')
    expect('bad arguments', USAGE, '--config', GOOD, 'call', 'echo', 'text')
    expect('arguments that are no object', USAGE, '--config', GOOD, 'call', 'echo', '-', stdin='[1]')
    expect('a server that is not there', UNREACHABLE, '--config', DEAD, 'call', 'gone__x', err=['/does/not/exist'])
    expect('a server that exits', UNREACHABLE, '--config', EXITS, 'call', 'exits__x', err=['7', 'no licence'])
    expect('only the server that is needed', OK, '--config', TWO, 'call', 'test__echo', 'text=x')
    done = run('--config', TWO, 'call', 'test__echo', 'text=x')
    check('nothing is said of the other', done.stderr == '', done.stderr)


def test_time():
    start = time.monotonic()
    expect('--timeout bounds a start', TIMED_OUT, '--config', SILENT, 'call', 'silent__x', '--timeout', '1', err=['1 second'])
    expect('--timeout bounds a call', TIMED_OUT, '--config', GOOD, 'call', 'slow', 'steps:=1000', '--timeout', '1')
    check('in time', time.monotonic() - start < 30)
    expect('a negative limit', USAGE, '--config', GOOD, 'call', 'echo', '--timeout', '-1')

    call = subprocess.Popen([GMCP, '--config', GOOD, 'call', 'slow', 'steps:=1000'], stderr=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    children = pathlib.Path(f'/proc/{call.pid}/task/{call.pid}/children')
    while not children.read_text().strip():
        time.sleep(0.01)
    time.sleep(0.3)
    call.send_signal(signal.SIGINT)
    _out, err = call.communicate(timeout=30)
    check('Ctrl-C cancels', call.returncode == TIMED_OUT and 'cancelled' in err, f'{call.returncode} {err}')


def test_terminal():
    """Progress is drawn on a terminal only, and wiped."""
    master, slave = pty.openpty()
    call = subprocess.Popen([GMCP, '--config', GOOD, 'call', 'slow', 'steps:=3'], stderr=slave, stdout=subprocess.PIPE)
    os.close(slave)
    drawn = b''
    while call.poll() is None or select.select([master], [], [], 0)[0]:
        if select.select([master], [], [], 0.05)[0]:
            try:
                data = os.read(master, 4096)
            except OSError:
                break
            if not data:
                break
            drawn += data
    check('a bar on a terminal', b'[###' in drawn and drawn.endswith(b'\r\x1b[K'), drawn)
    done = run('--config', GOOD, 'call', 'slow', 'steps:=3')
    check('none elsewhere', done.stderr == '', done.stderr)


def test_usage():
    expect('no command', USAGE)
    expect('an unknown command', USAGE, 'dance', err=['dance'])
    expect('an unknown option', USAGE, '--dance')
    expect('--help', OK, '--help', out=['tools', 'call'])
    expect('call --help', OK, 'call', '--help', out=['--timeout'])
    expect('--version', OK, '--version', out=['gmcp '])


for test in (test_usage, test_tools, test_call, test_time, test_terminal):
    test()
print(f'1..{count}')
sys.exit(1 if failures else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp as its user meets it: what it prints, and its exit status.

test-cli.py GMCP TOOLS_SERVER HTTP_SERVER
"""
import importlib.util
import json
import os
import pathlib
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
TASK_SERVER = str(pathlib.Path(__file__).parents[2] / 'servers' / 'task-server.py')
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL, OUTPUT = range(8)
KEPT = tempfile.TemporaryDirectory(prefix='gmcp-cli-', ignore_cleanup_errors=True)  # until the program ends
FOLDER = pathlib.Path(KEPT.name)
# What one has told of, and remembers, is no other test's.
os.environ['TERM'] = 'xterm-256color'
os.environ['XDG_STATE_HOME'] = str(FOLDER / 'state')
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
NONE_STARTS = write_config('none-starts.json', {
    'gone': {'command': '/does/not/exist'}, 'exits': {'command': 'sh', 'args': ['-c', 'echo no licence >&2; exit 7']}})
LOUD = write_config('loud.json', {'loud': {'command': sys.executable, 'args': ['-c', '''
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    method, id_ = message['method'], message.get('id')
    evil = '\\x1b]0;owned\\x07\\x1b[31mred\\x9b32m\\n\\tline 2'
    if method == 'initialize':
        answer = {'result': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},
                             'serverInfo': {'name': 'loud', 'version': '1'}}}
    elif method == 'tools/list':
        names = ['rpc', 'tool', 'fine', 'exit']
        answer = {'result': {'tools': [{'name': name, 'inputSchema': {'type': 'object'}} for name in names]}}
    elif method == 'tools/call' and message['params']['name'] == 'rpc':
        answer = {'error': {'code': -31000, 'message': evil, 'data': '\\x9b35m'}}
    elif method == 'tools/call' and message['params']['name'] == 'exit':
        sys.exit(evil)
    elif method == 'tools/call':
        answer = {'result': {'content': [{'type': 'text', 'text': evil}], 'isError': message['params']['name'] == 'tool'}}
    else:
        answer = {'error': {'code': -32601, 'message': 'Method not found'}}
    if id_ is not None:
        print(json.dumps({'jsonrpc': '2.0', 'id': id_, **answer}, ensure_ascii=False), flush=True)
''']}})
# It says nothing, and ends with its input.
SILENT = write_config('silent.json', {'silent': {'command': 'sh', 'args': ['-c', 'cat >/dev/null']}})
EMPTY = write_config('empty.json', {})
BROKEN = write_config('broken.json', '{"mcpServers": {')
OFF = write_config('off.json', {'test': {'command': SERVER, 'disabled': True}})
TRAILING = write_config('trailing.json', '{\n  "mcpServers": {\n    "a": {"command": "x", "disabled": true},\n  }, // fine\n}\n')
SHELL = write_config('shell.json', {'a': {'command': 'no-such-command -y'}})
TILDE = write_config('tilde.json', {'a': {'command': '~/no-such-command'}})
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
    done = expect('tools lists a table', OK, '--config', GOOD, 'tools', out=['test.echo', 'Gives the text back'])
    check('one line a tool', len(done.stdout.splitlines()) == len(run('--config', GOOD, 'tools', 'test').stdout.splitlines()))
    done = expect('tools --json', OK, '--config', GOOD, 'tools', '--json')
    tools = json.loads(done.stdout)
    echo = next(tool for tool in tools if tool['tool'] == 'echo')
    check('tools --json has the names', echo['name'] == 'test__echo' and echo['server'] == 'test', echo)
    check('tools --json has the schema', echo['inputSchema']['type'] == 'object', echo)
    expect('an unknown server', USAGE, '--config', GOOD, 'tools', 'nosuch', err=['Unknown server: nosuch', 'test'])
    expect('a dead server does not hide the others', OK, '--config', TWO, 'tools', out=['test.echo'],
           err=['/does/not/exist'])
    expect('asked for the dead one', UNREACHABLE, '--config', TWO, 'tools', 'gone', err=['/does/not/exist'])
    expect('only a dead one', UNREACHABLE, '--config', DEAD, 'tools')
    expect('nothing configured', OK, '--config', EMPTY, 'tools', err=['No server is configured'])
    expect('nothing configured, JSON', OK, '--config', EMPTY, 'tools', '--json', out=['['])
    expect('all disabled', OK, '--config', OFF, 'tools', err=['disabled'])
    expect('--config behind the command', OK, 'tools', '--config', GOOD, out=['test.echo'])
    expect('an empty file name', USAGE, '--config', '', 'tools', err=['--config'])
    expect('a comma too many, and a comment', OK, '--config', TRAILING, 'tools', err=['disabled'])
    expect('nothing wrong', OK, 'config', 'check', GOOD, out=['1 server is configured.'])
    expect('all that is wrong', USAGE, 'config', 'check', WRONG, out=['error: ', 'wrong.json:1: '])
    expect('no such config command', USAGE, 'config', 'frobnicate', err=['check'])
    expect('a shell line', UNREACHABLE, '--config', SHELL, 'tools', err=['No shell splits the command'])
    expect('a home', UNREACHABLE, '--config', TILDE, 'tools', err=['“~” means nothing here'])
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
    expect('what the schema forbids', USAGE, '--config', GOOD, 'call', 'add', 'a=x', err=['test.add', '“a”', 'gmcp call test.add a='])
    expect('what the schema makes of a text', OK, '--config', GOOD, 'call', 'add', 'a=40', 'b=2', out=['42'])
    expect('an error of the tool', TOOL_ERROR, '--config', GOOD, 'call', 'fails', err=['It failed'])
    expect('an error of the protocol', PROTOCOL, '--config', GOOD, 'call', 'fails', 'code:=-31000', err=['It failed', 'test'])
    expect('a word that looks like an option', USAGE, '--config', GOOD, 'call', 'echo', '--', '--text', err=['“--text” is neither'])
    expect('an object that looks like none', OK, '--config', GOOD, 'call', '--', 'echo', 'text=--', out=['--'])
    expect('no end of arguments', USAGE, '--config', GOOD, 'call', 'echo', '@/dev/zero', err=['/dev/zero'])
    expect('nothing to call', USAGE, '--config', EMPTY, 'call', 'echo', err=['No server is configured'])
    expect('an unknown tool', USAGE, '--config', GOOD, 'call', 'test__nosuch', err=['test__nosuch'])
    unknown = 'Unknown server: other (configured: test)'
    for name, told in ('other.echo', [unknown]), ('other__echo', ['other__echo', unknown]), ('mcp__other__echo', ['mcp__other__echo', unknown]):
        expect(f'a tool of an unknown server: {name}', USAGE, '--config', GOOD, 'call', name, err=told)
    expect('a tool that a server which failed may have', USAGE, '--config', TWO, 'call', 'nosuch',
           err=['no tool called nosuch', '1 server could not be asked', '/does/not/exist'])
    expect('where all failed', UNREACHABLE, '--config', DEAD, 'call', 'nosuch',
           err=['no tool called nosuch', '1 server could not be asked', '/does/not/exist'])
    expect('where all of several failed', UNREACHABLE, '--config', NONE_STARTS, 'call', 'nosuch',
           err=['2 servers could not be asked', '/does/not/exist', 'no licence'])
    done = expect('a server that does not have it', USAGE, '--config', TWO, 'call', 'test__nosuch', err=['test__nosuch'])
    check('the other is no reason', '/does/not/exist' not in done.stderr and 'asked' not in done.stderr, done.stderr)
    expect('no tool', USAGE, '--config', GOOD, 'call')
    expect('bad arguments', USAGE, '--config', GOOD, 'call', 'echo', 'text')
    expect('arguments that are no object', USAGE, '--config', GOOD, 'call', 'echo', '-', stdin='[1]')
    expect('a server that is not there', UNREACHABLE, '--config', DEAD, 'call', 'gone__x', err=['/does/not/exist'])
    expect('a server that exits', UNREACHABLE, '--config', EXITS, 'call', 'exits__x', err=['7', 'no licence'])
    expect('only the server that is needed', OK, '--config', TWO, 'call', 'test__echo', 'text=x')
    done = run('--config', TWO, 'call', 'test__echo', 'text=x')
    check('nothing is said of the other', done.stderr == '', done.stderr)


def test_settings():
    """What is left out of the settings is told of, and the rest works."""
    settings = FOLDER / 'config' / 'glib-2.0' / 'settings'
    settings.mkdir(parents=True)
    (settings / 'keyfile').write_text("[org/gmcp]\nservers=['B?/', 'test', 'test']\n"
                                      f"[org/gmcp/servers/test]\nenabled=true\ncommand=['{SERVER}']\n")
    done = subprocess.run([GMCP, 'tools'], env=dict(os.environ, GSETTINGS_BACKEND='keyfile',
                                                    XDG_CONFIG_HOME=str(FOLDER / 'config')),
                          capture_output=True, text=True, timeout=60, check=False)
    check('servers of the settings', done.returncode == OK and 'test.echo' in done.stdout, done)
    check('a wrong id', '“B?/”' in done.stderr, done.stderr)
    check('an id that stands there twice', '“test”' in done.stderr, done.stderr)
    (FOLDER / 'config' / 'mcp').mkdir()
    (FOLDER / 'config' / 'mcp' / 'mcp.json').write_text(json.dumps(
        {'mcpServers': {'good': {'command': SERVER}, 'odd': {'command': 3}}}))
    done = subprocess.run([GMCP, 'servers'], env=dict(os.environ, XDG_CONFIG_HOME=str(FOLDER / 'config')),
                          capture_output=True, text=True, timeout=60, check=False)
    check('a wrong entry is told of, and the others count',
          'good' in done.stdout and 'mcpServers.odd.command: expected a string' in done.stderr
          and done.returncode == USAGE, done)
    (FOLDER / 'config' / 'mcp' / 'mcp.json').write_text('{')
    for command in ('tools', 'prompts'):
        done = subprocess.run([GMCP, command], env=dict(os.environ, XDG_CONFIG_HOME=str(FOLDER / 'config')),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        check(f'{command} with nothing but a broken file', done.returncode == USAGE and 'mcp.json:1' in done.stdout
              and 'No server is configured' not in done.stdout, done)
    (FOLDER / 'config' / 'mcp' / 'mcp.json').unlink()
    done = subprocess.run([GMCP, 'tools'], env=dict(os.environ, XDG_CONFIG_HOME=str(FOLDER / 'config')),
                          capture_output=True, text=True, timeout=60, check=False)
    check('where the servers belong', str(FOLDER / 'config' / 'mcp' / 'mcp.json') in done.stderr, done)


def serve_lines(listener):
    """Each connection is a server of its own, which has the socket for its standard streams."""
    while True:
        connection, _peer = listener.accept()
        with connection:
            subprocess.Popen([SERVER], stdin=connection, stdout=connection)


def load_http_server():
    spec = importlib.util.spec_from_file_location('http_server', sys.argv[3])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_remote():
    """Servers that are reached by a URL."""
    module = load_http_server()
    server = module.Server(module.Server())
    origin = f'http://127.0.0.1:{server.port}'
    module.Server(path=str(FOLDER / 'http socket'))
    lines = socket.socket(socket.AF_UNIX)
    lines.bind(str(FOLDER / 'lines'))
    lines.listen()
    threading.Thread(target=serve_lines, args=(lines,), daemon=True).start()
    free = socket.create_server(('127.0.0.1', 0))
    nobody = f'http://127.0.0.1:{free.getsockname()[1]}'
    free.close()
    secret = 'Bearer hunter2'

    def ask(name, status, entry, tool='go', **told):
        path = write_config('remote.json', {'web': entry})
        done = expect(name, status, '--config', path, 'call', f'web__{tool}', '--timeout', '20', **told)
        check(f'{name}: tells no secret', 'hunter2' not in done.stdout + done.stderr, done)

    for word in ('http', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote'):
        ask(f'type {word}', OK, {'type': word, 'url': origin + '/json', 'headers': {'Authorization': secret}}, out=['grüße'])
    for word in ('url', 'httpUrl', 'serverUrl', 'uri'):
        ask(f'an address in {word}', OK, {word: origin + '/sse'}, out=['grüße'])
    sent = module.SEEN['/json'][-1]
    check('the header was sent', sent['authorization'] == secret, sent)
    ask('HTTP+SSE', OK, {'type': 'sse', 'url': origin + '/old/good'}, out=['grüße'])
    ask('HTTP over a Unix socket', OK, {'url': f'unix://{FOLDER}/http%20socket#/json'}, out=['grüße'])
    path = write_config('lines.json', {'web': {'url': f'unix://{FOLDER}/lines'}})
    expect('lines over a Unix socket', OK, '--config', path, 'call', 'web__echo', 'text=hi there', out=['hi there'])
    expect('its tools', OK, '--config', path, 'tools', out=['web.echo'])
    os.unlink(FOLDER / 'lines')
    expect('a Unix socket that is not there', UNREACHABLE, '--config', path, 'call', 'web__echo', 'text=x', err=['lines', 'start the server'])

    header = {'headers': {'Authorization': secret}}
    ask('a port where nobody listens', UNREACHABLE, {'url': nobody + '/mcp', **header}, err=[nobody])
    ask('a host that is none', UNREACHABLE, {'url': 'http://no-such-host.invalid/mcp', **header}, err=['no-such-host.invalid'])
    ask('a wrong path', UNREACHABLE, {'url': origin + '/missing', **header}, err=['404', 'URL'])
    ask('a sign-in', NOT_PERMITTED, {'url': origin + '/sign-in', **header}, err=['401', 'sign in'])
    ask('a web page', UNREACHABLE, {'url': origin + '/html', **header}, err=['web page'])
    ask('a password in the address', NOT_PERMITTED, {'url': f'http://me:hunter2@127.0.0.1:{server.port}/sign-in'}, err=['401'])
    ask('a type that is none', USAGE, {'type': 'ws', 'url': 'wss://hunter2.example.org'}, err=['web.type'])
    ask('a URL that is none', USAGE, {'type': 'http', 'url': 'hunter2'}, err=['“url”'])
    ask('a header that is none', USAGE, {'url': origin, 'headers': {'X-A': 'hunter2\r\nX-B: c'}}, err=['X-A'])
    ask('certificates that are not there', USAGE, {'url': 'https://127.0.0.1:1/', 'caFile': 'none.pem'}, err=['none.pem'])


def test_output():
    """Output is UTF-8 in each locale, and what cannot be written is not passed over."""
    for locale in ('C', 'C.UTF-8'):
        environment = dict(os.environ, LC_ALL=locale)
        done = subprocess.run([GMCP, '--config', GOOD, 'call', 'echo', 'text=äß€', '--json'], env=environment,
                              capture_output=True, timeout=60, check=False)
        check(f'UTF-8 in {locale}', json.loads(done.stdout)['content'][0]['text'] == 'äß€', done.stdout)
        done = subprocess.run([GMCP, '--config', GOOD, 'call', 'no-ä'], env=environment, capture_output=True,
                              timeout=60, check=False)
        check(f'a message in {locale}', 'no-ä' in done.stderr.decode(), done.stderr)

    for words in (['tools'], ['tools', '--json'], ['call', 'echo', 'text=x']):
        with open('/dev/full', 'w', encoding='utf-8') as full:
            done = subprocess.run([GMCP, '--config', GOOD, *words], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=60, check=False)
        check(f'{words[0]}: a full disk', done.returncode == OUTPUT and 'written' in done.stderr, done)
    done = subprocess.run(['sh', '-c', 'exec "$0" "$@" <&- >&-', GMCP, '--config', GOOD, 'call', 'echo', 'text=x'],
                          stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    check('no standard output', done.returncode == OUTPUT, done)

    ours, its = socket.socketpair()
    with ours, its:
        call = subprocess.Popen([GMCP, '--config', GOOD, 'call', 'echo', '-'], stdin=its, stdout=subprocess.PIPE, text=True)
        its.close()
        ours.sendall(b'{"text": "from a socket"}')
        ours.shutdown(socket.SHUT_WR)
        out, _err = call.communicate(timeout=60)
    check('arguments from a socket', out == 'from a socket\n', out)


def test_time():
    start = time.monotonic()
    expect('--timeout bounds a start', TIMED_OUT, '--config', SILENT, 'call', 'silent__x', '--timeout', '1', err=['1 second'])
    expect('--timeout bounds a call', TIMED_OUT, '--config', GOOD, 'call', 'slow', 'steps:=1000', '--timeout', '1')
    check('in time', time.monotonic() - start < 30)
    expect('a negative limit', USAGE, '--config', GOOD, 'call', 'echo', '--timeout', '-1', err=['negative'])
    for command in ('tools', 'resources', 'prompts'):
        for words in ([], ['silent']):
            done = expect(f'--timeout bounds {command} {words}', TIMED_OUT, '--config', SILENT, command, '--timeout', '1', *words)
            left_out = 'gmcp: server silent is not listed: it is not ready yet\n' if (command, words) == ('tools', []) else ''
            check('it is told of once', done.stderr == f'gmcp: timed out after 1 second (--timeout)\n{left_out}', done.stderr)
    server = load_http_server()
    path = write_config('stalls.json', {'web': {'url': f'http://127.0.0.1:{server.Server().port}/stall-head'}})
    done = expect('--timeout bounds a call over HTTP', TIMED_OUT, '--config', path, 'call', 'web__go', '--timeout', '2')
    check('in the same words', done.stderr == 'gmcp: timed out after 2 seconds (--timeout)\n', done.stderr)

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
    drawn = draw(GOOD, 'slow', 'steps:=3')
    check('a bar on a terminal', b'[###' in drawn and drawn.endswith(b'\r\x1b[K'), drawn)
    done = run('--config', GOOD, 'call', 'slow', 'steps:=3')
    check('none elsewhere', done.stderr == '', done.stderr)


# What a command draws itself while an answer takes its time.
OWN_DRAWING = re.compile('\r\x1b\\[K(?:[\u2800-\u28ff] \\w+)?')


def test_control_characters():
    """What a server says does nothing to a terminal; a result is left alone elsewhere, and an error, which is for people, is not."""
    for tool in ('rpc', 'tool', 'exit'):
        drawn = OWN_DRAWING.sub('', draw(LOUD, tool).decode().replace('\r\n', '\n'))
        check(f'{tool}: text on a terminal', 'red' in drawn and '\tline 2\n' in drawn, drawn)
        check(f'{tool}: nothing else', not any(c != '\n' and c != '\t' and not c.isprintable() for c in drawn), repr(drawn))
        done = run('--config', LOUD, 'call', tool)
        check(f'{tool}: the same elsewhere', '<U+001B>]0;owned<U+0007><U+001B>[31mred' in done.stderr, done.stderr)
    for words in (['fine'], ['fine', '--json'], ['rpc', '--json']):
        drawn = OWN_DRAWING.sub('', draw(LOUD, *words, stdout=True).decode())
        check(f'{words}: harmless on a terminal', 'red' in drawn and '\x1b' not in drawn and '\x9b' not in drawn, repr(drawn))


def draw(config, *words, stdout=False):
    """What a call puts on the terminal; but for its result, where that goes elsewhere."""
    master, slave = pty.openpty()
    call = subprocess.Popen([GMCP, '--config', config, 'call', *words], stderr=slave,
                            stdout=slave if stdout else subprocess.PIPE)
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
    return drawn


def test_task():
    """A call that goes on as a task: what is said of it is drawn; Ctrl-C cancels the task too."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'tasks.json'
        server = {'command': sys.executable, 'args': [TASK_SERVER, str(file)]}
        config = write_config('tasks.json', {'digger': server})
        drawn = draw(config, 'dig', 'steps:=4')
        check('the steps of a task', b'step 2 of 4' in drawn and drawn.endswith(b'\r\x1b[K'), drawn)
        expect('its result', OK, '--config', config, 'call', 'dig', 'steps:=2', out=['dug 2 steps'])

        file.unlink()
        call = subprocess.Popen([GMCP, '--config', config, 'call', 'dig', 'steps:=100000'], stderr=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
        while not file.exists() or '"working"' not in file.read_text():
            time.sleep(0.01)
        call.send_signal(signal.SIGINT)
        _out, err = call.communicate(timeout=30)
        check('Ctrl-C in a task', call.returncode == TIMED_OUT and 'cancelled' in err, f'{call.returncode} {err}')
        check('it cancels the task', '"cancelled"' in file.read_text(), file.read_text())


def test_search():
    if not any((pathlib.Path(folder) / 'gmcp-search.so').exists() for folder in os.environ['GMCP_MODULE_PATH'].split(':')):
        return
    done = expect('search finds by words', OK, '--config', GOOD, 'search', '--limit', '3', 'gives', 'a "text" back',
                  out=['test.echo'])
    check('the best comes first', done.stdout.startswith('test.echo'), done.stdout)
    check('--limit', len(done.stdout.splitlines()) <= 3, done.stdout)
    done = expect('search --json', OK, '--config', GOOD, 'search', '--json', 'echo')
    found = json.loads(done.stdout)[0]
    check('search --json has names, score and schema', found['name'] == 'test__echo' and found['server'] == 'test'
          and found['score'] > 0 and found['inputSchema']['type'] == 'object', found)
    expect('nothing is found', OK, '--config', GOOD, 'search', 'unheard-nonsense', err=['no tool fits'])
    expect('a dead server is told of', OK, '--config', TWO, 'search', 'echo', out=['test.echo'], err=['/does/not/exist'])
    expect('search without servers', OK, '--config', EMPTY, 'search', 'echo', err=['No server is configured'])
    expect('search for nothing', USAGE, '--config', GOOD, 'search', err=['missing'])
    expect('a limit below zero', USAGE, '--config', GOOD, 'search', '--limit', '-1', 'x', err=['--limit'])
    expect('a query like an option', OK, '--config', GOOD, 'search', '--', '--echo', out=['test.echo'])


def test_usage():
    expect('no command', USAGE)
    expect('an unknown command', USAGE, 'dance', err=['dance'])
    expect('a misspelt command', USAGE, 'statuz', err=['Near to it: status.'])
    expect('a misspelt program', USAGE, 'import', 'cursr', err=['Near to it: cursor.'])
    expect('logs without lines', USAGE, 'logs', 'x', '--lines', '0', err=['logs: --lines has to be at least 1'])
    expect('help for a command', OK, 'help', 'call', out=['--timeout'])
    expect('help for no command', USAGE, 'help', 'cal', err=['Near to it: call.'])
    expect('a file named by a URI', OK, '--config', pathlib.Path(GOOD).as_uri(), 'tools', out=['test.echo'])
    expect('an unknown option', USAGE, '--dance')
    expect('--help', OK, '--help', out=['tools', 'call'])
    expect('help', OK, 'help', out=['tools', 'call'])
    expect('help needs no file', OK, '--config', '/does/not/exist', 'call', '--help', out=['--timeout'])
    expect('call --help', OK, 'call', '--help', out=['--timeout'])
    expect('--version', OK, '--version', out=['gmcp '])


for test in (test_usage, test_tools, test_search, test_call, test_settings, test_remote, test_output, test_time,
             test_terminal, test_control_characters, test_task):
    test()
print(f'1..{count}')
sys.exit(1 if failures else 0)

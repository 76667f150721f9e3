#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands of gmcp for resources, prompts and completion.

test-cli-features.py GMCP FEATURES_SERVER
"""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL, OUTPUT = range(8)
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-features-')


def path_of(name):
    return str(pathlib.Path(FOLDER.name) / name)


def write_config(name, servers):
    pathlib.Path(path_of(name)).write_text(json.dumps({'mcpServers': servers}))
    return path_of(name)


def server(*args):
    return {'command': sys.executable, 'args': [SERVER, *args]}


GOOD = write_config('good.json', {'mem': server()})
TWO = write_config('two.json', {'mem': server(), 'gone': {'command': '/does/not/exist'}})
DEAD = write_config('dead.json', {'gone': {'command': '/does/not/exist'}})
WRONG = write_config('wrong.json', {'mem': server('--wrong')})
NOTHING = write_config('nothing.json', {'mem': server('--nothing')})
SILENT = write_config('silent.json', {'silent': {'command': 'sleep', 'args': ['60']}})
EMPTY = write_config('empty.json', {})


class Case(unittest.TestCase):
    def run_gmcp(self, status, config, *args, err=(), **more):
        done = subprocess.run([GMCP, '--config', config, *args], capture_output=True, timeout=60, check=False, **more)
        # That is said once for each command, in whichever test comes first.
        errors = re.sub('gmcp: .* runs with all your privileges: .*\n', '', done.stderr.decode())
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{errors}')
        for text in err:
            self.assertIn(text, errors)
        if not err:
            self.assertEqual(errors, '')
        return done.stdout

    def lines(self, *args, **more):
        return self.run_gmcp(OK, *args, **more).decode().splitlines()

    def run_on_terminal(self, *args):
        main, other = pty.openpty()
        done = subprocess.Popen([GMCP, '--config', GOOD, *args], stdout=other, stderr=subprocess.PIPE)
        os.close(other)
        drawn = b''
        try:
            while data := os.read(main, 4096):
                drawn += data
        except OSError:
            pass
        os.close(main)
        errors = done.communicate(timeout=60)[1].decode()
        return done.returncode, drawn, errors


class Resources(Case):
    def test_list(self):
        lines = self.lines(GOOD, 'resources')
        self.assertEqual([line.split()[1] for line in lines], ['mem:text', 'mem:bytes', 'mem:parts', 'mem:escape'])
        self.assertEqual(lines[0].split(maxsplit=2)[2], 'Some words')
        self.assertNotIn('\x1b', lines[3])
        self.assertEqual(lines, self.lines(GOOD, 'resources', 'mem'))
        self.assertEqual(self.lines(GOOD, 'resources', '--templates'), ['mem mem:note/{name}{?part}  Notes by name'])

    def test_list_json(self):
        listed = json.loads(self.run_gmcp(OK, GOOD, 'resources', '--json'))
        self.assertEqual(listed[0]['server'], 'mem')
        self.assertEqual(listed[0]['annotations']['priority'], 0.5)
        self.assertEqual(json.loads(self.run_gmcp(OK, GOOD, 'resources', '--json', '--templates'))[0]['name'], 'notes')
        self.assertEqual(json.loads(self.run_gmcp(OK, NOTHING, 'resources', '--json')), [])

    def test_bad_lists(self):
        self.assertEqual(len(self.lines(WRONG, 'resources')), 4)
        self.assertEqual(self.lines(NOTHING, 'resources', err=['gmcp: there are no resources']), [])
        self.lines(NOTHING, 'resources', 'mem', '--templates', err=['gmcp: mem: there are no templates of resources'])
        self.assertEqual(len(self.lines(TWO, 'resources', err=['/does/not/exist'])), 4)
        self.run_gmcp(UNREACHABLE, DEAD, 'resources', err=['/does/not/exist'])
        self.run_gmcp(USAGE, GOOD, 'resources', 'nope', err=['Unknown server: nope', 'mem'])
        self.run_gmcp(USAGE, GOOD, 'resources', 'a', 'b', err=['too many'])
        self.run_gmcp(OK, EMPTY, 'resources', err=['No server is configured'])

    def test_read(self):
        self.assertEqual(self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:text'), b'some words')
        self.assertEqual(self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:bytes'), bytes(range(256)))
        self.assertEqual(self.run_gmcp(OK, GOOD, 'read', 'mem', 'bytes'), bytes(range(256)))
        self.assertEqual(self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:parts'), b'one\ntwo\n')
        self.assertEqual(self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:escape'), b'red: \x1b[31mred\x07')
        whole = json.loads(self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:text', '--json'))
        self.assertEqual(whole['contents'][0]['mimeType'], 'text/plain')

    def test_read_to_file(self):
        saved = pathlib.Path(path_of('saved'))
        self.assertEqual(self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:bytes', '--output', str(saved)), b'')
        self.assertEqual(saved.read_bytes(), bytes(range(256)))
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', 'mem:parts', '--output', path_of('parts'), err=['2 parts', 'mem:parts/2'])
        self.run_gmcp(OUTPUT, GOOD, 'read', 'mem', 'mem:text', '-o', path_of('no/where'), err=['no/where'])
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([GMCP, '--config', GOOD, 'read', 'mem', 'mem:bytes'], stdout=full,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(done.returncode, OUTPUT)

    def test_read_to_what_is_there(self):
        """A file stays what it is, and whose it is."""
        kept, link, pipe = (pathlib.Path(path_of(name)) for name in ('kept', 'link', 'pipe'))
        kept.write_bytes(bytes(1000))
        kept.chmod(0o600)
        node = kept.stat().st_ino
        link.symlink_to(kept)
        for path in (kept, link):
            self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:bytes', '--output', str(path))
            self.assertEqual(kept.read_bytes(), bytes(range(256)))
            self.assertEqual((kept.stat().st_mode & 0o777, kept.stat().st_ino), (0o600, node))
        self.assertTrue(link.is_symlink())

        os.mkfifo(pipe)
        with subprocess.Popen(['cat', str(pipe)], stdout=subprocess.PIPE) as reader:
            self.run_gmcp(OK, GOOD, 'read', 'mem', 'mem:bytes', '--output', str(pipe))
            self.assertEqual(reader.stdout.read(), bytes(range(256)))
        self.assertTrue(pipe.is_fifo())
        self.run_gmcp(TIMED_OUT, GOOD, 'read', 'mem', 'mem:bytes', '--output', str(pipe), '--timeout', '1', err=['1 second'])

    def test_read_on_terminal(self):
        status, drawn, _errors = self.run_on_terminal('read', 'mem', 'mem:escape')
        self.assertEqual((status, drawn), (OK, b'red: <U+001B>[31mred<U+0007>\r\n'))
        status, drawn, errors = self.run_on_terminal('read', 'mem', 'mem:bytes')
        self.assertEqual((status, drawn), (USAGE, b''))
        self.assertIn('256 bytes', errors)
        self.assertIn('--output', errors)

    def test_read_fails(self):
        self.run_gmcp(PROTOCOL, GOOD, 'read', 'mem', 'mem:nope', err=['mem: Resource not found'])
        self.run_gmcp(PROTOCOL, GOOD, 'read', 'mem', 'mem:texd', err=['mem: Resource not found', 'Near to it: mem:text.'])
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', 'byte', err=['“byte” is no URI', 'Near to it: bytes.'])
        self.run_gmcp(PROTOCOL, WRONG, 'read', 'mem', 'mem:text', err=['contents'])
        self.run_gmcp(PROTOCOL, WRONG, 'read', 'mem', 'mem:bytes', err=['gmcp: '])
        self.run_gmcp(PROTOCOL, NOTHING, 'read', 'mem', 'mem:text', err=['“resources”'])
        self.run_gmcp(UNREACHABLE, DEAD, 'read', 'gone', 'x:y', err=['/does/not/exist'])
        self.run_gmcp(TIMED_OUT, SILENT, 'read', 'silent', 'x:y', '--timeout', '1', err=['1 second'])
        self.run_gmcp(USAGE, GOOD, 'read', 'nope', 'x:y', err=['Unknown server: nope'])
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', err=['a URI'])
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', 'a:b', 'c:d', err=['a URI'])
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', 'a:b', '--json', '-o', 'x', err=['--json'])
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', 'a:b', '--timeout', '-1', err=['negative'])
        self.run_gmcp(USAGE, GOOD, 'read', 'mem', b'a:\xff', err=['UTF-8'])


class Gone(Case):
    """A server that ends when it has been started: at once, or while another is asked for its list."""

    SCRIPT = '''
import json, pathlib, sys, time
own, folder = sys.argv[1], pathlib.Path(sys.argv[2])
missing = {'tools/list', 'ping'}
def wait_for(name):
    while not (folder / name).exists():
        time.sleep(0.01)
for line in sys.stdin:
    message = json.loads(line)
    method, id_ = message['method'], message.get('id')
    if method == 'initialize':
        result = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}, 'resources': {}, 'prompts': {}},
                  'serverInfo': {'name': own, 'version': '1'}}
    elif method == 'tools/list':
        result = {'tools': []}
    elif method == 'ping':
        result = {}
    elif own == 'stays' and method in ('resources/list', 'prompts/list'):
        (folder / 'asked').touch()
        wait_for('ended')
        time.sleep(0.3)
        result = {'resources': [{'uri': 'a:b', 'name': 'one'}], 'prompts': [{'name': 'one'}]}
    else:
        if method == 'server/discover':
            print(json.dumps({'jsonrpc': '2.0', 'id': id_, 'error': {'code': -32601, 'message': 'no'}}), flush=True)
        continue
    print(json.dumps({'jsonrpc': '2.0', 'id': id_, 'result': result}), flush=True)
    missing.discard(method)
    if own != 'stays' and not missing:
        if own == 'ends-later':
            wait_for('asked')
        (folder / 'ended').touch()
        sys.exit('ends now')
'''

    def run_with(self, folder, status, names, *words, err=()):
        config = write_config('gone.json', {name: {'command': sys.executable, 'args': ['-c', self.SCRIPT, name, folder]}
                                            for name in names})
        return self.run_gmcp(status, config, *words, err=err)

    def test_alone(self):
        for command in ('resources', 'prompts'):
            for words in ([], ['ends']):
                with tempfile.TemporaryDirectory() as folder:
                    self.run_with(folder, UNREACHABLE, ['ends'], command, *words, err=['ends'])

    def test_beside_another(self):
        for command in ('resources', 'prompts'):
            with tempfile.TemporaryDirectory() as folder:
                out = self.run_with(folder, OK, ['stays', 'ends-later'], command, err=['ends now'])
                self.assertEqual(len(out.splitlines()), 1)


class Prompts(Case):
    def test_list(self):
        self.assertEqual(self.lines(GOOD, 'prompts'), ['mem.review  code, [style]: Looks at code',
                                                       'mem.grow    Adds a resource and a prompt'])
        listed = json.loads(self.run_gmcp(OK, GOOD, 'prompts', 'mem', '--json'))
        self.assertEqual((listed[0]['name'], listed[0]['prompt']), ('mem.review', 'review'))
        self.assertEqual(len(self.lines(WRONG, 'prompts')), 2)
        self.assertEqual(self.lines(NOTHING, 'prompts', 'mem', err=['gmcp: mem: there are no prompts']), [])
        self.run_gmcp(USAGE, GOOD, 'prompts', 'nope', err=['Unknown server: nope'])

    def test_get(self):
        out = self.run_gmcp(OK, GOOD, 'prompt', 'mem.review', 'code=a = b', 'style=')
        self.assertEqual(out.decode(), '[user]\nLook at a = b\n\n[assistant]\nI looked\n')
        whole = json.loads(self.run_gmcp(OK, GOOD, 'prompt', 'mem.review', 'code=x', '--json'))
        self.assertEqual(whole['description'], 'a review')
        self.assertEqual(self.run_gmcp(OK, GOOD, 'prompt', 'mem.grow'), b'')

    def test_missing_is_asked_for(self):
        """On a terminal; --no-input leaves that out."""
        main, other = pty.openpty()
        done = subprocess.Popen([GMCP, '--config', GOOD, 'prompt', 'mem.review'], stdin=other, stderr=other, stdout=subprocess.PIPE)
        shown = b''
        while not shown.endswith(b'code: '):
            shown += os.read(main, 4096)
        self.assertIn(b'what to look at', shown)
        os.write(main, b'here\n')
        self.assertEqual(done.communicate(timeout=60)[0], b'[user]\nLook at here\n\n[assistant]\nI looked\n')
        self.assertEqual(done.returncode, OK)
        done = subprocess.run([GMCP, '--config', GOOD, 'prompt', 'mem.review', '--no-input'], stdin=other, stderr=other, timeout=60,
                              stdout=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (USAGE, b''))
        os.close(other)
        os.close(main)

    def test_get_fails(self):
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.review', err=['mem.review: What is missing: code – for example: gmcp prompt mem.review code=…\n'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.review', 'codee=1', 'style=a b',
                      err=["There is no argument “codee”. Near to it: code. – for example: gmcp prompt mem.review code=… 'style=a b'\n"])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.grow', 'x=1', err=['There is no argument “x” – for example: gmcp prompt mem.grow\n'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.reviev', err=['the server mem has no prompt “reviev”. Near to it: review.'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.something', err=['the server mem has no prompt “something”\n'])
        self.run_gmcp(PROTOCOL, NOTHING, 'prompt', 'mem.review', err=['“prompts”'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'review', err=['SERVER.NAME'])
        self.run_gmcp(USAGE, GOOD, 'prompt', '.review', err=['SERVER.NAME'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'nope.review', err=['Unknown server: nope'])
        self.run_gmcp(USAGE, GOOD, 'prompt', err=['gmcp prompts'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.review', 'code', err=['“code” is not of the form'])
        self.run_gmcp(USAGE, GOOD, 'prompt', 'mem.review', 'a=1', 'a=2', err=['“a” is given twice'])


class Completion(Case):
    def test_complete(self):
        out = self.run_gmcp(OK, GOOD, 'complete', 'mem.review', 'style', 'py', err=['2 of 3'])
        self.assertEqual(out, b'python\npytorch\n')
        out = self.run_gmcp(OK, GOOD, 'complete', 'mem.review', 'code', err=['3 of 4'])
        self.assertEqual(out, b'python\npytorch\nperl\n')
        out = self.run_gmcp(OK, GOOD, 'complete', 'mem.review', 'code', '', 'style=short', err=['1 of 2'])
        self.assertEqual(out, b'py\n')
        out = self.run_gmcp(OK, GOOD, 'complete', 'mem', '--template', 'mem:note/{name}', 'name', 'm', err=['1 of 2'])
        self.assertEqual(out, b'monday\n')
        whole = json.loads(self.run_gmcp(OK, GOOD, 'complete', 'mem.review', 'code', '--json'))
        self.assertEqual(whole['completion']['total'], 4)

    def test_complete_fails(self):
        self.run_gmcp(PROTOCOL, NOTHING, 'complete', 'mem.review', 'code', err=['“completions”'])
        self.run_gmcp(USAGE, GOOD, 'complete', 'mem.review', err=['an argument'])
        self.run_gmcp(USAGE, GOOD, 'complete', 'review', 'code', err=['SERVER.NAME'])
        self.run_gmcp(USAGE, GOOD, 'complete', 'mem.review', 'code', 'x', 'y', err=['“y” is not of the form'])
        self.run_gmcp(USAGE, GOOD, 'complete', 'nope', '--template', 'x', 'code', err=['Unknown server: nope'])


class Help(Case):
    def test_help(self):
        for command in ('resources', 'read', 'prompts', 'prompt', 'complete'):
            self.assertIn(b'--json', self.run_gmcp(OK, '/does/not/exist', command, '--help'))
            self.run_gmcp(USAGE, GOOD, command, '--dance', err=['--dance'])


tap.main()

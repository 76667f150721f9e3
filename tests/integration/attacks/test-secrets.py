#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Secrets of every kind, over servers that repeat all that they were told, are in nothing that is printed, written,
sent over the bus or shown in a list of processes: test-secrets.py GMCP LEAKY_SERVER [STORE_SECRET]

The one exception is what a tool gives back to whoever called it.
"""
import base64
import contextlib
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, LEAKY = map(os.path.abspath, sys.argv[1:3])
STORE = sys.argv[3] if len(sys.argv) > 3 else None
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-secrets-')
HOME = pathlib.Path(FOLDER.name)
CONFIG = HOME / 'mcp.json'
GIVEN = {CONFIG, HOME / 'keyring'}  # what holds secrets by right
KINDS = ['named-variable', 'variable', 'expanded', 'expanded-argument', 'override', 'option', 'long-option', 'keyring',
         'bearer', 'key-header', 'header', 'expanded-header', 'password', 'query', 'argument', 'broken', 'gone']
SECRETS = {kind: secrets.token_hex(12) for kind in KINDS}
S = SECRETS


def configure(port):
    env = {'API_TOKEN': S['named-variable'], 'GREETING': S['variable'], 'OTHER': '${GMCP_TEST_VALUE}'}
    if STORE:
        env['STORED'] = '${secret:stored}'
    leaky = {'command': sys.executable, 'args': ['-S', LEAKY, '--token', S['option'], f'--api-key={S["long-option"]}',
                                                 '--secret-word', '${env:GMCP_TEST_ARGUMENT}'],
             'env': env, 'maxRestartAttempts': 1}
    web = {'headers': {'Authorization': f'Bearer {S["bearer"]}', 'X-Api-Key': S['key-header'], 'X-Word': S['header'],
                       'X-Other': '${GMCP_TEST_HEADER}'}}

    def url(path, at=None):
        return f'http://user:{S["password"]}@127.0.0.1:{at or port}/{path}?api_key={S["query"]}'

    gone = {'args': ['--password', S['gone']], 'env': {'TOKEN': S['named-variable']}}
    servers = {
        'leaky': leaky,
        'crash': {**leaky, 'args': [*leaky['args'], '--crash']},
        'late': {**leaky, 'args': [*leaky['args'], '--late']},
        'error': {**leaky, 'args': [*leaky['args'], '--error']},
        'gone': {**gone, 'command': '/does/not/exist'},
        'nowhere': {**gone, 'command': 'no-such-command-anywhere'},
        'folder': {**leaky, 'cwd': '/does/not/exist'},
        'unset': {**leaky, 'env': {**env, 'MISSING': '${GMCP_TEST_MISSING}'}},
        'web': {**web, 'url': url('mcp')},
        **{f'web-{path}': {**web, 'url': url(path)} for path in ('401', '403', '500', 'rpc', 'location')},
        'web-refused': {**web, 'url': url('mcp', 1)},
    }
    CONFIG.write_text(json.dumps({'mcpServers': servers}))
    broken = HOME / 'broken.json'
    broken.write_text(json.dumps({'mcpServers': {
        'a': {'command': 'x', 'env': {'TOKEN': [S['broken']]}}, 'b': {'command': 'x', 'headers': S['broken']},
        'c': {'url': f'gopher://user:{S["broken"]}@host/?token={S["broken"]}'}, 'd': {'url': f'http://user:{S["broken"]}@host:x/'},
        'e': {'command': 'x', 'type': S['broken']}, 'f': {'command': 'x', 'env': {'TOKEN': '${' + S['broken']}}}}))
    GIVEN.add(broken)
    return broken


def forms(secret):
    """How it may be written."""
    yield secret
    yield urllib.parse.quote(secret)
    for text in (secret, f'user:{secret}'):
        yield base64.b64encode(text.encode()).decode().rstrip('=')


def find(text):
    """The kinds of those that the text holds."""
    return [kind for kind, secret in SECRETS.items() if any(form in text for form in forms(secret))]


class Secrets(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.env = {**os.environ, 'HOME': str(HOME), 'XDG_RUNTIME_DIR': str(HOME / 'run'), 'SECRET_BACKEND': 'file',
                   'SECRET_FILE_TEST_PATH': str(HOME / 'keyring'), 'SECRET_FILE_TEST_PASSWORD': 'test',
                   'GMCP_TEST_VALUE': S['expanded'], 'GMCP_TEST_ARGUMENT': S['expanded-argument'],
                   'GMCP_TEST_HEADER': S['expanded-header'], 'MCP_LEAKY_OVERRIDE': S['override'], 'LC_ALL': 'C.UTF-8',
                   **{f'XDG_{name}_HOME': str(HOME / name) for name in ('CACHE', 'CONFIG', 'DATA', 'STATE')}}
        (HOME / 'run').mkdir(mode=0o700)
        cls.start_bus()
        if STORE:
            subprocess.run([STORE, 'stored'], input=S['keyring'], env=cls.env, text=True, check=True)
        web = cls.stack.enter_context(subprocess.Popen([sys.executable, '-S', LEAKY, '--http'], stdin=subprocess.PIPE,
                                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        cls.stack.callback(web.stdin.close)
        cls.broken = configure(int(web.stdout.readline()))

    @classmethod
    def start_bus(cls):
        """What goes over the bus is written down, where this machine has one."""
        cls.bus_log = HOME / 'bus.log'
        if not (shutil.which('dbus-daemon') and shutil.which('dbus-monitor')):
            return
        bus = cls.stack.enter_context(subprocess.Popen(
            ['dbus-daemon', '--session', '--nofork', '--print-address'], stdout=subprocess.PIPE, text=True, env=cls.env))
        cls.stack.callback(bus.terminate)
        cls.env['DBUS_SESSION_BUS_ADDRESS'] = bus.stdout.readline().strip()
        with open(cls.bus_log, 'wb') as log:
            monitor = cls.stack.enter_context(subprocess.Popen(['dbus-monitor', '--session'], stdout=log, env=cls.env))
        cls.stack.callback(monitor.terminate)
        while not cls.bus_log.stat().st_size:
            time.sleep(0.01)

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    def clean(self, where, text):
        found = find(text)
        lines = [line for line in text.splitlines() if find(line)]
        self.assertEqual(found, [], f'in {where}:\n' + '\n'.join(line[:1000] for line in lines[:10]))

    def gmcp(self, *args, env=None, result=False, config=CONFIG, **options):
        """Runs it; result says that a tool's result, which is the user's, is on the standard output."""
        done = subprocess.run([GMCP, '--config', str(config), *args], capture_output=True, text=True, timeout=100,
                              check=False, env={**self.env, **(env or {})}, **options)
        self.clean(f'stderr of {args}', done.stderr)
        if not result:
            self.clean(f'stdout of {args}', done.stdout)
        return done

    def each_call(self, env=None):
        arguments = json.dumps({'password': S['argument'], 'text': 'hello'})
        for server in ('leaky', 'web'):
            done = self.gmcp('call', f'{server}.show', '-', input=arguments, result=True, env=env)
            self.assertEqual(done.returncode, 0, done)
            # The tool does repeat them: else this tests nothing.
            own = {'leaky': ['variable', 'expanded', 'override'] + ['keyring'] * bool(STORE), 'web': ['bearer', 'query', 'expanded-header']}
            for kind in own[server]:
                self.assertIn(S[kind], done.stdout)
            self.assertIn(S['argument'], done.stdout)
        # A tool's error is a result too.
        self.gmcp('call', 'leaky.fail', '--json', result=True, env=env)
        for tool in ('leaky.refuse', 'leaky.end', 'web.refuse', 'late.show', 'crash.show', 'error.show', 'gone.show', 'unset.show'):
            done = self.gmcp('call', tool, '-', input=arguments, env=env)
            self.assertNotEqual(done.returncode, 0, done)
            self.assertNotEqual(done.stderr, '')

    def test_calls(self):
        self.each_call()

    def test_debugging(self):
        self.each_call({'G_MESSAGES_DEBUG': 'all'})

    def test_lists(self):
        self.gmcp('servers')
        done = self.gmcp('servers', '--check', '--json')
        status = {server['name']: server for server in json.loads(done.stdout)['servers']}
        self.assertEqual(status['leaky']['fine_state'], 'ready', status['leaky'])
        for name in ('crash', 'error', 'gone', 'nowhere', 'folder', 'unset', 'web-401', 'web-403', 'web-500', 'web-rpc', 'web-refused'):
            self.assertTrue(status[name]['last_error'], name)
        self.gmcp('servers', '--check')
        # What a server says of its tools is shown as it is.
        self.gmcp('tools', result=True)
        self.gmcp('prompts')
        self.gmcp('resources')
        self.gmcp('search', 'show', result=True)

    def test_config(self):
        done = self.gmcp('config', 'check', str(self.broken))
        self.assertNotEqual(done.returncode, 0, done)
        self.gmcp('config', 'check', str(CONFIG))
        self.gmcp('servers', '--check', config=self.broken)

    def test_processes(self):
        """Of gmcp and what watches over its servers, which are children of it."""
        for name in ('leaky', 'web'):
            process = subprocess.Popen([GMCP, '--config', str(CONFIG), 'start', name, '--foreground'], env=self.env,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            output = ''
            while name + '\n' not in output.splitlines(True):
                line = process.stdout.readline()
                self.assertTrue(line, output)
                output += line
            children = pathlib.Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
            self.assertEqual(len(children), name == 'leaky')
            for pid in [process.pid, *children]:
                path = pathlib.Path(f'/proc/{pid}')
                self.clean(f'the command line of {pid}', (path / 'cmdline').read_text().replace('\0', ' '))
            for pid in children:
                self.clean(f'the environment of {pid}', (path / 'environ').read_text().replace('\0', ' '))
            process.send_signal(signal.SIGINT)
            output += process.communicate(timeout=30)[0]
            self.clean('gmcp start', output)

    def test_zz_written(self):
        """Last: everything that was written until now."""
        self.gmcp('call', 'leaky.show', '-', input=json.dumps({'token': S['argument']}), result=True)
        for args in (['audit'], ['audit', '--json'], ['logs', 'leaky'], ['logs', 'late'], ['logs', 'crash'], ['pins', '--all']):
            done = self.gmcp(*args)
            if args[0] in ('audit', 'logs'):
                self.assertNotEqual(done.stdout, '', args)
        n = 0
        for path in sorted(HOME.rglob('*')):
            if path.is_file() and path not in GIVEN:
                n += 1
                self.clean(path, path.read_text(errors='replace'))
        # Logs of servers, the audit log, manifests, pins.
        self.assertGreater(n, 6)


tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Logs, calls, lists, roles and exports: test-cli-records.py GMCP SERVER [yaml]"""
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import Terminal

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE = range(4)
ESCAPE = '\x1b[2J'
ROLES = {'review': {'allowed_tools': ['one.echo', 'one.p*'], 'denied_tools': ['*.pid'], 'ask_first': ['one.print']},
         'other': {'allowed_tools': ['*.*'], 'host': 'another'}}


def line(minutes, rest):
    """A line of a server's log, as old as that."""
    time = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes)
    return f'{time:%Y-%m-%dT%H:%M:%SZ} {rest}\n'


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-records-', ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.logs = self.home / 'state' / 'gmcp' / 'servers'
        self.logs.mkdir(parents=True)
        self.config = self.home / 'mcp.json'
        self.environment = {**os.environ, 'HOME': str(self.home), 'XDG_CONFIG_HOME': str(self.home / '.config'),
                            'XDG_STATE_HOME': str(self.home / 'state'), 'XDG_CACHE_HOME': str(self.home / 'cache'),
                            'XDG_DATA_HOME': str(self.home / 'data'), 'TZ': 'Asia/Tokyo'}
        self.configure('echo,pid,print')

    def configure(self, tools, *more, **top):
        """The server's command stays the same whatever it has: its configuration does, too."""
        script = self.home / 'serve'
        script.write_text(f'#!/bin/sh\nexec /usr/bin/python3 {SERVER} --tools {tools} {" ".join(more)}\n')
        script.chmod(0o755)
        self.config.write_text(json.dumps({'mcpServers': {'one': {'command': str(script)}}, **top}))

    def gmcp(self, status, *args, out=(), err=(), **more):
        done = subprocess.run([GMCP, '--config', str(self.config), *map(str, args)], capture_output=True, text=True,
                              timeout=60, check=False, env={**self.environment, **more}, cwd=self.home,
                              stdin=subprocess.DEVNULL)
        told = f'{args}\n{done.stdout}\n{done.stderr}'
        self.assertEqual(done.returncode, status, told)
        for word in out:
            self.assertIn(word, done.stdout, told)
        for word in err:
            self.assertIn(word, done.stderr, told)
        return done

    def json(self, *args, **more):
        return json.loads(self.gmcp(OK, *args, '--json', **more).stdout)

    def add_server(self, name):
        config = json.loads(self.config.read_text())
        config['mcpServers'][name] = {'command': 'true'}
        self.config.write_text(json.dumps(config))


class Logs(Records):
    def test_times_are_local_and_origins_are_told(self):
        (self.logs / 'one.log').write_text(
            '2026-01-01T20:00:00Z | printed\n2026-01-01T20:00:01Z stdout| noise\n[7 lines are missing]\n'
            '2026-01-01T20:00:02Z [warning] slow\n' + f'2026-01-01T20:00:03Z | {ESCAPE}wipes\n')
        out = self.gmcp(OK, 'logs', 'one').stdout.splitlines()
        self.assertEqual(out[0], '2026-01-02 05:00:00  stderr   printed')
        self.assertEqual(out[1], '2026-01-02 05:00:01  stdout   noise')
        self.assertEqual(out[2], '2026-01-02 05:00:01  info     [7 lines are missing]')
        self.assertEqual(out[3], '2026-01-02 05:00:02  warning  slow')
        self.assertNotIn('\x1b', out[4])
        listed = self.json('logs', 'one')
        self.assertEqual(listed[3], {'time': '2026-01-01T20:00:02Z', 'server': 'one', 'origin': 'manager',
                                     'level': 'warning', 'text': 'slow'})
        self.assertEqual(listed[4]['text'], f'{ESCAPE}wipes')

    def test_what_is_asked_for(self):
        (self.logs / 'one.log.1').write_text(line(200, '| oldest') + line(90, '[error] broke'))
        (self.logs / 'one.log').write_text(line(70, '[info] started') + line(5, '| newest'))
        every = self.gmcp(OK, 'logs', 'one').stdout
        self.assertEqual([row.split()[-1] for row in every.splitlines()], ['oldest', 'broke', 'started', 'newest'])
        for args, words in [(['--since', '10m'], ['newest']), (['--since', '2h'], ['broke', 'started', 'newest']),
                            (['--since', '1d', '-n', '1'], ['newest']), (['-n', '3'], ['broke', 'started', 'newest']),
                            (['--level', 'warning'], ['broke']), (['--level', 'info'], ['broke', 'started']),
                            (['--level', 'error', '--since', '80m'], [])]:
            shown = self.gmcp(OK, 'logs', 'one', *args).stdout
            self.assertEqual([row.split()[-1] for row in shown.splitlines()], words, args)
        for wrong in ['--since=soon', '--since=25:00', '--since=2026-13-01', '--level=loud', '--lines=0']:
            self.gmcp(USAGE, 'logs', wrong, 'one')
        now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=9)
        for since in [f'{now:%Y-%m-%d}', f'{now:%H:%M}', f'{now:%Y-%m-%d %H:%M}', f'{now:%Y-%m-%dT%H:%M:%S}']:
            self.gmcp(OK, 'logs', 'one', '--since', since)

    def test_several_logs_are_one_by_their_times(self):
        self.add_server('two')
        (self.logs / 'one.log').write_text(line(4, '| first') + line(2, '| third'))
        (self.logs / 'two.log').write_text(line(3, '| second') + line(1, '| fourth'))
        out = self.gmcp(OK, 'logs').stdout.splitlines()
        self.assertEqual([row.split()[-2:] for row in out],
                         [['one', 'first'], ['two', 'second'], ['one', 'third'], ['two', 'fourth']])
        self.gmcp(USAGE, 'logs', 'three', err=['three'])
        (self.logs / 'two.log').unlink()
        self.gmcp(OK, 'logs', 'two', err=['Nothing has been written to'])

    def follow(self, expected, steps, *args):
        """Reads what is printed, and does a step each time that a line came."""
        process = subprocess.Popen([GMCP, '--config', str(self.config), 'logs', '-f', *args], text=True,
                                   stdout=subprocess.PIPE, env=self.environment, stdin=subprocess.DEVNULL)
        guard = threading.Timer(50, process.kill)
        guard.start()
        words = []
        for row in process.stdout:
            words.append(json.loads(row)['text'] if row[0] == '{' else row.split()[-1])
            if len(words) == len(expected):
                break
            if len(words) - 1 < len(steps):
                steps[len(words) - 1]()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        process.stdout.close()
        status = process.wait()
        guard.cancel()
        self.assertEqual(words, expected)
        self.assertEqual(status, OK)

    def test_it_follows_a_log_that_is_rotated(self):
        path = self.logs / 'one.log'

        def append(text):
            with open(path, 'a', encoding='utf-8') as file:
                file.write(text)

        def rotate():
            append(line(0, '| c'))
            path.rename(self.logs / 'one.log.1')
            path.write_text(line(0, '| d'))

        append(line(9, '| old') + line(0, '| a'))
        self.follow(['a', 'b', 'c', 'd', 'e'],
                    [lambda: append(line(0, '| b')), rotate, lambda: None, lambda: append(line(0, '| e') + 'half')],
                    '--since', '5m')
        append('\n')
        self.follow(['e', 'half', 'f'], [lambda: None, lambda: append(line(0, '| f'))], '-n', '2', '--json')


class Audit(Records):
    def test_calls_are_a_table(self):
        begin = self.json('audit', '--since', '1h')
        self.assertEqual(begin, [])
        self.gmcp(OK, 'audit', err=['No such call'])
        self.gmcp(OK, 'call', 'one.echo', f'text=hello {ESCAPE}' + 'x' * 500)
        self.gmcp(OK, '--host', 'claude-code', 'call', 'one.pid')
        rows = self.gmcp(OK, 'audit').stdout.splitlines()
        self.assertEqual(rows[0].split(), ['Id', 'Time', 'Tool', 'Who', 'Outcome', 'ms', 'Arguments'])
        self.assertEqual(len(rows), 3)
        self.assertIn('one.echo', rows[1])
        self.assertIn('hello', rows[1])
        self.assertIn('claude-code', rows[2])
        self.assertNotIn('\x1b', rows[1])
        self.assertLess(len(rows[1]), 400)
        self.assertIn(f'{datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=9):%Y-%m-%d}', rows[1])
        with Terminal([GMCP, '--config', self.config, 'audit'], columns=80, environment=self.environment) as terminal:
            self.assertEqual(terminal.finish(), OK)
            # When a call was made is told whole, whatever else gives way.
            self.assertRegex(terminal.text(), r'(?m)^\S+  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  one\.echo .*…$')
        self.assertEqual([call['tool'] for call in self.json('audit', '--server', 'one')], ['echo', 'pid'])
        self.assertEqual(len(self.json('audit', '--since', '2030-01-01')), 0)
        self.assertEqual(len(self.json('audit', '--since', '10m', '--limit', '1')), 1)
        self.gmcp(USAGE, 'audit', '--since', 'ever', err=['10m'])
        self.gmcp(USAGE, 'audit', '--server', 'no', err=['no'])
        self.gmcp(OK, 'replay', rows[1].split()[0], out=['hello'])


class Sync(Records):
    def test_what_has_changed_is_told(self):
        first = self.gmcp(OK, 'sync').stdout.splitlines()
        self.assertEqual([row.split()[:2] for row in first], [['one:', '3'], ['+', 'echo'], ['+', 'pid'], ['+', 'print']])
        self.gmcp(OK, 'sync', 'one', out=['one: 3 tools, nothing has changed'])
        self.configure('echo,print,wait', '--described', 'echo')
        self.assertEqual(self.json('sync', 'one'),
                         [{'server': 'one', 'tools': 3, 'added': ['wait'], 'removed': ['pid'], 'changed': ['echo']}])
        self.gmcp(OK, 'tools', out=['wait'])
        self.add_server('dead')
        self.gmcp(OK, 'sync', out=['nothing has changed'], err=['dead'])
        self.gmcp(UNREACHABLE, 'sync', 'dead')
        self.gmcp(USAGE, 'sync', 'onee', err=['onee'])


class Role(Records):
    def test_what_a_role_may_call(self):
        self.gmcp(OK, 'role', err=['No roles'])
        self.configure('echo,pid,print', roles=ROLES)
        rows = self.gmcp(OK, 'role').stdout.splitlines()
        self.assertEqual(len(rows), 2)
        self.assertIn('one.echo, one.p*', rows[1])
        self.assertEqual([role['name'] for role in self.json('role')], ['review'])
        done = subprocess.run([GMCP, '--config', self.config, '--host', 'another', 'role', '--json'], check=True,
                              env=self.environment, stdout=subprocess.PIPE)
        self.assertEqual([role['name'] for role in json.loads(done.stdout)], ['review', 'other'])
        self.gmcp(OK, 'role', 'review', out=['gmcp sync one'])
        self.gmcp(OK, 'sync')
        self.gmcp(OK, 'role', 'review', out=['one:', 'role review, denied-tools: *.pid'])
        listed = {tool['tool']: (tool['permission'], tool['rule']) for tool in self.json('role', 'review')}
        self.assertEqual(listed, {'echo': ('allowed', 'role review, allowed-tools: one.echo'),
                                  'pid': ('refused', 'role review, denied-tools: *.pid'),
                                  'print': ('asked', 'role review, ask-first: one.print')})
        self.gmcp(USAGE, 'role', 'reviev', err=['reviev', 'review'])
        self.gmcp(USAGE, 'role', 'other', err=['gmcp'])


SERVERS = {'plain': {'command': 'npx', 'args': ['-y', 'a b', 'say "hi"'], 'env': {'LEVEL': 'in\nfo', 'HOME_OF': '${userHome}/x'}},
           'secret': {'command': 'srv', 'args': ['--token', 'sk-abcdefgh12345678'],
                      'env': {'API_KEY': 'sk-abcdefgh12345678', 'TOKEN': '${secret:STORED}', 'SAME': '${SAME}'}},
           'web': {'url': 'https://example.com/mcp', 'headers': {'Authorization': 'Bearer ${WEB_TOKEN}', 'X-Team': 'blue'}},
           'old': {'type': 'sse', 'url': 'https://example.com/sse'},
           'off': {'command': 'true', 'disabled': True}}


class Export(Records):
    def setUp(self):
        super().setUp()
        self.config.write_text(json.dumps({'mcpServers': SERVERS}))

    def export(self, program, *args):
        return self.gmcp(OK, 'export', '--format', program, *args)

    def test_every_format_can_be_imported_again(self):
        """What comes back is the same server, but for what stands for a secret."""
        help_text = self.gmcp(OK, 'export', '--help').stdout
        programs = help_text[help_text.index('FORMAT is one of') + 16:].split('(claude-code)')[0].replace(',', ' ').split()
        self.assertGreaterEqual(len(programs), 12)
        for program in programs:
            # A build may do without YAML.
            if program == 'goose' and 'yaml' not in sys.argv[3:]:
                continue
            with self.subTest(program):
                done = self.export(program)
                self.assertNotIn('sk-abcdefgh', done.stdout)
                self.assertNotIn('"off"', done.stdout)
                ending = {'codex': 'toml', 'goose': 'yaml'}.get(program, 'json')
                file = self.home / f'{program}.{ending}'
                file.write_text(done.stdout)
                target = self.home / f'{program}-back.json'
                self.gmcp(OK, 'import', program, file, '--to', target, '--yes')
                back = json.loads(target.read_text())['mcpServers']
                expected = {'plain', 'secret'} if program == 'claude-desktop' else {'plain', 'secret', 'web', 'old'}
                self.assertEqual(set(back), expected)
                self.assertEqual((back['plain']['command'], back['plain']['args']), ('npx', SERVERS['plain']['args']))
                self.assertEqual(back['plain']['env']['LEVEL'], 'in\nfo')
                self.assertEqual(back['secret']['args'][0], '--token')
                if 'web' in expected:
                    self.assertEqual(back['web']['url'], 'https://example.com/mcp')
                    self.assertEqual(back['web']['headers']['X-Team'], 'blue')

    def test_variables_are_those_of_the_program(self):
        claude = json.loads(self.export('claude', 'secret', 'web').stdout)['mcpServers']
        self.assertEqual(claude['secret']['env'], {'API_KEY': '${API_KEY}', 'SAME': '${SAME}', 'TOKEN': '${STORED}'})
        self.assertEqual(claude['web']['headers']['Authorization'], 'Bearer ${WEB_TOKEN}')
        cursor = json.loads(self.export('cursor', 'plain', 'secret').stdout)['mcpServers']
        self.assertEqual(cursor['plain']['env']['HOME_OF'], '${userHome}/x')
        self.assertEqual(cursor['secret']['env']['SAME'], '${env:SAME}')
        code = json.loads(self.export('vscode', 'secret').stdout)
        self.assertEqual(code['servers']['secret']['env']['TOKEN'], '${input:STORED}')
        self.assertIn({'type': 'promptString', 'id': 'STORED', 'description': 'STORED', 'password': True}, code['inputs'])
        codex = self.export('codex', 'secret', 'web').stdout
        self.assertIn('env_vars = ["API_KEY","SAME"]', codex)
        self.assertIn('bearer_token_env_var = "WEB_TOKEN"', codex)
        self.assertIn('<STORED>', self.export('zed', 'secret').stdout)

    def test_what_is_left_to_do_is_told(self):
        self.assertIn('set the variable API_KEY', self.export('claude-code').stderr)
        self.assertIn('replace <STORED>', self.export('cline').stderr)
        self.assertIn('web: left out', self.export('claude-desktop').stderr)

    def test_secrets_on_demand(self):
        done = self.gmcp(OK, 'export', '--with-secrets', 'plain', 'web')
        self.assertEqual(done.stderr.count('secret'), 0, done.stderr)
        config = json.loads(self.config.read_text())
        del config['mcpServers']['secret']['env']['TOKEN']
        self.config.write_text(json.dumps(config))
        self.gmcp(OK, 'export', '--with-secrets', 'secret', out=['sk-abcdefgh12345678'])

    def test_what_is_not_known(self):
        self.gmcp(USAGE, 'export', '--format', 'curser', err=['cursor'])
        self.gmcp(USAGE, 'export', 'nobody', err=['nobody'])
        self.gmcp(OK, 'export', 'off', out=['"off"'])


tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What shells complete: test-cli-completion.py GMCP TASKS_SERVER

Bash and zsh run in a terminal, where the tabulator is typed; fish says by itself what it would offer.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import TAB, Terminal, environment_of, make_home

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
CONFIG = {'mcpServers': {'tasks': {'command': SERVER}, 'other': {'command': '/bin/false'}},
          'roles': {'reviewer': {'allowed_tools': ['*']}}}
USAGE = 2
HOSTILE = r"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answer = {'error': {'code': -32601, 'message': 'Method not found'}}
    if message['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'evil', 'version': '1'}}}
    elif message['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': name, 'description': 'a\tb\nc', 'inputSchema': {'type': 'object', 'properties': {'`x`': {}}}}
                                       for name in ('$(id)', 'a b', 'c;d', 'e\x1b[2J', 'f\ng')]}}
    if 'id' in message:
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}), flush=True)
"""


class Completion(unittest.TestCase):
    def setUp(self):
        self.home = make_home(self)
        self.environment = {**os.environ, **environment_of(self.home), 'PATH': f'{self.home}/bin:/usr/bin:/bin'}
        (self.home / 'bin').mkdir()
        (self.home / 'bin' / 'gmcp').symlink_to(GMCP)
        config = self.home / '.config' / 'mcp' / 'mcp.json'
        config.parent.mkdir(parents=True)
        config.write_text(json.dumps(CONFIG))

    def gmcp(self, *words, status=0):
        done = subprocess.run([GMCP, *words], capture_output=True, text=True, timeout=60, check=False, env=self.environment,
                              cwd=self.home)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def list_tools(self):
        """From then on they are kept."""
        self.gmcp('tools', 'tasks')

    def offered(self, *words, shell='zsh'):
        done = self.gmcp('__complete', shell, *words)
        self.assertEqual(done.stderr, '')
        return [line.split('\t')[0] for line in done.stdout.splitlines()]


class Words(Completion):
    def test_commands(self):
        commands = self.offered('')
        for name in ('add', 'tools', 'call', 'help'):
            self.assertIn(name, commands)
        self.assertFalse([name for name in commands if name.startswith('_')])
        self.assertEqual(self.offered('sub'), ['subscribe'])
        self.assertEqual(self.offered('help', 'sub'), ['subscribe'])
        self.assertEqual(self.offered('nothing', ''), [])
        self.assertIn('call\tCall a tool and print its result', self.gmcp('__complete', 'fish', 'cal').stdout)

    def test_options(self):
        self.assertEqual(self.offered('--ver'), ['--version'])
        self.assertEqual(self.offered('tools', '--js'), ['--json'])
        self.assertEqual(self.offered('tools', '--time'), [':part --timeout='])
        self.assertEqual(self.offered('--config', 'x', 'tools', '--js'), ['--json'])
        self.assertEqual(self.offered('tools', '--config='), [':files'])
        self.assertEqual(self.offered('tools', '--config', 'x'), [':files'])
        self.assertEqual(self.offered('add', 'x', '--transport', ''), ['http', 'sse', 'stdio'])
        self.assertEqual(self.offered('add', 'x', '--transport=s'), ['--transport=sse', '--transport=stdio'])
        self.assertEqual(self.offered('call', '--', '--js'), [])

    def test_verbs(self):
        self.assertEqual(self.offered('secret', ''), ['set', 'remove', 'list'])
        self.assertEqual(self.offered('config', 'check', ''), [':files'])

    def test_names(self):
        self.assertEqual(self.offered('tools', ''), ['tasks', 'other'])
        self.assertEqual(self.offered('enable', 'tasks', ''), ['other'])
        self.assertEqual(self.offered('call', '--role', 'rev'), ['reviewer'])
        self.assertEqual(self.offered('completion', 'f'), ['fish'])
        self.assertEqual(self.offered('import', 'curs'), ['cursor', ':files'])
        self.assertEqual(self.offered('prompt', 'ta'), [':part tasks.'])
        (self.home / 'mine.json').write_text('{"mcpServers": {"own": {"command": "true"}}}')
        self.assertEqual(self.offered('--config', 'mine.json', 'show', ''), ['own'])
        self.assertEqual(self.offered('show', '--config=mine.json', ''), ['own'])

    def test_tools_are_those_that_were_listed(self):
        self.assertEqual(self.offered('call', 'tasks'), [])
        self.list_tools()
        self.assertIn('tasks.create_task', self.offered('call', ''))
        self.assertEqual(self.offered('call', 'tasks.c'), ['tasks.create_task', 'tasks.complete_task'])
        self.assertEqual(self.offered('call', 'tasks__c'), ['tasks__create_task', 'tasks__complete_task'])
        self.assertEqual(self.offered('call', 'create_t'), ['create_task'])
        self.assertEqual(self.offered('call', 'list_tasks', 'status=p'), ['status=pending'])

    def test_arguments(self):
        self.list_tools()
        self.assertEqual(set(self.offered('call', 'tasks.create_task', '')),
                         {':part title=', ':part description=', ':part due_date='})
        self.assertEqual(self.offered('call', 'tasks__create_task', 'title=x', 'due_date:=1', ''), [':part description='])
        self.assertEqual(self.offered('call', 'tasks.list_tasks', 'status='), ['status=all', 'status=pending', 'status=completed'])
        self.assertEqual(self.offered('call', 'tasks.list_tasks', 'status=p'), ['status=pending'])
        self.assertEqual(self.offered('call', 'tasks.delete_task', 'confirm='), ['confirm=true', 'confirm=false'])
        self.assertEqual(self.offered('call', 'tasks.create_task', 'title=@'), [':files'])

    def test_what_others_named_is_no_trap(self):
        server = self.home / 'server.py'
        server.write_text(HOSTILE)
        config = self.home / '.config' / 'mcp' / 'mcp.json'
        config.write_text(json.dumps({'mcpServers': {'evil': {'command': sys.executable, 'args': [str(server)]}}}))
        self.gmcp('tools', 'evil')
        self.assertEqual(self.offered('call', 'evil', shell='bash'), ["'evil.$(id)'", "'evil.a b'", "'evil.c;d'"])
        self.assertEqual(self.offered('call', "'evil.c", shell='bash'), ["'evil.c;d'"])
        self.assertEqual(self.offered('call', 'evil.$(id)', '', shell='bash'), [":part '`x`='"])

    def test_broken_configurations_are_silent(self):
        config = self.home / '.config' / 'mcp' / 'mcp.json'
        for text in ('{', '[]', '{"mcpServers": {"x": 1}}', '\0'):
            config.write_text(text)
            self.offered('tools', '')
            self.assertEqual(self.offered('tool'), ['tools'])

    def test_it_starts_nothing_and_costs_little(self):
        self.list_tools()
        kept = json.dumps({'mcpServers': {'tasks': {'command': SERVER}, 'here': {'command': 'touch', 'args': [f'{self.home}/started']}}})
        (self.home / '.config' / 'mcp' / 'mcp.json').write_text(kept)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn('tasks.list_tasks', self.offered('call', 'tasks.l'))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertFalse((self.home / 'started').exists())
        print(f'# {1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime):.0f} ms of CPU')

    def test_scripts(self):
        self.gmcp('completion', status=USAGE)
        self.assertIn('bash, fish, zsh', self.gmcp('completion', 'csh', status=USAGE).stderr)

    def test_every_word_of_a_synopsis_is_known(self):
        program = json.loads(self.gmcp('__describe').stdout)
        known = self.known_words()
        for command in program['commands']:
            texts = [command.get('words'), *(verb.get('words') for verb in command.get('verbs', []))]
            words = {re.sub(r'^\[|…|\]$', '', word) for text in texts if text for word in text.split()
                     if word not in ('--', '|') and not word.startswith('--')}
            words |= {option['word'] for option in command['options'] if 'word' in option}
            self.assertLessEqual(words, known, command['name'])

    def known_words(self):
        source = pathlib.Path(__file__).parents[3] / 'src' / 'cli' / 'syntax' / 'cli-words.c'
        return set(re.findall(r'(?m)^  { "([^"]+)", ', source.read_text(encoding='utf-8')))


class Shells(Completion):
    def setUp(self):
        super().setUp()
        self.list_tools()

    def script(self, shell):
        path = self.home / f'completion.{shell}'
        path.write_text(self.gmcp('completion', shell).stdout)
        return path

    def terminal(self, command, prompt):
        terminal = Terminal(command, columns=100, environment={**self.environment, 'TERM': 'dumb', 'PS1': prompt}, cwd=self.home)
        self.addCleanup(terminal.__exit__)
        return terminal

    def check_typing(self, terminal):
        for typed, shown in (('gmcp sub', 'gmcp subscribe '), ('gmcp tools --js', 'gmcp tools --json '),
                             ('gmcp tools --time', 'gmcp tools --timeout='), ('gmcp call tasks.cr', 'gmcp call tasks.create_task '),
                             ('gmcp call tasks.create_task ti', 'gmcp call tasks.create_task title='),
                             ('gmcp call tasks.list_tasks status=p', 'gmcp call tasks.list_tasks status=pending '),
                             ('gmcp call tasks.list_tasks limit=1 status=pe', 'limit=1 status=pending '),
                             ('gmcp config check his-fi', 'gmcp config check his-file.json '),
                             ('gmcp tools --config=his-fi', 'gmcp tools --config=his-file.json '),
                             ('gmcp call tasks.create_task title=@his-fi', 'title=@his-file.json ')):
            terminal.type(typed + TAB)
            terminal.wait_for(shown.rstrip())
            # What is typed next says whether a space came.
            terminal.type('X')
            terminal.wait_for(shown + 'X')
            terminal.type('\x15\r')

    def test_bash(self):
        (self.home / 'his-file.json').write_text('{}')
        terminal = self.terminal([shutil.which('bash'), '--norc', '--noprofile', '-i'], '> ')
        terminal.wait_for('>')
        terminal.type(f'bind "set enable-bracketed-paste off"; source {self.script("bash")}; echo rea""dy\r')
        terminal.wait_for('ready')
        self.check_typing(terminal)

    def test_zsh(self):
        (self.home / 'his-file.json').write_text('{}')
        terminal = self.terminal([shutil.which('zsh'), '-f', '-i'], '> ')
        terminal.wait_for('>')
        terminal.type(f'unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source {self.script("zsh")}; echo rea""dy\r')
        terminal.wait_for('ready')
        self.check_typing(terminal)

    def test_fish(self):
        (self.home / 'his-file.json').write_text('{}')
        script = self.script('fish')
        for typed, offered in (('gmcp sub', ['subscribe']), ('gmcp tools --js', ['--json']),
                               ('gmcp call tasks.cr', ['tasks.create_task']),
                               ('gmcp call tasks.create_task ti', ['title=']),
                               ('gmcp call tasks.list_tasks status=p', ['status=pending']),
                               ('gmcp config check his-fi', ['his-file.json']),
                               ('gmcp tools --config=his-fi', ['--config=his-file.json']),
                               ('gmcp call tasks.create_task title=@his-fi', ['title=@his-file.json'])):
            done = subprocess.run(['fish', '-N', '-c', f'source {script}; complete -C "{typed}"'], capture_output=True, text=True,
                                  timeout=60, check=False, env=self.environment, cwd=self.home)
            self.assertEqual([line.split('\t')[0] for line in done.stdout.splitlines()], offered, f'{typed}: {done.stderr}')


if __name__ == '__main__':
    tap.main()

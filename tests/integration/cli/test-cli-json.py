#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each command that prints JSON, compared with the guide's page: test-cli-json.py GMCP FEATURES_SERVER MANAGED_SERVER"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import Terminal, environment_of, make_home

GMCP, FEATURES, MANAGED = map(os.path.abspath, sys.argv[1:4])
PAGE = (pathlib.Path(__file__).resolve().parents[3] / 'data' / 'docs' / 'json-output.md').read_text(encoding='utf-8')
OK, TOOL_ERROR, USAGE, UNREACHABLE = range(4)
CONFIG = {
    'mcpServers': {'mem': {'command': sys.executable, 'args': [FEATURES]},
                   'one': {'command': sys.executable, 'args': ['-S', MANAGED, '--tools', 'echo,pid']},
                   'gone': {'command': '/does/not/exist'}},
    'roles': {'reviewer': {'allowed_tools': ['one.*']}},
    'tools': {'coder': {'binary': 'vim', 'mcp_tools': {'required': ['one', 'lacking'], 'recommended': [], 'optional': []}}},
    'projects': {'work': {'servers': ['mem'], 'resources': ['mem:text'], 'instructions': 'Be brief.'}}}
OTHER = {'mcpServers': {'new': {'command': 'true', 'env': {'API_KEY': 'sk-abcdefgh12345678'}}}}

# What is run, by the heading of its section: words, and the exit status where it is not 0. {id} is that of a call.
RUNS = {
    'import': [['import', 'claude-code', '{home}/other.json']],
    'connect': [['connect'], ['connect', '--all'], ['connect', 'cursor', '--yes']],
    'disconnect': [['disconnect', 'cursor'], ['disconnect', '--all', '--yes']],
    'status': [['status'], ['status', '--check', UNREACHABLE]],
    'tools': [['tools', 'one']],
    'call': [['call', 'one.echo', 'text=x']],
    'search': [['search', 'echo']],
    'resources': [['resources', 'mem'], ['resources', '--templates', 'mem']],
    'read': [['read', 'mem', 'mem:text']],
    'prompts': [['prompts', 'mem']],
    'prompt': [['prompt', 'mem.review', 'code=x']],
    'complete': [['complete', 'mem.review', 'style', 'p']],
    'context': [['context', 'work']],
    'test': [['test', 'one'], ['test', 'gone', UNREACHABLE]],
    'doctor': [['doctor', 'one']],
    'discover': [['discover', 'one', UNREACHABLE]],
    'audit': [['audit']],
    'replay': [['replay', '{id}']],
    'logs': [['logs', 'one']],
    'sync': [['sync', 'one']],
    'questions': [['questions', UNREACHABLE]],
    'role': [['role'], ['role', 'reviewer']],
    'show': [['show', 'one']],
    'config validate': [['config', 'validate', '{home}/odd.json']],
    'config show': [['config', 'show']],
    'secret list': [['secret', 'list']],
    'pins': [['pins', '--all']],
    'approve': [['approve', '--all']],
    'add': [['add', 'added', 'http://127.0.0.1:1/mcp', '--no-test'],
            ['add', 'tried', '{{"command": "/usr/bin/python3", "args": ["-S", "' + MANAGED + '"]}}']],
    'disable': [['disable', 'added'], ['disable', 'added']],
    'enable': [['enable', 'added']],
    'remove': [['remove', 'added', 'tried']],
}


def sections():
    """The members of each table below a heading that names a command: {heading: {member: when}}."""
    found = {}
    heading = None
    for line in PAGE.splitlines():
        if match := re.match(r'### `([^`]+)`', line):
            heading = match[1]
            found[heading] = {}
        elif line.startswith('## '):
            heading = None
        elif heading and (match := re.match(r'\| ((?:`[^`]+`(?:, )?)+) \| ([^|]*) \|', line)):
            for member in re.findall(r'`([^`]+)`', match[1]):
                found[heading][member] = match[2].strip()
    return found


class Json(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sections = sections()

    def setUp(self):
        self.home = make_home(self)
        self.environment = {**os.environ, **environment_of(self.home), 'SECRET_BACKEND': 'file', 'LC_ALL': 'C.UTF-8',
                            'SECRET_FILE_TEST_PATH': str(self.home / 'keyring'), 'SECRET_FILE_TEST_PASSWORD': 'test'}
        config = self.home / '.config' / 'mcp' / 'mcp.json'
        config.parent.mkdir(parents=True)
        config.write_text(json.dumps(CONFIG))
        (self.home / 'other.json').write_text(json.dumps(OTHER))
        (self.home / '.cursor').mkdir()
        (self.home / '.cursor' / 'mcp.json').write_text('{}')
        (self.home / 'odd.json').write_text('{"mcpServers": {"one": {"command": "true", "comand": 1}}}')

    def run_gmcp(self, *words, text=''):
        return subprocess.run([GMCP, *words], capture_output=True, text=True, timeout=60, check=False, env=self.environment,
                              cwd=self.home, input=text)

    def read(self, done):
        self.assertEqual(done.stdout.count('\n'), 1, done)
        value = json.loads(done.stdout)
        self.assertIsInstance(value, (dict, list))
        return value

    def prepare(self):
        """There is something to be listed in each command."""
        for words in (['tools', 'one'], ['call', 'one.echo', 'text=x'], ['call', 'one.nope'], ['approve', '--all'], ['test', 'gone']):
            self.run_gmcp(*words)
        done = self.run_gmcp('secret', 'set', 'token', text='value\n')
        self.assertEqual(done.returncode, OK, done.stderr)
        return {'id': self.read(self.run_gmcp('audit', '--json'))[0]['id'], 'home': str(self.home)}

    def check_members(self, heading, value):
        known = self.sections[heading]
        objects = value if isinstance(value, list) else [value]
        self.assertTrue(objects, heading)
        for each in objects:
            self.assertIsInstance(each, dict, heading)
            self.assertLessEqual(set(each), set(known), heading)
            always = {member for member, when in known.items() if when == 'always'}
            self.assertLessEqual(always, set(each), heading)

    def test_every_command_has_a_section_and_is_run(self):
        program = json.loads(self.run_gmcp('__describe').stdout)
        for command in program['commands']:
            if not any(option['name'] == 'json' for option in command['options']):
                continue
            headings = [heading for heading in self.sections if heading.split()[0] == command['name']]
            self.assertTrue(headings, f'{command["name"]} is not in json-output.md')
            for heading in headings:
                self.assertTrue(heading in RUNS or heading == 'subscribe', heading)

    def test_broken_configuration(self):
        """What is wrong with a file is the message of the error, and nothing else is on standard error."""
        broken = self.home / 'broken.json'
        broken.write_text('{"mcpServers": {"one"')
        for command in 'status', 'tools':
            done = self.run_gmcp('--config', str(broken), command, '--json')
            error = json.loads(done.stderr)['error']
            self.assertEqual((error['code'], error['status']), ('usage', done.returncode), done)
            self.assertIn('broken.json', error['message'])
            self.assertIn('Invalid JSON', error['message'])

    def test_each_prints_what_the_page_says(self):
        given = self.prepare()
        program = json.loads(self.run_gmcp('__describe').stdout)
        commands = [command['name'] for command in program['commands']]
        for heading, runs in RUNS.items():
            if heading.split()[0] not in commands:
                continue
            for run in runs:
                status = run[-1] if isinstance(run[-1], int) else OK
                words = [word.format(**given) for word in run if isinstance(word, str)]
                done = self.run_gmcp(*words, '--json')
                self.assertEqual(done.returncode, status, f'{words}\n{done.stdout}\n{done.stderr}')
                if status != OK:
                    error = json.loads(done.stderr.splitlines()[-1])['error']
                    self.assertEqual((error['status'], error['code']), (status, 'unreachable'))
                if done.stdout:
                    self.check_members(heading, self.read(done))

    def test_members_are_named_as_mcp_names_them(self):
        for heading, members in self.sections.items():
            self.assertTrue(members, heading)
            for member in members:
                self.assertRegex(member, r'^[a-z][a-zA-Z0-9]*$|^_meta$', heading)

    def test_what_has_become_of_servers(self):
        def change(*words):
            return self.read(self.run_gmcp(*words, '--json'))

        place = str(self.home / '.config' / 'mcp' / 'mcp.json')
        one = {'server': 'one', 'source': place}
        self.assertEqual(change('disable', 'one'), [one | {'change': 'disabled'}])
        self.assertEqual(change('disable', 'one'), [one | {'change': 'same'}])
        self.assertEqual(change('enable', 'one'), [one | {'change': 'enabled'}])
        self.assertEqual(change('remove', 'one', 'gone'), [one | {'change': 'removed'}, one | {'server': 'gone', 'change': 'removed'}])
        # The one that is dead does not keep the other from being tried.
        added = change('add', json.dumps({'mcpServers': {'dead': {'command': 'nodee'}, 'new': CONFIG['mcpServers']['one']}}))
        self.assertEqual([(each['server'], each['works'], each.get('tools')) for each in added], [('dead', False, None), ('new', True, 2)])

    def test_it_is_indented_on_a_terminal(self):
        with Terminal([GMCP, 'show', 'one', '--json'], environment=self.environment, cwd=self.home) as terminal:
            self.assertEqual(terminal.finish(), OK)
            self.assertIn('\n  "id": "one"', terminal.text())

    def check_error(self, status, code, *words):
        done = self.run_gmcp(*words)
        self.assertEqual(done.returncode, status, done)
        error = json.loads(done.stderr.splitlines()[-1])
        self.assertEqual(list(error), ['error'])
        self.assertEqual((error['error']['status'], error['error']['code']), (status, code))
        self.assertTrue(error['error']['message'])
        return done, error['error']

    def test_errors(self):
        self.check_error(USAGE, 'usage', 'tools', 'nobody', '--json')
        self.check_error(USAGE, 'usage', 'tools', '--json', '--nonsense')
        self.check_error(USAGE, 'usage', 'call', '--json')
        done, error = self.check_error(UNREACHABLE, 'unreachable', 'tools', 'gone', '--json')
        self.assertEqual(done.stdout, '')
        self.assertIn('/does/not/exist', error['message'])
        error = self.check_error(6, 'protocol', 'read', 'mem', 'mem:none', '--json')[1]
        self.assertEqual(error['rpcCode'], -32002)
        # Words behind “--” are no options.
        self.assertNotIn('{"error"', self.run_gmcp('call', '--', 'one.echo', '--json').stderr)

    def test_no_error_without_one(self):
        done = self.run_gmcp('tools', 'one', '--json')
        self.assertEqual((done.returncode, '"error"' in done.stderr), (OK, False))


if __name__ == '__main__':
    tap.main()

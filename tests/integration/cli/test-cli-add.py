#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A person adds, looks at, switches and removes servers: test-cli-add.py GMCP SERVER"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE = range(4)
SECRET = 'sk-abcdefgh12345678'


class Add(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-add-', ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.config = self.home / '.config' / 'mcp' / 'mcp.json'
        self.environment = {**os.environ, 'HOME': str(self.home), 'XDG_CONFIG_HOME': str(self.home / '.config'),
                            'XDG_STATE_HOME': str(self.home / 'state'), 'XDG_CACHE_HOME': str(self.home / 'cache'),
                            'XDG_DATA_HOME': str(self.home / 'data'), 'XDG_RUNTIME_DIR': str(self.home)}

    def gmcp(self, status, *args, stdin=None, out=(), err=(), cwd=None):
        done = subprocess.run([GMCP, *map(str, args)], input=stdin, capture_output=True, text=True, timeout=60,
                              check=False, env=self.environment, cwd=cwd or self.home)
        told = f'{args}\n{done.stdout}\n{done.stderr}'
        self.assertEqual(done.returncode, status, told)
        for word in out:
            self.assertIn(word, done.stdout, told)
        for word in err:
            self.assertIn(word, done.stderr, told)
        return done

    def servers(self, path=None):
        return json.loads((path or self.config).read_text())['mcpServers']

    def test_a_command_is_stored_and_tried(self):
        self.gmcp(OK, 'add', 'mine', '--', '/usr/bin/python3', '-S', SERVER,
                  out=['Added mine to', 'mine works: ', 'gmcp tools mine'], err=['with all your privileges'])
        self.assertEqual(self.servers(), {'mine': {'command': '/usr/bin/python3', 'args': ['-S', SERVER]}})
        self.gmcp(OK, 'tools', out=['mine.'])

    def test_options_of_the_command_need_no_mark(self):
        self.gmcp(OK, 'add', '--no-test', 'mine', 'python3', '-S', '--version')
        self.assertEqual(self.servers()['mine']['args'], ['-S', '--version'])

    def test_a_text_in_yaml_or_toml(self):
        yaml = 'mcpServers:\n  time:\n    command: uvx\n    args: [mcp-server-time]\n'
        toml = '[mcp_servers.clock]\ncommand = "uvx"\nargs = ["mcp-server-clock"]\n'
        self.gmcp(OK, 'add', '--no-test', toml)
        self.assertEqual(self.servers(), {'clock': {'command': 'uvx', 'args': ['mcp-server-clock']}})
        (self.home / 'two.toml').write_text('[mcp_servers.two]\nurl = "https://example.com/mcp"\n')
        self.gmcp(OK, 'add', '--no-test', 'two.toml')
        self.assertEqual(self.servers()['two']['url'], 'https://example.com/mcp')
        done = subprocess.run([GMCP, 'add', '--no-test', '-'], input=yaml, capture_output=True, text=True, timeout=60, check=False,
                              env=self.environment, cwd=self.home)
        if 'does not read YAML' in done.stderr:
            return
        self.assertEqual(done.returncode, OK, done)
        self.assertEqual(self.servers()['time'], {'command': 'uvx', 'args': ['mcp-server-time']})
        self.gmcp(OK, 'add', '--no-test', 'command: uvx\nargs:\n- mcp-server-fetch\n')
        self.assertEqual(self.servers()['fetch'], {'command': 'uvx', 'args': ['mcp-server-fetch']})
        self.gmcp(USAGE, 'add', 'mcpServers:\n  a: [\n', err=['the text: line '])
        (self.home / 'broken.yaml').write_text('mcpServers:\n  a: [\n')
        self.gmcp(USAGE, 'add', 'broken.yaml', err=['broken.yaml: ', ': line '])
        self.gmcp(USAGE, 'add', 'some\nwords\n', err=['no server in it'])

    def test_paths_of_a_text_are_made_full(self):
        """A server runs in a folder of its own."""
        project = self.home / 'project'
        (project / 'bin').mkdir(parents=True)
        for name in ('server.py', 'bin/serve'):
            (project / name).write_text('')
        text = json.dumps({'mcpServers': {'one': {'command': './bin/serve', 'args': ['server.py', '--x', 'not-there.py', '${HOME}']},
                                          'two': {'command': 'python3', 'args': ['./server.py', '-m', 'mod']}}})
        for words, stdin, cwd in ((['-'], text, project), ([text], None, project)):
            self.gmcp(OK, 'add', '--no-test', '--force', *words, stdin=stdin, cwd=cwd)
            self.assertEqual(self.servers()['one'], {'command': str(project / 'bin/serve'),
                                                     'args': [str(project / 'server.py'), '--x', 'not-there.py', '${HOME}']})
            self.assertEqual(self.servers()['two'], {'command': 'python3', 'args': [str(project / 'server.py'), '-m', 'mod']})
        # Of a file they are seen from where it is.
        self.config.unlink()
        (project / 'mcp.json').write_text(text)
        self.gmcp(OK, 'add', '--no-test', 'project/mcp.json')
        self.assertEqual(self.servers()['one']['command'], str(project / 'bin/serve'))

    def test_a_text_of_one_server_with_its_name(self):
        self.gmcp(OK, 'add', '--no-test', 'mine', '{"command": "node", "args": ["/x.js",],}')
        self.assertEqual(self.servers(), {'mine': {'command': 'node', 'args': ['/x.js']}})
        self.gmcp(OK, 'add', 'web', '{"url": "https://example.com/mcp"}', '--no-test')
        self.assertEqual(self.servers()['web']['url'], 'https://example.com/mcp')
        before = self.config.read_text()
        # What would be left out is a mistake.
        for words in (['mine2', '{"command": "x"}'], ['{"mine2": {"command": "x"}}']):
            self.gmcp(USAGE, 'add', '--no-test', '--env', 'A=b', *words, err=['--env', 'written there'])
        self.gmcp(USAGE, 'add', '--no-test', 'mine2', '{"mcpServers": {"a": {"command": "x"}}}')
        self.assertEqual(self.config.read_text(), before)

    def test_words_of_a_command_that_look_like_something_else(self):
        """Packages begin with “@”, and servers have files and options of their own."""
        self.gmcp(OK, 'add', '--no-test', 'one', 'npx', '-y', '@modelcontextprotocol/server-everything')
        self.assertEqual(self.servers()['one'], {'command': 'npx', 'args': ['-y', '@modelcontextprotocol/server-everything']})
        self.gmcp(OK, 'add', '--no-test', 'two', 'node', '/server.js', '--config', 'mine.json')
        self.assertEqual(self.servers()['two']['args'], ['/server.js', '--config', 'mine.json'])
        self.assertFalse((self.home / 'mine.json').exists())
        self.gmcp(USAGE, 'add', 'npx', '-y', '@modelcontextprotocol/server-everything',
                  err=['gmcp add NAME -- npx -y @modelcontextprotocol/server-everything'])

    def test_words_that_were_meant_in_another_way(self):
        for words, told in ((['mine', 'node x.js'], 'gmcp add mine -- node x.js'),
                            (['mine', '--', 'node x.js'], 'gmcp add mine -- node x.js'),
                            (['mine', '127.0.0.1:9/mcp'], 'gmcp add mine http://127.0.0.1:9/mcp'),
                            (['mine', 'localhost:8080'], 'gmcp add mine http://localhost:8080'),
                            (['mine', 'mcp.example.com/mcp'], 'gmcp add mine https://mcp.example.com/mcp'),
                            (['https://example.com/mcp'], 'gmcp add NAME https://example.com/mcp'),
                            (['none.json'], 'the file “none.json” is not there'),
                            (['{“mcpServers”: {“a”: {“command”: “x”}}}'], 'straight ones')):
            self.gmcp(USAGE, 'add', *words, err=[told])
        self.assertFalse(self.config.exists())
        # What is there is taken as it is.
        (self.home / 'my program').write_text('#!/bin/sh\n')
        (self.home / 'localhost:1').write_text('')
        self.gmcp(OK, 'add', '--no-test', 'spaced', './my program')
        self.gmcp(OK, 'add', '--no-test', 'odd', 'localhost:1')
        self.gmcp(OK, 'add', '--no-test', 'late', 'python3', 'x.py', '--force', err=['“--force” goes to the command'])
        self.assertEqual(self.servers()['late']['args'], ['x.py', '--force'])
        self.assertEqual(self.gmcp(OK, 'add', '--no-test', 'box', 'docker', 'run', '--env', 'A=b', 'image').stderr, '')
        self.gmcp(OK, 'add', '--no-test', 'gone', './gone.py', err=['“./gone.py” is not there'])

    def test_words_of_options_are_those_of_the_help(self):
        shown = self.gmcp(OK, 'add', '--help').stdout
        starts = re.search(r'When it is started: (\S+), (\S+) or (\S+)', shown).groups()
        transports = re.search(r'(\S+), (\S+) or (\S+); found out by default', shown).groups()
        for word in starts:
            self.gmcp(OK, 'add', '--no-test', '--force', '--start', word, 'mine', '--', 'true')
        for word in transports:
            self.gmcp(OK, 'add', '--no-test', '--force', '--transport', word, 'mine', *(['--', 'true'] if word == 'stdio' else ['http://127.0.0.1:1/']))
        self.gmcp(USAGE, 'add', '--no-test', 'other', '--start', 'lazy', '--', 'true', err=['on-demand'])
        self.gmcp(USAGE, 'add', '--no-test', 'other', 'http://127.0.0.1:1/', '--env', 'A=b', err=['--header'])
        self.gmcp(USAGE, 'add', '--no-test', 'other', '--header', 'A: b', '--', 'true', err=['--env'])
        self.assertNotIn('other', self.servers())
        self.gmcp(OK, 'add', '--no-test', 'My Server', '--', 'true', out=['Added my-server to', '“My Server” is called my-server here.'])

    def test_a_text_that_is_not_whole(self):
        for text in ('{"mcpServers":', '{"a": {"command": "x"}'):
            done = self.gmcp(USAGE, 'add', text, err=['gmcp: the text: Invalid JSON at byte '])
            self.assertNotIn(str(self.home), done.stderr)
        self.gmcp(USAGE, 'add', '{mcpServers:command:uvx}', '{mcpServers:args:[x]}', err=['single quotes'])
        self.assertFalse(self.config.exists())

    def test_settings_that_cannot_be_written(self):
        (self.home / '.config').mkdir()
        (self.home / '.config' / 'glib-2.0').write_text('')
        self.environment['GSETTINGS_BACKEND'] = 'keyfile'
        # GIO warns that it cannot make the folder.
        self.environment.pop('G_DEBUG', None)
        self.gmcp(USAGE, 'add', 'mine', '--', 'x', err=['mine: the list of servers cannot be changed: ', 'cannot be written'])

    def test_an_address_has_headers(self):
        self.gmcp(OK, 'add', 'web', 'https://example.com/mcp', '--header', 'X-Team: blue', '--no-test')
        self.assertEqual(self.servers(), {'web': {'type': 'http', 'url': 'https://example.com/mcp', 'headers': {'X-Team': 'blue'}}})

    def test_paths_are_made_full(self):
        (self.home / 'here').mkdir()
        (self.home / 'here' / 'server.js').write_text('')
        self.gmcp(OK, 'add', 'js', '--no-test', '--', 'node', 'server.js', '.', '--flag', 'no-such-file',
                  cwd=self.home / 'here')
        here = str((self.home / 'here').resolve())
        self.assertEqual(self.servers()['js']['args'], [here + '/server.js', here, '--flag', 'no-such-file'])

    def test_pasted_texts(self):
        whole = {'mcpServers': {'a': {'command': 'true'}, 'b': {'url': 'https://example.com/b'}}}
        self.gmcp(OK, 'add', '--no-test', json.dumps(whole), out=['Added a', 'Added b'])
        self.gmcp(OK, 'add', '--no-test', '"c": {"command": "true"}', out=['Added c'])
        self.gmcp(OK, 'add', '--no-test', '{"command": "npx", "args": ["-y", "@scope/mcp-server-time@1.2"]}',
                  out=['Added time'])
        self.gmcp(OK, 'add', '--no-test', '-', stdin='{"servers": {"d": {"command": "true", /* why */ },},}',
                  out=['Added d'])
        self.assertEqual(list(self.servers()), ['a', 'b', 'c', 'time', 'd'])

    def test_a_file_is_as_good_as_what_is_pasted(self):
        folder = self.home / 'project'
        folder.mkdir()
        text = '{"mcpServers": {"%s": {"command": "true"}}} // why'
        for name, word in (('a', 'project/servers.json'), ('b', '@project/servers'), ('c', folder / 'servers.jsonc')):
            (self.home / str(word).lstrip('@')).write_text(text % name)
            self.gmcp(OK, 'add', word, '--no-test', out=[f'Added {name}'])
        self.assertEqual(list(self.servers()), ['a', 'b', 'c'])
        self.gmcp(USAGE, 'add', 'nowhere.json', err=['nowhere.json'])

    def test_an_option_is_no_command(self):
        for words in (['x', '--no-test'], ['x', '--env', 'A=b', 'true']):
            self.gmcp(USAGE, 'add', *words, err=['gmcp add time --'])
        self.assertFalse(self.config.exists())

    def test_what_is_no_server_is_refused(self):
        for text in ['{', '{}', '[]', '{"mcpServers": {}}', '{"mcpServers": {"x": {}}}', '{"x": 1}']:
            with self.subTest(text):
                self.gmcp(USAGE, 'add', '--no-test', text)
        self.gmcp(USAGE, 'add', err=['gmcp add time --'])
        self.gmcp(USAGE, 'add', 'x', err=['gmcp add time --'])
        self.gmcp(USAGE, 'add', 'x', '--env', 'A', '--', 'true', err=['NAME=VALUE'])
        self.gmcp(USAGE, 'add', 'x', '--start', 'sometimes', '--no-test', '--', 'true', err=['start'])
        self.gmcp(USAGE, 'add', 'x', 'https://example.com', 'more', err=['more'])
        self.assertFalse(self.config.exists())

    def test_a_name_is_not_forgotten(self):
        for words, command in ((['--', 'node', 'server.js'], 'node server.js'), (['node', 'server.js'], 'node server.js'),
                               (['--', 'npx', '-y', 'a b'], "npx -y 'a b'"), (['npx', '-y', 'a'], 'npx -y a'),
                               (['--env', 'A=b', '--', 'node', 'x'], 'node x'), (['--no-test', '--', 'server'], 'server')):
            self.gmcp(USAGE, 'add', *words, err=[f'gmcp add NAME -- {command}'])
        self.assertFalse(self.config.exists())
        # A server may be called like a program, and what follows “--” may have one of its own.
        self.gmcp(OK, 'add', '--no-test', 'node', '--', 'npx', '--', 'x')
        self.gmcp(OK, 'add', '--no-test', 'docker', 'https://example.com/mcp')
        self.assertEqual(self.servers(), {'node': {'command': 'npx', 'args': ['--', 'x']},
                                          'docker': {'type': 'http', 'url': 'https://example.com/mcp'}})

    def test_a_name_is_used_once(self):
        self.gmcp(OK, 'add', 'x', '--no-test', '--', 'true')
        self.gmcp(USAGE, 'add', 'x', '--no-test', '--', 'false', err=['already', '--force'])
        self.assertEqual(self.servers()['x']['command'], 'true')
        self.gmcp(OK, 'add', 'x', '--force', '--no-test', '--', 'false')
        self.assertEqual(self.servers()['x']['command'], 'false')

    def test_a_failed_start_leaves_it_stored(self):
        self.gmcp(UNREACHABLE, 'add', 'x', '--', 'nodee', 'server.js',
                  err=['nodee', 'stored all the same', 'gmcp remove x'])
        self.assertIn('x', self.servers())

    def test_secrets_need_a_keyring_or_a_word(self):
        self.gmcp(UNREACHABLE, 'add', 'x', '--no-test', '--env', f'API_TOKEN={SECRET}', '--', 'true',
                  err=['keyring', '--plain-secrets'])
        self.assertFalse(self.config.exists())
        done = self.gmcp(OK, 'add', 'x', '--no-test', '--plain-secrets', '--env', f'API_TOKEN={SECRET}', '--', 'true',
                         out=['API_TOKEN looks like a secret'])
        shown = self.gmcp(OK, 'show', 'x', out=['API_TOKEN=…'])
        as_json = self.gmcp(OK, 'show', 'x', '--json')
        self.assertNotIn(SECRET, done.stdout + done.stderr + shown.stdout + as_json.stdout)
        self.assertEqual(json.loads(as_json.stdout)['env'], {'API_TOKEN': '…'})

    def test_show(self):
        self.gmcp(OK, 'add', 'x', '--no-test', '--start', 'manual', '--', 'true', 'a b')
        self.gmcp(OK, 'show', 'x', out=['x', 'mcp.json', "true 'a b'", 'start: "manual"'])
        self.gmcp(USAGE, 'show', 'y', err=['Unknown server: y', 'x'])
        self.gmcp(USAGE, 'show', err=['which server'])

    def test_switched_and_removed_with_all_else_kept(self):
        text = '''{
  // mine
  "mcpServers": {
    "a": { "command": "true" }, // the first
    /* before b */
    "b": {
      "command": "true", // kept
      "disabled": true
    },
    "c": {"command": "true"}
  },
  "other": [1, 2 ]
}
'''
        self.config.parent.mkdir(parents=True)
        self.config.write_text(text)
        self.gmcp(OK, 'enable', 'b', out=['Enabled b'])
        self.assertEqual(self.config.read_text(), text.replace('"disabled": true', '"disabled": false'))
        self.gmcp(OK, 'disable', 'b', out=['Disabled b in '])
        self.gmcp(OK, 'disable', 'b', out=['b is disabled already.'])
        self.assertEqual(self.config.read_text(), text)
        self.gmcp(OK, 'remove', 'c', out=['Removed c'])
        self.assertEqual(self.config.read_text(), text.replace('    },\n    "c": {"command": "true"}\n', '    }\n'))
        self.gmcp(OK, 'remove', 'a', 'b')
        self.assertEqual(self.gmcp(OK, 'servers', '--json').stdout.count('"id"'), 0)
        self.assertIn('// mine', self.config.read_text())
        self.assertIn('"other": [1, 2 ]', self.config.read_text())
        self.gmcp(USAGE, 'remove', 'a', err=['Unknown server: a'])

    def test_all_or_nothing_is_named(self):
        self.gmcp(OK, 'add', 'x', '--no-test', '--', 'true')
        self.gmcp(USAGE, 'remove', 'x', 'nobody', err=['nobody'])
        self.assertIn('x', self.servers())

    def test_another_file(self):
        path = self.home / 'own.json'
        self.gmcp(OK, 'add', 'x', '--no-test', '--file', path, '--', 'true')
        self.assertEqual(list(self.servers(path)), ['x'])
        self.assertFalse(self.config.exists())
        self.gmcp(OK, '--config', path, 'disable', 'x')
        self.assertEqual(self.servers(path)['x'], {'command': 'true', 'disabled': True})
        self.gmcp(OK, 'remove', 'x', '--file', path)
        self.assertEqual(self.servers(path), {})
        toml = self.home / 'own.toml'
        toml.write_text('[mcp_servers.x]\ncommand = "true"\n')
        self.gmcp(USAGE, 'remove', 'x', '--file', toml, err=['own.toml', 'line 1', 'by hand'])

    def test_nothing_configured(self):
        for command in ['tools', 'servers', 'search x', 'resources', 'prompts']:
            with self.subTest(command):
                self.gmcp(OK, *command.split(), err=['gmcp add'])
        (self.home / '.cursor').mkdir()
        (self.home / '.cursor' / 'mcp.json').write_text('{"mcpServers": {"t": {"command": "true"}}}')
        self.gmcp(OK, 'tools', err=['Cursor', 'gmcp import --all'])
        self.gmcp(OK, 'import', '--all', '--yes')
        self.assertEqual(list(self.servers()), ['t'])
        self.gmcp(USAGE, 'import', '--all', 'cursor')

    def test_settings(self):
        self.environment['GSETTINGS_BACKEND'] = 'keyfile'
        self.gmcp(OK, 'add', 'x', '--no-test', '--', 'true', out=['the settings'])
        self.assertFalse(self.config.exists())
        self.gmcp(OK, 'show', 'x', out=['the settings'])
        self.gmcp(OK, 'disable', 'x')
        self.gmcp(OK, 'show', 'x', out=['no'])
        self.gmcp(OK, 'tools', err=['gmcp enable'])
        self.gmcp(OK, 'enable', 'x')
        self.gmcp(OK, 'remove', 'x')
        for words in ('servers', 'doctor', 'logs', 'config validate', 'config show', 'gateway'):
            self.gmcp(OK, *words.split(), stdin='', err=['No server is configured. “gmcp add NAME -- COMMAND…”'])
        for words in ('test x', 'show x', 'edit x', 'discover x', 'call x.y', 'call x', 'tools x.y'):
            done = self.gmcp(USAGE, *words.split(), err=['No server is configured. “gmcp add NAME -- COMMAND…”'])
            self.assertEqual(done.stderr.count('o server is configured'), 1, done.stderr)


tap.main()

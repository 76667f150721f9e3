#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A file to begin with, and what is required: test-cli-template.py GMCP KEYS-PAGE"""
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, PAGE = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE = range(4)
PROSE = re.compile(r'(#|//) \S')
MARK = re.compile(r'^(#|//)')
# What another key of the template says, too.
OTHER_WORDS = {'autoStart', 'disabled', 'envFile', 'envVars', 'healthArguments', 'healthCheck', 'id', 'name', 'timeout'}
NEEDS = '''
tools:
  gmcp:
    mcp_tools: {required: [shell, gone], recommended: [off, packed], optional: [web]}
mcp_servers:
  shell: {command: sh}
  off: {command: sh, disabled: true}
  packed: {command: gmcp-no-such-program, package: "@example/packed"}
  web: {url: "http://127.0.0.1:9/"}
'''


def uncomment(text):
    return '\n'.join(line if PROSE.match(line) else MARK.sub('', line) for line in text.splitlines()) + '\n'


def keys_of_page(table):
    """The keys in files of one table of the guide."""
    rows = re.search(rf'<!-- keys: {table} -->(.*?)<!-- end -->', pathlib.Path(PAGE).read_text(), re.S)[1].splitlines()
    cells = [row.strip('| ').split(' | ')[0].split(', ')[0].strip('`') for row in rows if row.startswith('| `')]
    return {cell.split(': ')[-1] for cell in cells}


class Template(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-template-', ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.environment = {**os.environ, 'HOME': str(self.home), 'XDG_CONFIG_HOME': str(self.home / '.config'),
                            'XDG_STATE_HOME': str(self.home / 'state'), 'XDG_CACHE_HOME': str(self.home / 'cache'),
                            'XDG_DATA_HOME': str(self.home / 'data'), 'TICKETS_TOKEN': 'x'}

    def gmcp(self, status, *args, out=(), err=(), **more):
        done = subprocess.run([GMCP, *map(str, args)], capture_output=True, text=True, timeout=60, check=False,
                              env={**self.environment, **more}, cwd=self.home, stdin=subprocess.DEVNULL)
        told = f'{args}\n{done.stdout}\n{done.stderr}'
        self.assertEqual(done.returncode, status, told)
        for word in out:
            self.assertIn(word, done.stdout, told)
        for word in err:
            self.assertIn(word, done.stderr, told)
        return done

    def test_it_says_nothing_before_it_is_changed(self):
        for option in ['--yaml', '--json']:
            for language in ['C', 'de_DE.UTF-8']:
                text = self.gmcp(OK, 'config', 'init', option, '-', LC_ALL=language).stdout
                path = self.home / f'plain.{option[2:]}'
                path.write_text(text)
                self.assertEqual(self.gmcp(OK, 'config', 'validate', path).stdout, '0 servers are configured.\n')

    def test_every_key_is_there_and_can_be_uncommented(self):
        for option in ['--yaml', '--json']:
            text = uncomment(self.gmcp(OK, 'config', 'init', option, '-').stdout)
            path = self.home / f'whole.{option[2:]}'
            path.write_text(text)
            self.assertEqual(self.gmcp(OK, 'config', 'validate', path).stdout, '2 servers are configured.\n')
            written = set(re.findall(r'^ *"?(\w+)"?:', text, re.M))
            servers = keys_of_page('servers') - OTHER_WORDS
            if option == '--yaml':
                servers = {re.sub(r'_ms$', '_seconds', re.sub('([A-Z])', r'_\1', key).lower()) for key in servers}
            for keys in [servers, *map(keys_of_page, ['settings', 'role', 'requirements', 'project'])]:
                self.assertGreater(len(keys), 3)
                self.assertEqual(keys - written, set())

    def test_each_key_can_be_uncommented_alone(self):
        lines = self.gmcp(OK, 'config', 'init', '--yaml', '-').stdout.splitlines()
        whole = [MARK.sub('', line) for line in lines if not PROSE.match(line)]
        keys = [line for line in whole if line.strip() and not line.strip().startswith('#')]
        path = self.home / 'one.yaml'
        settings = keys[keys.index('mcp_settings:') + 1:keys.index('roles:')]
        server = keys[keys.index('  files:') + 1:keys.index('  tickets:')]
        for line in settings[::5]:
            path.write_text(f'mcp_settings:\n{line}\n')
            self.gmcp(OK, 'config', 'validate', path, out=['0 servers'])
        for line in server[1::6]:
            path.write_text(f'mcp_servers:\n  files:\n{server[0]}\n{line}\n')
            self.gmcp(OK, 'config', 'validate', path, out=['1 server is'])

    def test_it_is_written_where_it_is_read(self):
        path = self.home / '.config' / 'gmcp' / 'mcp_servers.yaml'
        self.gmcp(OK, 'config', 'init', out=[str(path)])
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        path.write_text('mcp_servers:\n  mine: {command: sh}\n')
        self.gmcp(OK, 'config', 'validate', out=['1 server is'])
        self.gmcp(USAGE, 'config', 'init', err=[str(path), '--force'])
        self.assertIn('mine', path.read_text())
        self.gmcp(OK, 'config', 'init', '--force')
        self.assertNotIn('mine', path.read_text())
        self.gmcp(OK, 'config', 'init', '--json', out=['mcp-servers.json'])

    def test_a_name_says_the_format(self):
        self.gmcp(OK, 'config', 'init', self.home / 'a.yml')
        self.gmcp(OK, 'config', 'init', self.home / 'new' / 'a.json')
        self.gmcp(USAGE, 'config', 'init', self.home / 'a.toml', err=['TOML'])
        self.gmcp(USAGE, 'config', 'init', self.home / 'a.txt', err=['.yaml'])
        self.gmcp(USAGE, 'config', 'init', '--json', self.home / 'b.yaml', err=['b.yaml'])
        self.gmcp(USAGE, 'config', 'init', '--json', '--yaml', err=['--yaml'])
        self.assertEqual(sorted(path.name for path in self.home.glob('[ab].*')), ['a.yml'])

    def test_what_is_required(self):
        path = self.home / 'needs.yaml'
        path.write_text(NEEDS)
        for option in ['--show-requirements', '--show-mcp-requirements']:
            shown = self.gmcp(OK, 'config', 'validate', option, path).stdout
            self.assertIn('gmcp requires MCP servers:\n'
                          '  Required: shell, gone (add: gmcp add gone -- COMMAND)\n'
                          '  Recommended: off (enable: gmcp enable off), '
                          'packed (install: npm install -g @example/packed)\n'
                          '  Optional: web\n', shown)
        path.write_text('mcp_servers:\n  a: {command: sh}\n')
        self.gmcp(OK, 'config', 'validate', '--show-requirements', path, out=['No host or tool'])

    def test_what_is_missing_is_told_once(self):
        path = self.home / 'needs.yaml'
        path.write_text(NEEDS.replace('sh}', 'gmcp-no-such-shell}').replace('sh, ', 'sh, auto_start: false, '))
        done = self.gmcp(UNREACHABLE, 'tools', '--config', path)
        self.assertEqual(done.stderr.count('Required server missing: gone: not configured'), 1, done.stderr)
        self.assertEqual(done.stderr.count('npm install -g @example/packed'), 1, done.stderr)
        self.assertNotIn('server missing: web', done.stderr)

    def test_a_misspelt_program_is_near_to_one(self):
        (self.home / 'bin').mkdir()
        program = self.home / 'bin' / 'gmcp-test-server'
        program.write_text('#!/bin/sh\n')
        program.chmod(0o755)
        (self.home / 'bin' / 'gmcp-test-serve').write_text('no program')
        path = self.home / 'near.json'
        path.write_text(json.dumps({'mcpServers': {'near': {'command': 'gmcp-tset-server'}}}))
        self.gmcp(UNREACHABLE, 'tools', '--config', path, 'near', PATH=f"{self.home / 'bin'}:{os.environ['PATH']}",
                  err=['gmcp-tset-server', 'Near to it: gmcp-test-server.'])


tap.main()

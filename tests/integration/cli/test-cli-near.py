#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is misspelt, and what is near to it: test-cli-near.py GMCP MANAGED_SERVER"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import environment_of, make_home

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])


class Near(unittest.TestCase):
    def setUp(self):
        self.home = make_home(self)
        config = self.home / '.config' / 'mcp' / 'mcp.json'
        config.parent.mkdir(parents=True)
        (self.home / 'bin').mkdir()
        (self.home / 'bin' / 'node').symlink_to('/bin/true')
        config.write_text(json.dumps({'mcpServers': {
            'files': {'command': sys.executable, 'args': ['-S', SERVER, '--tools', 'echo,pid']},
            'web': {'command': 'nodee', 'comand': 'x'}}}))
        self.environment = {**os.environ, **environment_of(self.home), 'LC_ALL': 'C.UTF-8',
                            'PATH': f'{self.home}/bin:{os.environ["PATH"]}'}

    def check(self, words, *told, not_told='Near to it: \0'):
        done = subprocess.run([GMCP, *words], capture_output=True, text=True, timeout=60, check=False, env=self.environment, cwd=self.home)
        self.assertNotEqual(done.returncode, 0, done)
        for text in told:
            self.assertIn(text, done.stderr, words)
        self.assertNotIn(not_told, done.stderr, words)

    def test_commands(self):
        for word, near in (('tols', 'tools'), ('sttaus', 'status'), ('subs', 'subscribe')):
            self.check([word], f'there is no command “{word}”', f'Near to it: {near}.')
        self.check(['xyzzy'], 'there is no command “xyzzy”', not_told='Near to it')
        self.check(['config', 'chek'], 'Near to it: check.')

    def test_what_others_call_a_command(self):
        listed = subprocess.run([GMCP, '--help'], capture_output=True, text=True, timeout=60, check=True, env=self.environment).stdout
        source = (pathlib.Path(__file__).parents[3] / 'src' / 'cli' / 'commands' / 'cli-commands.c').read_text()
        synonyms = re.findall(r'{ "([a-z-]+)", "([a-z, ]+)" }', source.split('synonyms[][2] = {')[1].split('};')[0])
        self.assertIn(('ls', 'tools, status'), synonyms)
        for word, commands in synonyms:
            for command in commands.split(', '):
                self.assertRegex(listed, rf'(?m)^  {command} ')
        for word in 'list', 'ls', 'rm', 'trust':
            self.check([word], f'Near to it: {dict(synonyms)[word]}.')

    def test_programs_that_are_taken_for_commands(self):
        for word in ('curser', 'cursor'):
            self.check([word], '“gmcp import cursor” takes over the servers')
        self.check(['claude'], '“gmcp import claude-')
        self.check(['import', 'curser'], 'Near to it: cursor.')
        self.check(['export', '--format', 'curser'], 'Near to it: cursor.')

    def test_options(self):
        self.check(['tools', '--jsno'], 'Near to it: --json.')
        self.check(['--cofnig=x', 'tools'], 'Near to it: --config.')
        self.check(['tools', '--xyzzy'], 'xyzzy', not_told='Near to it: --')

    def test_servers_and_tools(self):
        self.check(['tools', 'fiels'], 'Unknown server: fiels', 'Near to it: files.')
        self.check(['show', 'xyzzy'], 'Unknown server: xyzzy', not_told='Near to it: files')
        self.check(['call', 'files.ehco'], 'Near to it: files.echo.')

        # Written as everywhere in this program.
        self.check(['call', 'ehco'], 'There is no tool called ehco. Near to it: files.echo', not_told='files__')
        self.check(['call', 'files/echo'], 'Near to it: files.echo', not_told='files__')
        self.check(['call', 'files'], '“files” is a server and no tool; “gmcp tools files” lists', not_told='nodee')

    def test_tools_apart_from_their_servers(self):
        for words in ([], ['text=x'], ['x']):
            self.check(['call', 'files', 'echo', *words], 'one word: gmcp call files.echo\n')
        self.check(['tools', 'files', 'echo'], 'one word: gmcp tools files.echo\n')
        self.check(['tools', 'files', 'echo', 'pid'], 'too many arguments', not_told='one word')
        self.check(['call', 'xyzzy', 'echo'], '“echo” is neither', not_told='one word')

    def test_arguments_as_other_programs_have_them(self):
        self.check(['call', 'files.echo', '--text', 'x'], 'Unknown option --text; an argument of the tool', 'key=text')
        self.check(['call', 'files.echo', 'x'], '“x” is neither', '“gmcp call files.echo --help” says')

    def test_a_folder_that_is_not_there(self):
        self.check(['call', 'files.echo', '--output', 'nowhere/x.txt'], 'there is no folder “nowhere”', not_told='privileges')

    def test_one_letter_is_near_to_nothing(self):
        (self.home / 'bin' / 'a').symlink_to('/bin/true')
        self.check(['add', 'one', '--', 'z'], '“z” was not found', not_told='full path. Near to it')

    def test_what_is_configured(self):
        self.check(['tools', 'web'], 'mcpServers.web.comand', 'Near to it: command.', 'nodee', 'Near to it: node.')
        self.check(['completion', 'bsh'], 'Near to it: bash.')


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp import: what other programs have configured is found, shown and taken over.

test-cli-import.py GMCP
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP = os.path.abspath(sys.argv[1])
OK, USAGE, UNREACHABLE = 0, 2, 3
SECRET = 'mellon-speak-friend'
CLAUDE = {'mcpServers': {'web': {'command': 'mcp-web', 'env': {'API_TOKEN': SECRET}},
                         'odd': {'type': 'pigeon', 'command': 'x'}}}


class Import(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='gmcp-cli-import-')
        self.home = pathlib.Path(self.folder.name)
        self.config = self.home / '.config'
        self.claude = self.config / 'Claude' / 'claude_desktop_config.json'
        self.claude.parent.mkdir(parents=True)
        self.claude.write_text(json.dumps(CLAUDE))

    def tearDown(self):
        self.folder.cleanup()

    def gmcp(self, status, *args, backend='memory', answer=None):
        env = {**os.environ, 'HOME': str(self.home), 'XDG_CONFIG_HOME': str(self.config),
               'XDG_STATE_HOME': str(self.home / 'state'), 'GSETTINGS_BACKEND': backend}
        done = subprocess.run([GMCP, *args], capture_output=True, text=True, timeout=60, check=False, env=env,
                              cwd=self.home, input=answer or '')
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_found(self):
        text = self.gmcp(OK, 'import')
        self.assertIn('claude-desktop', text)
        self.assertIn('1 new, 1 impossible', text)
        found = json.loads(self.gmcp(OK, 'import', '--json', '--plain-secrets'))
        self.assertEqual([(item['name'], item['change'], item['from']) for item in found],
                         [('web', 'added', str(self.claude)), ('odd', 'refused', str(self.claude))])
        # The home folder is no project of its own.
        (self.home / '.cursor').mkdir()
        (self.home / '.cursor' / 'mcp.json').write_text('{"mcpServers": {"t": {"command": "true"}}}')
        self.assertEqual(self.gmcp(OK, 'import').count('.cursor/mcp.json'), 1)
        # A file that cannot be read does not hide the others.
        self.claude.write_text('{')
        text = self.gmcp(OK, 'import')
        self.assertIn('gmcp: ' + str(self.claude), text)
        self.assertIn('.cursor/mcp.json', text)
        (self.home / '.cursor' / 'mcp.json').unlink()
        self.claude.unlink()
        self.assertIn('opencode', self.gmcp(OK, 'import'))
        self.assertEqual(json.loads(self.gmcp(OK, 'import', '--json')), [])

    def test_file(self):
        target = self.config / 'mcp' / 'mcp.json'
        shown = self.gmcp(OK, 'import', 'claude-desktop')
        self.assertRegex(shown, r'new +web: command, env')
        self.assertIn('${secret:web-API_TOKEN}', shown)
        self.assertRegex(shown, r'impossible +odd: type')
        self.assertIn('--yes', shown)
        self.assertFalse(target.exists())

        # Nobody is there to ask: what stands in a pipe is no answer.
        self.gmcp(OK, 'import', 'claude-desktop', answer='y\n')
        self.assertFalse(target.exists())

        target.parent.mkdir()
        mine = '{ // mine\n  "mcpServers": {}\n}\n'
        target.write_text(mine)
        self.assertIn('looks like a secret', self.gmcp(OK, 'import', 'claude-desktop', '--plain-secrets'))
        self.assertEqual(target.read_text(), mine)
        self.gmcp(OK, 'import', 'claude-desktop', '--yes', '--plain-secrets')
        self.assertTrue(target.read_text().startswith('{ // mine\n  "mcpServers": {\n    "web": {\n'))
        self.assertIn(SECRET, target.read_text())
        self.assertIn('web', self.gmcp(OK, 'servers'))
        self.assertRegex(self.gmcp(OK, 'import', 'claude-desktop', '--yes', '--plain-secrets'), r'the same +web')

    def test_secrets_need_a_keyring_or_a_word(self):
        """As add has it: nobody who says yes has a secret in a file by that."""
        target = self.config / 'mcp' / 'mcp.json'
        for words in (['claude-desktop'], ['--all'], [str(self.claude)]):
            told = self.gmcp(UNREACHABLE, 'import', *words, '--yes')
            self.assertIn('keyring', told)
            self.assertIn('--plain-secrets', told)
            self.assertFalse(target.exists())
        # Where there is none, or a place for one, none is missed.
        self.claude.write_text(json.dumps({'mcpServers': {'web': {'command': 'mcp-web', 'env': {'API_TOKEN': '<API_TOKEN>'}}}}))
        self.gmcp(OK, 'import', 'claude-desktop', '--yes')
        self.assertEqual(list(json.loads(target.read_text())['mcpServers']), ['web'])

    def test_secrets_go_into_the_keyring(self):
        env = {'SECRET_BACKEND': 'file', 'SECRET_FILE_TEST_PATH': str(self.home / 'keyring'), 'SECRET_FILE_TEST_PASSWORD': 'test'}
        target = self.config / 'mcp' / 'mcp.json'
        if 'this build of gmcp does not' in subprocess.run([GMCP, 'secret', 'list'], capture_output=True, text=True, check=False).stderr:
            return
        with unittest.mock.patch.dict(os.environ, env):
            self.gmcp(OK, 'import', '--all', '--yes')
            self.assertEqual(json.loads(target.read_text())['mcpServers']['web']['env'], {'API_TOKEN': '${secret:web-API_TOKEN}'})
            self.assertRegex(self.gmcp(OK, 'import', 'claude-desktop', '--yes'), r'the same +web')
            self.assertNotIn(SECRET, target.read_text())

    def test_settings(self):
        self.gmcp(OK, 'import', 'claude-desktop', '--yes', '--plain-secrets', backend='keyfile')
        self.assertFalse((self.config / 'mcp').exists())
        self.assertIn('web', self.gmcp(OK, 'servers', backend='keyfile'))
        changed = dict(CLAUDE, mcpServers={'web': {'command': 'mcp-web', 'args': ['-v'], 'env': {'API_TOKEN': SECRET}}})
        self.claude.write_text(json.dumps(changed))
        found = json.loads(self.gmcp(OK, 'import', str(self.claude), '--json', '--plain-secrets', backend='keyfile'))
        self.assertEqual([(item['change'], item['fields'], item['to']) for item in found],
                         [('changed', ['command'], 'settings')])

    def test_choice(self):
        other = self.home / 'other.json'
        self.gmcp(USAGE, 'import', 'claude-desktop', 'odd', '--to', str(other), '--yes')
        for words in (['--yes'], []):
            self.assertIn('there are: web, odd', self.gmcp(USAGE, 'import', 'claude-desktop', 'web', 'nobody', '--to', str(other), *words))
        self.assertFalse(other.exists())
        self.gmcp(OK, 'import', 'claude-desktop', str(self.claude), 'web', '--to', str(other), '--yes',
                  '--plain-secrets')
        self.assertEqual(list(json.loads(other.read_text())['mcpServers']), ['web'])

    def test_shown(self):
        """What would run or be reached is shown whole, and visibly."""
        long = 'x' * 3000
        self.claude.write_text(json.dumps({'mcpServers': {
            'run': {'command': 'mcp-run', 'args': ['--api-key', 'plain-in-sight', 'a\u202eb', long], 'env': {'API_TOKEN': SECRET, 'LD_PRELOAD': '/x.so'}},
            'web': {'url': 'https://example.org/mcp?key=1', 'headers': {'Authorization': SECRET}}}}))
        shown = self.gmcp(OK, 'import', 'claude-desktop')
        for part in ('command: mcp-run\n', 'args[0]: --api-key\n', 'args[1]: plain-in-sight\n', "a<U+202E>b", f'{long}\n',
                     'env.LD_PRELOAD: …\n', 'https://example.org/mcp?key=1', 'headers.Authorization: …\n'):
            self.assertIn(part, shown)
        self.assertIn('run as you', shown)
        # What nobody has set is not shown.
        for key in 'sandbox', 'trusted', 'inheritEnvironment', 'title':
            self.assertNotIn(key, shown)
        shown = self.gmcp(OK, 'import', 'claude-desktop', 'web')
        self.assertNotIn('mcp-run', shown)
        self.assertNotIn('run as you', shown)

    def test_mistakes(self):
        self.assertIn('not there', self.gmcp(USAGE, 'import', str(self.home / 'none.json')))
        self.assertIn('usual places', self.gmcp(USAGE, 'import', 'cursor'))
        self.assertIn('claude-desktop', self.gmcp(USAGE, 'import', 'claude'))
        self.claude.write_text('{"mcpServers": {')
        self.assertIn('claude_desktop_config.json:1', self.gmcp(USAGE, 'import', 'claude-desktop', '--yes'))
        os.unlink(self.claude)
        os.mkfifo(self.claude)
        self.assertIn('is no file', self.gmcp(UNREACHABLE, 'import', str(self.claude), '--yes'))


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a configuration asks for, and what it takes from the keyring: asked on a terminal, remembered on wish, and set by
gmcp secret: test-cli-secret.py GMCP MANAGED_SERVER
"""
import json
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, USAGE = 0, 2
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-secret-')
HOME = pathlib.Path(FOLDER.name).resolve()
CONFIG = HOME / 'mcp.json'
VALUE = 'mellon speak friend'


class Secret(unittest.TestCase):
    def setUp(self):
        self.env = {**os.environ, 'SECRET_BACKEND': 'file', 'SECRET_FILE_TEST_PATH': str(HOME / 'keyring'),
                    'SECRET_FILE_TEST_PASSWORD': 'test', 'LC_ALL': 'C.UTF-8',
                    **{f'XDG_{name}_HOME': str(HOME / name) for name in ('STATE', 'CACHE', 'CONFIG')}}
        (HOME / 'keyring').unlink(missing_ok=True)

    def configure(self, value):
        CONFIG.write_text(json.dumps({
            'inputs': [{'id': 'tok', 'description': 'Your\u202e token', 'password': True, 'type': 'promptString'}],
            'servers': {'one': {'command': sys.executable, 'args': ['-S', SERVER, '--tools', 'env'], 'env': {'GIVEN': value}}}}))

    def gmcp(self, status, *args, text='', env=None):
        done = subprocess.run([GMCP, *args], capture_output=True, text=True, timeout=60, check=False, input=text,
                              env={**self.env, **(env or {})})
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout, done.stderr

    def call(self, status):
        return self.gmcp(status, '--config', str(CONFIG), 'call', 'one.env', 'name=GIVEN')

    def ask(self, args, *answers):
        """What is shown on a terminal, what is on standard output, and the status."""
        master, slave = pty.openpty()
        process = subprocess.Popen([GMCP, *args], stdin=slave, stderr=slave, stdout=subprocess.PIPE, text=True, env=self.env)
        os.close(slave)
        shown = b''
        for prompt, answer in answers:
            part = b''
            while not part.endswith(prompt.encode()):
                self.assertTrue(select.select([master], [], [], 30)[0], part)
                part += os.read(master, 4096)
            shown += part
            os.write(master, answer.encode())
        out = process.communicate(timeout=60)[0]
        while select.select([master], [], [], 0)[0]:
            try:
                shown += os.read(master, 4096)
            except OSError:
                break
        os.close(master)
        return shown.decode(), out, process.returncode

    def test_input(self):
        self.configure('${input:tok}')
        command = f'gmcp secret set --input tok --file {CONFIG}'
        self.assertIn(command, self.call(USAGE)[1])

        words = ['--config', str(CONFIG), 'call', 'one.env', 'name=GIVEN']
        shown, out, status = self.ask(words, ('(it is not shown): ', VALUE + '\n'), ('[y/N] ', 'n\n'))
        self.assertEqual((status, out), (OK, VALUE + '\n'), shown)
        self.assertIn('Your<U+202E> token', shown)
        self.assertIn(str(CONFIG), shown)
        self.assertNotIn(VALUE, shown)
        # Nothing was remembered.
        self.call(USAGE)
        self.assertEqual(self.gmcp(OK, 'secret', 'list')[0], '')

        shown, out, status = self.ask(words, ('(it is not shown): ', VALUE + '\n'), ('[y/N] ', 'y\n'))
        self.assertEqual((status, out), (OK, VALUE + '\n'), shown)
        self.assertEqual(self.call(OK)[0], VALUE + '\n')
        listed = self.gmcp(OK, 'secret', 'list')[0]
        self.assertIn('${input:tok}', listed)
        self.assertIn(str(CONFIG), listed)
        self.assertNotIn(VALUE, listed)
        self.gmcp(OK, *command.replace('gmcp secret set', 'secret remove').split())
        self.call(USAGE)
        self.gmcp(USAGE, *command.replace('gmcp secret set', 'secret remove').split())
        self.gmcp(OK, *command.split()[1:], text='another\n')
        self.assertEqual(self.call(OK)[0], 'another\n')

    def test_commands(self):
        """Whatever starts a server asks for what it needs."""
        self.configure('${input:tok}')
        for words in (['servers', '--check'], ['tools', 'one'], ['resources', 'one']):
            shown, _out, _status = self.ask(['--config', str(CONFIG), *words], ('(it is not shown): ', VALUE + '\n'), ('[y/N] ', 'n\n'))
            self.assertEqual(shown.count('needs the value'), 1, shown)

    def test_imported(self):
        """What a file of another program asks for is asked for once, unseen, and kept."""
        there = HOME / 'vscode.json'
        there.write_text(json.dumps({
            'inputs': [{'id': 'tok', 'description': 'Your token', 'password': True, 'type': 'promptString'}],
            'servers': {'one': {'command': sys.executable, 'args': ['-S', SERVER, '--tools', 'env'], 'env': {'GIVEN': '${input:tok}'}}}}))
        CONFIG.unlink(missing_ok=True)
        self.gmcp(OK, 'import', 'vscode', str(there), '--to', str(CONFIG), '--yes')
        shown, out, status = self.ask(['--config', str(CONFIG), 'call', 'one.env', 'name=GIVEN'],
                                      ('(it is not shown): ', VALUE + '\n'), ('[y/N] ', 'y\n'))
        self.assertEqual((status, out), (OK, VALUE + '\n'))
        self.assertNotIn(VALUE, shown)
        self.assertEqual(self.call(OK)[0], VALUE + '\n')

    def test_settings(self):
        """A server of the settings has no file that its question could name."""
        self.env['GSETTINGS_BACKEND'] = 'keyfile'
        self.configure('${input:tok}')
        self.gmcp(OK, 'add', '--no-test', str(CONFIG))
        shown, out, status = self.ask(['call', 'one.env', 'name=GIVEN'],
                                      ('(it is not shown): ', VALUE + '\n'), ('[y/N] ', 'n\n'))
        self.assertEqual((status, out), (OK, VALUE + '\n'), shown)
        self.assertIn('Server one needs the value “tok” (the settings).', shown)

    def test_declined(self):
        """Enter alone gives no value; Ctrl+D neither."""
        self.configure('${input:tok}')
        for answer in '\n', '\x04':
            shown, out, status = self.ask(['--config', str(CONFIG), 'call', 'one.env', 'name=GIVEN'], ('(it is not shown): ', answer))
            self.assertNotEqual(status, OK)
            self.assertIn('gmcp secret set', shown)

    def test_secret(self):
        self.configure('${secret:own}')
        self.assertIn('gmcp secret set own\n', self.call(USAGE)[1])
        self.assertIn('own', self.gmcp(OK, 'secret', 'set', 'own', text=VALUE + '\n')[0])
        self.assertEqual(self.call(OK)[0], VALUE + '\n')
        shown, _out, status = self.ask(['secret', 'set', 'own'], ('(it is not shown): ', 'typed in\n'))
        self.assertEqual(status, OK)
        self.assertNotIn('typed in', shown)
        self.assertEqual(self.call(OK)[0], 'typed in\n')
        self.assertNotIn('typed in', ''.join(self.gmcp(OK, 'secret', 'list')))
        self.gmcp(OK, 'secret', 'remove', 'own')
        self.call(USAGE)

    def test_project(self):
        """A secret of a project's server is for that file and that server."""
        self.gmcp(USAGE, 'secret', 'set', 'x', '--server', 'one', text='v')
        self.gmcp(USAGE, 'secret', 'set', 'x', '--file', 'f', text='v')
        self.gmcp(OK, 'secret', 'set', 'x', '--server', 'one', '--file', str(CONFIG), text='v')
        self.assertRegex(self.gmcp(OK, 'secret', 'list')[0], r'\$\{secret:x\} +.*mcp.json +one\n')

    def test_mistakes(self):
        self.gmcp(USAGE, 'secret')
        self.gmcp(USAGE, 'secret', 'set')
        self.gmcp(USAGE, 'secret', 'show', 'x')
        self.assertIn('no value', self.gmcp(USAGE, 'secret', 'set', 'x')[1])
        self.assertIn('no value', self.gmcp(USAGE, 'secret', 'set', 'x', text='v' * 100000)[1])

    def test_no_keyring(self):
        """Said clearly; and what can be asked for is asked for still."""
        nobody = {'SECRET_BACKEND': '', 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/nonexistent'}
        for args in (['set', 'x'], ['list'], ['remove', 'x']):
            done = subprocess.run([GMCP, 'secret', *args], capture_output=True, text=True, timeout=60, check=False, input='v',
                                  env={**self.env, **nobody})
            self.assertNotEqual(done.returncode, OK)
            self.assertIn('keyring cannot be used', done.stderr)
        self.env.update(nobody)
        self.configure('${input:tok}')
        shown, out, status = self.ask(['--config', str(CONFIG), 'call', 'one.env', 'name=GIVEN'],
                                      ('(it is not shown): ', VALUE + '\n'), ('[y/N] ', 'y\n'))
        self.assertEqual((status, out), (OK, VALUE + '\n'), shown)
        self.assertIn('not remembered', shown)


tap.main()

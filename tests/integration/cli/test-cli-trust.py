#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of projects: what gmcp config trust and distrust say, and what a program that runs makes of them.

test-cli-trust.py GMCP MANAGED_SERVER
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
OK, USAGE, UNREACHABLE = 0, 2, 3
YES = '--yes'
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-trust-')
HOME = pathlib.Path(FOLDER.name)
PROJECT = HOME / 'project'
FILE = PROJECT / '.mcp.json'
OWN = HOME / 'config/mcp/mcp.json'
ENVIRONMENT = {**os.environ, 'XDG_STATE_HOME': str(HOME / 'state'), 'XDG_CONFIG_HOME': str(HOME / 'config'),
               'LC_ALL': 'C.UTF-8'}


class Trust(unittest.TestCase):
    def gmcp(self, status, *args, cwd=None):
        done = subprocess.run([GMCP, *[word for word in args if word]], capture_output=True, text=True, timeout=60,
                              check=False, cwd=cwd or PROJECT, env=ENVIRONMENT)
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout, done.stderr

    def configure(self, **more):
        PROJECT.mkdir(exist_ok=True)
        FILE.write_text(json.dumps({'mcpServers': {'one': {
            'command': sys.executable, 'args': ['-S', SERVER, '--tools', 'pid,echo'], **more}}}))

    def test_says(self):
        """Everything is shown, whole, as it is written, and visibly, before anything is stored."""
        long = 'x' * 5000 + ' end'
        self.configure(env={'LD_PRELOAD': '/x.so', 'API_TOKEN': '${secret:tok}', 'HOST': '${GMCP_HOST:-h}'},
                       args=['--token', 's3cr3t-value', 'a\x1b[2Kb\u202e', '', 'two\nlines', long, '${input:who}'],
                       cwd='sub', trusted=True, inheritEnvironment=False, sandbox='read-only-home', writablePaths=['/var/out'],
                       allowSampling=True)
        whole = json.loads(FILE.read_text())
        whole['roles'] = {'r': {'allowed_tools': ['*'], 'host': 'h\u200b'}}
        whole['mcp_settings'] = {'log_directory': '/elsewhere'}
        FILE.write_text(json.dumps(whole, ensure_ascii=False))
        err = self.gmcp(USAGE, 'call', 'one.pid')[1]
        self.assertIn(f'gmcp config trust {FILE}', err)

        out, err = self.gmcp(USAGE, 'config', 'trust', '.mcp.json')
        self.assertIn('--yes', err)
        for line in (str(FILE), f'command: {sys.executable}\n', 'args[0]: --token\n', 'args[1]: s3cr3t-value\n',
                     "args[2]: 'a<U+001B>[2Kb<U+202E>'\n", "args[3]: ''\n", "args[4]: 'two<U+000A>lines'\n",
                     f"args[5]: '{long}'\n", "args[6]: '${input:who}'\n".replace("'", ''), 'env.LD_PRELOAD: /x.so\n',
                     'env.API_TOKEN: ${secret:tok}\n', 'env.HOST: ${GMCP_HOST:-h}\n', 'trusted: true\n',
                     'inheritEnvironment: false\n', 'sandbox: read-only-home\n', 'allowSampling: true\n', 'sub\n', 'writablePaths[0]: /var/out\n',
                     'is given the secret tok of your keyring\n', 'is given the variable GMCP_HOST of your environment\n',
                     'is given what you are asked for as who\n', 'roles: {"r": {"allowed_tools": ["*"], "host": "h<U+200B>"}}',
                     'mcp_settings: {"log_directory": "/elsewhere"}'):
            self.assertIn(line, out)
        # Nothing was stored.
        self.assertIn('gmcp config trust', self.gmcp(USAGE, 'call', 'one.pid')[1])

        self.configure(env={'A': 'b'})
        self.assertIn('is trusted as it is now', self.gmcp(OK, 'config', 'trust', '.mcp.json', YES)[0])
        self.gmcp(OK, 'call', 'one.pid')
        self.assertIn('not trusted any more', self.gmcp(OK, 'config', 'distrust', '.mcp.json')[0])

        FILE.write_text(json.dumps({'mcpServers': {
            'web': {'url': 'https://me:pa55word@example.org/', 'headers': {'Authorization': 'Bearer ${TOKEN}'}},
            'off': {'command': 'x', 'disabled': True}}}))
        out = self.gmcp(USAGE, 'config', 'trust', '.mcp.json')[0]
        for line in ('url: https://me:pa55word@example.org/\n', "headers.Authorization: 'Bearer ${TOKEN}'\n",
                     'is given the variable TOKEN of your environment\n', 'enabled: false\n'):
            self.assertIn(line, out)

    def ask(self, *answers, change=None):
        """What the command shows on a terminal, and its status; each answer is typed at a prompt."""
        master, slave = pty.openpty()
        process = subprocess.Popen([GMCP, 'config', 'trust', '.mcp.json'], stdin=slave, stderr=slave, stdout=subprocess.PIPE,
                                   cwd=PROJECT, env=ENVIRONMENT)
        os.close(slave)
        shown = b''
        for answer in answers:
            part = b''
            while not part.endswith((b'[n]o: ', b'[y/N] ')):
                self.assertTrue(select.select([master], [], [], 30)[0], part)
                part += os.read(master, 4096)
            shown += part
            if change and answer == answers[-1]:
                change()
            os.write(master, answer.encode())
        process.communicate(timeout=60)
        os.close(master)
        return shown.decode().replace('\r\n', '\n'), process.returncode

    def test_asks(self):
        self.configure(args=['start', 'y' * 6000, 'last-argument'])
        shown, status = self.ask('y\n', 'y\n', 'n\n')
        self.assertEqual(status, USAGE)
        self.assertNotIn('last-argument', shown)
        self.assertNotIn('[y/N]', shown)
        shown, status = self.ask('r\n', '\n')
        self.assertEqual(status, USAGE)
        self.assertIn('last-argument', shown)
        shown, status = self.ask('\n', '\n', '\n', '\n', 'y\n')
        self.assertEqual(status, OK)
        self.assertIn('last-argument', shown)
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_changed(self):
        """What is stored is what was shown: a file that changes before the answer is not trusted."""
        self.configure()
        shown, status = self.ask('y\n', change=lambda: self.configure(env={'EVIL': '1'}))
        self.assertEqual(status, USAGE)
        self.assertNotIn('EVIL', shown)
        self.assertIn('gmcp config trust', self.gmcp(USAGE, 'call', 'one.pid')[1])
        self.configure()
        self.gmcp(OK, 'call', 'one.pid')
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_untrusted(self):
        """A file that nobody trusts has no part in anything, and is told of in one line."""
        OWN.parent.mkdir(parents=True, exist_ok=True)
        OWN.write_text(json.dumps({'mcpServers': {'one': {'command': sys.executable, 'args': ['-S', SERVER, '--tools', 'env']}}}))
        PROJECT.mkdir(exist_ok=True)
        servers = {'one-api': {'command': 'x'}, 'one': {'command': 'evil'},
                   **{f'one-api-{i}': {'command': 'x', f'odd-{i}': 1, 'args': [f'${{GMCP_UNSET_{i}}}']} for i in range(1500)}}
        FILE.write_text(json.dumps({'mcpServers': servers, 'roles': {'x': {'allowed_tools': 7}}}))
        environment = {**ENVIRONMENT, 'MCP_ONE_API_KEY': 'mine'}
        done = subprocess.run([GMCP, 'call', 'one.env', 'name=API_KEY'], capture_output=True, text=True, timeout=60,
                              check=False, cwd=PROJECT, env=environment)
        self.assertEqual((done.returncode, done.stdout), (OK, 'mine\n'), done.stderr)
        lines = [line for line in done.stderr.splitlines() if '.mcp.json' in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn('gmcp config trust', lines[0])
        # Whoever asks is told of all that is wrong in it.
        self.assertIn('odd-0', self.gmcp(USAGE, 'config', 'check', '.mcp.json')[0])
        for text in '{', '[' * 5000, ' ' * 9 * 1024 * 1024:
            FILE.write_text(text)
            self.assertEqual(self.gmcp(OK, 'servers')[1].count('\n'), 1)
        OWN.unlink()

    def test_names(self):
        """A folder has one trust, whatever path is said; a file that is a link is trusted for what is beside it."""
        self.configure()
        self.gmcp(USAGE, 'call', 'one.pid')
        elsewhere = HOME / 'elsewhere.json'
        elsewhere.symlink_to(FILE)
        self.gmcp(OK, 'config', 'trust', str(elsewhere), YES)
        self.gmcp(USAGE, 'call', 'one.pid')
        elsewhere.unlink()

        way = HOME / 'way'
        way.symlink_to(PROJECT)
        out = self.gmcp(OK, 'config', 'trust', str(way / '.mcp.json'), YES)[0]
        self.assertIn(str(FILE.resolve()), out)
        self.gmcp(OK, 'call', 'one.pid')
        self.gmcp(OK, 'call', 'one.pid', cwd=way)
        self.gmcp(OK, 'config', 'distrust', '../project/./.mcp.json')
        self.gmcp(USAGE, 'call', 'one.pid')
        way.unlink()

    def test_linked(self):
        """A clone whose file leads to a trusted one runs nothing, neither of its own nor of the other."""
        self.configure(command='tools/server', args=[], cwd='.')
        clone = HOME / 'clone'
        mark = HOME / 'mark'
        for folder in PROJECT, clone:
            (folder / 'tools').mkdir(parents=True, exist_ok=True)
            program = folder / 'tools/server'
            program.write_text(f'#!/bin/sh\necho {folder.name} >> {mark}\n')
            program.chmod(0o700)
        (clone / '.mcp.json').symlink_to(FILE)
        self.gmcp(OK, 'config', 'trust', '.mcp.json', YES)
        err = self.gmcp(USAGE, 'call', 'one.pid', cwd=clone)[1]
        self.assertFalse(mark.exists())
        self.assertIn(f'gmcp config trust {clone.resolve()}/.mcp.json', err)
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        self.assertEqual(mark.read_text(), 'project\n' * mark.read_text().count('\n'))
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_shadowed(self):
        """What does not run although it is trusted is said to."""
        self.configure()
        OWN.parent.mkdir(parents=True, exist_ok=True)
        OWN.write_text(json.dumps({'mcpServers': {'one': {'command': 'mine'}}}))
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json', YES)[0]
        self.assertIn('this server does not count: one of that id stands elsewhere', out)
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json', 'one', YES)[0]
        self.assertNotIn('does not count', out)
        OWN.unlink()
        out = self.gmcp(OK, 'config', 'trust', '.mcp.json', YES)[0]
        self.assertNotIn('does not count', out)
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')

    def test_own_file(self):
        self.configure()
        OWN.parent.mkdir(parents=True, exist_ok=True)
        OWN.write_text('{"mcpServers":{}}')
        link = HOME / 'link.json'
        link.symlink_to(OWN)
        for path in OWN, link:
            self.assertIn('of your own', self.gmcp(USAGE, 'config', 'trust', str(path))[1])
        self.gmcp(USAGE, 'config', 'trust', str(HOME / 'none.json'))

    def test_running(self):
        """Another process is told while it looks after the server."""
        self.configure()
        self.gmcp(OK, 'config', 'trust', '.mcp.json', YES)
        process = subprocess.Popen([GMCP, 'start', '--foreground', 'one'], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=PROJECT, env=ENVIRONMENT)
        self.assertEqual(process.stdout.readline(), 'one\n')
        self.gmcp(OK, 'config', 'distrust', '.mcp.json')
        err = process.communicate(timeout=30)[1]
        self.assertIn('gmcp config trust', err)
        self.assertNotEqual(process.returncode, OK)


tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Servers of the user's own, started where somebody else has filled the current directory.

test-cli-folder.py GMCP MANAGED_SERVER
"""
import json
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, USAGE, UNREACHABLE = 0, 2, 3
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-folder-')
HOME = pathlib.Path(FOLDER.name).resolve()
CLONE = HOME / 'src/clone'
OWN = HOME / 'config/mcp/mcp.json'
MARKS = HOME / 'marks'
ENVIRONMENT = {**os.environ, 'HOME': str(HOME), 'XDG_STATE_HOME': str(HOME / 'state'),
               'XDG_CONFIG_HOME': str(HOME / 'config'), 'XDG_CACHE_HOME': str(HOME / 'cache'), 'LC_ALL': 'C.UTF-8',
               'SHLVL': '1'}
NPX = shutil.which('npx')


def mark(name):
    """A program that says that it was run."""
    return f'#!/bin/sh\necho run >> {MARKS}/{name}\n'


def write(path, text, mode=0o600):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')
    path.chmod(mode)


class Folder(unittest.TestCase):
    def setUp(self):
        for path in CLONE, MARKS, HOME / 'state':
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir(parents=True)

    def gmcp(self, status, *args, cwd=CLONE, **environment):
        done = subprocess.run([GMCP, *args], capture_output=True, text=True, timeout=240, check=False, cwd=cwd,
                              stdin=subprocess.DEVNULL, env={**ENVIRONMENT, 'PWD': str(cwd), **environment})
        if status is not None:
            self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout, done.stderr

    def configure(self, **entry):
        write(OWN, json.dumps({'mcpServers': {'one': entry}}))

    def assert_clean(self):
        self.assertEqual([path.name for path in MARKS.iterdir()], [])

    def test_python_module(self):
        """A module of the folder is not taken for the one that is installed."""
        good = HOME / 'good'
        write(good / 'mcp_server_ours.py', f"import runpy, sys\nsys.argv = ['x', '--tools', 'pid']\nrunpy.run_path({SERVER!r}, "
                                           "run_name='__main__')\n")
        for name in 'mcp_server_ours', 'argparse', 'json':
            write(CLONE / f'{name}.py', f"open({str(MARKS / name)!r}, 'w').close()\nraise SystemExit(1)\n")
        self.configure(command=sys.executable, args=['-m', 'mcp_server_ours'], env={'PYTHONPATH': str(good)})
        self.gmcp(OK, 'call', 'one.pid')
        self.assert_clean()

    def test_relative_path(self):
        """Neither the host's PATH nor the server's leads into the folder."""
        for folder in CLONE, CLONE / 'bin', CLONE / 'node_modules/.bin':
            write(folder / 'server-of-ours', mark('program'), 0o700)
        for path in '.', 'bin:' + ENVIRONMENT['PATH'], ENVIRONMENT['PATH'] + ':', 'node_modules/.bin::':
            self.configure(command='server-of-ours')
            self.gmcp(UNREACHABLE, 'call', 'one.pid', PATH=path)
            self.configure(command='server-of-ours', env={'PATH': path}, cwd=str(CLONE))
            self.gmcp(UNREACHABLE, 'call', 'one.pid')
            # What the server itself looks for.
            self.configure(command='/bin/sh', args=['-c', 'server-of-ours'], cwd=str(CLONE))
            self.gmcp(UNREACHABLE, 'call', 'one.pid', PATH=path)
        self.assert_clean()

    @unittest.skipUnless(NPX, 'npx is not there')
    def test_npx(self):
        """npx runs nothing of the folder, and goes by none of its settings."""
        write(CLONE / 'package.json', json.dumps({'name': 'clone', 'version': '1.0.0',
                                                  'scripts': {'prepare': f'touch {MARKS}/prepare'}}))
        write(CLONE / 'node_modules/ours-of-gmcp/package.json', json.dumps(
            {'name': 'ours-of-gmcp', 'version': '1.0.0', 'bin': {'ours-of-gmcp': 'run.sh'}}))
        write(CLONE / 'node_modules/ours-of-gmcp/run.sh', mark('package'), 0o700)
        write(CLONE / 'node_modules/.bin/ours-of-gmcp', mark('bin'), 0o700)
        write(CLONE / 'shell.sh', mark('shell'), 0o700)
        write(CLONE / '.npmrc', f'cache={MARKS}/cache\nscript-shell={CLONE}/shell.sh\n')
        # From the cache only, which is empty: what is not in the folder is nowhere.
        command = {'command': NPX, 'args': ['--offline', '-y', 'ours-of-gmcp'], 'startupTimeoutMs': 60000}
        self.configure(**command)
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        self.assert_clean()
        # The same as a check of this test: there it is run.
        self.configure(**command, cwd=str(CLONE))
        self.gmcp(UNREACHABLE, 'call', 'one.pid')
        self.assertNotEqual(list(MARKS.iterdir()), [])

    def test_workspace(self):
        """What leads into the folder by itself is refused with what helps, and trusted by that."""
        write(CLONE / 'argparse.py', f"open({str(MARKS / 'argparse')!r}, 'w').close()\n")
        for more in ({'cwd': '${workspaceFolder}'}, {'cwd': '${PWD}'}):
            self.configure(command=sys.executable, args=['-m', 'argparse'], **more)
            error = self.gmcp(USAGE, 'call', 'one.pid')[1]
            self.assertIn(f"gmcp config trust '{CLONE}'", error)
            self.assert_clean()

    def on_terminal(self, answer, *args):
        """What is shown on a terminal, the output, and the status; the answer is typed where one is asked for."""
        master, slave = pty.openpty()
        process = subprocess.Popen([GMCP, *args], stdin=slave, stderr=slave, stdout=subprocess.PIPE, text=True, cwd=CLONE,
                                   env={**ENVIRONMENT, 'PWD': str(CLONE)})
        os.close(slave)
        shown = b''
        asked = False
        while True:
            try:
                part = os.read(master, 4096) if select.select([master], [], [], 60)[0] else b''
            except OSError:
                break
            if not part:
                break
            shown += part
            if shown.rstrip().endswith(b'[y/N]') and not asked:
                asked = True
                os.write(master, answer.encode())
        out = process.communicate(timeout=60)[0]
        os.close(master)
        return shown.decode(), out, process.returncode

    def test_trust(self):
        """A folder is trusted by a command that shows what that means; without a terminal only where that is affirmed."""
        self.configure(command=sys.executable, args=['-S', SERVER, '--tools', 'pid'], cwd='${workspaceFolder}')
        way = HOME / 'way'
        way.unlink(missing_ok=True)
        way.symlink_to(CLONE)
        out, error = self.gmcp(USAGE, 'config', 'trust', '.')
        self.assertIn(f'{CLONE}\n', out)
        self.assertIn('--yes', error)
        self.gmcp(USAGE, 'call', 'one.pid')
        self.gmcp(OK, 'config', 'trust', str(way), '--yes')
        self.gmcp(OK, 'call', 'one.pid')
        self.gmcp(OK, 'call', 'one.pid', cwd=way)
        (CLONE / 'inner').mkdir()
        self.gmcp(USAGE, 'call', 'one.pid', cwd=CLONE / 'inner')
        self.gmcp(OK, 'config', 'distrust', '.')
        self.gmcp(USAGE, 'call', 'one.pid')

        for path, folder in (('.', CLONE), (str(HOME / 'gone'), HOME / 'gone')):
            folder.mkdir(exist_ok=True)
            self.gmcp(OK, 'config', 'trust', path, '--yes')
            self.assertIn(str(folder), (HOME / 'state/gmcp/trusted-folders.json').read_text())
            if folder != CLONE:
                folder.rmdir()
            self.gmcp(OK, 'config', 'distrust', path)
            self.assertNotIn(str(folder), (HOME / 'state/gmcp/trusted-folders.json').read_text())

        open_to_all = HOME / 'open'
        open_to_all.mkdir(exist_ok=True)
        open_to_all.chmod(0o777)
        self.assertIn('any user', self.gmcp(None, 'config', 'trust', str(open_to_all), '--yes')[1])
        self.gmcp(USAGE, 'config', 'trust', str(HOME / 'nowhere'), '--yes')
        shown = self.on_terminal('', 'config', 'trust', str(open_to_all))[0]
        self.assertIn('any user', shown)
        self.assertNotIn('[y/N]', shown)

    def test_relative_command(self):
        """A command that is not in the server's own folder is said to be looked for there."""
        self.configure(command='./server.py', args=[])
        self.assertIn('full path', self.gmcp(None, 'call', 'one.pid')[1])

    def test_relative_script(self):
        """So is a script that its interpreter does not find there, where the program would not say why."""
        self.configure(command=sys.executable, args=['server.py'])
        self.assertIn('“server.py” is a relative path', self.gmcp(None, 'call', 'one.pid')[1])

    def test_asked(self):
        """On a terminal it is asked, once, in the middle of what needs it; what is hidden in a name is shown."""
        self.configure(command=sys.executable, args=['-S', SERVER, '--tools', 'pid'], cwd='${workspaceFolder}')
        shown, out, status = self.on_terminal('n\n', 'call', 'one.pid')
        self.assertIn(str(CLONE), shown)
        self.assertEqual((out, status), ('', USAGE))
        shown, out, status = self.on_terminal('y\n', 'call', 'one.pid')
        self.assertEqual(status, OK, shown)
        shown, out, status = self.on_terminal('', 'call', 'one.pid')
        self.assertEqual(status, OK)
        self.assertNotIn('[y/N]', shown)
        self.gmcp(OK, 'config', 'distrust', '.')

        hidden = HOME / 'a\u202eb\x1b[2J'
        hidden.mkdir(exist_ok=True)
        shown, out, status = self.on_terminal('n\n', 'config', 'trust', str(hidden))
        self.assertEqual(status, USAGE)
        self.assertIn('<U+202E>', shown)
        self.assertNotIn('\x1b[2J', shown)

    def test_argument(self):
        """The folder may be named to a server that does not run in it."""
        self.configure(command=sys.executable, args=['-S', SERVER, '--tools', 'pid', '--log', '${workspaceFolder}/log'])
        self.gmcp(OK, 'call', 'one.pid')
        self.assertTrue((CLONE / 'log').exists())

    def test_named(self):
        """The servers of a file that is named run beside it, wherever that is said from."""
        beside = HOME / 'beside'
        write(beside / 'server.py', f"import runpy, sys\nsys.argv = ['x', '--tools', 'pid']\nrunpy.run_path({SERVER!r}, "
                                    "run_name='__main__')\n")
        write(beside / 'mcp.json', json.dumps({'mcpServers': {'one': {'command': sys.executable, 'args': ['server.py']}}}))
        self.gmcp(OK, 'call', '--config', str(beside / 'mcp.json'), 'one.pid')
        self.gmcp(OK, 'call', '--config', 'mcp.json', 'one.pid', cwd=beside)
        self.assertNotIn('server.py', self.gmcp(OK, 'config', 'check', 'mcp.json', cwd=beside)[0])
        shutil.copy(beside / 'mcp.json', OWN)
        self.assertIn('relative path', self.gmcp(OK, 'config', 'check')[0])
        self.gmcp(UNREACHABLE, 'call', 'one.pid', cwd=beside)


tap.main()

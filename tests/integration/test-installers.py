#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Servers whose command fetches their program first: test-installers.py GMCP MANAGED_SERVER

The package manager is a stand-in that fetches until a file is there.
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import tap

GMCP, SERVER = sys.argv[1:3]
TIMED_OUT = 4

# It holds the server's streams as npx does, and what it has fetched is a process of its own.
NPX = '''#!/usr/bin/python3
import os, subprocess, sys, time
becomes = sys.argv[0].endswith('docker')
package = [word for word in sys.argv[1 + becomes:] if not word.startswith('-')][0]
folder = os.environ['STANDIN']
def log(text):
    with open(folder + '/log', 'a') as file:
        file.write('%s %s %d\\n' % (text, package, os.getpid()))
log('begin')
while not os.path.exists(folder + '/go-' + package):
    print('still fetching', file=sys.stderr, flush=True)
    time.sleep(0.02)
log('fetched')
if package == 'broken':
    print("Error: Cannot find module '%s/.npm/_npx/0123456789abcdef/node_modules/x/index.js'" % folder, file=sys.stderr)
    sys.exit(1)
words = ['/usr/bin/python3', '-S', os.environ['STANDIN_SERVER'], '--log', folder + '/server-log', '--tools', 'echo']
if becomes:
    os.execv(words[0], words)
sys.exit(subprocess.call(['sh', '-c', ' '.join(words)]))
'''


def wait_until(condition):
    while not condition():
        time.sleep(0.02)


def is_there(pid):
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


class Installers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='gmcp-installers-'))
        (self.folder / 'bin').mkdir()
        for name in ('npx', 'uvx', 'docker'):
            path = self.folder / 'bin' / name
            path.write_text(NPX)
            path.chmod(0o755)
        self.environment = dict(os.environ, HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder / 'config'),
                                XDG_STATE_HOME=str(self.folder / 'state'), XDG_CACHE_HOME=str(self.folder / 'cache'))
        self.processes = []

    def configure(self, **servers):
        entries = {}
        for name, entry in servers.items():
            entries[name] = {'command': str(self.folder / 'bin' / entry.pop('program', 'npx')),
                             'args': entry.pop('args', ['-y', name]),
                             'env': {'STANDIN': str(self.folder), 'STANDIN_SERVER': SERVER,
                                     'HOME': str(self.folder), **entry.pop('env', {})}, **entry}
        (self.folder / 'mcp.json').write_text(json.dumps({'mcpServers': entries}))

    def start(self, *words):
        process = subprocess.Popen([GMCP, *words, '--config', str(self.folder / 'mcp.json')], env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def log(self):
        path = self.folder / 'log'
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    def has(self, *words):
        return any(line[:2] == list(words) for line in self.log())

    def let_go(self, package):
        (self.folder / f'go-{package}').touch()

    def pids(self):
        return {int(line[2]) for line in self.log()}

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()
        for package in ('one', 'two', 'three', 'four', 'broken'):
            self.let_go(package)
        wait_until(lambda: not any(is_there(pid) for pid in self.pids()))
        shutil.rmtree(self.folder, ignore_errors=True)

    def test_slow(self):
        """the time that fetching takes is none of the start's"""
        self.configure(one={'startupTimeoutMs': 3000})
        process = self.start('tools')
        wait_until(lambda: self.has('begin', 'one'))
        time.sleep(3.5)
        self.assertTrue(is_there(self.log()[0][2]), 'what fetches is not ended with the start’s time limit')
        self.let_go('one')
        out, err = process.communicate()
        self.assertTrue(process.returncode == 0 and 'one' in out and 'echo' in out, f'its tools are listed: {out} {err}')
        self.assertTrue('Installing server “one”: npx is fetching one' in err, f'the terminal says what is waited for: {err}')
        self.assertTrue([line[0] for line in self.log()] == ['begin', 'fetched'], f'it was fetched once: {self.log()}')

    def end_in_the_middle(self, number):
        self.configure(one={})
        process = self.start('tools')
        wait_until(lambda: self.has('begin', 'one'))
        process.send_signal(number)
        process.communicate()
        name = signal.Signals(number).name
        pid = int(self.log()[0][2])
        self.assertTrue(is_there(pid), f'{name}: what fetches outlives the program')
        # More than a pipe holds: somebody reads what it says.
        time.sleep(0.5)
        self.assertTrue(is_there(pid), f'{name}: and goes on')

        again = self.start('tools')
        time.sleep(0.5)
        self.assertTrue(len([line for line in self.log() if line[0] == 'begin']) == 1, f'{name}: another start waits for it')
        self.let_go('one')
        out, err = again.communicate()
        self.assertTrue(again.returncode == 0 and 'echo' in out, f'{name}: which then works: {err}')
        self.assertTrue([line[0] for line in self.log()] == ['begin', 'fetched', 'begin', 'fetched'],
                  f'{name}: one after the other: {self.log()}')
        wait_until(lambda: not any(is_there(pid) for pid in self.pids()))
        self.assertTrue(True, f'{name}: nothing is left once it has been fetched')

    def test_interrupted(self):
        """Ctrl-C in the middle"""
        self.end_in_the_middle(signal.SIGINT)

    def test_killed(self):
        """kill -9 in the middle"""
        self.end_in_the_middle(signal.SIGKILL)

    def test_limit(self):
        """fetching has a time limit of its own, with a host and without"""
        self.configure(one={'installTimeoutMs': 10000}, two={'installTimeoutMs': 10000, 'program': 'uvx'})
        lost = self.start('call', 'two.echo', '{}')
        wait_until(lambda: self.has('begin', 'two'))
        lost.kill()
        lost.communicate()
        process = self.start('call', 'one.echo', '{}')
        out, err = process.communicate()
        self.assertTrue(process.returncode != 0 and '10000 ms' in err and 'install-timeout-ms' in err,
                  f'the error names the limit: {err}')
        wait_until(lambda: not any(is_there(pid) for pid in self.pids()))
        self.assertTrue(not self.has('fetched', 'one') and not self.has('fetched', 'two'), 'both are ended')

    def npm_folder(self, package):
        digest = hashlib.sha512(package.encode()).hexdigest()[:16]
        return self.folder / '.npm' / '_npx' / digest

    def test_in_turn(self):
        """first starts of one package manager come one after the other, others do not wait"""
        present = self.npm_folder( 'three') / 'node_modules'
        present.mkdir(parents=True)
        (present / '.package-lock.json').touch()
        self.configure(one={}, two={}, three={}, four={'program': 'uvx', 'args': ['four']})
        process = self.start('tools')
        wait_until(lambda: self.has('begin', 'three') and self.has('begin', 'four')
                   and (self.has('begin', 'one') or self.has('begin', 'two')))
        first = 'one' if self.has('begin', 'one') else 'two'
        second = 'two' if first == 'one' else 'one'
        time.sleep(1)
        self.assertTrue(not self.has('begin', second), 'the second waits')
        for package in ('three', 'four', first):
            self.let_go(package)
        wait_until(lambda: self.has('begin', second))
        self.assertTrue(self.has('fetched', first), 'until the first was fetched')
        self.let_go(second)
        out, err = process.communicate()
        self.assertTrue(process.returncode == 0 and out.count('echo') >= 4, f'all four are listed: {out} {err}')
        self.assertTrue('waits for its turn: npm is installing another' in err, f'which is told of: {err}')

    def test_unseen(self):
        """of what shows nothing of its program, the first message tells; the next start is one like others"""
        self.configure(one={'program': 'docker', 'args': ['run', '--rm', '-i', 'one'], 'startupTimeoutMs': 3000})
        process = self.start('tools')
        wait_until(lambda: self.has('begin', 'one'))
        time.sleep(3.5)
        self.let_go('one')
        out, err = process.communicate()
        self.assertTrue(process.returncode == 0 and 'echo' in out, f'its tools are listed: {out} {err}')
        (self.folder / 'go-one').unlink()
        process = self.start('call', 'one.echo', '{}')
        out, err = process.communicate()
        self.assertIn('was not ready within 3000 ms', err)

    def test_call(self):
        """a call does not wait for ever, and says for what it waited"""
        self.configure(one={'callTimeoutMs': 300})
        process = self.start('call', 'one.echo', '{}')
        wait_until(lambda: self.has('begin', 'one'))
        out, err = process.communicate()
        self.assertTrue(process.returncode == TIMED_OUT, f'it ran out of time: {process.returncode}')
        self.assertTrue('still being installed: npx has fetched one' in err, f'the error says why: {err}')
        self.assertTrue(is_there(self.log()[0][2]), 'the installation goes on')
        self.let_go('one')

    def test_broken(self):
        """a folder of npm's that is half written is named, with the way out"""
        self.configure(broken={})
        self.let_go('broken')
        process = self.start('call', 'broken.echo', '{}')
        out, err = process.communicate()
        self.assertTrue(f'rm -rf {self.folder}/.npm/_npx/0123456789abcdef' in err.replace("'", ''), f'the error: {err}')


tap.main()

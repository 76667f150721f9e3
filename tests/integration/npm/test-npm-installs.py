#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Real npm with an empty cache: four servers at once; and two that are given up in the middle, and whose program is
killed in the middle: test-npm-installs.py GMCP
"""
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

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP = sys.argv[1]
PACKAGES = {
    'everything': ['@modelcontextprotocol/server-everything'],
    'memory': ['@modelcontextprotocol/server-memory'],
    'files': ['@modelcontextprotocol/server-filesystem', '/tmp'],
    'thinking': ['@modelcontextprotocol/server-sequential-thinking'],
}
CALLS = {'everything': ('everything.echo', '{"message": "hello"}'), 'memory': ('memory.read_graph', '{}')}


def why_not():
    """What is missing, or nothing."""
    npx = shutil.which('npx')
    if npx is None or shutil.which('npm') is None:
        return 'npm is not installed'
    answer = subprocess.run(['npm', 'view', PACKAGES['memory'][0], 'version'], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, check=False)
    return '' if answer.returncode == 0 else f'npm’s registry cannot be reached: {answer.stderr[-200:]}'


class NpmInstalls(unittest.TestCase):
    def setUp(self):
        reason = why_not()
        if reason:
            self.skipTest(reason)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='gmcp-npm-installs-'))
        self.cache = self.folder / 'npm'
        self.environment = dict(os.environ, XDG_CONFIG_HOME=str(self.folder / 'config'),
                                XDG_STATE_HOME=str(self.folder / 'state'), XDG_CACHE_HOME=str(self.folder / 'cache'))
        self.config = self.folder / 'mcp.json'
        self.processes = []

    def configure(self, *names):
        self.names = names
        self.config.write_text(json.dumps({'mcpServers': {
            name: {'command': 'npx', 'args': ['-y', *PACKAGES[name]], 'env': {'npm_config_cache': str(self.cache)},
                   # What is tried is that these do not count while npm fetches.
                   'startupTimeoutMs': 60000, 'callTimeoutMs': 600000, 'installTimeoutMs': 600000}
            for name in names}}))

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()
        while self.list_processes():
            time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words):
        process = subprocess.Popen([GMCP, *words, '--config', str(self.config)], env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def list_processes(self):
        """Those that have this cache in their environment."""
        found = []
        for path in pathlib.Path('/proc').iterdir():
            try:
                if path.name.isdigit() and str(self.cache) in (path / 'environ').read_bytes().decode(errors='replace'):
                    found.append(path.name)
            except OSError:
                pass
        return found

    def count_folders(self):
        return len(list((self.cache / '_npx').glob('*'))) if (self.cache / '_npx').is_dir() else 0

    def wait_for_folders(self, number, process):
        while self.count_folders() < number and process.poll() is None:
            time.sleep(0.01)

    def check_all(self):
        process = self.start('tools')
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        for name in self.names:
            self.assertIn(name, out, err)
        for name in self.names:
            if name not in CALLS:
                continue
            process = self.start('call', *CALLS[name])
            out, err = process.communicate()
            self.assertEqual(process.returncode, 0, err)

    def test_four_at_once(self):
        """four servers of one package manager, with nothing there"""
        self.configure(*PACKAGES)
        self.check_all()
        self.assertEqual(self.count_folders(), 4)

    def test_in_the_middle(self):
        """Ctrl-C, then kill -9, each while npm writes a folder; afterwards both start"""
        if os.environ.get('GMCP_LOAD') != 'full':
            self.skipTest('./dev test --full fetches two of them a second time')
        self.configure('memory', 'thinking')
        process = self.start('tools')
        self.wait_for_folders(1, process)
        process.send_signal(signal.SIGINT)
        process.communicate()
        process = self.start('call', *CALLS['memory'])
        self.wait_for_folders(2, process)
        process.kill()
        process.communicate()
        self.check_all()


tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Servers on the host of a sandbox of Flatpak's, by Flatpak's own session helper on a bus of its own, and through
the proxy that lets a sandbox see of a bus what it may: test-flatpak.py GMCP CONFINED_SERVER HELPER PROXY
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import tap

GMCP, SERVER, HELPER, PROXY = map(os.path.abspath, sys.argv[1:5])
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-flatpak-')
HOME = pathlib.Path(FOLDER.name)
CONFIG = HOME / 'mcp.json'
LOG = HOME / 'log'
PF_EXITING = 4  # of the kernel's <linux/sched.h>
HINT = 'flatpak override --user --talk-name=org.freedesktop.Flatpak org.example.App'


def wait_until(condition):
    while not condition():
        time.sleep(0.01)


def group(number):
    """Those of a process group that have not ended. A process that has been killed closes its files, which is how a
    host on the other side of the bus sees its end, some time before it is a zombie."""
    members = []
    for entry in pathlib.Path('/proc').glob('[0-9]*/stat'):
        try:
            fields = entry.read_text().rpartition(')')[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == number and fields[0] not in 'ZX' and not int(fields[6]) & PF_EXITING:
            members.append(int(entry.parent.name))
    return members


class Flatpak(unittest.TestCase):
    def setUp(self):
        env = {**os.environ, 'HOME': str(HOME), 'SHELL': '/bin/sh', 'XDG_RUNTIME_DIR': str(HOME),
               'HOST_TOKEN': 'secret'}
        self.bus = self.run_beside(['dbus-daemon', '--session', '--nofork', '--print-address', f'--address=unix:dir={HOME}'],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.helper = self.run_beside([HELPER], env={**env, 'DBUS_SESSION_BUS_ADDRESS': self.address},
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.env = {**os.environ, 'DBUS_SESSION_BUS_ADDRESS': self.address, 'GMCP_FLATPAK_INFO': str(HOME),
                    'FLATPAK_ID': 'org.example.App', 'XDG_STATE_HOME': str(HOME / 'state')}
        wait_until(lambda: 'org.freedesktop.Flatpak' in self.names())
        LOG.unlink(missing_ok=True)
        self.configure()

    def run_beside(self, words, **more):
        process = subprocess.Popen(words, **more)

        def end():
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
        self.addCleanup(end)
        return process

    def names(self):
        done = subprocess.run(['gdbus', 'call', '--address', self.address, '--dest', 'org.freedesktop.DBus',
                               '--object-path', '/', '--method', 'org.freedesktop.DBus.ListNames'],
                              capture_output=True, text=True, check=True)
        return done.stdout

    def configure(self, words=(), **more):
        server = {'command': 'python3', 'args': ['-S', SERVER, '--log', str(LOG), *words],
                  'env': {'OWN': 'mine', 'PATH': '/usr/bin:/bin'}, **more}
        CONFIG.write_text(json.dumps({'mcpServers': {'one': server}}))

    def look(self, code):
        done = subprocess.run([GMCP, '--config', str(CONFIG), 'call', 'one.look', f'code={code}'], env=self.env,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def start(self):
        """A host that has its server running, and the server's process."""
        host = self.run_beside([GMCP, '--config', str(CONFIG), 'start', 'one', '--foreground'], env=self.env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = []

        def find():
            for entry in pathlib.Path('/proc').glob('[0-9]*/cmdline'):
                try:
                    words = entry.read_bytes().decode(errors='replace').split('\0')
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if words[:1] == ['python3'] and str(LOG) in words:
                    found.append(int(entry.parent.name))
            return found and LOG.exists()
        wait_until(find)
        return host, found[-1]

    def test_call(self):
        seen, errors = self.look('[os.getppid(), os.environ["OWN"], os.environ.get("HOST_TOKEN"), os.environ["HOME"]]')
        self.assertEqual(seen, [self.helper.pid, 'mine', None, str(HOME)])
        self.assertNotIn('talk-name', errors)

    def test_killed_host(self):
        self.configure(['--on-term', str(HOME / 'sign')])
        host, server = self.start()
        self.assertEqual(len(group(server)), 2)
        host.kill()
        wait_until(lambda: not group(server))

    def test_stopped_host(self):
        host, server = self.start()
        host.send_signal(signal.SIGTERM)
        host.wait()
        self.assertEqual(group(server), [])

    def test_killed_helper(self):
        host, server = self.start()
        self.helper.kill()
        self.helper.wait()
        wait_until(lambda: 'org.freedesktop.Flatpak' not in self.names())
        self.assertIn(server, group(server))
        host.send_signal(signal.SIGTERM)
        host.wait()
        wait_until(lambda: not group(server))

    def test_missing(self):
        self.configure(command='no-such-program')
        done = subprocess.run([GMCP, '--config', str(CONFIG), 'call', 'one.look'], env=self.env, capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertIn('was not found on the host', done.stderr)

    def through_proxy(self, *rules):
        path = HOME / 'proxy'
        path.unlink(missing_ok=True)
        self.run_beside([PROXY, self.address, str(path), '--filter', *rules])
        wait_until(path.exists)
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={path}'
        return self.look('os.getppid()')

    def test_allowed(self):
        parent, errors = self.through_proxy('--talk=org.freedesktop.Flatpak')
        self.assertEqual(parent, self.helper.pid)
        self.assertNotIn('talk-name', errors)

    def test_denied(self):
        parent, errors = self.through_proxy()
        self.assertNotEqual(parent, self.helper.pid)
        self.assertIn(HINT, errors)

    def test_seen_only(self):
        parent, errors = self.through_proxy('--see=org.freedesktop.Flatpak')
        self.assertNotEqual(parent, self.helper.pid)
        self.assertIn(HINT, errors)


tap.main()

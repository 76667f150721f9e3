#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Hosts have the session bus start gmcpd, to share the processes of servers:
test-sharing-activation.py GMCPD MANAGED_SERVER SHARE_SERVER SHARE_HOST GMCP"""
import json
import os
import re
import signal
import subprocess
import sys

from session import BusSession, Session, is_running, wait_until
from sharing import Host
import tap

Session.gmcpd, Session.server, SHARE_SERVER, Host.program, GMCP = map(os.path.abspath, sys.argv[1:6])
CANNOT = 'cannot start gmcpd'


class Activation(BusSession):
    def setUp(self):
        super().setUp()
        for name in ('TERM', 'MARK'):
            self.env.pop(name, None)
        folder = self.home / 'config' / 'mcp'
        folder.mkdir(parents=True)
        self.config = folder / 'mcp.json'
        self.write('one', 'two')

    def write(self, *names, **more):
        server = {'command': SHARE_SERVER, 'protocolEra': 'modern', **more}
        self.config.write_text(json.dumps({'mcpServers': {
            name: {**server, 'args': [str(self.log), name]} for name in names}}))

    def tearDown(self):
        for daemon in self.daemons():
            os.kill(daemon, signal.SIGTERM)
            wait_until(lambda daemon=daemon: not is_running(daemon))
        super().tearDown()

    def started(self):
        return re.findall(r'^started (\d+)$', self.log.read_text(), re.M) if self.log.exists() else []

    def start_host(self, name, *words, config='-'):
        return Host(self, name, *words, config=config)

    def pid(self, host, server='one'):
        line = host.call(f'{server}__pid')
        self.assertTrue(line.startswith('result '), line)
        return line.split(' ')[1]

    def assert_own(self, *words, n_told=0, config='-'):
        """A host has processes of its own, and says so many times that gmcpd cannot be started."""
        host = self.start_host('host', *words, config=config)
        pids = [self.pid(host, server) for server in ('one', 'two')]
        self.assertEqual(sorted(self.started()), sorted(pids))
        self.assertFalse(host.status()['shared'])
        self.assertEqual(len([line for line in host.of('notice') if CANNOT in line]), n_told, host.lines)
        self.assertEqual(host.end(), 0)

    def test_activation(self):
        """One daemon, however many hosts and servers ask for it at once."""
        self.allow_activation()
        hosts = [self.start_host(f'host-{i}') for i in range(3)]
        for host in hosts:
            host.tell('call one__pid')
            host.tell('call two__pid')
        for host in hosts:
            wait_until(lambda host=host: len(host.of('result', 'error')) == 2)
            self.assertTrue(host.status()['shared'], host.lines)
            self.assertEqual([line for line in host.of('notice') if CANNOT in line], [])
        daemon, = self.daemons()
        pid = self.pid(hosts[0])
        self.assertEqual([self.pid(host) for host in hosts], [pid] * 3)
        # The command line is one more.
        self.assertIn(pid, self.call_by_command())
        self.assertEqual(len(self.started()), 2)
        self.assertEqual([host.end() for host in hosts], [0] * 3)
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon))
        self.assertEqual([pid for pid in self.started() if is_running(int(pid))], [])

    def test_killed_daemon(self):
        """It is started again, by whoever starts its server first; a call that was under way ends, and is not sent again."""
        self.allow_activation()
        hosts = [self.start_host(f'host-{i}') for i in range(2)]
        pids = {self.pid(host) for host in hosts}
        self.assertEqual(len(pids), 1)
        daemon, = self.daemons()
        hosts[0].tell('call one__wait')
        wait_until(lambda: 'wait' in self.log.read_text().split())
        os.kill(daemon, signal.SIGKILL)
        wait_until(lambda: len(hosts[0].of('error')) == 1)
        for host in hosts:
            wait_until(lambda host=host: host.call('one__pid').startswith('result ') and host.status()['shared'])
        self.assertEqual(len({self.pid(host) for host in hosts}), 1)
        self.assertEqual(len(self.daemons()), 1)
        self.assertNotEqual(self.daemons(), [daemon])
        self.assertEqual(self.log.read_text().split().count('wait'), 1)
        wait_until(lambda: len([pid for pid in self.started() if is_running(int(pid))]) == 1)

    def test_daemon_without_the_bus(self):
        """Another daemon has no room beside it, and is not tried."""
        other = self.home / 'other.json'
        other.write_text('{"mcpServers": {}}')
        daemon = self.run_beside([self.gmcpd, '--config', other, '--no-bus'])
        wait_until(lambda: Session.is_ready(self, daemon))
        self.allow_activation()
        self.assert_own()
        self.assertEqual(len(self.daemons()), 1)

    def test_daemon_that_fails(self):
        self.addCleanup(setattr, Session, 'gmcpd', self.gmcpd)
        Session.gmcpd = '/bin/false'
        self.allow_activation()
        self.assert_own(n_told=1)

    def test_daemon_that_hangs(self):
        """Calls do not wait for it much longer than a moment, and only the first of them."""
        self.addCleanup(setattr, Session, 'gmcpd', self.gmcpd)
        Session.gmcpd = '/bin/sleep'
        self.allow_activation(1000)
        self.assert_own(n_told=1)

    def test_daemon_that_comes_late(self):
        """A host that has gone on without it uses it when its server is started again."""
        late = self.home / 'late'
        late.write_text(f'#!/bin/sh\nwhile [ ! -e {self.home}/come ]; do sleep 0.02; done\nexec {self.gmcpd}\n')
        late.chmod(0o755)
        self.addCleanup(setattr, Session, 'gmcpd', self.gmcpd)
        Session.gmcpd, gmcpd = late, self.gmcpd
        self.allow_activation()
        host = self.start_host('host')
        own = self.pid(host)
        self.assertFalse(host.status()['shared'])
        Session.gmcpd = gmcpd
        (self.home / 'come').touch()
        wait_until(lambda: list((self.runtime / 'gmcp').glob('shared/*')))
        os.kill(int(own), signal.SIGKILL)
        wait_until(lambda: host.call('one__pid').startswith('result ') and host.status()['shared'])

    def test_no_daemon(self):
        self.assert_own()
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={self.home}/none'
        self.log.unlink()
        self.assert_own()

    def test_hosts_that_do_not(self):
        """By what a host says, a setting, or a file whose servers the daemon of the session does not have."""
        self.allow_activation()
        self.assert_own('--no-activation')
        self.log.unlink()
        self.assert_own(config=self.config)
        self.log.unlink()
        self.write('one', 'two', share='no')
        self.assert_own()
        self.write('one', 'two', protocolEra='auto')
        self.log.unlink()
        # What the server speaks is not known before.
        self.assert_own()
        self.assertEqual(self.daemons(), [])

    def call_by_command(self):
        done = subprocess.run([GMCP, 'call', 'one.pid'], env=self.env, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_command(self):
        """It starts no daemon."""
        self.allow_activation()
        self.assertIn(self.call_by_command().split()[0], self.started())
        self.assertEqual(self.daemons(), [])


if __name__ == '__main__':
    tap.main()

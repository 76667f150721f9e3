#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What org.gmcp.Daemon opens and closes while gmcpd runs: test-daemon-settings.py GMCPD MANAGED_SERVER GMCP"""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import unittest

from gateway import list_tools, send
from session import BusSession, Session, wait_until
import tap

Session.gmcpd, Session.server, GMCP = map(os.path.abspath, sys.argv[1:4])
TOOLS = 'org.gmcp.Tools1'
TOOLS_PATH = '/org/gmcp/Tools1'
DCONF = pathlib.Path('/usr/share/dbus-1/services/ca.desrt.dconf.service')
ALL = ['two__echo', 'two__work']


class Settings(BusSession):
    """Servers are those of the user's file; all else is in GSettings."""
    def setUp(self):
        super().setUp()
        self.env['GSETTINGS_BACKEND'] = 'keyfile'
        self.config.unlink()
        own = self.home / 'config' / 'mcp' / 'mcp.json'
        own.parent.mkdir(parents=True)
        own.write_text(json.dumps({'mcpServers': {'two': self.describe(['--tools', 'echo,work'])},
                                   'roles': {'reader': {'allowed_tools': ['two.echo']}}}), encoding='utf-8')
        self.address_file = self.runtime / 'gmcp' / 'gateway.http'
        self.told = ''

    def set(self, key, value):
        subprocess.run(['gsettings', 'set', 'org.gmcp.Daemon', key, str(value)], env=self.env, check=True, timeout=60)

    def start(self, *words):
        daemon = self.start_daemon('--no-bus', *words, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, args=[daemon.stderr], daemon=True).start()
        return daemon

    def read(self, stream):
        for line in stream:
            self.told += line

    def is_ready(self, daemon):
        """Without a name on the bus; with one, where the daemon goes there."""
        return Session.is_ready(self, daemon) if '--no-bus' in daemon.args else BusSession.is_ready(self, daemon)

    def told_address(self):
        """Empty while there is none: a door that moves takes its file away first."""
        try:
            return self.address_file.read_text(encoding='utf-8')
        except FileNotFoundError:
            return ''

    def address(self):
        wait_until(self.told_address)
        return self.told_address()

    def wait_for_port(self, port):
        wait_until(lambda: f':{port}/' in self.told_address())

    def token(self, door='gateway'):
        return (self.home / 'state' / 'gmcp' / f'{door}-token').read_text(encoding='utf-8')

    def can_connect(self, port):
        with socket.socket() as client:
            return client.connect_ex(('127.0.0.1', port)) == 0

    def free_port(self):
        with socket.create_server(('127.0.0.1', 0)) as server:
            return server.getsockname()[1]

    def ask_api(self, port):
        done = subprocess.run(['curl', '-s', '-H', f'Authorization: Bearer {self.token("control")}',
                               f'http://127.0.0.1:{port}/api/v1/mcp/status'], capture_output=True, text=True, timeout=60, check=False)
        return json.loads(done.stdout)

    def test_gateway(self):
        daemon = self.start()
        self.assertFalse(self.address_file.exists())
        self.set('gateway-port', 0)
        first = self.address()
        self.assertEqual(list_tools(first, self.token()), (200, ALL))
        self.assertEqual(list_tools(first)[0], 401)

        port = self.free_port()
        self.set('gateway-port', port)
        self.wait_for_port(port)
        self.assertEqual(list_tools(self.address(), self.token()), (200, ALL))
        wait_until(lambda: not self.can_connect(int(re.search(r':(\d+)/', first)[1])))

        self.set('gateway-port', -1)
        wait_until(lambda: not self.address_file.exists())
        wait_until(lambda: not self.can_connect(port))
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_gateway_role(self):
        port = self.free_port()
        self.set('gateway-port', port)
        self.set('gateway-role', 'reader')
        self.start()
        wait_until(lambda: self.served() == (200, ['two__echo']))
        # At the same port.
        self.set('gateway-role', '')
        wait_until(lambda: self.served() == (200, ALL))
        self.set('gateway-role', 'nobody')
        wait_until(lambda: self.served() == (200, []))

    def served(self):
        """What the gateway says; nothing while its door is not open, or goes to another."""
        try:
            return list_tools(self.address_file.read_text(encoding='utf-8'), self.token())
        except OSError:
            return None

    def test_call_goes_on(self):
        """A call that is under way ends where it was made, and new ones go to the new port."""
        daemon = self.start()
        self.set('gateway-port', 0)
        first = self.address()
        answers = []
        caller = threading.Thread(target=lambda: answers.append(send(first, self.token(), 'tools/call', name='two__work', arguments={})))
        caller.start()
        wait_until(lambda: self.log.exists() and 'work' in self.log.read_text(encoding='utf-8'))
        port = self.free_port()
        self.set('gateway-port', port)
        self.wait_for_port(port)
        self.assertEqual(list_tools(self.address(), self.token()), (200, ALL))
        pathlib.Path(f'{self.log}.done').touch()
        caller.join()
        self.assertEqual(answers[0][0], 200)
        self.assertFalse(answers[0][1].get('isError', False), answers)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_taken_port(self):
        """Of a port that another program has it is told, at the start and later; the daemon goes on."""
        with socket.create_server(('127.0.0.1', 0)) as other:
            taken = other.getsockname()[1]
            self.set('gateway-port', taken)
            self.set('control-port', taken)
            daemon = self.start()
            wait_until(lambda: self.told.count(str(taken)) >= 2)
            self.assertIn('The gateway cannot be opened over HTTP', self.told)
            self.assertIn('The control API cannot be opened', self.told)
            self.set('gateway-port', 0)
            self.assertEqual(list_tools(self.address(), self.token()), (200, ALL))
            self.set('gateway-port', taken)
            wait_until(lambda: self.told.count('The gateway cannot be opened over HTTP') == 2)
            self.assertFalse(self.address_file.exists())
        self.set('gateway-port', self.free_port())
        self.assertEqual(list_tools(self.address(), self.token()), (200, ALL))
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_command_line_decides(self):
        self.set('gateway-port', self.free_port())
        self.set('gateway-role', 'reader')
        self.start('--gateway-http', '0', '--gateway-role', 'nobody')
        address = self.address()
        self.set('gateway-port', -1)
        self.set('gateway-role', '')
        self.assertEqual(list_tools(address, self.token()), (200, []))
        self.assertEqual(self.address(), address)

    def test_command_line_closes(self):
        """What a setting opens stays closed where the command line says so, also when the setting changes."""
        port = self.free_port()
        self.set('gateway-port', 0)
        self.set('control-port', port)
        daemon = self.start_daemon('--gateway-http', '-1', '--control-port=-1', stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, args=[daemon.stderr], daemon=True).start()
        ports = [port, self.free_port(), self.free_port()]
        self.set('control-port', ports[1])
        self.set('gateway-port', ports[2])
        # Changes are told of in their order.
        self.set('tools-role', 'reader')
        wait_until(lambda: self.listed() == ['two__echo'])
        self.assertFalse(any(map(self.can_connect, ports)))
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertNotIn('http', self.told)
        self.assertFalse(self.address_file.exists())

    @unittest.skipUnless(DCONF.exists(), 'dconf is not there')
    def test_nothing_changed(self):
        """Who resets settings that are as they were closes no dashboard."""
        self.env['GSETTINGS_BACKEND'] = 'dconf'
        shutil.copy(DCONF, self.services)
        self.gdbus('org.freedesktop.DBus.ReloadConfig', path='/org/freedesktop/DBus', dest='org.freedesktop.DBus')
        daemon = self.start_daemon()
        link = subprocess.run([GMCP, 'dashboard', '--print'], env=self.env, cwd=self.home, capture_output=True, text=True, timeout=60, check=True)
        dashboard = int(re.search(r'127\.0\.0\.1:(\d+)', link.stdout)[1])
        # As “dconf reset -f /org/gmcp/daemon/” does it, which tells of a change of all below that: an a{smv} of the folder and nothing.
        change = [*b'/org/gmcp/daemon/', *bytes(7), 18, 25]
        for role in ('x', 'y'):
            self.set('tools-role', role)
            self.busctl('call', 'ca.desrt.dconf', '/ca/desrt/dconf/Writer/user', 'ca.desrt.dconf.Writer', 'Change', 'ay', len(change), *change)
        # Changes are told of in their order.
        self.set('tools-role', 'reader')
        wait_until(lambda: self.listed() == ['two__echo'])
        self.assertTrue(self.can_connect(dashboard))
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_named_file(self):
        """With a configuration of its own the settings of the session are not looked at."""
        self.set('gateway-port', 0)
        self.configure(one={})
        daemon = self.start()
        self.set('control-port', 0)
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertEqual(self.told, '')
        self.assertFalse(self.address_file.exists())

    def test_many_changes(self):
        """Whatever comes in between, what was said last holds."""
        daemon = self.start()
        ports = [self.free_port() for _ in range(4)]
        for _ in range(5):
            for value in (*ports, -1, 0):
                self.set('gateway-port', value)
                self.set('control-port', ports[0] if value == -1 else -1)
        self.set('gateway-port', ports[2])
        self.wait_for_port(ports[2])
        self.assertEqual(list_tools(self.address(), self.token()), (200, ALL))
        wait_until(lambda: not any(self.can_connect(port) for port in ports if port != ports[2]))
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_control(self):
        daemon = self.start()
        port = self.free_port()
        self.set('control-port', port)
        wait_until(lambda: self.can_connect(port))
        self.assertEqual([server['name'] for server in self.ask_api(port)['servers']], ['two'])
        # The dashboard has no port of its own where there is one.
        link = subprocess.run([GMCP, 'dashboard', '--print'], env=self.env, cwd=self.home, capture_output=True, text=True, timeout=60, check=True)
        self.assertIn(f':{port}/', link.stdout)
        # Whoever listens to events keeps the door in use, which ends with the stream.
        events = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
        events.request('GET', '/api/v1/mcp/events', headers={'Authorization': f'Bearer {self.token("control")}'})
        stream = events.getresponse()
        self.assertEqual(stream.status, 200)
        self.assertIn(b'event: servers', stream.readline())
        old, port = port, self.free_port()
        self.set('control-port', port)
        wait_until(lambda: self.can_connect(port))
        stream.read()
        events.close()
        wait_until(lambda: not self.can_connect(old))
        self.assertEqual([server['name'] for server in self.ask_api(port)['servers']], ['two'])
        self.set('control-port', -1)
        wait_until(lambda: not self.can_connect(port))
        link = subprocess.run([GMCP, 'dashboard', '--print'], env=self.env, cwd=self.home, capture_output=True, text=True, timeout=60, check=True)
        self.assertRegex(link.stdout, r'http://127\.0\.0\.1:\d+/')
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_port_changes_under_a_call(self):
        """The call ends where it was made; what comes over other connections of before is not served there any more."""
        daemon = self.start()
        port = self.free_port()
        self.set('control-port', port)
        wait_until(lambda: self.can_connect(port))
        headers = {'Authorization': f'Bearer {self.token("control")}', 'Content-Type': 'application/json'}
        call = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
        call.request('POST', '/api/v1/mcp/servers/two/tools/work', '{}', headers)
        wait_until(lambda: self.log.exists() and 'work' in self.log.read_text(encoding='utf-8'))
        with socket.create_connection(('127.0.0.1', port), timeout=60) as late:
            late.send(f'GET /api/v1/mcp/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n'.encode())
            self.ask_api(port)
            self.set('control-port', other := self.free_port())
            wait_until(lambda: self.can_connect(other))
            late.send(f'Authorization: {headers["Authorization"]}\r\n\r\n'.encode())
            self.assertIn(b' 503 ', late.makefile('rb').readline())
        pathlib.Path(f'{self.log}.done').touch()
        self.assertEqual(call.getresponse().status, 200)
        call.close()
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_tools_role(self):
        daemon = self.start_daemon()
        self.assertEqual(self.listed(), ALL)
        changes = self.run_beside(['gdbus', 'monitor', '--session', '--dest', TOOLS], stdout=subprocess.PIPE, text=True)
        self.assertIn('monitoring', changes.stdout.readline().lower())
        changes.stdout.readline()
        self.set('tools-role', 'reader')
        told = ''
        while 'ToolsChanged' not in told or "'Role': <'reader'>" not in told:
            told += changes.stdout.readline()
        self.assertEqual(self.listed(), ['two__echo'])
        self.assertIn('NotPermitted', self.run_gdbus(f'{TOOLS}.CallTool', 'two.work', '{}', '{}', path=TOOLS_PATH, dest=TOOLS).stderr)
        self.set('tools-role', '')
        wait_until(lambda: self.listed() == ALL)
        self.assertEqual(self.end_daemon(daemon), 0)

    def listed(self):
        text = self.gdbus(f'{TOOLS}.ListTools', path=TOOLS_PATH, dest=TOOLS)
        return sorted(re.findall(r'"name":"([^"]+)"', text))


if __name__ == '__main__':
    tap.main()

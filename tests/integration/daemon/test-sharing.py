#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that share processes of servers: test-sharing.py GMCPD MANAGED_SERVER SHARE_SERVER SHARE_HOST GMCP LIBRARY"""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import unittest

from session import Session, wait_until
from sharing import Host
import tap

Session.gmcpd, Session.server, SHARE_SERVER, Host.program, GMCP, LIBRARY = map(os.path.abspath, sys.argv[1:7])

NOBODY = 65534


class Sharing(Session):
    n_offered = 1

    def setUp(self):
        super().setUp()
        # Programs that start in one session have one path and one folder of settings.
        for name in ('TERM', 'MARK'):
            self.env.pop(name, None)
        self.configure_modern()

    def configure_modern(self, **more):
        more.setdefault('env', {'MARK': 'one'})
        self.config.write_text(json.dumps({'mcpServers': {'one': {
            'command': SHARE_SERVER, 'args': [str(self.log)], 'protocolEra': 'modern', **more}}}))

    def configure_legacy(self, **more):
        self.configure(one={'words': ['--tools', 'pid,asks', '--asking', 'asks'], **more})

    def is_ready(self, daemon):
        folder = self.runtime / 'gmcp' / 'shared'
        return super().is_ready(daemon) and folder.exists() and len(list(folder.iterdir())) == self.n_offered

    def started(self):
        return re.findall(r'^started (\d+)$', self.log.read_text(), re.M) if self.log.exists() else []

    def running(self):
        return self.servers()

    def pid(self, host):
        line = host.call('one__pid')
        self.assertTrue(line.startswith('result '), line)
        return line.split(' ')[1]

    def assert_shared(self, *hosts):
        for host in hosts:
            status = host.status()
            self.assertTrue(status['shared'], status)
            self.assertIsNone(status['pid'])
            self.assertEqual(len([line for line in host.of('notice') if 'is shared' in line]), 1)

    def test_one_process(self):
        daemon = self.start_daemon()
        first, second = Host(self, 'first'), Host(self, 'second')
        self.assertEqual(self.running(), [])
        pid = self.pid(first)
        self.assertEqual(self.pid(second), pid)
        self.assert_shared(first, second)
        done = subprocess.run([GMCP, 'call', '--config', self.config, 'one.pid'], env=self.env, capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertIn(pid, done.stdout, done.stderr)
        self.assertEqual(self.started(), [pid])
        self.assertEqual(first.end(), 0)
        self.assertEqual(self.pid(second), pid)
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertEqual(self.running(), [])

    def test_era_that_is_not_known(self):
        self.configure_modern(protocolEra='auto')
        daemon = self.start_daemon()
        first = Host(self, 'first')
        own = self.pid(first)
        self.assertFalse(first.status()['shared'])
        second = Host(self, 'second')
        self.assertNotEqual(self.pid(second), own)
        self.assert_shared(second)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_other_environment(self):
        self.env['OF_HOST'] = 'a'
        self.configure_modern(env={'MARK': '${OF_HOST}'})
        self.start_daemon()
        same, other = Host(self, 'same'), Host(self, 'other', OF_HOST='b')
        self.assertTrue(same.call('one__pid').endswith(' a'))
        self.assertTrue(other.call('one__pid').endswith(' b'))
        self.assert_shared(same)
        self.assertFalse(other.status()['shared'])
        self.assertEqual(len(self.started()), 2)
        passed_on = Host(self, 'third', LANG='de_DE.UTF-8')
        passed_on.call('one__pid')
        self.assertFalse(passed_on.status()['shared'])
        terminal = Host(self, 'fourth', TERM='xterm')
        terminal.call('one__pid')
        self.assert_shared(terminal)

    def test_settings(self):
        for share, of_all, is_shared in (('no', 'yes', False), ('auto', 'no', False), ('yes', 'no', True),
                                         ('auto', 'auto', True)):
            with self.subTest(share=share, of_all=of_all):
                self.n_offered = int(is_shared)
                self.configure_modern(share=share)
                content = json.loads(self.config.read_text())
                self.config.write_text(json.dumps({**content, 'mcp_settings': {'share': of_all}}))
                daemon, host = self.start_daemon(), Host(self, 'host')
                self.pid(host)
                self.assertEqual(host.status()['shared'], is_shared)
                self.assertEqual(host.end(), 0)
                self.assertEqual(self.end_daemon(daemon), 0)

    def test_legacy(self):
        for share in ('auto', 'yes'):
            with self.subTest(share=share):
                self.configure_legacy(share=share)
                daemon = self.start_daemon()
                hosts = Host(self, 'first'), Host(self, 'second')
                pids = {self.pid(host) for host in hosts}
                self.assertEqual(len(pids), 1 if share == 'yes' else 2)
                self.assertEqual([host.status()['shared'] for host in hosts], [share == 'yes'] * 2)
                # A tool that is there for clients only that can be asked.
                says = hosts[0].call('one__asks')
                self.assertEqual(says.startswith('result'), share == 'auto', says)
                for host in hosts:
                    self.assertEqual(host.end(), 0)
                self.assertEqual(self.end_daemon(daemon), 0)

    def test_questions_go_to_who_called(self):
        self.start_daemon()
        hosts = [Host(self, f'host-{i}') for i in range(3)]
        for host in hosts:
            self.pid(host)
        self.assert_shared(*hosts)
        for host in hosts:
            host.tell('call one__ask')
        for host in hosts:
            wait_until(lambda: len(host.of('result', 'error')) == 2)
            self.assertIn(host.name, host.of('result', 'error')[1])
            self.assertEqual(host.of('question'), [f'question {host.name}'])

    def test_asked_once(self):
        content = json.loads(self.config.read_text())
        self.config.write_text(json.dumps({**content, 'mcp_settings': {'ask_destructive': True}}))
        self.start_daemon()
        host = Host(self, 'host')
        self.pid(host)
        self.assert_shared(host)
        self.assertEqual(host.of('permission', 'question'), ['permission host'])

    def test_audit(self):
        self.start_daemon()
        host = Host(self, 'host')
        self.pid(host)
        audit = self.home / 'state' / 'gmcp' / 'audit.jsonl'
        wait_until(lambda: audit.exists() and len(audit.read_text().splitlines()) == 2)
        entries = {entry['host']: entry for entry in map(json.loads, audit.read_text().splitlines())}
        self.assertEqual(entries['gmcpd']['client'], f'{os.path.realpath(Host.program)} ({host.process.pid})')
        self.assertNotIn('client', entries['host'])

    def test_daemon_killed(self):
        daemon = self.start_daemon()
        hosts = Host(self, 'first'), Host(self, 'second')
        before = {self.pid(host) for host in hosts}
        self.assertEqual(len(before), 1)
        hosts[0].tell('call one__wait')
        wait_until(lambda: 'wait' in self.log.read_text().split())
        self.assertEqual(self.end_daemon(daemon, signal.SIGKILL), -signal.SIGKILL)
        wait_until(lambda: len(hosts[0].of('error')) == 1)
        after = {self.pid(host) for host in hosts}
        self.assertEqual(len(after), 2)
        self.assertFalse(after & before)
        for host in hosts:
            self.assertFalse(host.status()['shared'])
            # Also of a socket that a daemon left.
            self.assertTrue([line for line in host.of('notice') if 'process of its own' in line], host.lines)
        # What may have had an effect is not sent again.
        self.assertEqual(self.log.read_text().split().count('wait'), 1)
        # The next daemon takes the folder over, and new hosts go to it.
        self.start_daemon()
        third, fourth = Host(self, 'third'), Host(self, 'fourth')
        self.assertEqual(self.pid(third), self.pid(fourth))
        self.assert_shared(third, fourth)

    def test_limits_hold_for_each(self):
        """Calls of one host that take all its places leave those of others."""
        self.configure_modern(maxCalls=2)
        self.start_daemon()
        slow, other = Host(self, 'slow'), Host(self, 'other')
        self.pid(slow)
        for _ in range(2):
            slow.tell('call one__wait')
        wait_until(lambda: self.log.read_text().split().count('wait') == 2)
        self.pid(other)
        self.assert_shared(slow, other)

    def test_daemon_that_does_not_answer(self):
        """A host does not wait for it longer than a moment."""
        daemon = self.start_daemon()
        daemon.send_signal(signal.SIGSTOP)
        host = Host(self, 'host')
        self.pid(host)
        self.assertFalse(host.status()['shared'])
        self.assertTrue([line for line in host.of('notice') if 'process of its own' in line])
        self.assertEqual(host.end(), 0)
        daemon.send_signal(signal.SIGCONT)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_status_says_why(self):
        """The command line, too, of a socket at which nobody answers."""
        daemon = self.start_daemon()
        key, = (self.runtime / 'gmcp' / 'shared').iterdir()
        key.unlink()
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(key))
            silent.listen()
            done = subprocess.run([GMCP, 'status', '--check', '--config', self.config], env=self.env, capture_output=True, text=True,
                                  check=False, timeout=60)
        self.assertRegex(done.stdout, 'Server “one” has a process of its own, as that of gmcpd cannot be used: .', done.stderr)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_shared_process_that_starts_badly(self):
        """It answers, and then lists no tools: the call that waits goes to a process of the host's own, and a notice says why."""
        self.start_daemon()
        key, = (self.runtime / 'gmcp' / 'shared').iterdir()
        key.unlink()
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(key))
        listener.listen()
        threading.Thread(target=self.serve_badly, args=[listener], daemon=True).start()
        host = Host(self, 'host')
        self.assertTrue(host.call('one__pid').startswith('result '), host.lines)
        self.assertFalse(host.status()['shared'])
        told = [line for line in host.of('notice') if 'process of its own' in line]
        self.assertEqual(len(told), 1, host.lines)
        self.assertIn('no tools today', told[0])

    @staticmethod
    def serve_badly(listener):
        client, _ = listener.accept()
        with client, client.makefile('rw', encoding='utf-8') as stream:
            for line in stream:
                message = json.loads(line)
                if 'id' not in message:
                    continue
                answer = {'error': {'code': -32603, 'message': 'no tools today'}}
                if message['method'] == 'server/discover':
                    answer = {'result': {'resultType': 'complete', 'supportedVersions': ['2026-07-28'], 'capabilities': {'tools': {}},
                                         'serverInfo': {'name': 'bad', 'version': '1'}, 'ttlMs': 0, 'cacheScope': 'private'}}
                stream.write(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}) + '\n')
                stream.flush()

    def forgive_after(self, seconds):
        config = json.loads(self.config.read_text())
        config['mcp_settings'] = {'max_restart_attempts': 1, 'failed_start_delay_seconds': seconds}
        self.config.write_text(json.dumps(config))

    def fail_server(self, name):
        """Kills the process that is shared until the daemon gives it up, and the host has one of its own."""
        self.forgive_after(3600)
        daemon = self.start_daemon()
        host = Host(self, name)
        pid = self.pid(host)
        while host.status()['shared']:
            for shared in self.running():
                os.kill(shared, signal.SIGKILL)
            wait_until(lambda: host.call('one__pid') != f'result {pid}')
            wait_until(lambda: host.call('one__pid').startswith('result '))
            pid = self.pid(host)
        self.assertIn(int(pid), self.running())
        self.assertEqual(host.status()['pid'], int(pid))
        return daemon

    def offered(self):
        return list((self.runtime / 'gmcp' / 'shared').iterdir())

    def test_failed_server_is_not_offered(self):
        """Who shares a process that is not started any more goes on with an own one; started by hand it is offered again."""
        daemon = self.fail_server('first')
        self.assertEqual(self.offered(), [])
        started = subprocess.run([GMCP, 'start', '--config', self.config, 'one'], env=self.env, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(started.returncode, 0, started.stderr)
        wait_until(self.offered)
        second = Host(self, 'second')
        self.pid(second)
        self.assert_shared(second)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_failed_server_is_tried_again(self):
        daemon = self.fail_server('first')
        self.forgive_after(1)
        wait_until(self.offered)
        second = Host(self, 'second')
        self.pid(second)
        self.assert_shared(second)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_stopped_host_holds_nobody_up(self):
        self.start_daemon()
        stopped, other = Host(self, 'stopped'), Host(self, 'other')
        pid = self.pid(stopped)
        for _ in range(50):
            stopped.tell('call one__pid')
        stopped.process.send_signal(signal.SIGSTOP)
        for _ in range(50):
            self.assertEqual(self.pid(other), pid)
        stopped.process.send_signal(signal.SIGCONT)
        wait_until(lambda: len(stopped.of('result')) == 51)

    def test_folder_that_is_not_to_be_trusted(self):
        self.start_daemon()
        (self.runtime / 'gmcp' / 'shared').chmod(0o777)
        host = Host(self, 'host')
        self.pid(host)
        self.assertFalse(host.status()['shared'])

    @unittest.skipIf(os.geteuid() != 0, 'takes root, who can be another user')
    def test_socket_of_another_user(self):
        """Neither a socket that is another user's, nor one of the user's on which another one's program listens."""
        daemon = self.start_daemon()
        folder = self.runtime / 'gmcp' / 'shared'
        key, = folder.iterdir()
        for owner, listener in ((NOBODY, NOBODY), (0, NOBODY)):
            with self.subTest(owner=owner, listener=listener), socket.socket(socket.AF_UNIX) as other:
                key.unlink()
                other.bind(str(key))
                os.chown(key, owner, owner)
                # Who listens is who the system says is at the other end.
                os.seteuid(listener)
                try:
                    other.listen()
                finally:
                    os.seteuid(0)
                host = Host(self, 'host')
                self.pid(host)
                self.assertFalse(host.status()['shared'])
                told = [line for line in host.of('notice') if 'another user' in line]
                self.assertEqual(len(told), int(owner == 0), host.lines)
                self.assertEqual(host.end(), 0)
        self.assertEqual(self.end_daemon(daemon), 0)

    def start_other_version(self, scheme, digit):
        """A gmcpd that is linked with a library of another version, which starts servers in another way."""
        version = subprocess.run([self.gmcpd, '--version'], env=self.env, capture_output=True, text=True, check=True, timeout=60).stdout.split()[1]
        other = re.sub('[0-9]', digit, version)
        content = pathlib.Path(LIBRARY).read_bytes()
        for own, replaced in ((f'gmcp-share-1 {version}\n', f'{scheme} {other}\n'), ('gmcp-share-1,', f'{scheme},')):
            self.assertIn(own.encode(), content)
            content = content.replace(own.encode(), replaced.encode())
        library = self.home / 'libgmcp-other.so'
        library.write_bytes(content)
        return self.start_daemon(env={**self.env, 'LD_PRELOAD': str(library)}), other

    def test_other_version(self):
        """An older and a newer daemon than the host, which would have started the server in another way: the host has its own, and is told."""
        for scheme, digit in (('gmcp-share-0', '0'), ('gmcp-share-2', '9')):
            with self.subTest(scheme=scheme):
                daemon, version = self.start_other_version(scheme, digit)
                host = Host(self, 'host')
                pid = self.pid(host)
                status = host.status()
                self.assertEqual((status['shared'], status['pid']), (False, int(pid)))
                self.assertEqual(self.running(), [int(pid)])
                told, = [line for line in host.of('notice') if 'process of its own' in line]
                for line in told, status['not_shared_because']:
                    self.assertIn(f'gmcpd is of version {version} and this program of ', line)
                self.assertEqual(host.end(), 0)
                self.assertEqual(self.end_daemon(daemon), 0)

    def test_no_version(self):
        """What holds the folder says nothing of its version, or nothing that is one."""
        daemon = self.start_daemon()
        folder = self.runtime / 'gmcp' / 'shared'
        key, = folder.iterdir()
        key.unlink()
        for content in b'', b'x' * 1000, b'other \xff\0\n', b'other ' + b'1' * 90:
            with self.subTest(content=content):
                folder.with_name('shared.lock').write_bytes(content)
                host = Host(self, 'host')
                self.pid(host)
                self.assertIn('gmcpd is of version (unknown)', host.status()['not_shared_because'])
                self.assertEqual(host.end(), 0)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_other_key(self):
        """A daemon that would start the server in another way offers no socket of the name that the host looks for."""
        daemon = self.start_daemon()
        folder = self.runtime / 'gmcp' / 'shared'
        key, = folder.iterdir()
        key.rename(folder / ('0' * 32))
        host = Host(self, 'host')
        self.pid(host)
        self.assertFalse(host.status()['shared'])
        self.assertIsNone(host.status()['not_shared_because'])
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_left_behind(self):
        folder = self.runtime / 'gmcp' / 'shared'
        folder.mkdir(parents=True, mode=0o700)
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(folder / ('f' * 32)))
        (self.runtime / 'gmcp').chmod(0o700)
        self.start_daemon()
        wait_until(lambda: not (folder / ('f' * 32)).exists())

    def test_configuration_changes(self):
        daemon = self.start_daemon()
        host = Host(self, 'host')
        before = self.pid(host)
        self.configure_modern(env={'MARK': 'two'})
        wait_until(lambda: host.call('one__pid').endswith(' two'))
        self.configure_modern(share='no', env={'MARK': 'three'})
        wait_until(lambda: host.call('one__pid').endswith(' three'))
        self.assertFalse(host.status()['shared'])
        wait_until(lambda: not list((self.runtime / 'gmcp' / 'shared').iterdir()))
        self.assertNotIn(before, map(str, self.running()))
        self.assertEqual(self.end_daemon(daemon), 0)


if __name__ == '__main__':
    tap.main()

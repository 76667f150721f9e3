#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How gmcpd starts and ends: test-daemon.py GMCPD MANAGED_SERVER"""
import os
import pathlib
import re
import signal
import subprocess
import sys

from session import Session, processes_with, wait_until
import tap

Session.gmcpd, Session.server = map(os.path.abspath, sys.argv[1:3])


class Daemon(Session):
    def setUp(self):
        super().setUp()
        self.configure(one={'start': 'at-load'})

    def fail_to_start(self, *words):
        done = subprocess.run([self.gmcpd, *map(str, words)], env=self.env, capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        return done

    def start_with_server(self):
        daemon = self.start_daemon()
        wait_until(self.servers)
        return daemon

    def test_ends_clean(self):
        for sign in (signal.SIGTERM, signal.SIGINT):
            daemon = self.start_with_server()
            self.assertEqual(self.end_daemon(daemon, sign), 0)
            self.assertEqual(self.servers(), [])
            self.log.unlink()

    def test_killed(self):
        daemon = self.start_with_server()
        self.assertEqual(self.end_daemon(daemon, signal.SIGKILL), -signal.SIGKILL)
        wait_until(lambda: not self.servers())
        self.assertEqual(self.end_daemon(self.start_with_server()), 0)

    def test_one_for_a_session(self):
        daemon = self.start_with_server()
        done = self.fail_to_start('--config', self.config)
        self.assertIn(f'process {daemon.pid}', done.stderr)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_second_signal_does_not_wait(self):
        self.configure(one={'start': 'at-load', 'words': ['--linger']})
        daemon = self.start_with_server()
        daemon.send_signal(signal.SIGTERM)
        self.assertEqual(self.end_daemon(daemon), 0)
        wait_until(lambda: not self.servers())

    def test_folder_of_others(self):
        folder = self.runtime / 'gmcp'
        folder.mkdir()
        folder.chmod(0o777)
        self.assertIn('chmod 700', self.fail_to_start('--config', self.config).stderr)
        folder.rmdir()
        folder.symlink_to(self.home)
        self.assertIn('chmod 700', self.fail_to_start('--config', self.config).stderr)

    def test_command_line(self):
        self.assertIn('--config', subprocess.run([self.gmcpd, '--help'], env=self.env, capture_output=True, text=True,
                                                 check=True).stdout)
        self.assertIn('gmcpd', subprocess.run([self.gmcpd, '--version'], env=self.env, capture_output=True, text=True,
                                              check=True).stdout)
        self.assertEqual(self.fail_to_start('--config', '').returncode, 2)
        self.assertEqual(self.fail_to_start('--nonsense').returncode, 2)
        self.assertEqual(self.fail_to_start('word').returncode, 2)

    def test_guide_names_all(self):
        """What is on D-Bus is on the page, and each part of it is described where it is declared."""
        root = pathlib.Path(__file__).parents[3]
        page = (root / 'data' / 'docs' / 'daemon.md').read_text(encoding='utf-8')
        for name in ('Manager1', 'Tools1'):
            text = (root / 'data' / 'dbus' / f'org.gmcp.{name}.xml').read_text(encoding='utf-8')
            for member in re.findall(r'<(?:method|signal|property) name="(\w+)"', text):
                self.assertIn(f'`{member}`', page)
                self.assertRegex(text, rf'<!--\s+{member}:')

    def test_missing_file(self):
        done = self.fail_to_start('--config', self.home / 'none.json')
        self.assertIn('none.json', done.stderr)
        self.assertEqual(processes_with(str(self.home / 'none.json')), [])


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tokens of gmcpd's doors over HTTP, in the keyring and without one: test-daemon-tokens.py GMCPD MANAGED_SERVER GMCP"""
import os
import re
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request

from session import BusSession, Session, wait_until
import tap

Session.gmcpd, Session.server, GMCP = map(os.path.abspath, sys.argv[1:4])
OK, UNREACHABLE = 0, 3
NONE_KEPT = 'it cannot be kept in the keyring'


class Tokens(BusSession):
    def setUp(self):
        super().setUp()
        self.state = self.home / 'state' / 'gmcp'

    def use_keyring(self):
        """libsecret's own, in a file."""
        self.env.update(SECRET_BACKEND='file', SECRET_FILE_TEST_PATH=str(self.home / 'keyring'), SECRET_FILE_TEST_PASSWORD='test')

    def start(self):
        """The daemon with both doors, and what it told until they were open."""
        daemon = self.start_daemon('--control-port', '0', '--gateway-http', '0', stderr=subprocess.PIPE, text=True)
        told = ''
        while not (found := re.search(r'control API is at http://127\.0\.0\.1:(\d+)/', told)):
            told += daemon.stderr.readline()
        self.port = int(found[1])
        return daemon, told

    def gmcp(self, status, *words):
        done = subprocess.run([GMCP, *words], env=self.env, cwd=self.home, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, f'{words}\n{done.stdout}\n{done.stderr}')
        return done

    def show(self):
        """The tokens of both doors, as the commands print them."""
        control = self.gmcp(OK, 'dashboard', '--token').stdout.strip()
        gateway = self.gmcp(OK, 'gateway', '--http').stdout.splitlines()[1].removeprefix('Authorization: Bearer ')
        for token in (control, gateway):
            self.assertRegex(token, '^[0-9a-f]{64}$')
        self.assertNotEqual(control, gateway)
        return control, gateway

    def files(self):
        return sorted(path.name for path in self.state.glob('*-token'))

    def ask(self, token):
        """The status that the control API answers with."""
        request = urllib.request.Request(f'http://127.0.0.1:{self.port}/api/v1/mcp/status', headers={'Authorization': f'Bearer {token}'})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def check_files(self, told):
        """Both tokens are in files, and the daemon said why."""
        self.assertEqual(told.count(NONE_KEPT), 2, told)
        self.assertEqual(self.files(), ['control-token', 'gateway-token'])
        shown = self.show()
        for token, name in zip(shown, self.files()):
            path = self.state / name
            self.assertEqual(path.read_text(encoding='utf-8'), token)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            self.assertNotIn(token, told)
        self.assertEqual(self.ask(shown[0]), 200)

    def test_keyring(self):
        self.use_keyring()
        self.gmcp(UNREACHABLE, 'dashboard', '--token')
        daemon, told = self.start()
        self.assertNotIn(NONE_KEPT, told)
        self.assertEqual(self.files(), [])
        shown = self.show()
        self.assertEqual((self.ask(shown[0]), self.ask(shown[1])), (200, 401))
        self.assertEqual(self.end_daemon(daemon), 0)

        self.start()
        self.assertEqual(self.show(), shown)
        self.assertEqual(self.ask(shown[0]), 200)

    def test_out_of_reach(self):
        """A configuration cannot have it, and `gmcp secret` does not show it."""
        self.use_keyring()
        daemon, _ = self.start()
        control, _ = self.show()
        self.assertEqual(self.end_daemon(daemon), 0)
        listed = self.gmcp(OK, 'secret', 'list')
        self.assertNotIn('token', listed.stdout + listed.stderr)
        self.configure(one={'words': ['--tools', 'env'], 'env': {'GIVEN': '${secret:control-token}'}})
        done = subprocess.run([GMCP, '--config', str(self.config), 'call', 'one.env', 'name=GIVEN'], env=self.env, cwd=self.home,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn('gmcp secret set', done.stderr)
        self.assertNotIn(control, done.stdout + done.stderr)

    def test_file_counts(self):
        """Where there is a file the keyring is not asked."""
        self.use_keyring()
        daemon, _ = self.start()
        kept = self.show()
        self.assertEqual(self.end_daemon(daemon), 0)
        path = self.state / 'control-token'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('own-' * 16)
        path.chmod(0o600)
        daemon, _ = self.start()
        self.assertEqual(self.gmcp(OK, 'dashboard', '--token').stdout.strip(), 'own-' * 16)
        self.assertEqual((self.ask('own-' * 16), self.ask(kept[0])), (200, 401))
        self.assertEqual(self.end_daemon(daemon), 0)
        path.unlink()
        self.start()
        self.assertEqual(self.show(), kept)

    def test_no_keyring(self):
        daemon, told = self.start()
        self.check_files(told)
        shown = self.show()
        self.assertEqual(self.end_daemon(daemon), 0)
        _, told = self.start()
        self.assertNotIn(NONE_KEPT, told)
        self.assertEqual(self.show(), shown)

    def use_silent_keyring(self):
        """One that the bus starts, and that never comes to it. The file that is there once it was asked for."""
        script, asked = self.home / 'silent', self.home / 'asked'
        script.write_text(f'#!/bin/sh\necho $$ >{asked}.part && mv {asked}.part {asked}\nexec sleep 60\n')
        script.chmod(0o755)
        (self.services / 'secrets.service').write_text(f'[D-BUS Service]\nName=org.freedesktop.secrets\nExec={script}\n')
        self.gdbus('org.freedesktop.DBus.ReloadConfig', path='/org/freedesktop/DBus', dest='org.freedesktop.DBus')
        self.addCleanup(lambda: os.kill(int(asked.read_text(encoding='utf-8')), signal.SIGKILL))
        return asked

    def open_dashboard(self):
        return self.run_beside([GMCP, 'dashboard', '--print'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_silent_keyring(self):
        """It is waited for a while only. Those that ask meanwhile get a link each, of one door."""
        self.use_silent_keyring()
        daemon = self.start_daemon(stderr=subprocess.DEVNULL)
        links = {process.communicate(timeout=60)[0].strip() for process in [self.open_dashboard() for _ in range(3)]}
        self.assertEqual(len(links), 3)
        self.assertEqual(len({link.partition('/sign-in/')[0] for link in links}), 1, links)
        self.assertEqual(self.files(), ['control-token'])
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_name_does_not_wait(self):
        """Doors that settings open hold up neither the name on the bus nor the end."""
        asked = self.use_silent_keyring()
        settings = self.home / 'config' / 'glib-2.0' / 'settings' / 'keyfile'
        settings.parent.mkdir(parents=True)
        settings.write_text('[org/gmcp/daemon]\ncontrol-port=0\ngateway-port=0\n', encoding='utf-8')
        self.env['GSETTINGS_BACKEND'] = 'keyfile'
        # They are those of the session, and none of a file's.
        self.config.unlink()
        daemon = self.start_daemon(stderr=subprocess.DEVNULL)
        wait_until(asked.exists)
        self.assertIn('total_running', self.gdbus('GetStatus'))
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertEqual(self.files(), [])

    def test_end_while_waiting(self):
        """A daemon that is to end does not wait for the keyring, and says so to who waits."""
        asked = self.use_silent_keyring()
        daemon = self.start_daemon(stderr=subprocess.DEVNULL)
        asking = self.open_dashboard()
        wait_until(asked.exists)
        self.assertEqual(self.end_daemon(daemon), 0)
        _, told = asking.communicate(timeout=60)
        self.assertNotEqual(asking.returncode, 0)
        self.assertIn('The control API is being closed', told)
        self.assertEqual(self.files(), [])


if __name__ == '__main__':
    tap.main()

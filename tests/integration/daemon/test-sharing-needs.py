#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that share a process of SDK 1.x, and need more than it can give each of them:
test-sharing-needs.py GMCPD LEGACY_SERVER SHARE_HOST"""
import json
import os
import sys

from session import Session, wait_until
from sharing import Host
import tap

NODE, MODULES = os.environ.get('GMCP_TEST_NODE', ''), os.environ.get('GMCP_TEST_NODE_MODULES', '')
if not NODE or not MODULES:
    print('1..0 # SKIP no Node.js or no npm packages; ./dev test installs them')
    sys.exit(0)

Session.gmcpd, LEGACY_SERVER, Host.program = map(os.path.abspath, sys.argv[1:4])
URI = 'note://one'
OWN = 'has a process of its own'


class Needs(Session):
    def setUp(self):
        super().setUp()
        self.file = self.home / 'go-on'
        env = {'GMCP_TEST_NODE_MODULES': MODULES}
        self.config.write_text(json.dumps({'mcpServers': {'one': {
            'command': NODE, 'args': [LEGACY_SERVER, str(self.file)], 'env': env, 'share': 'yes'}}}))
        self.daemon = self.start_daemon()

    def is_ready(self, daemon):
        folder = self.runtime / 'gmcp' / 'shared'
        return super().is_ready(daemon) and folder.exists() and list(folder.iterdir())

    def tearDown(self):
        self.assertEqual(self.end_daemon(self.daemon), 0)
        super().tearDown()

    def say(self, host, tool):
        line = host.call(f'one__{tool}')
        self.assertTrue(line.startswith('result '), line)
        return line.removeprefix('result ')

    def start_sharing(self):
        hosts = Host(self, 'first'), Host(self, 'second')
        self.assertEqual(len({self.say(host, 'pid') for host in hosts}), 1)
        for host in hosts:
            self.assert_shared(host)
        return hosts

    def assert_shared(self, host):
        status = host.status()
        self.assertEqual((status['shared'], status['not_shared_because']), (True, None))

    def assert_own(self, host, reason):
        """And that it was said, once."""
        status = host.status()
        self.assertFalse(status['shared'], status)
        self.assertIn(reason, status['not_shared_because'])
        self.assertIsNotNone(status['pid'])
        told = [line for line in host.of('notice') if OWN in line]
        self.assertEqual(len(told), 1, host.lines)
        self.assertIn(reason, told[0])

    def test_questions(self):
        """A host that says so is asked; who only listens for questions shares, and the server asks nobody."""
        asked, other = Host(self, 'asked', '--needs-input'), Host(self, 'other')
        self.assertNotEqual(self.say(asked, 'pid'), self.say(other, 'pid'))
        self.assert_own(asked, 'has to be asked')
        self.assert_shared(other)
        self.assertEqual(self.say(asked, 'ask'), 'asked')
        self.assertIn('does not support', self.say(other, 'ask'))
        self.assertEqual(other.of('question'), [])

    def test_log_level(self):
        """The call that is under way when the level is set ends where it began."""
        first, second = self.start_sharing()
        shared = self.say(first, 'pid')
        first.tell('call one__hold')
        wait_until((self.home / 'go-on.awaited').exists)
        first.tell('level debug')
        wait_until(lambda: not first.status()['shared'] and first.status()['pid'])
        own = self.say(first, 'pid')
        self.assertNotEqual(own, shared)
        self.assert_own(first, 'log level')
        self.file.touch()
        wait_until(lambda: f'result held by {shared}' in first.lines)
        self.say(first, 'log')
        wait_until(lambda: first.of('log'))
        self.assertEqual(first.of('log'), [f'log "debug of {own}"'])
        self.assertEqual(self.say(second, 'pid'), shared)
        self.assert_shared(second)
        self.assertEqual(second.of('log'), [])

    def test_roots(self):
        first, second = self.start_sharing()
        first.tell('roots file:///srv/first')
        wait_until(lambda: not first.status()['shared'] and first.status()['pid'])
        self.assertEqual(self.say(first, 'roots'), 'file:///srv/first')
        self.assert_own(first, 'roots')
        self.assert_shared(second)

    def test_subscriptions(self):
        """The daemon subscribes for all, and tells each what it has subscribed to: no reason for a process of one's own."""
        first, second = self.start_sharing()
        first.tell(f'watch {URI}')
        wait_until(lambda: 'subscribe' in self.say(first, 'subscribed'))
        self.say(second, 'change')
        wait_until(lambda: first.of('updated'))
        second.tell(f'watch {URI}')
        wait_until(lambda: self.say(second, 'change') and second.of('updated'))
        self.assertEqual(self.say(first, 'subscribed'), 'subscribe')
        # One that goes takes nothing from the other.
        self.assertEqual(first.end(), 0)
        known = len(second.of('updated'))
        self.say(second, 'change')
        wait_until(lambda: len(second.of('updated')) > known)
        self.assert_shared(second)


if __name__ == '__main__':
    tap.main()

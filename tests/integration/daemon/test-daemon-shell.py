#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What waits at gmcpd, answered in `gmcp shell` and by `gmcp questions`:
test-daemon-shell.py GMCPD MANAGED_SERVER GMCP ASKING_SERVER"""
import concurrent.futures
import json
import os
import subprocess
import sys

from gateway import list_tools, send
from session import Session, wait_until
import tap
from terminal import CTRL_C, CTRL_D, Terminal

Session.gmcpd, Session.server, GMCP, ASKING = map(os.path.abspath, sys.argv[1:5])
OK, UNREACHABLE = 0, 3
ASKS = {'roles': {'asker': {'allowed_tools': ['*'], 'ask_first': ['one.echo']}}}


class Shell(Session):
    def setUp(self):
        super().setUp()
        self.pool = concurrent.futures.ThreadPoolExecutor()
        self.addCleanup(self.pool.shutdown)

    def begin(self, *words, **members):
        self.config.write_text(json.dumps({'mcpServers': {'one': self.describe(['--tools', 'env,echo'], env={'name': '${input:place}'})},
                                           'inputs': [{'id': 'place', 'type': 'promptString', 'description': 'Where it is'}], **members}))
        self.start(*words)

    def start(self, *words):
        self.start_daemon('--no-bus', '--gateway-http', '0', *words, stderr=subprocess.DEVNULL)
        address = self.runtime / 'gmcp' / 'gateway.http'
        wait_until(address.exists)
        self.address = address.read_text(encoding='utf-8')
        self.token = (self.home / 'state' / 'gmcp' / 'gateway-token').read_text(encoding='utf-8')

    def call(self, tool):
        """A call by a client that cannot be asked, under way."""
        return self.pool.submit(send, self.address, self.token, 'tools/call', name=tool, arguments={'name': 'name'})

    def text_of(self, call):
        return call.result()[1]['content'][0]['text']

    def gmcp(self, *words):
        config = ['--config', self.config] if self.config.exists() else []
        return Terminal([GMCP, *config, *words], columns=160, rows=40, environment=self.env, cwd=self.home)

    def list_questions(self):
        return json.loads(subprocess.run([GMCP, '--config', self.config, 'questions', '--json'], env=self.env, stdin=subprocess.DEVNULL,
                                         capture_output=True, text=True, timeout=60, check=True).stdout)

    def test_shell(self):
        self.begin()
        with self.gmcp('shell') as shell:
            shell.wait_for('gmcp>')
            call = self.call('one__env')
            shell.wait_for('to answer: questions')
            self.assertIn('server one needs a value to start', shell.text())
            shell.type('questions\r')
            shell.wait_for('Where it is')
            shell.wait_for('Value:')
            shell.type('Ulm\r')
            self.assertEqual(self.text_of(call), 'Ulm')
            shell.wait_for('gmcp>', times=2)
            shell.type('questions\r')
            shell.wait_for('nothing waits')
            shell.wait_for('gmcp>', times=3)
            shell.type(CTRL_D)
            self.assertEqual(shell.finish(), OK)

        # Without somebody who looks it is refused at once.
        self.assertIn('gmcp shell', self.text_of(self.call_refused()))

    def call_refused(self):
        self.config.write_text(self.config.read_text(encoding='utf-8').replace('place', 'other'))
        found = []

        def is_refused():
            found[:] = [self.call('one__env')]
            return found[0].result()[1].get('isError')
        wait_until(is_refused)
        return found[0]

    def test_questions(self):
        self.begin('--gateway-role', 'asker', **ASKS)
        with self.gmcp('questions') as questions:
            questions.wait_for('waiting for questions')
            call = self.call('one__echo')
            questions.wait_for('Value:')
            questions.type('Ulm\r')
            questions.wait_for('Call it?')
            self.assertIn('ask-first: one.echo', questions.text())
            self.assertIn('{"name":"name"}', questions.text().replace(' ', ''))
            questions.type('y\r')
            self.assertFalse(call.result()[1]['isError'])

            again = self.call('one__echo')
            questions.wait_for('Call it?', times=2)
            questions.type('n\r')
            self.assertIn('not allowed', self.text_of(again))

            questions.type(CTRL_C)
            questions.finish()

    def test_changed(self):
        self.withhold(one={'words': ['--tools', 'describe,echo']})
        self.start()
        wait_until(lambda: len(list_tools(self.address, self.token)[1]) == 2)
        self.assertFalse(self.call('one__describe').result()[1]['isError'])
        wait_until(lambda: list_tools(self.address, self.token)[1] == ['one__echo'])
        with self.gmcp('questions') as questions:
            questions.wait_for('waiting for questions')
            for n, answer in enumerate(('n', 'a'), 1):
                call = self.call('one__describe')
                questions.wait_for('Call it?', times=n)
                self.assertIn('describe of one is not as it was approved', questions.text())
                self.assertIn('+ description: "Another description"', questions.text())
                questions.type(f'{answer}\r')
                self.assertEqual(call.result()[1]['isError'], answer == 'n')
            # What is approved is listed, and nobody is asked.
            wait_until(lambda: 'one__describe' in list_tools(self.address, self.token)[1])
            self.assertFalse(self.call('one__describe').result()[1]['isError'])

    def test_address(self):
        """What one has opened is not opened once more by another, who can say that it is done."""
        self.begin_paying()
        with self.gmcp('questions') as first:
            first.wait_for('waiting for questions')
            call = self.call('asking__pay')
            first.wait_for('Open it in the browser?')
            first.type('y\r')
            first.wait_for('when you are done there:')
            self.assertEqual([each['accepted'] for each in self.list_questions()], [True])
            with self.gmcp('questions') as second:
                second.wait_for('Somebody has agreed to go there already')
                second.wait_for('when you are done there:')
                self.assertNotIn('in the browser?', second.text())
                second.type('\r')
                self.assertIn('paid', self.text_of(call))
                second.wait_for('waiting for questions')
                second.type(CTRL_C)
                second.finish()
            first.type(CTRL_C)
            first.finish()

    def test_address_of_others(self):
        """Who does not want to go there leaves the visit of another as it is."""
        self.begin_paying()
        with self.gmcp('questions') as first, self.gmcp('questions') as second:
            for each in (first, second):
                each.wait_for('waiting for questions')
            call = self.call('asking__pay')
            for each in (first, second):
                each.wait_for('Open it in the browser?')
            first.type('y\r')
            first.wait_for('when you are done there:')
            second.type('n\r')
            second.wait_for('Somebody has agreed to go there already')
            first.type('\r')
            self.assertIn('paid', self.text_of(call))
            for each in (first, second):
                each.type(CTRL_C)
                each.finish()

    def begin_paying(self):
        # No browser of the system's.
        self.env |= {'XDG_DATA_DIRS': str(self.home), 'XDG_CONFIG_DIRS': str(self.home)}
        self.config.write_text(json.dumps({'mcpServers': {'asking': {'command': sys.executable, 'args': ['-S', ASKING]}}}))
        self.start()

    def test_left_open(self):
        self.begin()
        with self.gmcp('questions') as first, self.gmcp('questions') as second:
            for each in (first, second):
                each.wait_for('waiting for questions')
            call = self.call('one__env')
            for each in (first, second):
                each.wait_for('Value:')
            # One leaves it to the other, and answers nothing by that.
            first.type(CTRL_D)
            listed = self.list_questions()
            self.assertEqual([(each['kind'], each['server']) for each in listed], [('config-input', 'one')])
            self.assertLessEqual(set(listed[0]), {'kind', 'server', 'client', 'askedAt'})
            self.assertIn('askedAt', listed[0])
            second.type('Ulm\r')
            self.assertEqual(self.text_of(call), 'Ulm')

    def test_answered_elsewhere(self):
        self.begin()
        with self.gmcp('questions') as first, self.gmcp('questions') as second:
            for each in (first, second):
                each.wait_for('waiting for questions')
            call = self.call('one__env')
            for each in (first, second):
                each.wait_for('Value:')
            second.type('Ulm\r')
            self.assertEqual(self.text_of(call), 'Ulm')
            first.wait_for('no longer needed')

    def test_no_daemon(self):
        done = subprocess.run([GMCP, '--config', self.config, 'questions'], env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, UNREACHABLE)
        self.assertIn('no session daemon', done.stderr)


tap.main()

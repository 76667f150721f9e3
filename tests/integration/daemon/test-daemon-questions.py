#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The questions that wait for a person, as objects on D-Bus: test-daemon-questions.py GMCPD MANAGED_SERVER"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import unittest

from session import BusSession, NAME, PATH, SANDBOX, Session, wait_until
import tap
from wire import SIGNAL, Wire

Session.gmcpd, Session.server = map(os.path.abspath, sys.argv[1:3])
ASKING = os.path.join(os.path.dirname(Session.server), 'asking-server.py')
QUESTION = f'{NAME}.Question'


class Questions(BusSession):
    """Each server needs a value to start, which somebody has to give."""
    def setUp(self):
        super().setUp()
        self.pool = concurrent.futures.ThreadPoolExecutor()
        self.addCleanup(self.pool.shutdown)
        servers = {name: self.describe(['--tools', 'env'], start='manual', env={'name': f'${{input:{name}}}'}) for name in ('one', 'two', 'three')}
        inputs = [{'id': name, 'type': 'promptString', 'description': f'The key of {name}', 'password': True} for name in servers]
        self.config.write_text(json.dumps({'mcpServers': servers, 'inputs': inputs}), encoding='utf-8')

    def begin(self, server):
        """Starts it; gives what comes of that."""
        return self.pool.submit(self.run_gdbus, f'{NAME}.Server.Start', path=f'{PATH}/servers/{server}')

    def questions(self):
        objects = self.busctl('call', NAME, PATH, 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects')['data'][0]
        return {path: {name: value['data'] for name, value in interfaces[QUESTION].items()} for path, interfaces in objects.items()
                if QUESTION in interfaces}

    def wait_for_question(self):
        wait_until(self.questions)
        (path, properties), = self.questions().items()
        return path, properties

    def watch(self):
        wire = Wire(self.runtime / 'gmcp' / 'control')
        self.addCleanup(wire.close)
        self.assertIsNone(wire.call(PATH, NAME, 'WatchQuestions', 'b', True)[0])
        return wire

    def answer(self, path, answer, content=''):
        return self.run_gdbus(f'{QUESTION}.Answer', answer, content, path=path)

    def test_answers(self):
        self.start_daemon()
        self.assertNotEqual(self.begin('one').result().returncode, 0)
        wire = self.watch()
        started = self.begin('one')
        path, properties = self.wait_for_question()
        self.assertEqual((properties['Kind'], properties['Server']), ('config-input', 'one'))
        self.assertRegex(properties['AskedAt'], r'^\d{4}-\d\d-\d\dT')
        self.assertIn('The key of one', self.gdbus(f'{QUESTION}.GetParameters', path=path))
        for words in (['allow-once'], ['accept'], ['accept', '{"value": 5}'], ['accept', '[' * 100_000], ['', '']):
            self.assertIn('org.gmcp.Error', self.answer(path, *words).stderr)
        self.assertEqual(self.answer(path, 'accept', '{"value": "its value"}').returncode, 0)
        self.assertEqual(started.result().returncode, 0, started.result().stderr)
        self.assertEqual(self.questions(), {})
        self.assertNotEqual(self.answer(path, 'cancel').returncode, 0)
        self.assertIn('its value', self.gdbus('CallTool', 'one.env', '{"name": "name"}', '{}'))

        # What is asked is told to nobody who has not asked for it.
        told = b''
        while b'InterfacesRemoved' not in told and b'/questions/' not in told:
            kind, _, _, body = wire.receive()
            told += body if kind == SIGNAL else b''
        self.assertNotIn(b'The key of one', told)

        started = self.begin('two')
        path, _ = self.wait_for_question()
        self.assertEqual(self.answer(path, 'decline').returncode, 0)
        self.assertNotEqual(started.result().returncode, 0)

    def test_visit(self):
        """The server makes the call once the user has been at an address: whoever says so, and whenever."""
        config = json.loads(self.config.read_text(encoding='utf-8'))
        config['mcpServers'] = {'asking': {'command': sys.executable, 'args': ['-S', ASKING]}}
        self.config.write_text(json.dumps(config), encoding='utf-8')
        self.start_daemon()
        self.watch()

        def pay():
            called = self.pool.submit(self.run_gdbus, 'CallTool', 'asking.pay', '{}', '{}')
            return called, self.wait_for_question()[0]

        def end(called):
            self.assertIn('paid', called.result().stdout, called.result().stderr)
            self.assertEqual(self.questions(), {})

        called, path = pay()
        self.assertEqual(self.gdbus('org.freedesktop.DBus.Properties.Get', QUESTION, 'Accepted', path=path), '(<false>,)')
        self.assertIn('“done”', self.answer(path, 'allow-once').stderr)
        self.assertEqual(self.answer(path, 'done').returncode, 0)
        end(called)

        called, path = pay()
        self.assertEqual(self.answer(path, 'accept').returncode, 0)
        self.assertEqual(self.answer(path, 'accept').returncode, 0)
        self.assertIn('“done”', self.answer(path, 'allow-once').stderr)
        self.assertEqual(list(self.questions()), [path])
        self.assertEqual(self.gdbus('org.freedesktop.DBus.Properties.Get', QUESTION, 'Accepted', path=path), '(<true>,)')
        # Who says no does not give up the visit of somebody else.
        self.assertIn('Somebody has agreed', self.answer(path, 'decline').stderr)
        self.assertEqual(list(self.questions()), [path])
        self.assertEqual(self.answer(path, 'done').returncode, 0)
        end(called)

        called, path = pay()
        self.assertEqual(self.answer(path, 'accept').returncode, 0)
        self.assertIn('told', self.gdbus('CallTool', 'asking.visited', '{}', '{}'))
        end(called)

        called, path = pay()
        self.assertEqual(self.answer(path, 'accept').returncode, 0)
        self.assertEqual(self.answer(path, 'cancel').returncode, 0)
        self.assertRegex(called.result().stderr, r'org\.gmcp\.RpcError\.Minus32042: .*Pay first')
        self.assertEqual(self.questions(), {})

        # A question whose answer the server waits for itself is over with it.
        called = self.pool.submit(self.run_gdbus, 'CallTool', 'asking.visit', '{}', '{}')
        self.assertEqual(self.answer(self.wait_for_question()[0], 'done').returncode, 0)
        self.assertIn('accept', called.result().stdout)

    def test_permission(self):
        """Of a call over D-Bus somebody who watches is asked, where the caller is not."""
        self.config.write_text(json.dumps({'mcpServers': {'one': self.describe(['--tools', 'echo'])},
                                           'roles': {'careful': {'allowed_tools': ['*'], 'ask_tools': ['one.echo']}}}), encoding='utf-8')
        self.start_daemon('--tools-role', 'careful')
        tools = {'path': '/org/gmcp/Tools1', 'dest': 'org.gmcp.Tools1'}
        calls = (('CallTool', {}, "{'role': <'careful'>}"), ('org.gmcp.Tools1.CallTool', tools, '{}'),
                 ('org.gmcp.Tools1.CallTool', tools, "{'asks': <true>}"))
        for method, more, options in calls:
            self.refuse('NotPermitted', method, 'one.echo', '{"text": "nobody looks"}', options, **more)
        self.watch()
        for method, more, options in calls:
            called = self.pool.submit(self.run_gdbus, method, 'one.echo', '{"text": "hello"}', options, **more)
            path, properties = self.wait_for_question()
            self.assertEqual((properties['Kind'], properties['Server']), ('permission', 'one'))
            self.assertIn('hello', self.gdbus(f'{QUESTION}.GetParameters', path=path))
            self.assertEqual(self.answer(path, 'allow-once').returncode, 0)
            self.assertIn('hello', called.result().stdout)
            # What is over is not said to ask nothing.
            self.assertNotEqual(self.run_gdbus(f'{QUESTION}.GetParameters', path=path).returncode, 0)

        # A caller that can be asked is asked itself, where that is its to say.
        caller = Wire(self.runtime / 'gmcp' / 'control')
        self.addCleanup(caller.close)
        caller.send(PATH, NAME, 'CallTool', 'ssa{sv}', 'one.echo', '{"text": "asked"}', {'role': 'careful', 'asks': True})
        while (message := caller.receive())[0] != SIGNAL or b'permission' not in message[3]:
            pass
        self.assertEqual(self.questions(), {})

    def test_withheld(self):
        """A tool that has changed is asked about as such, of whoever looks, and not of a caller that has only said that it can be asked."""
        self.withhold(one={'words': ['--tools', 'describe']})
        self.start_daemon()
        call = ('CallTool', 'one.describe', '{}')
        self.assertIn('describe', self.gdbus('ListTools', 'one'))
        self.assertEqual(self.run_gdbus(*call, '{}').returncode, 0)
        wait_until(lambda: 'describe' not in self.gdbus('ListTools', 'one'))
        self.refuse('NotPermitted', *call, '{}')
        self.refuse('NotPermitted', *call, "{'asks': <true>}")
        self.watch()
        for answer, options in (('decline', '{}'), ('allow-once', "{'asks': <true>}"), ('allow-always', '{}')):
            called = self.pool.submit(self.run_gdbus, *call, options)
            path, properties = self.wait_for_question()
            self.assertEqual((properties['Kind'], properties['Server']), ('withheld', 'one'))
            self.assertIn('Another description', self.gdbus(f'{QUESTION}.GetParameters', path=path))
            self.assertEqual(self.answer(path, answer).returncode, 0)
            self.assertEqual(called.result().returncode == 0, answer != 'decline')
        wait_until(lambda: 'describe' in self.gdbus('ListTools', 'one'))
        self.assertEqual(self.run_gdbus(*call, '{}').returncode, 0)

    def test_permission_for_others(self):
        """What any program may call that the bus lets in is not allowed for always, and takes few places."""
        self.config.write_text(json.dumps({'mcpServers': {'one': self.describe(['--tools', 'echo'])},
                                           'roles': {'careful': {'allowed_tools': ['*'], 'ask_tools': ['one.echo']}}}), encoding='utf-8')
        self.start_daemon('--tools-role', 'careful')
        self.watch()
        call = ('org.gmcp.Tools1.CallTool', 'one.echo', '{"text": "hello"}', '{}')
        calls = [self.pool.submit(self.run_gdbus, *call, path='/org/gmcp/Tools1', dest='org.gmcp.Tools1') for _ in range(3)]
        wait_until(lambda: len(self.questions()) == 3)
        for path in self.questions():
            parameters = self.gdbus(f'{QUESTION}.GetParameters', path=path)
            self.assertIn('"once_only":true', parameters)
            self.assertIn('"role":"careful"', parameters)
            self.assertIn('once only', self.answer(path, 'allow-always').stderr)
            self.assertEqual(self.answer(path, 'allow-once').returncode, 0)
        for called in calls:
            self.assertIn('hello', called.result().stdout)

        callers = [subprocess.Popen(['gdbus', 'call', '--session', '--dest', 'org.gmcp.Tools1', '--object-path', '/org/gmcp/Tools1',
                                     '--timeout', '100', '--method', *call],
                                    env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(20)]
        self.addCleanup(lambda: [(caller.kill(), caller.communicate()) for caller in callers])
        wait_until(lambda: len(self.questions()) == 16 and sum(caller.poll() is not None for caller in callers) == 4)
        # There is room for the question of another, which is not of that kind.
        called = self.pool.submit(self.run_gdbus, 'CallTool', 'one.echo', '{"text": "mine"}', "{'role': <'careful'>}")
        wait_until(lambda: len(self.questions()) == 17)
        for path in self.questions():
            self.assertEqual(self.answer(path, 'allow-once').returncode, 0)
        self.assertIn('mine', called.result().stdout)

    def test_who_watches(self):
        """Nobody is asked once the last one has left or said that it watches no more."""
        daemon = self.start_daemon()
        first, second = self.watch(), self.watch()
        self.assertIsNone(first.call(PATH, NAME, 'WatchQuestions', 'b', True)[0])
        first.close()
        started = self.begin('one')
        path, _ = self.wait_for_question()
        self.assertEqual(self.answer(path, 'accept', '{"value": "x"}').returncode, 0)
        self.assertEqual(started.result().returncode, 0)
        for _ in range(2):
            self.assertIsNone(second.call(PATH, NAME, 'WatchQuestions', 'b', False)[0])
        self.assertNotEqual(self.begin('two').result().returncode, 0)
        # Who calls on the bus, and is gone at once, watches nothing.
        self.gdbus('WatchQuestions', 'true')
        wait_until(lambda: self.begin('two').result().returncode != 0)
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_too_many(self):
        self.start_daemon()
        for _ in range(100):
            self.watch()
        wire = Wire(self.runtime / 'gmcp' / 'control')
        self.addCleanup(wire.close)
        self.assertEqual(wire.call(PATH, NAME, 'WatchQuestions', 'b', True)[0], 'org.gmcp.Error.LimitExceeded')

    def test_end(self):
        """A daemon that ends waits for no answer."""
        daemon = self.start_daemon()
        self.watch()
        started = self.begin('one')
        self.wait_for_question()
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertNotEqual(started.result().returncode, 0)

    @unittest.skipUnless(shutil.which('bwrap'), 'bubblewrap is not installed')
    def test_sandbox(self):
        self.start_daemon()
        self.refuse('AccessDenied', 'WatchQuestions', 'true', before=SANDBOX)
        self.watch()
        started = self.begin('one')
        path, _ = self.wait_for_question()
        self.refuse('AccessDenied', f'{QUESTION}.GetParameters', path=path, before=SANDBOX)
        self.refuse('AccessDenied', f'{QUESTION}.Answer', 'cancel', '', path=path, before=SANDBOX)
        self.assertEqual(self.answer(path, 'cancel').returncode, 0)
        self.assertNotEqual(started.result().returncode, 0)


if __name__ == '__main__':
    tap.main()

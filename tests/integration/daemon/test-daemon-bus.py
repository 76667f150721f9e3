#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcpd on a session bus, as gdbus and busctl see it: test-daemon-bus.py GMCPD MANAGED_SERVER"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import unittest

from session import BusSession, NAME, PATH, SANDBOX, Session, is_running, wait_until
import tap
from wire import ERROR, RETURN, SIGNAL, Wire

Session.gmcpd, Session.server = map(os.path.abspath, sys.argv[1:3])
ASKING = os.path.abspath(sys.argv[3])
PAYING = os.path.join(os.path.dirname(Session.server), 'asking-server.py')
NODE, MODULES = (os.environ.get(f'GMCP_TEST_NODE{more}', '') for more in ('', '_MODULES'))
TOOLS = 'org.gmcp.Tools1'
TOOLS_DOOR = '/org/gmcp/Tools1', TOOLS
BIG = 100_000  # what a command line takes; test_large sends more


class Bus(BusSession):
    def test_servers_and_calls(self):
        daemon = self.start_daemon()
        self.refuse('org.gmcp.Error.NotRunning', 'CallTool', 'one.echo', '{}', '{}')
        pid = int(self.server_method('one', 'Start').strip('(,)').removeprefix('uint32 '))
        self.assertEqual(self.servers(), [pid])
        self.assertEqual((self.get('one', 'State'), self.get('one', 'Health'), self.get('one', 'Pid')), ('ready', 'healthy', pid))
        self.assertEqual(self.get('one', 'Source'), str(self.config))
        self.assertIn('hello', self.gdbus('CallTool', 'one.echo', '{"text": "hello"}', '{}'))
        # A start of a server that runs leaves it as it is.
        self.assertIn(str(pid), self.server_method('one', 'Start'))
        self.server_method('one', 'CheckHealth')
        self.assertIn("['echo']", self.server_method('one', 'DiscoverTools'))
        self.assertIn('uint32 1', self.server_method('one', 'SyncTools'))
        self.assertNotIn(str(pid), self.server_method('one', 'Restart'))
        wait_until(lambda: not is_running(pid))
        self.server_method('one', 'Stop', 'false')
        self.assertEqual((self.get('one', 'State'), self.get('one', 'Pid'), self.servers()), ('stopped', 0, []))
        self.server_method('one', 'Start')
        self.server_method('one', 'Stop', 'true')
        self.assertEqual(self.servers(), [])
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_list_of_one(self):
        """It starts that one alone, and says where it cannot."""
        self.configure(one={}, two={}, bad={'command': '/does/not/exist'})
        self.start_daemon()
        self.refuse('StartFailed', 'ListTools', 'bad')
        self.assertEqual(self.servers(), [])
        self.assertIn('echo', self.gdbus('ListTools', 'two'))
        self.assertEqual([self.get(name, 'State') for name in ('one', 'two')], ['stopped', 'ready'])

    def test_lists(self):
        self.start_daemon()
        status = self.busctl('call', NAME, PATH, NAME, 'GetStatus')['data'][0]
        self.assertEqual([server['name'] for server in json.loads(status)['servers']], ['one', 'two'])
        tools = json.loads(self.busctl('call', NAME, PATH, NAME, 'ListTools', 's', '')['data'][0])
        self.assertEqual([tool['name'] for tool in tools], ['two__echo'])
        self.assertEqual(json.loads(self.busctl('call', NAME, PATH, NAME, 'ListTools', 's', 'one')['data'][0]), [])
        self.assertEqual(self.get('one', 'State'), 'stopped')
        objects = self.busctl('call', NAME, PATH, 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects')['data'][0]
        self.assertEqual(sorted(objects), [f'{PATH}/servers/one', f'{PATH}/servers/two'])
        self.assertEqual(self.busctl('get-property', NAME, PATH, NAME, 'ConfigFile')['data'], str(self.config))
        self.assertIn(f'{PATH}/servers/one', self.gdbus('GetServer', 'one'))
        self.assertIn('calls', self.server_method('two', 'GetStatistics'))
        self.server_method('two', 'GetLog', 10)
        # Nothing can be set.
        self.refuse('not writable', 'org.freedesktop.DBus.Properties.Set', f'{NAME}.Server', 'Pid', '<uint32 1>', path=f'{PATH}/servers/one')

    @unittest.skipUnless(subprocess.run(['/usr/bin/python3', '-c', 'import gi'], capture_output=True, check=False).returncode == 0,
                         'python3-gi is not installed')
    def test_python_of_the_guide(self):
        self.configure(one={'start': 'manual'})
        self.start_daemon()
        page = (pathlib.Path(__file__).parents[3] / 'data' / 'docs' / 'daemon.md').read_text(encoding='utf-8')
        code = re.search(r'```python\n(.*?)```', page, re.S)[1]
        done = subprocess.run(['/usr/bin/python3', '-c', code], env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, f'one stopped\nstarted {self.servers()[0]}\n')

    def test_changes_are_told(self):
        self.start_daemon()
        monitor = self.run_beside(['gdbus', 'monitor', '--session', '--dest', NAME], stdout=subprocess.PIPE, text=True)
        while 'is owned by' not in monitor.stdout.readline():
            pass
        self.server_method('one', 'Start')
        self.gdbus('AddServer', 'three-4', json.dumps(self.describe()), '{}')
        self.gdbus('RemoveServer', 'three-4', '{}')
        seen = ''
        while 'InterfacesRemoved' not in seen:
            seen += monitor.stdout.readline()
        self.assertIn("'State': <'ready'>", seen)
        self.assertIn(f"InterfacesAdded (objectpath '{PATH}/servers/three_2d4'", seen)
        # How long a server has been running is no news.
        self.assertNotIn("Uptime': <int64 1", seen)

    def test_add_and_remove(self):
        self.start_daemon()
        path = self.gdbus('AddServer', 'three', json.dumps(self.describe(['--tools', 'pid'])), '{}')
        self.assertIn(f'{PATH}/servers/three', path)
        pids = self.servers()
        self.assertEqual(len(pids), 1)
        self.assertIn(str(pids[0]), self.gdbus('CallTool', 'three.pid', '{}', '{}'))
        self.refuse('InvalidArgument', 'AddServer', 'three', json.dumps(self.describe()), '{}')
        self.gdbus('RemoveServer', 'three', '{}')
        self.assertEqual(self.servers(), [])
        self.refuse('NotConfigured', 'RemoveServer', 'three', '{}')
        # One that does not start is not added.
        self.refuse('StartFailed', 'AddServer', 'three', '{"command": "/bin/false"}', '{}')
        self.refuse('NotConfigured', 'GetServer', 'three')
        # It is stored in the file that the daemon was started with.
        before = self.config.read_text(encoding='utf-8')
        self.gdbus('AddServer', 'three', json.dumps(self.describe()), '{"store": <true>}')
        self.assertIn('three', json.loads(self.config.read_text(encoding='utf-8'))['mcpServers'])
        self.gdbus('RemoveServer', 'three', '{"store": <true>}')
        self.assertEqual(json.loads(self.config.read_text(encoding='utf-8')), json.loads(before))
        self.refuse('StartFailed', 'AddServer', 'three', '{"command": "/bin/false"}', '{"store": <true>}')
        self.refuse('NotConfigured', 'GetServer', 'three')
        self.assertEqual(json.loads(self.config.read_text(encoding='utf-8')), json.loads(before))

    def memory(self, daemon):
        with open(f'/proc/{daemon.pid}/status', encoding='utf-8') as file:
            return int(re.search(r'VmRSS:\s+(\d+)', file.read())[1])

    def connect_wire(self):
        wire = Wire(self.runtime / 'gmcp' / 'control')
        self.addCleanup(wire.close)
        return wire

    def test_large(self):
        """Strings of 10 MB in each place, none of which comes back."""
        daemon = self.start_daemon()
        wire = self.connect_wire()
        big = b'x' * 10_000_000
        for member, kinds, *values in (('GetServer', 's', big), ('ListTools', 's', big), ('RemoveServer', 'sa{sv}', big, None),
                                       ('AddServer', 'ssa{sv}', big, '{"command": "true"}', None), ('AddServer', 'ssa{sv}', 'a', big, None),
                                       ('CallTool', 'ssa{sv}', big, '{}', None), ('CallTool', 'ssa{sv}', 'two.echo', big, None)):
            name, body = wire.call(PATH, NAME, member, kinds, *values)
            self.assertTrue(name.startswith('org.gmcp.Error.'), name)
            self.assertLess(len(body), 10_000)
        self.assertLess(self.memory(daemon), 100_000)

    def test_arguments_of_10_mb(self):
        self.start_daemon()
        wire = self.connect_wire()
        name, body = wire.call(PATH, NAME, 'CallTool', 'ssa{sv}', 'two.echo', '{"text": "' + 'x' * 10_000_000 + '"}', None)
        self.assertIsNone(name)
        self.assertGreater(len(body), 8_000_000)

    def test_ten_thousand(self):
        """Adds that fail, removes, and lists: nothing is left of them."""
        daemon = self.start_daemon()
        wire = self.connect_wire()

        def ask(count):
            for number in range(count):
                self.assertIn('Invalid', wire.call(PATH, NAME, 'AddServer', 'ssa{sv}', 'two', '{"command": "true"}', None)[0])
                self.assertIn('NotConfigured', wire.call(PATH, NAME, 'RemoveServer', 'sa{sv}', f's{number}', None)[0])
                self.assertIsNone(wire.call(PATH, 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects')[0])
        ask(1000)
        before = self.memory(daemon)
        ask(9000)
        self.assertLess(self.memory(daemon), before + 1500)

    def test_crowd(self):
        """More calls than may be under way; those that are too many say so, and all end."""
        self.configure(two={'words': ['--tools', 'wait,release']})
        self.start_daemon()
        wire = self.connect_wire()
        for _ in range(1500):
            wire.send(PATH, NAME, 'CallTool', 'ssa{sv}', 'two.wait', '{}', None)
        names = []
        while len(names) < 500:
            kind, _, name, _ = wire.receive()
            names += [name] if kind == ERROR else []
        self.assertTrue(all(name.endswith('LimitExceeded') for name in names))
        wire.close()
        # The caller has gone, and so have its calls.
        wait_until(lambda: self.run_gdbus('CallTool', 'two.release', '{}', '{}').returncode == 0)

    def test_who_called(self):
        """The audit has the program that called, as the system knows it."""
        self.start_daemon()
        tools = ('/org/gmcp/Tools1', 'org.gmcp.Tools1')
        self.gdbus('CallTool', 'two.echo', '{}', '{}')
        self.gdbus(f'{tools[1]}.CallTool', 'two.echo', '{}', '{}', path=tools[0], dest=tools[1])
        wire = Wire(self.runtime / 'gmcp' / 'control')
        self.addCleanup(wire.close)
        wire.call(PATH, NAME, 'CallTool', 'ssa{sv}', 'two.echo', '{}', None)
        audit = self.home / 'state' / 'gmcp' / 'audit.jsonl'
        wait_until(lambda: audit.exists() and len(audit.read_text().splitlines()) == 3)
        clients = [json.loads(line)['client'] for line in audit.read_text().splitlines()]
        gdbus = re.escape(os.path.realpath(shutil.which('gdbus')))
        self.assertRegex(clients[0], rf'^{gdbus} \(\d+\)$')
        self.assertRegex(clients[1], rf'^{gdbus} \(\d+\)$')
        self.assertEqual(clients[2], f'{os.path.realpath("/proc/self/exe")} ({os.getpid()})')

    def test_crowd_of_one_program(self):
        """A program that may be in a sandbox has a hundred calls under way at the most; others call beside it."""
        self.configure(one={'words': ['--tools', 'echo']}, two={'words': ['--tools', 'wait,release']})
        self.start_daemon()
        self.fill_calls(self.runtime / 'bus')
        self.assertEqual(self.call_echo(self.runtime / 'bus'), 'org.gmcp.Error.LimitExceeded')
        self.assert_others_call()

    def connect_to_tools(self, bus):
        wire = Wire(bus, TOOLS)
        self.addCleanup(wire.close)
        return wire

    def fill_calls(self, bus):
        """As many as one program may have under way."""
        wire = self.connect_to_tools(bus)
        for _ in range(120):
            wire.send(*TOOLS_DOOR, 'CallTool', 'ssa{sv}', 'two.wait', '{}', None)
        names = []
        while len(names) < 20:
            kind, _, name, _ = wire.receive()
            names += [name] if kind == ERROR else []
        self.assertEqual(set(names), {'org.gmcp.Error.LimitExceeded'})

    def call_echo(self, bus):
        """The error of a call on another connection, or None."""
        return self.connect_to_tools(bus).call(*TOOLS_DOOR, 'CallTool', 'ssa{sv}', 'one.echo', '{}', None)[0]

    def assert_others_call(self):
        self.assertIn('beside', self.gdbus(f'{TOOLS}.CallTool', 'one.echo', '{"text": "beside"}', '{}', path=TOOLS_DOOR[0], dest=TOOLS))

    @unittest.skipUnless(shutil.which('bwrap') and shutil.which('xdg-dbus-proxy'), 'bubblewrap or xdg-dbus-proxy is not installed')
    def test_crowd_of_one_application(self):
        """All its processes count together. Each sees the bus through a proxy of its own."""
        self.configure(one={'words': ['--tools', 'echo']}, two={'words': ['--tools', 'wait,release']})
        self.start_daemon()
        paths = {name: self.home / name for name in ('first', 'second', 'other')}
        for name, path in paths.items():
            info = self.home / f'info-{name}'
            info.write_text(f'[Application]\nname=org.example.{"Other" if name == "other" else "Crowd"}\n')
            self.run_beside([SANDBOX[0], '--die-with-parent', *SANDBOX[1:-2], info, SANDBOX[-1], 'xdg-dbus-proxy',
                             self.env['DBUS_SESSION_BUS_ADDRESS'], path, '--filter', f'--talk={TOOLS}'])
            wait_until(path.exists)
        self.fill_calls(paths['first'])
        self.assertEqual(self.call_echo(paths['second']), 'org.gmcp.Error.LimitExceeded')
        self.assertIsNone(self.call_echo(paths['other']))
        self.assert_others_call()

    def test_many(self):
        daemon = self.start_daemon()
        for number in range(30):
            self.gdbus('AddServer', f's{number}', json.dumps(self.describe()), '{}')
            self.refuse('InvalidArgument', 'AddServer', f's{number}', '{"command": "true"}', '{}')
            self.gdbus('RemoveServer', f's{number}', '{}')
        self.assertEqual((self.servers(), daemon.poll()), ([], None))

    def test_bad_input(self):
        daemon = self.start_daemon()
        big = 'x' * BIG
        for name in ('', '/', '..', '../one', 'one/../two', 'nope', 'ö', big):
            self.refuse('NotConfigured', 'GetServer', name)
            self.refuse('NotConfigured', 'RemoveServer', name, '{}')
            self.refuse('UnknownTool', 'CallTool', name, '{}', '{}')
            if name:
                self.refuse('NotConfigured', 'ListTools', name)
            if name != 'nope':
                self.refuse('org.gmcp.Error', 'AddServer', name, '{"command": "true"}', '{}')
        for configuration in ('', '[]', '{', '{"command": 5}', '{}', '"' + big + '"', '{"command": "true", "command": ' + '[' * 9999):
            self.refuse('org.gmcp.Error', 'AddServer', 'three', configuration, '{}')
        for arguments in ('', '[]', '{', '5'):
            self.refuse('org.gmcp.Error', 'CallTool', 'two.echo', arguments, '{}')
        for options in ('{"nope": <1>}', '{"role": <1>}', '{"timeout-ms": <"x">}'):
            self.refuse('InvalidArgument', 'CallTool', 'two.echo', '{}', options)
        self.refuse('InvalidArgument', 'AddServer', 'three', '{"command": "true"}', '{"nope": <true>}')
        self.refuse('UnknownMethod', f'{NAME}.Server.Start', path=f'{PATH}/servers/nope')
        self.refuse('org.gmcp.Error', 'CallTool', 'two.echo', '{}', '{"role": <"nope">}')
        self.assertIsNone(daemon.poll())

    def test_caller_leaves(self):
        """A call whose caller has gone is cancelled, and the server goes on."""
        self.configure(two={'words': ['--tools', 'wait,echo']})
        self.start_daemon()
        caller = self.run_beside(['gdbus', 'call', '--session', '--dest', NAME, '--object-path', PATH, '--method', f'{NAME}.CallTool',
                                  'two.wait', '{}', '{}'], stdout=subprocess.DEVNULL)
        wait_until(lambda: self.log.exists() and 'call wait' in self.log.read_text(encoding='utf-8'))

        def count():
            return json.loads(self.busctl('call', NAME, f'{PATH}/servers/two', f'{NAME}.Server', 'GetStatistics')['data'][0])['running']
        self.assertEqual(count(), 1)
        caller.kill()
        caller.wait()
        wait_until(lambda: count() == 0)
        self.assertIn('hello', self.gdbus('CallTool', 'two.echo', '{"text": "hello"}', '{}'))


class Questions(BusSession):
    """They go to whoever made the call, and to nobody else."""
    DOOR = PATH, NAME

    def connect(self):
        return Wire(self.runtime / 'gmcp' / 'control')

    def setUp(self):
        super().setUp()
        config = json.loads(self.config.read_text(encoding='utf-8'))
        config['mcpServers']['telling'] = self.describe(['--tools', 'tell'])
        config['mcpServers']['paying'] = {'command': sys.executable, 'args': ['-S', PAYING]}
        config['roles'] = {'careful': {'allowed_tools': ['*'], 'ask_tools': ['two.echo']}}
        if NODE:
            config['mcpServers']['asking'] = {'command': NODE, 'args': [ASKING], 'env': {'GMCP_TEST_NODE_MODULES': MODULES}}
        self.config.write_text(json.dumps(config), encoding='utf-8')
        self.start_daemon()
        self.wire, self.other = self.connect(), self.connect()
        self.addCleanup(self.wire.close)
        self.addCleanup(self.other.close)

    def call(self, tool, **options):
        return self.wire.send(*self.DOOR, 'CallTool', 'ssa{sv}', tool, '{}', {'asks': True, **options})

    def wait_for_question(self):
        while True:
            kind, _, _, body = self.wire.receive()
            if kind == SIGNAL and b'"' in body and (b'permission' in body[:30] or b'elicitation' in body[:30]):
                return int.from_bytes(body[:4], 'little'), body.decode(errors='replace')
            self.assertNotEqual(kind, ERROR, body)

    def wait_for_end(self, serial):
        while True:
            kind, answers, name, body = self.wire.receive()
            if answers == serial and kind in (RETURN, ERROR):
                return name, body.decode(errors='replace')

    def answer(self, wire, number, answer, content=''):
        return wire.call(*self.DOOR, 'AnswerQuestion', 'uss', number, answer, content)[0]

    def test_permission(self):
        serial = self.call('two.echo', role='careful')
        number, text = self.wait_for_question()
        self.assertIn('"tool":"echo"', text)
        self.assertIn('InvalidArgument', self.answer(self.other, number, 'allow-once'))
        self.assertIn('InvalidArgument', self.answer(self.wire, number + 1, 'allow-once'))
        self.assertIn('InvalidArgument', self.answer(self.wire, number, 'accept', '[' * 200_000))
        self.assertIsNone(self.answer(self.wire, number, 'allow-once'))
        name, body = self.wait_for_end(serial)
        self.assertIsNone(name, body)
        self.assertIn('InvalidArgument', self.answer(self.wire, number, 'allow-once'))
        serial = self.call('two.echo', role='careful')
        self.answer(self.wire, self.wait_for_question()[0], 'decline')
        self.assertIn('NotPermitted', self.wait_for_end(serial)[0])

    def test_nobody_to_ask(self):
        self.refuse('NotPermitted', 'CallTool', 'two.echo', '{}', '{"role": <"careful">}')

    def test_progress(self):
        """The caller alone is told how far its call is, by the text that it gave."""
        serial = self.call('telling.tell', progress='my call')
        kind, body = None, b''
        while kind != SIGNAL or b'my call' not in body:
            kind, _, _, body = self.wire.receive()
            self.assertNotEqual(kind, ERROR, body)
        self.assertIn(b'still telling', body)
        (self.home / 'log.done').touch()
        self.assertIsNone(self.wait_for_end(serial)[0])
        serial = self.other.send(*self.DOOR, 'CallTool', 'ssa{sv}', 'telling.tell', '{}', {'progress': 5 * 'x' * 1000})
        answers = None
        while answers != serial:
            kind, answers, name, body = self.other.receive()
            self.assertNotIn(b'my call', body)
        self.assertIn('InvalidArgument', name)

    @unittest.skipUnless(NODE, 'npm did not install what the server needs')
    def test_elicitation(self):
        serial = self.call('asking.ask')
        number, text = self.wait_for_question()
        self.assertIn('requestedSchema', text)
        self.assertIn('InvalidArgument', self.answer(self.other, number, 'decline'))
        for content in ('{"name": 5', '[' * 200_000, '"x"'):
            self.assertIn('org.gmcp.Error', self.answer(self.wire, number, 'accept', content))
        self.assertIsNone(self.answer(self.wire, number, 'accept', '{"name": "Ann"}'))
        self.assertIsNone(self.answer(self.wire, self.wait_for_question()[0], 'accept', '{"color": "red"}'))
        name, body = self.wait_for_end(serial)
        self.assertIsNone(name, body)
        self.assertIn('Ann', body)

    def answer_at_last(self, number, answer, serial):
        """The call may end before or after the answer is taken."""
        answering, ends = self.wire.send(*self.DOOR, 'AnswerQuestion', 'uss', number, answer, ''), {}
        while len(ends) < 2:
            kind, answers, name, body = self.wire.receive()
            if kind in (RETURN, ERROR):
                ends[answers] = name, body.decode(errors='replace')
        self.assertIsNone(ends[answering][0])
        return ends[serial]

    def wait_for_gone(self, number):
        """Told before the call ends."""
        while True:
            kind, _, _, body = self.wire.receive()
            self.assertNotIn(kind, (RETURN, ERROR), body)
            if kind == SIGNAL and body == number.to_bytes(4, 'little'):
                return

    def test_visit(self):
        serial = self.call('paying.pay')
        number, _ = self.wait_for_question()
        self.assertIsNone(self.answer(self.wire, number, 'accept'))
        self.other.call(*self.DOOR, 'CallTool', 'ssa{sv}', 'paying.visited', '{}', {})
        self.wait_for_gone(number)
        self.assertIn('paid', self.wait_for_end(serial)[1])

        # Last, since the server takes the call after one that was given up for paid.
        for done in ('done', 'cancel'):
            serial = self.call('paying.pay')
            number, text = self.wait_for_question()
            self.assertIn('http://shop.example/pay', text)
            self.assertIsNone(self.answer(self.wire, number, 'accept'))
            self.assertIsNone(self.answer(self.wire, number, 'accept'))
            self.assertIn('InvalidArgument', self.answer(self.wire, number, 'allow-once'))
            self.assertIn('InvalidArgument', self.answer(self.other, number, 'done'))
            name, body = self.answer_at_last(number, done, serial)
            self.assertEqual(name, None if done == 'done' else 'org.gmcp.RpcError.Minus32042')
            self.assertIn('paid' if done == 'done' else 'Pay first', body)
            self.assertIn('InvalidArgument', self.answer(self.wire, number, 'done'))


class QuestionsOfSandboxes(Questions):
    """The same for a program that may be in one, which gives no role."""
    DOOR = TOOLS_DOOR
    test_permission = test_nobody_to_ask = None

    def connect(self):
        return Wire(self.runtime / 'bus', TOOLS)


class End(BusSession):
    def call_work(self):
        self.configure(two={'words': ['--tools', 'work']})
        daemon = self.start_daemon()
        caller = self.run_beside(['gdbus', 'call', '--session', '--dest', NAME, '--object-path', PATH, '--timeout', '60', '--method',
                                  f'{NAME}.CallTool', 'two.work', '{}', '{}'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: self.log.exists() and 'call work' in self.log.read_text(encoding='utf-8'))
        return daemon, caller

    def test_call_ends_first(self):
        daemon, caller = self.call_work()
        daemon.send_signal(signal.SIGTERM)
        wait_until(lambda: not (self.runtime / 'gmcp' / 'control').exists())
        (self.home / 'log.done').touch()
        out, err = caller.communicate()
        self.assertEqual((caller.returncode, err), (0, ''))
        self.assertIn('content', out)
        self.assertEqual((daemon.wait(), self.servers()), (0, []))

    def test_call_does_not_end(self):
        daemon, caller = self.call_work()
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertNotEqual(caller.wait(), 0)
        wait_until(lambda: not self.servers())

    def test_killed_and_activated_again(self):
        self.allow_activation('--config', self.config)
        daemon, caller = self.call_work()
        daemon.kill()
        self.assertIn('NoReply', caller.communicate()[1])
        wait_until(lambda: not self.servers())
        (self.home / 'log.done').touch()
        self.assertIn('content', self.gdbus('CallTool', 'two.work', '{}', '{}'))
        other = self.daemons()
        self.assertEqual(len(other), 1)
        os.kill(other[0], signal.SIGTERM)
        wait_until(lambda: not is_running(other[0]) and not self.servers())

    def test_bus_ends(self):
        daemon = self.start_daemon()
        self.server_method('one', 'Start')
        self.bus.kill()
        self.assertEqual((daemon.wait(), self.servers()), (0, []))

    def test_no_bus(self):
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={self.home}/nowhere'
        daemon = self.run_beside([self.gmcpd, '--config', self.config], stderr=subprocess.PIPE, text=True)
        self.assertIn('cannot be reached', daemon.stderr.readline())
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_two_daemons(self):
        """Another session bus has the folder of the first session."""
        self.start_daemon()
        done = subprocess.run([self.gmcpd], env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.env['XDG_RUNTIME_DIR'] = str(self.home)
        done = subprocess.run([self.gmcpd], env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertIn('org.gmcp.', done.stderr)
        self.assertEqual(done.returncode, 1)


class Others(BusSession):
    @unittest.skipUnless(shutil.which('bwrap'), 'bubblewrap is not installed')
    def test_sandbox(self):
        daemon = self.start_daemon()
        for method, *words in (('GetStatus',), ('AddServer', 'three', '{"command": "true"}', '{}'), ('CallTool', 'two.echo', '{}', '{}'),
                               ('org.freedesktop.DBus.Properties.GetAll', NAME), ('org.freedesktop.DBus.Properties.Get', NAME, 'Version'),
                               ('org.freedesktop.DBus.ObjectManager.GetManagedObjects',)):
            self.assertIn('sandbox', self.refuse('AccessDenied', method, *words, before=SANDBOX))
        self.refuse('AccessDenied', f'{NAME}.Server.Start', path=f'{PATH}/servers/one', before=SANDBOX)
        # The same without that file is let in.
        self.gdbus('GetStatus', before=SANDBOX[:-3])
        self.assertEqual((self.servers(), daemon.poll()), ([], None))

    def tools(self, method, *words, **more):
        return self.run_gdbus(f'{TOOLS}.{method}', *words, path='/org/gmcp/Tools1', dest=TOOLS, **more)

    def listed(self, **more):
        done = self.tools('ListTools', **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(set(re.findall(r'"name":"(\w+)"', done.stdout)))

    @unittest.skipUnless(shutil.which('bwrap'), 'bubblewrap is not installed')
    def test_tools_from_sandbox(self):
        self.configure(one={'start': 'manual', 'words': ['--tools', 'echo']}, two={'words': ['--tools', 'echo,pid']})
        self.start_daemon()
        self.assertEqual(self.listed(before=SANDBOX), ['two__echo', 'two__pid'])
        self.assertIn('hello', self.tools('CallTool', 'two.echo', '{"text": "hello"}', '{}', before=SANDBOX).stdout)
        # Not started by anybody who has no right to.
        self.assertIn('NotRunning', self.tools('CallTool', 'one.echo', '{}', '{}', before=SANDBOX).stderr)
        for words in (['nope', '{}', '{}'], ['two.echo', '[]', '{}'], ['two.echo', '{}', '{"role": <"all">}']):
            self.assertIn('org.gmcp.Error', self.tools('CallTool', *words, before=SANDBOX).stderr)
        # The name is on a connection on which nothing else is.
        self.assertIn('UnknownMethod', self.run_gdbus('GetStatus', dest=TOOLS).stderr)
        owners = {self.gdbus('org.freedesktop.DBus.GetNameOwner', name, path='/org/freedesktop/DBus', dest='org.freedesktop.DBus')
                  for name in (NAME, TOOLS)}
        self.assertEqual(len(owners), 2)

    @unittest.skipUnless(shutil.which('xdg-dbus-proxy'), 'xdg-dbus-proxy is not installed')
    def test_through_proxy(self):
        """As Flatpak lets its programs see a bus."""
        self.start_daemon()
        path = self.home / 'proxy'
        self.run_beside(['xdg-dbus-proxy', self.env['DBUS_SESSION_BUS_ADDRESS'], path, '--filter', f'--talk={TOOLS}'])
        wait_until(path.exists)
        manager = self.gdbus('org.freedesktop.DBus.GetNameOwner', NAME, path='/org/freedesktop/DBus', dest='org.freedesktop.DBus')
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={path}'
        self.assertEqual(self.listed(), ['two__echo'])
        self.assertNotEqual(self.run_gdbus('GetStatus').returncode, 0)
        self.assertNotEqual(self.run_gdbus('GetStatus', dest=manager.strip("(',)")).returncode, 0)

    def test_role(self):
        config = json.loads(self.config.read_text(encoding='utf-8'))
        config['mcpServers']['two'] = self.describe(['--tools', 'echo,pid'])
        config['roles'] = {'reader': {'allowed_tools': ['two.echo']}}
        self.config.write_text(json.dumps(config), encoding='utf-8')
        self.start_daemon('--tools-role', 'reader')
        self.assertEqual(self.listed(), ['two__echo'])
        self.assertIn('hello', self.tools('CallTool', 'two.echo', '{"text": "hello"}', '{}').stdout)
        self.assertIn('NotPermitted', self.tools('CallTool', 'two.pid', '{}', '{}').stderr)
        # The manager's own door is another one.
        self.gdbus('CallTool', 'two.pid', '{}', '{}')

    def application(self, text):
        """What a program of Flatpak's runs in, with that file in its root."""
        info = self.home / f'flatpak-info-{len(text)}'
        info.write_text(text)
        return [*SANDBOX[:-2], str(info), SANDBOX[-1]]

    @unittest.skipUnless(shutil.which('bwrap'), 'bubblewrap is not installed')
    def test_role_of_an_application(self):
        config = json.loads(self.config.read_text(encoding='utf-8'))
        config['mcpServers']['two'] = self.describe(['--tools', 'echo,pid'])
        config['roles'] = {'org.example.Reader': {'allowed_tools': ['two.echo']}, 'others': {'allowed_tools': ['two.pid']}}
        self.config.write_text(json.dumps(config), encoding='utf-8')
        self.start_daemon('--tools-role', 'others')
        self.assertEqual(self.listed(), ['two__pid'])
        reader = self.application('[Application]\nname=org.example.Reader\nruntime=org.gnome.Platform/x86_64/48\n')
        self.assertEqual(self.listed(before=reader), ['two__echo'])
        self.assertIn('hello', self.tools('CallTool', 'two.echo', '{"text": "hello"}', '{}', before=reader).stdout)
        self.assertIn('NotPermitted', self.tools('CallTool', 'two.pid', '{}', '{}', before=reader).stderr)
        audit = self.home / 'state' / 'gmcp' / 'audit.jsonl'
        wait_until(lambda: audit.exists() and audit.read_text(encoding='utf-8').endswith('\n'))
        self.assertRegex(json.loads(audit.read_text(encoding='utf-8').splitlines()[0])['client'], r'^org\.example\.Reader \(\d+\)$')
        # An environment makes the file large.
        large = '[Application]\nname=org.example.Reader\n[Environment]\nA='
        self.assertEqual(self.listed(before=self.application(large + 'x' * 300000)), ['two__echo'])
        # Without a role of its own an application has that of the door, and so has a runtime without one.
        for text in ('[Application]\nname=org.example.Writer\n', '[Runtime]\nname=org.example.Reader\n'):
            with self.subTest(text=text[:60]):
                self.assertEqual(self.listed(before=self.application(text)), ['two__pid'])
        # What cannot be read could be any application.
        for text in ('', '# comment\n', '[Context]\n', 'nothing', '[Application]\n', '[Application]\nname=others\n', large + 'x' * (1 << 20)):
            with self.subTest(text=text[:60]):
                self.assertIn('AccessDenied', self.tools('ListTools', before=self.application(text)).stderr)

    @unittest.skipUnless(shutil.which('bwrap') and shutil.which('xdg-dbus-proxy'), 'bubblewrap or xdg-dbus-proxy is not installed')
    def test_role_through_proxy(self):
        """What calls on the bus is the proxy that Flatpak runs in the sandbox of the application."""
        config = json.loads(self.config.read_text(encoding='utf-8'))
        config['mcpServers']['two'] = self.describe(['--tools', 'echo,pid'])
        roles = {'org.example.Reader': {'allowed_tools': ['two.echo']}}
        self.config.write_text(json.dumps({**config, 'roles': roles}), encoding='utf-8')
        self.start_daemon()
        self.assertEqual(self.listed(), ['two__echo', 'two__pid'])
        changes = self.run_beside(['gdbus', 'monitor', '--session', '--dest', TOOLS], stdout=subprocess.PIPE, text=True)
        self.assertIn('monitoring', changes.stdout.readline().lower())
        changes.stdout.readline()
        path = self.home / 'proxy'
        reader = self.application('[Application]\nname=org.example.Reader\n')
        self.run_beside([reader[0], '--die-with-parent', *reader[1:], 'xdg-dbus-proxy', self.env['DBUS_SESSION_BUS_ADDRESS'], path, '--filter', f'--talk={TOOLS}'])
        wait_until(path.exists)
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={path}'
        self.assertEqual(self.listed(), ['two__echo'])
        # The role goes, and the application may not do more for that.
        self.config.write_text(json.dumps(config), encoding='utf-8')
        while 'ToolsChanged' not in changes.stdout.readline() or self.listed():
            pass

    def test_role_that_is_not_there(self):
        self.start_daemon('--tools-role', 'nobody')
        self.assertEqual(self.listed(), [])
        self.assertNotEqual(self.tools('CallTool', 'two.echo', '{}', '{}').returncode, 0)

    def connect(self):
        """What the socket says to a client of D-Bus."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self.runtime / 'gmcp' / 'control'))
            try:
                client.sendall(b'\0AUTH EXTERNAL ' + str(os.geteuid()).encode().hex().encode() + b'\r\n')
                return client.recv(100)
            except (BrokenPipeError, ConnectionResetError):
                return b''

    def test_socket(self):
        self.start_daemon()
        self.assertTrue(self.connect().startswith(b'OK '))
        self.assertEqual((self.runtime / 'gmcp' / 'control').stat().st_mode & 0o777, 0o600)

    @unittest.skipUnless(os.geteuid() == 0, 'only root can be somebody else')
    def test_other_user(self):
        self.start_daemon()
        for path in (self.home, self.runtime, self.runtime / 'gmcp'):
            path.chmod(0o755)
        (self.runtime / 'gmcp' / 'control').chmod(0o666)
        pid = os.fork()
        if pid == 0:
            os.setuid(65534)
            os._exit(0 if self.connect() == b'' else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertTrue(self.connect().startswith(b'OK '))

    def test_silent_clients(self):
        """Those that connect and say nothing keep nobody out for long."""
        self.start_daemon()
        silent = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for client in silent:
            client.connect(str(self.runtime / 'gmcp' / 'control'))
        self.assertTrue(self.connect().startswith(b'OK '))
        for client in silent:
            client.close()


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The command line with gmcpd, by its socket and by a bus: test-daemon-cli.py GMCPD MANAGED_SERVER GMCP"""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from session import NAME, BusSession, Session, is_running, wait_until  # noqa: E402
from terminal import CTRL_D, Terminal  # noqa: E402
import tap  # noqa: E402

Session.gmcpd, Session.server, GMCP = map(os.path.abspath, sys.argv[1:4])
ASKING = str(pathlib.Path(Session.server).with_name('asking-server.py'))
OK, USAGE, UNREACHABLE, NOT_PERMITTED, PROTOCOL = 0, 2, 3, 5, 6


class Client(Session):
    """Where no bus is, by the socket."""
    def gmcp(self, status, *words, config=True):
        words = [GMCP, *(['--config', str(self.config)] if config else []), *words]
        done = subprocess.run(words, env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, f'{words}\n{done.stdout}\n{done.stderr}')
        return done

    def start(self, *words, **more):
        """The steps, and the process that they name."""
        out = self.gmcp(OK, 'start', *words, **more).stdout
        self.assertRegex(out, r'ok +Validating configuration\n +ok +Starting server process +PID \d+\n +ok +Health check +Server healthy\n')
        return int(re.search(r'PID (\d+)', out)[1])


class Socket(Client):
    def setUp(self):
        super().setUp()
        self.configure(one={'start': 'manual'}, two={'words': ['--tools', 'pid']}, bad={'command': '/does/not/exist'})

    def test_without_daemon(self):
        self.assertIn('no session daemon', self.gmcp(UNREACHABLE, 'start', 'one').stderr)
        self.assertIn('no session daemon', self.gmcp(UNREACHABLE, 'stop', 'one').stderr.replace('in a session daemon, as there is none', 'no session daemon'))
        self.gmcp(UNREACHABLE, 'restart', 'one')
        self.gmcp(UNREACHABLE, 'call', 'one.echo', '{}')
        self.assertIn('by hand', self.gmcp(UNREACHABLE, 'discover', 'one').stderr)
        self.assertEqual(json.loads(self.gmcp(OK, 'status', '--json').stdout)['totalRunning'], 0)
        self.assertEqual(self.servers(), [])

    def test_life(self):
        daemon = self.start_daemon()
        pid = self.start('one')
        self.assertEqual(self.servers(), [pid])
        self.assertIn(f'runs already (PID {pid})', self.gmcp(OK, 'start', 'one').stdout)
        self.assertIn('hello', self.gmcp(OK, 'call', 'one.echo', 'text=hello').stdout)
        self.assertIn('content', json.loads(self.gmcp(OK, 'call', '--json', 'one.echo', '{}').stdout))
        self.assertIn('echo', self.gmcp(OK, 'discover', 'one').stdout)
        other = int(re.search(r'PID (\d+)', self.gmcp(OK, 'restart', 'one').stdout)[1])
        self.assertEqual(self.servers(), [other])
        self.assertIn('Server one stopped', self.gmcp(OK, 'stop', 'one').stdout)
        self.assertIn('Server one stopped', self.gmcp(OK, 'stop', 'one').stdout)
        self.start('one')
        self.gmcp(OK, 'stop', '--force', 'one')
        self.assertEqual(self.servers(), [])
        self.gmcp(UNREACHABLE, 'call', 'one.echo', '{}')
        self.assertEqual(self.end_daemon(daemon), 0)
        self.gmcp(UNREACHABLE, 'start', 'one')

    def test_misspelt_server(self):
        """No server is started to look for a tool of one that there is not."""
        done = self.gmcp(USAGE, 'call', 'twoo.pid')
        self.assertRegex(done.stderr, r'^gmcp: Unknown server: twoo \(configured: one, two, bad\)\. Near to it: two\b')
        self.assertFalse(self.log.exists())

    def test_failing_steps(self):
        self.start_daemon()
        done = self.gmcp(USAGE, 'start', 'nope')
        self.assertIn('failed Validating configuration', done.stdout)
        self.assertIn('Server nope not configured', done.stderr)
        done = self.gmcp(UNREACHABLE, 'start', 'bad')
        self.assertRegex(done.stdout, r'ok +Validating configuration\n +failed Starting server process\n$')
        self.assertIn('/does/not/exist', done.stderr)
        self.gmcp(USAGE, 'start')
        self.gmcp(USAGE, 'start', 'one', 'two')
        self.assertIn('not configured', self.gmcp(USAGE, 'stop', 'nope').stderr)

    def test_failing_health(self):
        self.configure(one={'words': ['--hang', 'list'], 'start': 'manual', 'startupTimeoutMs': 1000})
        self.start_daemon()
        done = self.gmcp(UNREACHABLE, 'start', 'one')
        self.assertRegex(done.stdout, r'ok +Starting server process +PID \d+\n +failed Health check +Health check failed\n$')

    def test_status(self):
        self.start_daemon()
        pid = self.start('one')
        self.assertRegex(self.gmcp(OK, 'status').stdout, r'one +Manual +healthy +1 +stdio')
        status = json.loads(self.gmcp(OK, 'status', '--json').stdout)
        one, two = status['servers'][:2]
        self.assertEqual((one['pid'], one['inDaemon'], one['state'], two['inDaemon']), (pid, True, 'running', False))
        self.assertEqual((status['totalRunning'], status['totalHealthy']), (1, 1))
        self.assertNotIn('is shared', self.gmcp(OK, 'status').stdout)

    def test_status_of_shared(self):
        """A server that other programs may use, too, is told of less, where it is of an earlier revision."""
        self.configure(one={'start': 'manual', 'share': 'yes'})
        self.start_daemon()
        self.assertNotIn('is shared', self.gmcp(OK, 'status').stdout)
        self.start('one')
        self.assertRegex(self.gmcp(OK, 'status').stdout, r'\none is shared with other programs, and speaks 2025-11-25: .*no elicitation')
        self.assertEqual(json.loads(self.gmcp(OK, 'status', '--json').stdout)['servers'][0]['protocolVersion'], '2025-11-25')

    def test_ci(self):
        """What the daemon of a file runs is used, however it is started, at a terminal and without one."""
        self.configure(one={'words': ['--tools', 'pid']}, two={'words': ['--tools', 'pid']})
        self.start_daemon()
        pid = self.start('one')
        self.assertEqual(self.gmcp(OK, 'call', 'one.pid', '{}').stdout.strip(), str(pid))
        with self.call_at_terminal('one.pid') as terminal:
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn(str(pid), terminal.text())
        # One that it does not run is started by the command, and ends with it.
        self.assertNotEqual(self.gmcp(OK, 'call', 'two.pid', '{}').stdout.strip(), str(pid))
        self.assertEqual(self.servers(), [pid])

    def test_from_everywhere(self):
        """Without --config it is the daemon of the session, with another file it is not."""
        self.start_daemon()
        self.start('one', config=False)
        self.assertIn('hello', self.gmcp(OK, 'call', 'one.echo', 'text=hello', config=False).stdout)
        self.assertIn('gmcpd', self.gmcp(OK, 'status', config=False).stdout)
        other = self.home / 'other.json'
        other.write_text(self.config.read_text())
        self.gmcp(UNREACHABLE, '--config', other, 'call', 'one.echo', '{}', config=False)
        self.gmcp(UNREACHABLE, '--config', other, 'stop', 'one', config=False)
        self.gmcp(OK, 'stop', 'one', config=False)

    def test_sync(self):
        self.start_daemon()
        self.start('one')
        before = self.servers()
        self.assertRegex(self.gmcp(OK, 'sync', 'one').stdout, 'one: 1 tool')
        one, = json.loads(self.gmcp(OK, 'sync', 'one', '--json').stdout)
        self.assertEqual((one['server'], one['tools'], one['added']), ('one', 1, []))
        # Nobody else was started for it.
        self.assertEqual(self.log.read_text(encoding='utf-8').count('start '), 1)
        self.assertEqual(self.servers(), before)

    def test_nobody_is_asked(self):
        """Where there is no socket of a daemon's, only what goes to the daemon connects to the bus, and only without --config."""
        with socket.socket(socket.AF_UNIX) as bus:
            bus.bind(str(self.runtime / 'bus'))
            bus.listen()
            bus.setblocking(False)
            self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={self.runtime}/bus'
            user = self.home / 'config' / 'mcp' / 'mcp.json'
            user.parent.mkdir(parents=True)
            user.write_text(self.config.read_text(encoding='utf-8'), encoding='utf-8')
            for config in True, False:
                for words in (['tools'], ['call', 'two.pid', '{}'], ['logs']):
                    self.gmcp(OK, *words, config=config)
                self.gmcp(UNREACHABLE, 'call', 'one.echo', '{}', config=config)
            # The daemon of a file is no matter of the bus.
            for words in ['status'], ['sync', 'two']:
                self.gmcp(OK, *words)
            for command in 'start', 'stop', 'restart', 'discover':
                self.gmcp(UNREACHABLE, command, 'one')
            self.assertRaises(BlockingIOError, bus.accept)
            for words in ['start', 'one'], ['stop', 'one'], ['restart', 'one'], ['status'], ['discover', 'one'], ['sync', 'two']:
                asking = subprocess.Popen([GMCP, *words], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                bus.settimeout(60)
                bus.accept()[0].close()
                asking.wait(60)

    def test_socket_that_was_opened_for_it(self):
        """As systemd does: it is there before the daemon, and stays when that ends."""
        folder = self.runtime / 'gmcp'
        folder.mkdir(mode=0o700)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(folder / 'control'))
            listener.listen()
            daemon = self.run_beside(['sh', '-c', 'LISTEN_PID=$$ exec "$@"', 'sh', self.gmcpd, '--config', self.config],
                                     env={**self.env, 'LISTEN_FDS': '1', 'LISTEN_FDNAMES': 'control'}, pass_fds=[3],
                                     preexec_fn=lambda: os.dup2(listener.fileno(), 3))
            pid = self.start('one')
            self.assertEqual(self.servers(), [pid])
            self.assertEqual(self.end_daemon(daemon), 0)
            self.assertTrue((folder / 'control').exists())

    def test_progress(self):
        """Of a call that goes to the daemon, as of one that does not."""
        self.configure(one={'start': 'manual', 'words': ['--tools', 'tell']})
        self.start_daemon()
        self.start('one')
        with Terminal([GMCP, '--config', self.config, 'call', 'one.tell'], environment=self.env) as terminal:
            terminal.wait_for('still telling')
            (self.home / 'log.done').touch()
            self.assertEqual(terminal.finish(), 0, terminal.text())
        self.assertNotIn('still telling', terminal.text())

    def begin_asking(self):
        # No browser of the system's.
        self.env |= {'XDG_DATA_DIRS': str(self.home), 'XDG_CONFIG_DIRS': str(self.home)}
        self.config.write_text(json.dumps({
            'mcpServers': {'asking': {'command': sys.executable, 'args': ['-S', ASKING], 'start': 'manual'}},
            'roles': {'careful': {'allowed_tools': ['*'], 'ask_first': ['asking.capabilities']}}}), encoding='utf-8')
        self.start_daemon()
        self.start('asking')

    def call_at_terminal(self, *words):
        return Terminal([GMCP, '--config', self.config, 'call', *words], environment=self.env)

    def can_search(self):
        """The module is built where SQLite is."""
        return any((pathlib.Path(folder) / 'gmcp-search.so').exists() for folder in self.env['GMCP_MODULE_PATH'].split(':'))

    def test_tools_that_only_the_daemon_knows(self):
        self.configure(one={'start': 'manual', 'words': ['--tools', 'echo,admin.list']})
        self.start_daemon()
        self.assertIn('by hand only', self.gmcp(UNREACHABLE, 'tools').stderr)
        # A list that is kept.
        self.gmcp(OK, 'tools', 'one')
        pid = self.start('one')
        for words in (['tools'], ['tools', 'one']):
            self.assertEqual(re.findall(r'^one\.\S+', self.gmcp(OK, *words).stdout, re.MULTILINE), ['one.echo', 'one.admin.list'])
        self.assertEqual([(tool['name'], tool['server'], tool['tool']) for tool in json.loads(self.gmcp(OK, 'tools', '--json').stdout)],
                         [('one__echo', 'one', 'echo'), ('one__admin_list', 'one', 'admin.list')])
        for words in (['tools', 'one.echo'], ['tools', 'one__echo'], ['call', 'one.echo', '--help']):
            self.assertRegex(self.gmcp(OK, *words).stdout, r'(?s)^one\.echo\n.*gmcp call one\.echo')
        self.assertRegex(self.gmcp(OK, 'tools', 'one.admin.list').stdout, r'(?s)^one\.admin\.list\n.*gmcp call one\.admin\.list')
        if self.can_search():
            found = self.gmcp(OK, 'search', 'echo')
            self.assertRegex(found.stdout, r'^one\.echo ')
            self.assertNotIn('by hand', found.stderr)
            self.assertEqual([(tool['name'], tool['server'], tool['tool'])
                              for tool in json.loads(self.gmcp(OK, 'search', '--json', 'admin').stdout)],
                             [('one__admin_list', 'one', 'admin.list')])
        self.assertIn('admin.list', self.gmcp(OK, 'call', 'one.admin.list').stdout)
        self.assertIn('no tool called one.nothing', self.gmcp(USAGE, 'tools', 'one.nothing').stderr)
        self.gmcp(USAGE, 'call', 'one.echo', '{"a')
        # Which rules hold for another host the daemon does not know.
        self.gmcp(UNREACHABLE, '--host', 'org.example.Editor', 'call', 'one.admin.list')
        self.assertEqual(self.servers(), [pid])

    def test_asked(self):
        """What a call of the daemon's server asks is asked at the terminal of whoever calls."""
        self.begin_asking()
        with self.call_at_terminal('asking.form') as terminal:
            for prompt, typed in (('Your name:', 'Ada'), ('age [30]:', ''), ('color:', 'green'), ('many:', 'x'), ('news [false]:', ''),
                                  ('[e]dit:', 'y')):
                terminal.wait_for(prompt)
                terminal.type(f'{typed}\r')
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn('asking asks: Who', terminal.text())
            self.assertIn('"name": "Ada", "age": 30, "color": "#0f0"', terminal.text().replace('\n', ''))
        with self.call_at_terminal('asking.form') as terminal:
            terminal.wait_for('Your name:')
            terminal.type(CTRL_D)
            self.assertEqual(terminal.finish(), OK)
            self.assertIn('"cancel"', terminal.text())
        for answer, status in (('y', OK), ('n', NOT_PERMITTED)):
            with self.call_at_terminal('--role', 'careful', 'asking.capabilities') as terminal:
                terminal.wait_for('Call it?')
                self.assertIn('ask-first: asking.capabilities', terminal.text())
                terminal.type(f'{answer}\r')
                self.assertEqual(terminal.finish(), status, terminal.text())

    def open_address(self, terminal):
        terminal.wait_for('Open it in the browser?')
        terminal.type('y\r')

    def test_visit(self):
        """An address that the user is to visit before the server makes the call."""
        self.begin_asking()
        with self.call_at_terminal('asking.pay') as terminal:
            self.open_address(terminal)
            terminal.wait_for('when you are done there:')
            terminal.type('\r')
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn('paid', terminal.text())
        # The server says so.
        with self.call_at_terminal('asking.pay') as terminal:
            self.open_address(terminal)
            terminal.wait_for('when you are done there:')
            self.assertIn('told', self.gmcp(OK, 'call', 'asking.visited').stdout)
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn('paid', terminal.text())
        with self.call_at_terminal('asking.pay') as terminal:
            self.open_address(terminal)
            terminal.wait_for('when you are done there:')
            terminal.type(CTRL_D)
            self.assertEqual(terminal.finish(), PROTOCOL)
            self.assertIn('Pay first', terminal.text())
        # Nothing waits here but the server itself.
        with self.call_at_terminal('asking.visit') as terminal:
            self.open_address(terminal)
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn('accept', terminal.text())
            self.assertNotIn('when you are done', terminal.text())

    def test_asked_in_vain(self):
        """Of a call that ends meanwhile."""
        self.begin_asking()
        with self.call_at_terminal('asking.form') as terminal:
            terminal.wait_for('Your name:')
            self.gmcp(OK, 'stop', '--force', 'asking')
            self.assertNotEqual(terminal.finish(), OK)

    def test_asked_anew(self):
        """A question that its server takes back, and asks once more."""
        self.begin_asking()
        pipe = self.home / 'go'
        os.mkfifo(pipe)
        with self.call_at_terminal('asking.withdraw', f'go={pipe}') as terminal:
            terminal.wait_for('Your name:')
            terminal.type('Ad')
            pipe.write_text('go', encoding='utf-8')
            terminal.wait_for('no longer needed')
            terminal.wait_for('Your name:', times=2)
            terminal.type(CTRL_D)
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn('"cancel"', terminal.text())

    def test_left_socket(self):
        """Of a daemon that was killed."""
        daemon = self.start_daemon()
        self.end_daemon(daemon, signal.SIGKILL)
        self.assertTrue((self.runtime / 'gmcp' / 'control').exists())
        self.gmcp(UNREACHABLE, 'start', 'one')
        self.gmcp(OK, 'status')
        self.start_daemon()
        self.start('one')


class Bus(BusSession, Client):
    def setUp(self):
        super().setUp()
        folder = self.home / 'config' / 'mcp'
        folder.mkdir(parents=True)
        self.config = folder / 'mcp.json'
        self.configure(one={'start': 'manual'})

    def test_bus_without_daemon(self):
        self.assertIn('no session daemon', self.gmcp(UNREACHABLE, 'start', 'one', config=False).stderr)
        self.gmcp(OK, 'status', config=False)

    def test_activation(self):
        self.allow_activation()
        self.gmcp(UNREACHABLE, 'call', 'one.echo', 'text=hello', config=False)
        self.gmcp(OK, 'logs', config=False)
        self.assertEqual(self.daemons(), [])
        pid = self.start('one', config=False)
        daemon, = self.daemons()
        self.assertEqual(self.servers(), [pid])
        self.assertIn('hello', self.gmcp(OK, 'call', 'one.echo', 'text=hello', config=False).stdout)
        os.kill(daemon, signal.SIGKILL)
        wait_until(lambda: not is_running(daemon) and not self.servers())
        self.assertIn('healthy', self.gmcp(OK, 'restart', 'one', config=False).stdout)
        daemon, = self.daemons()
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon) and not self.servers())

    def test_activation_by_each(self):
        """Every command that goes to the daemon has it started; with --config none does, as it has other servers."""
        self.configure(one={'start': 'manual'}, two={'start': 'at-load'})
        self.allow_activation()
        for status, words in ((UNREACHABLE, ['stop', 'one']), (OK, ['status']), (OK, ['sync', 'two']), (UNREACHABLE, ['discover', 'one'])):
            with self.subTest(words=words):
                self.gmcp(status, '--config', self.config, *words, config=False)
                self.assertEqual(self.daemons(), [])
                done = self.gmcp(OK if words[0] == 'stop' else status, *words, config=False)
                daemon, = self.daemons()
                if words[0] == 'stop':
                    self.assertIn('Server one stopped', done.stdout)
                wait_until(lambda: json.loads(self.gmcp(OK, 'status', '--json', config=False).stdout)['totalRunning'] == 1)
                os.kill(daemon, signal.SIGTERM)
                wait_until(lambda daemon=daemon: not is_running(daemon) and not self.servers())

    def test_followed_logs(self):
        """Who follows the logs of the session's servers has them run."""
        self.configure(one={'start': 'at-load'})
        self.allow_activation()
        following = self.run_beside([GMCP, 'logs', '--follow', 'one'], stdout=subprocess.PIPE, text=True)
        self.assertTrue(following.stdout.readline())
        daemon, = self.daemons()
        wait_until(self.servers)
        following.send_signal(signal.SIGINT)
        following.communicate(timeout=60)
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon) and not self.servers())

    def test_not_of_the_daemon(self):
        """What only the command has, and what nobody has, is told apart."""
        self.allow_activation()
        project = self.home / 'project'
        project.mkdir()
        (project / '.mcp.json').write_text(json.dumps({'mcpServers': {'own': self.describe()}}), encoding='utf-8')
        self.gmcp(OK, 'config', 'trust', '--yes', project / '.mcp.json', config=False)
        for command in 'start', 'stop':
            done = self.gmcp(USAGE, command, 'onee', config=False)
            self.assertIn('Server onee not configured', done.stderr)
            self.assertIn('Near to it: one', done.stderr)
            done = subprocess.run([GMCP, command, 'own'], env=self.env, cwd=project, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertIn('gmcp start --foreground own', done.stderr)
        daemon, = self.daemons()
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon))

    def test_enabled_again(self):
        """What is to run from the beginning runs when it is enabled again; what was stopped stays so when it is edited."""
        self.configure(one={'start': 'at-load'})
        self.allow_activation()
        self.gmcp(OK, 'status', config=False)
        wait_until(self.servers)
        daemon, = self.daemons()
        self.gmcp(OK, 'disable', 'one', config=False)
        wait_until(lambda: not self.servers())
        self.gmcp(OK, 'enable', 'one', config=False)
        wait_until(self.servers)
        self.gmcp(OK, 'stop', 'one', config=False)
        self.configure(one={'start': 'at-load', 'title': 'One'})
        wait_until(lambda: self.get('one', 'Title') == 'One')
        self.assertEqual(self.servers(), [])
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon))

    def test_daemon_that_ends(self):
        """The next one waits until the one before has stopped its servers."""
        self.configure(one={'start': 'manual', 'words': ['--linger'], 'shutdownTimeoutMs': 1500})
        self.allow_activation()
        pid = self.start('one', config=False)
        first, = self.daemons()
        os.kill(first, signal.SIGTERM)
        wait_until(lambda: ' ending' in (self.runtime / 'gmcp' / 'gmcpd.lock').read_text(encoding='utf-8'))
        wait_until(lambda: 'false' in self.run_gdbus('org.freedesktop.DBus.NameHasOwner', NAME, path='/org/freedesktop/DBus',
                                                     dest='org.freedesktop.DBus').stdout)
        self.start('one', config=False)
        self.assertFalse(is_running(pid))
        second, = self.daemons()
        self.assertNotEqual(second, first)
        os.kill(second, signal.SIGKILL)
        wait_until(lambda: not is_running(second) and not self.servers())

    def test_discover_waits(self):
        """For a server that the daemon starts."""
        late = self.home / 'late'
        self.configure(one={'start': 'at-load', 'words': ['--late', str(late)]})
        self.allow_activation()
        self.gmcp(OK, 'status', config=False)
        self.assertIn('Starting', self.gmcp(OK, 'status', config=False).stdout)
        asking = self.run_beside([GMCP, 'discover', 'one'], stdout=subprocess.PIPE, text=True)
        late.touch()
        self.assertIn('echo', asking.communicate(timeout=60)[0])
        daemon, = self.daemons()
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon) and not self.servers())

    def test_own_servers_stay_own(self):
        """A server that every program starts is not asked for in the daemon of the session."""
        self.configure(one={'words': ['--tools', 'pid']})
        self.allow_activation()
        pid = self.start('one', config=False)
        self.assertNotIn(str(pid), self.gmcp(OK, 'call', 'one.pid', '{}', config=False).stdout)
        daemon, = self.daemons()
        os.kill(daemon, signal.SIGTERM)
        wait_until(lambda: not is_running(daemon) and not self.servers())

    def test_daemon_that_fails(self):
        self.gmcpd_before, Session.gmcpd = Session.gmcpd, '/bin/false'
        self.addCleanup(setattr, Session, 'gmcpd', self.gmcpd_before)
        self.allow_activation()
        for command in 'start', 'stop':
            self.assertIn('org.gmcp.Manager1', self.gmcp(UNREACHABLE, command, 'one', config=False).stderr)
        # They go on without it.
        for status, words in ((OK, ['status']), (OK, ['sync', 'one']), (UNREACHABLE, ['discover', 'one'])):
            self.assertIn('The session bus cannot start gmcpd: ', self.gmcp(status, *words, config=False).stderr)

    def test_daemon_that_hangs(self):
        """Whoever can do without it waits a moment."""
        self.addCleanup(setattr, Session, 'gmcpd', self.gmcpd)
        Session.gmcpd = '/bin/sleep'
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in self.daemons()])
        self.allow_activation(1000)
        self.assertIn('cannot start gmcpd: it was not there within', self.gmcp(OK, 'status', config=False).stderr)

    def test_settings(self):
        """What gsettings changes takes effect in the daemon."""
        self.env['GSETTINGS_BACKEND'] = 'keyfile'
        (self.home / 'config' / 'glib-2.0' / 'settings').mkdir(parents=True)
        self.config.unlink()
        daemon = self.run_beside([self.gmcpd])
        wait_until(lambda: self.is_ready(daemon))
        server = 'org.gmcp.Server:/org/gmcp/servers/three/'
        self.gsettings(server, 'command', json.dumps([sys.executable, '-S', self.server, '--log', str(self.log)]).replace('"', "'"))
        self.gsettings('org.gmcp.Manager', 'servers', "['three']")
        wait_until(lambda: 'three' in self.run_gdbus('GetStatus').stdout)
        self.assertEqual(self.get('three', 'Source'), 'settings')
        self.server_method('three', 'Start')
        self.gsettings(server, 'title', 'Number three')
        wait_until(lambda: self.get('three', 'Title') == 'Number three')
        self.gdbus('AddServer', 'four', json.dumps(self.describe()), '{"store": <true>}')
        self.assertEqual(self.get('four', 'State'), 'ready')
        self.assertIn("'four'", subprocess.run(['gsettings', 'get', 'org.gmcp.Manager', 'servers'], env=self.env, check=True,
                                               capture_output=True, text=True).stdout)
        self.gdbus('RemoveServer', 'four', '{"store": <true>}')
        self.gsettings('org.gmcp.Manager', 'servers', '[]')
        wait_until(lambda: not self.servers())
        self.assertEqual(self.end_daemon(daemon), 0)

    def gsettings(self, schema, key, value):
        subprocess.run(['gsettings', 'set', schema, key, value], env=self.env, check=True, timeout=60)


if __name__ == '__main__':
    tap.main()

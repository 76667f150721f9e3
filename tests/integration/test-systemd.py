#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server with limits, which the systemd of the session starts, and the units of gmcpd and gmcp-tasks:
test-systemd.py GMCP CONFINED_SERVER GMCPD GMCP_TASKS UNITS

Root has one started for the test, which sees only a control group and processes of its own; else it is that of the
session, where there is one.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import tap

GMCP, SERVER, GMCPD, TASKS, UNITS = map(os.path.abspath, sys.argv[1:6])
INSIDE = 'GMCP_TEST_SYSTEMD'
SYSTEMD = '/usr/lib/systemd/systemd'
NAMESPACES = ['unshare', '--pid', '--fork', '--kill-child', '--mount', '--mount-proc', '--cgroup']


def wait_until(condition):
    while not condition():
        time.sleep(0.02)


def command_lines():
    for entry in pathlib.Path('/proc').glob('[0-9]*/cmdline'):
        try:
            yield int(entry.parent.name), entry.read_text(errors='replace')
        except (FileNotFoundError, ProcessLookupError):
            continue


class Systemd(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-systemd-')
        self.addCleanup(folder.cleanup)
        home = pathlib.Path(folder.name)
        self.word = str(home / 'word')
        self.config = home / 'mcp.json'
        server = {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--on-term', self.word],
                  'maxProcesses': 50, 'restartOnFailure': False}
        self.config.write_text(json.dumps({'mcpServers': {'one': server}}))
        self.env = {**os.environ, 'HOME': str(home), 'XDG_STATE_HOME': str(home / 'state')}

    def add_sandbox(self):
        config = json.loads(self.config.read_text(encoding='utf-8'))
        config['mcpServers']['one'].update(sandbox='read-only-home', writablePaths=[str(self.config.parent)])
        self.config.write_text(json.dumps(config), encoding='utf-8')

    def words(self, code):
        return [GMCP, '--config', str(self.config), 'call', '--json', 'one.look', json.dumps({'code': code})]

    def look(self, code, before=()):
        return subprocess.run([*before, *self.words(code)], env=self.env, capture_output=True, text=True,
                              timeout=100, check=False)

    def left(self):
        return [pid for pid, line in command_lines() if self.word in line and GMCP not in line]

    def test_is_service(self):
        done = self.look("[open('/proc/self/cgroup').read(), os.getcwd()]")
        self.assertEqual(done.returncode, 0, done.stderr)
        group, folder = json.loads(json.loads(done.stdout)['content'][0]['text'])
        self.assertRegex(group, r'gmcp-one-[0-9a-f]{8}\.service')
        self.assertNotEqual(folder, '/')
        wait_until(lambda: not self.left())

    @unittest.skipUnless(shutil.which('bwrap'), 'bubblewrap is not installed')
    def test_in_sandbox(self):
        """What bubblewrap is given goes all the way through systemd."""
        self.add_sandbox()
        done = self.look(f"[os.getpid() < 10, write('{self.word}'), reach('/run/systemd/private')]")
        self.assertIn('PermissionError', done.stdout, done.stderr)
        done = self.look(f"[os.getpid() < 10, write('{self.word}')]")
        self.assertEqual(json.loads(json.loads(done.stdout)['content'][0]['text']), [True, 'written'])

    def test_guard_is_killed(self):
        """What hides from its host does not hide from systemd."""
        done = self.look('[hide(), kill_guard()]')
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn('systemd of a user', done.stderr)
        wait_until(lambda: not self.left())

    def test_all_are_killed(self):
        process = subprocess.Popen(self.words('[hide(), burn()]'), env=self.env, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        wait_until(lambda: len(self.left()) == 2)
        server = min(self.left())
        guard = int(pathlib.Path(f'/proc/{server}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[1])
        process.send_signal(signal.SIGSTOP)
        os.kill(guard, signal.SIGKILL)
        process.kill()
        process.wait()
        wait_until(lambda: not self.left())

    def test_host_is_killed(self):
        process = subprocess.Popen(self.words('[hide(), burn()]'), env=self.env, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        wait_until(lambda: len(self.left()) == 2)
        process.kill()
        process.wait()
        wait_until(lambda: not self.left())

    @unittest.skipUnless(os.geteuid() == 0, 'only root can make a place of its own so easily')
    def test_elsewhere(self):
        """A program in a container whose systemd is outside."""
        done = self.look('1', before=['unshare', '--net'])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('outside of the container', done.stderr)
        self.assertFalse(self.left())


@unittest.skipUnless(os.environ.get(INSIDE) == 'own', 'the systemd of a real session is not given units')
class Units(unittest.TestCase):
    """As they are installed, but that the programs are those that were built."""
    ENVIRONMENT = ('LD_LIBRARY_PATH', 'GSETTINGS_SCHEMA_DIR', 'GSETTINGS_BACKEND', 'GMCP_MODULE_PATH', 'GMCP_LIBEXEC_DIR', 'G_DEBUG')

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-units-')
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.runtime = pathlib.Path(os.environ['XDG_RUNTIME_DIR'])
        units = self.runtime / 'systemd' / 'user'
        units.mkdir(parents=True, exist_ok=True)
        given = {name: os.environ[name] for name in self.ENVIRONMENT if name in os.environ}
        given |= {'HOME': str(self.home), **{f'XDG_{name}_HOME': str(self.home / name) for name in ('CONFIG', 'DATA', 'STATE', 'CACHE')}}
        lines = ''.join(f'Environment="{name}={value}"\n' for name, value in given.items())
        for path in pathlib.Path(UNITS).iterdir():
            text = path.read_text(encoding='utf-8')
            for program in (TASKS, GMCPD):
                text = re.sub(rf'ExecStart="[^"]*/{os.path.basename(program)}"', f'ExecStart="{program}"', text)
            (units / path.name).write_text(text.replace('[Service]\n', f'[Service]\n{lines}'), encoding='utf-8')
        self.systemctl('daemon-reload')

    def systemctl(self, *words):
        return subprocess.run(['systemctl', '--user', *words], capture_output=True, text=True, check=True, timeout=100).stdout.strip()

    def start(self, unit):
        self.systemctl('start', unit)
        self.addCleanup(self.systemctl, 'stop', unit)

    def connect(self, name):
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.settimeout(100)
        client.connect(str(self.runtime / 'gmcp' / name))
        lines = client.makefile('rw', encoding='utf-8')
        self.addCleanup(lines.close)
        return lines

    def ask(self, lines, method, **params):
        meta = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}
        lines.write(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params | {'_meta': meta}}) + '\n')
        lines.flush()
        while (answer := json.loads(lines.readline())).get('id') != 1:
            pass
        return answer['result']

    @unittest.skipUnless(os.access(TASKS, os.X_OK), 'gmcp-tasks is not built')
    def test_tasks(self):
        """What the service may not do is nothing that it needs, whatever it is asked."""
        self.start('gmcp-tasks.socket')
        self.assertEqual(self.systemctl('show', '-P', 'ActiveState', 'gmcp-tasks.service'), 'inactive')
        lines = self.connect('tasks.sock')
        self.addCleanup(self.systemctl, 'stop', 'gmcp-tasks.service')
        made = self.ask(lines, 'tools/call', name='create_task', arguments={'title': 'Water the plants'})['structuredContent']
        self.assertTrue(made['success'], made)
        self.assertEqual(self.ask(lines, 'tools/call', name='list_tasks', arguments={})['structuredContent']['data']['total'], 1)
        self.assertIn('tasks://', json.dumps(self.ask(lines, 'resources/list')))
        self.systemctl('stop', 'gmcp-tasks.service')
        self.assertEqual(self.systemctl('show', '-P', 'Result', 'gmcp-tasks.service'), 'success')
        # The socket is there still, and what was said to be kept.
        lines = self.connect('tasks.sock')
        self.assertEqual(self.ask(lines, 'tools/call', name='list_tasks', arguments={})['structuredContent']['data']['total'], 1)

    def configure(self):
        """The session's daemon has one server, which is this program."""
        config = self.home / 'CONFIG' / 'mcp'
        config.mkdir(parents=True)
        server = pathlib.Path(SERVER).with_name('managed-server.py')
        (config / 'mcp.json').write_text(json.dumps({'mcpServers': {'one': {
            'command': '/usr/bin/python3', 'args': ['-S', str(server), '--tools', 'echo']}}}), encoding='utf-8')
        return server

    def gmcp(self, *words):
        env = {**os.environ, 'HOME': str(self.home), **{f'XDG_{name}_HOME': str(self.home / name) for name in ('CONFIG', 'DATA', 'STATE', 'CACHE')}}
        return subprocess.run([GMCP, *words], env=env, capture_output=True, text=True, timeout=100, check=True).stdout

    def test_command_line(self):
        """A command that goes to the daemon starts it by its socket, and where there is none by the bus."""
        self.configure()
        self.start('gmcpd.socket')
        self.addCleanup(self.systemctl, 'stop', 'gmcpd.service')
        self.assertIn('Server healthy', self.gmcp('start', 'one'))
        first = self.systemctl('show', '-P', 'MainPID', 'gmcpd.service')
        self.assertTrue(json.loads(self.gmcp('status', '--json'))['servers'][0]['inDaemon'])
        self.systemctl('stop', 'gmcpd.service')
        self.assertFalse(json.loads(self.gmcp('status', '--json'))['servers'][0]['inDaemon'])
        self.assertNotIn(self.systemctl('show', '-P', 'MainPID', 'gmcpd.service'), (first, '0'))
        self.systemctl('stop', 'gmcpd.service', 'gmcpd.socket')
        self.assertFalse((self.runtime / 'gmcp' / 'control').exists())

        services = self.runtime / 'dbus-1' / 'services'
        services.mkdir(parents=True, exist_ok=True)
        shutil.copy(pathlib.Path(UNITS).with_name('dbus') / 'org.gmcp.Manager1.service', services)
        subprocess.run(['busctl', '--user', 'call', 'org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'ReloadConfig'], check=True)
        self.assertIn('Server one stopped', self.gmcp('stop', 'one'))
        self.assertEqual(self.systemctl('show', '-P', 'ActiveState', 'gmcpd.service'), 'active')

    def test_daemon(self):
        """Either socket starts the one daemon of the session, which is on the bus then."""
        server = self.configure()
        for unit in ('gmcpd.socket', 'gmcpd-gateway.socket'):
            self.start(unit)
        self.addCleanup(self.systemctl, 'stop', 'gmcpd.service')
        lines = self.connect('gateway')
        self.assertEqual([tool['name'] for tool in self.ask(lines, 'tools/list')['tools']], ['one__echo'])
        self.assertEqual(self.systemctl('show', '-P', 'ActiveState', 'gmcpd.service'), 'active')
        pid = self.systemctl('show', '-P', 'MainPID', 'gmcpd.service')
        listed = subprocess.run(['busctl', '--user', 'list', '--no-legend'], capture_output=True, text=True, check=True).stdout
        self.assertIn(pid, next(line for line in listed.splitlines() if line.startswith('org.gmcp.Manager1')).split())
        self.systemctl('stop', 'gmcpd.service')
        self.assertEqual(self.systemctl('show', '-P', 'Result', 'gmcpd.service'), 'success')
        self.assertFalse([line for _, line in command_lines() if str(server) in line])


def find_control_groups():
    for line in pathlib.Path('/proc/self/mountinfo').read_text(encoding='utf-8').splitlines():
        fields = line.split()
        kind = fields[fields.index('-') + 1:]
        if kind[0] == 'cgroup2' and 'rw' in fields[5].split(','):
            return pathlib.Path(fields[4])
    return None


def run_beside_own():
    """Runs the tests in a control group and namespaces of their own; None where that is not allowed."""
    groups = find_control_groups()
    if os.geteuid() != 0 or groups is None or not os.access(SYSTEMD, os.X_OK) or not shutil.which('unshare'):
        return None
    group = groups / f'gmcp-test-{os.getpid()}'
    try:
        group.mkdir()
    except OSError:
        return None
    try:
        def enter():
            (group / 'cgroup.procs').write_text('0', encoding='utf-8')
        if subprocess.run([*NAMESPACES, 'true'], preexec_fn=enter, stderr=subprocess.DEVNULL, check=False).returncode:
            return None
        return subprocess.run([*NAMESPACES, sys.executable, *sys.argv], preexec_fn=enter,
                              env={**os.environ, INSIDE: 'own'}, check=False).returncode
    finally:
        for folder in sorted(group.rglob('*/'), reverse=True):
            folder.rmdir()
        group.rmdir()


def start_own():
    """A systemd for a user's session that can touch nothing but what is in here."""
    assert '\n0::/\n' in '\n' + pathlib.Path('/proc/self/cgroup').read_text(encoding='utf-8')
    assert len(list(pathlib.Path('/proc').glob('[0-9]*'))) < 5
    subprocess.run(['mount', '-t', 'cgroup2', 'none', '/sys/fs/cgroup'], check=True)
    subprocess.run(['mount', '-t', 'tmpfs', 'none', '/run'], check=True)
    os.makedirs('/run/systemd/system')
    os.makedirs('/run/user/0', mode=0o700)
    os.environ['XDG_RUNTIME_DIR'] = '/run/user/0'
    os.environ['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/run/user/0/bus'
    process = subprocess.Popen([SYSTEMD, '--user'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: process.poll() is not None or is_there())
    assert process.poll() is None


def is_there():
    done = subprocess.run(['gdbus', 'call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/',
                           '--method', 'org.freedesktop.DBus.ListNames'], capture_output=True, text=True, check=False)
    return 'org.freedesktop.systemd1' in done.stdout


if os.environ.get(INSIDE) == 'own':
    start_own()
    tap.main()
else:
    code = run_beside_own()
    if code is not None:
        sys.exit(code)
    if not os.path.exists('/run/systemd/system') or not is_there():
        print('1..0 # SKIP no systemd runs a session here, and none could be started for the test')
        sys.exit(0)
    tap.main()

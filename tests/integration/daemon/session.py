# SPDX-License-Identifier: LGPL-2.1-or-later
"""A session of its own for a test of gmcpd: folders, a configuration, servers that write a log, and processes that end with
the test."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))


def wait_until(condition):
    """The time limit is that of the test. To look is work, too."""
    pause_s = 0.01
    while not condition():
        time.sleep(pause_s)
        pause_s = min(1.5 * pause_s, 0.1)


def is_running(pid):
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[0] not in 'ZX'
    except (FileNotFoundError, ProcessLookupError):
        return False


def processes_with(word):
    """Those that have not ended and have the word in their command line."""
    found = []
    for entry in pathlib.Path('/proc').glob('[0-9]*'):
        try:
            words = (entry / 'cmdline').read_bytes().decode(errors='replace').split('\0')
        except (FileNotFoundError, ProcessLookupError):
            continue
        if word in words and is_running(int(entry.name)):
            found.append(int(entry.name))
    return sorted(found)


def processes_of(variable):
    """Those that have not ended and have it in their environment."""
    found = []
    for entry in pathlib.Path('/proc').glob('[0-9]*/environ'):
        try:
            words = entry.read_bytes().decode(errors='replace').split('\0')
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if variable in words and is_running(int(entry.parent.name)):
            found.append(int(entry.parent.name))
    return found


class Session(unittest.TestCase):
    gmcpd = server = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcpd-')
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name).resolve()
        self.runtime = self.home / 'run'
        self.runtime.mkdir(mode=0o700)
        self.config = self.home / 'mcp.json'
        self.log = self.home / 'log'
        self.env = {**os.environ, 'LC_ALL': 'C.UTF-8', 'HOME': str(self.home), 'XDG_RUNTIME_DIR': str(self.runtime),
                    **{f'XDG_{name}_HOME': str(self.home / name.lower()) for name in ('STATE', 'CACHE', 'CONFIG', 'DATA')}}
        self.env.pop('DBUS_SESSION_BUS_ADDRESS', None)
        # What was killed has children that end after it, and write until then.
        self.addCleanup(wait_until, lambda: not processes_of(f'XDG_RUNTIME_DIR={self.runtime}') and not self.servers())
        self.configure(one={})

    def configure(self, **servers):
        self.config.write_text(json.dumps({'mcpServers': {name: self.describe(**more) for name, more in servers.items()}}))

    def withhold(self, **servers):
        """The servers are the user's, and tools that change are withheld; a file that is named says nothing of that."""
        self.configure(**servers)
        folder = self.home / 'config'
        self.env['GSETTINGS_BACKEND'] = 'keyfile'
        for path, text in ((folder / 'mcp' / 'mcp.json', self.config.read_text()),
                           (folder / 'glib-2.0' / 'settings' / 'keyfile', "[org/gmcp]\npin-policy='withhold'\n")):
            path.parent.mkdir(parents=True)
            path.write_text(text)
        self.config.unlink()

    def describe(self, words=(), **more):
        if 'command' in more:
            return {**more, 'args': words}
        return {'command': sys.executable, 'args': ['-S', self.server, '--log', str(self.log), *words], **more}

    def run_beside(self, words, **more):
        process = subprocess.Popen([str(word) for word in words], **{'env': self.env, **more})

        def end():
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()
        self.addCleanup(end)
        return process

    def start_daemon(self, *words, **more):
        """gmcpd with the configuration, or that of the session where there is none, once it can be reached."""
        config = ['--config', self.config] if self.config.exists() else []
        daemon = self.run_beside([self.gmcpd, *config, *words], **more)
        wait_until(lambda: daemon.poll() is not None or self.is_ready(daemon))
        self.assertIsNone(daemon.poll())
        return daemon

    def is_ready(self, daemon):
        lock = self.runtime / 'gmcp' / 'gmcpd.lock'
        if not lock.exists() or lock.read_text(encoding='utf-8').strip() != str(daemon.pid):
            return False
        return self.takes_clients('control')

    def takes_clients(self, name):
        """A daemon that was killed leaves its sockets' files."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.runtime / 'gmcp' / name)) == 0

    def end_daemon(self, daemon, sign=signal.SIGTERM):
        daemon.send_signal(sign)
        return daemon.wait()

    def daemons(self):
        """Those of this session alone."""
        own = processes_of(f'XDG_RUNTIME_DIR={self.runtime}')
        return [pid for pid in processes_with(str(self.gmcpd)) if pid in own]

    def servers(self):
        """The processes of servers that write to the log."""
        return [pid for pid in processes_with(str(self.log)) if pid not in processes_with('--config')]


BUS = '''<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <limit name="service_start_timeout">600000</limit>
  <policy context="default"><allow send_destination="*"/><allow eavesdrop="false"/><allow own="*"/></policy>
</busconfig>
'''
NAME = 'org.gmcp.Manager1'
PATH = '/org/gmcp/Manager1'
# What a sandbox of Flatpak's has in its root; the rest of the file system is there.
SANDBOX = ['bwrap', '--dev', '/dev', '--proc', '/proc', '--bind', '/tmp', '/tmp', '--ro-bind', '/etc', '/etc', '--ro-bind', '/usr', '/usr',
           *(word for name in ('bin', 'lib', 'lib64') if os.path.islink(f'/{name}') for word in ('--symlink', f'usr/{name}', f'/{name}')),
           '--ro-bind', str(pathlib.Path(__file__).with_name('flatpak-info')), '/.flatpak-info']


class BusSession(Session):
    """With a session bus, which starts gmcpd where the test says so."""
    def setUp(self):
        super().setUp()
        self.services = self.home / 'services'
        self.services.mkdir()
        self.configure(one={'start': 'manual', 'words': ['--tools', 'echo']}, two={})
        self.start_bus()

    def start_bus(self):
        path = self.runtime / 'bus'
        conf = self.home / 'bus.conf'
        conf.write_text(BUS.format(socket=path, services=self.services))
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={path}'
        self.bus = self.run_beside(['dbus-daemon', f'--config-file={conf}', '--nofork'], stderr=subprocess.DEVNULL)
        wait_until(path.exists)

    def allow_activation(self, *words):
        """The bus keeps the environment that it was started with."""
        line = ' '.join(map(str, [self.gmcpd, *words]))
        (self.services / f'{NAME}.service').write_text(f'[D-BUS Service]\nName={NAME}\nExec={line}\n')
        self.gdbus('org.freedesktop.DBus.ReloadConfig', path='/org/freedesktop/DBus', dest='org.freedesktop.DBus')

    def run_gdbus(self, method, *words, path=PATH, dest=NAME, before=(), timeout=60):
        method = method if '.' in method else f'{NAME}.{method}'
        return subprocess.run([*before, 'gdbus', 'call', '--session', '--dest', dest, '--object-path', path, '--timeout', str(timeout),
                               '--method', method, '--', *map(str, words)], env=self.env, capture_output=True, text=True,
                              timeout=100, check=False)

    def gdbus(self, method, *words, **more):
        """What gdbus prints."""
        done = self.run_gdbus(method, *words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def refuse(self, error, method, *words, **more):
        """What it says where the call fails with that error."""
        done = self.run_gdbus(method, *words, **more)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn(error, done.stderr)
        return done.stderr

    def server_method(self, server, method, *words, **more):
        return self.gdbus(f'{NAME}.Server.{method}', *words, path=f'{PATH}/servers/{server}', **more)

    def busctl(self, *words):
        done = subprocess.run(['busctl', '--json=short', f'--address={self.env["DBUS_SESSION_BUS_ADDRESS"]}', *map(str, words)],
                              env=self.env, capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if done.stdout.strip() else None

    def get(self, server, name):
        return self.busctl('get-property', NAME, f'{PATH}/servers/{server}', f'{NAME}.Server', name)['data']

    def is_ready(self, daemon):
        done = self.run_gdbus('org.freedesktop.DBus.GetConnectionUnixProcessID', NAME, path='/org/freedesktop/DBus', dest='org.freedesktop.DBus')
        return f'(uint32 {daemon.pid},)' in done.stdout

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host with seven real servers, while this process kills them, suspends them, edits the configuration, a file
and GSettings, and fills the disk of the logs: test-killer.py KILLER_HOST TOOLS_SERVER [GMCP_TASKS]

GMCP_KILLER_SECONDS says how long (10), GMCP_KILLER_SEED which random numbers are drawn; the seed is printed.
GMCP_KILLER_WRAP is a command line before the host's, such as valgrind's; GMCP_KILLER_KEEP keeps the log of a good
run too. What the host looks at is said in
killer/killer-host.c; here it is seen to that no process is left.
"""
import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
HOST, TOOLS = map(os.path.abspath, sys.argv[1:3])
TASKS = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
NODE = os.environ.get('GMCP_TEST_NODE', '')
MODULES = pathlib.Path(os.environ.get('GMCP_TEST_NODE_MODULES') or '/nonexistent')
EVERYTHING = MODULES / '@modelcontextprotocol/server-everything/dist/index.js'
FILES = MODULES / '@modelcontextprotocol/server-filesystem/dist/index.js'
SECONDS = int(os.environ.get('GMCP_KILLER_SECONDS') or 10)
SEED = int(os.environ.get('GMCP_KILLER_SEED') or random.SystemRandom().randrange(2 ** 31))
WRAP = os.environ.get('GMCP_KILLER_WRAP', '').split()
RUN = str(uuid.uuid4())
FULL_BYTES = 1024 * 1024
RNG = random.Random(SEED)
BEGIN = time.monotonic()


def say(text):
    print(f'# {time.monotonic() - BEGIN:7.2f} {text}', flush=True)


def mount_small_disk(folder):
    """A file system of our own that can be full, in name spaces of our own; FALSE where that is not allowed."""
    CLONE_NEWNS, CLONE_NEWUSER, MS_REC, MS_PRIVATE = 0x20000, 0x10000000, 0x4000, 0x40000
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if uid != 0 else 0)) != 0:
        return False
    if uid != 0:
        pathlib.Path('/proc/self/setgroups').write_text('deny')
        pathlib.Path('/proc/self/uid_map').write_text(f'{uid} {uid} 1')
        pathlib.Path('/proc/self/gid_map').write_text(f'{gid} {gid} 1')
    return (libc.mount(b'none', b'/', None, MS_REC | MS_PRIVATE, None) == 0
            and libc.mount(b'none', os.fsencode(folder), b'tmpfs', 0, f'size={FULL_BYTES}'.encode()) == 0)


class Disk:
    """The file system of the logs, of the audit log and of what is remembered: it is full at times."""

    def __init__(self, folder):
        self.folder = folder
        self.folder.mkdir()
        self.mounted = mount_small_disk(folder)
        self.host = None
        say('the small disk is a tmpfs' if self.mounted else 'the small disk is a limit on the size of files')

    def fill(self):
        if not self.mounted:
            resource.prlimit(self.host, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            return
        with open(self.folder / 'filler', 'ab', buffering=0) as file:
            for size in (4096, 1):
                try:
                    while True:
                        file.write(b'x' * size)
                except OSError:
                    pass

    def free(self):
        if not self.mounted:
            resource.prlimit(self.host, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            return
        (self.folder / 'filler').unlink(missing_ok=True)
        # It is small: what was written so far makes room.
        for path in self.folder.glob('**/*.log.*'):
            path.unlink()


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as taken:
        return taken.getsockname()[1]


class WebServer:
    def __init__(self):
        self.port = free_port()
        self.start()

    def start(self):
        for _ in range(20):
            self.process = subprocess.Popen(
                [NODE, str(EVERYTHING), 'streamableHttp'], env=dict(os.environ, PORT=str(self.port), GMCP_KILLER_RUN=RUN),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for line in self.process.stderr:
                if f'port {self.port}' in line and 'Failed' not in line:
                    threading.Thread(target=self.process.stderr.read, daemon=True).start()
                    return
            self.process.wait()
            time.sleep(0.2)
        raise RuntimeError('server-everything does not listen')

    def stop(self):
        self.process.kill()
        self.process.wait()


class Storm:
    def __init__(self, folder):
        self.folder = folder
        self.disk = Disk(folder / 'small')
        self.config = folder / 'mcp.json'
        self.settings = folder / 'settings' / 'keyfile'
        self.settings.parent.mkdir()
        self.web = WebServer()
        self.servers = self.make_servers()
        # These stand in the settings.
        self.set_servers = {name: self.servers.pop(name) for name in ('modern', 'tools')}
        self.write(self.servers)
        self.write_settings(*self.make_settings())
        self.suspended = {}
        self.count = {}
        self.guards = set()  # that were seen: number and time of start

        logs = self.disk.folder / 'logs' / 'gmcp' / 'servers'
        logs.mkdir(parents=True)
        os.mkfifo(logs / 'loud.log')
        # Somebody has it open, and reads nothing.
        self.fifo = os.open(logs / 'loud.log', os.O_RDWR)

    def make_servers(self):
        work = self.folder / 'work'
        work.mkdir()
        (work / 'note.txt').write_text('remember the milk\n' * 100)
        servers = {
            'everything': {'command': NODE, 'args': [str(EVERYTHING), 'stdio']},
            'files': {'command': NODE, 'args': [str(FILES), str(work)]},
            'modern': {'command': NODE, 'args': [str(HERE.parent / 'servers/modern-server.mjs')]},
            'tools': {'command': TOOLS},
            # One that starts others, and prints all the time.
            'loud': {'command': '/bin/sh', 'args': [
                '-c', 'while sleep 0.02; do echo "it is loud here, and nobody reads it: $$" >&2; done & exec "$@"', 'sh',
                '/usr/bin/python3', '-S', str(HERE.parent / 'servers/managed-server.py'), '--tools', 'echo,pid,wait,add']},
            'web': {'url': f'http://127.0.0.1:{self.web.port}/mcp'},
        }
        if TASKS:
            servers['tasks'] = {'command': TASKS}
        for server in servers.values():
            server |= {'healthIntervalMs': 10000, 'healthTimeoutMs': 2000, 'maxRestartAttempts': 10, 'shutdownTimeoutMs': 2000}
            if 'command' in server:
                server['env'] = {'GMCP_KILLER_RUN': RUN, 'GMCP_TEST_NODE_MODULES': str(MODULES),
                                 'XDG_DATA_HOME': str(self.folder / 'data')}
        return servers

    def calls(self):
        lines = [
            ('everything', 'echo', {'message': 'hello'}), ('everything', 'get-sum', {'a': 1, 'b': 2}),
            ('everything', 'trigger-long-running-operation', {'duration': 0.3, 'steps': 3}),
            ('files', 'read_text_file', {'path': str(self.folder / 'work/note.txt')}),
            ('files', 'list_directory', {'path': str(self.folder / 'work')}),
            ('modern', 'echo', {'text': 'hello'}), ('modern', 'count', {'steps': 5}),
            ('tools', 'echo', {'text': 'hello'}), ('tools', 'add', {'a': 1, 'b': 2}),
            ('loud', 'echo', {'text': 'hello'}), ('loud', 'pid', {}),
            ('web', 'echo', {'message': 'hello'}), ('web', 'get-tiny-image', {}),
        ]
        if TASKS:
            lines += [('tasks', 'list_tasks', {})]
        return ''.join(f'{server}\t{tool}\t{"settings" if server in self.set_servers else "file"}\t{json.dumps(arguments)}\n'
                       for server, tool, arguments in lines)

    def write(self, servers, cut=None, settings=None):
        # Of the servers in the settings, too, which have no key for it.
        text = json.dumps({'mcpServers': servers, 'mcp_settings': {'max_restart_attempts': 10} | (settings or {})})
        new = self.config.with_suffix('.new')
        new.write_text(text[:cut])
        new.rename(self.config)

    @staticmethod
    def text_of(value):
        """As GVariant has it."""
        if isinstance(value, bool):
            return 'true' if value else 'false'
        if isinstance(value, int):
            return f'uint32 {value}'
        if isinstance(value, dict):
            return '{' + ', '.join(f'{json.dumps(key)}: {json.dumps(text)}' for key, text in value.items()) + '}'
        return json.dumps(value)

    def make_settings(self):
        """What holds for all servers, and the keys of each; the numbers are those of the file."""
        everywhere = {'call-timeout-ms': 5000, 'health-interval-ms': 10000, 'shutdown-timeout-ms': 2000,
                      'servers': sorted(self.set_servers)}
        servers = {name: {'enabled': True, 'command': [server['command'], *server.get('args', [])],
                          'environment': server['env'], 'health-timeout-ms': 2000}
                   for name, server in self.set_servers.items()}
        return everywhere, servers

    def write_settings(self, everywhere, servers, cut=None):
        groups = {'org/gmcp': everywhere} | {f'org/gmcp/servers/{name}': keys for name, keys in servers.items()}
        text = ''.join(f'[{group}]\n' + ''.join(f'{key}={self.text_of(value)}\n' for key, value in keys.items())
                       for group, keys in groups.items())
        new = self.settings.with_suffix('.new')
        new.write_text(text[:cut])
        new.rename(self.settings)

    # Processes are named by descriptors, so that no number can be another's.

    def open_processes(self):
        """(guards, all that they have started), each as a pair of number and descriptor."""
        parents, begun = {}, {}
        for path in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                fields = read_stat(path)
                parents[int(path.name)], begun[int(path.name)] = int(fields[1]), fields[19]
            except (OSError, IndexError):
                continue
        guards, servers = [], []
        for pid, parent in parents.items():
            ancestors = []
            while parent > 1 and parent in parents:
                ancestors.append(parent)
                parent = parents[parent]
            if self.host in ancestors:
                (guards if ancestors[0] == self.host else servers).append(pid)
        self.guards.update((pid, begun[pid]) for pid in guards)
        return guards, servers

    def signal(self, pid, number):
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            return
        try:
            # It is still the one that was found.
            if self.is_ours(pid):
                signal.pidfd_send_signal(descriptor, number)
        except OSError:
            pass
        finally:
            os.close(descriptor)

    def is_ours(self, pid):
        path = pathlib.Path(f'/proc/{pid}')
        if f'GMCP_KILLER_RUN={RUN}' in (path / 'environ').read_text(errors='replace'):
            return True
        # A guard has an empty environment.
        return (path / 'comm').read_text() == 'gmcp-guard\n' and f'\nPPid:\t{self.host}\n' in (path / 'status').read_text()

    def one_of(self, pids):
        return RNG.choice(sorted(pids)) if pids else None

    def suspend(self, pid):
        if pid is not None:
            self.signal(pid, signal.SIGSTOP)
            self.suspended[pid] = time.monotonic() + RNG.choice([0.2, 1, 4, 15])

    def resume(self, everything=False):
        for pid, until in list(self.suspended.items()):
            if everything or time.monotonic() >= until:
                del self.suspended[pid]
                self.signal(pid, signal.SIGCONT)

    # What goes wrong.

    def kill_server(self):
        if (pid := self.one_of(self.open_processes()[1])) is not None:
            self.signal(pid, RNG.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]))

    def kill_guard(self):
        if (pid := self.one_of(self.open_processes()[0])) is not None:
            self.signal(pid, signal.SIGKILL)

    def suspend_server(self):
        self.suspend(self.one_of(self.open_processes()[1]))

    def suspend_guard(self):
        self.suspend(self.one_of(self.open_processes()[0]))

    def kill_web(self):
        self.web.stop()
        time.sleep(RNG.choice([0, 0.5]))
        self.web.start()

    def suspend_web(self):
        self.suspend(self.web.process.pid)

    def toggle_disk(self):
        if RNG.random() < 0.6:
            self.disk.fill()
        else:
            self.disk.free()

    def edit(self):
        servers = json.loads(json.dumps(self.servers))
        name = RNG.choice(sorted(servers))
        settings = {}
        kind = RNG.choice(['variable', 'variable', 'remove', 'disable', 'cut', 'same', 'none', 'broken', 'slow', 'gone', 'numbers', 'numbers', 'bad'])
        if kind == 'variable' and 'env' in servers[name]:
            servers[name]['env']['GMCP_KILLER_NUMBER'] = str(RNG.random())
        elif kind == 'remove':
            del servers[name]
        elif kind == 'disable':
            servers[name]['disabled'] = True
        elif kind == 'none':
            servers = {}
        elif kind == 'broken':
            servers[name] = {'command': ['a', 1], 'args': {}, 'env': 'none'}
        elif kind == 'gone':
            servers['gone'] = {'command': '/does/not/exist', 'start': 'at-load'}
        elif kind in ('numbers', 'bad'):
            for key in RNG.sample(sorted(self.NUMBERS), 4):
                low, high = self.NUMBERS[key]
                settings[key] = RNG.randint(low, high) if kind == 'numbers' else RNG.choice(['many', 4294967295, True])
        if kind == 'slow':
            text = json.dumps({'mcpServers': servers})
            with open(self.config, 'w', encoding='utf-8') as file:
                for at in range(0, len(text), len(text) // 4):
                    file.write(text[at:at + len(text) // 4])
                    file.flush()
                    time.sleep(0.1)
        else:
            self.write(servers, cut=RNG.randrange(400) if kind == 'cut' else None, settings=settings)
        # Mostly it is put right soon.
        if RNG.random() < 0.8:
            time.sleep(RNG.choice([0.01, 0.4, 1]))
            self.write(self.servers)

    # Numbers of all servers in a file, and in the settings, with values that are allowed; others are tried too.
    NUMBERS = {'max_health_failures': (1, 4), 'restart_delay_seconds': (1, 2), 'restart_jitter_percent': (0, 100),
               'restart_wait_seconds': (0, 20), 'failed_start_delay_seconds': (0, 2), 'max_calls': (1, 20),
               'max_queued_calls': (100, 400), 'list_ttl_seconds': (0, 60), 'max_cache_bytes': (0, 100000),
               'max_log_bytes': (4096, 100000), 'max_log_files': (1, 5), 'load_wait_seconds': (0, 20),
               'max_result_bytes': (1024, 8000000)}
    SETTINGS = {'startup-timeout-ms': (5000, 60000), 'shutdown-timeout-ms': (1000, 5000), 'health-interval-ms': (10000, 30000)}

    def edit_settings(self):
        everywhere, servers = self.make_settings()
        name = RNG.choice(sorted(servers))
        kind = RNG.choice(['numbers', 'numbers', 'bad', 'variable', 'server', 'disable', 'remove', 'unlisted', 'cut', 'none'])
        if kind in ('numbers', 'bad'):
            for key in RNG.sample(sorted(self.SETTINGS), 2):
                low, high = self.SETTINGS[key]
                everywhere[key] = RNG.randint(low, high) if kind == 'numbers' else RNG.choice(['many', 4294967295, True])
        elif kind == 'variable':
            servers[name]['environment'] = servers[name]['environment'] | {'GMCP_KILLER_NUMBER': str(RNG.random())}
        elif kind == 'server':
            servers[name]['health-timeout-ms'] = RNG.choice([1000, 2000, 3000, 5, 'soon'])
            servers[name]['startup-timeout-ms'] = RNG.choice([0, 1000, 20000])
        elif kind == 'disable':
            servers[name]['enabled'] = False
        elif kind == 'remove':
            del servers[name]
            everywhere['servers'].remove(name)
        elif kind == 'unlisted':
            everywhere['servers'] = RNG.choice([[], ['Bad Id', name, name], 'text', ['gone', name]])
        elif kind == 'none':
            everywhere, servers = {'call-timeout-ms': 5000}, {}
        self.write_settings(everywhere, servers, cut=RNG.randrange(400) if kind == 'cut' else None)
        if RNG.random() < 0.8:
            time.sleep(RNG.choice([0.01, 0.4, 1]))
            self.write_settings(*self.make_settings())

    ACTIONS = {'kill_server': 40, 'suspend_server': 15, 'edit': 8, 'edit_settings': 8, 'toggle_disk': 8, 'kill_guard': 6, 'suspend_guard': 5,
               'kill_web': 4, 'suspend_web': 4}

    def rage(self, ended):
        while not ended.wait(RNG.uniform(0.05, 0.8)):
            name = RNG.choices(list(self.ACTIONS), weights=self.ACTIONS.values())[0]
            self.count[name] = self.count.get(name, 0) + 1
            getattr(self, name)()
            self.resume()

    def calm(self):
        self.resume(everything=True)
        self.disk.free()
        self.write(self.servers)
        self.write_settings(*self.make_settings())

    def worsen(self):
        """It stays so until the host has gone."""
        self.disk.fill()
        guards, servers = self.open_processes()
        for pid in RNG.sample(servers, min(3, len(servers))) + RNG.sample(guards, min(1, len(guards))):
            self.signal(pid, signal.SIGSTOP)
        self.suspend(self.web.process.pid)

    def run(self):
        (self.folder / 'calls').write_text(self.calls())
        env = dict(os.environ, XDG_STATE_HOME=str(self.disk.folder / 'logs'), XDG_CACHE_HOME=str(self.disk.folder / 'cache'),
                   XDG_RUNTIME_DIR=str(self.folder), HOME=str(self.folder), GMCP_KILLER_RUN=RUN, LC_ALL='C.UTF-8')
        log = open(self.folder / 'host.log', 'wb')
        host = subprocess.Popen(
            [*WRAP, HOST, str(self.config), str(self.folder / 'calls'), str(SECONDS), str(SEED), str(self.settings)], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1)
        self.host = self.disk.host = host.pid
        ended = threading.Event()
        raging = threading.Thread(target=self.rage, args=[ended])
        report = None
        for line in host.stdout:
            line = line.strip()
            say(f'host: {line}')
            if line == 'storm':
                raging.start()
            elif line == 'calm':
                ended.set()
                raging.join()
                self.calm()
            elif line == 'worse':
                self.worsen()
            elif line.startswith('{'):
                report = json.loads(line)
                continue
            host.stdin.write('go on\n')
        ended.set()
        host.wait()
        if raging.ident:
            raging.join()
        return host.returncode, report


def read_stat(path):
    """What /proc/PID/stat says after the name."""
    return (path / 'stat').read_text().rpartition(')')[2].split()


def find_left(guards):
    """Processes of this run that are still there."""
    left = []
    for path in pathlib.Path('/proc').glob('[0-9]*'):
        try:
            ours = (f'GMCP_KILLER_RUN={RUN}' in (path / 'environ').read_text(errors='replace')
                    or (int(path.name), read_stat(path)[19]) in guards)
            if int(path.name) != os.getpid() and ours:
                left.append(f'{path.name}: {(path / "cmdline").read_text().replace(chr(0), " ")}')
        except OSError:
            continue
    return left


def main():
    print('1..2', flush=True)
    if not (NODE and EVERYTHING.exists() and FILES.exists()):
        for i in (1, 2):
            print(f'ok {i} # SKIP the npm packages of tests/package.json are not installed')
        return 0
    say(f'GMCP_KILLER_SEED={SEED} GMCP_KILLER_SECONDS={SECONDS}')
    folder = pathlib.Path(tempfile.mkdtemp(prefix='gmcp-killer-'))
    storm = Storm(folder)
    try:
        status, report = storm.run()
    finally:
        storm.web.stop()
    say(f'what went wrong: {storm.count}')
    log = (folder / 'host.log').read_text(errors='replace').splitlines()
    good = status == 0 and report is not None and report['calls'] > SECONDS
    if not good:
        own = [line for line in log if line.startswith(('WRONG', 'The ', 'One turn', '  ', 'closed', 'close:'))]
        notices = [line for line in log if line.startswith('notice: ')]
        # What shows the end of it only shows what was wrong; what a crash says comes last of all.
        last = [line for line in log[-200:] if line not in own and line not in notices]
        for line in ['... the last notices:', *notices[-30:], *own[-100:], '... the last of the rest:', *last[-12:]]:
            say(line[:400])
    print(f'{"ok" if good else "not ok"} 1 - killer: every call ends, nothing waits, nothing leaks '
          f'(host ended with {status}, seed {SEED})', flush=True)

    # What the kernel kills is gone a little later.
    end = time.monotonic() + 5
    while (left := find_left(storm.guards)) and time.monotonic() < end:
        time.sleep(0.05)
    for line in left:
        say(f'left: {line}')
    print(f'{"not ok" if left else "ok"} 2 - killer: no process is left', flush=True)
    if good and not left and 'GMCP_KILLER_KEEP' not in os.environ:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        say(f'all of it: {folder}')
    return 0 if good and not left else 1


if __name__ == '__main__':
    sys.exit(main())

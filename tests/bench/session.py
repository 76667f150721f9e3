# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the session costs: its daemon, and many hosts that use the same servers with and without it."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import uuid

PROCESSES = pathlib.Path('/proc')


def memory_of(pid):
    """The share of it in pages that several have, too; in bytes."""
    for line in (PROCESSES / str(pid) / 'smaps_rollup').read_text().splitlines():
        if line.startswith('Pss:'):
            return int(line.split()[1]) * 1024
    raise RuntimeError('no Pss')


def resident_memory_of(pid):
    """In bytes."""
    status = (PROCESSES / str(pid) / 'status').read_text()
    return int(status.partition('VmRSS:')[2].split()[0]) * 1024


def _processes_of(parents, mark):
    """The parents, what is below them, and what has the mark in its environment."""
    parent_of, found = {}, set(parents)
    for entry in PROCESSES.iterdir():
        if entry.name.isdecimal():
            # They may end meanwhile.
            with contextlib.suppress(OSError):
                parent_of[int(entry.name)] = int((entry / 'stat').read_text().rpartition(')')[2].split()[1])
                if mark in (entry / 'environ').read_bytes():
                    found.add(int(entry.name))
    while more := {pid for pid, parent in parent_of.items() if parent in found} - found:
        found |= more
    return found


@contextlib.contextmanager
def daemon(gmcpd, config, n_servers, env):
    """gmcpd without a bus, once it offers that many servers."""
    shared = pathlib.Path(env['XDG_RUNTIME_DIR']) / 'gmcp' / 'shared'
    process = subprocess.Popen([gmcpd, '--no-bus', '--config', str(config)], env=env, stderr=subprocess.DEVNULL)
    try:
        while not (shared.exists() and len(list(shared.iterdir())) >= n_servers):
            if process.poll() is not None:
                raise RuntimeError(f'gmcpd: exit {process.returncode}')
            time.sleep(0.01)
        yield process
    finally:
        process.terminate()
        process.wait()


class _Host:
    """Calls each server once, and stays."""

    def __init__(self, program, name, config, servers, env):
        self.start = time.monotonic()
        self.process = subprocess.Popen([program, name, str(config)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.n_servers = len(servers)
        self.answers, self.failed = [], []
        self.process.stdin.write(''.join(f'call {server}__echo {{"text": "{name}"}}\n' for server in servers))
        self.process.stdin.flush()
        self.is_done = threading.Event()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            if line.startswith('result '):
                self.answers.append(time.monotonic() - self.start)
            elif line.startswith('error '):
                self.failed.append(line.strip())
            if len(self.answers) + len(self.failed) == self.n_servers:
                self.is_done.set()
        self.is_done.set()

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.reader.join()


@contextlib.contextmanager
def _folder_for(command, n_servers, env):
    """A folder with a configuration of so many equal servers; gives it, the environment and the mark of the processes."""
    with tempfile.TemporaryDirectory() as name:
        folder, mark = pathlib.Path(name), str(uuid.uuid4())
        (folder / 'run').mkdir(mode=0o700)
        config = folder / 'mcp.json'
        config.write_text(json.dumps({'mcp_settings': {'startup_timeout_seconds': 60}, 'mcpServers': {
            f'server-{i}': {'command': command[0], 'args': command[1:], 'share': 'yes', 'cwd': name,
                            'env': {'BENCH_SESSION': mark, 'BENCH_SERVER': str(i)} |
                                   {key: env[key] for key in ('GMCP_NPM_DIR',) if key in env}}
            for i in range(n_servers)}}), encoding='utf-8')
        yield config, env | {'XDG_STATE_HOME': name, 'XDG_RUNTIME_DIR': str(folder / 'run')}, mark.encode()


def run_hosts(gmcpd, host, command, n, env, is_shared):
    """So many hosts with so many servers: processes, memory in bytes, seconds to the first and to the last answer of the slowest host."""
    with contextlib.ExitStack() as stack:
        config, env, mark = stack.enter_context(_folder_for(command, n, env))
        pids = [stack.enter_context(daemon(gmcpd, config, n, env)).pid] if is_shared else []
        hosts = []
        for i in range(n):
            hosts.append(_Host(host, f'host-{i}', config, [f'server-{k}' for k in range(n)], env))
            stack.callback(hosts[-1].end)
        for one in hosts:
            one.is_done.wait()
            if len(one.answers) != n:
                raise RuntimeError(f'{len(one.answers)} of {n} calls were answered: {one.failed[:1]}')
        found = _processes_of({*pids, *(one.process.pid for one in hosts)}, mark)
        return {'processes': len(found), 'bytes': sum(map(memory_of, found)),
                'first_s': max(one.answers[0] for one in hosts), 'last_s': max(one.answers[-1] for one in hosts)}


def daemon_memory(gmcpd, command, n_servers, env):
    """Bytes that a daemon has resident that offers so many servers, none of which runs, and its share of them."""
    with _folder_for(command, n_servers, env) as (config, env, _), daemon(gmcpd, config, n_servers, env) as process:
        return resident_memory_of(process.pid), memory_of(process.pid)

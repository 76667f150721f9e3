#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ten hosts share eight servers by gmcpd, while hosts, servers and the daemon are killed:
test-chaos.py GMCPD MANAGED_SERVER CHAOS_SERVER CHAOS_HOST [GMCP_TASKS]

GMCP_CHAOS_SECONDS says how long (10, with GMCP_LOAD=full 60), GMCP_CHAOS_SEED which random numbers are drawn; the seed is printed.
An hour: GMCP_CHAOS_SECONDS=3600 meson test -C build --verbose -t 20 daemon-chaos.

Each call has a mark of its own, and what a host gets is to have no other: see chaos-host.c.
"""
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import unittest
import uuid

from session import BusSession, Session, processes_of, wait_until
import tap

Session.gmcpd, Session.server, CHAOS, HOST = map(os.path.abspath, sys.argv[1:5])
TASKS = os.path.abspath(sys.argv[5]) if len(sys.argv) > 5 else None
NODE = os.environ.get('GMCP_TEST_NODE', '')
MODULES = pathlib.Path(os.environ.get('GMCP_TEST_NODE_MODULES') or '/nonexistent')
OFFICIAL = MODULES / '@modelcontextprotocol'
SERVERS = pathlib.Path(__file__).resolve().parents[2] / 'servers'
SECONDS = int(os.environ.get('GMCP_CHAOS_SECONDS') or (60 if os.environ.get('GMCP_LOAD') == 'full' else 10))
SEED = int(os.environ.get('GMCP_CHAOS_SEED') or random.SystemRandom().randrange(2 ** 31))
RUN = f'GMCP_CHAOS_RUN={uuid.uuid4()}'
RNG = random.Random(SEED)
N_HOSTS = 10


class Host:
    def __init__(self, test, name):
        self.name = name
        self.process = test.run_beside([HOST, name, test.config, test.calls, RNG.randrange(2 ** 31)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.counts = {}
        self.wrong = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            kind = line.split(' ')[0]
            # A host that was killed leaves half a line.
            if line.endswith('\n') and kind == 'WRONG':
                self.wrong.append(line.rstrip())
            key = line.rstrip() if kind in ('result', 'error') else kind
            self.counts[key] = self.counts.get(key, 0) + 1
            if 'is shared' in line:
                self.counts['shared'] = self.counts.get('shared', 0) + 1

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
        status = self.process.wait()
        self.reader.join()
        return status


class Chaos(BusSession):
    def setUp(self):
        super().setUp()
        for name in ('TERM', 'MARK'):
            self.env.pop(name, None)
        self.addCleanup(self.kill_daemons)
        self.calls = self.home / 'calls'
        self.configure_servers()
        self.allow_activation('--config', self.config)
        self.count = {}
        self.wrong = []
        self.totals = {}

    def kill_daemons(self):
        for pid in self.daemons():
            os.kill(pid, signal.SIGKILL)

    def configure_servers(self):
        work = self.home / 'work'
        work.mkdir()
        for i in range(N_HOSTS):
            (work / f'h{i}.txt').write_text(f'mark-h{i}-host\n')
        memory = self.home / 'memory.jsonl'
        memory.write_text('\n'.join(json.dumps({'type': 'entity', 'name': f'h{i}', 'entityType': 'host', 'observations': [f'mark-h{i}-host']})
                                    for i in range(N_HOSTS)))
        commands = {
            'everything': [NODE, str(OFFICIAL / 'server-everything/dist/index.js'), 'stdio'],
            'files': [NODE, str(OFFICIAL / 'server-filesystem/dist/index.js'), str(work)],
            'modern': [NODE, str(SERVERS / 'modern-server.mjs')],
            'memory': [NODE, str(OFFICIAL / 'server-memory/dist/index.js')],
            'thinking': [NODE, str(OFFICIAL / 'server-sequential-thinking/dist/index.js')],
            'chaos': [CHAOS], 'other': [CHAOS, 'other'], 'tasks': [TASKS],
        }
        lines = [('everything__echo', {'message': '@MARK@'}), ('files__read_text_file', {'path': str(work / '@HOST@.txt')}),
                 ('modern__echo', {'text': '@MARK@'}), ('memory__open_nodes', {'names': ['@HOST@']}),
                 ('thinking__sequentialthinking', {'thought': '@HOST@', 'nextThoughtNeeded': True, 'thoughtNumber': '@NUMBER@', 'totalThoughts': 1}),
                 ('chaos__say', {'mark': '@MARK@'}), ('chaos__ask', {'mark': '@MARK@'}), ('other__say', {'mark': '@MARK@'}),
                 ('other__ask', {'mark': '@MARK@'}), ('tasks__create_task', {'title': '@MARK@'})]
        resource = 'read:everything'
        self.tools = [resource] + [tool for tool, _ in lines if TASKS or not tool.startswith('tasks')]
        self.calls.write_text(f'{resource}\tdemo://resource/dynamic/text/@NUMBER@\n' + ''.join(f'{tool}\t{json.dumps(arguments)}\n' for tool, arguments in lines if tool in self.tools))
        variable, _, value = RUN.partition('=')
        self.config.write_text(json.dumps({
            'mcp_settings': {'max_restart_attempts': 10},
            'mcpServers': {name: {'command': words[0], 'args': words[1:], 'share': 'yes', 'env': {
                variable: value, 'GMCP_TEST_NODE_MODULES': str(MODULES), 'XDG_DATA_HOME': str(self.home / 'data'), 'MEMORY_FILE_PATH': str(memory),
                'DISABLE_THOUGHT_LOGGING': 'true'}}
                for name, words in commands.items() if words[0]}}))

    def activate(self):
        # The bus may not know yet that the last one has ended.
        wait_until(lambda: '(uint32 1,)' in self.gdbus('org.freedesktop.DBus.StartServiceByName', 'org.gmcp.Manager1', 0,
                                                       path='/org/freedesktop/DBus', dest='org.freedesktop.DBus'))
        folder = self.runtime / 'gmcp' / 'shared'
        n_servers = len(json.loads(self.config.read_text())['mcpServers'])
        wait_until(lambda: folder.exists() and len(list(folder.iterdir())) >= n_servers and self.daemons())
        return self.daemons()[0]

    def left(self):
        return sorted(str(path.relative_to(self.runtime)) for path in (self.runtime / 'gmcp').rglob('*'))

    def end_activated(self, pid):
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not self.daemons())

    def take(self, host):
        self.wrong += host.wrong
        for key, value in host.counts.items():
            self.totals[key] = self.totals.get(key, 0) + value

    def rage(self, seconds, kinds, hosts):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(RNG.uniform(0.1, 1))
            kind = RNG.choice(kinds)
            self.count[kind] = self.count.get(kind, 0) + 1
            if kind == 'host':
                i = RNG.randrange(N_HOSTS)
                hosts[i].kill()
                self.take(hosts[i])
                hosts[i] = Host(self, hosts[i].name)
            elif kind == 'server':
                # Their numbers may be gone until they are killed.
                for pid in RNG.sample(sorted(found := processes_of(RUN)), min(1, len(found))):
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            else:
                self.kill_daemons()
                wait_until(lambda: not self.daemons())
                time.sleep(RNG.choice([0, 0.3]))
                self.activate()

    def measure(self, pid):
        """Descriptors and KiB of a daemon whose servers all run and that no host uses."""
        host = Host(self, 'h0')
        self.await_well([host])
        self.assertEqual(host.end(), 0, host.wrong)
        self.take(host)
        last, since = -1, time.monotonic()
        while time.monotonic() < since + 1:
            n = len(os.listdir(f'/proc/{pid}/fd'))
            if n != last:
                last, since = n, time.monotonic()
            time.sleep(0.05)
        status = pathlib.Path(f'/proc/{pid}/status').read_text()
        return last, int(status.partition('VmRSS:')[2].split()[0])

    def await_well(self, hosts):
        """Each tool answers each host once more."""
        known = [dict(host.counts) for host in hosts]

        def lacking():
            return [f'{host.name}: {tool}' for host, was in zip(hosts, known) if host.process.poll() is None
                    for tool in self.tools if host.counts.get(f'result {tool}', 0) <= was.get(f'result {tool}', 0)]

        patience = 30
        while lacking():
            # A server that was killed at its probes is taken for one of an older revision, which cannot ask, until its next start.
            until = time.monotonic() + patience
            patience *= 2
            while lacking() and time.monotonic() < until:
                time.sleep(0.05)
            if lacking():
                print('# not well yet: the servers are started anew;', ', '.join(lacking()), flush=True)
                for pid in processes_of(RUN):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)

    @unittest.skipUnless(NODE and OFFICIAL.exists(), 'the npm packages of tests/package.json are not installed')
    def test_storm(self):
        print(f'# GMCP_CHAOS_SEED={SEED} GMCP_CHAOS_SECONDS={SECONDS}', flush=True)
        self.end_activated(self.activate())
        left = self.left()

        self.activate()
        hosts = [Host(self, f'h{i}') for i in range(N_HOSTS)]
        self.rage(SECONDS / 2, ['host'] * 6 + ['server'] * 10 + ['daemon'], hosts)
        # At least one daemon dies with calls under way, whatever was drawn.
        self.kill_daemons()
        for host in hosts:
            self.assertEqual(host.end(), 0, host.wrong)
            self.take(host)
        wait_until(lambda: not self.daemons())
        daemon = self.activate()
        before = self.measure(daemon)
        hosts = [Host(self, f'h{i}') for i in range(N_HOSTS)]
        self.rage(SECONDS / 2, ['host'] * 6 + ['server'] * 10, hosts)
        self.await_well(hosts)
        for host in hosts:
            self.assertEqual(host.end(), 0, host.wrong)
            self.take(host)
        after = self.measure(daemon)
        print(f'# killed: {self.count}; descriptors and KiB {before}, then {after}; {self.totals}', flush=True)
        self.assertEqual(self.daemons(), [daemon])
        self.end_activated(daemon)
        wait_until(lambda: not processes_of(RUN))
        self.assertEqual(self.wrong, [])
        self.assertLessEqual(after[0], before[0] + 4)
        self.assertLessEqual(after[1], before[1] + 32 * 1024)
        self.assertEqual(self.left(), left)
        for key in ('question', 'log', 'shared'):
            self.assertGreater(self.totals.get(key, 0), 0)


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A PostgreSQL server of a test's own, in a temporary folder, that nobody else reaches.

postgres.py COMMAND…: runs a command with the address of such a server in GMCP_TEST_POSTGRES.
"""
import atexit
import glob
import os
import pwd
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 60


def find_program(name):
    found = sorted(glob.glob(f'/usr/lib/postgresql/*/bin/{name}')) + list(filter(None, [shutil.which(name)]))
    return found[0] if found else None


def is_installed():
    return all(find_program(name) for name in ('initdb', 'postgres', 'psql'))


def as_unprivileged():
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam('nobody')
    return {'user': nobody.pw_uid, 'group': nobody.pw_gid, 'extra_groups': []}


class Session:
    """psql with statements one by one, for what has to stay open meanwhile."""

    def __init__(self, url):
        self.process = subprocess.Popen([find_program('psql'), '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', url],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip('\n'))
        self.lines.put(None)

    def execute(self, sql):
        """Waits until it is done; gives what it printed."""
        self.process.stdin.write(f'{sql};\n\\echo --done\n')
        self.process.stdin.flush()
        printed = []
        while True:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, printed
            if line == '--done':
                return printed
            printed.append(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


class Postgres:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='gmcp-postgres-')
        os.chmod(self.folder, 0o755)
        if os.geteuid() == 0:
            nobody = pwd.getpwnam('nobody')
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        self.data = os.path.join(self.folder, 'data')
        self.process = None
        self.n_databases = 0
        atexit.register(self.close)
        self.run([find_program('initdb'), '-D', self.data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C',
                  '--no-sync'])
        self.start()

    def run(self, command):
        run = subprocess.run(command, capture_output=True, text=True, cwd='/', check=False, **as_unprivileged())
        assert run.returncode == 0, run.stdout + run.stderr

    def start(self):
        with open(os.path.join(self.folder, 'log'), 'a', encoding='utf-8') as log:
            self.process = subprocess.Popen(
                [find_program('postgres'), '-D', self.data, '-k', self.folder, '-c', 'listen_addresses=', '-c', 'fsync=off',
                 '-c', 'max_connections=200', '-c', 'shared_buffers=16MB'],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd='/', **as_unprivileged())
        end = time.monotonic() + PATIENCE
        while subprocess.run([find_program('psql'), '-X', '-c', 'SELECT 1', self.get_url('postgres')], capture_output=True,
                             check=False).returncode != 0:
            assert self.process.poll() is None and time.monotonic() < end, self.read_log()
            time.sleep(0.02)

    def read_log(self):
        with open(os.path.join(self.folder, 'log'), encoding='utf-8', errors='replace') as log:
            return log.read()

    def stop(self, how=signal.SIGINT):
        """SIGINT ends all connections at once."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.process = None

    def get_url(self, database):
        return f'postgresql://tester@/{database}?host={self.folder}'

    def execute(self, sql, database='postgres'):
        run = subprocess.run([find_program('psql'), '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql,
                              self.get_url(database)], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def require_password(self, user):
        """Everybody else is trusted."""
        path = os.path.join(self.data, 'pg_hba.conf')
        with open(path, encoding='utf-8') as file:
            rules = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'local all {user} scram-sha-256\n{rules}')
        self.execute('SELECT pg_reload_conf ()')

    def make_database(self, options=''):
        self.n_databases += 1
        name = f'tasks_{self.n_databases}'
        self.execute(f'CREATE DATABASE {name} {options}')
        return name

    def close(self):
        if self.process is not None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    if not is_installed():
        print('1..0 # SKIP PostgreSQL is not installed')
        return 0
    server = Postgres()
    try:
        return subprocess.run(sys.argv[1:], env={**os.environ, 'GMCP_TEST_POSTGRES': server.get_url('postgres')},
                              check=False).returncode
    finally:
        server.close()


if __name__ == '__main__':
    sys.exit(main())

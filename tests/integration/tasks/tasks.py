# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp-tasks as a test's own process, with a database of its own.

TEST GMCP_TASKS [postgres]: with a file, or with a PostgreSQL server of the test's own
"""
import contextlib
import json
import os
import pathlib
import queue
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import postgres
import tap

PROGRAM = sys.argv[1]
PATIENCE = 60
POSTGRES = postgres.Postgres() if sys.argv[2:] == ['postgres'] and postgres.is_installed() else None
of_files = unittest.skipIf(POSTGRES, 'is about files')

def assert_one_form(result):
    """Every result: the same four members, as structured content and as the only text."""
    content = result['structuredContent']
    assert sorted(content) == ['data', 'error', 'error_code', 'success'], result
    assert [block['type'] for block in result['content']] == ['text'], result
    assert json.loads(result['content'][0]['text']) == content, result


class Server:
    """A running gmcp-tasks. Answers come by id, in whatever order."""

    modern = True

    def __init__(self, *arguments, env=None):
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
        self.next_id = 0
        self.answers = {}
        self.notifications = []
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.open()

    def open(self):
        self.discovered = self.ask('server/discover')['result']

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def dress(self, params):
        return {**params, '_meta': {'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                                    'io.modelcontextprotocol/clientInfo': {'name': 'tests', 'version': '1'},
                                    'io.modelcontextprotocol/clientCapabilities': {}}}

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b'\n')
        self.process.stdin.flush()

    def request(self, method, params=None):
        self.next_id += 1
        self.send({'jsonrpc': '2.0', 'id': self.next_id, 'method': method, 'params': self.dress(params or {})})
        return self.next_id

    def wait(self, request_id):
        while request_id not in self.answers:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f'the server ended: {self.process.stderr.read().decode()}'
            self.take(json.loads(line))
        return self.answers.pop(request_id)

    def take(self, message):
        if 'id' not in message:
            self.notifications.append(message)
            return
        assert message['id'] not in self.answers, f'answered twice: {message}'
        self.answers[message['id']] = message

    def wait_notification(self, method, **params):
        """The next one of this method that has these params, which is taken out."""
        while True:
            for message in self.notifications:
                if message['method'] == method and params.items() <= message['params'].items():
                    self.notifications.remove(message)
                    return message
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f'the server ended: {self.process.stderr.read().decode()}'
            self.take(json.loads(line))

    def ask(self, method, params=None):
        return self.wait(self.request(method, params))

    def request_call(self, tool, **arguments):
        return self.request('tools/call', {'name': tool, 'arguments': arguments})

    def wait_call(self, request_id):
        answer = self.wait(request_id)
        assert 'result' in answer, answer
        return answer['result']

    def call(self, tool, **arguments):
        return self.wait_call(self.request_call(tool, **arguments))

    def do(self, tool, **arguments):
        """A call that has to work; gives its data."""
        result = self.call(tool, **arguments)
        content = result['structuredContent']
        assert content['success'] is True and not result.get('isError'), result
        assert content['error'] is None and content['error_code'] is None, result
        assert_one_form(result)
        return content['data']

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.reader.join()
        errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, errors


class LegacyServer(Server):
    modern = False
    version = '2025-11-25'

    def open(self):
        self.discovered = self.ask('initialize', {'protocolVersion': self.version, 'capabilities': {},
                                                  'clientInfo': {'name': 'tests', 'version': '1'}})['result']
        assert self.discovered['protocolVersion'] == self.version, self.discovered
        self.send({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def dress(self, params):
        return params


class Lock:
    """Another process that holds the database: this one."""

    def __init__(self, database):
        self.session = postgres.Session(database) if POSTGRES else sqlite3.connect(database, isolation_level=None)

    def __enter__(self):
        if POSTGRES:
            # Others may read meanwhile.
            self.session.execute('BEGIN; LOCK TABLE gmcp_tasks.users, gmcp_tasks.tasks IN EXCLUSIVE MODE')
        else:
            self.session.execute('BEGIN EXCLUSIVE')

    def __exit__(self, *_):
        self.session.execute('COMMIT')
        self.session.close()


class TasksCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-tasks-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.database = os.path.join(self.folder, 'tasks.db')
        if POSTGRES:
            self.database = POSTGRES.get_url(POSTGRES.make_database())

    def execute(self, sql):
        """Runs a statement beside the server."""
        if POSTGRES:
            with contextlib.closing(postgres.Session(self.database)) as session:
                session.execute(f'SET search_path TO gmcp_tasks; {sql}')
            return
        with contextlib.closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(sql)

    def start(self, *arguments, kind=Server, user='tester', database=None):
        server = kind('--database', database or self.database, '--user', user, *arguments)
        self.addCleanup(self.end, server)
        return server

    def end(self, server):
        if not server.process.stdin.closed:
            self.assertEqual(server.close(), (0, ''))

    def assert_failed(self, result, code, *parts):
        content = result['structuredContent']
        self.assertIs(result['isError'], True)
        self.assertEqual((content['success'], content['data'], content['error_code']), (False, None, code))
        assert_one_form(result)
        for part in parts:
            self.assertIn(part, content['error'])


def main():
    if sys.argv[2:] == ['postgres'] and POSTGRES is None:
        print('1..0 # SKIP PostgreSQL is not installed')
        return
    tap.main()

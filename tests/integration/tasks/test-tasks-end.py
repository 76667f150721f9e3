#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How gmcp-tasks ends where clients are at it over HTTP: what is under way is answered, and nobody is waited for without end."""
import http.client
import json
import os
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse

from tasks import PATIENCE, POSTGRES, PROGRAM, TasksCase, main, postgres

META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': {'name': 'tests', 'version': '1'},
        'io.modelcontextprotocol/clientCapabilities': {}}


class Program:
    def __init__(self, database, *arguments, **options):
        self.process = subprocess.Popen([PROGRAM, '--database', database, '--http-user', 'ann', *arguments], stdin=subprocess.DEVNULL,
                                        bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, 'LC_ALL': 'C.UTF-8'}, **options)
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], 'nothing was said'
        self.url = urllib.parse.urlsplit(self.process.stdout.readline().decode().split()[-1])

    def connect(self):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=PATIENCE)
        connection.connect()
        return connection

    def wait_until_all_is_read(self):
        """What was sent before is being worked at: the main loop has come by twice."""
        for _ in range(2):
            connection = self.connect()
            send(connection, 'server/discover')
            assert 'result' in json.load(connection.getresponse())
            connection.close()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait_until_nobody_listens(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                socket.create_connection((self.url.hostname, self.url.port), timeout=PATIENCE).close()
            except ConnectionError:
                return
            time.sleep(0.02)
        raise AssertionError('clients are still taken')

    def wait(self):
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def send(connection, method, headers=None, **params):
    message = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {**params, '_meta': META}}
    names = {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
             'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, **(headers or {})}
    if 'name' in params:
        names['Mcp-Name'] = params['name']
    connection.request('POST', '/mcp', json.dumps(message), names)


def send_legacy(connection, session, **message):
    names = {'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream'}
    if session is not None:
        names.update({'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25'})
    connection.request('POST', '/mcp', json.dumps({'jsonrpc': '2.0', **message}), names)
    return connection


def read_events(response):
    """The data of each event, until the stream is at its end."""
    return [json.loads(line[len(b'data: '):]) for line in response.read().splitlines() if line.startswith(b'data: {')]


class End(TasksCase):
    def setUp(self):
        super().setUp()
        with Program(self.database, '--http', '0') as program:
            connection = program.connect()
            send(connection, 'tools/call', name='list_tasks', arguments={})
            self.assertEqual(connection.getresponse().status, 200)
        self.session = postgres.Session(self.database) if POSTGRES else sqlite3.connect(self.database, isolation_level=None)
        self.addCleanup(self.session.close)

    def lock(self):
        """Others may read meanwhile."""
        self.session.execute('BEGIN; LOCK TABLE gmcp_tasks.users, gmcp_tasks.tasks IN EXCLUSIVE MODE' if POSTGRES else 'BEGIN IMMEDIATE')

    def let_go(self):
        self.session.execute('ROLLBACK')

    def begin_call(self, program):
        """A call that waits for the database, which somebody else has locked."""
        self.lock()
        connection = program.connect()
        send(connection, 'tools/call', name='create_task', arguments={'title': 'Under way'})
        program.wait_until_all_is_read()
        return connection

    def count_tasks(self):
        if POSTGRES:
            return int(self.session.execute('SELECT count(*) FROM gmcp_tasks.tasks')[0])
        return self.session.execute('SELECT count(*) FROM tasks').fetchone()[0]

    def test_what_is_under_way_is_answered(self):
        with Program(self.database, '--http', '0') as program:
            connection = self.begin_call(program)
            waiting = program.connect()
            program.wait_until_all_is_read()
            program.terminate()
            program.wait_until_nobody_listens()
            send(waiting, 'server/discover')
            late = waiting.getresponse()
            self.assertEqual((late.status, late.headers['Retry-After'], late.headers['Connection']), (503, '1', 'close'))
            self.assertIn('being stopped', json.load(late)['error']['message'])
            self.assertIsNone(program.process.poll())
            self.let_go()
            content = json.load(connection.getresponse())['result']['structuredContent']
            self.assertTrue(content['success'], content)
            self.assertEqual(program.wait(), (0, ''))
        self.assertEqual(self.count_tasks(), 1)

    def test_nobody_is_waited_for_without_end(self):
        with Program(self.database, '--http', '0') as program:
            connection = self.begin_call(program)
            program.terminate()
            began = time.monotonic()
            answer = connection.getresponse()
            self.assertEqual(answer.status, 503)
            self.assertEqual(program.wait(), (0, ''))
            self.assertLess(time.monotonic() - began, 20)
        self.let_go()
        self.assertEqual(self.count_tasks(), 0)

    def test_the_second_signal_does_not_wait(self):
        with Program(self.database, '--http', '0') as program:
            connection = self.begin_call(program)
            program.terminate()
            program.wait_until_nobody_listens()
            program.terminate()
            self.assertEqual(program.wait(), (0, ''))
            connection.close()
        self.let_go()

    def test_subscriptions_end_with_their_result(self):
        with Program(self.database, '--http', '0') as program:
            connection = program.connect()
            send(connection, 'subscriptions/listen', notifications={'toolsListChanged': True})
            response = connection.getresponse()
            self.assertEqual(response.headers['Content-Type'], 'text/event-stream')
            program.terminate()
            acknowledged, cancelled, end = read_events(response)
            self.assertEqual(acknowledged['method'], 'notifications/subscriptions/acknowledged')
            self.assertEqual((cancelled['method'], cancelled['params']['requestId']), ('notifications/cancelled', 1))
            self.assertEqual((end['id'], end['result']['resultType']), (1, 'complete'))
            self.assertEqual(program.wait(), (0, ''))

    def test_sessions_end_with_their_answers(self):
        with Program(self.database, '--http', '0') as program:
            opened = send_legacy(program.connect(), None, id=0, method='initialize', params={
                'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'tests', 'version': '1'}}).getresponse()
            session = opened.headers['Mcp-Session-Id']
            opened.read()
            listening = program.connect()
            listening.request('GET', '/mcp', headers={'Accept': 'text/event-stream', 'Mcp-Session-Id': session})
            listener = listening.getresponse()
            self.assertEqual(listener.status, 200)
            self.lock()
            connection = send_legacy(program.connect(), session, id=7, method='tools/call',
                                     params={'name': 'create_task', 'arguments': {'title': 'Under way'}})
            program.wait_until_all_is_read()
            program.terminate()
            program.wait_until_nobody_listens()
            self.let_go()
            answer = json.load(connection.getresponse())
            self.assertTrue(answer['result']['structuredContent']['success'], answer)
            self.assertEqual(listener.read(), b'')
            self.assertEqual(program.wait(), (0, ''))
        self.assertEqual(self.count_tasks(), 1)

    def test_a_client_that_does_not_read(self):
        with Program(self.database, '--http', '0') as program:
            connection = program.connect()
            description = 'x' * 2000
            for i in range(100):
                each = program.connect()
                send(each, 'tools/call', name='create_task', arguments={'title': f'Task {i}', 'description': description})
                self.assertEqual(each.getresponse().status, 200)
                each.close()
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            send(connection, 'tools/call', name='list_tasks', arguments={'limit': 100})
            program.wait_until_all_is_read()
            program.terminate()
            self.assertEqual(program.wait(), (0, ''))
            connection.close()

    def test_a_socket_of_others_goes_on_to_listen(self):
        tcp = socket.create_server(('127.0.0.1', 0))
        hand_over = ('import os, sys\nos.dup2(int(sys.argv[1]), 3, inheritable=True)\n'
                     'os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))\nos.execv(sys.argv[2], sys.argv[2:])')
        process = subprocess.Popen([sys.executable, '-c', hand_over, str(tcp.fileno()), PROGRAM, '--database', self.database,
                                    '--listen-fds', '--http-user', 'ann'], pass_fds=[tcp.fileno()], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            connection = http.client.HTTPConnection(*tcp.getsockname(), timeout=PATIENCE)
            send(connection, 'server/discover')
            self.assertEqual(connection.getresponse().status, 200)
            process.terminate()
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0)
            socket.create_connection(tcp.getsockname(), timeout=PATIENCE).close()
        finally:
            process.kill()
            process.communicate()
            tcp.close()


if __name__ == '__main__':
    main()

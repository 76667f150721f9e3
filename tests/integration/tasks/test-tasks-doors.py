#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp-tasks where several users come to it: on Unix sockets, over HTTP, and on sockets that systemd has opened.

test-tasks-doors.py GMCP_TASKS GMCP [postgres]: with a file, or with a PostgreSQL server of the test's own
"""
import contextlib
import json
import os
import pathlib
import pwd
import select
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import postgres
import tap
from tasks_http import META, post, post_call

POSTGRES = postgres.Postgres() if sys.argv[3:] == ['postgres'] and postgres.is_installed() else None
PROGRAM, GMCP = map(os.path.abspath, sys.argv[1:3])
PATIENCE = 60
OWN = pwd.getpwuid(os.geteuid()).pw_name
NOBODY = pwd.getpwuid(65534).pw_name


def read_line(stream):
    """A line of a process, which is waited for as long as it takes it to start."""
    assert select.select([stream], [], [], PATIENCE)[0], 'nothing was said'
    return stream.readline().decode()


class Program:
    """A running gmcp-tasks that serves at doors, which it says."""

    def __init__(self, *arguments, n_doors=1, command=(), env=None):
        self.process = subprocess.Popen([*command, PROGRAM, *arguments], stdin=subprocess.DEVNULL, bufsize=0, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, 'LC_ALL': 'C.UTF-8', **(env or {})})
        self.doors = [read_line(self.process.stdout).split()[-1] for _ in range(n_doors)]

    def end(self, signal_number=signal.SIGTERM):
        self.process.send_signal(signal_number)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Client:
    """One client on a Unix socket, which another user may have opened."""

    def __init__(self, connection):
        connection.settimeout(PATIENCE)
        self.connection = connection
        self.stream = connection.makefile('rwb')
        self.next_id = 0

    @classmethod
    def connect(cls, path, uid=None):
        """What SO_PEERCRED says is who connects, so that only that is done as the other user."""
        connection = socket.socket(socket.AF_UNIX)
        before = os.geteuid()
        if uid is not None:
            os.seteuid(uid)
        try:
            connection.connect(path)
        finally:
            os.seteuid(before)
        return cls(connection)

    def send(self, method, **params):
        self.next_id += 1
        message = {'jsonrpc': '2.0', 'id': self.next_id, 'method': method, 'params': {**params, '_meta': META}}
        self.stream.write(json.dumps(message).encode() + b'\n')
        self.stream.flush()

    def receive(self):
        return json.loads(self.stream.readline())

    def ask(self, method, **params):
        self.send(method, **params)
        return self.receive()

    def call(self, tool, **arguments):
        return self.ask('tools/call', name=tool, arguments=arguments)['result']['structuredContent']

    def do(self, tool, **arguments):
        content = self.call(tool, **arguments)
        assert content['success'] is True, content
        return content['data']

    def is_ended(self):
        try:
            return self.stream.readline() == b''
        except ConnectionError:
            return True

    def close(self):
        self.stream.close()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Doors(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='gmcp-tasks-doors-')
        self.path = os.path.join(self.folder, 'tasks.sock')
        self.database = ['--database', POSTGRES.get_url(POSTGRES.make_database()) if POSTGRES else os.path.join(self.folder, 'tasks.db')]

    def tearDown(self):
        shutil.rmtree(self.folder)

    def refuse(self, *arguments):
        done = subprocess.run([PROGRAM, *self.database, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                              env={**os.environ, 'LC_ALL': 'C.UTF-8'}, check=False)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertEqual(done.stdout, b'')
        return done.stderr.decode()

    def test_socket(self):
        with Program(*self.database, '--socket', self.path) as program:
            self.assertEqual(program.doors, [f'unix://{self.path}'])
            self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
            with Client.connect(self.path) as client, Client.connect(self.path) as other:
                task = client.do('create_task', title='Water the plants')['task']
                self.assertEqual(other.do('list_tasks')['tasks'][0]['id'], task['id'])
            self.assertIn('Another server listens', self.refuse('--socket', self.path))
            self.assertEqual(program.end(), (0, ''))
            self.assertFalse(os.path.exists(self.path))

    def test_the_list_is_the_one_of_standard_input(self):
        with Program(*self.database, '--socket', self.path), Client.connect(self.path) as client:
            client.do('create_task', title='Water the plants')
        call = {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'list_tasks', 'arguments': {}, '_meta': META}}
        done = subprocess.run([PROGRAM, *self.database], input=json.dumps(call).encode() + b'\n', capture_output=True,
                              timeout=PATIENCE, check=True)
        self.assertEqual(json.loads(done.stdout)['result']['structuredContent']['data']['total'], 1)

    def test_a_killed_server_leaves_a_socket_that_is_replaced(self):
        with Program(*self.database, '--socket', self.path) as program:
            program.end(signal.SIGKILL)
        self.assertTrue(os.path.exists(self.path))
        with Program(*self.database, '--socket', self.path), Client.connect(self.path) as client:
            client.do('create_task', title='Water the plants')

    @unittest.skipIf(os.geteuid() != 0, 'only root can be another user')
    def test_users_do_not_see_each_other(self):
        os.chmod(self.folder, 0o711)
        with Program(*self.database, '--socket', self.path):
            os.chmod(self.path, 0o666)
            with Client.connect(self.path, 65534) as stranger:
                self.assertIn('other users', stranger.stream.readline().decode())
                self.assertTrue(stranger.is_ended())
        with Program(*self.database, '--socket', self.path, '--allow-user', NOBODY):
            with Client.connect(self.path) as own, Client.connect(self.path, 65534) as other:
                self.check_crosswise(own, other)
                self.check_crosswise(other, own)
            self.check_not_told()

    @unittest.skipIf(os.geteuid() != 0, 'only root can be another user')
    def test_users_do_not_keep_each_other_out(self):
        """Who has all connections gives one up, the last, for somebody who has none."""
        os.chmod(self.folder, 0o711)
        with Program(*self.database, '--socket', self.path, '--allow-user', NOBODY), contextlib.ExitStack() as held:
            others = []
            for _ in range(100):
                others.append(held.enter_context(Client.connect(self.path, 65534)))
                others[-1].do('list_tasks', limit=1)
            with Client.connect(self.path) as own:
                own.do('create_task', title='Mine')
                self.assertTrue(others[-1].is_ended())
                others[0].do('list_tasks', limit=1)
                with Client.connect(self.path, 65534) as refused:
                    self.assertIn('Too many clients', refused.stream.readline().decode())

    @unittest.skipIf(os.geteuid() != 0 or POSTGRES, 'only root can be another user; the lock is a file\'s')
    def test_users_do_not_wait_for_each_other(self):
        """Of two who wait for the database each has a turn, however much one of them wants."""
        os.chmod(self.folder, 0o711)
        with Program(*self.database, '--socket', self.path, '--allow-user', NOBODY), Client.connect(self.path) as own, \
                Client.connect(self.path, 65534) as other, contextlib.closing(sqlite3.connect(self.database[1], isolation_level=None)) as lock:
            own.do('create_task', title='First')
            lock.execute('BEGIN IMMEDIATE')
            for client, n_tasks in ((other, 50), (own, 1)):
                for number in range(n_tasks):
                    client.send('tools/call', name='create_task', arguments={'title': f'{n_tasks} {number}'})
                # What only reads is answered all the same, and says that the others have come.
                client.send('tools/call', name='list_tasks', arguments={})
                self.assertIn('tasks', client.receive()['result']['structuredContent']['data'])
            lock.execute('COMMIT')
            self.assertIn('task', own.receive()['result']['structuredContent']['data'])
            for _ in range(50):
                self.assertIn('task', other.receive()['result']['structuredContent']['data'])
            titles = [title for title, in lock.execute('SELECT title FROM tasks ORDER BY rowid')]
            self.assertEqual(len(titles), 52)
            self.assertLess(titles.index('1 0'), 4, titles)

    def check_not_told(self):
        """Who listens to another's task, or to the list of all, hears of what is his own."""
        with Client.connect(self.path) as own, Client.connect(self.path, 65534) as listener, Client.connect(self.path, 65534) as other:
            task = own.do('create_task', title='Mine alone')['task']['id']
            mine = other.do('create_task', title='Mine, too')['task']['id']
            uris = [f'tasks://task/{task}', 'tasks://list', f'tasks://task/{mine}']
            listener.ask('subscriptions/listen', notifications={'resourceSubscriptions': uris})
            # What was changed before the server heard of changes in PostgreSQL nobody knows.
            heard = set() if POSTGRES else set(uris)
            while heard != set(uris):
                heard.add(listener.receive()['params']['uri'])
            own.do('update_task', task_id=task, title='Changed')
            own.do('create_task', title='One more')
            other.do('complete_task', task_id=mine, completed=True)
            told = set()
            while told != set(uris[1:]):
                message = listener.receive()
                self.assertEqual(message['method'], 'notifications/resources/updated')
                told.add(message['params']['uri'])
                self.assertNotIn(uris[0], told)

    def check_crosswise(self, one, other):
        title = f'Mine alone, {id(one)}'
        task = one.do('create_task', title=title, description='A secret')['task']
        for tool, arguments in [('update_task', {'title': 'Theirs'}), ('complete_task', {'completed': True}),
                                ('delete_task', {'confirm': True})]:
            answers = []
            for task_id in (task['id'], '00000000-0000-4000-8000-000000000000'):
                content = other.call(tool, task_id=task_id, **arguments)
                self.assertEqual(content['error_code'], 'TASK_NOT_FOUND', content)
                answers.append(json.dumps(content).replace(task_id, 'ID'))
            self.assertEqual(answers[0], answers[1], 'an id of another can be told from one that there is not')
        self.assertNotIn(task['id'], json.dumps(other.do('list_tasks')))
        answers = [other.ask('resources/read', uri=f'tasks://task/{task_id}')['error']['code']
                   for task_id in (task['id'], '00000000-0000-4000-8000-000000000000')]
        self.assertEqual(answers[0], answers[1])
        for answer in (other.ask('resources/read', uri='tasks://list'), other.ask('prompts/get', name='sum_up_day'),
                       other.ask('completion/complete', ref={'type': 'ref/resource', 'uri': 'tasks://task/{id}'},
                                 argument={'name': 'id', 'value': task['id'][:4]})):
            self.assertIn('result', answer)
            self.assertNotIn(title, json.dumps(answer))
            self.assertNotIn(task['id'], json.dumps(answer))
        for name in ('user', 'user_id', 'owner'):
            content = other.call('list_tasks', **{name: OWN})
            self.assertNotIn('A secret', json.dumps(content))
            self.assertEqual(content['error_code'], 'VALIDATION_ERROR')
        kept = [each for each in one.do('list_tasks')['tasks'] if each['id'] == task['id']]
        self.assertEqual([each['title'] for each in kept], [title])

    def test_http(self):
        with Program(*self.database, '--http', '0', '--http-user', 'ann', '--stateless') as program:
            url = program.doors[0]
            self.assertRegex(url, r'^http://127\.0\.0\.1:\d+/mcp$')
            task = post_call(url, 'create_task', title='Water the plants')['data']['task']
            self.assertEqual(post_call(url, 'list_tasks')['data']['tasks'][0]['id'], task['id'])
            with self.assertRaises(urllib.error.HTTPError) as refused:
                post(url, 'server/discover', {'Host': 'tasks.example.org'})
            self.assertEqual(refused.exception.code, 403)
            initialize = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {
                'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'tests', 'version': '1'}}})
            with urllib.request.urlopen(urllib.request.Request(url, initialize.encode(), {
                    'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream'})) as answer:
                self.assertIsNone(answer.headers['Mcp-Session-Id'])
            self.assertEqual(program.end(), (0, ''))
    def test_public_url(self):
        file = os.path.join(self.folder, 'tokens')
        ben = self.add_token(file, 'ben')
        with Program(*self.database, '--http', '0', '--token-file', file, '--public-url', 'https://tasks.example.org/mcp') as program:
            answer = post(program.doors[0], 'server/discover', ben | {'Host': 'tasks.example.org'})
            info = answer['result']['_meta']['io.modelcontextprotocol/serverInfo']
            self.assertEqual((info['title'], info['description']), ('Tasks', 'Keeps a list of tasks for each user'))
            self.assertEqual(post_call(program.doors[0], 'list_tasks', ben)['data']['total'], 0)
        with Program(*self.database, '--http', '0', '--token-file', file, '--public-url', 'http://[2001:db8::1]:8080/mcp') as program:
            for host in '[2001:db8::1]', '[2001:db8::1]:8080':
                self.assertIn('result', post(program.doors[0], 'server/discover', ben | {'Host': host}))

    def add_token(self, file, user):
        done = subprocess.run([PROGRAM, '--token-file', file, '--add-token', user], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        return {'Authorization': f'Bearer {done.stdout.decode().strip()}'}

    def assert_refused(self, url, headers, status):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            post(url, 'server/discover', headers)
        self.assertEqual(refused.exception.code, status)

    def test_tokens(self):
        file = os.path.join(self.folder, 'tokens')
        ann, ben = self.add_token(file, 'ann'), self.add_token(file, 'ben')
        self.assertNotIn(ann['Authorization'].split()[1], pathlib.Path(file).read_text(encoding='utf-8'))
        with Program(*self.database, '--http', '0', '--token-file', file) as program:
            url = program.doors[0]
            self.assert_refused(url, {}, 401)
            self.assert_refused(url, {'Authorization': 'Bearer nonsense'}, 401)
            task = post_call(url, 'create_task', ann, title='Mine alone')['data']['task']
            self.assertEqual(post_call(url, 'list_tasks', ben)['data']['total'], 0)
            for tool, arguments in [('update_task', {'title': 'Theirs'}), ('complete_task', {'completed': True}),
                                    ('delete_task', {'confirm': True})]:
                self.assertEqual(post_call(url, tool, ben, task_id=task['id'], **arguments)['error_code'], 'TASK_NOT_FOUND')
            self.assertEqual([each['title'] for each in post_call(url, 'list_tasks', ann)['data']['tasks']], ['Mine alone'])
            self.assertEqual(program.end(), (0, ''))
        with Program(*self.database, '--http', '0.0.0.0:0', '--token-file', file) as program:
            self.assertEqual(post_call(program.doors[0].replace('0.0.0.0', '127.0.0.1'), 'list_tasks', ann)['data']['total'], 1)
        for arguments, reason in [(['--token-file', file], '--token-file is for'), (['--add-token', 'ann'], '--add-token needs'),
                                  (['--http', '0', '--token-file', file, '--http-user', 'ann'], 'give one of them')]:
            self.assertIn(reason, self.refuse(*arguments))

    def test_both_at_once(self):
        with Program(*self.database, '--socket', self.path, '--http', '0', '--http-user', OWN, n_doors=2) as program:
            url = next(door for door in program.doors if door.startswith('http'))
            with Client.connect(self.path) as client:
                task = client.do('create_task', title='Water the plants')['task']
                self.assertEqual(post_call(url, 'complete_task', task_id=task['id'], completed=True)['data']['task']['completed'], True)
                self.assertEqual(client.do('list_tasks', status='completed')['total'], 1)
            self.assertEqual(program.end(), (0, ''))

    def test_graceful_end(self):
        with Program(*self.database, '--socket', self.path) as program, Client.connect(self.path) as client:
            client.do('list_tasks')
            self.assertEqual(program.end(signal.SIGINT), (0, ''))
            self.assertTrue(client.is_ended())

    def test_wrong_options(self):
        for arguments, reason in [
                (['--http', '0'], '--http-user'),
                (['--http', '0.0.0.0:0', '--http-user', 'ann'], 'Other machines'),
                (['--http', 'x', '--http-user', 'ann'], '--http needs'),
                (['--http', '70000', '--http-user', 'ann'], '--http needs'),
                (['--http', '::1:8080', '--http-user', 'ann'], '--http needs'),
                (['--http', 'example.org:80', '--http-user', 'ann'], '--http needs'),
                (['--http', '0', '--http-user', '\x01'], 'control'),
                (['--http', '0', '--http-user', 'ann', '--public-url', 'https://tasks.example.org/mcp'], 'one user'),
                (['--http', '0', '--token-file', 'tokens', '--public-url', 'tasks'], '--public-url needs'),
                (['--socket', self.path, '--user', 'ann'], '--user'),
                (['--socket', self.path, '--allow-user', 'no-such-user-of-this-machine'], 'no user'),
                (['--socket', '/tmp/gmcp-tasks-doors.sock'], 'XDG_RUNTIME_DIR'),
                (['--stateless'], '--stateless'), (['--allow-user', 'root'], '--allow-user'),
                (['--listen-fds'], 'socket unit')]:
            with self.subTest(arguments=arguments):
                self.assertIn(reason, self.refuse(*arguments))

    def test_state_key(self):
        key = os.path.join(self.folder, 'key')
        for content, mode, reason in [(b'x' * 31, 0o600, '32 bytes or more'), (b'x' * 5000, 0o600, 'larger than'), (b'x' * 32, 0o640, 'chmod 600')]:
            with open(key, 'wb') as file:
                file.write(content)
            os.chmod(key, mode)
            self.assertIn(reason, self.refuse('--socket', self.path, '--state-key-file', key))
        self.assertIn('cannot be used', self.refuse('--socket', self.path, '--state-key-file', os.path.join(self.folder, 'no')))
        self.assertIn('no file', self.refuse('--socket', self.path, '--state-key-file', self.folder))
        os.chmod(key, 0o600)
        if os.geteuid() == 0:
            os.chown(key, 65534, -1)
            self.assertIn('another user', self.refuse('--socket', self.path, '--state-key-file', key))
            os.chown(key, 0, -1)
        with Program(*self.database, '--socket', self.path, '--state-key-file', key), Client.connect(self.path) as client:
            client.do('list_tasks')

    @unittest.skipIf(shutil.which('systemd-socket-activate') is None, 'systemd-socket-activate is not there')
    def test_activation(self):
        activate = ['systemd-socket-activate', '--listen', self.path, '--']
        process = subprocess.Popen([*activate, PROGRAM, *self.database, '--listen-fds'], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            self.assertIn('Listening', read_line(process.stderr))
            with Client.connect(self.path) as client:
                task = client.do('create_task', title='Water the plants')['task']
                with Client.connect(self.path) as other:
                    self.assertEqual(other.do('list_tasks')['tasks'][0]['id'], task['id'])
            process.terminate()
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0)
            self.assertTrue(os.path.exists(self.path), 'the socket is of who has opened it')
        finally:
            process.kill()
            process.communicate()

    def test_activation_with_http(self):
        """Both kinds at once, handed over by hand; a child that was not meant to have them gets none."""
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(self.path)
        unix.listen()
        tcp = socket.create_server(('127.0.0.1', 0))
        url = f'http://127.0.0.1:{tcp.getsockname()[1]}/mcp'
        hand_over = ('import os, sys\nfds = [int(fd) for fd in sys.argv[1].split(",")]\n'
                     'fds = [os.dup2(fd, 100 + i) for i, fd in enumerate(fds)]\n'
                     'for i, fd in enumerate(fds): os.dup2(fd, 3 + i, inheritable=True)\n'
                     'os.environ.update(LISTEN_FDS=str(len(fds)), LISTEN_PID=str(os.getpid() + int(sys.argv[2])),'
                     ' LISTEN_FDNAMES="lines:http")\nos.execv(sys.argv[3], sys.argv[3:])')
        fds = (unix.fileno(), tcp.fileno())
        for off in (0, 1):
            process = subprocess.Popen([sys.executable, '-c', hand_over, ','.join(map(str, fds)), str(off), PROGRAM, *self.database,
                                        '--listen-fds', '--http-user', OWN], pass_fds=fds, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                if off:
                    _, errors = process.communicate(timeout=PATIENCE)
                    self.assertIn('socket unit', errors.decode())
                    continue
                with Client.connect(self.path) as client:
                    task = client.do('create_task', title='Water the plants')['task']
                    self.assertEqual(post_call(url, 'list_tasks')['data']['tasks'][0]['id'], task['id'])
                process.terminate()
                process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 0)
            finally:
                process.kill()
                process.communicate()
        unix.close()
        tcp.close()

    def test_a_host_reaches_the_socket(self):
        config = os.path.join(self.folder, 'servers.json')
        with open(config, 'w', encoding='utf-8') as file:
            json.dump({'mcpServers': {'tasks': {'url': f'unix://{self.path}'}}}, file)
        env = {**os.environ, 'LC_ALL': 'C.UTF-8', 'XDG_STATE_HOME': self.folder, 'XDG_CACHE_HOME': self.folder}
        with Program(*self.database, '--socket', self.path), Client.connect(self.path) as client:
            done = subprocess.run([GMCP, '--config', config, 'call', 'tasks.create_task', 'title=Water the plants'],
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env=env, check=False)
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(client.do('list_tasks')['total'], 1)


if __name__ == '__main__':
    if sys.argv[3:] == ['postgres'] and POSTGRES is None:
        print('1..0 # SKIP PostgreSQL is not installed')
    else:
        tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Four processes that serve tasks, behind nginx, on one PostgreSQL; clients of both eras; and one of the four is killed
while all are at work. No answer is wrong, nothing that was said to be done is lost, and nothing is done twice.

test-tasks-nginx.py GMCP_TASKS PROGRAM CLIENT: PROGRAM is what serves the same where gmcp-tasks has no door for HTTP
"""
import json
import os
import pathlib
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import postgres
import tap
import tasks_http

TASKS, PROGRAM, CLIENT = map(os.path.abspath, sys.argv[1:4])
NODE = os.environ.get('GMCP_TEST_NODE')
NGINX = '/usr/sbin/nginx'
PATIENCE = 120
COUNT = 60
KINDS = ['auto', 'legacy', 'sdk-1']

CONFIG = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream tasks {{
    {servers}
    keepalive 16;
  }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://tasks;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host {host};
      proxy_read_timeout 75s;
      proxy_buffering off;
    }}
  }}
}}
"""


def find_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


class Behind(unittest.TestCase):
    host = 'localhost'

    def setUp(self):
        self.database = POSTGRES.get_url(POSTGRES.make_database())
        self.command = self.make_command()
        self.servers = [self.start_server() for _ in range(4)]
        self.url = self.start_nginx([server.address for server in self.servers])

    def start(self, *command, **options):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENCE)
        process.stdin.close()
        process.stdout.close()

    def make_command(self):
        options = subprocess.run([TASKS, '--help'], capture_output=True, text=True, check=True).stdout
        if '--http-user' not in options:
            return [PROGRAM, self.database, 'tester']
        return [*self.make_door(), '--http-user', 'tester']

    def make_door(self):
        key = os.path.join(POSTGRES.folder, 'key')
        with open(key, 'wb', opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(os.urandom(32))
        return [TASKS, '--database', self.database, '--http', '0', '--stateless', '--state-key-file', key]

    def start_server(self):
        process = self.start(*self.command)
        process.address = process.stdout.readline().split()[-1]
        self.assertTrue(process.address.startswith('http://'), process.address)
        return process

    def start_nginx(self, addresses):
        folder = tempfile.mkdtemp(dir=POSTGRES.folder)
        os.chmod(folder, 0o777)
        port = find_port()
        servers = '\n    '.join(f'server {address.split("/")[2]};' for address in addresses)
        path = os.path.join(folder, 'nginx.conf')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(CONFIG.format(folder=folder, servers=servers, port=port, host=self.host))
        process = self.start(NGINX, '-e', os.path.join(folder, 'error.log'), '-c', path, cwd='/', **postgres.as_unprivileged())
        end = time.monotonic() + PATIENCE
        while True:
            self.assertIsNone(process.poll(), 'nginx ended')
            self.assertLess(time.monotonic(), end)
            try:
                socket.create_connection(('127.0.0.1', port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
        return f'http://127.0.0.1:{port}/{addresses[0].split("/", 3)[3]}'


class Nginx(Behind):
    def read(self, client):
        for line in client.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def test_one_is_killed(self):
        self.lines = queue.Queue()
        clients = [self.start(NODE, CLIENT, self.url, kind, kind, str(COUNT)) for kind in KINDS]
        for client in clients:
            threading.Thread(target=self.read, args=[client], daemon=True).start()
        said, running = [], len(clients)
        while running:
            line = self.lines.get(timeout=PATIENCE)
            if line is None:
                running -= 1
                continue
            said.append(json.loads(line))
            # All of them are in the middle of it.
            if len(said) == 90:
                self.servers[0].kill()
        self.assertEqual([client.wait(PATIENCE) for client in clients], [0, 0, 0], said[-3:])
        self.assertEqual(self.servers[0].wait(PATIENCE), -signal.SIGKILL)
        self.check([one for one in said if 'end' not in one])

    def check(self, said):
        made = {one['made']: one['id'] for one in said if 'made' in one}
        done = {one['done'] for one in said if 'done' in one}
        lost = [one for one in said if 'lost' in one]
        # What had no answer was on its way when the one was killed, and no more than each client's four at once.
        self.assertLessEqual(len(lost), 4 * len(KINDS), lost)
        self.assertGreaterEqual(len(made) + len(lost), len(KINDS) * COUNT)
        self.assertEqual({title.rsplit('-', 1)[0] for title in made}, set(KINDS))

        rows = POSTGRES.execute("SELECT title, id, completed_at IS NOT NULL FROM gmcp_tasks.tasks",
                                self.database.split('/')[3].split('?')[0])
        rows = [row.split('|') for row in rows.splitlines()]
        found = {title: (task, completed == 't') for title, task, completed in rows}
        self.assertEqual(len(found), len(rows), 'done twice')
        for title, task in made.items():
            self.assertEqual(found[title][0], task)
        for title in done:
            self.assertIs(found[title][1], True, title)
        unknown = {one['title'] for one in lost if one['lost'] == 'create_task'}
        self.assertLessEqual(set(found), set(made) | unknown)


class Users(Behind):
    """The user is who the token says, whichever of the four is asked, and nobody sees another's tasks."""
    def make_command(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-tokens-')
        self.addCleanup(folder.cleanup)
        self.tokens = os.path.join(folder.name, 'tokens')
        return [*self.make_door(), '--token-file', self.tokens]

    def add_user(self, name):
        done = subprocess.run([TASKS, '--token-file', self.tokens, '--add-token', name], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=True)
        return {'Authorization': f'Bearer {done.stdout.strip()}'}

    def call(self, tool, user, **arguments):
        return tasks_http.post_call(self.url, tool, user, **arguments)

    def start_server(self):
        if not os.path.exists(self.tokens):
            self.users = [self.add_user(name) for name in ('ann', 'ben')]
        return super().start_server()

    def test_each_has_its_own(self):
        # One more than there are processes, so that each is asked by both.
        ids = [[self.call('create_task', user, title=f'{number} of {index}')['data']['task']['id'] for index, user in enumerate(self.users)]
               for number in range(5)]
        for index, user in enumerate(self.users):
            for number in range(5):
                tasks = self.call('list_tasks', user)['data']['tasks']
                self.assertEqual({task['id'] for task in tasks}, {own[index] for own in ids})
                other = ids[number][1 - index]
                for tool, arguments in (('update_task', {'title': 'Theirs'}), ('complete_task', {'completed': True}),
                                        ('delete_task', {'confirm': True})):
                    self.assertEqual(self.call(tool, user, task_id=other, **arguments)['error_code'], 'TASK_NOT_FOUND')
        for headers in ({}, {'Authorization': 'Bearer nonsense'}):
            for _ in self.servers:
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    tasks_http.post(self.url, 'server/discover', headers)
                self.assertEqual(refused.exception.code, 401)
                refused.exception.close()


class Public(Users):
    """Under the name that clients know, as behind a proxy of the world; and what one process changes is told by another."""
    host = '$host'
    NAME = {'Host': 'tasks.example.org'}

    def make_command(self):
        return [*super().make_command(), '--public-url', 'http://tasks.example.org/mcp']

    def add_user(self, name):
        return super().add_user(name) | self.NAME

    def test_each_has_its_own(self):
        super().test_each_has_its_own()
        with self.assertRaises(urllib.error.HTTPError) as refused:
            tasks_http.post(self.url, 'server/discover', self.users[0] | {'Host': 'other.example.org'})
        with refused.exception:
            self.assertEqual(refused.exception.code, 403)

    def test_changes_are_told(self):
        ann, ben = self.users
        with tasks_http.listen(self.url, ['tasks://list'], ann) as stream:
            events = tasks_http.read_events(stream)
            self.assertEqual(next(events)['method'], 'notifications/subscriptions/acknowledged')
            # What came before the database told of changes may have been missed.
            self.assertEqual(next(events)['method'], 'notifications/resources/updated')
            # Each of the four once, past the proxy; what another user does is not told.
            for server in self.servers:
                for user in (ben, ann):
                    self.assertTrue(tasks_http.post_call(server.address, 'create_task', user, title='New')['success'])
                told = next(events)
                self.assertEqual((told['method'], told['params']['uri']), ('notifications/resources/updated', 'tasks://list'))
            for server in self.servers:
                server.terminate()
            # Whoever served the stream ends it as it has to be ended.
            self.assertEqual(next(events)['method'], 'notifications/cancelled')
            self.assertEqual(next(events)['result']['resultType'], 'complete')
            self.assertEqual(list(events), [])
        self.assertEqual([server.wait(PATIENCE) for server in self.servers], [0] * 4)


def find_missing():
    if not postgres.is_installed():
        return 'PostgreSQL is not installed'
    if not os.access(NGINX, os.X_OK):
        return 'nginx is not installed'
    if not NODE or not os.environ.get('GMCP_TEST_NODE_MODULES'):
        return 'no npm packages; ./dev test installs them'
    return None


if __name__ == '__main__':
    missing = find_missing()
    if missing:
        print(f'1..0 # SKIP {missing}')
    else:
        POSTGRES = postgres.Postgres()
        tap.main()

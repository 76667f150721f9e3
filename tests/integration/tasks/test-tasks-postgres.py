#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What only a database server can do to gmcp-tasks: end, stand still, lose a connection, refuse a user.

test-tasks-postgres.py GMCP_TASKS postgres
"""
import os
import pathlib
import signal
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import postgres
import tasks
from tasks import LegacyServer, PATIENCE, POSTGRES, Server, TasksCase

SLOW = """CREATE TABLE gmcp_tasks.open (); CREATE FUNCTION gmcp_tasks.wait () RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_sleep (120) WHERE NOT EXISTS (SELECT FROM gmcp_tasks.open); RETURN NEW; END'"""
SLOW_INSERT = SLOW + '; CREATE TRIGGER slow BEFORE INSERT ON gmcp_tasks.tasks FOR EACH ROW EXECUTE FUNCTION gmcp_tasks.wait ()'
SLOW_COMMIT = SLOW + """; CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON gmcp_tasks.tasks DEFERRABLE INITIALLY DEFERRED
                         FOR EACH ROW EXECUTE FUNCTION gmcp_tasks.wait ()"""
ACTIVE = """SELECT pid FROM pg_stat_activity WHERE application_name = 'gmcp-tasks' AND state = 'active'
            AND datname = current_database ()"""


class Postgres(TasksCase):
    def setUp(self):
        super().setUp()
        self.session = postgres.Session(self.database)
        self.addCleanup(self.session.close)

    def make(self, *arguments):
        server = self.start(*arguments)
        server.do('create_task', title='First')
        return server

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while not (value := condition()):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return value

    def wait_active(self):
        return self.until(lambda: self.session.execute(ACTIVE))

    def assert_idle(self):
        """Nothing of gmcp-tasks runs in the server any more."""
        self.until(lambda: not self.session.execute(ACTIVE))

    def end_waiting(self):
        self.session.execute('DROP FUNCTION gmcp_tasks.wait CASCADE')

    def test_many_start_at_once(self):
        servers = [self.start() for _ in range(8)]
        requests = [server.request_call('create_task', title=str(number)) for number, server in enumerate(servers)]
        for server, request in zip(servers, requests):
            self.assertIs(server.wait_call(request)['structuredContent']['success'], True)
        self.assertEqual(servers[0].do('list_tasks')['total'], 8)
        self.assertEqual(self.session.execute('SELECT count(*) FROM gmcp_tasks.about'), ['1'])

    def test_one_of_four_is_killed(self):
        """What was said to be done is there, once; what was not may be there, once."""
        servers = [self.start(kind=kind) for kind in (Server, LegacyServer, Server, LegacyServer)]
        sent = {(number, title): server.request_call('create_task', title=f'{number}-{title}')
                for title in range(60) for number, server in enumerate(servers)}
        # The one that is killed has answered something, and has more to do.
        first = servers[0].wait_call(sent.pop((0, 0)))
        servers[0].process.kill()
        self.assertEqual(servers[0].process.wait(PATIENCE), -signal.SIGKILL)
        answered = [first]
        for (number, _), request in sent.items():
            if number > 0:
                answered.append(servers[number].wait_call(request))
        made = [result['structuredContent']['data']['task'] for result in answered]
        self.assertEqual(len(made), 1 + 3 * 60)

        pages = [servers[1].do('list_tasks', limit=1000), servers[2].do('list_tasks', limit=1000)]
        self.assertEqual(pages[0], pages[1])
        found = pages[0]['tasks']
        self.assertEqual(len(found), pages[0]['total'])
        self.assertEqual(len({task['title'] for task in found}), len(found), 'done twice')
        self.assertLessEqual({task['id'] for task in made}, {task['id'] for task in found}, 'lost')
        for task in made:
            self.assertIn(task, found)
        # In the order in which each was asked for.
        for number in range(1, 4):
            titles = [task['title'] for task in found if task['title'].startswith(f'{number}-')]
            self.assertEqual(titles, [f'{number}-{title}' for title in range(60)])
        servers[0].reader.join()
        for stream in (servers[0].process.stdin, servers[0].process.stdout, servers[0].process.stderr):
            stream.close()

    def test_limit_ends_the_statement(self):
        server = self.make('--timeout', '1.5')
        self.session.execute(SLOW_INSERT)
        self.assert_failed(server.call('create_task', title='Slow'), 'TIMEOUT', '1.5 s', 'nothing was changed')
        self.assert_idle()
        self.end_waiting()
        self.assertEqual(server.do('list_tasks')['total'], 1)
        server.do('create_task', title='Quick')

    def test_cancelling_ends_the_statement(self):
        server = self.make()
        self.session.execute(SLOW_INSERT)
        request = server.request_call('create_task', title='Slow')
        self.wait_active()
        server.send({'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': server.dress({'requestId': request})})
        self.assert_idle()
        self.assertEqual(server.do('list_tasks')['total'], 1)
        self.assertNotIn(request, server.answers)
        self.end_waiting()

    def test_end_of_input_ends_the_statement(self):
        server = self.make()
        self.session.execute(SLOW_INSERT)
        server.request_call('create_task', title='Slow')
        self.wait_active()
        self.assertEqual(server.close(), (0, ''))
        self.assert_idle()
        self.end_waiting()

    def test_commit_is_lost(self):
        """Then nobody knows, and the answer says so."""
        server = self.make()
        self.session.execute(SLOW_COMMIT)
        request = server.request_call('create_task', title='Perhaps')
        pid = self.wait_active()[0]
        self.until(lambda: self.session.execute(f"SELECT pid FROM pg_stat_activity WHERE pid = {pid} AND query = 'COMMIT'"))
        self.session.execute(f'SELECT pg_terminate_backend ({pid})')
        self.assert_failed(server.wait_call(request), 'DATABASE_ERROR', 'not known', 'list_tasks')
        self.end_waiting()
        self.assertEqual(server.do('list_tasks')['total'], 1)

    def test_lost_before_the_commit(self):
        """Nothing was done, so it is done once more, and once."""
        server = self.make()
        self.session.execute(SLOW_INSERT)
        request = server.request_call('create_task', title='Once')
        pid = self.wait_active()[0]
        self.session.execute(f'INSERT INTO gmcp_tasks.open DEFAULT VALUES; SELECT pg_terminate_backend ({pid})')
        self.assertEqual(server.wait_call(request)['structuredContent']['data']['task']['title'], 'Once')
        self.assertEqual(server.do('list_tasks')['total'], 2)

    def test_server_is_frozen(self):
        server = self.make('--timeout', '1.5')
        pid = int(self.session.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'gmcp-tasks'"
                                       ' AND datname = current_database ()')[0])
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(self.let_go, pid)
        self.assert_failed(server.call('list_tasks'), 'TIMEOUT', '1.5 s')
        self.assertEqual(server.do('list_tasks')['total'], 1)

    def let_go(self, pid):
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def test_nobody_answers(self):
        """Something else is at the address: it takes the connection, and says nothing."""
        with socket.create_server(('127.0.0.1', 0)) as listener:
            database = f'postgresql://127.0.0.1:{listener.getsockname()[1]}/tasks'
            server = self.start('--timeout', '1.5', database=database)
            for tool, arguments in [('list_tasks', {}), ('create_task', {'title': 'x'})]:
                self.assert_failed(server.call(tool, **arguments), 'TIMEOUT', '1.5 s', database, 'nothing was changed')
            request = server.request_call('list_tasks')
            self.assertEqual(server.close(), (0, ''))
            self.assertNotIn(request, server.answers)

    def test_restart(self):
        server = self.make()
        POSTGRES.stop()
        for tool, arguments in [('list_tasks', {}), ('create_task', {'title': 'Nobody there'})]:
            self.assert_failed(server.call(tool, **arguments), 'DATABASE_ERROR', 'postgresql:///', 'server runs')
        POSTGRES.start()
        server.do('create_task', title='Again')
        POSTGRES.stop()
        POSTGRES.start()
        # The connection is gone, which nobody hears of.
        self.assertEqual(server.do('list_tasks')['total'], 2)
        POSTGRES.stop()
        POSTGRES.start()
        server.do('create_task', title='And again')
        self.assertEqual(server.do('list_tasks')['total'], 3)

    def make_other(self, options='', sql='SELECT 1'):
        name = POSTGRES.make_database(options)
        POSTGRES.execute(sql, name)
        return POSTGRES.get_url(name)

    def assert_refused(self, database, *parts):
        server = self.start(database=database)
        for tool, arguments in [('list_tasks', {}), ('create_task', {'title': 'x'})]:
            self.assert_failed(server.call(tool, **arguments), 'DATABASE_ERROR', *parts)

    def test_databases_that_are_refused(self):
        self.assert_refused(self.make_other("ENCODING 'SQL_ASCII' TEMPLATE template0"), 'UTF-8')
        other = self.make_other(sql='CREATE SCHEMA gmcp_tasks; CREATE TABLE gmcp_tasks.songs (title text)')
        self.assert_refused(other, 'another program')
        self.assert_refused(self.make_other(sql='CREATE SCHEMA gmcp_tasks; CREATE TABLE gmcp_tasks.about AS'
                                                ' SELECT 7 AS application_id, 1 AS version'), 'another program')
        self.assert_refused(self.make_other(sql='CREATE SCHEMA gmcp_tasks; CREATE TABLE gmcp_tasks.about AS'
                                                f' SELECT {0x676d6370} AS application_id, 1000 AS version'), 'newer')
        self.assert_refused(POSTGRES.get_url('nothing_there'), 'nothing_there', 'does not exist')

    def test_schema_that_is_there(self):
        """An administrator may have made it, for a user who may not."""
        server = self.start(database=self.make_other(sql='CREATE SCHEMA gmcp_tasks'))
        server.do('create_task', title='x')

    def test_beside_others(self):
        """Tables of others with the same names stay as they are."""
        name = POSTGRES.make_database()
        POSTGRES.execute('CREATE TABLE users (name text); CREATE TABLE tasks (id text); INSERT INTO tasks VALUES (1)', name)
        server = self.start(database=POSTGRES.get_url(name))
        server.do('create_task', title='x')
        self.assertEqual(server.do('list_tasks')['total'], 1)
        self.assertEqual(POSTGRES.execute('SELECT * FROM public.tasks', name), '1')

    def test_passwords(self):
        POSTGRES.execute("CREATE ROLE alice LOGIN PASSWORD 'geheim'")
        POSTGRES.execute('CREATE DATABASE alices OWNER alice')
        POSTGRES.require_password('alice')
        folder = POSTGRES.folder
        passwords, services = (os.path.join(self.folder, name) for name in ('passwords', 'services'))
        with open(passwords, 'w', encoding='utf-8', opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write('*:*:alices:alice:geheim\n')
        with open(services, 'w', encoding='utf-8') as file:
            file.write(f'[tasks]\nhost={folder}\ndbname=alices\nuser=alice\npassword=geheim\n')
        for url, env in [(f'postgresql://alice:geheim@/alices?host={folder}', {}),
                         (f'postgresql://alice@/alices?host={folder}', {'PGPASSFILE': passwords}),
                         ('postgresql:///?service=tasks', {'PGSERVICEFILE': services})]:
            server = Server('--database', url, '--user', 'tester', env=env)
            self.addCleanup(self.end, server)
            server.do('create_task', title='x')
        for url in (f'postgresql://alice:gehaim@/alices?host={folder}', f'postgresql://alice:gehaim@{folder}/alices',
                    f'postgresql://alice:ge:gehaim@/alices?host={folder}&x=gehaim', 'postgresql://alice:gehaim',
                    'postgresql://alice:x@gehaim@localhost:1/alices', 'postgresql://alice:%gehaim@localhost:1/alices',
                    f'postgresql://alice@/alices?host={folder}&password=gehaim', 'postgresql://alice:gehaim@localhost:1/x'):
            server = Server('--database', url, '--user', 'tester', env={'G_MESSAGES_DEBUG': 'all'})
            result = server.call('list_tasks')
            self.assert_failed(result, 'DATABASE_ERROR')
            status, errors = server.close()
            self.assertEqual(status, 0)
            self.assertNotIn('gehaim', result['structuredContent']['error'] + errors, url)


if __name__ == '__main__':
    tasks.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp-tasks as a host sees it: JSON-RPC lines through a pipe, in both eras.

test-tasks-server.py GMCP_TASKS [postgres]: with a file, or with a PostgreSQL server of the test's own
"""
import os
import pathlib
import signal
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tasks
from tasks import LegacyServer, Lock, PATIENCE, PROGRAM, Server, TasksCase, assert_one_form, of_files

TOOLS = ['complete_task', 'create_task', 'delete_task', 'list_tasks', 'update_task']


class LegacyServer202506(LegacyServer):
    version = '2025-06-18'


class LegacyServer202503(LegacyServer):
    version = '2025-03-26'


class LegacyServer202411(LegacyServer):
    version = '2024-11-05'


class Calls:
    """What both eras have in common; a subclass says which server it is."""

    def test_opened(self):
        server = self.start(kind=self.kind)
        self.assertIn('tools', server.discovered['capabilities'])
        self.assertIn('success', server.discovered['instructions'])

    def test_tools(self):
        server = self.start(kind=self.kind)
        tools = server.ask('tools/list')['result']['tools']
        self.assertEqual(sorted(tool['name'] for tool in tools), TOOLS)
        for tool in tools:
            self.assertEqual(tool['outputSchema']['required'], ['success', 'data', 'error', 'error_code'])
            self.assertIs(tool['inputSchema']['additionalProperties'], False)

    def test_life_of_a_task(self):
        server = self.start(kind=self.kind)
        task = server.do('create_task', title=' Milch – 牛乳 🥛 ', description='two\nlines', due_date='2026-08-01')['task']
        self.assertEqual((task['title'], task['description'], task['due_date'], task['status'], task['completed']),
                         ('Milch – 牛乳 🥛', 'two\nlines', '2026-08-01', 'pending', False))
        self.assertEqual(server.do('list_tasks'), {'tasks': [task], 'total': 1})

        changed = server.do('update_task', task_id=task['id'], title='Oat milk')['task']
        self.assertEqual((changed['title'], changed['description']), ('Oat milk', 'two\nlines'))
        done = server.do('complete_task', task_id=task['id'], completed=True)['task']
        self.assertEqual((done['status'], done['completed']), ('completed', True))
        self.assertIsNotNone(done['completed_at'])
        self.assertEqual(server.do('list_tasks', status='pending'), {'tasks': [], 'total': 0})
        self.assertEqual(server.do('list_tasks', status='completed')['total'], 1)
        opened = server.do('complete_task', task_id=task['id'], completed=False)['task']
        self.assertIsNone(opened['completed_at'])

        self.assert_failed(server.call('delete_task', task_id=task['id']), 'CONFIRMATION_REQUIRED', 'confirm')
        self.assert_failed(server.call('delete_task', task_id=task['id'], confirm=False), 'CONFIRMATION_REQUIRED')
        self.assertEqual(server.do('list_tasks')['total'], 1)
        self.assertEqual(server.do('delete_task', task_id=task['id'], confirm=True), {'deleted_task_id': task['id']})
        self.assert_failed(server.call('delete_task', task_id=task['id'], confirm=True), 'TASK_NOT_FOUND', task['id'])
        self.assertEqual(server.do('list_tasks'), {'tasks': [], 'total': 0})

    def test_refused_values(self):
        server = self.start(kind=self.kind)
        task = server.do('create_task', title='x')['task']
        for arguments, part in [({'title': ''}, 'title'), ({'title': ' \t'}, 'title'), ({'title': 'a\nb'}, 'title'),
                                ({'title': 'x', 'description': '\x1b[2J'}, 'description'),
                                ({'title': 'x', 'due_date': '2026-02-30'}, 'due_date'),
                                ({'title': 'x', 'due_date': '2026-08-01T09:00:00'}, 'due_date')]:
            self.assert_failed(server.call('create_task', **arguments), 'VALIDATION_ERROR', part)
        self.assert_failed(server.call('update_task', task_id=task['id']), 'VALIDATION_ERROR', 'title', 'description')
        self.assert_failed(server.call('update_task', task_id=task['id'], title=' '), 'VALIDATION_ERROR', 'title')
        self.assert_failed(server.call('update_task', task_id='\x1b[2J', title='x'), 'TASK_NOT_FOUND')
        self.assertEqual(server.do('list_tasks')['total'], 1)

    def test_malformed_arguments(self):
        server = self.start(kind=self.kind)
        for tool, arguments, part in [
                # Missing.
                ('create_task', {}, 'title'), ('update_task', {}, 'task_id'), ('complete_task', {'task_id': 'x'}, 'completed'),
                ('delete_task', {'confirm': True}, 'task_id'),
                # Of a wrong type.
                ('create_task', {'title': 7}, 'title'), ('create_task', {'title': None}, 'title'),
                ('list_tasks', {'limit': 1.5}, 'limit'), ('list_tasks', {'limit': '7'}, 'limit'),
                ('complete_task', {'task_id': 'x', 'completed': 1}, 'completed'),
                ('delete_task', {'task_id': 1, 'confirm': True}, 'task_id'),
                ('update_task', [], 'object'), ('update_task', 'x', 'object'), ('list_tasks', 7, 'object'),
                # Out of range.
                ('create_task', {'title': 'x' * 201}, 'title'),
                ('create_task', {'title': 'x', 'description': 'x' * 10001}, 'description'),
                ('list_tasks', {'limit': 0}, 'limit'), ('list_tasks', {'limit': 1001}, 'limit'),
                ('list_tasks', {'offset': -1}, 'offset'), ('list_tasks', {'offset': 1 << 70}, 'offset'),
                ('list_tasks', {'status': 'done'}, 'status'),
                # Unknown.
                ('create_task', {'title': 'x', 'more': 1}, 'more'), ('list_tasks', {'colour': 'red'}, 'colour'),
                ('update_task', {'task_id': 'x', 'title': 'x', 'more': 1}, 'more'),
                ('complete_task', {'task_id': 'x', 'completed': True, 'more': 1}, 'more'),
                ('delete_task', {'task_id': 'x', 'confirm': True, 'more': 1}, 'more')]:
            answer = server.ask('tools/call', {'name': tool, 'arguments': arguments})
            self.assertIn('result', answer, arguments)
            self.assert_failed(answer['result'], 'VALIDATION_ERROR', tool, part)
        self.assertEqual(server.do('list_tasks', limit=1.0, offset=0.0), {'tasks': [], 'total': 0})

    def test_texts_that_are_data(self):
        """SQL, paths, and what a text of C or a database cannot hold."""
        server = self.start(kind=self.kind)
        kept = server.do('create_task', title='Kept')['task']
        tricks = ["'; DROP TABLE tasks; --", "' OR '1'='1", '?1 $1 :id %s', "\\'; SELECT pg_sleep (60); --", '$$', '/* */ UNION',
                  '../../../etc/passwd', 'file:///etc/passwd?mode=rwc', 'tasks://list']
        for text in tricks:
            task = server.do('create_task', title=text, description=text)['task']
            self.assertEqual((task['title'], task['description']), (text, text))
            self.assert_failed(server.call('delete_task', task_id=text, confirm=True), 'TASK_NOT_FOUND')
        self.assertEqual(server.do('list_tasks')['total'], 1 + len(tricks))

        # A NUL, half of a pair: they come as the sign for what is no character.
        for text in ('a\u0000b', 'a\ud800b', 'a\udc00b'):
            title = server.do('create_task', title=text)['task']['title']
            self.assertEqual(title, 'a\ufffdb')
            self.assert_failed(server.call('update_task', task_id=kept['id'] + text, title='x'), 'TASK_NOT_FOUND')
            self.assert_failed(server.call('create_task', title='x', due_date='2026-08-01' + text), 'VALIDATION_ERROR')
        for arguments in ({'title': 'x' * 5000000}, {'title': 'x', 'description': '\U0001f95b' * 1000000},
                          {'title': 'x', 'due_date': '2' * 1000000}):
            self.assert_failed(server.call('create_task', **arguments), 'VALIDATION_ERROR')
        self.assert_failed(server.call('update_task', task_id='x' * 5000000, title='x'), 'VALIDATION_ERROR')
        self.assertIn(kept, server.do('list_tasks')['tasks'])

    def test_failures_match_the_output_schema(self):
        server = self.start(kind=self.kind)
        for tool in server.ask('tools/list')['result']['tools']:
            words = tool['outputSchema']['properties']['error_code']['enum']
            result = server.ask('tools/call', {'name': tool['name'], 'arguments': {'no': 1}})['result']
            self.assertIn(result['structuredContent']['error_code'], words)
            self.assertIn('null', tool['outputSchema']['properties']['data']['type'])

    def test_unknown_tool(self):
        server = self.start(kind=self.kind)
        self.assertEqual(server.ask('tools/call', {'name': 'nope', 'arguments': {}})['error']['code'], -32602)

    def test_paging(self):
        server = self.start(kind=self.kind)
        made = [server.do('create_task', title=str(number))['task']['id'] for number in range(7)]
        server.do('complete_task', task_id=made[0], completed=True)
        seen = []
        while len(seen) < 7:
            page = server.do('list_tasks', limit=3, offset=len(seen))
            self.assertEqual(page['total'], 7)
            seen += [task['id'] for task in page['tasks']]
        self.assertEqual(seen, made)

    def test_pipelined(self):
        server = self.start(kind=self.kind)
        requests = [server.request_call('create_task', title=str(number)) for number in range(50)]
        last = server.request_call('list_tasks')
        ids = {server.wait_call(request)['structuredContent']['data']['task']['id'] for request in requests}
        self.assertEqual(len(ids), 50)
        self.assertEqual(server.wait_call(last)['structuredContent']['data']['total'], 50)

    def test_cancel_while_locked(self):
        server = self.start(kind=self.kind)
        server.do('create_task', title='First')
        with Lock(self.database):
            request = server.request_call('create_task', title='Cancelled')
            server.send({'jsonrpc': '2.0', 'method': 'notifications/cancelled',
                         'params': server.dress({'requestId': request})})
            self.assertEqual(server.do('list_tasks')['total'], 1)
        self.assertEqual(server.do('create_task', title='After')['task']['title'], 'After')
        self.assertEqual(server.do('list_tasks')['total'], 2)
        self.assertNotIn(request, server.answers)


class ModernCalls(Calls, TasksCase):
    kind = Server


class LegacyCalls(Calls, TasksCase):
    kind = LegacyServer


class LegacyCalls202506(Calls, TasksCase):
    kind = LegacyServer202506


class LegacyCalls202503(Calls, TasksCase):
    kind = LegacyServer202503


class LegacyCalls202411(Calls, TasksCase):
    kind = LegacyServer202411


class Database(TasksCase):
    def test_locked(self):
        for kind in (Server, LegacyServer):
            before = self.start().do('create_task', title='First')['task']
            server = self.start('--timeout', '2.5', kind=kind)
            total = server.do('list_tasks')['total']
            with Lock(self.database):
                writes = [server.request_call('create_task', title='Blocked'),
                          server.request_call('delete_task', task_id=before['id'], confirm=True)]
                self.assertEqual(server.do('list_tasks')['total'], total)
                self.assertEqual(len(server.ask('tools/list')['result']['tools']), 5)
                if kind is LegacyServer:
                    self.assertEqual(server.ask('ping')['result'], {})
                self.assertEqual(set(server.answers) & set(writes), set(), 'answered before all others')
                for write in writes:
                    # On a machine that is busy the time can be over before the database says why.
                    failed = server.wait_call(write)
                    self.assert_failed(failed, 'TIMEOUT', '2.5 s')
                    self.assertRegex(failed['structuredContent']['error'], 'locked|needed longer')
            self.assertEqual(server.do('list_tasks')['total'], total)
            server.do('create_task', title='Later')

    def test_lock_let_go(self):
        server = self.start()
        server.do('create_task', title='First')
        with Lock(self.database):
            write = server.request_call('create_task', title='Waits')
            self.assertEqual(server.do('list_tasks')['total'], 1)
        self.assertEqual(server.wait_call(write)['structuredContent']['data']['task']['title'], 'Waits')

    def test_other_user(self):
        alice = self.start(user='alice')
        bob = self.start(user='bob')
        task = alice.do('create_task', title="Alice's")['task']
        self.assertEqual(bob.do('list_tasks'), {'tasks': [], 'total': 0})
        for tool, arguments in [('update_task', {'title': 'x'}), ('complete_task', {'completed': True}),
                                ('delete_task', {'confirm': True})]:
            self.assert_failed(bob.call(tool, task_id=task['id'], **arguments), 'TASK_NOT_FOUND')
        self.assertEqual(alice.do('list_tasks'), {'tasks': [task], 'total': 1})

    def test_two_servers(self):
        one, two = self.start(), self.start()
        task = one.do('create_task', title='Shared')['task']
        self.assertEqual(two.do('list_tasks'), {'tasks': [task], 'total': 1})
        two.do('delete_task', task_id=task['id'], confirm=True)
        self.assertEqual(one.do('list_tasks'), {'tasks': [], 'total': 0})

    def test_killed(self):
        server = self.start()
        task = server.do('create_task', title='Kept')['task']
        server.process.kill()
        self.assertEqual(server.close()[0], -signal.SIGKILL)
        self.assertEqual(self.start().do('list_tasks'), {'tasks': [task], 'total': 1})

    @of_files
    def test_default_file(self):
        server = Server('--user', 'tester', env={'XDG_DATA_HOME': os.path.join(self.folder, 'data')})
        self.addCleanup(self.end, server)
        server.do('create_task', title='x')
        folder = os.path.join(self.folder, 'data', 'gmcp')
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        for name in os.listdir(folder):
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode), 0o600, name)
        self.assertIn('tasks.db', os.listdir(folder))

    def assert_unusable(self, database, *parts):
        server = self.start(database=database)
        self.assertEqual(len(server.ask('tools/list')['result']['tools']), 5)
        for tool, arguments in [('list_tasks', {}), ('create_task', {'title': 'x'})]:
            self.assert_failed(server.call(tool, **arguments), 'DATABASE_ERROR', database, *parts)

    @of_files
    def test_corrupt(self):
        for contents in (b'Dear diary,\n', b'\0' * 8192, b'SQLite format 3\0' + b'\xa5' * 8176):
            with open(self.database, 'wb') as file:
                file.write(contents)
            self.assert_unusable(self.database)
            with open(self.database, 'rb') as file:
                self.assertEqual(file.read(), contents)

    @of_files
    def test_no_folder(self):
        self.assert_unusable(os.path.join(self.folder, 'no', 'tasks.db'), 'folder does not exist')
        self.assertEqual(os.listdir(self.folder), [])

    @of_files
    def test_folder(self):
        self.assert_unusable(self.folder, 'not a file')

    @of_files
    def test_mended_while_running(self):
        with open(self.database, 'wb') as file:
            file.write(b'Dear diary,\n')
        server = self.start()
        self.assert_failed(server.call('list_tasks'), 'DATABASE_ERROR')
        os.remove(self.database)
        self.assertEqual(server.do('list_tasks'), {'tasks': [], 'total': 0})


class Schemas(TasksCase):
    """What the tools' schemas promise, the store keeps."""

    def setUp(self):
        super().setUp()
        self.server = self.start()
        self.tools = {tool['name']: tool for tool in self.server.ask('tools/list')['result']['tools']}

    def test_results_have_one_form(self):
        tasks, rest = [], []
        for tool in self.tools.values():
            schema = tool['outputSchema']
            data = schema['properties'].pop('data')
            rest.append(schema)
            tasks += [task for task in (data['properties'].get('task'),
                                        data['properties'].get('tasks', {}).get('items')) if task]
            self.assertEqual((data['type'], data['required']), (['object', 'null'], list(data['properties'])))
        self.assertEqual(rest, [rest[0]] * 5)
        self.assertEqual(tasks, [tasks[0]] * 4)

    def test_longest_texts(self):
        properties = self.tools['create_task']['inputSchema']['properties']
        self.assertEqual(self.tools['update_task']['inputSchema']['properties']['title'], properties['title'])
        self.assertEqual(self.tools['update_task']['inputSchema']['properties']['description'],
                         properties['description'])
        arguments = {'title': '牛' * properties['title']['maxLength'],
                     'description': '牛' * properties['description']['maxLength']}
        task = self.server.do('create_task', **arguments)['task']
        self.assertEqual({name: task[name] for name in arguments}, arguments)
        self.server.do('update_task', task_id=task['id'], **arguments)

    def test_biggest_page(self):
        properties = self.tools['list_tasks']['inputSchema']['properties']
        self.server.do('create_task', title='First')
        self.execute('INSERT INTO tasks (id, user_id, title, created_at, updated_at) VALUES ' + ', '.join(
            f"('{number}', 1, '{number}', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')"
            for number in range(properties['limit']['maximum'])))
        page = self.server.do('list_tasks', limit=properties['limit']['maximum'])
        self.assertEqual(len(page['tasks']), properties['limit']['maximum'])
        self.assertEqual(len(self.server.do('list_tasks')['tasks']), properties['limit']['default'])
        self.assertEqual(self.server.do('list_tasks', offset=properties['offset']['maximum']),
                         {'tasks': [], 'total': page['total']})


class Program(TasksCase):
    def run_program(self, *arguments):
        run = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=PATIENCE, check=False)
        return run.returncode, run.stdout, run.stderr

    def test_version(self):
        status, output, errors = self.run_program('--version')
        self.assertEqual((status, errors), (0, ''))
        self.assertRegex(output, r'^gmcp-tasks \d+\.\d+\.\d+\n$')

    def test_help(self):
        status, output, _ = self.run_program('--help')
        self.assertEqual(status, 0)
        for option in ('--database', '--user', '--timeout', '--version'):
            self.assertIn(option, output)

    def test_usage(self):
        for arguments in (['--no-such-option'], ['word'], ['--timeout', '0'], ['--timeout', '-1'], ['--timeout', 'nan'],
                          ['--timeout', '1e9'], ['--timeout', 'soon'], ['--user', ''], ['--user', 'a\nb'], ['--database']):
            status, output, errors = self.run_program(*arguments)
            self.assertEqual((status, output), (2, ''), arguments)
            self.assertIn('gmcp-tasks: ', errors)
            self.assertIn('--help', errors)

    @of_files
    def test_nothing_on_input(self):
        self.assertEqual(self.run_program('--database', self.database), (0, '', ''))
        self.assertEqual(os.listdir(self.folder), [])

    @of_files
    def test_terminated(self):
        server = self.start()
        server.do('create_task', title='x')
        server.process.terminate()
        self.assertEqual(server.close(), (0, ''))
        # Ended in order, the database needs no recovery.
        self.assertEqual(os.listdir(self.folder), ['tasks.db'])

    def test_ends_with_input(self):
        server = self.start('--timeout', '30')
        server.do('create_task', title='x')
        with Lock(self.database):
            server.request_call('create_task', title='Blocked')
            self.assertEqual(server.close(), (0, ''))


if __name__ == '__main__':
    tasks.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Servers in the settings and in a file, changed through the control API of gmcpd:
test-control-editing.py GMCPD MANAGED_SERVER TOOLS_SERVER"""
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import threading

from control import ControlSession, ROOT
from session import Session, wait_until
import tap

Session.gmcpd, Session.server, TOOLS_SERVER = map(os.path.abspath, sys.argv[1:4])
# Of servers that run, that are only stored, and that cannot start; each is added and removed.
N_CHANGES, N_IDLE, N_FAILING = (200, 1000, 3800) if os.environ.get('GMCP_LOAD') == 'full' else (100, 200, 30)


class ChangingSession(ControlSession):
    def get_etag(self, name):
        answer = self.send('GET', f'{ROOT}servers/{name}', Authorization=f'Bearer {self.token}')
        self.assertEqual(answer.status, 200)
        return answer.headers['ETag']

    def patch(self, status, name, patch, **headers):
        return self.ask(status, 'PATCH', f'servers/{name}', patch, **headers)

    def compete(self, title, etag=None):
        """A change that is refused where another one has come first."""
        answer = self.send('PATCH', f'{ROOT}servers/one', json.dumps({'title': f'title {title}'}), Authorization=f'Bearer {self.token}',
                           Content_Type='application/json', If_Match=etag or self.get_etag('one'))
        self.assertIn(answer.status, (200, 412), answer.body)
        return answer.status


class Editing(ChangingSession):
    def setUp(self):
        super().setUp()
        self.env['GSETTINGS_BACKEND'] = 'keyfile'
        self.keyfile = self.home / 'config' / 'glib-2.0' / 'settings' / 'keyfile'
        self.keyfile.parent.mkdir(parents=True)
        self.config.unlink()
        self.daemon = self.start_control()
        # It tells of each server that does not start, more than a pipe holds.
        threading.Thread(target=self.daemon.stderr.read, daemon=True).start()

    def add(self, name, *words, **more):
        return self.ask(201, 'POST', 'servers', {'name': name, 'store': True, **self.describe(words), **more})

    def test_members(self):
        self.add('one', '--tools', 'env,echo', env={'WORD': 'first', 'OTHER': 'stays'}, title='One')
        pid = self.ask(200, 'GET', 'servers/one')['pid']
        changed = self.patch(200, 'one', {'title': 'Number one', 'start': 'manual', 'toolTimeoutMs': 5000})
        self.assertEqual((changed['title'], changed['source']), ('Number one', 'settings'))
        self.assertIn('Number one', self.keyfile.read_text())
        # A member of an object alone; and one that is taken away. The server takes its new environment.
        self.patch(200, 'one', {'env': {'WORD': 'second'}}, Content_Type='application/merge-patch+json')
        self.ask(200, 'POST', 'servers/one/restart')
        for name, value in (('WORD', 'second'), ('OTHER', 'stays')):
            called = self.ask(200, 'POST', 'servers/one/tools/env', {'arguments': {'name': name}})
            self.assertEqual(called['content'][0]['text'], value)
        self.assertNotEqual(self.ask(200, 'GET', 'servers/one')['pid'], pid)
        self.patch(200, 'one', {'env': {'OTHER': None}, 'title': None})
        self.assertNotIn('OTHER', self.keyfile.read_text())
        self.assertNotIn('Number one', self.keyfile.read_text())
        self.assertNotIn('stays', json.dumps(self.ask(200, 'GET', 'servers/one')))
        # Nothing to change.
        text = self.keyfile.read_text()
        self.patch(200, 'one', {})
        self.assertEqual(self.keyfile.read_text(), text)

    def test_etag(self):
        self.add('one')
        first = self.get_etag('one')
        self.patch(412, 'one', {'title': 'x'}, If_Match='"other"')
        self.patch(200, 'one', {'title': 'x'}, If_Match=f'"other", {first}')
        self.patch(412, 'one', {'title': 'y'}, If_Match=first)
        second = self.get_etag('one')
        self.assertNotEqual(first, second)
        self.patch(200, 'one', {'title': 'y'}, If_Match='*')
        self.assertEqual(self.ask(200, 'GET', 'servers/one')['title'], 'y')

    def test_refused(self):
        self.add('one')
        self.ask(201, 'POST', 'servers', {'name': 'two', **self.describe()})
        text = self.keyfile.read_text()
        self.patch(404, 'nope', {'title': 'x'})
        self.assertIn('from program', self.patch(409, 'two', {'title': 'x'})['detail'])
        self.assertIn('args', self.patch(422, 'one', {'args': 'text'})['detail'])
        for patch in ({'command': 5}, {'env': []}, {'env': {'A': 5}}, {'url': 'nonsense'}, {'command': None}, {'name': 'other'}, {'toolTimeoutMs': -1}, {'start': 'never'}):
            self.assertEqual(self.patch(422, 'one', patch)['code'], 'invalid-config', patch)
        self.ask(400, 'PATCH', 'servers/one')
        for body in ([], 5, 'text'):
            self.patch(400, 'one', body)
        answer = self.send('PATCH', f'{ROOT}servers/one', '{"title": "x"}', Authorization=f'Bearer {self.token}', Content_Type='text/plain')
        self.assertEqual(answer.status, 415)
        self.assertEqual(self.keyfile.read_text(), text)

    def test_at_once(self):
        """What is said to be done is done, whoever else changes the same server."""
        self.add('one', env={})
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            def change(i):
                self.patch(200, 'one', {'env': {f'NAME{i}': str(i)}})
            list(pool.map(change, range(40)))
            text = self.keyfile.read_text()
            for i in range(40):
                self.assertIn(f'NAME{i}', text)

            self.assertIn(200, list(pool.map(self.compete, range(40))))

    def test_many_adds_and_removes(self):
        """Servers that run, some of them stored, and many that are stored alone come and go on four connections at once."""
        def read_memory_kb():
            status = pathlib.Path(f'/proc/{self.daemon.pid}/status').read_text(encoding='utf-8')
            return int(re.search(r'VmRSS:\s+(\d+)', status)[1])

        def add_and_remove(numbers, disabled=False):
            connection = self.connect()
            for i in numbers:
                # Names come again: what tools a name had is kept. None is used on two connections.
                name = f'server-{i % 48}'
                store = disabled or i % 50 == 0
                self.ask(201, 'POST', 'servers', {'name': name, 'command': TOOLS_SERVER, 'store': store, 'disabled': disabled}, connection)
                if store and not disabled:
                    self.ask(200, 'PATCH', f'servers/{name}', {'title': f'Number {i}'}, connection)
                self.ask(204, 'DELETE', f'servers/{name}' + '?store=true' * store, connection=connection)

        def count_fds():
            return len(os.listdir(f'/proc/{self.daemon.pid}/fd'))

        add_and_remove(range(48))
        fds, memory = count_fds(), read_memory_kb()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(add_and_remove, [range(i, N_CHANGES, 4) for i in range(4)]))
            list(pool.map(lambda numbers: add_and_remove(numbers, disabled=True), [range(i, N_IDLE, 4) for i in range(4)]))
        self.assertEqual(self.ask(200, 'GET', 'servers')['servers'], [])
        self.assertNotRegex(self.keyfile.read_text(), r'server-.*=|=.*server-')
        self.assertLess(count_fds(), fds + 10)
        self.assertLess(read_memory_kb(), memory + 8000)
        self.assertIsNone(self.daemon.poll())

    def test_failing_adds(self):
        connection = self.connect()
        for i in range(N_FAILING):
            self.ask(502, 'POST', 'servers', {'name': f'server-{i}', 'command': '/does/not/exist'}, connection)
            self.ask(404, 'DELETE', f'servers/server-{i}', connection=connection)
        self.assertEqual(self.ask(200, 'GET', 'servers')['servers'], [])

    def test_failing_stored(self):
        """What does not start is not stored, and what is disabled is stored without a start."""
        def read_values():
            return [line for line in self.keyfile.read_text().splitlines() if '=' in line]

        self.add('one')
        values = read_values()
        for _ in range(2):
            self.assertEqual(self.ask(502, 'POST', 'servers', {'name': 'two', 'store': True, 'command': '/bin/false'})['code'], 'start-failed')
            self.ask(404, 'GET', 'servers/two')
            self.assertEqual(read_values(), values)
        added = self.add('two', disabled=True)
        self.assertEqual((added['enabled'], added['source'], added['pid'], added['tools']), (False, 'settings', None, []))
        self.assertIn("'two'", self.keyfile.read_text())
        self.ask(204, 'DELETE', 'servers/two?store=true')
        self.assertEqual(read_values(), values)

    def test_stored_and_stopped(self):
        """What was stopped before it was ready has not failed; what fails when nobody waits any more has."""
        late = self.home / 'late'
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            body = json.dumps({'name': 'slow', 'store': True, **self.describe(['--late', str(late)])})
            headers = {'Authorization': f'Bearer {self.token}', 'Content_Type': 'application/json'}
            adding = pool.submit(self.send, 'POST', f'{ROOT}servers', body, **headers)
            wait_until(lambda: self.get_pid('slow'))
            self.ask(200, 'POST', 'servers/slow/stop')
            self.assertGreaterEqual(adding.result(60).status, 400)
        self.assertIn("'slow'", self.keyfile.read_text())
        self.ask(204, 'DELETE', 'servers/slow?store=true')
        self.assertNotIn("'slow'", self.keyfile.read_text())

        connection = self.connect()
        script = f'while [ ! -e "{late}" ]; do sleep 0.05; done; exit 3'
        body = json.dumps({'name': 'slow', 'store': True, 'command': '/bin/sh', 'args': ['-c', script]})
        connection.request('POST', f'{ROOT}servers', body, {name.replace('_', '-'): value for name, value in headers.items()})
        wait_until(lambda: self.get_pid('slow'))
        connection.close()
        late.touch()
        wait_until(lambda: self.get_pid('slow') is None and "'slow'" not in self.keyfile.read_text())
        self.ask(404, 'GET', 'servers/slow')

    def get_pid(self, name):
        answer = self.send('GET', f'{ROOT}servers/{name}', Authorization=f'Bearer {self.token}')
        return json.loads(answer.body)['pid'] if answer.status == 200 else None

    def test_names_that_are_none(self):
        """A name that cannot be one, and one that is another's."""
        for name in ('ö', '/', 'x' * 200, 'x' * 300):
            self.ask(400, 'POST', 'servers', {'name': name, 'store': True, 'command': TOOLS_SERVER})
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            body = json.dumps({'name': 'one', 'store': True, 'command': TOOLS_SERVER})
            headers = {'Authorization': f'Bearer {self.token}', 'Content_Type': 'application/json'}
            added = list(pool.map(lambda _: self.send('POST', ROOT + 'servers', body, **headers).status, range(8)))
        self.assertEqual(sorted(added), [201] + 7 * [409])

    def test_mixed_changes(self):
        """Whatever comes between: what a patch is said to have changed is not undone by another's, and never changes what came anew."""
        def work(number):
            for i in range(10):
                self.ask(201, 'POST', 'servers', {'name': f'mine-{number}', 'store': True, 'command': TOOLS_SERVER, 'title': f'{i}'})
                self.patch(200, f'mine-{number}', {'env': {'A': str(i)}})
                self.ask(204, 'DELETE', f'servers/mine-{number}?store=true')
                self.ask(201, 'POST', 'servers', {'name': f'mine-{number}', 'store': True, 'command': TOOLS_SERVER})
                self.assertEqual(self.patch(200, f'mine-{number}', {'start': 'manual'})['title'], f'mine-{number}')
                self.ask(204, 'DELETE', f'servers/mine-{number}?store=true')
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
        self.assertEqual(self.ask(200, 'GET', 'servers')['servers'], [])

    def test_names(self):
        self.add('one')
        text = self.keyfile.read_text()
        for name in ('..', '%2e%2e', 'a%2fb', '%01', 'one%0a', '%00', 'one%20', 'one/..', '%c3%28'):
            for method in ('PATCH', 'DELETE'):
                answer = self.send(method, f'{ROOT}servers/{name}', '{"title": "x"}' if method == 'PATCH' else None,
                                   Authorization=f'Bearer {self.token}', Content_Type='application/json')
                self.assertIn(answer.status, (400, 404), f'{method} {name}: {answer.body}')
        self.assertEqual(self.keyfile.read_text(), text)


class Files(ChangingSession):
    """The servers stand in a file, in which only what was to change does."""
    TEXT = """{
  // What the team has agreed on.
  "mcpServers": {
    "one": {
      "command": %s, "args": %s,
      "env": { "WORD": "first", "OTHER": "${HOME}" }
    },
    "Second One": { "command": %s, "disabled": false }, // as it was
    "third": { "command": %s, /* mine */ "title": "Third" }
  }
}
"""

    def setUp(self):
        super().setUp()
        one, command = self.describe(['--tools', 'env,echo']), json.dumps(TOOLS_SERVER)
        self.text = self.TEXT % (json.dumps(one['command']), json.dumps(one['args']), command, command)
        self.config.write_text(self.text, encoding='utf-8')
        self.daemon = self.start_control()

    def read(self):
        return self.config.read_text(encoding='utf-8')

    def test_members(self):
        changed = self.patch(200, 'one', {'env': {'WORD': 'second'}, 'callTimeoutMs': 5000})
        self.assertEqual(changed['source'], str(self.config))
        text = self.read()
        self.assertIn('"OTHER":"${HOME}","WORD":"second"', text)
        self.assertIn('5000', text)
        self.assertIn('// What the team has agreed on.', text)
        self.assertEqual(text[text.index('"Second One"'):], self.text[self.text.index('"Second One"'):])
        self.ask(200, 'POST', 'servers/one/start')
        called = self.ask(200, 'POST', 'servers/one/tools/env', {'arguments': {'name': 'WORD'}})
        self.assertEqual(called['content'][0]['text'], 'second')
        self.patch(200, 'one', {'env': None, 'callTimeoutMs': None})
        self.assertNotIn('WORD', self.read())
        self.assertNotIn('5000', self.read())
        # By names that other programs have for them, too.
        self.patch(200, 'one', {'environment': {'WORD': 'by another name'}, 'tool_timeout_sec': 7})
        self.assertIn('7000', self.read())
        self.patch(200, 'one', {'envs': {'WORD': None}, 'toolTimeoutMs': None})
        self.assertNotIn('by another name', self.read())
        self.assertNotIn('7000', self.read())
        text = self.read()
        self.patch(200, 'one', {})
        self.assertEqual(self.read(), text)

    def test_names(self):
        """A server is found by its id, and keeps the name that the file has."""
        self.assertEqual(self.patch(200, 'second-one', {'title': 'Another'})['title'], 'Another')
        self.assertIn('"Second One": {', self.read())
        self.assertIn('// as it was', self.read())

    def test_refused(self):
        self.assertIn('comments', self.patch(422, 'third', {'title': 'x'})['detail'])
        self.patch(404, 'nope', {'title': 'x'})
        for patch in ({'command': 5}, {'command': None}, {'name': 'other'}, {'start': 'never'}):
            self.assertEqual(self.patch(422, 'one', patch)['code'], 'invalid-config', patch)
        self.patch(412, 'one', {'title': 'x'}, If_Match='"other"')
        self.assertEqual(self.read(), self.text)

    def test_etag_of_a_file_that_others_write(self):
        answer = self.send('GET', f'{ROOT}servers/one', Authorization=f'Bearer {self.token}')
        self.config.write_text(self.text.replace('"first"', '"by hand"'), encoding='utf-8')
        self.patch(412, 'one', {'title': 'x'}, If_Match=answer.headers['ETag'])
        self.patch(200, 'one', {'title': 'x'})
        self.assertIn('"by hand"', self.read())

    def test_at_once(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: self.patch(200, 'one', {'env': {f'NAME{i}': str(i)}}), range(20)))
        text = self.read()
        for i in range(20):
            self.assertIn(f'"NAME{i}":"{i}"', text)

    def test_competing(self):
        """Each of those that change the same at once is answered, also where one that waited for its turn writes nothing."""
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for number in range(10):
                etag = self.get_etag('one')
                answers = list(pool.map(lambda i: self.compete(f'{number}-{i}', etag), range(8)))
                self.assertEqual(sorted(answers), [200] + 7 * [412])
            self.assertIn(200, list(pool.map(self.compete, range(40))))

    def test_add(self):
        added = self.ask(201, 'POST', 'servers', {'name': 'four', 'command': TOOLS_SERVER, 'env': {'A': '${HOME}'}, 'store': True})
        self.assertEqual(added['source'], str(self.config))
        self.assertTrue(added['tools'])
        text = self.read()
        self.assertIn('"four": {', text)
        self.assertIn('"${HOME}"', text)
        self.assertEqual(text[:text.index('"third"')], self.text[:self.text.index('"third"')])
        self.ask(409, 'POST', 'servers', {'name': 'four', 'command': TOOLS_SERVER, 'store': True})
        # By one that only the file has by now, too.
        self.config.write_text(text.replace('    "four": {', '    "five": { "command": "true" },\n    "four": {'), encoding='utf-8')
        self.assertIn('“five”', self.ask(409, 'POST', 'servers', {'name': 'five', 'command': TOOLS_SERVER, 'store': True})['detail'])
        wait_until(lambda: any(server['name'] == 'five' for server in self.ask(200, 'GET', 'servers')['servers']))
        self.ask(204, 'DELETE', 'servers/five?store=true')
        self.assertEqual(self.read(), text)
        self.assertEqual(self.end_daemon(self.daemon), 0)
        self.daemon = self.start_control()
        self.ask(200, 'POST', 'servers/four/start')
        self.ask(204, 'DELETE', 'servers/four?store=true')
        self.assertEqual(self.read(), self.text)

    def test_failing_stored(self):
        """The file is as it was before; what is disabled is stored without a start."""
        for _ in range(2):
            self.assertEqual(self.ask(502, 'POST', 'servers', {'name': 'four', 'command': '/bin/false', 'store': True})['code'], 'start-failed')
            self.ask(404, 'GET', 'servers/four')
            self.assertEqual(self.read(), self.text)
        added = self.ask(201, 'POST', 'servers', {'name': 'four', 'command': '/bin/false', 'disabled': True, 'store': True})
        self.assertEqual((added['enabled'], added['source'], added['pid']), (False, str(self.config), None))
        self.assertIn('"four": {', self.read())

    def test_add_at_once(self):
        names = [f'server-{i}' for i in range(12)]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda name: self.ask(201, 'POST', 'servers', {'name': name, 'command': TOOLS_SERVER, 'store': True}), names))
        text = self.read()
        for name in names:
            self.assertEqual(text.count(f'"{name}": {{'), 1)
        self.assertIn('// What the team has agreed on.', text)

    def test_remove(self):
        self.ask(200, 'POST', 'servers/one/start')
        self.ask(204, 'DELETE', 'servers/one?store=true')
        self.assertEqual(self.servers(), [])
        self.assertNotIn('"one"', self.read())
        self.assertIn('// as it was', self.read())
        self.ask(404, 'GET', 'servers/one')
        self.ask(204, 'DELETE', 'servers/second-one')
        self.assertIn('"Second One"', self.read())

    def test_yaml(self):
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(), 0)
        file = self.home / 'servers.yaml'
        file.write_text(f'# of the team\nmcpServers:\n  one:\n    command: {json.dumps(TOOLS_SERVER)}\n    title: One\n  two: # mine\n    command: {json.dumps(TOOLS_SERVER)}\n')
        self.config = file
        self.start_control()
        self.assertEqual(self.patch(200, 'one', {'title': 'Number one'})['title'], 'Number one')
        text = file.read_text(encoding='utf-8')
        self.assertIn('title: "Number one"', text)
        self.assertIn('# of the team', text)
        self.assertIn('two: # mine', text)
        self.ask(204, 'DELETE', 'servers/one?store=true')
        self.assertNotIn('one:', file.read_text(encoding='utf-8'))
        self.ask(201, 'POST', 'servers', {'name': 'three', 'command': TOOLS_SERVER, 'title': 'Third: “3”', 'store': True})
        self.assertIn('three:', file.read_text(encoding='utf-8'))
        self.assertIn('# of the team', file.read_text(encoding='utf-8'))
        self.assertEqual(self.ask(200, 'GET', 'servers/three')['title'], 'Third: “3”')

    def test_broken(self):
        """A file that cannot be read is left alone."""
        text = self.text.replace('"mcpServers": {', '"mcpServers": [')
        self.config.write_text(text, encoding='utf-8')
        answer = self.send('PATCH', f'{ROOT}servers/one', '{"title": "x"}', Authorization=f'Bearer {self.token}', Content_Type='application/json')
        self.assertGreaterEqual(answer.status, 400, answer.body)
        self.assertIn('mend the file', self.ask(400, 'POST', 'servers', {'name': 'four', 'command': TOOLS_SERVER, 'store': True})['detail'])
        self.assertEqual(self.read(), text)


if __name__ == '__main__':
    tap.main()

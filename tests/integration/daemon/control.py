# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcpd with its control API, and a client of it."""
import http.client
import json
import re
import subprocess

from session import Session

ROOT = '/api/v1/mcp/'
PROBLEM = 'application/problem+json'


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def type(self):
        return self.headers.get_content_type()

    def json(self):
        return json.loads(self.body)


class ControlSession(Session):
    """A daemon whose API is at self.port, with the token self.token."""
    def start_control(self, *words, **more):
        daemon = self.start_daemon('--no-bus', '--control-port', '0', *words, stderr=subprocess.PIPE, text=True, **more)
        while not (found := re.search(r'control API is at http://127\.0\.0\.1:(\d+)/', daemon.stderr.readline())):
            pass
        self.port = int(found[1])
        self.token_file = self.home / 'state' / 'gmcp' / 'control-token'
        self.token = self.token_file.read_text(encoding='utf-8')
        return daemon

    def connect(self):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=60)
        self.addCleanup(connection.close)
        return connection

    def send(self, method, path, body=None, connection=None, **headers):
        """A request as it stands here; headers have _ for -."""
        connection = connection or self.connect()
        connection.request(method, path, body, {name.replace('_', '-'): value for name, value in headers.items()})
        return Answer(connection.getresponse())

    def ask(self, status, method, path, body=None, connection=None, **headers):
        """With the token; a body is sent as JSON. What the answer says, which has to have that status."""
        headers.setdefault('Authorization', f'Bearer {self.token}')
        if body is not None:
            body = json.dumps(body)
            headers['Content_Type'] = 'application/json'
        answer = self.send(method, ROOT + path, body, connection, **headers)
        self.assertEqual(answer.status, status, f'{method} {path[:80]}: {answer.body}')
        if status == 204:
            self.assertEqual(answer.body, b'')
            return None
        if status >= 400:
            return self.check_problem(answer)
        self.assertEqual(answer.type, 'application/json')
        self.assertEqual(answer.headers['Cache-Control'], 'no-store')
        return answer.json()

    def check_problem(self, answer):
        self.assertEqual(answer.type, PROBLEM, answer.body)
        problem = answer.json()
        self.assertEqual(problem['status'], answer.status)
        self.assertEqual(problem['type'], 'about:blank')
        for member in ('title', 'detail'):
            self.assertTrue(problem[member], problem)
        self.assertNotIn(self.token, answer.body.decode())
        return problem

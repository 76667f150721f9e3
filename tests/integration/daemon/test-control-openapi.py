#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The description of the control API against the routes and the answers: test-control-openapi.py GMCPD MANAGED_SERVER ROUTES ASKING_SERVER
ROUTES is the source file with the table of them."""
import concurrent.futures
import json
import os
import pathlib
import re
import sys

from control import ControlSession, PROBLEM, ROOT
from session import Session, wait_until
import tap

try:
    import jsonschema
except ImportError:
    print('1..0 # SKIP the package python3-jsonschema is not installed')
    sys.exit(0)

Session.gmcpd, Session.server, ROUTES, ASKING = map(os.path.abspath, sys.argv[1:5])


class Description(ControlSession):
    def setUp(self):
        super().setUp()
        self.configure(one={'words': ['--tools', 'echo,refuse,describe'], 'title': 'One'}, two={}, bad={'command': '/bin/false'})
        config = json.loads(self.config.read_text())
        config['mcpServers']['asking'] = {'command': sys.executable, 'args': ['-S', ASKING]}
        self.config.write_text(json.dumps({**config, 'mcp_settings': {'pin_policy': 'withhold'}}))
        self.start_control()
        self.document = self.ask(200, 'GET', 'openapi.json')

    def test_routes(self):
        """All that there is is described, and nothing else."""
        source = pathlib.Path(ROUTES).read_text(encoding='utf-8')
        routes = {tuple(route) for route in re.findall(r'\{ "([A-Z]+)", "([^"]+)", gmcpd_api_', source)}
        self.assertGreater(len(routes), 20)
        described = {(method.upper(), re.sub(r'\{\w+\}', '*', path.removeprefix('/')))
                     for path, item in self.document['paths'].items() for method in item if method != 'parameters'}
        self.assertEqual(described, routes)
        # The daemon says the same.
        for path in self.document['paths']:
            answer = self.send('NONSENSE', ROOT + re.sub(r'\{\w+\}', 'one', path.removeprefix('/')), Authorization=f'Bearer {self.token}')
            allowed = {method for method, other in routes if other == re.sub(r'\{\w+\}', '*', path.removeprefix('/'))}
            self.assertEqual((answer.status, set(answer.headers['Allow'].split(', '))), (405, allowed), path)

    def test_parameters(self):
        for path, item in self.document['paths'].items():
            for operation in item.values():
                named = {one['name'] for one in operation.get('parameters', []) if one['in'] == 'path'}
                self.assertEqual(named, set(re.findall(r'\{(\w+)\}', path)), path)
        ids = [operation['operationId'] for item in self.document['paths'].values() for operation in item.values()]
        self.assertEqual(len(set(ids)), len(ids))

    def check(self, value, schema):
        jsonschema.Draft202012Validator({'components': self.document['components'], **schema}).validate(value)

    def call(self, method, template, body=None, query='', **words):
        """What is sent has to fit the description, and what comes back has to fit it and its own schema for the status."""
        operation = self.document['paths']['/' + template][method.lower()]
        headers = {'Authorization': f'Bearer {self.token}'}
        if body is not None:
            self.check(body, operation['requestBody']['content']['application/json']['schema'])
            headers['Content_Type'] = 'application/json'
        answer = self.send(method, ROOT + template.format(**words) + query, json.dumps(body) if body is not None else None, **headers)
        described = operation['responses'].get(str(answer.status), self.document['components']['responses']['Problem'])
        self.assertEqual(str(answer.status) in operation['responses'], answer.status < 400, f'{method} {template}: {answer.body}')
        if 'content' in described:
            self.check(answer.json(), described['content'][answer.type]['schema'])
            self.check_whole(answer.json(), described['content'][answer.type]['schema'])
        else:
            self.assertEqual(answer.body, b'')
        for name in described.get('headers', {}):
            self.assertTrue(answer.headers[name], name)
        return answer

    def check_whole(self, value, schema, where=''):
        """Each member of an object that has a description is described."""
        if '$ref' in schema:
            schema = self.document['components']['schemas'][schema['$ref'].rpartition('/')[2]]
        if isinstance(value, list):
            for item in value:
                self.check_whole(item, schema.get('items', {}), where)
        elif isinstance(value, dict) and 'required' in schema and schema['required'] != ['type']:
            for name, member in value.items():
                self.assertIn(name, schema['properties'], where or 'the answer')
                self.check_whole(member, schema['properties'][name], f'{where}.{name}')

    def test_answers(self):
        self.call('GET', 'status')
        self.call('GET', 'openapi.json')
        self.call('POST', 'servers/{name}/start', name='one')
        for template in ('servers', 'questions', 'changes', 'audit'):
            self.call('GET', template)
        for name in ('one', 'two', 'bad'):
            self.call('GET', 'servers/{name}', name=name)
            self.call('POST', 'servers/{name}/test', name=name)
            self.call('GET', 'servers/{name}/logs', name=name, query='?lines=5')
        self.call('POST', 'servers/{name}/health', name='one')
        self.call('GET', 'servers/{name}/tools', name='one')
        self.call('POST', 'servers/{name}/tools/{tool}', {'arguments': {'text': 'x'}}, name='one', tool='echo')
        self.call('POST', 'servers/{name}/tools/{tool}', name='one', tool='describe')
        wait_until(lambda: self.call('GET', 'changes').json()['changes'])
        change, = self.call('GET', 'changes').json()['changes']
        self.call('POST', 'changes/approve', {'server': 'one', 'tool': 'describe', 'digest': change['digest']})
        self.assertEqual(len(self.call('GET', 'audit', query='?limit=1').json()['records']), 1)
        self.assertEqual(self.call('PATCH', 'servers/{name}', {'title': 'Number one'}, name='one').json()['title'], 'Number one')
        self.call('POST', 'servers/{name}/restart', name='one')
        self.call('POST', 'servers/{name}/stop', {'force': True}, name='one')
        self.assertEqual(self.call('POST', 'servers', {'name': 'new', **self.describe()}).status, 201)
        self.assertEqual(self.call('DELETE', 'servers/{name}', name='new').status, 204)
        self.assertEqual(self.call('POST', 'sign-in-links').status, 201)

    def look(self):
        """Questions wait while somebody has the stream of events."""
        connection = self.connect()
        self.addCleanup(connection.close)
        connection.request('GET', ROOT + 'events', headers={'Authorization': f'Bearer {self.token}'})
        response = connection.getresponse()
        self.addCleanup(response.close)
        response.readline()

    def test_questions(self):
        """A form, and an address that is accepted, stays, and is not declined any more."""
        pool = concurrent.futures.ThreadPoolExecutor(1)
        self.addCleanup(pool.shutdown, wait=False)
        self.look()

        def call(tool):
            called = pool.submit(self.call, 'POST', 'servers/{name}/tools/{tool}', name='asking', tool=tool)
            wait_until(lambda: self.call('GET', 'questions').json()['questions'])
            return called, self.call('GET', 'questions').json()['questions'][0]

        def answer(question, action, status=204):
            self.assertEqual(self.call('POST', 'questions/{id}', {'action': action}, id=question['id']).status, status)

        called, question = call('form')
        answer(question, 'done', 400)
        answer(question, 'decline')
        self.assertIn('decline', called.result(60).json()['content'][0]['text'])
        called, question = call('pay')
        self.assertNotIn('accepted', question)
        answer(question, 'accept')
        self.assertIs(self.call('GET', 'questions').json()['questions'][0]['accepted'], True)
        answer(question, 'decline', 409)
        answer(question, 'done')
        self.assertIn('paid', called.result(60).json()['content'][0]['text'])
        self.assertEqual(self.call('GET', 'questions').json()['questions'], [])

    def test_problems(self):
        for method, template, status, words in (
                ('GET', 'servers/{name}', 404, {}), ('POST', 'servers/{name}/start', 404, {}), ('DELETE', 'servers/{name}', 404, {}),
                ('PATCH', 'servers/{name}', 404, {'body': {'title': 'x'}}), ('POST', 'questions/{id}', 404, {'body': {'action': 'decline'}}),
                ('POST', 'changes/approve', 404, {'body': {'server': 'nope', 'tool': 'x', 'digest': 'x'}}), ('GET', 'audit', 400, {'query': '?limit=0'}),
                ('POST', 'servers', 502, {'body': {'name': 'x', 'command': '/bin/false'}})):
            answer = self.call(method, template, **words, **({'name': 'nope', 'id': 'nope'} if '{' in template else {}))
            self.assertEqual((answer.status, answer.type), (status, PROBLEM), f'{method} {template}')
        self.assertEqual(self.call('POST', 'servers', {'name': 'new', **self.describe()}).status, 201)
        self.assertEqual(self.call('PATCH', 'servers/{name}', {'title': 'x'}, name='new').status, 409)


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tasks as resources, who is told of their changes, and the prompt that sums up a day.

test-tasks-resources.py GMCP_TASKS [postgres]
"""
import datetime
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tasks
from tasks import LegacyServer, POSTGRES, Server, TasksCase

LISTS = ['tasks://list', 'tasks://list/completed', 'tasks://list/pending']
UPDATED = 'notifications/resources/updated'
# The days of the prompt are those of the machine's zone, which a test should not depend on.
os.environ['TZ'] = 'UTC'


class Resources:
    """What both eras have in common; a subclass says which server it is."""

    def read(self, server, uri):
        contents = server.ask('resources/read', {'uri': uri})['result']['contents']
        self.assertEqual([(item['uri'], item['mimeType']) for item in contents], [(uri, 'application/json')])
        return json.loads(contents[0]['text'])

    def test_lists(self):
        server = self.start(kind=self.kind)
        capabilities = server.discovered['capabilities']
        self.assertIs(capabilities['resources']['subscribe'], True)
        self.assertIn('prompts', capabilities)
        self.assertIn('completions', capabilities)
        self.assertEqual(sorted(item['uri'] for item in server.ask('resources/list')['result']['resources']), LISTS)
        templates = server.ask('resources/templates/list')['result']['resourceTemplates']
        self.assertEqual([item['uriTemplate'] for item in templates], ['tasks://task/{id}'])

    def test_read(self):
        server = self.start(kind=self.kind)
        done = server.do('create_task', title='Done')['task']
        done = server.do('complete_task', task_id=done['id'], completed=True)['task']
        todo = server.do('create_task', title='To do')['task']
        self.assertEqual(self.read(server, 'tasks://list'), {'tasks': [done, todo], 'total': 2})
        self.assertEqual(self.read(server, 'tasks://list/completed'), {'tasks': [done], 'total': 1})
        self.assertEqual(self.read(server, 'tasks://list/pending'), {'tasks': [todo], 'total': 1})
        self.assertEqual(self.read(server, f'tasks://task/{todo["id"]}'), todo)

    def test_not_found(self):
        server = self.start(kind=self.kind)
        other = self.start(kind=self.kind, user='other')
        task = other.do('create_task', title='Private')['task']
        for uri in (f'tasks://task/{task["id"]}', f'tasks://task/{task["id"].upper()}', 'tasks://task/', 'tasks://task/x',
                    'tasks://', 'tasks://list/', 'tasks://list/../list', "tasks://list/pending'--", 'TASKS://LIST',
                    f'tasks://task/{task["id"]}/..', f'tasks://task/{task["id"]}?x', 'file:///etc/passwd',
                    "tasks://task/' OR '1'='1", 'tasks://task/%00', 'tasks://list\u0000', '', 'x' * 100000):
            answer = server.ask('resources/read', {'uri': uri})
            self.assertIn(answer['error']['code'], (-32002, -32602), uri)
            self.assertNotIn('Private', json.dumps(answer))
        self.assertEqual(self.read(other, f'tasks://task/{task["id"]}'), task)

    def complete(self, server, reference, name, value):
        params = {'ref': reference, 'argument': {'name': name, 'value': value}}
        return server.ask('completion/complete', params)['result']['completion']['values']

    def test_completion(self):
        server = self.start(kind=self.kind)
        self.start(kind=self.kind, user='other').do('create_task', title='Private')
        ids = [server.do('create_task', title=str(number))['task']['id'] for number in range(3)]
        reference = {'type': 'ref/resource', 'uri': 'tasks://task/{id}'}
        self.assertEqual(self.complete(server, reference, 'id', ''), ids[::-1])
        self.assertEqual(self.complete(server, reference, 'id', ids[0]), [ids[0]])
        for value in ('%', '_', "'", '\\', 'ZZ', ids[0] + 'x'):
            self.assertEqual(self.complete(server, reference, 'id', value), [], value)
        reference = {'type': 'ref/prompt', 'name': 'sum_up_day'}
        today = datetime.datetime.now(datetime.timezone.utc).date()
        self.assertEqual(self.complete(server, reference, 'date', 'to'), ['today', 'tomorrow'])
        self.assertIn(str(today), self.complete(server, reference, 'date', str(today)[:4])
                      + [str(today)] * (datetime.datetime.now(datetime.timezone.utc).date() != today))

    def test_prompt(self):
        server = self.start(kind=self.kind)
        prompts = server.ask('prompts/list')['result']['prompts']
        self.assertEqual([(prompt['name'], [(one['name'], one['required']) for one in prompt['arguments']])
                          for prompt in prompts], [('sum_up_day', [('date', False)])])
        titles = {'Late': '2026-07-30', 'Late with a time': '2026-07-31T23:59:59+14:00', 'On the day': '2026-08-01',
                  'On the day with a time': '2026-08-01T00:00Z', 'After': '2026-08-02', 'No date': None}
        made = {title: server.do('create_task', title=title, **({'due_date': due} if due else {}))['task']['id']
                for title, due in titles.items()}
        done = server.do('create_task', title='Was done')['task']['id']
        server.do('complete_task', task_id=done, completed=True)
        self.execute(f"UPDATE tasks SET completed_at = '2026-08-01T23:59:59Z' WHERE id = '{done}'")
        parts = self.sum_up(server, date='2026-08-01')
        self.assertEqual([[line.split(' [')[0] for line in part] for part in parts],
                         [['- Late (due 2026-07-30)', '- Late with a time (due 2026-07-31T23:59:59+14:00)'],
                          ['- On the day (due 2026-08-01)', '- On the day with a time (due 2026-08-01T00:00Z)'],
                          ['- Was done']])
        self.assertIn(made['Late'], parts[0][0])
        # The next day.
        self.assertEqual([len(part) for part in self.sum_up(server, date='2026-08-02')], [4, 1, 1])
        self.assertEqual(self.sum_up(server, date='2026-08-02')[2], ['- nothing'])
        self.assertEqual([len(part) for part in self.sum_up(server)], [len(part) for part in self.sum_up(server, date='today')])
        for date in ('2026-02-30', 'soon', '2026-8-1', '2026-08-01T00:00Z', '0000-00-00', '9999-99-99', "'; --", 'x' * 10000):
            self.assertEqual(server.ask('prompts/get', {'name': 'sum_up_day', 'arguments': {'date': date}})['error']['code'],
                             -32602, date)
        self.assertIn('error', server.ask('prompts/get', {'name': 'nope'}))

    def sum_up(self, server, **arguments):
        messages = server.ask('prompts/get', {'name': 'sum_up_day', 'arguments': arguments})['result']['messages']
        self.assertEqual([(message['role'], message['content']['type']) for message in messages], [('user', 'text')])
        head, *parts = messages[0]['content']['text'].strip().split('\n\n')
        self.assertIn('Sum up my day', head)
        return [part.split('\n')[1:] for part in parts]

    def test_told(self):
        """By this program, and by another."""
        server = self.start(kind=self.kind)
        task = server.do('create_task', title='x')['task']
        uri = f'tasks://task/{task["id"]}'
        self.subscribe(server, uri, 'tasks://list')
        server.do('update_task', task_id=task['id'], title='y')
        server.wait_notification(UPDATED, uri=uri)
        server.wait_notification(UPDATED, uri='tasks://list')

        other = self.start(kind=self.kind)
        other.do('update_task', task_id=task['id'], title='z')
        server.wait_notification(UPDATED, uri=uri)
        server.wait_notification(UPDATED, uri='tasks://list')
        self.assertEqual(self.read(server, uri)['title'], 'z')
        other.do('delete_task', task_id=task['id'], confirm=True)
        server.wait_notification(UPDATED, uri=uri)

    def test_not_told(self):
        """Of what is not another thing, and of other tasks."""
        server = self.start(kind=self.kind)
        task = server.do('create_task', title='x')['task']
        other = server.do('create_task', title='other')['task']
        uri = f'tasks://task/{task["id"]}'
        self.subscribe(server, uri)
        server.do('update_task', task_id=task['id'], title='x')
        server.do('complete_task', task_id=task['id'], completed=False)
        server.do('update_task', task_id=other['id'], title='another')
        server.do('list_tasks')
        if POSTGRES:
            # When it begins to listen, it cannot know what it has missed.
            server.notifications.clear()
        self.assertEqual([message for message in server.notifications if message['method'] == UPDATED], [])
        server.do('update_task', task_id=task['id'], title='y')
        server.wait_notification(UPDATED, uri=uri)


class ModernResources(Resources, TasksCase):
    kind = Server

    def subscribe(self, server, *uris):
        server.request('subscriptions/listen', {'notifications': {'resourceSubscriptions': list(uris)}})
        server.wait_notification('notifications/subscriptions/acknowledged')


class LegacyResources(Resources, TasksCase):
    kind = LegacyServer

    def subscribe(self, server, *uris):
        for uri in uris:
            self.assertEqual(server.ask('resources/subscribe', {'uri': uri})['result'], {})


@unittest.skipUnless(POSTGRES, 'is about a server')
class Interrupted(TasksCase):
    def test_told_after_a_restart(self):
        server = self.start()
        task = server.do('create_task', title='x')['task']
        uri = f'tasks://task/{task["id"]}'
        server.request('subscriptions/listen', {'notifications': {'resourceSubscriptions': [uri]}})
        server.wait_notification('notifications/subscriptions/acknowledged')
        POSTGRES.stop()
        POSTGRES.start()
        # Nobody heard what happened meanwhile, so it may be another thing now.
        server.wait_notification(UPDATED, uri=uri)
        self.start().do('update_task', task_id=task['id'], title='y')
        server.wait_notification(UPDATED, uri=uri)


if __name__ == '__main__':
    tasks.main()

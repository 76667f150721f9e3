#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is one user's is no other's, by whatever handle: the ids of tasks and of sessions, progress tokens, the states of
requests. Who has the handle but is somebody else is answered as one who has made it up.

test-server-others.py FLOOD_SERVER
"""
import base64
import contextlib
import hashlib
import hmac
import json
import pathlib
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import tap
from flooding import PARAMS, SERVER_KEY, Case

MADE_UP = '0' * 40


class Others(Case):
    def check_alike(self, ask, handle, made_up=MADE_UP):
        """Another's handle is answered as one that there is not; gives the answer."""
        answers = [json.dumps(ask(each)).replace(each, 'HANDLE') for each in (handle, made_up)]
        self.assertEqual(*answers)
        return json.loads(answers[0])

    def test_tasks(self):
        task = self.make_task('ask_job', questions=1)
        state = self.get_task(task)
        self.assertEqual(state['status'], 'input_required')
        key = next(iter(state['inputRequests']))
        answer = {key: {'action': 'accept', 'content': {'name': 'Ben'}}}
        for method, params in (('tasks/get', {}), ('tasks/cancel', {}), ('tasks/update', {'inputResponses': answer})):
            got = self.check_alike(lambda each: self.request(method, {'taskId': each, **params}, 'ben', named=each), task)
            self.assertEqual(got['error']['code'], PARAMS, method)
        self.assertEqual(self.get_task(task)['status'], 'input_required')
        self.request('tasks/update', {'taskId': task, 'inputResponses': answer}, named=task)
        self.assertEqual(self.wait_task(task)['status'], 'completed')

    def test_tasks_that_are_listened_to(self):
        task, own = self.make_task('job'), self.make_task('job', 'ben')
        streams = [self.listen([each, own]) for each in (task, MADE_UP)]
        acknowledged = [json.dumps(self.read_message(stream)) for stream in streams]
        self.assertNotIn(task, acknowledged[0])
        self.assertEqual(*acknowledged)
        self.cancel_task(task)
        self.request('tasks/cancel', {'taskId': own}, 'ben', named=own)
        for stream in streams:
            told = self.read_message(stream)
            self.assertEqual((told['method'], told['params']['taskId'], told['params']['status']), ('notifications/tasks', own, 'cancelled'))
            stream.whole.close()

    def listen(self, tasks):
        return self.send_modern('subscriptions/listen', {'notifications': {'taskIds': tasks}}, 'ben')

    def test_tasks_of_the_older_revision(self):
        task = self.make_task('job')
        sessions = {user: self.open_session(user) for user in ('ann', 'ben')}

        def ask(user, method, **params):
            response = self.post(sessions[user], user, id=1, method=method, params=params)
            with contextlib.closing(response.whole):
                return json.load(response)
        for method in ('tasks/get', 'tasks/result', 'tasks/cancel'):
            got = self.check_alike(lambda each: ask('ben', method, taskId=each), task)
            self.assertEqual(got['error']['code'], PARAMS, method)
        self.assertEqual(ask('ben', 'tasks/list')['result']['tasks'], [])
        self.assertEqual([each['taskId'] for each in ask('ann', 'tasks/list')['result']['tasks']], [task])
        self.assertEqual(ask('ben', 'tasks/list', cursor=task)['error']['code'], PARAMS)
        self.assertEqual(self.get_task(task)['status'], 'working')

    def test_progress_tokens(self):
        """Two who have chosen the same one are told of their own calls."""
        sessions = {user: self.open_session(user) for user in ('ann', 'ben')}
        streams = {user: self.post(sessions[user], user, id=1, method='tools/call', params={
            'name': 'chat', 'arguments': {'steps': steps, 'bytes': 1}, '_meta': {'progressToken': 'the same'}})
            for user, steps in (('ann', 2), ('ben', 4))}
        for user, steps in (('ann', 2), ('ben', 4)):
            told = [self.read_message(streams[user])['params']['progress'] for _ in range(steps)]
            self.assertEqual(told, list(range(steps)))
        cancelled = {'method': 'notifications/cancelled', 'params': {'requestId': 1}}
        self.post(sessions['ben'], 'ben', **cancelled).whole.close()
        self.assertIsNone(self.read_message(streams['ben']))
        for stream in streams.values():
            stream.whole.close()

    def test_answers_to_the_questions_of_others(self):
        """A session's questions have numbers that are easily guessed: in another session they mean nothing."""
        sessions = {user: self.open_session(user) for user in ('ann', 'ben')}
        stream = self.call_in_session(sessions['ann'], 'ask', questions=1)
        number = self.read_message(stream)['id']
        answer = {'id': number, 'result': {'action': 'accept', 'content': {'name': 'Ben'}}}
        self.post(sessions['ben'], 'ben', **answer).whole.close()
        stolen = self.post(sessions['ann'], 'ben', **answer)
        self.assertEqual(stolen.status, 404)
        stolen.whole.close()
        self.post(sessions['ann'], id=number, result={'action': 'accept', 'content': {'name': 7}}).whole.close()
        self.assertEqual(self.read_message(stream)['method'], 'elicitation/create')
        stream.whole.close()

    # The states of requests

    def open_state(self, state):
        return json.loads(base64.b64decode(state[64:]))

    def sign_state(self, content, key=SERVER_KEY):
        text = json.dumps(content, separators=(',', ':')).encode()
        return hmac.new(key, text, hashlib.sha256).hexdigest() + base64.b64encode(text).decode()

    def answer_with(self, state, user='ann', **arguments):
        rounds = {'requestState': state, 'inputResponses': {'q0': {'action': 'decline'}}}
        return self.call('ask', user, rounds, **(arguments or {'questions': 1}))

    def test_states(self):
        first = self.call('ask', questions=1)['result']['requestState']
        content = self.open_state(first)
        self.assertIn('result', self.answer_with(self.sign_state(content)), 'the test signs as the server does')
        self.assertIn('result', self.answer_with(first))
        old = self.sign_state({**content, 'expires': content['expires'] - 601})
        for state, arguments in ((old, {}), (self.sign_state({**content, 'expires': 'never'}), {}),
                                 (self.sign_state({key: value for key, value in content.items() if key != 'expires'}), {}),
                                 (self.sign_state(content, b'x' * 32), {}),
                                 (first[:64] + self.sign_state({**content, 'expires': content['expires'] + 600})[64:], {}),
                                 (first, {'questions': 2})):
            self.assertEqual(self.answer_with(state, **arguments)['error']['code'], PARAMS, state)
        self.assertEqual(self.answer_with(first, 'ben')['error']['code'], PARAMS)

    def test_states_are_no_place_for_users(self):
        """Who is called as another's digest ends is not that other."""
        first = self.call('ask', 'ann', questions=1)['result']['requestState']
        for user in ('an', 'n', 'annn', 'ann0', 'ANN'):
            answer = self.answer_with(first, user)
            self.assertEqual(answer['error']['code'], PARAMS, user)

    def test_two_at_once(self):
        """Many users at once, each with a name of his own in what he is answered."""
        faults = []

        def work(user):
            for i in range(20):
                text = f'{user} {i}'
                answer = self.call('echo', user, text=text)
                if answer.get('result', {}).get('content', [{}])[0].get('text') != text:
                    faults.append((user, answer))
        threads = [threading.Thread(target=work, args=(f'user{i}',)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Floods of tasks, questions and events at a server over HTTP: what it keeps for those who make them is bounded in bytes,
and others are served.

test-server-floods.py FLOOD_SERVER
"""
import http.client
import json
import pathlib
import socket
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import tap
from flooding import LIMIT_S, MIB, PARAMS, Case


class Floods(Case):
    # Tasks

    def test_tasks_that_nobody_fetches(self):
        """As many as one user may have; the next is refused, while others have theirs."""
        tasks = [self.make_task('job') for _ in range(1001)]
        self.assertEqual([task is None for task in tasks], [False] * 1000 + [True])
        self.check_grown(24 * MIB)
        self.check_served('ann')
        self.assertEqual(self.get_task(self.make_task('job', 'ben'), 'ben')['status'], 'working')

    def test_tasks_with_large_calls(self):
        """64 MiB of one user; the rest is refused until one has ended."""
        tasks = [self.make_task('job', text='x' * (4 * MIB)) for _ in range(20)]
        taken = [task for task in tasks if task]
        self.assertEqual(len(taken), 15)
        self.check_grown(160 * MIB)
        self.check_served()
        self.assertIsNotNone(self.make_task('job', 'ben', text='x' * (4 * MIB)))
        self.cancel_task(taken[0])
        self.assertIsNotNone(self.make_task('job', text='x' * (4 * MIB)))
        self.assertIsNone(self.make_task('job', text='x' * (4 * MIB)))

    def test_tasks_that_are_cancelled_at_once(self):
        for _ in range(60):
            self.cancel_task(self.make_task('job', text='x' * (2 * MIB)))
        self.check_grown(32 * MIB)
        self.check_served()

    def test_tasks_whose_function_goes_on_regardless(self):
        """What it keeps counts as long as it keeps it; small calls of anybody go on."""
        tasks = [self.make_task('hoard_job', text='x' * (24 * MIB)) for _ in range(2)]
        while tasks[-1]:
            self.cancel_task(tasks[-1])
            tasks.append(self.make_task('hoard_job', text='x' * (24 * MIB)))
        self.assertEqual(len(tasks), 11)
        self.check_grown(576 * MIB)
        self.check_served()
        self.assertIsNotNone(self.make_task('job', 'ben'))

    def test_results_that_nobody_fetches(self):
        states = [self.wait_task(self.make_task('give', bytes=6 * MIB)) for _ in range(14)]
        self.assertEqual([state['status'] for state in states], ['completed'] * 10 + ['failed'] * 4)
        self.assertIn('no room', states[-1]['error']['message'])
        self.check_grown(96 * MIB)
        self.check_served()

    def test_errors_that_nobody_fetches(self):
        states = [self.wait_task(self.make_task('give', bytes=6 * MIB, fails=1)) for _ in range(14)]
        self.assertEqual([(state['status'], state['error']['code'], 'data' in state['error']) for state in states],
                         [('failed', -32000, True)] * 10 + [('failed', -32000, False)] * 4)
        self.check_grown(96 * MIB)
        self.check_served()

    # Questions

    def test_questions_that_nobody_answers(self):
        """A hundred at once; the function is told of the rest, the end of the session ends all."""
        session = self.open_session()
        stream = self.call_in_session(session, 'ask', questions=5000)
        ids = {self.read_message(stream)['id'] for _ in range(100)}
        self.assertEqual(len(ids), 100)
        self.check_grown(16 * MIB)
        self.check_served()
        for number in ids:
            answered = self.post(session, id=number, result={'action': 'decline'})
            self.assertEqual(answered.status, 202)
            answered.whole.close()
        self.assertEqual(self.read_message(stream)['result']['content'][0]['text'], '4900 refused, 0 bad')
        stream.whole.close()

    def test_questions_of_many_calls(self):
        """One client is asked a hundred things at once, however many of its calls ask."""
        session = self.open_session()
        streams = [self.call_in_session(session, 'ask', number, questions=50) for number in (1, 2, 3)]
        self.assertEqual(self.read_message(streams[2])['result']['content'][0]['text'], '50 refused, 0 bad')
        self.check_served()
        for stream in streams:
            stream.whole.close()

    def test_answers_that_are_none(self):
        """The function asks again each time, and again."""
        session = self.open_session()
        stream = self.call_in_session(session, 'ask', questions=1)
        garbage = [{'result': {}}, {'result': {'action': 7}}, {'result': {'action': 'accept', 'content': {'name': 1}}},
                   {'result': {'action': 'accept', 'content': {'name': ['x' * 100000]}}}, {'result': {'action': 'accept'}}]
        for i in range(200):
            question = self.read_message(stream)
            self.assertEqual(question['method'], 'elicitation/create')
            answered = self.post(session, id=question['id'], **garbage[i % len(garbage)])
            self.assertEqual(answered.status, 202)
            answered.whole.close()
        for answer in ({'id': 987654, 'result': {}}, {'id': 'none', 'result': {}}, {'id': 1, 'result': {}}):
            self.post(session, **answer).whole.close()
        self.check_grown(16 * MIB)
        self.check_served()
        question = self.read_message(stream)
        self.post(session, id=question['id'], result={'action': 'decline'}).whole.close()
        self.assertEqual(self.read_message(stream)['result']['content'][0]['text'], '0 refused, 200 bad')
        stream.whole.close()

    def test_rounds_with_garbage(self):
        """A client of 2026-07-28 that never gives an answer is asked with each request, and what is kept for it does not grow."""
        rounds = {}
        size = None
        for i in range(200):
            result = self.call('ask', rounds=rounds, questions=2)['result']
            # A number is no answer; of one that does not fit the function hears, and asks something else in its place.
            self.assertEqual(list(result['inputRequests']), ['q0', 'q1'] if i < 3 else ['q1', 'question-3'])
            size = size or len(result['requestState'])
            self.assertLess(len(result['requestState']), size + 200)
            rounds = {'requestState': result['requestState'],
                      'inputResponses': [{}, {'q0': 7}, {'q0': {'action': 'accept', 'content': {}}}, {f'x{i}': {'action': 'x' * 10000}}][i % 4]}
        self.check_grown(16 * MIB)

    def test_rounds_that_grow(self):
        """What was answered goes along; what no client could bring back is not asked for."""
        first = self.call('ask', questions=2)['result']
        answer = {'action': 'accept', 'content': {'name': 'x' * MIB}}
        refused = self.call('ask', rounds={'requestState': first['requestState'], 'inputResponses': {'q0': answer}}, questions=2)
        self.assertEqual(refused['error']['code'], PARAMS, str(refused)[:200])
        self.check_grown(48 * MIB)
        self.check_served()

    def test_a_round_asks_so_many_things(self):
        result = self.call('ask', questions=5000)['result']
        self.assertEqual(len(result['inputRequests']), 100)
        self.check_grown(16 * MIB)

    # Requests and streams

    def test_calls_of_clients_that_have_gone(self):
        """In a session they go on; what they hold together is bounded, and small ones of others go on."""
        session = self.open_session()
        text = 'x' * (12 * MIB)
        n_taken = 0
        for number in range(1, 30):
            sent = self.leave_after_sending(session, 'hoard', number, text=text)
            if sent:
                break
            n_taken += 1
        self.assertEqual(n_taken, 21)
        self.check_grown(544 * MIB)
        self.check_served()

    def leave_after_sending(self, session, name, number, **arguments):
        """The answer where there is one at once, else None: the connection is given up once the server works at the call."""
        body = json.dumps({'jsonrpc': '2.0', 'id': number, 'method': 'tools/call', 'params': {'name': name, 'arguments': arguments}}).encode()
        head = ''.join(f'{key}: {value}\r\n' for key, value in session.items())
        with socket.create_connection(('127.0.0.1', self.port), timeout=LIMIT_S) as peer:
            peer.sendall(f'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nContent-Type: application/json\r\n'
                         f'Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n{head}\r\n'.encode() + body)
            peer.setblocking(False)
            while True:
                try:
                    return peer.recv(65536)
                except BlockingIOError:
                    pass
                # While the call runs its id is in use.
                ping = self.post(session, id=number, method='ping')
                ping.whole.close()
                if ping.status == 400:
                    return None

    def test_events_for_clients_that_have_gone(self):
        """Kept for who comes back, within one limit for all sessions."""
        for _ in range(4):
            session = self.open_session()
            for number in range(1, 201):
                stream = self.call_in_session(session, 'chat', number, {'progressToken': number}, steps=100, bytes=4000)
                stream.whole.close()
        self.check_grown(192 * MIB)
        self.check_served()


class FewSessions(Case):
    PROPERTIES = {'max-sessions': 20}

    def is_there(self, session, user):
        response = self.post(session, user, id=1, method='ping')
        response.read()
        response.whole.close()
        return response.status == 200

    def test_sessions(self):
        """Who begins one after the other ends his own, not those of others."""
        first = self.open_session('ben')
        sessions = [self.open_session('ann') for _ in range(40)]
        self.assertTrue(self.is_there(first, 'ben'))
        self.assertEqual([self.is_there(session, 'ann') for session in sessions], [False] * 21 + [True] * 19)

    def test_sessions_in_use(self):
        """Nor does it help to keep them all in use."""
        listeners = []
        for _ in range(20):
            session = self.open_session('ann')
            connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=LIMIT_S)
            connection.request('GET', '/mcp', None, {**session, 'Accept': 'text/event-stream', 'Authorization': 'Bearer ann'})
            listeners.append((connection, connection.getresponse()))
        self.assertEqual({response.status for _, response in listeners}, {200})
        self.assertTrue(self.is_there(self.open_session('ben'), 'ben'))
        for connection, _ in listeners:
            connection.close()


class FewConnections(Case):
    PROPERTIES = {'max-connections': 32}  # two of them are kept free

    def subscribe(self, user):
        stream = self.send_modern('subscriptions/listen', {'notifications': {'toolsListChanged': True}}, user)
        self.addCleanup(stream.whole.close)
        if stream.status == 200:
            self.assertEqual(self.read_message(stream)['method'], 'notifications/subscriptions/acknowledged')
        return stream

    def test_subscriptions(self):
        """Who has as many open as there can be gets no more, and loses one to each who has less."""
        own = [self.subscribe('ann') for _ in range(30)]
        self.assertEqual({stream.status for stream in own}, {200})
        for _ in range(3):
            refused = self.subscribe('ann')
            self.assertEqual(refused.status, 503)
            self.assertIn('end a subscription', json.load(refused)['error']['message'])
        self.check_served('ben')
        others = [self.subscribe('ben') for _ in range(14)]
        self.assertEqual({stream.status for stream in others}, {200})
        self.check_served('eve')
        self.assertEqual(self.subscribe('eve').status, 200)
        # The last of ann's have ended, the first go on.
        for stream in own[16:]:
            self.assertIsNone(self.read_message(stream))
        self.assertEqual(own[0].readline(), b'\n')
        own[0].whole.sock.settimeout(0.01)
        self.assertRaises(TimeoutError, own[0].read, 1)
        self.assertEqual(self.subscribe('ann').status, 503)


if __name__ == '__main__':
    tap.main()

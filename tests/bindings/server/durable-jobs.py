#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tasks of a server that is killed and started again: durable-jobs.py COMMAND…, which is jobs-server.py"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'integration'))
import tap

META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {'elicitation': {}, 'extensions': {'io.modelcontextprotocol/tasks': {}}}}
COMMAND = sys.argv[1:]


class Server:
    def __init__(self, folder):
        self.process = subprocess.Popen([*COMMAND, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)

    def request(self, method, **params):
        self.process.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {**params, '_meta': META}}) + '\n')
        return json.loads(self.process.stdout.readline())

    def call(self, name, **arguments):
        return self.request('tools/call', name=name, arguments=arguments)['result']

    def task(self, task):
        return self.request('tasks/get', taskId=task)['result']

    def wait(self, task):
        end = time.monotonic() + 60
        while (found := self.task(task))['status'] == 'working':
            assert time.monotonic() < end, found
            time.sleep(0.02)
        return found

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        """What it wrote to standard error."""
        self.process.stdin.close()
        self.process.stdout.close()
        with self.process.stderr as stderr:
            text = stderr.read()
        self.process.wait()
        return text


class Durable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-jobs-')
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, 'tasks')

    def records(self):
        return {path.stem: json.loads(path.read_text()) for path in pathlib.Path(self.folder).glob('*.json')}

    def test_killed(self):
        server = Server(self.folder)
        done = server.call('work')['taskId']
        self.assertEqual(server.wait(done)['result']['content'][0]['text'], 'done')
        working = server.call('wait')['taskId']
        asking = server.call('greet')['taskId']
        self.assertEqual(server.wait(asking)['status'], 'input_required')
        cancelled = server.call('wait')['taskId']
        self.assertEqual(server.request('tasks/cancel', taskId=cancelled)['result']['resultType'], 'complete')
        # Each write waits for those before it.
        server.call('wait')
        self.assertEqual({task: self.records()[task]['status'] for task in (done, working, asking, cancelled)},
                         {done: 'completed', working: 'working', asking: 'working', cancelled: 'cancelled'})
        self.assertEqual({path.stat().st_mode & 0o777 for path in pathlib.Path(self.folder).iterdir()}, {0o600})
        self.assertEqual(os.stat(self.folder).st_mode & 0o777, 0o700)
        server.kill()

        server = Server(self.folder)
        found = server.task(done)
        self.assertEqual((found['status'], found['result']['content'][0]['text']), ('completed', 'done'))
        for task in (working, asking):
            found = server.task(task)
            self.assertEqual((found['status'], found['error']['code']), ('failed', -32603), found)
            self.assertIn('server ended', found['error']['message'])
        self.assertEqual(server.task(cancelled)['status'], 'cancelled')
        self.assertNotIn('result', server.task(cancelled))
        server.end()

    def test_junk(self):
        """What is no record is left as it is, and what is one of another name or time is not taken."""
        server = Server(self.folder)
        done = server.call('work')['taskId']
        server.wait(done)
        server.end()
        folder = pathlib.Path(self.folder)
        good = (folder / f'{done}.json').read_text()
        junk = {'empty': '', 'text': 'x', 'list': '[]', 'other': good, 'deep': '[' * 100000, 'null': 'null',
                'status': good.replace('completed', 'finished').replace(done, 'status'),
                'both': good.replace('completed', 'failed').replace(done, 'both'),
                'version': good.replace('"version":1', '"version":2').replace(done, 'version'),
                'result': good.replace('"result"', '"nothing"').replace(done, 'result')}
        for name, text in junk.items():
            (folder / f'{name}.json').write_text(text)
        old = json.loads(good) | {'taskId': 'old', 'createdAt': '2020-01-01T00:00:00Z'}
        (folder / 'old.json').write_text(json.dumps(old))
        (folder / 'dir.json').mkdir()
        os.mkfifo(folder / 'fifo.json')
        (folder / 'link.json').symlink_to('/etc/passwd')

        server = Server(self.folder)
        self.assertEqual(server.task(done)['status'], 'completed')
        for name in (*junk, 'old', 'dir', 'fifo', 'link'):
            self.assertEqual(server.request('tasks/get', taskId=name)['error']['code'], -32602, name)
        server.call('wait')
        self.assertFalse((folder / 'old.json').exists())
        for name, text in junk.items():
            self.assertEqual((folder / f'{name}.json').read_text(), text)
        server.end()

    def test_two(self):
        """A second process on the folder serves, says so, and keeps nothing there."""
        first = Server(self.folder)
        done = first.call('work')['taskId']
        first.wait(done)
        second = Server(self.folder)
        self.assertEqual(second.request('tasks/get', taskId=done)['error']['code'], -32602)
        own = second.call('work')['taskId']
        self.assertEqual(second.wait(own)['status'], 'completed')
        self.assertIn('another process uses this folder', second.end())
        self.assertEqual(list(self.records()), [done])
        first.end()

    def test_no_folder(self):
        """A folder that cannot be made is told of, and tasks are kept in memory."""
        server = Server('/dev/null/x')
        done = server.call('work')['taskId']
        self.assertEqual(server.wait(done)['status'], 'completed')
        self.assertIn('/dev/null/x', server.end())

    def test_decided(self):
        server = Server(self.folder)
        self.assertEqual(server.call('decide')['content'][0]['text'], 'True False')
        task = server.call('decide', long=True)['taskId']
        self.assertEqual(server.wait(task)['result']['content'][0]['text'], 'True True')
        server.end()


if __name__ == '__main__':
    del sys.argv[1:]
    tap.main()

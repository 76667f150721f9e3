#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The gateway of gmcpd on its sockets, and `gmcp gateway`, which passes on what is said:
test-daemon-gateway.py GMCPD MANAGED_SERVER GMCP ASKING_SERVER TASK_SERVER"""
import getpass
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time

from gateway import list_tools, send
from session import Session, wait_until
import tap

Session.gmcpd, Session.server, GMCP, ASKING, DIGGING = map(os.path.abspath, sys.argv[1:6])
FORM = {'name': 'Ann', 'color': '#f00', 'many': ['x']}


class Client:
    """Of revision 2025-11-25, over two files of lines."""
    def __init__(self, source, sink, capabilities=None, form=None):
        self.source, self.sink = source, sink
        self.n_sent = 0
        self.seen = []
        self.capabilities = capabilities or {}
        self.form = form or FORM

    def send(self, **message):
        self.sink.write((json.dumps({'jsonrpc': '2.0', **message}) + '\n').encode())
        self.sink.flush()

    def begin(self, method, **params):
        self.n_sent += 1
        self.send(id=self.n_sent, method=method, params=params)
        return self.n_sent

    def read(self):
        line = self.source.readline()
        if not line:
            raise EOFError
        self.seen.append(json.loads(line))
        return self.seen[-1]

    def wait(self, number):
        """Questions are answered on the way."""
        while True:
            message = self.read()
            if message.get('method') == 'elicitation/create':
                fields = message['params'].get('requestedSchema', {}).get('properties')
                self.send(id=message['id'], result={'action': 'accept', **({'content': self.form} if fields else {})})
            elif message.get('id') == number and 'method' not in message:
                return message

    def ask(self, method, **params):
        return self.wait(self.begin(method, **params))

    def open(self):
        answer = self.ask('initialize', protocolVersion='2025-11-25', capabilities=self.capabilities,
                          clientInfo={'name': 'test', 'version': '1'})
        self.send(method='notifications/initialized')
        return answer['result']

    def tools(self):
        return sorted(tool['name'] for tool in self.ask('tools/list')['result']['tools'])

    def call(self, name, /, **arguments):
        return self.ask('tools/call', name=name, arguments=arguments)['result']


class Gateway(Session):
    def setUp(self):
        super().setUp()
        self.folder = self.runtime / 'gmcp'
        self.write(one={}, two={'words': ['--tools', 'echo,other']})

    def write(self, roles=None, **servers):
        described = {name: self.describe(**more) for name, more in servers.items()}
        described['asking'] = {'command': sys.executable, 'args': ['-S', ASKING]}
        self.config.write_text(json.dumps({'mcpServers': described, 'roles': roles or {}}))

    def start_daemon(self, *words, **more):
        daemon = super().start_daemon('--no-bus', *words, **more)
        self.addCleanup(self.leave, daemon)
        wait_until(lambda: self.takes_clients('gateway') and self.takes_clients('gateway.search'))
        return daemon

    def leave(self, daemon):
        """Servers of a daemon that was killed write to the folder until they have ended."""
        if daemon.poll() is None:
            self.end_daemon(daemon)
        wait_until(lambda: not self.servers())

    def connect(self, name='gateway', **more):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(self.folder / name))
        self.addCleanup(connection.close)
        files = connection.makefile('rb'), connection.makefile('wb')
        for file in files:
            self.addCleanup(file.close)
        client = Client(*files, **more)
        client.open()
        return client

    def start_gateway(self, *words, **more):
        return self.run_beside([GMCP, 'gateway', *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=self.home, **more)

    def relay(self, *words, **more):
        process = self.start_gateway(*words)
        client = Client(process.stdout, process.stdin, **more)
        client.open()
        return process, client

    def test_sockets(self):
        daemon = self.start_daemon()
        self.assertIn('one__echo', self.connect().tools())
        self.assertEqual(self.connect('gateway.search').tools(), ['call_tool', 'get_tool_details', 'search_tools'])
        # A socket has its mode before anybody can connect to it.
        for name in ('gateway', 'gateway.search'):
            self.assertEqual(stat.S_IMODE((self.folder / name).stat().st_mode), 0o600)
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertFalse((self.folder / 'gateway').exists())

    def test_roles_follow_the_configuration(self):
        self.write(one={}, roles={'reader': {'allowed_tools': ['one.echo']}, 'odd/../name': {'allowed_tools': ['*']}})
        daemon = self.start_daemon()
        wait_until((self.folder / 'gateway-reader.search').exists)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.is_socket() and 'gateway' in path.name),
                         ['gateway', 'gateway-reader', 'gateway-reader.search', 'gateway.search'])
        reader = self.connect('gateway-reader')
        self.assertEqual(reader.tools(), ['one__echo'])
        self.assertIn('asking__form', reader.ask('tools/call', name='asking__form', arguments={})['error']['message'])
        self.write(one={}, roles={'writer': {'allowed_tools': ['asking.*']}})
        wait_until((self.folder / 'gateway-writer.search').exists)
        wait_until(lambda: not (self.folder / 'gateway-reader').exists())
        self.assertIn('asking__form', self.connect('gateway-writer').tools())
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_servers_are_shared(self):
        self.write(one={'words': ['--tools', 'echo,pid']})
        self.start_daemon()
        pids = set()
        for client in (self.connect(), self.relay()[1], self.relay('--search')[1]):
            name, arguments = ('one__pid', {})
            if 'call_tool' in client.tools():
                name, arguments = 'call_tool', {'name': name, 'arguments': {}}
            pids.add(client.call(name, **arguments)['content'][0]['text'])
        self.assertEqual(len(pids), 1)

    def test_a_question_is_seen_by_its_client_only(self):
        self.start_daemon()
        asked = self.relay(capabilities={'elicitation': {}})[1]
        other = self.relay(capabilities={'elicitation': {}})[1]
        other.tools()
        answer = asked.call('asking__form')
        self.assertEqual(json.loads(answer['content'][0]['text'])['content'], FORM)
        self.assertIn('elicitation/create', [message.get('method') for message in asked.seen])
        other.tools()
        self.assertNotIn('elicitation/create', [message.get('method') for message in other.seen])

    def test_audit(self):
        """Who called is known for certain, also through `gmcp gateway`: that, and the program that has started it."""
        self.start_daemon()
        process, client = self.relay()
        client.call('one__echo', text='hello')
        audit = self.home / 'state' / 'gmcp' / 'audit.jsonl'
        wait_until(lambda: audit.exists() and audit.read_text().endswith('\n'))
        self.assertEqual(json.loads(audit.read_text())['client'],
                         f'{os.path.realpath(GMCP)} ({process.pid}), started by {os.path.realpath(sys.executable)} ({os.getpid()})')

    def test_visit(self):
        """The client agrees to visit an address, and says then that all is done there."""
        self.start_daemon()
        client = self.relay(capabilities={'elicitation': {'form': {}, 'url': {}}})[1]
        self.assertEqual(client.call('asking__pay')['content'][0]['text'], '"paid"')
        asked = [message['params'].get('mode', 'form') for message in client.seen if message.get('method') == 'elicitation/create']
        self.assertEqual(asked, ['url', 'form'])

    def test_tasks(self):
        """A server's own go on behind a call that waits for them; a client's own are the gateway's."""
        config = json.loads(self.config.read_text())
        config['mcpServers']['digging'] = {'command': sys.executable, 'args': ['-S', DIGGING, str(self.home / 'tasks')]}
        self.config.write_text(json.dumps(config))
        self.start_daemon()
        client = self.relay(capabilities={'elicitation': {}}, form={'depth': 7})[1]
        self.assertEqual(client.call('digging__dig', steps=3, ask=True)['content'][0]['text'], 'dug 3 steps, 7 deep')
        task = client.ask('tools/call', name='asking__log', arguments={}, task={'ttl': 60000})['result']['task']
        self.assertEqual(client.ask('tasks/result', taskId=task['taskId'])['result']['content'][0]['text'], '"logged"')
        # Who comes back finds it, by a name that nobody guesses.
        self.assertEqual(self.relay()[1].ask('tasks/get', taskId=task['taskId'])['result']['status'], 'completed')
        self.assertGreaterEqual(len(task['taskId']), 32)
        # What nobody can guess is not listed either: the tasks of a user's programs are not those of each other.
        for other in client, self.relay()[1]:
            self.assertEqual(other.ask('tasks/list')['error']['code'], -32601)

    def test_relay_ends(self):
        daemon = self.start_daemon()
        process, client = self.relay()
        # What its server needs to start is more than the time that a client has that says nothing more.
        client.call('one__echo', text='hello')
        number = client.begin('tools/call', name='one__echo', arguments={'text': 'x' * 3000000})
        process.stdin.close()
        answer = client.wait(number)
        self.assertIn('x' * 3000000, answer['result']['content'][0]['text'])
        self.assertEqual(process.stdout.read(), b'')
        self.assertEqual(process.wait(), 0)

        process = self.relay()[0]
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), -signal.SIGTERM)

        process = self.relay()[0]
        daemon.kill()
        self.assertEqual(process.stdout.read(), b'')
        self.assertEqual(process.wait(), 3)
        self.assertIn(b'gmcpd', process.stderr.read())

    def test_without_a_daemon(self):
        """A socket that is left of one, none at all, and what the daemon does not have."""
        daemon = self.start_daemon()
        self.end_daemon(daemon, signal.SIGKILL)
        self.assertTrue((self.folder / 'gateway').exists())
        folder = self.home / 'config' / 'mcp'
        folder.mkdir(parents=True)
        (folder / 'mcp.json').write_text(json.dumps({'mcpServers': {'mine': self.describe()}}))
        process, client = self.relay()
        self.assertEqual(client.tools(), ['mine__echo'])
        process.stdin.close()
        self.assertEqual(process.wait(), 0)

        self.start_daemon()
        self.assertIn('one__echo', self.relay()[1].tools())
        process, client = self.relay('--no-daemon')
        self.assertEqual(client.tools(), ['mine__echo'])
        process.stdin.close()
        self.assertEqual(process.wait(), 0)
        self.write(one={})
        process = self.start_gateway('--role', '../gateway')
        self.assertEqual(process.wait(), 2)

    def test_http(self):
        daemon = self.start_daemon()
        show = lambda: subprocess.run([GMCP, 'gateway', '--http'], env=self.env, cwd=self.home, capture_output=True, text=True,
                                      timeout=60, check=False)
        self.assertEqual(show().returncode, 3)
        self.assertEqual(self.end_daemon(daemon), 0)
        daemon = self.start_daemon('--gateway-http', '0')
        wait_until((self.folder / 'gateway.http').exists)
        address, header = show().stdout.splitlines()
        token = header.removeprefix('Authorization: Bearer ')
        secret = self.home / 'state' / 'gmcp' / 'gateway-token'
        self.assertEqual(stat.S_IMODE(secret.stat().st_mode), 0o600)
        self.assertEqual(secret.read_text(encoding='utf-8'), token)

        status, tools = list_tools(address, token)
        self.assertEqual(status, 200)
        self.assertIn('one__echo', tools)
        self.assertEqual(send(address, token, 'tools/call', name='one__echo', arguments={})[0], 200)
        audit = self.home / 'state' / 'gmcp' / 'audit.jsonl'
        wait_until(lambda: audit.exists() and audit.read_text(encoding='utf-8').endswith('\n'))
        self.assertEqual(json.loads(audit.read_text(encoding='utf-8'))['client'], f'{address} ({getpass.getuser()})')
        large = send(address, token, 'tools/call', name='one__echo', arguments={'text': 'x' * 300000})
        self.assertIn('x' * 300000, json.dumps(large[1]))
        self.assertEqual(list_tools(address)[0], 401)
        self.assertEqual(list_tools(address, token[:-1] + ('0' if token[-1] != '0' else '1'))[0], 401)
        self.assertEqual(list_tools(address, token, Origin='http://evil.example')[0], 403)
        self.assertEqual(list_tools(address, token, Host='evil.example')[0], 403)
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertFalse((self.folder / 'gateway.http').exists())

        secret.chmod(0o644)
        done = subprocess.run([self.gmcpd, '--no-bus', '--config', self.config, '--gateway-http', '0'], env=self.env,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('gateway-token', done.stderr)
        self.assertNotIn(token, done.stderr)

    def begin_work(self):
        """A call over the gateway, and one over the socket of the server, which both end once there is the file."""
        self.config.write_text(json.dumps({'mcpServers': {'one': self.describe(['--tools', 'work'], share='yes')}}))
        daemon = self.start_daemon()
        shared, = (self.folder / 'shared').iterdir()
        calls = []
        for name, tool in (('gateway', 'one__work'), (f'shared/{shared.name}', 'work')):
            client = self.connect(name)
            calls.append((client, client.begin('tools/call', name=tool, arguments={})))
            client.ask('ping')
        return daemon, calls

    def test_calls_end_first(self):
        daemon, calls = self.begin_work()
        daemon.send_signal(signal.SIGTERM)
        wait_until(lambda: not (self.folder / 'gateway').exists())
        (self.home / 'log.done').touch()
        for client, number in calls:
            self.assertIn('content', client.wait(number)['result'])
        self.assertEqual(daemon.wait(), 0)

    def test_calls_do_not_end(self):
        """They have five seconds."""
        daemon, calls = self.begin_work()
        begun = time.monotonic()
        daemon.send_signal(signal.SIGTERM)
        for client, number in calls:
            with self.assertRaises(EOFError):
                client.wait(number)
            self.assertGreaterEqual(time.monotonic() - begun, 5)
        self.assertEqual(daemon.wait(), 0)

    def test_a_role_called_http(self):
        """Its socket and the address file of the gateway over HTTP do not get in each other's way."""
        self.write(one={}, two={}, roles={'http': {'allowed_tools': ['one.echo']}})
        daemon = self.start_daemon('--gateway-http', '0')
        wait_until((self.folder / 'gateway.http').exists)
        wait_until((self.folder / 'gateway-http.search').exists)
        shown = subprocess.run([GMCP, 'gateway', '--http'], env=self.env, cwd=self.home, capture_output=True, text=True, timeout=60,
                               check=False).stdout.splitlines()
        wait_until(lambda: 'two__echo' in list_tools(shown[0], shown[1].removeprefix('Authorization: Bearer '))[1])
        for client in (self.connect('gateway-http'), self.relay('--role', 'http')[1]):
            wait_until(lambda client=client: client.tools() == ['one__echo'])
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertFalse((self.folder / 'gateway-http').exists())
        self.assertFalse((self.folder / 'gateway.http').exists())

    def test_socket_of_systemd(self):
        """The socket is there before the daemon, and after it."""
        self.folder.mkdir(mode=0o700)
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(self.folder / 'gateway'))
            listening.listen()
            process = self.start_gateway()
            client = Client(process.stdout, process.stdin)
            number = client.begin('initialize', protocolVersion='2025-11-25', capabilities={},
                                  clientInfo={'name': 'test', 'version': '1'})
            daemon = self.run_beside(['sh', '-c', 'LISTEN_PID=$$ exec "$@"', 'sh', self.gmcpd, '--no-bus', '--config', self.config],
                                     env={**self.env, 'LISTEN_FDS': '1', 'LISTEN_FDNAMES': 'gateway'}, pass_fds=[3],
                                     preexec_fn=lambda: os.dup2(listening.fileno(), 3))
        self.addCleanup(self.leave, daemon)
        self.assertEqual(client.wait(number)['result']['serverInfo']['name'], 'gmcp')
        client.send(method='notifications/initialized')
        self.assertIn('one__echo', client.tools())
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertTrue((self.folder / 'gateway').is_socket())

    def test_circle(self):
        """A server of the daemon's that is the gateway of the same servers ends; one of others does not go to the daemon."""
        command = ['env', *(f'{name}={self.env[name]}' for name in ('GMCP_MODULE_PATH', 'GMCP_LIBEXEC_DIR', 'GSETTINGS_BACKEND',
                                                                    'GSETTINGS_SCHEMA_DIR', 'LD_LIBRARY_PATH') if name in self.env), GMCP]
        folder = self.home / 'config' / 'mcp'
        folder.mkdir(parents=True)
        mine = {'mine': self.describe(['--tools', 'pid'])}
        gateway = lambda *words: {'command': command[0], 'args': [*command[1:], *words]}
        (folder / 'mcp.json').write_text(json.dumps({'mcpServers': {**mine, 'user': gateway('gateway')}}))
        (self.home / 'link.json').symlink_to(self.config)
        self.config.write_text(json.dumps({'mcpServers': {
            'one': self.describe(), 'user': gateway('gateway'), 'file': gateway('-c', str(self.home / 'link.json'), 'gateway')}}))
        daemon = self.start_daemon(stderr=subprocess.PIPE, text=True)
        client = self.connect()
        client.tools()
        self.assertEqual([client.tools() for _ in range(3)], [['one__echo', 'user__mine__pid']] * 3)
        self.assertRegex(client.call('user__mine__pid')['content'][0]['text'], '^[0-9]+$')
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertIn('without end', daemon.stderr.read())

        # Of the user's files.
        daemon = self.run_beside([self.gmcpd, '--no-bus'], stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.leave, daemon)
        wait_until(lambda: daemon.poll() is not None or self.is_ready(daemon))
        wait_until((self.folder / 'gateway.search').exists)
        client = self.connect()
        client.tools()
        self.assertEqual([client.tools() for _ in range(3)], [['mine__pid']] * 3)
        self.assertEqual(self.end_daemon(daemon), 0)
        self.assertIn('without end', daemon.stderr.read())

    def test_large_both_ways_at_once(self):
        self.start_daemon()
        process, client = self.relay()
        numbers = []
        os.set_blocking(process.stdin.fileno(), True)
        for i in range(20):
            numbers.append(client.begin('tools/call', name='one__echo', arguments={'text': str(i) * 200000}))
        answers = {}
        while len(answers) < len(numbers):
            message = client.read()
            if 'method' not in message:
                answers[message['id']] = message['result']['content'][0]['text']
        for i, number in enumerate(numbers):
            self.assertIn(str(i) * 200000, answers[number])


if __name__ == '__main__':
    tap.main()

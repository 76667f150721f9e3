#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How gmcp behaves towards terminals, pipes and the keys that end it: test-cli-manners.py GMCP MANAGED_SERVER"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import CTRL_C, PATIENCE_S, Terminal, environment_of, make_home

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL, OUTPUT = range(8)
# In order, a server that does not end takes longer: 2 s after its input is closed, and 3 s after SIGTERM.
STOP_S = 5


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Case(unittest.TestCase):
    def setUp(self):
        self.home = make_home(self)
        self.log = self.home / 'log'
        self.file = self.home / '.config' / 'mcp' / 'mcp.json'
        self.file.parent.mkdir(parents=True)
        self.configure()

    def configure(self, *words):
        self.file.write_text(json.dumps({'mcpServers': {'it': {
            'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--tools', 'pid,wait,tell,echo', '--log', str(self.log), *words]}}}))

    def terminal(self, *words, output=None, **environment):
        terminal = Terminal([GMCP, *words], environment={**environment_of(self.home), **environment}, cwd=self.home, output=output)
        self.addCleanup(terminal.__exit__)
        return terminal

    def run_in_shell(self, line):
        return subprocess.run(['/bin/bash', '-c', line, GMCP], capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=self.home,
                              env={**os.environ, **environment_of(self.home)})

    def logged(self, word):
        return self.log.exists() and word in self.log.read_text()

    def pid(self):
        return int(self.log.read_text().split('start ')[1].split()[0])

    def wait_until_gone(self, pid):
        end = time.monotonic() + PATIENCE_S
        while is_alive(pid):
            self.assertLess(time.monotonic(), end, f'{pid} is still there')
            time.sleep(0.02)


class Ends(Case):
    def end(self, terminal, end):
        """The status after something that ends it, which is not after its server."""
        began = time.monotonic()
        end()
        status = terminal.finish()
        took = time.monotonic() - began
        print(f'# ended after {took * 1000:.0f} ms', flush=True)
        self.assertLess(took, STOP_S)
        return status

    def check_call(self, end, *words):
        self.configure(*words)
        terminal = self.terminal('call', 'it.wait')
        terminal.wait_until(lambda: self.logged('call wait'), 'the call')
        self.assertEqual(self.end(terminal, lambda: end(terminal)), TIMED_OUT)
        self.assertIn('\ngmcp: cancelled', terminal.text())
        self.wait_until_gone(self.pid())

    def test_interrupt(self):
        self.check_call(lambda terminal: terminal.type(CTRL_C))

    def test_interrupt_with_a_server_that_stays(self):
        self.check_call(lambda terminal: terminal.type(CTRL_C), '--linger')

    def test_terminated(self):
        self.check_call(lambda terminal: terminal.signal(signal.SIGTERM), '--linger')

    def test_interrupt_while_a_server_starts(self):
        for step in 'initialize', 'list':
            self.log.unlink(missing_ok=True)
            self.configure('--hang', step, '--linger')
            terminal = self.terminal('tools')
            terminal.wait_until(lambda: self.logged('\n'), 'the start')
            self.assertEqual(self.end(terminal, lambda: terminal.type(CTRL_C)), TIMED_OUT)
            self.wait_until_gone(self.pid())

    def test_what_is_printed_and_written_before_a_server_has_ended(self):
        """A program that reads the result, and one that reads the log, wait for no server that stays."""
        self.configure('--linger')
        audit = self.home / 'state' / 'gmcp' / 'audit.jsonl'
        process = subprocess.Popen([GMCP, 'call', 'it.echo', 'word=hello'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.home,
                                   env={**os.environ, **environment_of(self.home)})
        self.addCleanup(process.stdout.close)
        self.assertIn('hello', process.stdout.readline())
        self.assertTrue(is_alive(self.pid()))
        end = time.monotonic() + PATIENCE_S
        while not (audit.exists() and '"tool":"echo"' in audit.read_text()):
            self.assertIsNone(process.poll(), 'the log was written after the server had ended')
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        self.assertTrue(is_alive(self.pid()))
        self.assertEqual(process.wait(PATIENCE_S), OK)
        self.wait_until_gone(self.pid())

    def test_interrupt_of_a_question(self):
        terminal = self.terminal('remove', 'it')
        terminal.wait_for('[y/N]')
        terminal.type(CTRL_C)
        terminal.finish()
        self.assertEqual(terminal.screen.lines()[-2:], ['Remove this? [y/N] ^C', 'Nothing was removed.'])

    def test_interrupt_while_servers_are_stopped(self):
        self.configure('--linger')
        terminal = self.terminal('call', 'it.pid')
        terminal.wait_until(lambda: self.logged('call pid\n') and str(self.pid()) in terminal.screen.lines(), 'the result')
        self.assertEqual(self.end(terminal, lambda: terminal.type(CTRL_C)), OK)
        self.wait_until_gone(self.pid())


class Output(Case):
    def test_a_reader_that_is_gone(self):
        for words in 'tools', 'help', 'tools --json', 'call it.echo word=x', 'status':
            done = self.run_closed(words.split())
            self.assertEqual((done.returncode, done.stderr.replace(self.notice(done.stderr), '')), (OUTPUT, ''), words)

    def notice(self, text):
        """That a command is run the first time is said once."""
        return next((line + '\n' for line in text.splitlines() if 'all your privileges' in line), '')

    def run_closed(self, words):
        read, write = os.pipe()
        os.close(read)
        try:
            return subprocess.run([GMCP, *words], stdout=write, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False, cwd=self.home,
                                  env={**os.environ, **environment_of(self.home)})
        finally:
            os.close(write)

    def test_head(self):
        self.run_in_shell('"$0" tools')
        done = self.run_in_shell('set -o pipefail; "$0" tools | head -n 1')
        self.assertIn(done.returncode, (OK, OUTPUT))
        self.assertEqual((len(done.stdout.splitlines()), done.stderr), (1, ''))

    def test_streams_end_with_their_reader(self):
        done = self.run_in_shell('set -o pipefail; "$0" start it --foreground | head -n 1')
        self.assertEqual((done.returncode, done.stdout), (OUTPUT, 'it\n'))
        done = self.run_in_shell('set -o pipefail; "$0" logs --follow it | head -n 1')
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (OUTPUT, 1))

    def test_a_full_disk_is_told(self):
        done = self.run_in_shell('"$0" tools > /dev/full')
        self.assertEqual(done.returncode, OUTPUT)
        self.assertIn('not all output could be written', done.stderr)

    def test_colours(self):
        self.run_in_shell('"$0" tools')
        for environment, has in ({}, True), ({'NO_COLOR': '1'}, False), ({'TERM': 'dumb'}, False):
            terminal = self.terminal('status', **environment)
            self.assertEqual(terminal.finish(), OK)
            self.assertEqual('\x1b[' in terminal.raw and 'm' in terminal.raw.split('\x1b[', 1)[1][:4], has, (environment, terminal.raw))
        self.assertNotIn('\x1b', self.run_in_shell('"$0" status').stdout)


class Abilities(Case):
    def test_commands_on_a_terminal_list_what_can_be_called_there(self):
        """A server may have tools for those only who can be asked."""
        self.configure('--asking', 'echo')
        for words, text in ((['test', 'it'], ': 4 tools'), (['tools', 'it'], 'it (4 tools)'), (['call', 'it.echo', 'word=x'], ''),
                            (['sync'], 'nothing has changed'), (['doctor', 'it'], '4 tools')):
            terminal = self.terminal(*words)
            self.assertEqual(terminal.finish(), OK, terminal.text())
            self.assertIn(text, terminal.text(), words)
        self.assertNotIn('echo', self.run_in_shell('"$0" tools it').stdout)


class Progress(Case):
    def begin(self, *words, **options):
        terminal = self.terminal('call', 'it.tell', *words, **options)
        terminal.wait_until(lambda: self.logged('call tell'), 'the call')
        return terminal

    def end(self, terminal):
        (self.home / 'log.done').write_text('')
        return terminal.finish()

    def test_a_line_that_goes_away(self):
        terminal = self.begin()
        line = re.compile(r'^. it\.tell [0-9.e+]+, [0-9]+ s: still telling$')
        terminal.wait_until(lambda: any(map(line.match, terminal.screen.lines())), 'the tool, how far it is, and the time')
        self.assertEqual(self.end(terminal), OK)
        self.assertEqual(terminal.screen.lines()[-1], 'tell')
        self.assertFalse(any(map(line.match, terminal.screen.lines())))

    def test_interrupted(self):
        terminal = self.begin()
        terminal.wait_for('it.tell ')
        terminal.type(CTRL_C)
        self.assertEqual(terminal.finish(), TIMED_OUT)
        self.assertEqual(terminal.screen.lines()[-1], 'gmcp: cancelled')
        self.assertNotIn('', terminal.screen.lines())

    def test_nothing_elsewhere(self):
        for options in {'TERM': 'dumb'},:
            terminal = self.begin(**options)
            terminal.read(0.5)
            self.assertEqual(self.end(terminal), OK)
            self.assertNotIn('\x1b', terminal.raw)

    def test_nothing_beside_json_for_a_program(self):
        with open(self.home / 'out', 'w+', encoding='utf-8') as file:
            terminal = self.begin('--json', output=file)
            terminal.read(0.5)
            self.assertEqual(self.end(terminal), OK)
            self.assertNotIn('it.tell', terminal.text())
            file.seek(0)
            json.loads(file.read())


if __name__ == '__main__':
    tap.main()

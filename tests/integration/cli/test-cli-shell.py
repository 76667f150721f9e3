#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp shell, in a terminal and with a script: test-cli-shell.py GMCP MANAGED_SERVER ASKING_SERVER yes|no

The last word says whether the program has a line editor.
"""
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import CTRL_C, CTRL_D, PATIENCE_S, TAB, UP, Terminal, check_screen, environment_of, make_home

GMCP, MANAGED, ASKING = map(os.path.abspath, sys.argv[1:4])
HAS_EDITOR = sys.argv[4] == 'yes'
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT = range(5)
PROMPT = 'gmcp>'
# One tool with arguments, and one whose name does more than it shows.
DRAWING = '''
import json, sys
SHAPE = {'type': 'string', 'enum': ['circle', 'square', 'a b']}
TOOLS = [{'name': 'draw', 'inputSchema': {'type': 'object', 'properties': {'shape': SHAPE, 'size': {'type': 'number'}, 'text': {'type': 'string'}}}},
         {'name': 'dr\\u202eaw', 'inputSchema': {'type': 'object'}}]
for line in sys.stdin:
    message = json.loads(line)
    if message.get('method') == 'initialize':
        result = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'drawing', 'version': '1'}}
    elif message.get('method') == 'tools/list':
        result = {'tools': TOOLS}
    elif message.get('method') == 'tools/call':
        result = {'content': [{'type': 'text', 'text': json.dumps(message['params']['arguments'], sort_keys=True)}]}
    elif 'id' in message:
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'error': {'code': -32601, 'message': 'no such method'}}), flush=True)
        continue
    else:
        continue
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
'''


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Shell(Terminal):
    def __init__(self, home, *words, term='xterm-256color', columns=80):
        super().__init__([GMCP, 'shell', *words], columns=columns, environment={**environment_of(home), 'TERM': term}, cwd=home)
        self.wait_for_prompts(1)

    def wait_for_prompts(self, count):
        def waits():
            lines = self.screen.lines()
            return bool(lines) and lines[-1] == PROMPT and self.text().count(PROMPT) >= count
        self.wait_until(waits, f'prompt {count}')

    def run(self, line):
        """What a line of commands prints."""
        count = self.text().count(PROMPT)
        seen = len(self.screen.lines())
        self.type(line + '\r')
        self.wait_for_prompts(count + 1)
        return '\n'.join(self.screen.lines()[seen:-1])


class Case(unittest.TestCase):
    def setUp(self):
        self.home = make_home(self)
        self.log = self.home / 'log'
        self.history = self.home / 'state' / 'gmcp' / 'shell-history'
        file = self.home / '.config' / 'mcp' / 'mcp.json'
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({'mcpServers': {
            'files': {'command': '/usr/bin/python3', 'args': ['-S', MANAGED, '--tools', 'pid,echo,wait,add', '--log', str(self.log)]},
            'asking': {'command': '/usr/bin/python3', 'args': ['-S', ASKING]}}}))

    def shell(self, *words, **options):
        shell = Shell(self.home, *words, **options)
        self.addCleanup(shell.__exit__)
        return shell

    def script(self, text, *words):
        done = subprocess.run([GMCP, 'shell', *words], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
                              cwd=self.home, env={**os.environ, **environment_of(self.home)})
        return done.returncode, done.stdout, done.stderr


class InTerminal(Case):
    def test_a_server_stays_until_the_end(self):
        shell = self.shell()
        first = shell.run('call files.pid').split()[-1]
        self.assertEqual(shell.run('call files.pid'), first)
        self.assertIn('  echo ()', shell.run('tools files'))
        self.assertEqual(self.log.read_text().count('start '), 1)
        self.assertTrue(is_alive(int(first)))
        shell.type('quit\r')
        self.assertEqual(shell.finish(), OK)
        self.assertFalse(is_alive(int(first)))

    def test_end_of_input_leaves(self):
        shell = self.shell()
        pid = int(shell.run('call files.pid').split()[-1])
        shell.type(CTRL_D)
        self.assertEqual(shell.finish(), OK)
        self.assertFalse(is_alive(pid))

    def test_servers_by_name(self):
        shell = self.shell()
        self.assertEqual(shell.run('/mcp stop files'), 'files does not run')
        self.assertIn('files runs: 4 tools', shell.run('/mcp start files'))
        pid = shell.run('call files.pid')
        self.assertIn('files runs: 4 tools', shell.run('/mcp restart files'))
        self.assertNotEqual(shell.run('call files.pid'), pid)
        self.assertIn('files has 4 tools', shell.run('/mcp sync'))
        self.assertEqual(shell.run('/mcp stop files'), 'files is stopped')
        self.assertIn('files runs: 4 tools', shell.run('start files'))
        self.assertEqual(shell.run('gmcp stop files'), 'files is stopped')
        self.assertIn('files', shell.run('/mcp status'))
        self.assertIn('files', shell.run('/mcp list'))
        self.assertIn('word', shell.run('/mcp call files.echo word=x'))
        self.assertIn('configured: files, asking', shell.run('/mcp start nope'))
        self.assertIn('which server?', shell.run('/mcp restart'))
        self.assertIn('Near to it: restart', shell.run('/mcp restrat files'))

    def test_interrupt_ends_a_call_and_not_the_shell(self):
        shell = self.shell()
        pid = shell.run('call files.pid').split()[-1]
        shell.type('call files.wait\r')
        shell.wait_until(lambda: 'call wait\n' in self.log.read_text(), 'the call')
        shell.type(CTRL_C)
        shell.wait_for('gmcp: cancelled')
        shell.wait_for_prompts(3)
        self.assertEqual(shell.run('call files.pid'), pid)

    def test_interrupt_at_the_prompt(self):
        shell = self.shell()
        shell.type(CTRL_C)
        shell.wait_for('“quit” or Ctrl-D leaves the shell.')
        shell.wait_for_prompts(2)
        if HAS_EDITOR:
            shell.type('call files.ec')
            shell.wait_for_line('gmcp> call files.ec')
            shell.type(CTRL_C)
            shell.wait_for('files.ec^C')
            shell.wait_for_prompts(3)
            self.assertEqual(shell.text().count('leaves the shell'), 1)
        shell.type(CTRL_D)
        self.assertEqual(shell.finish(), OK)

    def test_what_is_missing_is_told_once(self):
        config = self.home / '.config' / 'mcp' / 'mcp.json'
        config.write_text(json.dumps({**json.loads(config.read_text()), 'tools': {'gmcp': {'mcp_tools': {'required': ['databases']}}}}))
        shell = self.shell()
        shell.run('call files.echo')
        shell.run('call files.echo')
        self.assertEqual(shell.text().count('databases'), 1, shell.text())

    def test_other_tools_are_told_of(self):
        shell = self.shell()
        # The server is asked for its list once it has answered the call.
        shell.run('call files.add name=new')
        shell.wait_for('files has other tools now; new: new')
        shell.wait_for_prompts(2)

    @unittest.skipUnless(HAS_EDITOR, 'a plain prompt has other lines')
    def test_screen(self):
        (self.home / 'server.py').symlink_to(MANAGED)
        (self.home / '.config' / 'mcp' / 'mcp.json').write_text(json.dumps({'mcpServers': {
            'files': {'command': '/usr/bin/python3', 'args': ['-S', f'{self.home}/server.py']}}}))
        shell = self.shell()
        for line in '/mcp start files', 'call files.echo word=x', 'call files.ecko', '/mcp', 'stop files':
            shell.run(line)
        shell.type(CTRL_C)
        shell.wait_for('leaves the shell.')
        shell.wait_for_prompts(7)
        check_screen(self, shell.text(), 'shell-80.txt', self.home)

    def test_help_stays_in_the_shell(self):
        shell = self.shell()
        shown = shell.run('help')
        self.assertIn('/mcp restart SERVER…', shown)
        self.assertIn('resources', shown)
        for line in 'help tools', 'tools --help', 'gmcp tools -h':
            self.assertIn('--timeout', shell.run(line), line)
        self.assertIn('this is one', shell.run('shell'))
        self.assertIn('Near to it: tools', shell.run('tool'))

    def test_a_question_in_place(self):
        shell = self.shell()
        self.assertIn('asking runs', shell.run('/mcp start asking'))
        for answer, action in ('n', 'decline'), ('y', 'accept'):
            shell.type('call asking.visit\r')
            shell.wait_for('[N]o:', times=1 if answer == 'n' else 2)
            shell.type(answer + '\r')
            shell.wait_for(f'"{action}"')
            shell.wait_for_prompts(3 if answer == 'n' else 4)
        self.assertNotIn('\ny', self.history.read_text())

    def test_what_happens_meanwhile_stands_above_the_prompt(self):
        shell = self.shell()
        pid = int(shell.run('call files.pid').split()[-1])
        shell.type('call files.ec')
        if HAS_EDITOR:
            shell.wait_for_line('gmcp> call files.ec')
        os.kill(pid, signal.SIGKILL)
        shell.wait_for('gmcp: ', times=2)
        if HAS_EDITOR:
            shell.wait_for_line('gmcp> call files.ec')
        shell.type('ho word=x\r')
        shell.wait_for('"word"')

    def test_other_terminals(self):
        shell = self.shell(term='dumb')
        self.assertIn('word', shell.run('call files.echo word=x'))
        self.assertNotIn('\x1b', shell.raw)
        shell.type(CTRL_C)
        shell.wait_for('leaves the shell')
        shell.type(CTRL_D)
        shell.finish()


@unittest.skipUnless(HAS_EDITOR, 'this build has no line editor')
class Editing(Case):
    def test_history(self):
        shell = self.shell()
        for line in ('call files.echo word=first', 'call files.echo password=hunter2', ' call files.echo word=hidden',
                     'call files.echo word=last'):
            shell.run(line)
        shell.type('quit\r')
        shell.finish()
        self.assertEqual(stat.S_IMODE(self.history.stat().st_mode), 0o600)
        kept = self.history.read_text()
        self.assertEqual(kept.splitlines(), ['call files.echo word=first', 'call files.echo word=last', 'quit'])

        shell = self.shell()
        shell.type(UP + UP)
        shell.wait_for_line('gmcp> call files.echo word=last')
        shell.type(UP)
        shell.wait_for_line('gmcp> call files.echo word=first')
        shell.type('\x01\x0b')  # to the beginning, and all behind it away
        shell.wait_for_line('gmcp>')
        self.assertIn('over', shell.run('call files.echo word=over'))

    def test_history_is_bounded(self):
        self.history.parent.mkdir(parents=True)
        self.history.write_text(''.join(f'call x.y number={i}\n' for i in range(5000)) + 'x' * 10000 + '\n\x00\n')
        shell = self.shell()
        shell.type(UP)
        shell.wait_for_line('gmcp> call x.y number=4999')
        self.assertEqual(len(self.history.read_text().splitlines()), 1000)

    def test_a_history_that_is_none(self):
        self.history.parent.mkdir(parents=True)
        os.mkfifo(self.history)
        shell = self.shell()
        self.assertIn('word', shell.run('call files.echo word=x'))
        self.assertTrue(stat.S_ISFIFO(self.history.stat().st_mode))

    def test_completion(self):
        shell = self.shell()
        shell.type('too' + TAB)
        shell.wait_for_line('gmcp> tools')
        shell.type('fi' + TAB)
        shell.wait_for_line('gmcp> tools files')
        shell.type('\x15tools --js' + TAB)
        shell.wait_for_line('gmcp> tools --json')
        shell.type('\x15config val' + TAB)
        shell.wait_for_line('gmcp> config validate')
        shell.type('\x15/mcp rest' + TAB)
        shell.wait_for_line('gmcp> /mcp restart')
        shell.type('\x15/mcp st' + TAB + TAB)
        shell.wait_for('start   status  stop')
        self.assertFalse(self.log.exists())

    def test_stopped_and_resumed(self):
        shell = self.shell()
        shell.type('call files.ec')
        shell.wait_for_line('gmcp> call files.ec')
        shown = len(shell.raw)
        shell.signal(signal.SIGSTOP)
        shell.signal(signal.SIGCONT)
        shell.wait_until(lambda: 'call files.ec' in shell.raw[shown:], 'the line anew')
        shell.type('ho word=x\r')
        shell.wait_for('{"word": "x"}')

    def test_completion_of_what_a_server_has(self):
        (self.home / 'drawing.py').write_text(DRAWING)
        file = self.home / '.config' / 'mcp' / 'mcp.json'
        file.write_text(json.dumps({'mcpServers': {'drawing': {'command': '/usr/bin/python3', 'args': ['-S', str(self.home / 'drawing.py')]}}}))
        shell = self.shell()
        shell.run('/mcp start drawing')
        shell.type('quit\r')
        shell.finish()

        # In another session, out of what is kept.
        shell = self.shell()
        shell.type('call dra' + TAB)
        shell.wait_for_line('gmcp> call drawing.draw')
        shell.type(TAB)
        shell.wait_for('shape=  size=   text=')
        shell.type('si' + TAB)
        shell.wait_for_line('gmcp> call drawing.draw size=')
        shell.type('3 shape=a' + TAB)
        shell.wait_for_line("gmcp> call drawing.draw size=3 'shape=a b'")
        shell.type('\r')
        shell.wait_for('{"shape": "a b", "size": ')
        shell.wait_for_prompts(2)
        shell.type('call --ro' + TAB)
        shell.wait_for_line('gmcp> call --role=')
        shell.type('\x15tools drawing.' + TAB)
        shell.wait_for_line('gmcp> tools drawing.draw')
        shell.type('\x15config tr' + TAB)
        shell.wait_for_line('gmcp> config trust')

    def test_wide_characters_and_long_lines(self):
        shell = self.shell(columns=40)
        self.assertIn('\\u4e2d\\u6587\\u00fc', shell.run('call files.echo word=中文ü').replace('\n', ''))
        shell.type('call files.echo word=' + 'x' * 60)
        shell.wait_for('xxx\n')
        shell.type('\r')
        shell.wait_for_prompts(3)
        self.assertIn('call echo', self.log.read_text())


class Kept(Case):
    """What a server lists may hang on whether anybody can be asked; other shells complete out of both lists."""

    def offered(self):
        return subprocess.run([GMCP, '__complete', 'zsh', 'call', 'files.e'], capture_output=True, text=True, timeout=PATIENCE_S, check=False,
                              cwd=self.home, env={**os.environ, **environment_of(self.home)}).stdout

    def test_of_a_terminal(self):
        shell = self.shell()
        shell.run('tools files')
        shell.type('quit\r')
        shell.finish()
        self.assertIn('files.echo', self.offered())

    def test_of_a_script(self):
        self.script('tools files\n')
        self.assertIn('files.echo', self.offered())


class Scripts(Case):
    def test_one_server_for_all_lines(self):
        status, out, _ = self.script('# a comment\n\ncall files.pid\ngmcp call files.pid\r\n/mcp call files.pid')
        pids = out.split()
        self.assertEqual((status, len(pids), len(set(pids))), (OK, 3, 1), out)
        self.assertEqual(self.log.read_text().count('start '), 1)
        self.assertFalse(is_alive(int(pids[0])))

    def test_status(self):
        self.assertEqual(self.script('call files.nope\ncall files.echo\n')[0], OK)
        self.assertEqual(self.script('call files.echo\ncall files.nope\n')[0], USAGE)
        status, out, err = self.script('call files.echo\ncall files.nope\ncall files.pid\n', '-e')
        self.assertEqual((status, out), (USAGE, '{}\n'), err)
        self.assertEqual(self.script('quit\ncall files.nope\n')[0], OK)
        self.assertEqual(self.script('')[0], OK)

    def test_lines_that_are_none(self):
        status, out, err = self.script('tools "files\n' + 'x' * 2000000 + '\nnonsense\ncall files.echo\n')
        self.assertEqual((status, out), (OK, '{}\n'))
        self.assertIn('the line is too long', err)
        self.assertIn('there is no command “nonsense”; see help', err)

    def test_what_is_behind_a_line_is_the_commands(self):
        status, out, err = self.script('call files.echo -\n{"word": "from behind"}')
        self.assertEqual((status, json.loads(out)), (OK, {'word': 'from behind'}), err)

    def test_nothing_is_kept(self):
        self.script('call files.echo\n')
        self.assertFalse(self.history.exists())

    def test_a_reader_that_is_gone(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([GMCP, 'shell'], input='call files.pid\ncall files.echo\n', stdout=write, stderr=subprocess.PIPE, text=True,
                              timeout=PATIENCE_S, check=False, cwd=self.home, env={**os.environ, **environment_of(self.home)})
        os.close(write)
        self.assertEqual(done.returncode, 7, done.stderr)


if __name__ == '__main__':
    tap.main()

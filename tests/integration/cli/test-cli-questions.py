#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp call, read and prompt, when the server asks the user in the middle of it.

test-cli-questions.py GMCP SERVER
"""
import json
import os
import pathlib
import pty
import re
import signal
import select
import subprocess
import sys
import tempfile

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
KEPT = tempfile.TemporaryDirectory(prefix='gmcp-cli-questions-', ignore_cleanup_errors=True)  # until the program ends
FOLDER = pathlib.Path(KEPT.name)
CONFIG = FOLDER / 'asking.json'
CONFIG.write_text(json.dumps({
    'mcpServers': {'asking': {'command': sys.executable, 'args': [SERVER], 'allowSampling': True}},
    'roles': {'careful': {'allowed_tools': ['*'], 'ask_tools': ['asking.capabilities']}}}))
END = '\x04'
failures = 0
count = 0


def check(name, condition, told=''):
    global failures, count
    count += 1
    failures += not condition
    print(f'{"ok" if condition else "not ok"} {count} - {name}', flush=True)
    if not condition:
        for line in str(told).splitlines():
            print(f'# {line}')


class Terminal:
    """A call with a terminal for the questions, and a pipe for the result."""

    def __init__(self, *words, command='call', environment=None, typed=''):
        self.master, slave = pty.openpty()
        self.type(typed)
        more = environment or {}
        environment = {**os.environ, 'PATH': '/nonexistent', 'XDG_DATA_DIRS': str(FOLDER), 'XDG_DATA_HOME': str(FOLDER),
                       'XDG_STATE_HOME': str(FOLDER), **more}
        self.process = subprocess.Popen([GMCP, '--config', str(CONFIG), command, *words], stdin=slave, stderr=slave,
                                        stdout=subprocess.PIPE, text=True, env=environment)
        os.close(slave)
        self.drawn = ''

    def until(self, text):
        """What was shown from where the last one ended up to the text, or one of them."""
        texts = (text,) if isinstance(text, str) else text
        while not any(text in self.drawn for text in texts):
            if not select.select([self.master], [], [], 30)[0]:
                break
            try:
                data = os.read(self.master, 4096)
            except OSError:
                break
            self.drawn += data.decode(errors='replace')
        text = next((text for text in texts if text in self.drawn), texts[0])
        shown, found, self.drawn = self.drawn.partition(text)
        check(f'“{text}” is shown', found, shown)
        return shown

    def type(self, text):
        os.write(self.master, text.encode())

    def answer(self, prompt, text):
        shown = self.until(prompt)
        self.type(text)
        return shown

    def end(self):
        output = self.process.communicate(timeout=30)[0]
        os.close(self.master)
        return self.process.returncode, output


def test_form():
    terminal = Terminal('form')
    shown = terminal.answer('Your name: ', 'A\n')
    check('the server is named', 'asking asks: Who' in shown, shown)
    check('control characters are not', '\x1b[31m' not in shown and 'As on the door' in shown, shown)
    shown = terminal.answer('Your name: ', 'Ada\n')
    check('what may not be entered is said', 'at least 2 characters' in shown, shown)
    terminal.answer('age [30]: ', '\n')
    shown = terminal.answer('color: ', '2\n')
    check('options are numbered', '1) Red' in shown and '2) Green' in shown, shown)
    terminal.answer('many: ', '\n')
    terminal.answer('many: ', 'x, 3\n')
    terminal.answer('news [false]: ', 'yes\n')
    terminal.answer('[e]dit:', 'y\n')
    status, output = terminal.end()
    check('the answer arrived', status == 0 and json.loads(output) == {
        'action': 'accept', 'content': {'name': 'Ada', 'age': 30, 'color': '#0f0', 'many': ['x', 'z'], 'news': True}},
        output)


def test_refusals():
    terminal = Terminal('form')
    for prompt, text in (('Your name: ', 'Ada\n'), ('age [30]: ', '\n'), ('color: ', 'red\n'), ('many: ', 'x\n'),
                         ('news [false]: ', '\n'), ('[e]dit:', 'e\n'), ('Your name: ', 'Bob\n'), ('age [30]: ', '\n'),
                         ('color: ', 'red\n'), ('many: ', 'x\n'), ('news [false]: ', '\n'), ('[e]dit:', 'n\n')):
        terminal.answer(prompt, text)
    status, output = terminal.end()
    check('declined', status == 0 and json.loads(output) == {'action': 'decline'}, output)

    terminal = Terminal('form')
    terminal.answer('Your name: ', END)
    status, output = terminal.end()
    check('closed', status == 0 and json.loads(output) == {'action': 'cancel'}, output)

    terminal = Terminal('form')
    terminal.until('Your name: ')
    terminal.process.send_signal(signal.SIGINT)
    status, output = terminal.end()
    check('the whole call cancelled', status == 4, (status, output))


def test_url():
    terminal = Terminal('visit')
    shown = terminal.answer('[N]o:', '\n')
    check('the address, its host and its flaw are shown',
          'http://shop.example/pay' in shown and '“shop.example”' in shown and 'not encrypted' in shown, shown)
    status, output = terminal.end()
    check('nothing is opened without a yes', status == 0 and json.loads(output) == {'action': 'decline'}, output)

    terminal = Terminal('visit')
    terminal.answer('[N]o:', 'y\n')
    status, output = terminal.end()
    check('agreed', status == 0 and json.loads(output) == {'action': 'accept'}, output)

    terminal = Terminal('pay')
    terminal.answer('[N]o:', 'y\n')
    terminal.answer('when you are done there:', '\n')
    status, output = terminal.end()
    check('the call goes on after the visit', status == 0 and json.loads(output) == 'paid', output)


def test_withdrawn():
    """What was typed for a question that the server has withdrawn is not taken for the next one."""
    pipe = FOLDER / 'go'
    os.mkfifo(pipe)
    terminal = Terminal('withdraw', f'go={pipe}')
    terminal.until('Your name: ')
    terminal.type('Adalbert')
    terminal.until('Adalbert')
    pipe.write_text('now')
    terminal.until('no longer needed')
    terminal.answer('Your name: ', 'Bob\n')
    for prompt, text in (('age [30]: ', '\n'), ('color: ', '1\n'), ('many: ', 'x\n'), ('news [false]: ', '\n'), ('[e]dit:', 'y\n')):
        terminal.answer(prompt, text)
    status, output = terminal.end()
    check('the second answer', status == 0 and json.loads(output)['content']['name'] == 'Bob', output)


def test_other_commands():
    terminal = Terminal('asking', 'ask:form', command='read')
    shown = terminal.answer('Your name: ', END)
    check('a resource asks', 'asking asks: Who' in shown, shown)
    status, output = terminal.end()
    check('and is read', status == 0 and json.loads(output) == {'action': 'cancel'}, (status, output))

    terminal = Terminal('asking.visit', command='prompt')
    terminal.answer('[N]o:', 'n\n')
    status, output = terminal.end()
    check('a prompt asks', status == 0 and json.loads(output.removeprefix('[user]\n')) == {'action': 'decline'}, (status, output))


def test_sampling():
    terminal = Terminal('think')
    status, output = terminal.end()
    check('there is no model here', status == 0 and json.loads(output)['code'] == -1, output)


def consent(answer):
    terminal = Terminal('--role', 'careful', 'capabilities', 'word=spoken')
    shown = terminal.answer('[N]o:', answer)
    check('tool, arguments and rule are shown', all(part in shown for part in ('capabilities of asking', '"spoken"', 'role careful')), shown)
    if answer == 'what?\n':
        terminal.answer('[N]o:', '\n')
    return terminal.end()


def test_consent():
    for answer in 'n\n', '\n', END, 'what?\n':
        status, output = consent(answer)
        check('not called', (status, output) == (5, ''), (status, output))
    status, output = consent('y\n')
    check('called', status == 0 and 'elicitation' in json.loads(output), (status, output))
    status, output = consent('a\n')
    check('called once more', status == 0 and 'elicitation' in json.loads(output), (status, output))
    status, output = Terminal('--role', 'careful', 'capabilities').end()
    check('and from now on without a question', status == 0 and 'elicitation' in json.loads(output), (status, output))

    terminal = Terminal('--timeout', '3', '--role', 'careful', 'form')
    terminal.until('Your name: ')
    status, output = terminal.end()
    check('another tool is called without consent, and given up in time', status == 4, (status, output))


def test_hidden():
    """What a server or a model hides is shown, in questions and in what is to be agreed to."""
    terminal = Terminal('sly')
    shown = terminal.answer('[n]o: ', 'y\n')
    check('hidden characters are visible', 'Sure<U+202E>?<U+E0041>' in shown, shown)
    check('what is left is counted', re.search(r'… \d+ more characters', shown), shown)
    check('y is no answer yet', 'the end' not in terminal.answer('[n]o: ', 'r\n'))
    shown = terminal.answer('"]: ', '\n')
    check('then comes the rest', 'the end' in shown and '1) First<U+3164>' in shown, shown)
    check('with its label and value', shown.endswith('Which<U+200B> ["a\\u2066b'), shown)
    terminal.answer('[e]dit:', 'y\n')
    status, output = terminal.end()
    check('answered', status == 0 and json.loads(output)['action'] == 'accept', output)

    terminal = Terminal('sly')
    terminal.answer('[n]o: ', 'n\n')
    status, output = terminal.end()
    check('declined without all of it', status == 0 and json.loads(output) == {'action': 'decline'}, output)

    terminal = Terminal('alike')
    shown = terminal.answer('[N]o:', 'n\n')
    check('a host that looks like another is shown in both forms',
          '“\u0430pple.example”' in shown and '“xn--pple-43d.example”' in shown, shown)
    terminal.end()


def test_long_consent():
    """A call is agreed to only once all of its arguments were shown."""
    words = 'start\u202e' + 'x' * 9000 + 'rm -rf'
    environment = {'XDG_STATE_HOME': str(FOLDER / 'fresh')}
    terminal = Terminal('--role', 'careful', 'capabilities', f'word={words}', environment=environment)
    whole = terminal.answer('[n]o: ', 'y\n')
    check('the first page', 'start<U+202E>' in whole and 'rm -rf' not in whole and 'always' not in whole, whole)
    pages = 1
    while 'rm -rf' not in whole and pages < 50:
        shown = terminal.answer(('[n]o: ', '[N]o:'), 'a\n' if pages == 1 else '\n')
        whole, pages = whole + shown, pages + 1
    check('y and a were no answers, and all was shown page by page', pages > 4 and whole.count('x') >= 9000, (pages, whole))
    status, output = terminal.end()
    check('Enter is a no', (status, output) == (5, ''), (status, output))

    terminal = Terminal('--role', 'careful', 'capabilities', f'word={words}', environment=environment)
    terminal.answer('[n]o: ', 'r\n')
    shown = terminal.answer('[N]o:', 'y\n')
    check('the rest at once', 'rm -rf' in shown, shown)
    status, output = terminal.end()
    check('and then it is called', status == 0 and 'elicitation' in json.loads(output), (status, output))

    terminal = Terminal('--role', 'careful', 'capabilities', f'word={words}', environment=environment)
    terminal.answer('[n]o: ', 'n\n')
    status, output = terminal.end()
    check('no needs no reading', (status, output) == (5, ''), (status, output))


def test_typed_before():
    """What was typed before a question was there does not answer it."""
    terminal = Terminal('--role', 'careful', 'capabilities', 'word=spoken', environment={'XDG_STATE_HOME': str(FOLDER / 'fresh')}, typed='y\n')
    terminal.answer('[N]o:', 'n\n')
    status, output = terminal.end()
    check('a y from before is none', (status, output) == (5, ''), (status, output))


def test_no_terminal():
    done = subprocess.run([GMCP, '--config', str(CONFIG), 'call', 'form'], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=30, check=False)
    check('declined without a terminal', json.loads(done.stdout) == {'action': 'decline'}, done.stdout)
    done = subprocess.run([GMCP, '--config', str(CONFIG), 'call', 'capabilities'], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=30, check=False)
    denied = subprocess.run([GMCP, '--config', str(CONFIG), 'call', '-r', 'careful', 'capabilities'], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, timeout=30, check=False, env={**os.environ, 'XDG_STATE_HOME': str(FOLDER / 'other')})
    check('denied without a terminal', denied.returncode == 5 and 'role careful' in denied.stderr, denied.stderr)
    check('and not offered', 'elicitation' not in json.loads(done.stdout), done.stdout)


test_form()
test_refusals()
test_url()
test_withdrawn()
test_other_commands()
test_sampling()
test_consent()
test_hidden()
test_long_consent()
test_typed_before()
test_no_terminal()
print(f'1..{count}')
sys.exit(failures > 0)

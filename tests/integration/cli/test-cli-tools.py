#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What gmcp tools shows, and how gmcp call takes and gives what a tool does: test-cli-tools.py GMCP SCHEMA_SERVER"""
import base64
import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import CTRL_D, Terminal, check_screen, environment_of, make_home

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE = range(4)
PNG = b'\x89PNG\r\n\x1a\n' + bytes(range(256))


def schema(required=(), **properties):
    return {'type': 'object', 'properties': properties, 'required': list(required)}


def picture(mime, data):
    return {'type': 'image', 'mimeType': mime, 'data': base64.b64encode(data).decode()}


TOOLS = [
    {'name': 'get-sum', 'title': 'Sum', 'description': 'Adds two numbers. It never fails.',
     'annotations': {'readOnlyHint': True, 'idempotentHint': True},
     'inputSchema': schema('ab', a={'type': 'number', 'description': 'The first number'}, b={'type': 'number'},
                           digits={'type': 'integer', 'default': 2, 'minimum': 0})},
    {'name': 'paint', 'description': 'Paints.', 'annotations': {'destructiveHint': True},
     'inputSchema': {'type': 'object', '$defs': {'Colour': {'enum': ['red', 'green', 'blue']}}, 'required': ['colour'],
                     'additionalProperties': False,
                     'properties': {'colour': {'$ref': '#/$defs/Colour'}, 'fast': {'type': 'boolean'},
                                    'layers': {'type': 'array', 'items': {'type': 'string'}},
                                    'widths': {'type': 'array', 'items': {'type': 'number'}},
                                    'options': {'type': 'object', 'required': ['x'], 'properties': {'x': {'type': 'integer'}}},
                                    'note': {'anyOf': [{'type': 'string'}, {'type': 'null'}]}}},
     'outputSchema': schema(area={'type': 'number', 'description': 'what is painted'}),
     'answer': {'content': [{'type': 'text', 'text': 'painted'}], 'structuredContent': {'area': 3}}},
    {'name': 'a-tool-whose-name-is-so-long-that-no-line-of-eighty-columns-can-hold', 'description': 'Long.',
     'inputSchema': schema(some_argument_of_length={'type': 'string'}, another_argument={'type': 'string'})},
    {'name': 'many', 'description': 'Has many arguments, more than a line can hold.',
     'inputSchema': schema(**{f'argument_{i}': {'type': 'string'} for i in range(12)})},
    {'name': 'wide', 'description': 'Mit einem Satz, der viel länger ist, als in eine Zeile eines Terminals passt.',
     'inputSchema': {'type': 'object'}},
    {'name': 'odd', 'description': '\x1b]0;owned\x07\x1b[31mred', 'inputSchema': {
        'type': 'object', '$defs': {'Loop': {'$ref': '#/$defs/Loop'}}, 'required': ['x y', 'a=b'],
        'properties': {'x y': {'$ref': '#/$defs/Loop'}, 'a=b': {'pattern': '(a+)+$'}, '\x1b[1m': True, 'n': False}}},
    {'name': 'pictures', 'inputSchema': schema(), 'answer': {'content': [
        {'type': 'text', 'text': 'two pictures'}, picture('image/png', PNG), picture('image/gif', b'GIF89a...')]}},
]


class Case(unittest.TestCase):
    def setUp(self):
        self.home = make_home(self)
        self.environment = {**os.environ, **environment_of(self.home)}
        self.file = self.home / '.config' / 'mcp' / 'mcp.json'
        self.file.parent.mkdir(parents=True)
        self.configure(test=TOOLS)

    def serve(self, name, tools, *more):
        path = self.home / f'{name}-tools.json'
        path.write_text(json.dumps(tools))
        return {'command': '/usr/bin/python3', 'args': ['-S', SERVER, str(path), str(self.home / f'{name}.log'), *more]}

    def configure(self, **servers):
        self.file.write_text(json.dumps({'mcpServers': {
            name: tools if isinstance(tools, dict) else self.serve(name, tools) for name, tools in servers.items()}}))

    def gmcp(self, *words, status=OK, out=(), err=(), stdin=''):
        done = subprocess.run([GMCP, *words], capture_output=True, text=True, timeout=60, check=False, env=self.environment,
                              cwd=self.home, input=stdin)
        told = f'{words}: {done.returncode}\n{done.stdout}\n{done.stderr}'
        self.assertEqual(done.returncode, status, told)
        for text in out:
            self.assertIn(text, done.stdout, told)
        for text in err:
            self.assertIn(text, done.stderr, told)
        return done

    def call(self, *words):
        return json.loads(self.gmcp('call', *words).stdout)

    def refuse(self, *words, tool='test.get-sum'):
        """The one line that says what is wrong, and the command in it, which runs."""
        lines = [line for line in self.gmcp('call', tool, *words, status=USAGE).stderr.splitlines() if 'privileges' not in line]
        self.assertEqual(len(lines), 1, lines)
        why, command = lines[0].split(' – for example: ')
        self.assertTrue(why.startswith(f'gmcp: {tool}: '), why)
        words = shlex.split(command)
        self.assertEqual(words[0], 'gmcp')
        self.gmcp(*words[1:])
        return why.removeprefix(f'gmcp: {tool}: '), command

    def starts(self, name='test'):
        log = self.home / f'{name}.log'
        return log.read_text().count('start') if log.exists() else 0


class Tools(Case):
    # The list.

    def test_lines(self):
        lines = self.gmcp('tools').stdout.splitlines()
        self.assertEqual(len(lines), len(TOOLS))
        self.assertEqual(lines[0], 'test.get-sum\t(a: number, b: number, digits?: integer)\tread-only\tAdds two numbers')
        self.assertTrue(lines[1].startswith('test.paint\t(colour: "red"|"green"|"blue", fast?: boolean, layers?: string[], '))
        self.assertTrue(lines[1].endswith('\tdestructive\tPaints'))
        self.assertNotIn('\x1b', ''.join(lines))
        self.assertEqual(self.gmcp('tools').stdout.splitlines(), lines)

    def test_terminal(self):
        for columns in (80, 120):
            self.gmcp('tools')
            with Terminal([GMCP, 'tools'], columns=columns, rows=40, environment=self.environment) as terminal:
                self.assertEqual(terminal.finish(), OK)
                check_screen(self, terminal.text(), f'tool-list-{columns}.txt', self.home)
            for line in terminal.text().splitlines():
                self.assertLessEqual(len(line), columns)
            self.assertEqual(terminal.text().count('get-sum'), 1)

    def test_page(self):
        self.gmcp('tools')
        with Terminal([GMCP, 'tools', 'test.paint'], rows=60, environment=self.environment) as terminal:
            self.assertEqual(terminal.finish(), OK)
            check_screen(self, terminal.text(), 'tool-page-80.txt', self.home)
        page = self.gmcp('tools', 'test.get-sum', out=['required', 'by default 2', 'The first number', 'read-only']).stdout
        self.assertEqual(page, self.gmcp('call', 'get-sum', '--help').stdout)
        self.assertEqual(page, self.gmcp('tools', 'test__get-sum').stdout)
        self.assertEqual(page, self.gmcp('tools', 'get-sum').stdout)
        self.gmcp('tools', 'tesd', status=USAGE, err=['Unknown server: tesd', 'Near to it: test.'])
        self.gmcp(*shlex.split(page.splitlines()[-1])[1:])
        tool = json.loads(self.gmcp('tools', 'test.get-sum', '--json').stdout)
        self.assertEqual((tool['server'], tool['tool']), ('test', 'get-sum'))

    def test_every_page(self):
        """Whatever the schema says, and the example runs as it is printed."""
        for tool in TOOLS:
            page = self.gmcp('tools', f'test.{tool["name"]}').stdout
            self.assertNotIn('\x1b', page)
            words = shlex.split(page.splitlines()[-1])
            self.assertEqual(words[:3], ['gmcp', 'call', f'test.{tool["name"]}'])
            self.gmcp(*words[1:])

    def test_unknown(self):
        self.gmcp('tools', 'nosuch', status=USAGE, err=['Unknown server: nosuch'])
        self.gmcp('tools', 'tst', status=USAGE, err=['Unknown server: tst (configured: test). Near to it: test.'])
        self.gmcp('tools', 'test.get-sun', status=USAGE, err=['Near to it: test.get-sum'])
        self.gmcp('tools', 'other.x', status=USAGE, err=['Unknown server: other'])
        self.gmcp('call', 'nosuch', '--help', status=USAGE, err=['nosuch'])
        self.gmcp('call', '--help', out=['key=text', '--output'])

    def test_nothing(self):
        self.configure(bare=[])
        self.assertEqual(self.gmcp('tools', 'bare', err=['bare has no tools']).stdout, '')
        self.assertEqual(json.loads(self.gmcp('tools', 'bare', '--json').stdout), [])

    def test_kept(self):
        """A kept list is there at once; a server that comes later fills in."""
        gate = self.home / 'gate'
        self.configure(test=TOOLS)
        self.gmcp('tools')
        slow = self.serve('slow', [{'name': 'late', 'inputSchema': {'type': 'object'}}])
        slow['args'].append(str(gate))
        self.configure(test=TOOLS, slow=slow)
        with Terminal([GMCP, 'tools'], rows=40, environment=self.environment) as terminal:
            terminal.wait_for('get-sum')
            self.assertNotIn('late', terminal.text())
            gate.touch()
            self.assertEqual(terminal.finish(), OK)
            self.assertIn('slow (1 tool)\n  late', terminal.text())
            self.assertEqual(terminal.text().count('get-sum'), 1)
        starts = self.starts()
        self.gmcp('tools', 'test.paint')
        self.assertEqual(self.starts(), starts)

    # Arguments.

    def test_typed(self):
        self.assertEqual(self.call('get-sum', 'a=1', 'b=2.5'), {'a': 1, 'b': 2.5})
        self.assertEqual(self.call('test__get-sum', 'a=1', 'b:=2'), {'a': 1, 'b': 2})
        self.assertEqual(self.call('wide', 'a=1', 'b:=1', 'c=@@x'), {'a': '1', 'b': 1, 'c': '@x'})

    def test_kinds(self):
        self.configure(test=[{**tool, 'answer': None} if tool['name'] == 'none' else
                             {key: value for key, value in tool.items() if key not in ('answer', 'outputSchema')} for tool in TOOLS])
        self.assertEqual(self.call('paint', 'colour=red', 'fast=yes', 'layers=a', 'layers=b', 'widths=[1,2]', 'note=5',
                                   'options={"x":1}'),
                         {'colour': 'red', 'fast': True, 'layers': ['a', 'b'], 'widths': [1, 2], 'note': '5',
                          'options': {'x': 1}})
        self.assertEqual(self.call('paint', 'colour=red', 'layers=one'), {'colour': 'red', 'layers': ['one']})
        (self.home / 'text').write_text('two\nlines\n')
        self.assertEqual(self.call('paint', 'colour=red', 'note=@text')['note'], 'two\nlines\n')
        self.assertEqual(self.call('paint', 'colour=red', 'note=@@text')['note'], '@text')
        self.assertEqual(self.call('paint', '{"colour": "red"}'), {'colour': 'red'})

    def test_refused(self):
        self.assertEqual(self.refuse('a=x', 'b=7')[0], '“a” has to be number, not “x”')
        self.assertIn('b=7', self.refuse('a=x', 'b=7')[1])
        self.assertEqual(self.refuse('--no-input')[0], 'What is missing: a (number), b (number)')
        self.assertIn('Near to it: digits.', self.refuse('a=1', 'b=2', 'digit=1')[0])
        self.assertEqual(self.refuse('a=1', 'b=2', 'digits=-1')[0], '“digits” must be at least 0')
        # What may be left out, and was given wrongly, is in the call as it should be.
        self.assertRegex(self.refuse('a=1', 'b=2', 'digits=-1')[1], r' digits=\d')
        self.assertRegex(self.refuse('a=1', 'b=2', 'digits=two')[1], r' digits=\d')
        self.assertEqual(self.refuse('{"a": "1", "b": 2}')[0], '“a” has to be number, not "1"')
        self.assertEqual(self.refuse('colour=rde', tool='test.paint')[0],
                         '“colour” has to be "red"|"green"|"blue", not “rde”. Near to it: red.')
        self.assertEqual(self.refuse('colour=red', 'fast=maybe', tool='test.paint')[0], '“fast” has to be boolean, not “maybe”')
        self.assertIn('“options.x”', self.refuse('colour=red', 'options={"x":"y"}', tool='test.paint')[0])
        self.assertIn('twice', self.refuse('colour=red', 'colour=blue', tool='test.paint')[0])
        self.gmcp('call', 'get-sum', 'a=@missing', status=USAGE, err=['missing'])
        self.gmcp('call', 'get-sum', '{', status=USAGE)
        # What a schema does not forbid can be sent all the same.
        self.assertEqual(self.call('get-sum', 'a=1', 'b=2', 'digit:=1')['digit'], 1)

    def test_fresh(self):
        """What a kept list refuses the server may take by now."""
        self.gmcp('tools')
        newer = json.loads(json.dumps(TOOLS))
        newer[0]['inputSchema'] = schema('c', c={'type': 'string'})
        (self.home / 'test-tools.json').write_text(json.dumps(newer))
        self.assertEqual(self.call('test.get-sum', 'c=1'), {'c': '1'})

    def test_asked(self):
        self.gmcp('tools')
        with Terminal([GMCP, 'call', 'test.get-sum', 'b=2'], environment=self.environment) as terminal:
            terminal.wait_for('a (number):')
            self.assertIn('The first number', terminal.text())
            terminal.type('x\r')
            terminal.wait_for('has to be number')
            terminal.wait_for('a (number):', times=2)
            terminal.type('40\r')
            self.assertEqual(terminal.finish(), OK)
            self.assertIn('{"b": 2, "a": 40}', terminal.text())
        with Terminal([GMCP, 'call', 'test.get-sum'], environment=self.environment) as terminal:
            terminal.wait_for('a (number):')
            terminal.type(CTRL_D)
            self.assertEqual(terminal.finish(), USAGE)
            self.assertIn('What is missing', terminal.text())
        with Terminal([GMCP, 'call', 'test.get-sum', '--no-input'], environment=self.environment) as terminal:
            self.assertEqual(terminal.finish(), USAGE)

    # Results.

    def test_bytes(self):
        done = self.gmcp('call', 'pictures', out=['two pictures', '[image: image/png, 264 bytes]'], err=['--output FILE'])
        self.assertNotIn('\x1b', done.stdout)
        self.gmcp('call', 'pictures', '--output', 'x.png', out=['two pictures'], err=['x.png', 'x-2.png'])
        self.assertEqual((self.home / 'x.png').read_bytes(), PNG)
        self.assertEqual((self.home / 'x-2.png').read_bytes(), b'GIF89a...')
        (self.home / 'x.png').write_text('mine')
        starts = self.starts()
        self.gmcp('call', 'pictures', '--output', 'x.png', status=USAGE, err=['--force'])
        self.assertEqual((self.home / 'x.png').read_text(), 'mine')
        self.assertEqual(self.starts(), starts)
        self.gmcp('call', 'pictures', '--output', 'x.png', '--force')
        self.assertEqual((self.home / 'x.png').read_bytes(), PNG)
        self.gmcp('call', 'wide', 'a=b', '-o', 'text')
        self.assertEqual((self.home / 'text').read_text(), '{"a": "b"}')
        self.gmcp('call', 'wide', '-o', 'no/such/folder', status=7, err=['there is no folder “no/such”'])
        self.gmcp('call', 'wide', '-o', 'x', '--json', status=USAGE)

    def test_pictures(self):
        kitty = f'\x1b_Ga=T,f=100,m=0;{base64.b64encode(PNG).decode()}\x1b\\'
        for terminal, shown, count in (({'KITTY_WINDOW_ID': '1'}, kitty, 1), ({'TERM_PROGRAM': 'iTerm.app'}, '\x1b]1337;File=', 2),
                                       ({'TERM_PROGRAM': 'iTerm.app', 'TMUX': 'x'}, '\x1b]1337', 0), ({}, '\x1b_G', 0)):
            with Terminal([GMCP, 'call', 'pictures'], environment={**self.environment, **terminal}) as window:
                self.read_raw(window)
                self.assertEqual(window.raw.count(shown), count, repr(window.raw))

    def read_raw(self, window):
        """Pictures are for no screen of letters."""
        window.screen.feed = lambda text: None
        self.assertEqual(window.finish(), OK)


@unittest.skipUnless(os.environ.get('GMCP_TEST_NODE'), 'no Node.js')
class Everything(Case):
    """The official server for tests, whose schemas a library of TypeScript's makes."""

    def setUp(self):
        super().setUp()
        script = pathlib.Path(os.environ['GMCP_TEST_NODE_MODULES']) / '@modelcontextprotocol/server-everything/dist/index.js'
        if not script.exists():
            self.skipTest(f'no {script}')
        self.configure(everything={'command': os.environ['GMCP_TEST_NODE'], 'args': [str(script)]})

    def test_calls(self):
        lines = self.gmcp('tools', out=['everything.get-sum\t(a: number, b: number)\t']).stdout.splitlines()
        self.gmcp('call', 'get-sum', 'a=1', 'b=2', out=['The sum of 1 and 2 is 3.'])
        self.assertIn('has to be number', self.refuse('a=x', 'b=1', tool='everything.get-sum')[0])
        self.assertIn('Near to it: Chicago.', self.refuse('location=Chicgo', tool='everything.get-structured-content')[0])
        for line in lines:
            self.gmcp('tools', line.split('\t')[0], out=['gmcp call everything.'])
        self.gmcp('call', 'get-tiny-image', '-o', 'image.png')
        self.assertTrue((self.home / 'image.png').read_bytes().startswith(PNG[:8]))


if __name__ == '__main__':
    tap.main()

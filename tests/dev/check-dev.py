#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What ./dev says to wrong arguments, how tests are picked, and how their logs are counted."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
DEV = HERE.parent.parent / 'dev'


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


class Arguments(unittest.TestCase):
    def check_refused(self, arguments, said):
        result = run(DEV, *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ''), result.stderr)
        self.assertEqual(result.stderr, f'dev: {said}; see ./dev help\n')

    def test_unknown(self):
        self.check_refused(['tset'], 'there is no command tset')
        self.check_refused(['--full'], 'there is no command --full')
        self.check_refused(['test', '--fulll'], 'test: unknown option --fulll')
        self.check_refused(['test', '-n', 'tool'], 'test: unknown option -n')
        self.check_refused(['build', '--full'], 'build takes no arguments: --full')
        self.check_refused(['help', 'test'], 'help takes no arguments: test')

    def test_repeat(self):
        self.check_refused(['test', '--repeat'], 'test: --repeat needs a number of times')
        for number in '0', '-1', '007', 'tool', '1000000', '':
            self.check_refused(['test', '--repeat', number],
                               f'test: --repeat takes a number from 1 to 999999, not "{number}"')
        self.check_refused(['test', '--repeat=', 'tool'],
                           'test: --repeat takes a number from 1 to 999999, not ""')

    def test_full(self):
        for arguments in ['tool'], ['--repeat', '3']:
            for order in ['--full', *arguments], [*arguments, '--full']:
                self.check_refused(['test', *order],
                                   'test: --full runs every test once; it takes neither names nor --repeat')

    def test_fuzz(self):
        for number in '0', '-1', '007', 'json':
            self.check_refused(['fuzz', number], f'fuzz takes a number of inputs from 1 to 999999999, not "{number}"')
        self.check_refused(['fuzz', '5', '6'], 'fuzz takes one number: 6')

    def test_help(self):
        for word in 'help', '--help', '-h':
            result = run(DEV, word)
            self.assertEqual((result.returncode, result.stderr), (0, ''))
            for line in 'test --full', 'test --repeat N [NAME…]', 'test NAME…':
                self.assertIn(line, result.stdout)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Picking(Files):
    def pick(self, *names):
        tests = [{'name': 'tool', 'suite': ['gmcp:unit']},
                 {'name': 'tool-names', 'suite': ['gmcp:unit', 'gmcp:memory']},
                 {'name': 'plugin', 'suite': ['gmcp:integration']}]
        (self.folder / 'meson-info').mkdir(exist_ok=True)
        (self.folder / 'meson-info' / 'intro-tests.json').write_text(json.dumps(tests), encoding='utf-8')
        return run(sys.executable, HERE / 'pick.py', self.folder, *names)

    def test_found(self):
        for names, picked in ((['tool'], ['tool']), (['unit'], ['tool', 'tool-names']),
                              (['memory', 'tool'], ['tool-names', 'tool']), (['tool', 'unit'], ['tool', 'tool-names']),
                              (['*l*n*'], ['tool-names', 'plugin'])):
            result = self.pick(*names)
            self.assertEqual((result.returncode, result.stdout.split()), (0, picked), result.stderr)

    def test_not_found(self):
        result = self.pick('tool', 'plugins')
        self.assertEqual((result.returncode, result.stdout), (2, ''))
        self.assertEqual(result.stderr, 'dev: there is no test or suite called plugins; did you mean plugin?\n')
        result = self.pick('%')
        self.assertEqual((result.returncode, result.stderr), (2, 'dev: there is no test or suite called %\n'))


class Counting(Files):
    def tally(self, tests, *arguments):
        log = self.folder / 'log.json'
        log.write_text(''.join(json.dumps(test) + '\n' for test in tests), encoding='utf-8')
        return run(sys.executable, HERE / 'tally.py', *arguments, log)

    def test_cases(self):
        result = self.tally([
            {'name': 'one', 'result': 'FAIL', 'returncode': 1, 'stdout': 'ok 1 /a\nnot ok 2 /b\nok 3 /c # SKIP no bus\n'},
            {'name': 'two', 'result': 'OK', 'stdout': 'fine'},
            {'name': 'three', 'result': 'TIMEOUT', 'stdout': 'ok 1 /a\n'},
            {'name': 'four', 'result': 'SKIP', 'stdout': 'no gjs'}])
        self.assertEqual((result.returncode, result.stdout), (0, '3 2 2\n'))
        self.assertIn('FAILED one (FAIL, exit status 1)', result.stderr)
        self.assertIn('skipped one /c: no bus', result.stderr)
        self.assertIn('skipped four: no gjs', result.stderr)

    def test_runs(self):
        good = {'name': 'gmcp:unit / one', 'result': 'OK', 'stdout': 'ok 1 /a\nok 2 /b\n'}
        bad = {'name': 'gmcp:unit / one', 'result': 'FAIL', 'returncode': 1, 'stdout': 'not ok 1 first\n'}
        late = {'name': 'gmcp:unit / one', 'result': 'TIMEOUT', 'stdout': 'second\n'}
        other = {'name': 'gmcp:unit / two', 'result': 'SKIP', 'stdout': ''}
        result = self.tally([good, other, bad, late, good], '--repeated', self.folder)
        self.assertEqual((result.returncode, result.stdout), (1, '5 runs of 2 tests: 2 passed, 2 failed, 1 skipped\n'))
        self.assertIn('FAILED 2 of 4 times: gmcp:unit / one (first FAIL, exit status 1)', result.stderr)
        self.assertIn('not ok 1 first', result.stderr)
        self.assertNotIn('second', result.stderr)
        self.assertEqual((self.folder / 'repeat-one.log').read_text(encoding='utf-8'), 'not ok 1 first\n')
        result = self.tally([good, good], '--repeated', self.folder)
        self.assertEqual((result.returncode, result.stdout), (0, '2 runs of 1 tests: 2 passed, 0 failed, 0 skipped\n'))
        self.assertEqual(result.stderr, '')


class Again(Files):
    def write_log(self, name, *tests):
        path = self.folder / name
        path.write_text(''.join(json.dumps({'name': f'gmcp:unit / {name}', 'result': result, 'stdout': text}) + '\n'
                                for name, result, text in tests), encoding='utf-8')
        return path

    def test_unsteady_and_failed(self):
        log = self.write_log('log', ('one', 'FAIL', 'not ok 1 late\n'), ('two', 'OK', 'ok 1\n'), ('three', 'ERROR', 'not ok 1\n'),
                             ('four', 'TIMEOUT', ''))
        result = run(sys.executable, HERE / 'again.py', 'names', log)
        self.assertEqual((result.returncode, result.stdout.split()), (0, ['four', 'one', 'three']), result.stderr)
        alone = self.write_log('alone', ('one', 'OK', 'ok 1\nok 2\n'), ('one', 'OK', 'ok 1\nok 2\n'),
                               ('three', 'OK', 'ok 1\n'), ('three', 'FAIL', 'not ok 1\n'))
        result = run(sys.executable, HERE / 'again.py', 'merge', log, alone, self.folder)
        self.assertEqual((result.returncode, result.stdout), (0, ''), result.stderr)
        self.assertIn('UNSTEADY gmcp:unit / one: failed beside other tests, passed alone 2 times', result.stderr)
        self.assertIn('not ok 1 late', result.stderr)
        self.assertNotIn('three', result.stderr)
        self.assertEqual((self.folder / 'unsteady-one.log').read_text(encoding='utf-8'), 'not ok 1 late\n')
        self.assertEqual(run(sys.executable, HERE / 'tally.py', log).stdout, '3 2 0\n')


class Programs(unittest.TestCase):
    def test_unsteady(self):
        result = run(HERE / 'unsteady.sh', 'sh', '-c', 'echo "$1"; exit 7', '-', 'a b')
        self.assertEqual((result.returncode, result.stdout), (7, 'a b\n'))

    def test_burn_ends(self):
        ended = subprocess.Popen(['true'])
        ended.wait()
        self.assertEqual(run(HERE / 'burn.sh', ended.pid).returncode, 0)


if __name__ == '__main__':
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Manual pages are what the programs say of themselves: test-cli-manual.py GMCP MAKER FOLDER_OF_PAGES VERSION [TASKS]"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, MAKER, PAGES = map(os.path.abspath, sys.argv[1:4])
ENVIRONMENT = {**os.environ, 'LC_ALL': 'C.UTF-8', 'LANGUAGE': 'C', 'MANWIDTH': '500', 'ASAN_OPTIONS': 'detect_leaks=0'}
GUIDE = pathlib.Path(__file__).parents[3] / 'data' / 'docs'


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=True, env={**ENVIRONMENT, **more}, timeout=60)


def shown(page):
    """A page as a reader sees it, without bold and underlined letters."""
    return re.sub('.\b', '', run('man', '-l', str(page)).stdout)


class Manual(unittest.TestCase):
    def setUp(self):
        self.program = json.loads(run(GMCP, '__describe').stdout)

    def test_pages_are_without_warnings(self):
        pages = sorted(pathlib.Path(PAGES).glob('*.1'))
        self.assertIn('gmcp.1', [page.name for page in pages])
        for page in pages:
            done = run('man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', str(page))
            self.assertEqual(done.stderr, '', page)
            self.assertEqual(run('groff', '-ww', '-man', '-Kutf8', '-Tutf8', '-z', str(page)).stderr, '', page)

    def test_all_that_help_says_is_in_it(self):
        text = ' '.join(shown(pathlib.Path(PAGES) / 'gmcp.1').split())
        for command in self.program['commands']:
            self.assertIn(f'gmcp {command["name"]}', text)
            self.assertIn(' '.join(command['summary'].split()), text)
            for entry in [*command['options'], *command.get('verbs', [])]:
                self.assertIn(' '.join(entry['summary'].split()), text, command['name'])
        for state in self.program['exits']:
            self.assertIn(f'{state["status"]} {state["summary"]}', text)

    def test_the_same_page_each_time(self):
        page = (pathlib.Path(PAGES) / 'gmcp.1').read_text()
        self.assertEqual(run(sys.executable, MAKER, 'describe', GMCP, SOURCE_DATE_EPOCH='').stdout, page)
        dated = run(sys.executable, MAKER, 'describe', GMCP, SOURCE_DATE_EPOCH='86400').stdout
        self.assertIn('"1970-01-02"', dated.partition('\n')[0])

    def test_help_has_every_command_and_state(self):
        text = run(GMCP, '--help').stdout
        for command in self.program['commands']:
            self.assertRegex(text, rf'(?m)^  {command["name"]} +\S')
            self.assertEqual(run(GMCP, 'help', command['name']).stdout, run(GMCP, command['name'], '--help').stdout)
        for state in self.program['exits']:
            self.assertIn(f'  {state["status"]}  {state["summary"]}', text)

    def test_the_guide_has_the_states(self):
        text = (GUIDE / 'json-output.md').read_text(encoding='utf-8')
        for state in self.program['exits']:
            self.assertIn(f'| {state["status"]} | `{state["code"]}` | {state["summary"]} |', text)


if __name__ == '__main__':
    tap.main()

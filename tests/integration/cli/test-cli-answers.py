#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What somebody answers to a question, in each language: test-cli-answers.py GMCP"""
import gettext
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import Terminal, environment_of, make_home

GMCP = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ['GMCP_BUILD_DIR'])
LANGUAGES = [line for line in (ROOT / 'po' / 'LINGUAS').read_text(encoding='utf-8').splitlines() if line and line[0] != '#']
ASKED = 'Remove this? [y/N]'


class Answers(unittest.TestCase):
    def removes(self, answer, language='', asked=ASKED):
        home = make_home(self)
        config = home / '.config' / 'mcp' / 'mcp.json'
        config.parent.mkdir(parents=True)
        config.write_text(json.dumps({'mcpServers': {'mine': {'command': 'true'}}}))
        environment = {**environment_of(home), 'GMCP_LOCALE_DIR': str(BUILD / 'po'), 'LANGUAGE': language}
        with Terminal([GMCP, 'remove', 'mine'], environment=environment) as terminal:
            terminal.wait_for(asked)
            terminal.type(answer + '\r')
            self.assertEqual(terminal.finish(), 0, terminal.text())
        return json.loads(config.read_text())['mcpServers'] == {}

    def test_english_is_understood_everywhere(self):
        for answer in ('y', 'yes', 'YES', ' y '):
            self.assertTrue(self.removes(answer), answer)
        for answer in ('', 'n', 'no', 'yesterday', 'j', 'ja'):
            self.assertFalse(self.removes(answer), answer)

    def test_each_language(self):
        for language in LANGUAGES:
            texts = gettext.translation('gmcp-1', BUILD / 'po', [language])
            asked = texts.gettext(ASKED)
            self.assertNotEqual(asked, ASKED, language)
            for answer in {'y', 'yes', texts.gettext('y'), texts.gettext('yes'), texts.gettext('yes').upper()}:
                self.assertTrue(self.removes(answer, language, asked), f'{language}: {answer}')
            for answer in {'', 'n', texts.gettext('no'), texts.gettext('yes') + 'x'}:
                self.assertFalse(self.removes(answer, language, asked), f'{language}: {answer}')

    def test_words_that_people_type(self):
        for language, yes, no in (('de', 'ja', 'nein'), ('zh_CN', '是', '否')):
            texts = gettext.translation('gmcp-1', BUILD / 'po', [language])
            self.assertEqual((texts.gettext('yes'), texts.gettext('no')), (yes, no))


if __name__ == '__main__':
    tap.main()

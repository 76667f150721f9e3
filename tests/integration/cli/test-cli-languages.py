#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What gmcp prints in each language that it is translated to, and that it fits a terminal there.

test-cli-languages.py GMCP
"""
import gettext
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from screen import columns_of
from terminal import Terminal

GMCP = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ['GMCP_BUILD_DIR'])
LANGUAGES = [line for line in (ROOT / 'po' / 'LINGUAS').read_text(encoding='utf-8').splitlines() if line and line[0] != '#']
# What nobody can take for another language.
SIGNS = {'de': 'Werkzeuge', 'zh_CN': '工具'}
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-languages-')
HOME = pathlib.Path(FOLDER.name)
CONFIG = HOME / 'mcp.json'
USAGE, UNREACHABLE = 2, 3
COLUMNS = 80
# As dev does it, but for the build.
DEV = '''set -euo pipefail
build=$1 root=$2
. "$root/tests/dev/environment.sh"
enter_environment
exec "${@:3}"'''
SERVER = r'''
import json, sys
text = "读取文件夹中的全部文件，" * 20
for line in sys.stdin:
    message = json.loads(line)
    answer = {'error': {'code': -32601, 'message': 'Method not found'}}
    if message['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}, 'prompts': {}},
                             'serverInfo': {'name': 'wide', 'version': '1'}}}
    elif message['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': 'read' * i, 'description': 'x' * i + text, 'inputSchema': {'type': 'object'}}
                                       for i in range(1, 6)]}}
    elif message['method'] == 'prompts/list':
        answer = {'result': {'prompts': [{'name': name, 'description': 'x' * i + text}
                                         for i, name in enumerate(['read', '读取', '读取全部文件'])]}}
    if 'id' in message:
        sys.stdout.buffer.write(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}).encode() + b'\n')
        sys.stdout.flush()
'''


def width(text):
    return sum(map(columns_of, text))


def environment(**asked):
    """Of a user who has set nothing but what is said here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(('LC_', 'LANG', 'LOCPATH', 'GMCP_LOCALE'))}
    return {**kept, **asked, 'XDG_STATE_HOME': str(HOME / 'state'), 'XDG_CACHE_HOME': str(HOME / 'cache')}


def in_dev(*arguments):
    return ['bash', '-c', DEV, 'dev', BUILD, ROOT, GMCP, *arguments]


def gmcp(*arguments, asked, config=CONFIG):
    return subprocess.run(in_dev('--config', config, *arguments), capture_output=True, text=True, encoding='utf-8', timeout=60,
                          check=False, env=environment(**asked), stdin=subprocess.DEVNULL)


def on_terminal(*arguments, language, config=CONFIG):
    """The lines on a screen that is as wide as most are; what is longer goes on in the next line."""
    asked = environment(LANGUAGE=language, NO_COLOR='1')
    with Terminal(in_dev('--config', config, *arguments), columns=COLUMNS, environment=asked) as terminal:
        terminal.finish()
        return terminal.text().splitlines()


class Languages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (HOME / 'server.py').write_text(SERVER, encoding='utf-8')
        server = {'command': sys.executable, 'args': ['-S', str(HOME / 'server.py')], 'title': '文件'}
        CONFIG.write_text(json.dumps({'mcpServers': {'wide': server}}))

    def translate(self, language, text):
        """From the built catalogue, and never the text itself."""
        with (BUILD / 'po' / language / 'LC_MESSAGES' / 'gmcp-1.mo').open('rb') as file:
            translated = gettext.GNUTranslations(file).gettext(text)
        self.assertNotEqual(translated, text, language)
        return translated

    def test_each_has_a_sign(self):
        self.assertEqual(sorted(SIGNS), LANGUAGES)

    def check_help(self, language, asked):
        shown = gmcp('--help', asked=asked).stdout
        self.assertIn(SIGNS[language], shown)
        for text in ('Find and use what MCP servers have: tools, resources and prompts.', 'Add a server, and see whether it works',
                     'To begin with:', 'Show the version'):
            self.assertIn(self.translate(language, text), shown)

    def test_language(self):
        for language in LANGUAGES:
            self.check_help(language, {'LANGUAGE': language})

    def test_locale(self):
        """One that is not generated gives its language, too."""
        for language in LANGUAGES:
            for locale in f'{language}.UTF-8', f'{language}.utf8@nowhere', language:
                self.check_help(language, {'LANG': locale})
            self.check_help(language, {'LC_ALL': f'{language}.UTF-8', 'LANG': 'C'})
            self.check_help(language, {'LANG': 'xx_YY.UTF-8', 'LANGUAGE': f'xx:{language}'})

    def test_english(self):
        for asked in {}, {'LANG': 'C', 'LANGUAGE': 'de'}, {'LC_ALL': 'C.UTF-8'}, {'LANG': 'xx_YY.UTF-8'}, {'LANG': 'de_DE.UTF-8', 'LANGUAGE': 'en'}:
            self.assertIn('Add a server, and see whether it works', gmcp('--help', asked=asked).stdout, asked)

    def test_error(self):
        for language in LANGUAGES:
            for status, text, arguments in (
                    (USAGE, 'there is no command “%s”; see gmcp --help%s', ['nonsense']),
                    (USAGE, 'Unknown server: %s (configured: %s)', ['tools', 'nobody'])):
                done = gmcp(*arguments, asked={'LANGUAGE': language})
                expected = re.escape(self.translate(language, text)).replace('%s', '.*')
                self.assertEqual(done.returncode, status, done)
                self.assertRegex(done.stderr, expected)

    def test_errors_of_the_library(self):
        """They come from the shared library, whose domain it binds itself."""
        bad = HOME / 'bad.json'
        bad.write_text('{"mcpServers": {"bad": {"command": "no-such-program-at-all"}}}')
        for language in LANGUAGES:
            done = gmcp('tools', 'bad', asked={'LANGUAGE': language}, config=bad)
            self.assertEqual(done.returncode, UNREACHABLE, done)
            text = self.translate(language, 'The command “%s” was not found. Install it, or give its full path.%s%s\n\nDirectories searched (PATH): %s')
            self.assertRegex(done.stderr, re.escape(text).replace('%s', '.*'))

    def test_words(self):
        for language in LANGUAGES:
            shown = dict(re.split(r'\s{2,}', line, maxsplit=1) for line in gmcp('show', 'wide', asked={'LANGUAGE': language}).stdout.splitlines()
                         if not line.startswith(' '))
            self.assertEqual(shown[self.translate(language, 'Enabled')], self.translate(language, 'yes'))
            self.assertEqual(shown[self.translate(language, 'Title')], '文件')


class Screens(unittest.TestCase):
    setUpClass = Languages.setUpClass

    def check_columns(self, lines):
        """Each line ends on the screen, and the second column begins at the same place in all."""
        begins = {width(re.match(r'.*?\S\s{2,}(?=\S)', line)[0]) for line in lines if re.match(r'\S+(?: \S+)*\s{2,}\S', line)}
        self.assertEqual(len(begins), 1, '\n'.join(lines))

    def test_labels(self):
        for language in LANGUAGES:
            lines = on_terminal('show', 'wide', language=language)
            self.assertGreaterEqual(len(lines), 4, lines)
            self.check_columns([line for line in lines if line[:1].strip()])

    def test_headings(self):
        config = HOME / 'stopped.json'
        config.write_text('{"mcpServers": {"files": {"command": "true"}, "by-hand": {"command": "true", "start": "manual"}}}')
        for language in LANGUAGES:
            state, stopped, source = (Languages.translate(self, language, text) for text in ('State', 'Stopped', 'Source'))
            lines = on_terminal('status', language=language, config=config)
            head = next(line for line in lines if state in line and source in line)
            rows = [line for line in lines if line.startswith(('files ', 'by-hand ')) and stopped in line]
            self.assertEqual(len(rows), 2, '\n'.join(lines))
            self.check_columns([head, *rows])
            self.assertEqual({width(row[:row.index('/')]) for row in rows}, {width(head[:head.index(source)])})

    def test_cut(self):
        """What does not fit is cut between two characters and says how much there is."""
        for language in LANGUAGES:
            lines = [line for line in on_terminal('prompts', language=language) if '读取文件夹' in line]
            self.assertEqual(len(lines), 3, "\n".join(lines))
            for line in lines:
                self.assertLessEqual(width(line), COLUMNS, line)
                self.assertGreaterEqual(width(line), COLUMNS - 8, line)
                self.assertRegex(line, r'… \+\d+$')
                self.assertNotIn('\ufffd', line)
            self.check_columns(lines)

    def test_tools(self):
        for language in LANGUAGES:
            lines = on_terminal('tools', language=language)
            self.assertIn('读取文件夹', '\n'.join(lines))
            self.assertEqual([line for line in lines if width(line) > COLUMNS or '\ufffd' in line], [])


if __name__ == '__main__':
    tap.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files that people wrote are changed in place, YAML among them, also in an editor: test-cli-edit.py GMCP"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP = os.path.abspath(sys.argv[1])
OK, TOOL_ERROR, USAGE, UNREACHABLE = range(4)
YAML = '''# All of mine.
mcp_servers:
  files:   # the first
    # A program
    command: mcp-files   # as it is
    args: [a, "b c"]
    auto_start: true

  # The second one
  web: {url: "https://example.com/mcp", auto_start: true}
  "Big Name":
    command: "x 'y z'"
    enabled: true # yes
# What holds for all.
mcp_settings:
  call_timeout_seconds: 7
'''
JSON = '''{
  // All of mine.
  "mcpServers": {
    "files": {
      "command": "mcp-files", // as it is
      "args": ["a"],
    },
  }
}
'''


class Edit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='gmcp-edit-', ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.yaml = self.home / 'mine.yaml'
        self.yaml.write_text(YAML)
        self.json = self.home / 'mine.json'
        self.json.write_text(JSON)
        self.editor = self.home / 'editor'
        self.environment = {**os.environ, 'HOME': str(self.home), 'XDG_CONFIG_HOME': str(self.home / '.config'),
                            'XDG_STATE_HOME': str(self.home / 'state'), 'XDG_CACHE_HOME': str(self.home / 'cache'),
                            'XDG_DATA_HOME': str(self.home / 'data'), 'EDITOR': str(self.editor), 'TMPDIR': str(self.home)}
        self.environment.pop('VISUAL', None)

    def gmcp(self, status, *args, out=(), err=(), **more):
        done = subprocess.run([GMCP, *map(str, args)], capture_output=True, text=True, timeout=60, check=False,
                              env={**self.environment, **more}, cwd=self.home, stdin=subprocess.DEVNULL)
        told = f'{args}\n{done.stdout}\n{done.stderr}'
        self.assertEqual(done.returncode, status, told)
        for word in out:
            self.assertIn(word, done.stdout, told)
        for word in err:
            self.assertIn(word, done.stderr, told)
        return done

    def make_editor(self, script):
        """What is opened is kept beside, and then changed by a line of Python over `text`."""
        self.editor.write_text('#!/usr/bin/python3\nimport pathlib, sys\npath = pathlib.Path(sys.argv[-1])\ntext = path.read_text()\n'
                               f'pathlib.Path({str(self.home / "seen")!r}).write_text(path.suffix + "\\n" + text)\n'
                               f'{script}\npath.write_text(text)\n')
        self.editor.chmod(0o755)

    def shown(self, path, server):
        return json.loads(self.gmcp(OK, '--config', path, 'show', server, '--json').stdout)


class Yaml(Edit):
    def test_a_server_is_added_where_the_others_stand(self):
        self.gmcp(OK, 'add', '--file', self.yaml, '--no-test', '--env', 'LEVEL=a: b#c', 'new', '--', 'a program', '-x', 'yes')
        text = self.yaml.read_text()
        before, after = text.split('  new:\n')
        self.assertEqual(before, YAML[:YAML.index('# What holds')])
        self.assertTrue(after.endswith(YAML[YAML.index('# What holds'):]), text)
        self.assertIn('    command: ["a program","-x","yes"]\n', after)
        self.gmcp(OK, 'config', 'validate', self.yaml, out=['4 servers'])
        self.gmcp(USAGE, 'add', '--file', self.yaml, '--no-test', 'new', 'true', err=['--force'])
        self.gmcp(OK, 'add', '--file', self.yaml, '--no-test', '--force', 'new', 'https://example.com/new')
        self.assertIn('  new:\n    type: "http"\n    url: "https://example.com/new"\n', self.yaml.read_text())
        self.assertTrue(self.yaml.read_text().startswith(before))

    def test_a_file_is_begun(self):
        for name, text in [('new.yaml', None), ('empty.yaml', ''), ('comment.yaml', '# mine'),
                           ('braces.yaml', 'mcp_servers: {}  # none\n'), ('other.yaml', 'roles:\n  r: {allowed_tools: []}\n'),
                           ('theirs.yml', 'mcpServers:\n    a:\n        command: b\n')]:
            path = self.home / name
            if text is not None:
                path.write_text(text)
            self.gmcp(OK, 'add', '--file', path, '--no-test', 'git', '--', 'uvx', 'mcp-server-git')
            self.gmcp(OK, 'add', '--file', path, '--no-test', 'no', 'true')
            written = path.read_text()
            self.assertTrue(written.startswith((text or '').rstrip('\n').replace(' {}', '').rstrip()[:11]), written)
            self.gmcp(OK, 'config', 'validate', path, out=['3 servers' if 'mcpServers' in written else '2 servers'])
        self.assertIn('    git:\n      command: "uvx"\n', (self.home / 'theirs.yml').read_text())

    def test_servers_are_switched_and_removed(self):
        for server, changed in [('files', YAML.replace('    # A program\n', '    # A program\n    disabled: true\n')),
                                ('web', YAML.replace('{url', '{disabled: true, url')),
                                ('big-name', YAML.replace('enabled: true #', 'enabled: false #'))]:
            self.yaml.write_text(YAML)
            self.gmcp(OK, '--config', self.yaml, 'disable', server)
            self.assertEqual(self.yaml.read_text(), changed)
            self.gmcp(OK, '--config', self.yaml, 'enable', server)
            self.gmcp(OK, '--config', self.yaml, 'remove', '--yes', server)
            self.gmcp(OK, 'config', 'validate', self.yaml, out=['2 servers'])
        self.yaml.write_text(YAML)
        self.gmcp(OK, '--config', self.yaml, 'remove', '--yes', 'web', 'files', 'big-name')
        self.assertEqual(self.yaml.read_text(), '# All of mine.\nmcp_servers: {}\n\n  # The second one\n'
                         + YAML[YAML.index('# What holds'):])
        self.gmcp(OK, 'config', 'validate', self.yaml, out=['0 servers'])

    def test_what_would_get_lost_is_not_written(self):
        for text in ['{mcp_servers: {a: {command: b}, c: {command: d}}}\n',
                     'mcp_servers: {a: {command: b}, c: {command: d}}\n']:
            self.yaml.write_text(text)
            self.gmcp(USAGE, '--config', self.yaml, 'remove', '--yes', 'a')
            self.assertEqual(self.yaml.read_text(), text)
        anchored = 'mcp_servers:\n  a: &x\n    command: b\n  c: *x\n'
        self.yaml.write_text(anchored)
        self.gmcp(USAGE, '--config', self.yaml, 'remove', '--yes', 'a')
        self.gmcp(USAGE, '--config', self.yaml, 'disable', 'a', err=['c'])
        self.assertEqual(self.yaml.read_text(), anchored)
        self.yaml.write_text(YAML)
        self.gmcp(USAGE, 'add', '--file', self.yaml, '--no-test', '--force', 'files', 'true', err=['comments'])
        self.assertEqual(self.yaml.read_text(), YAML)

    def test_lines_that_end_otherwise_stay_so(self):
        self.yaml.write_bytes(b'\xef\xbb\xbfmcp_servers:\r\n  a:\r\n    command: \xc3\xa4\r\n')
        self.gmcp(OK, '--config', self.yaml, 'disable', 'a')
        self.gmcp(OK, 'add', '--file', self.yaml, '--no-test', 'b', 'true')
        self.assertTrue(self.yaml.read_bytes().startswith(b'\xef\xbb\xbfmcp_servers:\r\n  a:\r\n'))
        self.gmcp(OK, 'config', 'validate', self.yaml, out=['2 servers'])

    def test_toml_is_left_alone(self):
        path = self.home / 'mine.toml'
        path.write_text('[mcp_servers.a]\ncommand = "b"\n')
        self.gmcp(USAGE, '--config', path, 'disable', 'a', err=['JSON or YAML'])


class Editor(Edit):
    def test_a_server_of_a_yaml_file(self):
        self.make_editor('text = text.replace("mcp-files", "other-files")')
        self.gmcp(OK, '--config', self.yaml, 'edit', 'files', out=['Changed files'])
        self.assertEqual((self.home / 'seen').read_text(),
                         '.yaml\n# A program\ncommand: mcp-files   # as it is\nargs: [a, "b c"]\nauto_start: true\n')
        self.assertEqual(self.yaml.read_text(), YAML.replace('mcp-files', 'other-files'))
        self.make_editor('text = text.replace("mcp", "other") + "# and more"')
        self.gmcp(OK, '--config', self.yaml, 'edit', 'web')
        self.assertIn('  web: {url: "https://example.com/other", auto_start: true}\n# and more\n', self.yaml.read_text() + '')

    def test_a_server_of_a_json_file(self):
        self.make_editor('text = text.replace("[\\"a\\"]", "[\\n    \\"b\\"\\n  ]")')
        self.gmcp(OK, '--config', self.json, 'edit', 'files')
        self.assertEqual((self.home / 'seen').read_text(),
                         '.json\n{\n  "command": "mcp-files", // as it is\n  "args": ["a"],\n}\n')
        self.assertEqual(self.json.read_text(), JSON.replace('["a"]', '[\n        "b"\n      ]'))

    def test_what_is_wrong_is_not_stored(self):
        for path, text in [(self.yaml, YAML), (self.json, JSON)]:
            for script in ['text = ""', 'text = "{"', 'text = "- a"', 'text = "command: [7]" if path.suffix == ".yaml" else "{}"',
                           'text = text.replace("command", "comand")', 'text += "\\nx: *y"']:
                self.make_editor(script)
                self.gmcp(USAGE, '--config', path, 'edit', 'files', err=['Nothing was stored'])
                self.assertEqual(path.read_text(), text)
        self.make_editor('sys.exit(1)')
        self.gmcp(USAGE, '--config', self.json, 'edit', 'files', err=['edit:'])
        self.gmcp(USAGE, '--config', self.json, 'edit', 'files', EDITOR='/no/such/editor')
        self.gmcp(USAGE, '--config', self.json, 'edit', 'filess', err=['files'])
        self.make_editor('pass')
        self.gmcp(OK, '--config', self.json, 'edit', 'files', out=['Nothing was changed'])
        self.assertEqual(list(self.home.glob('gmcp-edit-*')), [])

    def test_what_another_has_written_stays(self):
        self.make_editor(f'other = pathlib.Path({str(self.json)!r})\nother.write_text(other.read_text().replace("mcp-files", "theirs"))\n'
                         'text = text.replace("mcp-files", "ours")')
        self.gmcp(USAGE, '--config', self.json, 'edit', 'files', err=['meanwhile'])
        self.assertIn('theirs', self.json.read_text())

    def test_nobody_waits_in_an_editor_that_nobody_chose(self):
        self.gmcp(USAGE, '--config', self.json, 'edit', 'files', err=['EDITOR'], EDITOR='')

    def test_an_editor_has_arguments(self):
        self.make_editor('text = text.replace("mcp-files", sys.argv[1])')
        self.gmcp(OK, '--config', self.json, 'edit', 'files', VISUAL=f"'{self.editor}' 'by visual'", EDITOR='false')
        self.assertIn('"by visual"', self.json.read_text())

    def test_a_server_that_was_added(self):
        self.gmcp(OK, 'add', '--no-test', 'mine', '--', 'true', 'x')
        self.make_editor('text = text.replace("true", "false")')
        self.gmcp(OK, 'edit', 'mine')
        self.gmcp(OK, 'show', 'mine', out=['false x'])


tap.main()

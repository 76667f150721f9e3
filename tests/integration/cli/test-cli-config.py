#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What gmcp config show and check say of settings and files: test-cli-config.py GMCP SCHEMA"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SCHEMA = map(os.path.abspath, sys.argv[1:3])
OK, USAGE = 0, 2
FOLDER = tempfile.TemporaryDirectory(prefix='gmcp-cli-config-')
HOME = pathlib.Path(FOLDER.name)
KEYFILE = HOME / 'config/glib-2.0/settings/keyfile'
ENVIRONMENT = {**os.environ, 'XDG_STATE_HOME': str(HOME / 'state'), 'XDG_CONFIG_HOME': str(HOME / 'config'),
               'GSETTINGS_BACKEND': 'keyfile', 'LC_ALL': 'C.UTF-8'}
TOOL = {'binary': 'claude', 'command_template': '{binary} --model {model}', 'models': ['big', 'small'],
        'mcp_tools': {'required': ['one'], 'recommended': [], 'optional': ['two']}}


class Config(unittest.TestCase):
    def setUp(self):
        KEYFILE.parent.mkdir(parents=True, exist_ok=True)
        KEYFILE.write_text('')

    def gmcp(self, status, *args):
        done = subprocess.run([GMCP, *args], capture_output=True, text=True, timeout=60, check=False, cwd=HOME,
                              env=ENVIRONMENT)
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        return done.stdout

    def show(self, *args):
        return json.loads(self.gmcp(OK, 'config', 'show', '--json', *args))

    def test_all_keys(self):
        """Each key for all servers is shown, with its default, and what is no key but a number of files."""
        schema = xml.etree.ElementTree.parse(SCHEMA).getroot().find("schema[@id='org.gmcp.Manager']")
        lists = {'servers', 'roles', 'requirements', 'projects'}
        keys = {key.get('name').replace('-', '_'): key.find('default').text for key in schema.findall('key')
                if key.get('name') not in lists}
        shown = self.show()['settings']
        self.assertLessEqual(set(keys), set(shown))
        for name in set(shown) - set(keys):
            self.assertIsInstance(shown[name], int, name)
        self.assertEqual(shown['max_calls'], 16)
        for key, default in keys.items():
            if default.isdigit():
                self.assertEqual(shown[key], int(default), key)

    def test_file(self):
        path = HOME / 'own.json'
        path.write_text(json.dumps({
            'mcp_servers': {'one': {'command': 'x'}, 'two': {'command': 'y'}},
            'mcp_settings': {'restart_delay_seconds': 0.5, 'max_calls': 3}, 'tools': {'coder': TOOL}}))
        shown = self.show(str(path))
        self.assertEqual(shown['settings']['restart_delay_ms'], 500)
        self.assertEqual(shown['settings']['max_calls'], 3)
        self.assertEqual(shown['tools'], [{
            'name': 'coder', 'binary': 'claude', 'command_template': '{binary} --model {model}',
            'models': ['big', 'small'], 'required': ['one'], 'recommended': [], 'optional': ['two']}])
        text = self.gmcp(OK, '--config', str(path), 'config', 'show')
        for pattern in (r'restart-delay-ms +500\n', r'For coder:\n', r'program +claude\n', r'models +big, small\n',
                        r'command +\{binary\} --model \{model\}\n', r'required +one\n', r'optional +two\n'):
            self.assertRegex(text, pattern)
        self.assertNotIn('recommended', text)

    def test_settings(self):
        KEYFILE.write_text("[org/gmcp]\ncall-timeout-ms=uint32 7\nlog-directory='/var/log/mcp'\nrequirements=['coder']\n"
                           "[org/gmcp/requirements/coder]\nbinary='vim'\ncommand-template='vim -s {file}'\n"
                           "models=['m']\n")
        shown = self.show()
        self.assertEqual(shown['settings']['call_timeout_ms'], 7)
        self.assertEqual(shown['settings']['log_directory'], '/var/log/mcp')
        self.assertRegex(self.gmcp(OK, 'config', 'show'), r'log-directory +/var/log/mcp\n')
        self.assertEqual(shown['tools'], [{
            'name': 'coder', 'binary': 'vim', 'command_template': 'vim -s {file}', 'models': ['m'], 'required': [],
            'recommended': [], 'optional': []}])

    def test_check(self):
        KEYFILE.write_text('[org/gmcp]\nhealth-interval-ms=uint32 5\nstartup-timeout-ms=uint32 60001\n')
        out = self.gmcp(USAGE, 'config', 'check')
        self.assertIn('error: /org/gmcp/health-interval-ms: expected a whole number of milliseconds from 10000 to '
                      '300000', out)
        self.assertIn('error: /org/gmcp/startup-timeout-ms: expected a whole number of milliseconds from 1000 to 60000', out)
        self.assertEqual(self.show()['settings']['health_interval_ms'], 30000)

        path = HOME / 'bad.json'
        path.write_text('{"mcp_servers": {},\n"mcp_settings": {\n"restart_jitter_percent": 101}}')
        self.assertIn(':3: mcp_settings.restart_jitter_percent: expected a whole number from 0 to 100',
                      self.gmcp(USAGE, 'config', 'check', str(path)))

    def test_a_schema_that_is_not_there(self):
        """That of roles is missed by those only who have one; a rule that cannot be read is told of."""
        folder = HOME / 'schemas'
        folder.mkdir()
        tree = xml.etree.ElementTree.parse(SCHEMA)
        tree.getroot().remove(tree.getroot().find("schema[@id='org.gmcp.Role']"))
        tree.write(folder / 'org.gmcp.gschema.xml')
        subprocess.run(['glib-compile-schemas', str(folder)], check=True, capture_output=True)
        elsewhere = {'GSETTINGS_SCHEMA_DIR': str(folder), 'GMCP_SCHEMA_DIR': str(folder), 'XDG_DATA_DIRS': str(folder), 'XDG_DATA_HOME': str(folder)}
        with unittest.mock.patch.dict(ENVIRONMENT, elsewhere):
            self.gmcp(OK, 'config', 'check')
            KEYFILE.write_text("[org/gmcp]\nroles=['review']\n[org/gmcp/roles/review]\nread-only=true\n")
            self.assertIn('error: /org/gmcp/roles: The settings schema org.gmcp.Role is not installed', self.gmcp(USAGE, 'config', 'check'))
        self.gmcp(OK, 'config', 'check')


tap.main()

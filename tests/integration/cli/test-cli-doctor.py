#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp doctor as somebody meets it whose servers do not work: test-cli-doctor.py GMCP MANAGED_SERVER"""
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED = range(6)
PYTHON = '/usr/bin/python3'
STEPS = ['configuration', 'program', 'connection', 'era', 'handshake', 'list', 'health']


class Refusing(http.server.BaseHTTPRequestHandler):
    """A server that wants somebody to sign in."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get('Content-Length', 0)))
        self.send_response(401)
        self.send_header('WWW-Authenticate', 'Bearer')
        self.send_header('Content-Length', '0')
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format, *args):
        pass


class Doctor(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory(prefix='gmcp-doctor-', ignore_cleanup_errors=True)
        self.addCleanup(self.kept.cleanup)
        self.folder = pathlib.Path(self.kept.name)
        self.config = self.folder / 'mcp.json'
        self.environment = os.environ | {'XDG_STATE_HOME': str(self.folder / 'state'), 'XDG_CACHE_HOME': str(self.folder / 'cache'),
                                         'XDG_CONFIG_HOME': str(self.folder / 'config')}

    def write(self, **servers):
        self.config.write_text(json.dumps({'mcpServers': servers}))

    def run_gmcp(self, *words, config=True, **environment):
        place = ['--config', str(self.config)] if config else []
        return subprocess.run([GMCP, *place, *words], capture_output=True, text=True, timeout=60, check=False,
                              env=self.environment | environment)

    def doctor(self, expected, *words, **environment):
        """The reports, by server, with the outcomes of their steps."""
        done = self.run_gmcp('doctor', '--json', *words, **environment)
        self.assertEqual(done.returncode, expected, done)
        return {report['server']: report | {'outcomes': {step['step']: step['outcome'] for step in report['steps']}}
                for report in json.loads(done.stdout)}

    def assert_fails_at(self, report, step):
        self.assertFalse(report['works'], report)
        self.assertEqual(report['outcomes'].get(step), 'failed', report)
        self.assertEqual(list(report['outcomes'].values()).count('failed'), 1, report)
        self.assertTrue(next(found for found in report['steps'] if found['step'] == step).get('detail'), report)
        steps = list(report['outcomes'])
        for later in steps[steps.index(step) + 1:]:
            self.assertEqual(report['outcomes'][later], 'skipped', report)

    def test_works(self):
        self.write(one={'command': PYTHON, 'args': ['-S', SERVER, '--tools', 'pid,echo']})
        report = self.doctor(OK)['one']
        self.assertTrue(report['works'], report)
        self.assertEqual(list(report['outcomes']), STEPS, report)
        self.assertEqual(set(report['outcomes'].values()), {'passed'}, report)
        details = {step['step']: step.get('detail', '') for step in report['steps']}
        self.assertIn(SERVER, details['configuration'])
        self.assertEqual(details['program'], PYTHON)
        self.assertRegex(details['connection'], '^PID [0-9]+$')
        self.assertIn(details['era'], ['legacy', 'modern'])
        self.assertIn('MCP 20', details['handshake'])
        self.assertEqual(details['list'], '2 tools')
        self.assertGreater(sum(step['durationUs'] for step in report['steps']), 0)
        self.assertEqual((report['advice'], report.get('error')), ([], None))

        done = self.run_gmcp('doctor')
        self.assertEqual(done.returncode, OK, done)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], 'one')
        self.assertEqual(len(lines), 1 + len(STEPS), done)
        for line in lines[1:]:
            self.assertRegex(line, r'^  ok +[A-Z][a-z ]+ +[0-9.,]+ ms')

    def test_program(self):
        self.write(typo={'command': 'nodee', 'args': ['x.js']})
        report = self.doctor(UNREACHABLE, 'typo')['typo']
        self.assert_fails_at(report, 'program')
        self.assertRegex(report['error'], '“nodee” was not found.*\n\nDirectories searched \\(PATH\\): /')
        shown = self.run_gmcp('doctor', 'typo').stdout
        self.assertRegex(shown, r'(?m)^  failed +Program +[0-9.]+ ms  nodee$')
        self.assertIn('Directories searched (PATH): /', shown)

    def test_listings_are_short(self):
        """What was searched is for a diagnosis; each listing says in a line what is wrong."""
        self.write(typo={'command': 'nodee', 'args': ['x.js']})
        for words in ('tools', 'status --check', 'status', 'servers', 'resources', 'prompts'):
            done = self.run_gmcp(*words.split())
            shown = done.stdout + done.stderr
            self.assertIn('“nodee” was not found', shown, words)
            self.assertNotIn('Directories searched', shown, words)
            self.assertLess(len(shown.splitlines()), 12, shown)

    def test_near_program(self):
        programs = self.folder / 'bin'
        programs.mkdir()
        (programs / 'node').symlink_to('/bin/true')
        self.write(typo={'command': 'nodee', 'args': ['x.js'], 'env': {'PATH': str(programs)}})
        report = self.doctor(UNREACHABLE)['typo']
        self.assert_fails_at(report, 'program')
        self.assertRegex(report['error'], r'Near to it: node\b')
        self.assertTrue(any(advice.startswith(f'gmcp edit typo --config {self.config}') for advice in report['advice']), report)

    def test_missing_program_is_installed_by(self):
        empty = self.folder / 'empty'
        empty.mkdir()
        self.write(known={'command': 'uvx', 'args': ['mcp-server-time'], 'env': {'PATH': str(empty)}},
                   package={'command': 'mcp-server-of-mine', 'package': '@me/mcp-server', 'env': {'PATH': str(empty)}})
        reports = self.doctor(UNREACHABLE)
        self.assert_fails_at(reports['known'], 'program')
        self.assertEqual(reports['known']['advice'][0], 'pipx install uv')
        self.assert_fails_at(reports['package'], 'program')
        self.assertEqual(reports['package']['advice'][0], 'npm install -g @me/mcp-server')

    def test_exits(self):
        script = 'import sys; sys.stderr.write("first\\nset API_KEY\\n"); sys.exit(3)'
        self.write(dead={'command': PYTHON, 'args': ['-S', '-c', script]})
        report = self.doctor(UNREACHABLE, 'dead')['dead']
        self.assert_fails_at(report, 'connection')
        self.assertIn('exited with status 3', report['error'])
        self.assertIn('set API_KEY', report['output'])
        self.assertEqual(report['outcomes']['program'], 'passed')
        # The server is named once.
        self.assertTrue(report['error'].startswith('Server “dead” did not start: The server “'), report)
        done = self.run_gmcp('doctor', 'dead')
        self.assertRegex(done.stdout, r'(?m)^  failed +Start ')
        self.assertEqual(done.stdout.count('set API_KEY'), 2, done)  # in the command, and what it printed
        self.assertIn('What may help:', done.stdout)

    def test_silent(self):
        self.write(silent={'command': PYTHON, 'args': ['-S', SERVER, '--hang', 'initialize'], 'startupTimeoutMs': 1000})
        report = self.doctor(UNREACHABLE, 'silent')['silent']
        self.assertIn(report['outcomes']['connection'], ['passed'])
        self.assertIn('failed', [report['outcomes']['era'], report['outcomes']['handshake']], report)
        self.assertTrue(any('--stdio' in advice for advice in report['advice']), report)

    def test_list(self):
        self.write(odd={'command': PYTHON, 'args': ['-S', SERVER, '--fail', 'list']})
        report = self.doctor(UNREACHABLE)['odd']
        self.assert_fails_at(report, 'list')

    def test_health(self):
        self.write(ill={'command': PYTHON, 'args': ['-S', SERVER], 'healthMethod': 'tool-call', 'healthTool': 'nothing'})
        report = self.doctor(UNREACHABLE)['ill']
        self.assert_fails_at(report, 'health')

    def test_configuration(self):
        self.write(unset={'command': PYTHON, 'args': ['${GMCP_TEST_NOT_SET}']}, off={'command': PYTHON, 'disabled': True})
        reports = self.doctor(USAGE, 'unset')
        self.assert_fails_at(reports['unset'], 'configuration')
        self.assertIn('GMCP_TEST_NOT_SET', reports['unset']['error'])
        reports = self.doctor(USAGE, 'off')
        self.assert_fails_at(reports['off'], 'configuration')
        self.assertEqual(reports['off']['advice'], [f'gmcp enable off --config {self.config}'])
        done = self.run_gmcp('doctor', 'nobody')
        self.assertEqual(done.returncode, USAGE, done)
        self.assertIn('Unknown server: nobody (configured: unset, off)', done.stderr)

    def test_addresses(self):
        with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Refusing) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.write(web={'url': f'http://127.0.0.1:{server.server_port}/mcp'}, nowhere={'url': f'unix://{self.folder}/nothing'})
            reports = self.doctor(UNREACHABLE)
            server.shutdown()
        self.assert_fails_at(reports['web'], 'sign-in')
        self.assertTrue(any('Authorization' in advice for advice in reports['web']['advice']), reports)
        self.assert_fails_at(reports['nowhere'], 'connection')
        self.assertNotIn('program', reports['nowhere']['outcomes'])

    def test_all_at_once(self):
        good = {'command': PYTHON, 'args': ['-S', SERVER]}
        self.write(dead={'command': 'false'}, one=good, two=good, three=good, hand=good | {'start': 'manual'},
                   off=good | {'disabled': True})
        done = self.run_gmcp('doctor')
        self.assertEqual(done.returncode, UNREACHABLE, done)
        self.assertEqual([line for line in done.stdout.splitlines() if re.fullmatch('[a-z]+', line)],
                         ['dead', 'one', 'two', 'three'])
        self.assertTrue(done.stdout.endswith('3 of 4 servers work.\n'), done)
        self.assertTrue(self.doctor(OK, 'hand')['hand']['works'])

    def test_settings(self):
        """Keys that somebody set with gsettings, and forgot one."""
        settings = self.folder / 'config' / 'glib-2.0' / 'settings'
        settings.mkdir(parents=True)
        (settings / 'keyfile').write_text("[org/gmcp]\nservers=['half', 'good']\n"
                                          "[org/gmcp/servers/half]\ntitle='Half'\nargs=['x']\n"
                                          "[org/gmcp/servers/good]\ncommand=['false']\n"
                                          "[org/gmcp/servers/forgotten]\ncommand=['true']\n")
        done = self.run_gmcp('doctor', 'half', config=False, GSETTINGS_BACKEND='keyfile')
        self.assertEqual(done.returncode, USAGE, done)
        self.assertIn('set “command”', done.stdout)
        done = self.run_gmcp('status', config=False, GSETTINGS_BACKEND='keyfile')
        self.assertRegex(done.stdout, r'(?m)^half +Failed ')
        # Nobody has to say that a server is enabled.
        self.assertRegex(done.stdout, r'(?m)^good +Stopped ')
        done = self.run_gmcp('doctor', 'forgotten', config=False, GSETTINGS_BACKEND='keyfile')
        self.assertEqual(done.returncode, USAGE, done)
        self.assertIn("gsettings set org.gmcp.Manager servers \"['half', 'good', 'forgotten']\"", done.stderr)


sys.argv[1:] = []
tap.main()

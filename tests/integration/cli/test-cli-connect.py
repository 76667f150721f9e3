#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp connect and gmcp disconnect: the gateway in other programs' configurations, and no gateway that starts itself.

test-cli-connect.py GMCP SERVER
"""
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import tap
from terminal import Terminal

GMCP = os.path.abspath(sys.argv[1])
SERVER = os.path.abspath(sys.argv[2])
OK, USAGE, UNREACHABLE, NOT_PERMITTED = 0, 2, 3, 5
CURSOR = '{\n  "mcpServers": {\n    "web": {"command": "mcp-web", "env": {"API_TOKEN": "mellon-speak-friend"}}\n  }\n}\n'
INITIALIZE = {'jsonrpc': '2.0', 'id': 1, 'method': 'initialize',
              'params': {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 't', 'version': '1'}}}
INITIALIZED = {'jsonrpc': '2.0', 'method': 'notifications/initialized'}
LIST = {'jsonrpc': '2.0', 'id': 2, 'method': 'tools/list', 'params': {}}


class Connect(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='gmcp-cli-connect-')
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name)
        self.config = self.home / '.config'
        self.cursor = self.home / '.cursor' / 'mcp.json'
        self.cursor.parent.mkdir()
        self.cursor.write_text(CURSOR)
        self.servers = self.config / 'mcp' / 'mcp.json'
        self.servers.parent.mkdir(parents=True)
        self.environment = {'HOME': str(self.home), 'XDG_CONFIG_HOME': str(self.config), 'XDG_STATE_HOME': str(self.home / 'state'),
                            'XDG_CACHE_HOME': str(self.home / 'cache'), 'GSETTINGS_BACKEND': 'memory'}
        self.write_servers({'web': {'command': 'python3', 'args': [SERVER, '--tools', 'echo']}})

    def write_servers(self, servers, **more):
        self.servers.write_text(json.dumps({'mcpServers': servers, **more}))

    def gmcp(self, status, *args, text=None, environment=None, cwd=None):
        done = subprocess.run([GMCP, *args], capture_output=True, text=True, timeout=60, check=False, cwd=cwd or self.home,
                              env={**os.environ, **self.environment, **(environment or {})}, input=text or '')
        self.assertEqual(done.returncode, status, f'{args}\n{done.stdout}\n{done.stderr}')
        self.assertNotIn('mellon', done.stdout + done.stderr)
        return done.stdout + done.stderr

    def entry(self, name='gmcp'):
        return json.loads(self.cursor.read_text())['mcpServers'].get(name)

    def test_listed(self):
        shown = self.gmcp(OK, 'connect')
        self.assertRegex(shown, r'cursor +not connected +~/\.cursor/mcp\.json\n')
        self.assertNotIn('claude', shown)
        # A folder says as much as a file.
        (self.config / 'Claude').mkdir()
        self.assertRegex(self.gmcp(OK, 'connect'), r'claude-desktop +not connected; there is no such file yet +~/')
        self.gmcp(OK, 'connect', 'cursor', '--yes')
        self.assertRegex(self.gmcp(OK, 'connect'), r'cursor +connected as “gmcp” +~/')
        self.assertEqual({item['program']: item['state'] for item in json.loads(self.gmcp(OK, 'connect', '--json'))},
                         {'claude-desktop': 'absent', 'cursor': 'connected'})
        self.cursor.write_text('{"mcpServers": ')
        self.assertIn('mcp.json:1', self.gmcp(OK, 'connect'))
        self.assertIn('mcp.json:1', json.loads(self.gmcp(OK, 'connect', '--json'))[1]['problem'])
        with Terminal([GMCP, 'connect'], columns=100, environment=self.environment, cwd=self.home) as terminal:
            terminal.wait_for('gmcp connect PROGRAM')
            self.assertEqual(terminal.finish(), OK)
        shutil.rmtree(self.cursor.parent)
        (self.config / 'Claude').rmdir()
        self.assertIn('None of these programs was found', self.gmcp(OK, 'connect'))

    def test_round(self):
        os.chmod(self.cursor, 0o640)
        for words in ([], ['--dry-run'], ['--yes', '--dry-run']):
            shown = self.gmcp(OK, 'connect', 'cursor', *words, text='y\n')
            self.assertIn(f'+      "command": "{GMCP}",\n+      "args": ["gateway"]\n', shown)
            self.assertIn('would have their tools twice: web', shown)
            self.assertIn('Nothing was written', shown)
            self.assertEqual(self.cursor.read_text(), CURSOR)
        self.assertEqual(os.listdir(self.cursor.parent), ['mcp.json'])

        shown = self.gmcp(OK, 'connect', 'cursor', '--yes')
        self.assertIn('Cursor is connected', shown)
        self.assertIn('mcp.json.before-gmcp', shown)
        self.assertEqual(self.entry(), {'command': GMCP, 'args': ['gateway']})
        self.assertEqual(stat.S_IMODE(self.cursor.stat().st_mode), 0o640)
        self.assertEqual(pathlib.Path(f'{self.cursor}.before-gmcp').read_text(), CURSOR)
        self.assertIn('connected already', self.gmcp(OK, 'connect', 'cursor', '--yes'))

        self.assertIn('-    "gmcp": {\n', self.gmcp(OK, 'disconnect', 'cursor'))
        self.assertIsNotNone(self.entry())
        self.assertIn('not connected any more', self.gmcp(OK, 'disconnect', 'cursor', '--yes'))
        self.assertEqual(self.cursor.read_text(), CURSOR)
        self.assertIn('is not connected', self.gmcp(OK, 'disconnect', 'cursor', '--yes'))

    def test_affirmed(self):
        for answer, is_written in (('n', False), ('y', True)):
            with Terminal([GMCP, 'connect', 'cursor'], columns=100, environment=self.environment, cwd=self.home) as terminal:
                terminal.wait_for('Write this? [y/N]')
                terminal.type(f'{answer}\r')
                self.assertEqual(terminal.finish(), OK)
            self.assertEqual(self.entry() is not None, is_written)

    def test_options(self):
        """The program starts it anywhere: paths are full. What differs is changed."""
        self.write_servers({}, roles={'review': {'allowed_tools': ['web.echo']}})
        (self.home / 'my.json').write_text('{"mcpServers": {}}')
        self.gmcp(OK, 'connect', 'cursor', '--yes', '--role', 'review', '--search')
        self.assertEqual(self.entry()['args'], ['gateway', '--role', 'review', '--search'])
        self.assertRegex(self.gmcp(OK, 'connect'), r'connected as “gmcp” in another way, by .*/gmcp gateway --role review --search +~/')
        self.gmcp(OK, 'connect', 'cursor', '--yes', '-c', 'my.json')
        self.assertEqual(self.entry()['args'], ['gateway', '-c', str(self.home / 'my.json')])
        self.assertIn('no role “reveiw”', self.gmcp(USAGE, 'connect', 'cursor', '--yes', '--role', 'reveiw'))
        self.assertEqual(self.entry()['args'], ['gateway', '-c', str(self.home / 'my.json')])
        self.gmcp(OK, 'disconnect', 'cursor', '--yes')
        self.assertEqual(self.cursor.read_text(), CURSOR)

    def test_several(self):
        """Another name is another gateway."""
        self.gmcp(OK, 'connect', 'cursor', '--yes')
        self.gmcp(OK, 'connect', 'cursor', '--yes', '--name', 'gmcp-search', '--search')
        self.assertEqual(self.entry()['args'], ['gateway'])
        self.assertEqual(self.entry('gmcp-search')['args'], ['gateway', '--search'])
        self.gmcp(OK, 'disconnect', 'cursor', '--yes', '--name', 'gmcp-search')
        self.assertIsNone(self.entry('gmcp-search'))
        self.assertIsNotNone(self.entry())
        self.assertIn('another server with the name “web”', self.gmcp(USAGE, 'connect', 'cursor', '--yes', '--name', 'web'))
        self.gmcp(USAGE, 'disconnect', 'cursor', '--yes', '--name', 'web')
        self.gmcp(OK, 'disconnect', 'cursor', '--yes')
        self.assertEqual(self.cursor.read_text(), CURSOR)

    def test_words(self):
        self.assertIn('Near to it: cursor', self.gmcp(USAGE, 'connect', 'curser', '--yes'))
        self.assertIn('disconnect: “curser”', self.gmcp(USAGE, 'disconnect', 'curser'))
        self.assertIn('zed was not found', self.gmcp(USAGE, 'connect', 'cursor', 'zed', '--yes'))
        self.gmcp(USAGE, 'connect', '--all', 'cursor')
        self.assertEqual(self.cursor.read_text(), CURSOR)

    def test_all(self):
        """One that cannot be written is no reason to leave out the others."""
        claude = self.config / 'Claude' / 'claude_desktop_config.json'
        claude.parent.mkdir()
        claude.write_text('{"mcpServers": [')
        shown = self.gmcp(USAGE, 'connect', '--all', '--yes')
        self.assertIn(str(claude), shown)
        self.assertIsNotNone(self.entry())
        claude.write_text('{}')
        said = self.gmcp(OK, 'connect', '--all', '--yes', '--json')
        described = json.loads(said.splitlines()[0])
        self.assertEqual([(item['program'], item['state']) for item in described], [('claude-desktop', 'connected'), ('cursor', 'connected')])
        self.assertEqual(described[0]['backup'], f'{claude}.before-gmcp')
        self.assertIn('+  "mcpServers": {', described[0]['diff'])
        self.gmcp(OK, 'disconnect', '--all', '--yes')
        self.assertEqual(claude.read_text(), '{}')
        self.assertEqual(self.cursor.read_text(), CURSOR)

    def test_project(self):
        self.assertIn('no file in the folder of a project', self.gmcp(USAGE, 'connect', '--project', 'windsurf'))
        self.gmcp(OK, 'connect', '--project', 'vscode', '--yes')
        mine = self.home / '.vscode' / 'mcp.json'
        self.assertEqual(json.loads(mine.read_text())['servers']['gmcp']['type'], 'stdio')
        self.assertIn('~/.vscode/mcp.json', self.gmcp(OK, 'connect', '--project'))
        self.gmcp(OK, 'disconnect', '--project', 'vscode', '--yes')
        self.assertEqual(json.loads(mine.read_text()), {'servers': {}})

    def test_project_that_leads_out(self):
        """Whoever made the folder does not choose which other file is written, nor what is kept in the folder."""
        for name, leads in (('.mcp.json', self.home / 'mine.json'), ('.cursor', self.home / 'mine')):
            folder = self.home / f'clone{name}'
            folder.mkdir()
            (folder / name).symlink_to(leads)
            if name == '.cursor':
                leads.mkdir()
            else:
                leads.write_text('{"secret": 1}')
            program = 'cursor' if name == '.cursor' else 'claude-code'
            self.assertIn('leads out of the folder', self.gmcp(NOT_PERMITTED, 'connect', '--project', program, '--yes', cwd=folder))
            self.assertEqual(os.listdir(folder), [name])
        self.assertEqual((self.home / 'mine.json').read_text(), '{"secret": 1}')
        self.assertEqual(os.listdir(self.home / 'mine'), [])

    def test_places(self):
        """Links, what is read-only, and what is no file."""
        real = self.home / 'dotfiles' / 'mcp.json'
        real.parent.mkdir()
        self.cursor.rename(real)
        self.cursor.symlink_to(real)
        self.gmcp(OK, 'connect', 'cursor', '--yes')
        self.assertTrue(self.cursor.is_symlink())
        self.assertIsNotNone(self.entry())
        self.assertEqual(os.listdir(real.parent), ['mcp.json'])
        self.gmcp(OK, 'disconnect', 'cursor', '--yes')
        self.assertEqual(real.read_text(), CURSOR)

        os.chmod(real, 0o444)
        self.assertIn('read-only', self.gmcp(NOT_PERMITTED, 'connect', 'cursor', '--yes'))
        self.assertEqual(real.read_text(), CURSOR)
        real.unlink()
        self.assertIn('leads nowhere', self.gmcp(USAGE, 'connect', 'cursor', '--yes'))
        self.cursor.unlink()
        self.cursor.write_bytes(b' ' * (4 * 1024 * 1024 + 1))
        self.assertIn('larger than', self.gmcp(USAGE, 'connect', 'cursor', '--yes'))
        self.cursor.unlink()
        self.cursor.mkdir()
        self.assertIn('no file', self.gmcp(UNREACHABLE, 'connect', 'cursor', '--yes'))

    def test_import(self):
        """The gateway is not imported into what it serves."""
        self.gmcp(OK, 'connect', 'cursor', '--yes')
        shown = self.gmcp(OK, 'import', 'cursor')
        self.assertRegex(shown, r'impossible +gmcp: it is the gateway')
        self.gmcp(OK, 'import', 'cursor', '--yes', '--plain-secrets')
        self.assertEqual(list(json.loads(self.servers.read_text())['mcpServers']), ['web'])

    def ask_gateway(self, status, *args, environment=None):
        """The names of the tools, and what it says."""
        text = ''.join(json.dumps(message) + '\n' for message in (INITIALIZE, INITIALIZED, LIST))
        with subprocess.Popen([GMCP, *args, 'gateway'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              cwd=self.home, env={**os.environ, **self.environment, **(environment or {})}) as gateway:
            said = ''
            try:
                gateway.stdin.write(text)
                gateway.stdin.flush()
                # Its input ends once it has answered: what takes longer after that is given up.
                while '"id":2' not in said and (line := gateway.stdout.readline()):
                    said += line
            except BrokenPipeError:
                pass
            rest, told = gateway.communicate(timeout=60)
        said += rest + told
        self.assertEqual(gateway.returncode, status, said)
        answers = [json.loads(line) for line in said.splitlines() if line.startswith('{"')]
        listed = [answer for answer in answers if answer.get('id') == 2 and 'result' in answer]
        return sorted(tool['name'] for answer in listed for tool in answer['result']['tools']), said

    def test_circle(self):
        """A gateway that one of its own servers starts ends, with a word on what to do; one of other servers does not."""
        other = self.home / 'other.json'
        other.write_text(json.dumps({'mcpServers': {'inner': {'command': 'python3', 'args': [SERVER, '--tools', 'echo']}}}))
        guarded = {'command': 'env', 'args': [f'GMCP_MODULE_PATH={os.environ["GMCP_MODULE_PATH"]}', f'GMCP_LIBEXEC_DIR={os.environ["GMCP_LIBEXEC_DIR"]}',
                                              'GSETTINGS_BACKEND=memory']}
        gateway = lambda *words: {**guarded, 'args': [*guarded['args'], GMCP, *words, 'gateway']}
        web = json.loads(self.servers.read_text())['mcpServers']['web']
        self.write_servers({'web': web, 'self': gateway(), 'other': gateway('-c', str(other))})
        found = [line for line in self.gmcp(OK, 'config', 'check').splitlines() if 'is the gateway' in line]
        self.assertEqual(len(found), 1)
        self.assertIn('self', found[0])
        names, _ = self.ask_gateway(OK)
        self.assertIn('web__echo', names)
        self.assertIn('other__inner__echo', names)
        self.assertEqual([name for name in names if name.startswith('self')], [])
        said = self.gmcp(USAGE, 'gateway', environment={'GMCP_GATEWAYS': self.mark()})
        self.assertIn('without end', said)
        # Of a file it is the file that counts, by whatever name.
        (self.home / 'link.json').symlink_to(other)
        other.write_text(json.dumps({'mcpServers': {'self': gateway('-c', str(self.home / 'link.json')), 'web': web}}))
        names, _ = self.ask_gateway(OK, '-c', str(other))
        self.assertEqual(names, ['web__echo'])

    def mark(self):
        """What a server of the gateway sees."""
        seen = self.home / 'seen'
        self.write_servers({'see': {'command': 'sh', 'args': ['-c', f'printenv GMCP_GATEWAYS >{seen}; exit 1']}})
        self.ask_gateway(OK)
        mark = seen.read_text().strip()
        self.assertRegex(mark, r'^[0-9a-f]{16}$')
        return mark


if __name__ == '__main__':
    tap.main()

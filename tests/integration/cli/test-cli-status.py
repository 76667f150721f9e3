#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp status, test, discover and start as their user meets them: test-cli-status.py GMCP MANAGED_SERVER"""
import json
import os
import pathlib
import re
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT = range(5)
KEPT = tempfile.TemporaryDirectory(prefix='gmcp-servers-', ignore_cleanup_errors=True)  # until the program ends
FOLDER = pathlib.Path(KEPT.name)
LOG = FOLDER / 'log'
CONFIG = FOLDER / 'mcp.json'
CONFIG.write_text(json.dumps({'mcpServers': {
    'one': {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--log', str(LOG), '--tools', 'pid,echo']},
    'gone': {'command': '/does/not/exist'},
    'hand': {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--log', str(LOG)], 'start': 'manual'},
    'off': {'command': 'false', 'disabled': True}}}))
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


def run(*args):
    return subprocess.run([GMCP, '--config', str(CONFIG), *args], capture_output=True, text=True, timeout=60,
                          check=False)


def starts():
    return LOG.read_text().count('start ') if LOG.exists() else 0


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def rows(text):
    """The cells of each server's row, by its name: columns are two spaces apart."""
    lines = text.split('\n\n')[1].splitlines()
    return {cells[0]: cells[1:] for cells in (re.split(r' {2,}', line.strip()) for line in lines)}


done = run('status')
table = rows(done.stdout)
check('status', done.returncode == OK and done.stdout.startswith('MCP Server Status\n\nServer '), done)
check('status: the columns', table['Server'] == ['State', 'Health', 'Tools', 'Transport', 'Source'], table)
check('status: each with its state', table['one'] == ['Stopped', 'never tried', '–', 'stdio', str(CONFIG)]
      and table['hand'][0] == 'Stopped' and table['off'][0] == 'Disabled', table)
check('status: what would help', f'gmcp enable off --config {CONFIG}' in done.stdout
      and f'gmcp start --foreground hand --config {CONFIG}' in done.stdout and 'gmcp doctor' not in done.stdout, done)
check('status: starts nothing', starts() == 0)

done = run('status', '--json', '--check')
status = json.loads(done.stdout)
servers = {server['name']: server for server in status['servers']}
check('status --check: one fails', done.returncode == UNREACHABLE, done)
check('status --check: the others run', status['totalRunning'] == 1 and status['totalHealthy'] == 1, status)
check('status --check: how it is', servers['one']['fineState'] == 'ready' and servers['one']['toolsCount'] == 2,
      servers)
check('status --check: why not', '/does/not/exist' in servers['gone']['lastError'], servers)
check('status --check: not what is manual', servers['hand']['state'] == 'stopped', servers)
check('status --check: leaves no process', not is_alive(servers['one']['pid']))

done = run('status')
table = rows(done.stdout)
check('status: what became of it in another program', table['one'][0] == 'Stopped' and table['one'][1].startswith('worked')
      and table['one'][2] == '2', table)
check('status: a failure of a moment ago', table['gone'][0] == 'Failed' and re.match('failed (just now|[0-9]+ second)', table['gone'][1]),
      table)
check('status: why it failed', '\ngone: ' in done.stdout and '/does/not/exist' in done.stdout, done)
done = run('status', '--json')
servers = {server['name']: server for server in json.loads(done.stdout)['servers']}
check('status --json: what failed in another program', '/does/not/exist' in servers['gone']['lastFailure']
      and servers['gone']['lastFailureAt'] and servers['gone']['lastState'] == 'failed'
      and servers['one']['lastFailure'] is None, servers)
check('status --json: what worked in another program', servers['one']['lastReadyAt'] and servers['one']['lastToolsCount'] == 2
      and servers['one']['transport'] == 'stdio' and servers['one']['source'] == str(CONFIG), servers)
done = run('servers', '--json')
status = json.loads(done.stdout)
check('servers: scripts find what they know', done.returncode == OK and status['total_running'] == 0
      and status['servers'][0]['tools_count'] == 0, done)

# One that is dead, one that is silent: neither hides the others nor holds them up.
four = FOLDER / 'four.json'
good = {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--tools', 'pid,echo']}
four.write_text(json.dumps({'mcpServers': {'dead': {'command': 'false'}, 'two': good, 'three': good, 'four': good,
    'silent': {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--hang', 'initialize'], 'startupTimeoutMs': 60000}}}))
done = subprocess.run([GMCP, '--config', str(four), 'status', '--check', '--timeout', '3'], capture_output=True, text=True,
                      timeout=60, check=False)
table = rows(done.stdout)
check('status --check: four servers of which one is dead', done.returncode == UNREACHABLE and table['dead'][0] == 'Failed'
      and all(table[name][:3] == ['Running', 'healthy', '2'] for name in ['two', 'three', 'four']), done)
check('status --check: one that is silent', table['silent'][:2] == ['Starting', 'no answer yet'], done)

done = run('test', 'one')
check('test: works', done.returncode == OK and re.fullmatch(r'one works: 2 tools \([0-9]+ ms\)\n', done.stdout), done)
done = run('test', 'one', '--json')
check('test --json', json.loads(done.stdout)['works'] is True and json.loads(done.stdout)['tools'] == 2, done)
done = run('test', 'gone')
check('test: does not work', done.returncode == UNREACHABLE and '/does/not/exist' in done.stderr and done.stdout == '', done)
done = run('test', 'gone', '--json')
check('test --json: why not', done.returncode == UNREACHABLE and '/does/not/exist' in json.loads(done.stdout)['error'], done)
check('test: unknown', run('test', 'nobody').returncode == USAGE)

LOG.unlink(missing_ok=True)
done = run('discover', 'one')
check('discover: not running', done.returncode == UNREACHABLE and 'Server one not running\n' in done.stderr
      and f'gmcp tools one --config {CONFIG}' in done.stderr and done.stdout == '', done)
done = run('discover', 'one', '--json')
check('discover --json: not running', json.loads(done.stderr)['error']['message'].startswith('Server one not running\n'), done)
done = run('discover', 'hand')
check('discover: by hand', done.returncode == UNREACHABLE and 'gmcp start --foreground hand' in done.stderr, done)
done = run('discover', 'off')
check('discover: disabled', done.returncode == UNREACHABLE and 'gmcp enable off' in done.stderr, done)
check('discover: starts nothing', starts() == 0)
for command in ['stop', 'restart']:
    done = run(command, 'one')
    check(f'{command}: nothing runs here', done.returncode == UNREACHABLE and len(done.stderr.splitlines()) == 1
          and 'one does not run in a session daemon' in done.stderr, done)
    check(f'{command}: unknown', run(command, 'nobody').returncode == USAGE)

done = run('tools')
check('tools: of those that can be listed', done.returncode == OK and 'one.pid' in done.stdout, done)
check('tools: what could not be listed, and why', 'gone: “/does/not/exist”' in done.stderr
      and 'server hand is not listed: it is started by hand only' in done.stderr and 'off' not in done.stderr, done)
for name, entries in {'fails': {'gone': {'command': '/does/not/exist'}},
                      'manual': {'hand': {'command': '/usr/bin/python3', 'args': ['-S', SERVER], 'start': 'manual'}}}.items():
    other = FOLDER / f'{name}.json'
    other.write_text(json.dumps({'mcpServers': entries}))
    done = subprocess.run([GMCP, '--config', str(other), 'tools'], capture_output=True, text=True, timeout=60, check=False)
    check(f'tools: nothing can be listed ({name})', done.returncode == UNREACHABLE and done.stdout == '' and done.stderr, done)
hung = FOLDER / 'hung.json'
hung.write_text(json.dumps({'mcpServers': {
    'one': {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--log', str(LOG), '--tools', 'pid,echo']},
    'hung': {'command': '/usr/bin/python3', 'args': ['-S', SERVER, '--hang', 'initialize'], 'startupTimeoutMs': 1000}}}))
done = subprocess.run([GMCP, '--config', str(hung), 'tools'], capture_output=True, text=True, timeout=60, check=False)
check('tools: a server that hangs is told of', done.returncode == OK and 'one.pid' in done.stdout
      and 'hung' in done.stderr and '1000 ms' in done.stderr, done)
hung.write_text(hung.read_text().replace('1000', '60000'))
done = subprocess.run([GMCP, '--config', str(hung), 'tools', '--timeout', '1'], capture_output=True, text=True, timeout=60,
                      check=False)
check('tools: what is known when the time is over', done.returncode == TIMED_OUT and 'one.pid' in done.stdout
      and '--timeout' in done.stderr and 'hung' in done.stderr, done)
LOG.unlink(missing_ok=True)

done = run('status', 'one')
check('status: too many arguments', done.returncode == USAGE and 'gmcp doctor one' in done.stderr, done)
check('start: no server', run('start').returncode == USAGE)
for name in ['hand', 'one']:
    done = run('start', name)
    check(f'start: {name}, not without a daemon', done.returncode == UNREACHABLE and 'gmcpd' in done.stderr
          and f'--foreground {name}' in done.stderr, done)
done = run('start', 'off')
check('start: a disabled one', done.returncode == USAGE and 'gmcp enable off' in done.stderr, done)
done = run('start', '--foreground', 'one', 'hand')
check('start: one only', done.returncode == USAGE and 'one server at a time' in done.stderr, done)
done = run('audit', 'nobody')
check('audit: unknown server', done.returncode == USAGE and 'Unknown server: nobody (configured: ' in done.stderr, done)
done = run('start', '--foreground', 'nobody')
check('start: unknown', done.returncode == USAGE and 'nobody' in done.stderr, done)
done = run('start', '--foreground', 'gone')
check('start: cannot be started', done.returncode == UNREACHABLE and done.stderr.count('gone: “/does/not/exist”') == 1, done)

done = run('call', 'hand.echo')
check('call of a manual server', done.returncode == UNREACHABLE and 'set its “start” to “on-demand”' in done.stderr, done)

LOG.unlink(missing_ok=True)
process = subprocess.Popen([GMCP, '--config', str(CONFIG), 'start', '--foreground', 'hand'], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
check('start: says that it is ready', process.stdout.readline() == 'hand\n')
first = int(LOG.read_text().split()[1])
os.kill(first, signal.SIGKILL)
line = process.stderr.readline()
if 'runs with all your privileges' in line:
    line = process.stderr.readline()
check('start: tells of its end', 'ended unexpectedly' in line, line)
while starts() < 2 or 'list' not in LOG.read_text().split('start ')[2]:
    time.sleep(0.01)
second = int(LOG.read_text().split('start ')[2].split()[0])
err = line
while line and 'is ready' not in line:
    line = process.stderr.readline()
    err += line
process.send_signal(signal.SIGINT)
process.communicate(timeout=30)
check('start: looked after until Ctrl-C', process.returncode == OK and 'is ready' in err, (process.returncode, err))
check('start: leaves no process', not is_alive(first) and not is_alive(second))

process = subprocess.Popen([GMCP, '--config', str(CONFIG), 'start', '--foreground', 'one'], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
process.stdout.readline()
process.terminate()
out, err = process.communicate(timeout=30)
check('start: SIGTERM ends it in order', process.returncode == OK and LOG.read_text().rstrip().endswith('end'),
      (process.returncode, err, LOG.read_text()))

# A manual server that somebody else has started, behind a Unix socket.
class Connection(socketserver.BaseRequestHandler):
    def handle(self):
        subprocess.run(['/usr/bin/python3', '-S', SERVER, '--tools', 'pid,echo'], stdin=self.request.fileno(),
                       stdout=self.request.fileno(), check=False)


address = FOLDER / 'socket'
away = FOLDER / 'away.json'
away.write_text(json.dumps({'mcpServers': {
    'up': {'url': f'unix://{address}', 'start': 'manual'},
    'down': {'url': f'unix://{FOLDER}/nothing', 'start': 'manual'}}}))
with socketserver.ThreadingUnixStreamServer(str(address), Connection) as listener:
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    done = subprocess.run([GMCP, '--config', str(away), 'status'], capture_output=True, text=True, timeout=60, check=False)
    check('status: a manual one is not connected to', done.returncode == OK and rows(done.stdout)['up'][0] == 'Stopped'
          and rows(done.stdout)['down'][0] == 'Stopped', done)
    done = subprocess.run([GMCP, '--config', str(away), 'status', '--check'], capture_output=True, text=True, timeout=60,
                          check=False)
    table = rows(done.stdout)
    check('status --check: a manual one that runs', table['up'][:3] == ['Manual', 'healthy', '2'], done)
    check('status --check: a manual one that does not', done.returncode == UNREACHABLE and table['down'][0] == 'Failed', done)
    done = subprocess.run([GMCP, '--config', str(away), 'discover', 'up'], capture_output=True, text=True, timeout=60,
                          check=False)
    check('discover: one that runs', done.returncode == OK
          and done.stdout.splitlines() == ['2 tools discovered from up', 'echo', 'pid'], done)
    done = subprocess.run([GMCP, '--config', str(away), 'discover', 'up', '--json'], capture_output=True, text=True, timeout=60,
                          check=False)
    check('discover --json', json.loads(done.stdout) == {'server': 'up', 'tools': ['echo', 'pid']}, done)
    done = subprocess.run([GMCP, '--config', str(away), 'discover', 'down'], capture_output=True, text=True, timeout=60,
                          check=False)
    check('discover: nobody there', done.returncode == UNREACHABLE and 'Server down not running' in done.stderr
          and f'unix://{FOLDER}/nothing' in done.stderr, done)
    listener.shutdown()

# Broken places are told of, whatever the command is.
home = FOLDER / 'home'
(home / 'mcp').mkdir(parents=True)
(home / 'mcp' / 'mcp.json').write_text('{"mcpServers": {')
own = os.environ | {'XDG_CONFIG_HOME': str(home), 'XDG_STATE_HOME': str(home)}
done = subprocess.run([GMCP, 'status'], capture_output=True, text=True, env=own, timeout=60, check=False)
check('status: a broken file', done.returncode == USAGE and done.stderr.count('mcp.json:') == 1, done)
done = subprocess.run([GMCP, 'call', 'good.echo'], capture_output=True, text=True, env=own, timeout=60, check=False)
check('call: a broken file', done.returncode == USAGE and 'mcp.json:' in done.stderr, done)

# What a role may, which a host that is named so has.
rules = FOLDER / 'tools.yaml'
rules.write_text(f"""mcp_servers:
  one:
    command: /usr/bin/python3 -S {SERVER} --log {LOG} --tools pid,echo
    auto_start: true
tools:
  code:
    mcp_tools:
      required: [one]
    role_restrictions:
      dev:
        allowed_tools: [one.echo]
""")
one = [GMCP, '--config', str(rules)]
done = subprocess.run([*one, '--host', 'code', 'call', 'one.pid', '--role', 'dev'], capture_output=True, text=True, timeout=60, check=False)
check('--host: its role forbids', done.returncode == 5 and 'dev' in done.stderr, done)
done = subprocess.run([*one, '--host', 'code', 'call', 'one.echo', '--role', 'dev'], capture_output=True, text=True, timeout=60, check=False)
check('--host: its role allows', done.returncode == OK, done)
done = subprocess.run([*one, 'call', 'one.echo', '--role', 'dev'], capture_output=True, text=True, timeout=60, check=False)
check('the role of another host', done.returncode == 5, done)

print(f'1..{count}')
sys.exit(failures != 0)

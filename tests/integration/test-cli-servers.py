#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gmcp servers and gmcp start as their user meets them: test-cli-servers.py GMCP MANAGED_SERVER"""
import json
import os
import pathlib
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


done = run('servers')
check('servers', done.returncode == OK, done)
check('servers: each with its state', all(word in done.stdout for word in
      ['one', 'stopped, on-demand', 'stopped, manual', 'disabled']), done.stdout)
check('servers: starts nothing', starts() == 0)

done = run('servers', '--json', '--check')
status = json.loads(done.stdout)
servers = {server['name']: server for server in status['servers']}
check('servers --check: one fails', done.returncode == UNREACHABLE, done)
check('servers --check: the others run', status['total_running'] == 1 and status['total_healthy'] == 1, status)
check('servers --check: how it is', servers['one']['fine_state'] == 'ready' and servers['one']['tools_count'] == 2,
      servers)
check('servers --check: why not', '/does/not/exist' in servers['gone']['last_error'], servers)
check('servers --check: not what is manual', servers['hand']['state'] == 'stopped', servers)
check('servers --check: leaves no process', not is_alive(servers['one']['pid']))

done = run('servers')
check('servers: what failed in another program', ': failed at 20' in done.stdout and '/does/not/exist' in done.stdout, done)
check('servers: only of what failed', done.stdout.count('failed at') == 1, done)
done = run('servers', '--json')
servers = {server['name']: server for server in json.loads(done.stdout)['servers']}
check('servers --json: what failed in another program', '/does/not/exist' in servers['gone']['last_failure']
      and servers['gone']['last_failure_at'] and servers['one']['last_failure'] is None, servers)

done = run('tools')
check('tools: of those that can be listed', done.returncode == OK and 'one__pid' in done.stdout, done)
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
check('tools: a server that hangs is told of', done.returncode == OK and 'one__pid' in done.stdout
      and 'hung' in done.stderr and '1000 ms' in done.stderr, done)
hung.write_text(hung.read_text().replace('1000', '60000'))
done = subprocess.run([GMCP, '--config', str(hung), 'tools', '--timeout', '1'], capture_output=True, text=True, timeout=60,
                      check=False)
check('tools: what is known when the time is over', done.returncode == TIMED_OUT and 'one__pid' in done.stdout
      and '--timeout' in done.stderr and 'hung' in done.stderr, done)
LOG.unlink(missing_ok=True)

check('servers: too many arguments', run('servers', 'one').returncode == USAGE)
check('start: no server', run('start').returncode == USAGE)
done = run('start', 'hand')
check('start: not in the background', done.returncode == USAGE and 'helps no other' in done.stderr, done)
check('start: what to do instead', '“on-demand”' in done.stderr and '--foreground' in done.stderr, done)
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
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=30)
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
    done = subprocess.run([GMCP, '--config', str(away), 'servers'], capture_output=True, text=True, timeout=60, check=False)
    check('servers: a manual one is not connected to', done.returncode == OK and 'Manual' not in done.stdout
          and done.stdout.count('stopped, manual') == 2, done)
    done = subprocess.run([GMCP, '--config', str(away), 'servers', '--check'], capture_output=True, text=True, timeout=60,
                          check=False)
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    check('servers --check: a manual one that runs', done.returncode == OK and 'Manual, 2 tools' in lines['up'], done)
    check('servers --check: a manual one that does not', 'failed, manual' in lines['down'], done)
    listener.shutdown()

# Broken places are told of, whatever the command is.
home = FOLDER / 'home'
(home / 'mcp').mkdir(parents=True)
(home / 'mcp' / 'mcp.json').write_text('{"mcpServers": {')
own = os.environ | {'XDG_CONFIG_HOME': str(home), 'XDG_STATE_HOME': str(home)}
done = subprocess.run([GMCP, 'servers'], capture_output=True, text=True, env=own, timeout=60, check=False)
check('servers: a broken file', done.returncode == USAGE and done.stderr.count('mcp.json:') == 1, done)
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

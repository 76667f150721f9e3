#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Servers that print text to standard output and never a message: test-text-servers.py GMCP"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GMCP = sys.argv[1]
KEPT = tempfile.TemporaryDirectory(prefix='gmcp-text-', ignore_cleanup_errors=True)  # until the program ends
FOLDER = pathlib.Path(KEPT.name)
CONFIG = FOLDER / 'mcp.json'
SECRET = 'hunter2-hunter2-hunter2'


def script(name, *lines):
    """The words that are printed are in no argument, or an error that shows the command would show them."""
    path = FOLDER / f'{name}.sh'
    path.write_text('\n'.join(lines) + '\n')
    return {'command': '/bin/sh', 'args': [str(path)], 'env': {'API_KEY': SECRET}}


GREETING = ('echo "Welcome to the wizard"', 'echo "your key is $API_KEY"')
CONFIG.write_text(json.dumps({'mcpServers': {
    'wizard': script('wizard', *GREETING, 'printf "Go on? [y/N] "', 'cat >/dev/null') | {'startup-timeout-ms': 5000},
    'quits': script('quits', *GREETING, 'printf "usage: wizard FILE"', 'exit 3'),
    'flood': script('flood', 'echo first words', 'yes "a line of many letters" | head -c 4000000', 'exit 4')}}))
ENV = dict(os.environ, XDG_STATE_HOME=str(FOLDER / 'state'), XDG_CACHE_HOME=str(FOLDER / 'cache'))
count = failures = 0


def check(name, condition, told=''):
    global count, failures
    count += 1
    failures += not condition
    print(f'{"ok" if condition else "not ok"} {count} - {name}', flush=True)
    if not condition:
        for line in str(told).splitlines():
            print(f'# {line}')


def run(*args):
    done = subprocess.run([GMCP, '--config', str(CONFIG), *args], capture_output=True, text=True, timeout=120, env=ENV,
                          check=False)
    return done.stdout + done.stderr


for name, words in [('wizard', ['Welcome to the wizard', 'Go on? [y/N]']),
                    ('quits', ['Welcome to the wizard', 'usage: wizard FILE', 'status 3'])]:
    told = run('call', name + '.x', '{}')
    check(f'{name}: the error shows what it printed', all(word in told for word in words), told)
    check(f'{name}: and no secret', SECRET not in told and 'your key is' in told, told)
    log = run('logs', name)
    check(f'{name}: the log shows it', all(f'stdout   {word}' in log for word in words[:2]), log)
    check(f'{name}: without the secret', SECRET not in log, log)

told = run('call', 'flood.x', '{}')
check('flood: the error has the first words', 'first words' in told and len(told) < 20000, told[:2000])
log = FOLDER / 'state' / 'gmcp' / 'servers' / 'flood.log'
check('flood: the log has a bounded part', log.stat().st_size < 200000, log.stat().st_size)
check('flood: and says so', 'not kept' in log.read_text(), log.read_text()[-500:])
print(f'1..{count}')
sys.exit(failures > 0)

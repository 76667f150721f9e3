#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the terminal session of README.md: make-session.py [--check] [BUILD-FOLDER]

It runs the commands with the programs that were built (in build/ by default), in a home of its own, and writes
data/docs/session.svg. With --check it compares what that picture says with what the commands say now.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests' / 'integration'))
from terminal import Terminal  # noqa: E402

PICTURE = ROOT / 'data' / 'docs' / 'session.svg'

COMMANDS = [
    'cat ~/.config/mcp/mcp.json',
    'gmcp tools',
    'gmcp call tasks.create_task title="Water the plants" due_date=2030-05-01',
    'gmcp search mark as done',
    'gmcp call tasks.list_task',
    'gmcp status --check',
]
CONFIGURATION = '{ "mcpServers": { "tasks": { "command": "gmcp-tasks" } } }\n'

COLUMNS = 104
ADVANCE, LINE, MARGIN, BAR = 7.8, 18, 16, 28
STYLE = '''
  rect { fill: #1d1f27 }
  circle { fill: #4a4e5c }
  text { font: 13px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d6d9e0; white-space: pre }
  .prompt { fill: #7fd1b9 }
  .command { fill: #ffffff; font-weight: bold }
'''


def make_environment(build, home):
    """Nothing of the user's, and no language but the one of the sources."""
    return {
        'HOME': str(home),
        'PATH': f'{build}/src/cli:{build}/src/tasks-server:/usr/bin:/bin',
        'LC_ALL': 'C.UTF-8',
        'TERM': 'xterm',
        'SHLVL': '1',
        'USER': 'ada',
        'LD_LIBRARY_PATH': f'{build}/src',
        'GSETTINGS_BACKEND': 'memory',
        'GSETTINGS_SCHEMA_DIR': f'{build}/data',
        'GMCP_MODULE_PATH': f'{build}/plugin',
        'GMCP_LIBEXEC_DIR': f'{build}/src/transport/guard',
    }


def steady(text):
    """Without what differs from run to run."""
    text = re.sub(r'\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b', '5d7c4e1a-0b52-4c7e-9f0e-3f1f2b8a6c11', text)
    return re.sub(r'\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', '2030-01-01T12:00:00Z', text)


def cut(line):
    return line if len(line) <= COLUMNS else line[:COLUMNS - 1] + '…'


def run_command(command, environment, home):
    """What it prints: laid out for a terminal, but for data, whose lines a terminal would break."""
    if not command.startswith('gmcp call'):
        words = ['env', '-i', *(f'{name}={value}' for name, value in environment.items()), 'bash', '-c', command]
        with Terminal(words, columns=COLUMNS, rows=200, cwd=home) as terminal:
            terminal.finish()
            return terminal.text()
    return subprocess.run(['bash', '-c', command], env=environment, cwd=home, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).stdout


def run_session(build):
    """The commands, each with the lines that it prints."""
    with tempfile.TemporaryDirectory(prefix='gmcp-session-') as folder:
        home = pathlib.Path(folder)
        file = home / '.config' / 'mcp' / 'mcp.json'
        file.parent.mkdir(parents=True)
        file.write_text(CONFIGURATION, encoding='utf-8')
        environment = make_environment(build, home)
        session = []
        for command in COMMANDS:
            output = run_command(command, environment, home)
            session.append((command, [cut(steady(line)) for line in output.splitlines()]))
        return session


def draw(session):
    lines = []
    for command, output in session:
        lines.append(f'<tspan class="prompt">$ </tspan><tspan class="command">{html.escape(command)}</tspan>')
        lines += [html.escape(line) for line in output] + ['']
    width = round(COLUMNS * ADVANCE + 2 * MARGIN)
    height = BAR + MARGIN + LINE * (len(lines) - 1)
    texts = [f'<text x="{MARGIN}" y="{BAR + LINE * (number + 1) - 4}" xml:space="preserve">{line}</text>'
             for number, line in enumerate(lines) if line]
    dots = [f'<circle cx="{MARGIN + 4 + 18 * number}" cy="15" r="5"/>' for number in range(3)]
    return '\n'.join([
        '<!-- SPDX-License-Identifier: LGPL-2.1-or-later, made by tests/dev/make-session.py -->',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
        '<title>gmcp in a terminal: listing, searching and calling the tools of a server</title>',
        f'<style>{STYLE}</style>',
        f'<rect width="{width}" height="{height}" rx="8"/>',
        *dots, *texts, '</svg>', ''])


def said(picture):
    return [html.unescape(re.sub(r'<[^>]+>', '', line)) for line in re.findall(r'<text .*?</text>', picture)]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--check']
    build = pathlib.Path(arguments[0] if arguments else ROOT / 'build').resolve()
    picture = draw(run_session(build))
    if '--check' not in sys.argv[1:]:
        PICTURE.write_text(picture, encoding='utf-8')
        return 0
    shown = said(PICTURE.read_text(encoding='utf-8')) if PICTURE.exists() else []
    now = said(picture)
    for line in shown:
        if line not in now:
            print(f'- {line}')
    for line in now:
        if line not in shown:
            print(f'+ {line}')
    print('the session of README.md: ' + ('fine' if shown == now else 'another one; tests/dev/make-session.py draws it'))
    return int(shown != now)


if __name__ == '__main__':
    sys.exit(main())

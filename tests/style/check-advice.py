#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""No text and no page of the guide advises a command of gmcp that is not there: check-advice.py GMCP"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What follows the program's name where it is the subject of a sentence.
PROSE = {'again', 'and', 'asks', 'comes', 'does', 'finds', 'for', 'from', 'gives', 'has', 'in', 'is', 'itself', 'keeps', 'looks',
         'may', 'on', 'over', 'puts', 'reads', 'runs', 'says', 'serves', 'starts', 'takes', 'that', 'to', 'was', 'when',
         'where', 'with', 'works', 'writes'}


def list_commands():
    text = subprocess.run([os.path.abspath(sys.argv[1]), '--help'], capture_output=True, text=True, check=True,
                          env=os.environ | {'LC_ALL': 'C'}).stdout
    return set(re.findall(r'(?m)^  ([a-z][a-z-]*)  +\S', text)) | {'help'}


def list_literals(path):
    """The strings of a C file; those that stand side by side are one."""
    text = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S)
    for run in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        yield ''.join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run.group()))


def list_texts():
    for path in sorted((ROOT / 'src').rglob('*.[ch]')):
        for literal in list_literals(path):
            yield path, literal
    for path in [*sorted((ROOT / 'data/docs').glob('*.md')), ROOT / 'README.md']:
        for code in re.findall(r'`([^`\n]+)`', path.read_text()):
            yield path, code


def main():
    commands = list_commands()
    bad = [f'{path.relative_to(ROOT)}: “gmcp {word}”' for path, text in list_texts()
           for word in re.findall(r'(?<![\w./-])gmcp ([a-z][a-z-]*)', text) if word not in commands | PROSE]
    for line in bad:
        print(line)
    print(f'commands that are advised: {len(bad)} are not among the {len(commands)} that there are' if bad or len(commands) < 10
          else 'commands that are advised: fine')
    sys.exit(1 if bad or len(commands) < 10 else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes a manual page of what a program says of itself.

    make-man.py describe PROGRAM…   out of “PROGRAM __describe”, which is JSON
    make-man.py help VERSION PROGRAM…   out of “PROGRAM --help”

The page has no date but that of SOURCE_DATE_EPOCH, so that it is the same in each build.
"""
import json
import os
import re
import subprocess
import sys
import time


def escape(text):
    """Text as it is for roff, also where it begins a line."""
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"(?m)^(?=[.'])", r'\\&', text)


def bold(text):
    return f'\\fB{escape(text)}\\fR'


def with_values(synopsis):
    """Words of a synopsis in capitals are what somebody puts in."""
    parts = re.split(r'([^\W\d_a-z]{2,})', synopsis)
    return ''.join(f'\\fI{escape(part)}\\fR' if i % 2 else escape(part) for i, part in enumerate(parts))


def paragraphs(text):
    """Lines of one paragraph are joined; those that are indented stay as they are."""
    lines = []
    verbatim = False
    for line in text.split('\n'):
        indented = line.startswith('  ')
        if indented != verbatim:
            lines.append('.RS\n.nf' if indented else '.fi\n.RE')
            verbatim = indented
        if line:
            lines.append(escape(line.strip()))
        elif not verbatim:
            lines.append('.PP')
    if verbatim:
        lines.append('.fi\n.RE')
    return '\n'.join(lines)


def head(name, version, summary):
    epoch = os.environ.get('SOURCE_DATE_EPOCH')
    date = time.strftime('%Y-%m-%d', time.gmtime(int(epoch))) if epoch else ''
    return [f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "{date}" "gmcp {version}" "User Commands"',
            '.SH NAME', f'{escape(name)} \\- {escape(summary)}']


def option(entry):
    text = ', '.join(bold(word) for word in ([f'-{entry["letter"]}'] if 'letter' in entry else []) + [f'--{entry["name"]}'])
    if 'value' in entry:
        text += f'=\\fI{escape(entry["value"])}\\fR'
    return f'.TP\n{text}\n{escape(entry.get("summary", ""))}'


def command(entry):
    line = f'{bold("gmcp " + entry["name"])}' + (' [\\fIOPTION\\fR…]' if entry['options'] else '')
    if 'verbs' in entry:
        line += ' \\fIVERB\\fR …'
    elif 'synopsis' in entry:
        line += ' ' + with_values(entry['synopsis'])
    lines = [f'.SS {line}', escape(entry['summary']) + '.']
    for verb in entry.get('verbs', []):
        synopsis = ' ' + with_values(verb['synopsis']) if 'synopsis' in verb else ''
        lines.append(f'.TP\n{bold(verb["name"])}{synopsis}\n{escape(verb["summary"])}')
    lines += [option(each) for each in entry['options']]
    if 'description' in entry:
        lines += ['.PP', paragraphs(entry['description'])]
    return lines


def program_page(program):
    summary = program['summary'].rstrip('.')
    lines = head(program['name'], program['version'], summary[0].lower() + summary[1:])
    lines += ['.SH SYNOPSIS', '\\fBgmcp\\fR [\\fIOPTION\\fR…] \\fICOMMAND\\fR …']
    lines += ['.SH OPTIONS', 'These stand before the command.', *[option(entry) for entry in program['options']]]
    group = None
    for entry in program['commands']:
        lines += command(entry) if entry['group'] == group else [f'.SH {escape(entry["group"].rstrip(":").upper())}', *command(entry)]
        group = entry['group']
    lines.append('.SH EXIT STATUS')
    lines += [f'.TP\n{bold(str(entry["status"]))}\n{escape(entry["summary"])}' for entry in program['exits']]
    lines += ['.SH SEE ALSO', '\\fBgmcpd\\fR(1), \\fBgmcp\\-tasks\\fR(1), and the guide: its pages on configuration, environment variables and JSON output.']
    return lines


def help_page(version, name, text):
    usage, _, rest = text.partition('\n\n')
    summary, _, rest = rest.partition('\n\n')
    summary = ' '.join(summary.split())
    first, _, more = summary.partition('. ')
    lines = head(name, version, first[0].lower() + first[1:].rstrip('.'))
    lines += ['.SH SYNOPSIS', f'{bold(name)} [\\fIOPTION\\fR…]', '.SH DESCRIPTION', escape(more), '.SH OPTIONS']
    for match in re.finditer(r'(?m)^  (?:-(\w), )?--([\w-]+)(?:=(\S+))? +(\S.*)$', rest):
        letter, word, value, said = match.groups()
        lines.append(option({'name': word, 'summary': said, **({'letter': letter} if letter else {}),
                             **({'value': value} if value else {})}))
    lines += ['.SH SEE ALSO', '\\fBgmcp\\fR(1)']
    return lines


def run(words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding='utf-8').stdout


def main():
    kind, *words = sys.argv[1:]
    if kind == 'describe':
        lines = program_page(json.loads(run([*words, '__describe'])))
    else:
        version, *words = words
        lines = help_page(version, os.path.basename(words[-1]), run([*words, '--help']))
    sys.stdout.reconfigure(encoding='utf-8')
    print('\n'.join(line for line in lines if line))


if __name__ == '__main__':
    main()

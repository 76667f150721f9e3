#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each language of po/LINGUAS has all that the sources have to translate, and nothing in it is only guessed at.

check-translations.py MSGFMT XGETTEXT MSGMERGE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import tree

MSGFMT, XGETTEXT, MSGMERGE = sys.argv[1:4]
PO = tree.ROOT / 'po'
KEYWORDS = ['_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'g_dcgettext:2', 'g_dngettext:2,3', 'g_dpgettext2:2c,3']
# What is the same in all of them.
UNITS = {'N', 'URL', 'JSON', 'PID', 'SHELL'}
# The letters that a text of the language cannot be without.
LETTERS = {'zh_CN': re.compile('[\u4e00-\u9fff]')}


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env={'LC_ALL': 'C.UTF-8'})


def make_template(path):
    done = run(XGETTEXT, '--from-code=UTF-8', f'--directory={tree.ROOT}', f'--files-from={PO / "POTFILES.in"}', '--output', path,
               '--keyword', *(f'--keyword={word}' for word in KEYWORDS), '--flag=g_dngettext:2:pass-c-format', '--flag=N_:1:pass-c-format')
    if done.returncode != 0:
        sys.exit(done.stderr)


def unquote(lines):
    return ''.join(line[line.index('"') + 1:-1] for line in lines)


def read_messages(path):
    """(text, translations) of each message but the header."""
    for block in re.split(r'\n\s*\n', path.read_text(encoding='utf-8')):
        parts = re.findall(r'^(msgid|msgstr(?:\[\d\])?)((?: ?".*"\n?)+)', block, flags=re.M)
        texts = [(name, unquote(part.strip().splitlines())) for name, part in parts]
        if texts and texts[0][1]:
            yield texts[0][1], [text for name, text in texts if name.startswith('msgstr')]


def check_complete(language, path):
    """What msgfmt says of a file, where that is not that all of it is translated."""
    done = run(MSGFMT, '--check', '--statistics', '--output-file=/dev/null', path)
    said = done.stderr.strip()
    if done.returncode != 0 or re.fullmatch(r'\d+ translated messages?\.', said) is None:
        yield f'{language}: {said}'


def check_letters(language, path):
    letters = LETTERS.get(language)
    for text, translations in read_messages(path):
        words = re.sub(r'%[^a-zA-Z]*[a-zA-Z]|\\.', '', text)
        if letters and re.search('[a-zA-Z]', words) and words.strip() not in UNITS:
            yield from (f'{language}: “{text}” is left as it is' for one in translations if not letters.search(one))


def missing(language, path, merged):
    """The messages that the sources have and the file has not."""
    known = {text for text, translations in read_messages(path) if all(translations)}
    yield from (f'{language}: not translated: “{text}”' for text, _ in read_messages(merged) if text not in known)


def main():
    languages = [line for line in (PO / 'LINGUAS').read_text(encoding='utf-8').split('\n') if line and line[0] != '#']
    problems = [] if languages == sorted(languages) else ['po/LINGUAS is not in alphabetical order']
    with tempfile.TemporaryDirectory() as folder:
        template = pathlib.Path(folder, 'template.pot')
        make_template(template)
        for language in languages:
            path, merged = PO / f'{language}.po', pathlib.Path(folder, f'{language}.po')
            run(MSGMERGE, '--quiet', '--no-fuzzy-matching', path, template, '--output-file', merged)
            problems += [*check_complete(language, path), *check_letters(language, path), *missing(language, path, merged)]
    tree.report(problems, 'translations (ninja gmcp-1-update-po adds what is missing)')


if __name__ == '__main__':
    main()

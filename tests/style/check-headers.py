#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each public header can be included by itself: what it names is declared in it, or in what it includes."""
import functools
import re

import tree

INCLUDE = tree.ROOT / 'include'
# Which header of another library what is named comes from, by its prefix; a later one has what earlier ones have.
FOREIGN = {'glib.h': r'\bg(?:boolean|char|int|uint|pointer|size|ssize|double|float|u?int\d+)\b|\bG_(?:BEGIN_DECLS|DEFINE_AUTO)\w*|\bG(?:Quark|Error|Bytes|HashTable|PtrArray|Strv|DateTime|Variant|Regex)\b',
           'glib-object.h': r'\bG_DECLARE_\w+|\bG(?:Object|Type|TypeInterface|Value|Closure)\b',
           'gio/gio.h': r'\bG(?:AsyncReadyCallback|AsyncResult|Cancellable|File|ListModel|ListStore|Task|InputStream|OutputStream|IOStream|Socket\w*|DBus\w+|ActionGroup|Settings)\b',
           'json-glib/json-glib.h': r'\bJson(?:Node|Object|Array)\b'}
ORDER = list(FOREIGN)


def find_declared(text):
    names = set(re.findall(r'^typedef (?:struct|union) _\w+ \*?(\w+);', text, re.MULTILINE))
    names |= set(re.findall(r'^\} (\w+);', text, re.MULTILINE))
    names |= set(re.findall(r'^typedef [^;{]*\(\*(\w+)\)', text, re.MULTILINE))
    names |= set(re.findall(r'G_DECLARE_\w+ \(\s*(\w+),', text))
    # What G_DECLARE_FINAL_TYPE and its kin make of it.
    names |= {f'{name}{suffix}' for name in set(names) for suffix in ('Class', 'Interface')}
    return names | set(re.findall(r'^ *# *define (\w+)', text, re.MULTILINE)) | set(re.findall(r'^struct _(\w+)', text, re.MULTILINE))


@functools.cache
def gather(name):
    """What there is once a header is included: names of this library, and the headers of others."""
    path = INCLUDE / name
    if not path.exists():
        # What is made of another file, or of another library.
        path = path.with_suffix('.h.in')
    if not path.exists():
        return frozenset(), frozenset([name])
    text = tree.without_comments(tree.read(path))
    declared, foreign = find_declared(text), set()
    for included in re.findall(r'^#include <([^>]+)>', text, re.MULTILINE):
        more, others = gather(included)
        declared |= more
        foreign |= others
    return frozenset(declared), frozenset(foreign)


def find_missing(path):
    declared, foreign = gather(str(path.relative_to(INCLUDE)))
    text = re.sub(r'^#include.*$', '', tree.without_comments(tree.read(path)), flags=re.MULTILINE)
    for name in sorted(set(re.findall(r'\bGmcp[A-Z]\w+', text)) | set(re.findall(r'\bGMCP_AVAILABLE_\w+', text))):
        if name not in declared:
            yield name
    there = max((ORDER.index(name) for name in foreign if name in ORDER), default=-1)
    has_json = 'json-glib/json-glib.h' in foreign
    for place, (header, pattern) in enumerate(FOREIGN.items()):
        if not (has_json or (header != 'json-glib/json-glib.h' and there >= place)):
            yield from sorted(set(re.findall(pattern, text)))


def main():
    headers = sorted(path for path in (INCLUDE / 'gmcp').rglob('*.h'))
    problems = [f'{path.relative_to(tree.ROOT)}: {name} is not declared by what it includes' for path in headers for name in find_missing(path)]
    tree.report(problems, f'what {len(headers)} public headers name')


if __name__ == '__main__':
    main()

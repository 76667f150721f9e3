#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the library exports and what its GIR says are what data/gmcp-1.symbols and data/gmcp-1.api list.

    check-symbols.py [--update] [BUILD-FOLDER]

--update writes both lists from the build folder (build/ by default). A line that goes away or changes is a
break of API, and belongs in NEWS.
"""
import difflib
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import tree

SYMBOLS = 'data/gmcp-1.symbols'
API = 'data/gmcp-1.api'
CORE = '{http://www.gtk.org/introspection/core/1.0}'
C = '{http://www.gtk.org/introspection/c/1.0}'
GLIB = '{http://www.gtk.org/introspection/glib/1.0}'
CALLABLES = ('function', 'method', 'constructor', 'virtual-method')


def exported(library):
    output = subprocess.run(['nm', '-D', '--defined-only', str(library)], capture_output=True, text=True, check=True)
    return sorted(line.split()[2].split('@')[0] for line in output.stdout.splitlines())


def type_of(element):
    """A parameter's or return value's type, with what bindings depend on."""
    if element.find(CORE + 'varargs') is not None:
        return '...'
    inner = element.find(CORE + 'array')
    inner = element.find(CORE + 'type') if inner is None else inner
    words = [element.get('direction', ''), inner.get(C + 'type') or inner.get('name') or '?']
    if inner.tag == CORE + 'array':
        item = inner.find(CORE + 'type')
        words.append('of ' + (item.get('name') if item is not None else '?'))
    if element.get('nullable') == '1':
        words.append('nullable')
    if element.get('transfer-ownership', 'none') != 'none':
        words.append(element.get('transfer-ownership'))
    if element.get('scope'):
        words.append('scope ' + element.get('scope'))
    return ' '.join(word for word in words if word)


def signature(callable_, name):
    parameters = [f'{parameter.get("name")}: {type_of(parameter)}'
                  for parameter in callable_.findall(f'{CORE}parameters/{CORE}parameter')]
    throws = ' throws' if callable_.get('throws') == '1' else ''
    return f'{name} ({", ".join(parameters)}) -> {type_of(callable_.find(CORE + "return-value"))}{throws}'


def introspected(gir):
    namespace = xml.etree.ElementTree.parse(gir).getroot().find(CORE + 'namespace')
    lines = [signature(function, function.get(C + 'identifier')) for function in namespace.findall(CORE + 'function')]
    for owner in namespace:
        name = owner.get('name')
        for member in owner:
            kind = member.tag.replace(CORE, '').replace(GLIB, '')
            if kind in CALLABLES[:3]:
                lines.append(signature(member, member.get(C + 'identifier')))
            elif kind == 'virtual-method':
                lines.append('vfunc ' + signature(member, f'{name}.{member.get("name")}'))
            elif kind == 'signal':
                lines.append('signal ' + signature(member, f'{name}::{member.get("name")}'))
            elif kind == 'property':
                lines.append(f'property {name}:{member.get("name")}: {type_of(member)}')
            elif kind == 'member':
                lines.append(f'value {member.get(C + "identifier")} = {member.get("value")}')
            elif kind == 'implements':
                lines.append(f'{name} implements {member.get("name")}')
    # A function of a type is there twice, once as moved-to.
    return sorted(set(lines))


def compare(path, found, update):
    file = tree.ROOT / path
    if update:
        file.write_text('\n'.join(found) + '\n', encoding='utf-8')
        return []
    listed = file.read_text(encoding='utf-8').splitlines() if file.exists() else []
    return [line for line in difflib.unified_diff(listed, found, path, 'as built', lineterm='', n=0)
            if not re.match(r'@@', line)]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--update']
    update = '--update' in sys.argv[1:]
    build = pathlib.Path(arguments[0]) if arguments else tree.ROOT / 'build'
    problems = compare(SYMBOLS, exported(build / 'src' / 'libgmcp-1.so.0'), update)
    gir = build / 'src' / 'Gmcp-1.gir'
    if gir.exists():
        problems += compare(API, introspected(gir), update)
    tree.report(problems, 'public API (./dev build && tests/style/check-symbols.py --update lists what is there now)')


if __name__ == '__main__':
    main()

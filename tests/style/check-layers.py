#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a file includes and what it calls is on its own floor's room or below, and what only one area may do
is done nowhere else; a struct is seen by few files; and no function is called by a verb alone. The floors are in
floors.py; --update draws their picture.
"""
import fnmatch
import re
import sys

import floors
import tree

PICTURE = tree.ROOT / 'data' / 'docs' / 'floors.svg'

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)

# What no file of src/ may call, but for those that match the second pattern. A member of that name is fine.
MEMBER = r'(?<!->)(?<!\.)'
BANNED = [
    (r'\bg_idle_add\w*\s*\(', 'src/cli/*', 'attaches to the global context; make a source and attach it'),
    (r'\bg_timeout_add\w*\s*\(', 'src/cli/*', 'attaches to the global context; make a source and attach it'),
    (r'\bg_main_context_iteration\s*\(', 'src/cli/*', 'iterates a main loop inside a call'),
    (r'\b\w+_sync\s*\(', 'src/cli/*', 'blocks the main loop'),
    (MEMBER + r'\b(?:sleep|usleep|nanosleep|g_usleep)\s*\(', 'src/cli/*', 'blocks the main loop'),
    (MEMBER + r'\b(?:posix_spawnp?|v?fork|exec(?:ve?|vpe?|lp?|le)|fexecve|execveat|clone3?|system|popen)\s*\(',
     'src/transport/*', 'only transport starts processes'),
    (r'\b(?:g_subprocess_\w+|g_spawn_(?!check_)\w+)\s*\(', ('src/transport/*', 'src/cli/*/cli-editor.c'),
     'only transport starts processes'),
    (MEMBER + r'\b(?:socket|socketpair|connect|bind|listen|accept4?)\s*\(', ('src/transport/*', 'src/*/*-listener*'),
     'only transport and listeners have sockets'),
    (r'\b(?:g_socket_\w+|g_tcp_\w+|g_unix_socket_\w+)\s*\(', ('src/transport/*', 'src/http/*', 'src/server/http/*', 'src/server/socket/*', 'src/tasks-server/doors/*',
      'src/daemon/*/*-listener*', 'src/cli/host/cli-relay.c'),
     'only transport, http, server/http and server/socket have sockets, and what opens them in a program'),
    (r'(?m)^(?!main\b)[a-z]+ \(', (), 'the name of a function is a verb and its object'),
]

# Headers that programs include though they are not installed: the macro of translations, and what
# they compile themselves: a measure of words, and the name of a process.
COMMON = {'gmcp-i18n-private.h', 'gmcp-process-name-private.h', 'gmcp-word-distance-private.h'}

# Words of MCP, which the floors that are good for any JSON-RPC do not know.
NEUTRAL = {'json', 'http', 'storage', 'json-rpc', 'json-schema', 'formats', 'redaction'}
MCP_WORD = re.compile(r'(?<![a-z])mcp(?![a-z])|\b(?:tools|prompts|resources|sampling|elicitation|server|notifications)/[a-z]'
                      r'|"initialized?"|gmcp_(?:client|server|tool)_', re.I)

# The header of a struct that more than one file sees, and how many do at most.
STRUCT_HEADER = '-struct-private.h'
MOST_SEEING = 6

# What only one era says on the wire: (method, era).
ERA_METHODS = {
    'server/discover': 'modern',
    'subscriptions/listen': 'modern',
    'notifications/subscriptions/acknowledged': 'modern',
    'initialize': 'legacy',
    'notifications/initialized': 'legacy',
    'ping': 'legacy',
    'logging/setLevel': 'legacy',
    'resources/subscribe': 'legacy',
    'resources/unsubscribe': 'legacy',
    'notifications/roots/list_changed': 'legacy',
    'notifications/elicitation/complete': 'legacy',
}


def room_of(path):
    """The room a file belongs to, or None for what has none (include/gmcp/gmcp.h, what is only precompiled)."""
    parts = path.parts
    if parts[0] == 'plugin':
        return 'plugin'
    if parts[:2] == ('src', 'pch'):
        return None
    if parts[0] == 'src':
        return '/'.join(parts[1:-1]) or None
    if parts[:2] == ('include', 'gmcp'):
        return '/'.join(parts[2:-1]) or None
    return None


def line_of(text, match):
    return text.count('\n', 0, match.start()) + 1


def home_of(name, path, headers):
    """The room an #include "NAME" in PATH leads to; None for what is not ours."""
    beside = path.parent / name
    return room_of(beside) if (tree.ROOT / beside).is_file() else headers.get(name)


def check_includes(path, room, text, headers):
    for match in INCLUDE.finditer(tree.without_comments(text)):
        bracket, name = match.groups()
        where = f'{path}:{line_of(text, match)}'
        if name == 'gmcp/gmcp.h':
            if path.parts[0] == 'src':
                yield f'{where}: includes the umbrella header'
            continue
        private = bracket == '"'
        if private:
            target = home_of(name, path, headers)
        elif name.startswith('gmcp/'):
            target = '/'.join(name.split('/')[1:-1])
        else:
            continue
        if target is None or target == room:
            continue
        if room.split('/')[0] in floors.PROGRAMS and room.split('/')[0] != (target or '').split('/')[0]:
            if private and name not in COMMON:
                yield f'{where}: {room} includes the private {name}'
        elif target not in floors.ROOMS:
            yield f'{where}: {name} is in {target}, which floors.py does not have'
        elif not floors.may_use(room, target):
            yield f'{where}: {room} includes {name} of {target}'


DOCUMENTED = re.compile(r'^/\*\*\n \* (?:gmcp_|Gmcp)\w+:', re.M)
DEFINED = re.compile(r'^(gmcp_\w+) \(', re.M)
USED = re.compile(r'\bgmcp_\w+')


def check_uses(path, room, text, homes):
    """Functions that are called, or handed over, whatever header declares them."""
    code = tree.code_only(text)
    told = set()
    for match in USED.finditer(code):
        target = homes.get(match[0])
        if target is None or match[0] in told or floors.may_use(room, target):
            continue
        told.add(match[0])
        yield f'{path}:{line_of(code, match)}: {room} uses {match[0]} () of {target}'


def check_calls(path, text):
    code = tree.code_only(text)
    for pattern, exempt, why in BANNED:
        exempt = (exempt,) if isinstance(exempt, str) else exempt
        if any(fnmatch.fnmatch(str(path), glob) for glob in exempt):
            continue
        for match in re.finditer(pattern, code):
            yield f'{path}:{line_of(code, match)}: {match[0].rstrip("( ")}: {why}'


def check_words(path, area, text):
    bare = tree.without_comments(text)
    if area in NEUTRAL:
        for match in MCP_WORD.finditer(re.sub(r'(?i)gmcp[_-](?!client|server|tool)', '', bare)):
            yield f'{path}: {area} knows the MCP word {match[0]}'
    if area in ('client', 'server'):
        for method, era in ERA_METHODS.items():
            if fnmatch.fnmatch(path.name, f'*era-{era}*'):
                continue
            for match in re.finditer(f'"{re.escape(method)}"', bare):
                yield f'{path}:{line_of(bare, match)}: "{method}" is for the {era} era\'s file only'


def check_openings():
    """The first lines of a folder's meson.build say what lives there, and what does not."""
    for room in floors.ROOMS:
        path = tree.ROOT / ('' if room == 'plugin' else 'src') / room / 'meson.build'
        if path.is_file() and not re.match(r'# SPDX.*\n#[^\n]+\n#[^\n]+\n', path.read_text(encoding='utf-8')):
            yield f'{path.relative_to(tree.ROOT)}: begins with two lines on what lives there and what does not'


def check_scanned(sources):
    """What is documented for who uses the library is in a file that the scanner reads."""
    scanned = set()
    for path in tree.files('meson.build'):
        for names in re.findall(r'gmcp_sources \+= files\((.*?)\)', tree.read(path), re.S):
            scanned |= {path.parent / name for name in re.findall(r"'([\w./-]+\.c)'", names)}
    for path, text in sources.items():
        if path.suffix == '.c' and room_of(path).split('/')[0] not in floors.PROGRAMS and path not in scanned and DOCUMENTED.search(text):
            yield f'{path}: is among gmcp_private_sources and documents what is public'


def check_installed():
    """A public header is installed, seen by the scanner and in the umbrella header: who includes that needs them all."""
    listed = set(re.findall(r"'([\w./-]+\.h)'", tree.read('include/gmcp/meson.build')))
    umbrella = set(re.findall(r'#include <gmcp/(\S+)>', tree.read('include/gmcp/gmcp.h')))
    for path in tree.files('.h'):
        if path.parts[:2] != ('include', 'gmcp'):
            continue
        name = '/'.join(path.parts[2:])
        if name not in listed:
            yield f'{path}: is not in include/gmcp/meson.build'
        if name not in umbrella and name not in ('gmcp.h', 'core/gmcp-macros.h'):
            yield f'{path}: is not in gmcp.h'


def check_structs(sources, headers):
    seeing = {}
    for path, text in sources.items():
        for match in INCLUDE.finditer(tree.without_comments(text)):
            name = match[2]
            if not name.endswith(STRUCT_HEADER):
                continue
            if path.suffix == '.h':
                yield f'{path}: includes {name}, so that all who include this see the struct'
            elif headers.get(name) != room_of(path):
                yield f'{path}: includes {name}, which is for files of {headers.get(name)}'
            seeing.setdefault(name, set()).add(path)
    for name, paths in sorted(seeing.items()):
        if len(paths) > MOST_SEEING:
            yield f'{name} is included by {len(paths)} files, and {MOST_SEEING} may see a struct'


def main():
    headers = {path.name: room_of(path) for path in tree.files('.h') if path.parts[0] == 'src'}
    sources = {path: tree.read(path) for path in tree.files('.c', '.h') if room_of(path) is not None}
    homes = {name: room_of(path) for path, text in sources.items()
             if path.suffix == '.c' and room_of(path).split('/')[0] not in floors.PROGRAMS
             for name in DEFINED.findall(tree.code_only(text))}
    problems = []
    for path, text in sources.items():
        room = room_of(path)
        if room not in floors.ROOMS:
            problems.append(f'{path}: floors.py has no room {room}')
            continue
        problems += check_includes(path, room, text, headers)
        problems += check_words(path, room.split('/')[0], text)
        if path.parts[0] == 'src':
            problems += check_calls(path, text)
            if room not in floors.PROGRAMS:
                problems += check_uses(path, room, text, homes)
    problems += check_structs(sources, headers)
    problems += check_openings()
    problems += check_installed()
    problems += check_scanned(sources)
    for room in floors.ROOMS:
        there = (tree.ROOT / (room if room == 'plugin' else f'src/{room}')).is_dir()
        if there == (room in floors.PLANNED):
            problems.append(f'src/{room}: floors.py says that the room is {"only planned" if there else "there"}')
    picture = floors.draw()
    if '--update' in sys.argv[1:]:
        PICTURE.write_text(picture, encoding='utf-8')
    elif not PICTURE.is_file() or PICTURE.read_text(encoding='utf-8') != picture:
        problems.append('data/docs/floors.svg is not what floors.py says (tests/style/check-layers.py --update)')
    tree.report(problems, 'layers')


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Includes point down the floors, and what only one area may do is done nowhere else.

To add an area, give it a row in FLOORS.
"""
import fnmatch
import re

import tree

# Area -> the areas whose headers it may include, beside its own.
CORE = {'core'}
VALUES = CORE | {'json'}
WIRE = VALUES | {'http', 'json-rpc', 'protocol', 'json-schema', 'auth'}
ENDS = WIRE | {'transport'}
FLOORS = {
    'core': set(),
    'json': CORE,
    'http': CORE,
    'json-rpc': VALUES,
    'protocol': VALUES,
    'json-schema': VALUES,
    'auth': VALUES | {'http'},
    'transport': WIRE,
    'client': ENDS,
    'server': ENDS,
    'search': set(),
    'provider': ENDS | {'search'},
    'manager': ENDS | {'client', 'server', 'provider'},
    'gateway': ENDS | {'client', 'server', 'provider', 'manager'},
}
# These see what any host sees: public headers and their own folder's.
HOSTS = {'cli', 'daemon', 'tasks-server', 'plugin'}

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
    (r'\b(?:g_subprocess_\w+|g_spawn_(?!check_)\w+)\s*\(', 'src/transport/*', 'only transport starts processes'),
    (MEMBER + r'\b(?:socket|socketpair|connect|bind|listen|accept4?)\s*\(', ('src/transport/*', 'src/*/*-listener*'),
     'only transport and listeners have sockets'),
    (r'\b(?:g_socket_\w+|g_tcp_\w+|g_unix_socket_\w+)\s*\(', ('src/transport/*', 'src/http/*', 'src/*/*-listener*'),
     'only transport, http and listeners have sockets'),
]

# Words of MCP, which the floors that are good for any JSON-RPC do not know.
NEUTRAL = {'json', 'http', 'json-rpc', 'json-schema'}
MCP_WORD = re.compile(r'(?<![a-z])mcp(?![a-z])|\b(?:tools|prompts|resources|sampling|elicitation|server|notifications)/[a-z]'
                      r'|"initialized?"|gmcp_(?:client|server|tool)_', re.I)

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


def area_of(path):
    """The area a file belongs to, or None for what has none (include/gmcp/gmcp.h)."""
    parts = path.parts
    if parts[0] == 'plugin':
        return 'plugin'
    if parts[0] == 'src' and len(parts) > 2:
        return parts[1]
    if parts[:2] == ('include', 'gmcp') and len(parts) > 3:
        return parts[2]
    return None


def line_of(text, match):
    return text.count('\n', 0, match.start()) + 1


def home_of(name, path, headers):
    """The area an #include "NAME" in PATH leads to, and whether it is private; None for what is not ours."""
    if (tree.ROOT / path.parent / name).is_file():
        return area_of(path), True
    for header in headers:
        if header.name == name and header.parts[0] == 'src':
            return area_of(header), True
    return None, False


def check_includes(path, area, text, headers):
    allowed = FLOORS.get(area)
    for match in INCLUDE.finditer(tree.without_comments(text)):
        bracket, name = match.groups()
        where = f'{path}:{line_of(text, match)}'
        if name == 'gmcp/gmcp.h' and path.parts[0] == 'src':
            yield f'{where}: includes the umbrella header'
            continue
        if bracket == '<' and name.startswith('gmcp/'):
            target, private = name.split('/')[1], False
        elif bracket == '"':
            target, private = home_of(name, path, headers)
        else:
            continue
        if target is None or target == area or target == 'gmcp.h':
            continue
        if area in HOSTS:
            # Translations are no private API: the header has the macro that each domain needs.
            if private and name != 'gmcp-i18n-private.h':
                yield f'{where}: {area} includes the private {name}'
        elif target not in allowed:
            yield f'{where}: {area} includes {name} of {target}'


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


def main():
    headers = tree.files('.h')
    problems = []
    for path in tree.files('.c', '.h'):
        area = area_of(path)
        if area is None:
            continue
        if area not in FLOORS and area not in HOSTS:
            problems.append(f'{path}: no row for the area {area} in {__file__}')
            continue
        text = tree.read(path)
        problems += check_includes(path, area, text, headers)
        problems += check_words(path, area, text)
        if path.parts[0] == 'src':
            problems += check_calls(path, text)
    tree.report(problems, 'layers')


if __name__ == '__main__':
    main()

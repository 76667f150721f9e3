#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is alike in the public API is named and owned alike; read from the GIR.

    check-api.py [BUILD-FOLDER]
"""
import pathlib
import sys
import xml.etree.ElementTree

import tree

CORE = '{http://www.gtk.org/introspection/core/1.0}'
C = '{http://www.gtk.org/introspection/c/1.0}'

# A server is an object; a text that names one is its id, or its name for people.
SERVER_WORDS = ('server', 'servers')

# Files are GFile. These are texts: a path with variables as it is configured, the address of a socket, the folder
# of a command.
PATHS = ('gmcp_server_config_get_ca_file', 'gmcp_socket_endpoint_listen', 'gmcp_stdio_transport_set_cwd',
         'gmcp_stream_transport_new_for_path')


def type_name(element):
    inner = element.find(CORE + 'type')
    return inner.get('name') if inner is not None else 'array'


def check_ownership(owner, function, name):
    returned = function.find(CORE + 'return-value')
    transfer = returned.get('transfer-ownership')
    verb = function.get('name').split('_')[0]
    if function.get('name').endswith('_finish'):
        if transfer == 'none' and type_name(returned) not in ('gboolean', 'gint'):
            yield f'{name}: what a call ends with belongs to the caller'
    elif verb in ('get', 'peek') and transfer != 'none':
        yield f'{name}: get_ lends what it gives; dup_ and list_ give it away'
    elif verb in ('dup', 'list') and transfer == 'none' and type_name(returned) != 'none':
        yield f'{name}: {verb}_ gives away what it gives'
    array = returned.find(CORE + 'array')
    if array is not None and array.get('name') == 'GLib.PtrArray' and transfer == 'full':
        yield f'{name}: an array that frees its items is (transfer container)'


def check_constructor(owner, function, name):
    if type_name(function.find(CORE + 'return-value')) != owner.get('name'):
        yield f'{name}: a constructor gives its own type'


def check_words(element, name):
    texts = [inner.get('name') for inner in element.iter(CORE + 'type')]
    if element.get('name') in SERVER_WORDS and texts == ['utf8']:
        yield f'{name}: “{element.get("name")}” is a text, so it is called server-id'


def check_bytes(element, name):
    """element is a property, a parameter, or a getter's return value."""
    words = name.replace('-', '_').rsplit('_', 1)
    if words[-1] == 'bytes' and type_name(element) in ('guint', 'gint', 'gint64', 'gsize', 'gssize'):
        yield f'{name}: bytes are counted in a guint64'


def check_callable(owner, function, siblings):
    name = function.get(C + 'identifier')
    if name not in PATHS and any(inner.get('name') == 'filename' for inner in function.iter(CORE + 'type')):
        yield f'{name}: a file is a GFile'
    for parameter in function.findall(f'{CORE}parameters/{CORE}parameter'):
        yield from check_words(parameter, f'{name} ({parameter.get("name")})')
        yield from check_bytes(parameter, f'{name}/{parameter.get("name")}')
    yield from check_bytes(function.find(CORE + 'return-value'), name)
    if function.tag == CORE + 'constructor':
        yield from check_constructor(owner, function, name)
    else:
        yield from check_ownership(owner, function, name)
    if function.get('name').endswith('_async') and function.get('name')[:-5] + 'finish' not in siblings:
        yield f'{name}: there is no finish function of its own'


def check(gir):
    namespace = xml.etree.ElementTree.parse(gir).getroot().find(CORE + 'namespace')
    for owner in [namespace, *namespace]:
        callables = [member for member in owner if member.tag in (CORE + 'function', CORE + 'method', CORE + 'constructor')
                     and member.get('moved-to') is None]
        siblings = {member.get('name') for member in callables}
        for member in callables:
            yield from check_callable(owner, member, siblings)
        for member in owner.findall(CORE + 'property'):
            name = f'{owner.get("name")}:{member.get("name")}'
            yield from check_words(member, name)
            yield from check_bytes(member, name)


def main():
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else tree.ROOT / 'build'
    gir = build / 'src' / 'Gmcp-1.gir'
    if not gir.exists():
        tree.skip('the build has no GIR')
    tree.report(list(check(gir)), 'names and owners in the public API')


if __name__ == '__main__':
    main()

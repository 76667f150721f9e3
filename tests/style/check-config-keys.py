#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guide's tables of keys say what the code's own tables of keys and the schema say.

    check-config-keys.py [--update] [BUILD-FOLDER]

--update writes the tables of data/docs/keys.md anew, each between <!-- keys: NAME --> and <!-- end -->. What is
said of a key is in the code's table, and the schema's summary has to be the same.
"""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import tree

PAGE = 'data/docs/keys.md'
SCHEMA = 'data/org.gmcp.gschema.xml'
MISSING = '?'
ALIAS = re.compile(r'\{ "(\w+)", "(\w+)" \}')

# Keys of a server in files that have more to them than a property; the key of GSettings, and what is taken.
SPECIAL = {
    'args': ('command', 'list'),
    'autoStart': ('start', 'true, false'),
    'bearerTokenEnvVar': (None, 'name of a variable'),
    'command': ('command', 'text or list'),
    'disabled': ('enabled', 'true, false'),
    'enabled': ('enabled', 'true, false'),
    'env': ('environment', 'object'),
    'envFile': (None, '–'),
    'envHttpHeaders': (None, 'object'),
    'envKeys': (None, 'list'),
    'envVars': (None, 'list'),
    'healthArgs': ('health-arguments', 'object'),
    'healthArguments': ('health-arguments', 'object'),
    'headers': ('headers', 'object'),
    'healthCheck': (None, 'object'),
    'id': (None, 'text'),
    'name': (None, 'text'),
    'type': ('transport', None),
}
# Defaults in files that are not those of the schema, or not of that name.
FILE_DEFAULTS = {'autoStart': 'true', 'disabled': 'false', 'enabled': 'true', 'type': 'by `url` or `command`'}
# Below `roles`, `tools` and `projects` a key of a file is called as in the schema, but for these.
PLACES = {
    'org.gmcp.Role': {},
    'org.gmcp.Requirements': {key: f'mcp_tools: {key}' for key in ('required', 'recommended', 'optional')},
    'org.gmcp.Project': {},
}
# No file says them, but the command line of gmcpd.
OPTIONS = {'gateway-port': '--gateway-http'}


class Key:
    """A key of the schema: what it takes, what it is where it is not set, and what is said of it."""

    def __init__(self, element, enums):
        self.name = element.get('name')
        self.type = element.get('type')
        self.words = enums.get(element.get('enum'))
        self.default = element.findtext('default').strip()
        self.is_time = self.name.endswith('-ms')
        self.summary = element.findtext('summary').removesuffix(', in milliseconds')
        bounds = element.find('range')
        self.bounds = (int(bounds.get('min')), int(bounds.get('max'))) if bounds is not None else None

    def values(self):
        if self.words:
            return ', '.join(f'`{word}`' for word in self.words)
        if self.bounds:
            return span(*self.bounds, self.is_time)
        return {'b': 'true, false', 's': 'text', 'as': 'list', 'a{ss}': 'map', 'u': 'number'}[self.type]

    def shown_default(self):
        if self.type in ('as', 'a{ss}'):
            return 'none' if self.default in ('[]', '{}') else f'`{self.default}`'
        text = self.default.strip("'")
        if text.isdigit():
            return amount(text, self.is_time)
        return f'`{text}`' if self.words else text or 'none'


def number(text):
    return f'{int(text):,}'


def amount(text, is_time):
    return number(text) + (' ms' if is_time and text != '0' else '')


def span(low, high, is_time=False):
    return f'{low:,} to {high:,}' + (' ms' if is_time else '')


def read_schema():
    root = xml.etree.ElementTree.parse(tree.ROOT / SCHEMA).getroot()
    enums = {enum.get('id'): [value.get('nick') for value in enum] for enum in root.findall('enum')}
    return {schema.get('id'): {key.get('name'): Key(key, enums) for key in schema.findall('key')}
            for schema in root.findall('schema')}


def read_aliases():
    """What else a key of a server is called in the files of other programs."""
    file = next(path for path in tree.files('/gmcp-config-entry-keys.c'))
    aliases = {}
    for alias, key in ALIAS.findall(tree.read(file)):
        aliases.setdefault(key, []).append(alias)
    return aliases


def underscores(camel):
    words = re.sub(r'([A-Z])', r'_\1', camel).lower()
    return re.sub(r'_ms$', '_seconds', words)


def row(*cells):
    return '| ' + ' | '.join(cells) + ' |'


def code(name):
    return f'`{name}`' if name else '–'


def server_rows(listed, generals, schemas, aliases):
    server = schemas['org.gmcp.Server']
    yield row('JSON', 'YAML, TOML', 'GSettings', 'default', 'values', 'what it is')
    yield row(*['---'] * 6)
    said = set()
    for name, prop, kind, default, low, high, summary in listed:
        if name in SPECIAL:
            key_name, values = SPECIAL[name]
            key = server.get(key_name)
        else:
            key = server.get(prop)
            values = key.values() if key else {'gboolean': 'true, false', 'gchararray': 'text', 'GStrv': 'list'}.get(kind)
        if high:
            values = span(low, high, prop.endswith('-ms') or name.endswith('Ms'))
        elif values is None:
            values = key.values() if key else ', '.join(code(word) for word in kind.split('|'))
        general = generals.get(prop, '0')
        if general != '0' and default == '0':
            shown = f'{amount(general, prop.endswith("-ms"))}, as for all servers'
        elif name in FILE_DEFAULTS:
            shown = FILE_DEFAULTS[name]
            if key and key.name == name and key.shown_default() != shown:
                shown += f'; in GSettings {key.shown_default()}'
        else:
            shown = (key.shown_default() if key else amount(default, prop.endswith('-ms')) if default.isdigit()
                     else code(default) if '|' in kind else default or 'none')
        names = ''.join(f', {code(alias)}' for alias in aliases.get(name, []))
        said.add(key.name if key else None)
        yield row(code(name) + names, code(underscores(name)), code(key.name if key else None), shown, values, summary)
    for key in server.values():
        if key.name not in said:
            yield row('–', '–', code(key.name), key.shown_default(), key.values(), key.summary)


def manager_rows(listed, schemas):
    manager = schemas['org.gmcp.Manager']
    yield row('files', 'GSettings', 'default', 'values', 'what it is')
    yield row(*['---'] * 5)
    said = set()
    for name, prop, _, default, low, high, summary in listed:
        key = manager.get(prop)
        said.add(prop)
        shown = (key.shown_default() if key else amount(default, prop.endswith('-ms')) if default.isdigit()
                 else default or 'none')
        yield row(code(name), code(prop if key else None), shown,
                  span(low, high, prop.endswith('-ms')) if high else key.values() if key else 'text',
                  summary)
    for key in manager.values():
        if key.name not in said:
            yield row('–', code(key.name), key.shown_default(), key.values(), key.summary)


def other_rows(keys, names):
    yield row('files', 'GSettings', 'default', 'values', 'what it is')
    yield row(*['---'] * 5)
    for key in keys.values():
        yield row(code(names.get(key.name, key.name.replace('-', '_'))), code(key.name), key.shown_default(), key.values(),
                  key.summary)


def daemon_rows(keys):
    yield row('GSettings', 'option', 'default', 'values', 'what it is')
    yield row(*['---'] * 5)
    for key in keys.values():
        yield row(code(key.name), code(OPTIONS.get(key.name, f'--{key.name}')), key.shown_default(), key.values(), key.summary)


def make_tables(build):
    program = build / 'tests' / 'style' / 'list-config-keys'
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    lines = [line.split('\t') for line in output.splitlines()]
    schemas = read_schema()

    def of(place):
        return [(name, prop, kind, default, int(low), int(high), said or MISSING)
                for where, name, prop, kind, default, low, high, said in lines if where == place]

    generals = {prop: default for _, prop, _, default, *_ in of('settings')}
    tables = {'servers': server_rows(of('server'), generals, schemas, read_aliases()),
              'settings': manager_rows(of('settings'), schemas), 'daemon': daemon_rows(schemas['org.gmcp.Daemon'])}
    for schema, names in PLACES.items():
        tables[schema.rpartition('.')[2].lower()] = other_rows(schemas[schema], names)
    settings = {prop: said for _, prop, *_, said in of('settings')}
    problems = [f'{SCHEMA}: {key.name} is said to be “{key.summary}”, and by the code “{settings[key.name]}”'
                for key in schemas['org.gmcp.Manager'].values() if settings.get(key.name, key.summary) != key.summary]
    return {name: '\n'.join(rows) for name, rows in tables.items()}, problems


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--update']
    text = tree.read(PAGE)
    tables, problems = make_tables(pathlib.Path(arguments[0]) if arguments else tree.ROOT / 'build')
    for name, table in tables.items():
        block = f'<!-- keys: {name} -->\n\n{table}\n\n<!-- end -->'
        found = re.search(rf'<!-- keys: {name} -->.*?<!-- end -->', text, re.S)
        if found is None:
            problems.append(f'{PAGE} has no table of {name}')
        elif found[0] != block and '--update' not in sys.argv[1:]:
            problems.append(f'{PAGE}: the table of {name} is another one')
        else:
            text = text.replace(found[0], block)
    if '--update' in sys.argv[1:]:
        (tree.ROOT / PAGE).write_text(text, encoding='utf-8')
    problems += [f'{PAGE}: nothing is said of a key: {line}' for line in text.splitlines() if line.endswith(f'| {MISSING} |')]
    tree.report(problems, 'tables of keys (check-config-keys.py --update writes the present ones)')


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guide's pages are built, are found from its start, and lead somewhere, and what they say of the code is so:
the variables that it reads, the messages that it has, the files and objects that the page on the architecture names.
"""
import re

import tree

DOCS = tree.ROOT / 'data' / 'docs'
# Calls that take the name of a variable, and tables of such names.
CALL = re.compile(r'\b(?:g_|secure_)?(?:environ_)?(?:un)?(?:get|set)env \((?:[^";]*,\s*)?"([A-Za-z_]+)"')
TABLE = re.compile(r'\bconst \w*(?:names|prefixes|variables)\[\]\s*=\s*\{([^}]*)\}')
DEFINE = re.compile(r'#define \w+_VARIABLE +"([A-Z_]+)"')
VARIABLE = re.compile(r'"(?:env\.)?([A-Z][A-Z0-9_]+|(?:https?|no|all)_proxy|npm_config_\w+)"')
GMCP_VARIABLE = re.compile(r'\bGMCP_[A-Z_]+\b')


def check_links(page, text, anchors):
    for target in re.findall(r'\]\(([\w-]+\.html)\b', text):
        yield f'data/docs/{page}.md: pages link to each other as .md, not to {target}'
    for target, anchor in re.findall(r'\]\(([\w-]*)(?:\.md)?(?:#([\w-]+))?\)', text):
        target = target or page
        if target not in anchors:
            yield f'data/docs/{page}.md: there is no page {target}.md'
        elif anchor and anchor not in anchors[target]:
            yield f'data/docs/{page}.md: {target}.md has no heading #{anchor}'


def make_anchor(heading):
    """As gi-docgen's Markdown makes it."""
    return re.sub(r'[\s]+', '-', re.sub(r'[^\w\s-]', '', heading.strip().lower()))


def headings(text):
    return {make_anchor(line) for line in re.findall(r'^#+ (.*)$', text, re.M)}


def check_pages():
    built = re.search(r'docs_pages = \[(.*?)\]', tree.read('data/docs/meson.build'), re.S)[1]
    built = re.findall(r"'([\w-]+)\.md'", built)
    pages = {path.stem: path.read_text(encoding='utf-8') for path in sorted(DOCS.glob('*.md'))}
    anchors = {name: headings(text) for name, text in pages.items()}
    yield from (f'data/docs/meson.build: {name}.md is not built' for name in sorted(set(pages) - set(built)))
    for name, text in pages.items():
        head = re.match(r'Title: (.+)\nSlug: (.+)\n\n', text)
        if head is None or head[2] != name:
            yield f'data/docs/{name}.md: it does not begin with its title and “Slug: {name}”'
        elif not re.search(rf'^# {re.escape(head[1])}$', text, re.M):
            yield f'data/docs/{name}.md: its first heading is not its title, {head[1]}'
        yield from check_links(name, text, anchors)
        if name != 'overview' and f']({name}.md' not in pages.get('overview', ''):
            yield f'data/docs/overview.md: it does not lead to {name}.md'


def read_variables():
    """What the environment is asked for, by the library, its module and its programs."""
    found = {}
    for path in tree.files('.c', '.h'):
        if path.parts[0] not in ('src', 'plugin'):
            continue
        text = tree.without_comments(tree.read(path))
        names = CALL.findall(text) + DEFINE.findall(text)
        for table in TABLE.findall(text):
            words = re.findall(r'"[^"]*"', table)
            variables = VARIABLE.findall(table)
            # A table of other words has other words in it.
            if len(variables) == len(words):
                names += variables
        found.update({name: path for name in names})
    return found


def check_environment():
    page = (DOCS / 'environment.md').read_text(encoding='utf-8')
    shown = set(re.findall(r'`([A-Za-z0-9_]+)`', page))
    found = read_variables()
    yield from (f'data/docs/environment.md: {name} is missing, see {path}'
                for name, path in sorted(found.items()) if name not in shown)
    known = set(found)
    for path in [*tree.files('.py', '.c', '.mjs', '.sh', 'meson.build'), 'dev', 'tests/bench/run']:
        known.update(GMCP_VARIABLE.findall(tree.read(path)))
    yield from (f'data/docs/environment.md: nothing reads {name}'
                for name in sorted(shown) if name.startswith('GMCP_') and name not in known)


def check_messages():
    """What the page on troubleshooting says that an error says is what one says."""
    said = ''
    for path in tree.files('.c'):
        if path.parts[0] == 'src':
            # Texts over several lines are one, and what is filled in is a gap.
            text = re.sub(r'"\s+"', '', tree.without_comments(tree.read(path)))
            said += '\n'.join(string for string in re.findall(r'"((?:\\.|[^"\\\n])*)"', text)) + '\n'
    page = (DOCS / 'troubleshooting.md').read_text(encoding='utf-8')
    for cell in re.findall(r'^\| (`.*?`) \|', page, re.M):
        for message in re.findall(r'`([^`]+)`', cell):
            pattern = '[^\n]*'.join(re.escape(part.strip()) for part in message.split('…'))
            if not re.search(pattern, said):
                yield f'data/docs/troubleshooting.md: nothing says “{message}”'


def check_places():
    """The page on the architecture names files that are there, and objects that the code has."""
    page = (DOCS / 'architecture.md').read_text(encoding='utf-8')
    for path in re.findall(r'`((?:src|tests|include)/[\w./-]*)`', page):
        if not (tree.ROOT / path).exists():
            yield f'data/docs/architecture.md: there is no {path}'
    code = ''.join(tree.read(path) for path in tree.files('.h') if path.parts[0] in ('src', 'include'))
    code += ''.join(tree.read(path) for path in tree.files('.c') if path.parts[0] == 'src')
    for name in sorted(set(re.findall(r'`(Gmcp\w+)`', page))):
        if not re.search(rf'\b{name}\b', code):
            yield f'data/docs/architecture.md: there is no {name}'


def main():
    tree.report([*check_pages(), *check_environment(), *check_messages(), *check_places()], 'the guide')


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: LGPL-2.1-or-later
"""The floors of src/ from the top down, with the rooms on each: the table of check-layers.py, and the
picture data/docs/floors.svg, which `check-layers.py --update` draws from it.

A room may use the rooms of all floors below its own. Rooms of one folder on one floor are listed from the top
down too: each may use those that come after it. BESIDE has what a room may use besides. PLANNED are the rooms
that have no folder yet, which the picture leaves out.
"""
import html

# (what the floor is, [(folder, [its rooms from the top down; '.' is the folder itself])], what it holds)
FLOORS = [
    ('programs', [('cli', '. shell commands syntax tools servers questions host screen'), ('daemon', '. api gateway doors control questions'), ('tasks-server', '. doors served store databases record'), ('plugin', '.')],
     'A small main, and one file a subcommand. Programs see public headers only.'),
    ('one door', [('gateway', '.')], 'All servers behind one endpoint.'),
    ('facade', [('manager', '. context lint catalog config')],
     'The table of servers, the list of tools, the way of a call.'),
    ('one server', [('supervisor', '. life start kept')], 'Its process, connection, states, health and restarts.'),
    ('rules and records', [('policy', '.'), ('audit', '.')], 'Who may call what, and who is asked; what happened.'),
    ('two ends', [('client', '. eras features cache session'), ('server', 'socket http tokens eras . tasks'), ('provider', 'desktop/objects desktop arguments registry . names'),
                  ('config', 'import file settings source filling .')],
     'The ends of the protocol; what hosts see; what is configured.'),
    ('transport', [('transport', 'stdio sandbox process http . guard')], 'Child processes, HTTP, sockets, a pair in memory.'),
    ('words', [('json-rpc', '.'), ('protocol', 'questions calls tasks .'), ('json-schema', '.'), ('formats', '.'),
               ('redaction', '.'), ('auth', '.')],
     'Messages, the values of MCP, schemas, file formats, secrets.'),
    ('bytes', [('json', '.'), ('http', '.'), ('storage', '.')],
     'Strict JSON; requests with limits; files that must not be lost or block.'),
    ('ground', [('core', '.'), ('search', '.')], 'Errors, limits, lists; the module that searches.'),
]

# A configuration has the enumerations that hosts see; what a server serves is a provider.
BESIDE = {
    'config': {'provider'},
    'server': {'provider'},
}

PLANNED = {'auth'}

PROGRAMS = {folder for folder, _ in FLOORS[0][1]}


def _rooms():
    """Room -> (floor counted from the top, folder, place in the folder)."""
    found = {}
    for height, (_, folders, _) in enumerate(FLOORS):
        for folder, names in folders:
            for place, name in enumerate(names.split()):
                found[folder if name == '.' else f'{folder}/{name}'] = (height, folder, place)
    return found


ROOMS = _rooms()


def may_use(room, other):
    if room == other:
        return True
    height, folder, place = ROOMS[room]
    other_height, other_folder, other_place = ROOMS[other]
    if other_height > height or (folder == other_folder and other_place > place):
        return True
    return other_folder in BESIDE.get(folder, ())


# The picture: a floor is a band, a folder a box, the rooms in it a line of words.
WIDTH, BAND, MARGIN, LABEL = 960, 62, 12, 144


def _text(x, y, words, size, extra=''):
    return f'<text x="{x}" y="{y}" font-size="{size}"{extra}>{html.escape(words)}</text>'


def draw():
    height = MARGIN + len(FLOORS) * BAND
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           'font-family="sans-serif" fill="#1e1e1e">',
           '<title>The floors of gmcp: what is higher uses what is lower</title>',
           f'<rect width="{WIDTH}" height="{height}" fill="#fafafa"/>']
    for i, (name, folders, what) in enumerate(FLOORS):
        top = MARGIN + i * BAND
        out.append(_text(MARGIN, top + 24, name, 14, ' font-weight="bold"'))
        out.append(_text(LABEL, top + BAND - 10, what, 11, ' fill="#5e5c64"'))
        x = LABEL
        folders = [(folder, names) for folder, names in folders if folder not in PLANNED]
        weights = [max(len(folder), len(_inside(names))) + 3 for folder, names in folders]
        step = (WIDTH - LABEL - MARGIN) / sum(weights)
        for (folder, names), weight in zip(folders, weights):
            width = round(weight * step) - 6
            inside = _inside(names)
            out.append(f'<rect x="{x}" y="{top}" width="{width}" height="{BAND - 24}" rx="5" '
                       'fill="#deddff" stroke="#6b5fbf"/>')
            out.append(_text(x + width // 2, top + (16 if inside else 23), folder, 13, ' text-anchor="middle"'))
            if inside:
                out.append(_text(x + width // 2, top + 31, inside, 10, ' text-anchor="middle" fill="#5e5c64"'))
            x += width + 6
    return '\n'.join(out + ['</svg>', ''])


def _inside(names):
    return ' '.join(name for name in names.split() if name != '.')

#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program that changes what is configured: from a text, in a file, into another program's file, and looks at logs."""
import json
import pathlib
import tempfile

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp

temporary = tempfile.TemporaryDirectory(prefix='gmcp-editing-', ignore_cleanup_errors=True)  # until the program ends
folder = pathlib.Path(temporary.name)
path = folder / 'mcp.json'
path.write_text('{\n  // mine\n  "mcpServers": {\n    "old": {"command": "true"}\n  }\n}\n')
file = Gio.File.new_for_path(str(path))
loop = GLib.MainLoop()


def run(start, finish):
    """Waits for one asynchronous function."""
    results = []
    start(lambda source, result: (results.append(result), loop.quit()))
    loop.run()
    return finish(results[0])


def expect_error(code, start, finish):
    try:
        run(start, finish)
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), code), error
        return error.message
    raise AssertionError('no error')


# What was copied from a page.
text = Gmcp.ConfigImport.new_for_text('"new": {"command": "npx", "args": ["-y", "${HOME}/x"]}', None)
assert text.get_file() is None
text.set_target_file(file)
assert run(lambda done: text.load_async(None, done), text.load_finish)
assert [item.get_id() for item in text.get_items()] == ['new']
assert run(lambda done: text.apply_async(None, None, done), text.apply_finish)
assert '// mine' in path.read_text()

broken = Gmcp.ConfigImport.new_for_text('{', None)
expect_error(Gmcp.Error.INVALID_CONFIG, lambda done: broken.load_async(None, done), broken.load_finish)

# What stands in a file.
source = Gmcp.FileConfigSource.new(file)
assert run(lambda done: source.set_server_enabled_async('old', False, None, done), source.set_server_enabled_finish)
assert json.loads(path.read_text().replace('// mine', ''))['mcpServers']['old'] == {'command': 'true', 'disabled': True}
assert run(lambda done: source.remove_server_async('old', None, done), source.remove_server_finish)
assert '"old"' not in path.read_text() and '// mine' in path.read_text()
message = expect_error(Gmcp.Error.INVALID_CONFIG, lambda done: source.remove_server_async('old', None, done),
                       source.remove_server_finish)
assert message.count(str(path)) == 1, message

before = run(lambda done: source.read_server_text_async('new', None, done), source.read_server_text_finish)
assert json.loads(before)['command'] == 'npx', before
write = lambda text: run(lambda done: source.write_server_text_async('new', before, text, None, done), source.write_server_text_finish)
assert write(before.replace('npx', 'uvx'))
assert '"uvx"' in path.read_text() and '// mine' in path.read_text()
# Something else stands there by now, and this is no server either.
for text in [before, '{}']:
    expect_error(Gmcp.Error.INVALID_CONFIG, lambda done: source.write_server_text_async('new', before, text, None, done),
                 source.write_server_text_finish)

# A file to begin with.
try:
    template = Gmcp.FileConfigSource.dup_template('x.yaml')
    assert all(line.startswith('#') or not line for line in template.splitlines()), template
except GLib.Error as error:
    # A build may do without YAML.
    assert error.matches(Gmcp.error_quark(), Gmcp.Error.NOT_SUPPORTED)
assert '"mcpServers"' in Gmcp.FileConfigSource.dup_template('x.json')
try:
    Gmcp.FileConfigSource.dup_template('x.toml')
    raise AssertionError('a template in TOML')
except GLib.Error as error:
    assert error.matches(Gmcp.error_quark(), Gmcp.Error.NOT_SUPPORTED)

# For another program.
config = Gmcp.ServerConfig(id='new', argv=['npx', '${HOME}/x'], environment=['TOKEN=sk-abcdefgh12345678'])
export = Gmcp.ConfigExport.new('cursor')
export.add_server(config)
written, notes = run(lambda done: export.write_async(None, done), export.write_finish)
assert json.loads(written) == {'mcpServers': {'new': {'command': 'npx', 'args': ['${env:HOME}/x'],
                                                      'env': {'TOKEN': '${env:TOKEN}'}}}}, written
assert len(notes) == 1 and 'TOKEN' in notes[0], notes
export.props.with_secrets = True
assert 'sk-abcdefgh12345678' in run(lambda done: export.write_async(None, done), export.write_finish)[0]

# For a program that nobody knows, or none.
for unknown in [Gmcp.ConfigExport(), Gmcp.ConfigExport(program='nobody')]:
    unknown.add_server(config)
    expect_error(Gmcp.Error.INVALID_ARGUMENT, lambda done: unknown.write_async(None, done), unknown.write_finish)

# The gateway in the file of another program.
theirs = folder / '.cursor' / 'mcp.json'
theirs.parent.mkdir()
theirs.write_text('{"mcpServers": {"web": {"command": "web"}}}\n')
connection = Gmcp.ProgramConnection.new(None, Gio.File.new_for_path(str(theirs)))
connection.props.executable = '/opt/bin/gmcp'
connection.props.arguments = ['--search']
expect_error(Gmcp.Error.INVALID_ARGUMENT, lambda done: connection.connect_async(None, done), connection.connect_finish)
assert run(lambda done: connection.load_async(None, done), connection.load_finish)
assert (connection.get_title(), connection.get_state()) == ('Cursor', Gmcp.ProgramConnectionState.ABSENT)
assert connection.dup_command() == ['/opt/bin/gmcp', 'gateway', '--search']
assert connection.props.other_names == ['web']
assert '+    "args": ["gateway", "--search"]' in connection.preview_connect()
assert run(lambda done: connection.connect_async(None, done), connection.connect_finish)
assert connection.props.state == Gmcp.ProgramConnectionState.CONNECTED
assert json.loads(theirs.read_text())['mcpServers']['gmcp'] == {'command': '/opt/bin/gmcp', 'args': ['gateway', '--search']}
assert connection.props.backup_file.get_path() == f'{theirs}.before-gmcp'
assert run(lambda done: connection.disconnect_async(None, done), connection.disconnect_finish)
assert theirs.read_text() == '{"mcpServers": {"web": {"command": "web"}}}\n'

# What was written down.
log = folder / 'one.log'
log.write_text('2026-01-01T20:00:00Z | printed\n2026-01-01T20:00:01Z [warning] slow\n')
reader = Gmcp.LogReader.new('one', Gio.File.new_for_path(str(log)))
first, second = run(lambda done: reader.read_async(None, 0, None, done), reader.read_finish)
assert (first.get_text(), first.get_origin()) == ('printed', Gmcp.LogOrigin.STDERR)
assert (second.props.text, second.get_level(), second.get_server_id()) == ('slow', Gmcp.NoticeLevel.WARNING, 'one')
assert second.get_time().to_unix() - first.props.time.to_unix() == 1
assert len(run(lambda done: reader.read_async(second.get_time(), 0, None, done), reader.read_finish)) == 1
with open(log, 'a', encoding='utf-8') as more:
    more.write('2026-01-01T20:00:02Z stdout| more\n')
assert [entry.get_text() for entry in run(lambda done: reader.read_new_async(None, done), reader.read_new_finish)] == ['more']

# What the rules say.
manager = Gmcp.Manager.new()
manager.add_role(Gmcp.Role.new('careful', ['one.*'], ['one.drop']))
assert manager.judge_tool('one', 'read', 'careful') == (Gmcp.Permission.ALLOWED, 'role careful, allowed-tools: one.*')
assert manager.judge_tool('one', 'drop', 'careful') == (Gmcp.Permission.REFUSED, 'role careful, denied-tools: one.drop')
assert manager.judge_tool('one', 'drop', None) == (Gmcp.Permission.ALLOWED, None)

# What serves nothing, and where a server is found.
try:
    Gmcp.HttpEndpoint().listen(0)
    raise AssertionError('it serves nothing')
except GLib.Error as error:
    assert error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.NOT_INITIALIZED), error
assert Gmcp.HttpEndpoint(path='elsewhere').props.path == '/elsewhere'
assert Gmcp.HttpEndpoint().props.path == '/mcp'

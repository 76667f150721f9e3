// SPDX-License-Identifier: LGPL-2.1-or-later
// A program that changes what is configured: from a text, in a file, and into another program's file.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';

for (const name of ['load', 'apply'])
    Gio._promisify(Gmcp.ConfigImport.prototype, `${name}_async`);
for (const name of ['remove_server', 'set_server_enabled', 'read_server_text', 'write_server_text'])
    Gio._promisify(Gmcp.FileConfigSource.prototype, `${name}_async`);
Gio._promisify(Gmcp.ConfigExport.prototype, 'write_async');
Gio._promisify(Gmcp.LogReader.prototype, 'read_async');
for (const name of ['load', 'connect', 'disconnect'])
    Gio._promisify(Gmcp.ProgramConnection.prototype, `${name}_async`);

function assert(condition, what) {
    if (!condition)
        throw new Error(what);
}

const folder = GLib.dir_make_tmp('gmcp-editing-XXXXXX');
const path = GLib.build_filenamev([folder, 'mcp.json']);
const file = Gio.File.new_for_path(path);
const read = () => new TextDecoder().decode(file.load_contents(null)[1]);
GLib.file_set_contents(path, '{\n  // mine\n  "mcpServers": {\n    "old": {"command": "true"}\n  }\n}\n');

const text = Gmcp.ConfigImport.new_for_text('"new": {"command": "npx"}', null);
text.set_target_file(file);
await text.load_async(null);
assert(text.get_items().get_item(0).get_id() === 'new', 'the server of the text');
await text.apply_async(null, null);
assert(read().includes('// mine') && read().includes('"new"'), read());

const source = Gmcp.FileConfigSource.new(file);
await source.set_server_enabled_async('old', false, null);
assert(read().includes('"disabled": true'), read());
await source.remove_server_async('old', null);
assert(!read().includes('"old"'), read());
let refused = false;
try {
    await source.remove_server_async('old', null);
} catch (error) {
    refused = error.matches(Gmcp.Error, Gmcp.Error.INVALID_CONFIG);
}
assert(refused, 'what is not there is not removed');

const before = await source.read_server_text_async('new', null);
await source.write_server_text_async('new', before, before.replace('npx', 'uvx'), null);
assert(read().includes('"uvx"') && read().includes('// mine'), read());

assert(Gmcp.FileConfigSource.dup_template('x.json').includes('"mcpServers"'), 'the template');

const written = Gmcp.ConfigExport.new('opencode');
written.add_server(new Gmcp.ServerConfig({id: 'new', argv: ['npx', '-y'], environment: ['A=${B}']}));
const [config, notes] = await written.write_async(null);
assert(JSON.parse(config).mcp.new.environment.A === '{env:B}', config);
assert(notes.length === 0, notes.join());

const theirs = GLib.build_filenamev([folder, '.mcp.json']);
GLib.file_set_contents(theirs, '{}');
const connection = new Gmcp.ProgramConnection({program: 'claude-code', file: Gio.File.new_for_path(theirs), executable: '/opt/bin/gmcp'});
await connection.load_async(null);
assert(connection.state === Gmcp.ProgramConnectionState.ABSENT, 'not connected yet');
assert(connection.preview_connect().includes('+      "args": ["gateway"]'), connection.preview_connect());
await connection.connect_async(null);
assert(connection.entry_command.join(' ') === '/opt/bin/gmcp gateway', connection.entry_command.join(' '));
await connection.disconnect_async(null);
assert(new TextDecoder().decode(GLib.file_get_contents(theirs)[1]) === '{}', 'as it was before');

GLib.file_set_contents(GLib.build_filenamev([folder, 'one.log']), '2026-01-01T20:00:01Z [error] broke\n');
const reader = Gmcp.LogReader.new('one', file.get_parent().get_child('one.log'));
const [entry] = await reader.read_async(null, 0, null);
assert(entry.get_text() === 'broke' && entry.level === Gmcp.NoticeLevel.ERROR, entry.get_text());

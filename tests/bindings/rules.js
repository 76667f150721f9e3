// SPDX-License-Identifier: LGPL-2.1-or-later
// A host with a role and questions before calls: rules.js PYTHON SERVER
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.ToolProvider.prototype, 'load_async');
Gio._promisify(Gmcp.ToolProvider.prototype, 'call_tool_json_async');
Gio._promisify(Gmcp.Manager.prototype, 'check_requirements_async');
Gio._promisify(Gmcp.Manager.prototype, 'close_async');

function assert(condition, what) {
    if (!condition)
        throw new Error(what);
}

const folder = GLib.dir_make_tmp('gmcp-rules-XXXXXX');
const config = GLib.build_filenamev([folder, 'mcp.json']);
const [python, server] = ARGV;
GLib.file_set_contents(config, JSON.stringify({
    mcp_settings: {load_wait_seconds: 600},
    mcpServers: {one: {command: python, args: [server, '--tools', 'read,drop,pid']}},
}));

const manager = new Gmcp.Manager({role: 'careful', ask_first: ['*.drop']});
manager.set_config_file(Gio.File.new_for_path(config));
manager.set_state_directory(Gio.File.new_for_path(folder).get_child('state'));
manager.add_role(Gmcp.Role.new('careful', ['one.*'], ['one.pid']));

async function refused(name) {
    try {
        await manager.call_tool_json_async(name, null, null, null);
    } catch (error) {
        assert(error.matches(Gmcp.error_quark(), Gmcp.Error.NOT_PERMITTED), error.message);
        return;
    }
    throw new Error(`${name} was called`);
}

await manager.load_async(null);
assert(manager.get_tools().get_n_items() === 2, 'one.pid is listed');
await refused('one__pid');
await refused('one__drop');

let answer = request => request.allow_always();
let asked = 0;
manager.connect('call-requested', (provider, request) => {
    asked++;
    GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
        answer(request);
        return GLib.SOURCE_REMOVE;
    });
});
for (let i = 0; i < 2; i++) {
    // eslint-disable-next-line no-await-in-loop
    const result = await manager.call_tool_json_async('one.drop', null, null, null);
    assert(result.dup_text() === 'drop', 'one.drop');
}
assert(asked === 1, 'asked again');
manager.ask_first = ['*'];
answer = request => request.decline();
await refused('one.read');

const needs = Gmcp.Requirements.new(null, ['one'], ['three'], null);
const report = await manager.check_requirements_async(needs, null);
assert(report.readiness === Gmcp.Readiness.DEGRADED, 'not degraded');
await manager.close_async(null);

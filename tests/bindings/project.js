// SPDX-License-Identifier: LGPL-2.1-or-later
// A host that gathers the context of a project, and runs a prompt of a server as a command: project.js PYTHON SERVER
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';

for (const name of ['get_context', 'list_prompts', 'get_prompt', 'sync', 'close'])
    Gio._promisify(Gmcp.Manager.prototype, `${name}_async`);

function assert(condition, what) {
    if (!condition)
        throw new Error(what);
}

const folder = GLib.dir_make_tmp('gmcp-project-XXXXXX');
const config = GLib.build_filenamev([folder, 'mcp.json']);
const [python, server] = ARGV;
GLib.file_set_contents(config, JSON.stringify({
    mcpServers: {notes: {command: python, args: [
        '-S', server, '--resource', 'notes://a=alpha', '--prompt', 'sum', '--instructions', 'Be brief.']}},
}));

const manager = new Gmcp.Manager({config_file: Gio.File.new_for_path(config), resource_timeout_ms: 60000});
manager.set_state_directory(Gio.File.new_for_path(folder).get_child('state'));
manager.add_project(new Gmcp.Project({
    id: 'demo', title: 'Demo', serverIds: ['notes'], resources: ['notes://a', 'notes://none'],
}));

const context = await manager.get_context_async('demo', null);
const [resource, ...others] = context.list_resources();
assert(others.length === 0 && resource.get_server_id() === 'notes' && resource.get_text() === 'alpha 1', 'the resource');
assert(context.get_instructions() === '# notes\n\nBe brief.\n', context.get_instructions());
assert(context.get_notes().length === 1 && !context.is_complete(), 'what is missing');
assert(JSON.parse(context.dup_json()).project === 'demo', context.dup_json());

assert(await manager.sync_async(null, null), 'sync');
const again = await manager.get_context_async('demo', null);
assert(again.list_resources()[0].get_text() === 'alpha 2', 'what was kept is read again');

const [command] = await manager.list_prompts_async(null);
assert(command.get_name() === 'notes__sum', command.get_name());
const prompt = await manager.get_prompt_async('notes__sum', {topic: 'rain'}, null, null);
assert(prompt.dup_json().includes('sum about rain'), prompt.dup_json());
await manager.close_async(null);

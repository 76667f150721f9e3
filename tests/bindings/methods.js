// SPDX-License-Identifier: LGPL-2.1-or-later
// Methods of objects as tools, in GJS.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import Gmcp from 'gi://Gmcp';

const Group = GObject.registerClass(class Group extends Gio.SimpleActionGroup {});

function assertEqual(found, expected) {
    if (JSON.stringify(found) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
}

const group = new Group();
group.add_action(Gio.SimpleAction.new_stateful('dark', null, GLib.Variant.new_boolean(true)));
const tools = Gmcp.ObjectTools.new(group);
tools.add_method('list_actions', null);
tools.add_method('get_action_state', Gmcp.Tool.new('state', 'Says how it is', null));
tools.add_method('change_action_state', null);
let refusal = null;
try {
    tools.add_method('lookup_action', null);
} catch (error) {
    refusal = error;
}
if (!refusal?.matches(Gmcp.Error, Gmcp.Error.NOT_SUPPORTED))
    throw new Error(`lookup_action gives an object: ${refusal}`);
assertEqual([...tools.get_tools()].map(tool => tool.get_name()), ['list_actions', 'state', 'change_action_state']);

const loop = new GLib.MainLoop(null, false);
let problem = null;

async function call() {
    const read = async (name, given) => JSON.parse((await tools.call_tool_async(name, given)).dup_structured_content_json());

    assertEqual(await read('list_actions', {}), {result: ['dark']});
    assertEqual(await read('state', {action_name: 'dark'}), {result: true});
    assertEqual(await read('state', {action_name: 'none'}), {result: null});
    const changed = await tools.call_tool_async('change_action_state', {action_name: 'dark', value: false});
    assertEqual(changed.get_text(), '“change_action_state” was called.');
    assertEqual(await read('state', {action_name: 'dark'}), {result: false});
}

call().catch(error => {
    problem = error;
}).finally(() => loop.quit());
loop.run();
if (problem)
    throw problem;

// SPDX-License-Identifier: LGPL-2.1-or-later
// Actions as tools, in GJS.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp';

function assertEqual(found, expected) {
    if (JSON.stringify(found) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
}

function assertThrows(run, part) {
    try {
        run();
    } catch (error) {
        if (!error.message.includes(part))
            throw error;
        return;
    }
    throw new Error(`nothing is said of ${part}`);
}

const group = new Gio.SimpleActionGroup();
const dark = Gio.SimpleAction.new_stateful('dark', null, GLib.Variant.new_boolean(false));
const open = Gio.SimpleAction.new('open', new GLib.VariantType('as'));
const opened = [];
open.connect('activate', (_action, files) => opened.push(...files.deepUnpack()));
group.add_action(dark);
group.add_action(open);

const tools = Gmcp.ActionTools.new(group);
tools.add_action('open', Gmcp.Tool.new('open_files', 'Opens files', null));
tools.add_action('dark', null);
tools.add_state_reader('dark', null);
assertThrows(() => tools.add_state_setter('open', null), 'no state');
assertThrows(() => tools.add_action('dark', null), 'already');
assertEqual([...tools.get_tools()].map(tool => tool.get_name()), ['open_files', 'dark', 'get-dark']);

const loop = new GLib.MainLoop(null, false);
let problem = null;

async function call() {
    const result = await tools.call_tool_async('open_files', {parameter: ['a', 'b']});
    assertEqual(result.get_text(), '“open” was activated.');
    assertEqual(opened, ['a', 'b']);
    assertEqual((await tools.call_tool_async('open_files', {parameter: 'a'})).is_error(), true);
    assertEqual(JSON.parse((await tools.call_tool_async('dark', {})).dup_structured_content_json()), {state: true});
    assertEqual(JSON.parse((await tools.call_tool_async('get-dark', {})).dup_structured_content_json()), {state: true});
    dark.enabled = false;
    assertEqual((await tools.call_tool_async('dark', {})).get_text(), 'The action “dark” is disabled now');
}

call().catch(error => {
    problem = error;
}).finally(() => loop.quit());
loop.run();
if (problem)
    throw problem;

#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// A host with a tool of its own beside those of a server, and with a provider that searches by itself.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';
import Gmcp from 'gi://Gmcp?version=1';

for (const type of [Gmcp.ToolProvider, Gmcp.ToolRegistry, Gmcp.MetaTools, Gmcp.Manager]) {
    Gio._promisify(type.prototype, 'load_async');
    Gio._promisify(type.prototype, 'search_async');
    Gio._promisify(type.prototype, 'call_tool_json_async');
}
Gio._promisify(Gmcp.Manager.prototype, 'close_async');

const script = GLib.build_filenamev([GLib.getenv('G_TEST_SRCDIR'), 'servers', 'managed-server.py']);
const folder = GLib.Dir.make_tmp('gmcp-registry-XXXXXX');
const config = GLib.build_filenamev([folder, 'mcp.json']);
GLib.file_set_contents(config, JSON.stringify({mcp_settings: {load_wait_seconds: 600}, mcpServers: {
    one: {command: '/usr/bin/python3', args: ['-S', script, '--tools', 'echo,env']},
}}));

// Finds its only tool whatever is asked.
const LuckyProvider = GObject.registerClass({
    GTypeName: 'LuckyProvider',
    Implements: [Gmcp.ToolProvider],
}, class LuckyProvider extends GObject.Object {
    _init() {
        super._init();
        this._tools = new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
        this._tools.append(Gmcp.Tool.new_from_json('{"name": "lucky"}'));
    }

    vfunc_get_tools() {
        return this._tools;
    }

    vfunc_search(search) {
        const tool = this._tools.get_item(0);
        search.return_matches([Gmcp.ToolMatch.new(tool, search.get_limit(), search.get_detail())]);
    }
});

function check(holds, what) {
    if (!holds)
        throw new Error(`not so: ${what}`);
}

async function run() {
    const registry = Gmcp.ToolRegistry.new();
    const manager = new Gmcp.Manager({config_file: Gio.File.new_for_path(config)});
    registry.add_provider('servers', manager);
    registry.add_function('count_words', 'Counts the words of a text',
        JSON.stringify({type: 'object', properties: {text: {type: 'string'}}, required: ['text']}),
        call => {
            const {text} = JSON.parse(call.get_arguments_json());
            // An answer may come later, as that of a real tool does.
            GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
                call.return_result(Gmcp.ToolResult.new_text(`${text.split(/\s+/).length} words`));
                return GLib.SOURCE_REMOVE;
            });
        });
    await registry.load_async(null);
    check(registry.get_tools().get_n_items() === 3, 'all tools are in one list');

    const counted = await registry.call_tool_json_async('count_words', '{"text": "to be or not"}', null, null);
    check(counted.dup_text() === '4 words', 'the own tool is called');
    const refused = await registry.call_tool_json_async('count_words', '{}', null, null);
    check(refused.is_error() && refused.dup_text().includes('text'), 'wrong arguments are told of');
    const echoed = await registry.call_tool_json_async('one__echo', '{"text": "hello"}', null, null);
    check(echoed.dup_text().includes('hello'), 'that of the server is called');

    const matches = await registry.search_async('the words!', 5, Gmcp.ToolDetail.BRIEF, null);
    check(matches[0].get_tool().get_name() === 'count_words', 'a search finds it');
    check(JSON.parse(matches[0].dup_json()).arguments[0] === 'text', 'and tells of its arguments');

    const meta = Gmcp.MetaTools.new(registry);
    const found = await meta.call_tool_json_async('search_tools', '{"query": "echo"}', null, null);
    check(found.dup_text().includes('one__echo'), 'a model can search');
    const called = await meta.call_tool_json_async('call_tool',
        '{"name": "count_words", "arguments": {"text": "a b"}}', null, null);
    check(called.dup_text() === '2 words', 'and call what it finds');

    const lucky = new LuckyProvider();
    const [match] = await lucky.search_async('anything', 7, Gmcp.ToolDetail.NAME, null);
    check(match.get_score() === 7 && match.dup_json() === '{"name":"lucky"}', 'a provider searches by itself');
    await manager.close_async(null);
}

const loop = new GLib.MainLoop(null, false);
let status = 0;
run().catch(error => {
    printerr(error.message, error.stack);
    status = 1;
}).finally(() => loop.quit());
loop.run();
GLib.unlink(config);
GLib.rmdir(folder);
System.exit(status);

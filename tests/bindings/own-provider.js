#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// A tool provider of two functions, written in JavaScript, alone and in a registry.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';
import Gmcp from 'gi://Gmcp?version=1';

for (const type of [Gmcp.ToolRegistry, Gmcp.ToolProvider]) {
    Gio._promisify(type.prototype, 'load_async');
    Gio._promisify(type.prototype, 'close_async');
    Gio._promisify(type.prototype, 'call_tool_json_async');
}

const WordProvider = GObject.registerClass({
    GTypeName: 'WordProvider',
    Implements: [Gmcp.ToolProvider],
}, class WordProvider extends GObject.Object {
    _init() {
        super._init();
        this._tools = new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
        this._tools.append(Gmcp.Tool.new_from_json(JSON.stringify({
            name: 'count_words',
            inputSchema: {type: 'object', properties: {text: {type: 'string'}}},
        })));
    }

    vfunc_get_tools() {
        return this._tools;
    }

    vfunc_call_tool(call) {
        const words = JSON.parse(call.get_arguments_json()).text.split(' ');
        call.return_result(Gmcp.ToolResult.new_text(`${words.length} words`));
    }
});

function check(holds, what) {
    if (!holds)
        throw new Error(`not so: ${what}`);
}

async function checkProvider(provider) {
    check(await provider.load_async(null), 'it loads');
    check(provider.get_tools().get_n_items() === 1, 'it has a tool');
    check(JSON.parse(provider.dup_tools_json(Gmcp.ToolsFormat.MCP))[0].name === 'count_words', 'the list is told');
    const result = await provider.call_tool_json_async('count_words', '{"text": "to be or not"}', null, null);
    check(result.dup_text() === '4 words', 'a call is answered');
    check(provider.find_tool('count_words').get_name() === 'count_words', 'the tool is found');
    check(provider.dup_instructions() === null, 'there are no instructions');
    try {
        provider.find_tool('none');
        check(false, 'there is no such tool');
    } catch (error) {
        check(error.matches(Gmcp.Error, Gmcp.Error.UNKNOWN_TOOL), error.message);
    }
    check(await provider.close_async(null), 'it is closed');
}

async function main() {
    await checkProvider(new WordProvider());

    const registry = Gmcp.ToolRegistry.new();
    registry.add_provider('words', new WordProvider());
    await checkProvider(registry);
    registry.remove_provider('words');
    check(registry.get_tools().get_n_items() === 0, 'the provider is gone');
}

// Nothing may be warned of.
GLib.log_set_always_fatal(GLib.LogLevelFlags.LEVEL_WARNING | GLib.LogLevelFlags.LEVEL_CRITICAL);
const loop = new GLib.MainLoop(null, false);
let status = 0;
main().catch(error => {
    printerr(error.message, error.stack);
    status = 1;
}).finally(() => loop.quit());
loop.run();
System.exit(status);

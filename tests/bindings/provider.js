#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// A tool provider written in JavaScript, and a check that hosts can use it.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.ToolProvider.prototype, 'load_async');
Gio._promisify(Gmcp.ToolProvider.prototype, 'call_tool_json_async');

const WordProvider = GObject.registerClass({
    GTypeName: 'WordProvider',
    Implements: [Gmcp.ToolProvider],
}, class WordProvider extends GObject.Object {
    _init() {
        super._init();
        this._tools = new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
    }

    vfunc_get_tools() {
        return this._tools;
    }

    vfunc_load(load) {
        if (this._tools.get_n_items() === 0) {
            this._tools.append(Gmcp.Tool.new_from_json(JSON.stringify({
                name: 'count_words',
                description: 'Counts the words of a text',
                inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']},
                annotations: {readOnlyHint: true},
            })));
        }
        load.return_success();
    }

    vfunc_call_tool(call) {
        const text = call.dup_string_argument('text');
        if (text === null) {
            call.return_error(new GLib.Error(Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'count_words needs a text'));
            return;
        }
        // An answer may come later, as that of a real tool does.
        GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
            const words = text.split(/\s+/).filter(word => word !== '');
            call.return_result(Gmcp.ToolResult.new_text(`${words.length} words`));
            return GLib.SOURCE_REMOVE;
        });
    }
});

function check(condition, what) {
    if (!condition)
        throw new Error(`failed: ${what}`);
    print(`ok - ${what}`);
}

async function main() {
    const provider = new WordProvider();
    check(await provider.load_async(null), 'it loads');
    check(provider.get_tools().get_n_items() === 1, 'it has one tool');
    check(provider.get_tools().get_item(0).is_read_only(), 'the tool is read-only');

    const tools = JSON.parse(provider.dup_tools_json(Gmcp.ToolsFormat.ANTHROPIC));
    check(tools[0].name === 'count_words' && tools[0].input_schema.required[0] === 'text', 'a model gets the list');

    const result = await provider.call_tool_json_async('count_words', '{"text": "to be or not"}', null, null);
    check(result.dup_text() === '4 words' && !result.is_error(), 'a call is answered');

    try {
        await provider.call_tool_json_async('count_words', '{}', null, null);
        check(false, 'a call without its argument fails');
    } catch (error) {
        check(error.matches(Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT), 'a call without its argument fails');
    }

    const cancellable = new Gio.Cancellable();
    cancellable.cancel();
    try {
        await provider.call_tool_json_async('count_words', '{"text": "x"}', null, cancellable);
        check(false, 'a cancelled call fails');
    } catch (error) {
        check(error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED), 'a cancelled call fails');
    }
}

const loop = new GLib.MainLoop(null, false);
let status = 0;
main().catch(error => {
    printerr(error.message, error.stack);
    status = 1;
}).finally(() => loop.quit());
loop.run();
System.exit(status);

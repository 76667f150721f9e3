#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// What overrides/Gmcp.js adds: promises, arguments that are left out, objects for JSON, lists that are iterated.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';
import System from 'system';

function expect(condition, text) {
    if (!condition)
        throw new Error(text);
}

async function expectError(promise, domain, code, text) {
    try {
        await promise;
    } catch (error) {
        expect(error.matches(domain, code), `${text}: ${error}`);
        return;
    }
    expect(false, text);
}

async function main() {
    const registry = new Gmcp.ToolRegistry();
    const schema = JSON.stringify({type: 'object', properties: {text: {type: 'string'}}});
    registry.add_function('count_words', 'Counts words', schema, call => {
        const {text} = JSON.parse(call.get_arguments_json());
        call.return_result(Gmcp.ToolResult.new_text(`${text.split(' ').length} words`));
    });

    expect(await registry.load_async(), 'loaded with no argument');
    expect(await registry.load_async(null), 'loaded with all arguments');
    expect([...registry.get_tools()].map(tool => tool.get_name()).join() === 'count_words', 'a list is iterated');
    expect([...new Gmcp.Manager()].length === 0, 'a manager is iterated');
    expect(registry.get_tools().item_type === Gmcp.Tool.$gtype, 'a list says of what it is');
    expect(registry.get_tools().n_items === 1, 'a list says how many there are');

    const results = await Promise.all([
        registry.call_tool_async('count_words', {text: 'to be or not'}),
        registry.call_tool_json_async('count_words', {text: 'to be'}),
        registry.call_tool_json_async('count_words', '{"text": "a"}', null, null),
    ]);
    expect(results.map(result => result.dup_text()).join() === '4 words,2 words,1 words', 'calls');

    const options = new Gmcp.CallOptions({meta_json: '{"example.org/a":1}', timeout_ms: 5000});
    expect(options.meta_json === '{"example.org/a":1}', 'metadata is set at once');
    expect(options.dup_error_data_json() === null, 'no error, no data');

    await expectError(registry.call_tool_async('nothing'), Gmcp.Error, Gmcp.Error.UNKNOWN_TOOL, 'no such tool');
    const cancellable = new Gio.Cancellable();
    cancellable.cancel();
    await expectError(registry.call_tool_async('count_words', {text: 'a'}, null, cancellable),
        Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED, 'cancelled');

    const text = await new Promise((resolve, reject) => {
        registry.call_tool_json_async('count_words', '{"text": "a b c"}', null, null, (source, result) => {
            try {
                resolve(source.call_tool_finish(result).dup_text());
            } catch (error) {
                reject(error);
            }
        });
    });
    expect(text === '3 words', 'a callback works as before');
}

const loop = new GLib.MainLoop(null, false);
let status = 1;
main().then(() => {
    status = 0;
}).catch(error => {
    logError(error);
}).finally(() => loop.quit());
loop.run();
System.exit(status);

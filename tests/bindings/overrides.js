#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// What overrides/Gmcp.js adds: promises, arguments that are left out, objects for JSON, lists that are iterated.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import Gmcp from 'gi://Gmcp?version=1';
import System from 'system';

function expect(condition, text) {
    if (!condition)
        throw new Error(text);
}

// Warnings of the overrides are looked at, and end nothing: G_DEBUG=fatal-warnings is a matter of the usual writer.
const warnings = [];
GLib.log_set_writer_func((level, fields) => {
    if (fields.GLIB_DOMAIN === undefined || !(level & GLib.LogLevelFlags.LEVEL_WARNING))
        return GLib.LogWriterOutput.UNHANDLED;
    const decode = value => typeof value === 'string' ? value : new TextDecoder().decode(value);
    if (decode(fields.GLIB_DOMAIN) !== 'Gmcp')
        return GLib.LogWriterOutput.UNHANDLED;
    warnings.push(decode(fields.MESSAGE));
    return GLib.LogWriterOutput.HANDLED;
});

function expectWarning(...texts) {
    const warning = warnings.shift();
    expect(warning && texts.every(text => warning.includes(text)), `a warning has ${texts}, not ${warning}`);
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

    await checkJson();
    await checkQuestions();

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
    await checkThrowing();
}

async function checkJson() {
    const registry = new Gmcp.ToolRegistry();
    registry.add_function('show', 'Shows its arguments', null, call => {
        call.return_result(Gmcp.ToolResult.new_text(call.get_arguments_json()));
    });
    const texts = [[{n: 2 ** 63}, '{"n":9223372036854776000}'], [{t: '\0a'}, '{"t":"\\u0000a"}'],
        ['{"n":12345678901234567890}', '{"n":12345678901234567890}']];
    for (const [value, text] of texts)
        expect((await registry.call_tool_async('show', value)).dup_text() === text, `${text} arrives as it is`);
    const deep = '{"a":'.repeat(100000) + '1' + '}'.repeat(100000);
    for (const text of ['{"b":1,"b":2}', "{'a':1}", '{} // none', '', deep])
        await expectError(registry.call_tool_async('show', text), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, text.slice(0, 20));

    const result = await new Promise(resolve => {
        registry.call_tool_async('show', {n: 1}, null, null, (source, ended) => resolve(source.call_tool_finish(ended)));
    });
    expect(result.dup_text() === '{"n":1}', 'so it does with a callback');
}

async function ask(call) {
    const question = Gmcp.Elicitation.new('Who?', '{"type": "object", "properties": {"name": {"type": "string"}}}');
    call.return_result(Gmcp.ToolResult.new_text(await call.get_caller().ask_async(question)));
}

const Asking = GObject.registerClass({
    Implements: [Gmcp.ToolProvider],
}, class Asking extends GObject.Object {
    vfunc_get_tools() {
        return new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
    }

    vfunc_call_tool(call) {
        return ask(call);
    }
});

const AskingMore = GObject.registerClass(class AskingMore extends Asking {});

async function checkQuestions() {
    const registry = new Gmcp.ToolRegistry();
    registry.add_function('ask', 'Asks', null, ask);
    const kept = [];
    const throwNow = (_provider, request) => {
        kept.push(request);
        throw new Error('no form');
    };
    const throwLater = async (provider, request) => {
        await provider.load_async().catch(() => {});
        throwNow(provider, request);
    };
    const answers = [
        [throwNow, '{"action":"cancel"}'],
        [throwLater, '{"action":"cancel"}'],
        [(_provider, request) => request.decline(), '{"action":"decline"}'],
        [async (provider, request) => {
            await provider.load_async().catch(() => {});
            request.accept_json('{"name":"Ada"}');
        }, '{"action":"accept","content":{"name":"Ada"}}'],
    ];
    for (const provider of [registry, new Asking(), new AskingMore()]) {
        for (const [handler, answer] of answers) {
            const id = provider.connect('input_requested', handler);
            const text = (await provider.call_tool_async('ask', {})).dup_text();
            expect(text === answer, `${handler} gives ${answer}, not ${text}`);
            provider.disconnect(id);
        }
    }
    expect(kept.length === 6 && kept.every(request => !request.is_open()), 'a question whose handler throws is closed');
}

function fail(name) {
    switch (name) {
    case 'plain':
        throw new Error('a plain one');
    case 'domain':
        throw new GLib.Error(Gio.IOErrorEnum, Gio.IOErrorEnum.BUSY, 'busy');
    case 'data':
        throw Gmcp.RpcError.new(-32050, 'full', '{"left": 0}');
    }
}

const Failing = GObject.registerClass({
    Implements: [Gmcp.ToolProvider, Gmcp.ResourceProvider],
}, class Failing extends GObject.Object {
    _init() {
        super._init();
        this._tools = new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
        for (const name of ['plain', 'domain', 'data', 'later', 'says'])
            this._tools.append(Gmcp.Tool.new(name, null, null));
        this._resources = new Gio.ListStore({item_type: Gmcp.Resource.$gtype});
    }

    vfunc_get_tools() {
        return this._tools;
    }

    vfunc_load(load) {
        this.kept = load;
        fail('plain');
    }

    vfunc_call_tool(call) {
        // What is kept does not end by itself.
        this.kept = call;
        if (call.get_name() === 'says')
            call.return_rpc_error(-32050, 'full', '{"left": 0}');
        return call.get_name() === 'later' ? this.throwLater() : fail(call.get_name());
    }

    async throwLater() {
        await new Gmcp.ToolRegistry().load_async();
        fail('domain');
    }

    vfunc_get_resources() {
        return this._resources;
    }

    vfunc_read(request) {
        this.kept = request;
        fail(request.get_uri().slice('fail:'.length));
    }
});

const Loud = GObject.registerClass({
    Implements: [Gmcp.ToolProvider],
}, class Loud extends Failing {
    vfunc_call_tool(call) {
        return super.vfunc_call_tool(call);
    }
});

async function checkCalls(provider) {
    const plain = await provider.call_tool_async('plain', {});
    expect(plain.is_error() && plain.dup_text() === 'MCP error: a plain one', 'the model reads why');
    expectWarning('a plain one', 'fail@', 'overrides.js');
    await expectError(provider.call_tool_async('domain', {}), Gio.IOErrorEnum, Gio.IOErrorEnum.BUSY, 'an error of its own');
    const options = new Gmcp.CallOptions();
    await expectError(provider.call_tool_async('data', {}, options), Gmcp.RpcError, -32050, 'an error with data');
    expect(options.dup_error_data_json() === '{"left": 0}', 'the data are told');
}

async function checkThrowing() {
    for (const provider of [new Failing(), new Loud()]) {
        await checkCalls(provider);
        await expectError(provider.call_tool_async('later', {}), Gio.IOErrorEnum, Gio.IOErrorEnum.BUSY, 'a promise');
        await expectError(provider.load_async(), Gmcp.Error, Gmcp.Error.FAILED, 'the list');
        expectWarning('a plain one', 'vfunc_load');
        await expectError(provider.read_async('fail:plain'), Gmcp.Error, Gmcp.Error.FAILED, 'a resource');
        expectWarning('a plain one', 'vfunc_read');
        await expectError(provider.read_async('fail:data'), Gmcp.RpcError, -32050, 'a resource');
    }

    const registry = new Gmcp.ToolRegistry();
    for (const name of ['plain', 'domain', 'data'])
        registry.add_function(name, null, null, () => fail(name));
    await checkCalls(registry);
    registry.add_function('unknown', null, null, async () => nosuch());
    expect((await registry.call_tool_async('unknown')).is_error(), 'a name that is not there');
    expectWarning('nosuch is not defined', 'overrides.js');
    expect(warnings.length === 0, `only what nobody expects is warned of: ${warnings}`);

    const [ours, theirs] = Gmcp.memory_transport_new_pair();
    const server = Gmcp.Server.new('failing', '1', new Failing());
    server.attach(theirs);
    const client = Gmcp.Client.new(ours);
    await client.open_async();
    for (const name of ['data', 'says']) {
        try {
            await client.call_tool_async(name, {});
            expect(false, 'the client gets an error');
        } catch (error) {
            expect(error.matches(Gmcp.RpcError, -32050), `${error}`);
            expect(Gmcp.RpcError.dup_data_json(error) === '{"left": 0}', 'an error of GJS keeps its data');
        }
    }
    await expectError(client.read_resource_async('fail:data'), Gmcp.RpcError, -32050, 'the client gets that, too');
    await client.close_async();
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

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
    await checkReturning();
    checkValues();
    await checkRecords();
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
    const answer = await call.get_caller().ask_async(question);
    expect(Object.keys(answer).every(key => ['action', 'content'].includes(key)), 'an answer is an object');
    return answer;
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
    // A server loads its provider when a client comes.
    expectWarning('a plain one', 'vfunc_load');
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

async function checkReturning() {
    const registry = new Gmcp.ToolRegistry();
    let value;
    registry.add_function('now', null, {type: 'object'}, () => value);
    registry.add_tool(Gmcp.Tool.new('later', null, {type: 'object'}), async () => {
        await new Gmcp.ToolRegistry().load_async();
        return value;
    });
    const content = Gmcp.ToolResult.new_text('c').get_content(0);
    for (const [given, text] of [['a', 'a'], [Gmcp.ToolResult.new_text('b'), 'b'], [content, 'c'], [[content, content], 'c\nc'],
        [[1, 'é'], '[1,"é"]'], [2.5, '2.5'], [true, 'true'], [[], '[]'], [{a: [1]}, '{"a":[1]}']]) {
        value = given;
        for (const name of ['now', 'later']) {
            const result = await registry.call_tool_async(name);
            expect(!result.is_error() && result.dup_text() === text, `${name}: ${text}, not ${result.dup_text()}`);
            expect(result.dup_structured_content_json() === (text.startsWith('{') ? text : null), `${name}: structured or not`);
        }
    }
    value = undefined;
    expect((await registry.call_tool_async('later')).dup_text() === '', 'an async handler that returns nothing');
    for (const [given, problem] of [[() => {}, 'function'], [1n, 'BigInt']]) {
        value = given;
        for (const name of ['now', 'later']) {
            expect((await registry.call_tool_async(name)).is_error(), `${name}: no value of JSON`);
            expectWarning(problem);
        }
    }
    registry.add_function('itself', null, null, call => {
        GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
            call.return_result(Gmcp.ToolResult.new_text('by itself'));
            return GLib.SOURCE_REMOVE;
        });
    });
    expect((await registry.call_tool_async('itself')).dup_text() === 'by itself', 'a handler that answers later');
    await checkReturningProvider();
}

const Returning = GObject.registerClass({
    Implements: [Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider],
}, class Returning extends GObject.Object {
    vfunc_get_tools() {
        return new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
    }

    vfunc_call_tool(_call) {
        return {b: 1};
    }

    async vfunc_load() {}

    async vfunc_close() {}

    vfunc_search(search) {
        return [Gmcp.ToolMatch.new(Gmcp.Tool.new('found', null, null), 1, search.get_detail())];
    }

    vfunc_read(request) {
        return {
            'mem:text': 'a text',
            'mem:bytes': new Uint8Array([0, 1]),
            'mem:result': Gmcp.ResourceResult.new_text('mem:other', 'text/plain', 'b'),
            'mem:nonsense': {},
        }[request.get_uri()];
    }

    async vfunc_get_prompt(request) {
        if (request.get_name() === 'itself')
            request.return_result(Gmcp.PromptResult.new_text(null, 'by itself'));
        return {work: 'do work', nonsense: {}}[request.get_name()];
    }

    vfunc_complete_variable() {
        return ['a variable'];
    }

    async vfunc_complete_argument() {
        return Gmcp.CompletionResult.new(['an argument'], 7, true);
    }
});

async function checkReturningProvider() {
    const provider = new Returning();
    expect(await provider.load_async(), 'an async function without a value ends its request');
    expect((await provider.call_tool_async('any')).dup_structured_content_json() === '{"b":1}', 'a call');
    expect((await provider.search_async('any', 5, Gmcp.ToolDetail.NAME)).length === 1, 'a search');
    for (const [uri, text] of [['mem:text', 'a text'], ['mem:result', 'b']])
        expect((await provider.read_async(uri)).get_contents(0).get_text() === text, uri);
    expect((await provider.read_async('mem:bytes')).get_contents(0).get_bytes().toArray().join() === '0,1', 'bytes');
    const getText = async name => (await provider.get_prompt_async(name, null)).get_message(0).get_content(0).get_text();
    expect(await getText('work') === 'do work', 'a prompt');
    expect(await getText('itself') === 'by itself', 'a prompt that the function answers with by itself');
    expect(warnings.length === 0, `nothing to warn of: ${warnings}`);
    await expectError(getText('nothing'), Gmcp.Error, Gmcp.Error.FAILED, 'nothing is no prompt');
    for (const promise of [getText('nonsense'), provider.read_async('mem:nonsense')]) {
        await expectError(promise, Gmcp.Error, Gmcp.Error.FAILED, 'an object is no result');
        expectWarning('is no Gmcp.');
    }
    const variables = await provider.complete_variable_async('mem:{name}', 'name', 'x', null);
    expect(variables.get_values().join() === 'a variable', 'completion of a variable');
    const values = await provider.complete_argument_async('work', 'name', 'x', null);
    expect(values.get_values().join() === 'an argument' && values.get_total() === 7, 'completion of an argument');
    expect(await provider.close_async(), 'closed');
}

// Wherever the library takes JSON.
function checkValues() {
    const schema = {type: 'object', properties: {n: {type: 'integer', minimum: 18}}};
    expect(Gmcp.ToolResult.new_structured({a: 1}, false).dup_structured_content_json() === '{"a":1}', 'a constructor');
    expect(Gmcp.Tool.new_from_json({name: 'x', inputSchema: schema}).get_name() === 'x', 'JSON alone');
    const builder = Gmcp.ToolBuilder.new('built');
    builder.set_input_schema_json(schema);
    expect(builder.build().dup_input_schema_json() === JSON.stringify(schema), 'a method');
    const question = Gmcp.Elicitation.new('How many?', schema);
    for (const accept of ['accept', 'accept_json']) {
        for (const value of [{n: 3}, '{"n": 20, "n": 3}']) {
            let refused = false;
            try {
                question[accept](value);
            } catch (error) {
                refused = error.matches(Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT);
            }
            expect(refused, `${accept}() of ${value} is refused`);
        }
    }
    expect(question.accept({n: 20}), 'a function with a twin that takes text');
    const template = Gmcp.ResourceTemplate.new_from_json({name: 't', uriTemplate: 'a:{b}'});
    expect(template.expand({b: 1}) === 'a:1' && template.expand_json({b: 2}) === 'a:2', 'a template');
    expect(Gmcp.RpcError.dup_data_json(Gmcp.RpcError.new(-32050, 'full', {left: 0})) === '{"left":0}', 'a static function');
    expect(new Gmcp.CallOptions({meta_json: {a: 1}, timeout_ms: 5}).meta_json === '{"a":1}', 'a property');
    for (const [properties, code] of [[{meta_json: [1]}, Gmcp.Error.INVALID_ARGUMENT], [{meta_json: '{no'}, Gmcp.Error.INVALID_JSON],
        [{traceparent: 'nonsense'}, Gmcp.Error.INVALID_ARGUMENT]]) {
        let refused = false;
        try {
            new Gmcp.CallOptions(properties);
        } catch (error) {
            refused = error.matches(Gmcp.Error, code);
        }
        expect(refused, `${JSON.stringify(properties)} is refused`);
    }
    const options = new Gmcp.CallOptions();
    expect(options.set_meta_json({'example.org/a': 1}) && options.meta_json === '{"example.org/a":1}', 'a setter');
}

async function checkRecords() {
    const folder = GLib.dir_make_tmp('gmcp-overrides-XXXXXX');
    const path = GLib.build_filenamev([folder, 'audit.jsonl']);
    const records = ['a', 'b'].map(id => ({id, time: '2026-01-02T03:04:05.000Z', server: 'one', tool: 'echo', outcome: 'ok'}));
    GLib.file_set_contents(path, records.map(record => `${JSON.stringify(record)}\n`).join(''));
    const log = Gmcp.AuditLog.new(Gio.File.new_for_path(path));
    expect(JSON.stringify(await log.read_async(null, null, 0)) === JSON.stringify(records), 'records are values');
    expect((await log.find_async('b')).id === 'b', 'so is one');
    const text = await new Promise(resolve => log.find_async('b', null, (_log, result) => resolve(log.find_finish(result))));
    expect(JSON.parse(text).id === 'b', 'a callback gets text');
    GLib.unlink(path);
    GLib.rmdir(folder);
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

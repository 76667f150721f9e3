#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// Handlers that raise, stay silent, answer late or answer twice, in JavaScript: each call ends, and nothing breaks.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';
import Gmcp from 'gi://Gmcp?version=1';

for (const type of [Gmcp.ToolRegistry, Gmcp.ToolProvider])
    Gio._promisify(type.prototype, 'call_tool_json_async');

const names = ['raises', 'silent', 'twice', 'asks'];
const kept = [];

function handle(call) {
    kept.push(call);
    switch (call.get_name()) {
    case 'raises':
        throw new Error('a handler that raises');
    case 'twice':
        call.return_result(Gmcp.ToolResult.new_text('once'));
        call.return_result(Gmcp.ToolResult.new_text('twice'));
        break;
    case 'asks':
        call.pause_timeout();
        GLib.timeout_add(GLib.PRIORITY_DEFAULT, 20, () => {
            call.resume_timeout();
            call.return_result(Gmcp.ToolResult.new_text('yes'));
            return GLib.SOURCE_REMOVE;
        });
        break;
    }
}

const BadProvider = GObject.registerClass({
    GTypeName: 'BadProvider',
    Implements: [Gmcp.ToolProvider],
}, class BadProvider extends GObject.Object {
    _init() {
        super._init();
        this._tools = new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
        for (const name of names)
            this._tools.append(Gmcp.Tool.new_from_json(JSON.stringify({name})));
    }

    vfunc_get_tools() {
        return this._tools;
    }

    vfunc_call_tool(call) {
        handle(call);
    }
});

function check(holds, what) {
    if (!holds)
        throw new Error(`not so: ${what}`);
}

async function call(provider, name, timeout, cancellable = null) {
    const options = new Gmcp.CallOptions({timeout_ms: timeout});
    const answer = provider.call_tool_json_async(name, null, options, cancellable);
    cancellable?.cancel();
    return (await answer).dup_text();
}

async function checkFails(domain, code, ...call_arguments) {
    try {
        await call(...call_arguments);
    } catch (error) {
        check(error.matches(domain, code), error.message);
        return;
    }
    check(false, 'the call fails');
}

async function checkProvider(provider) {
    for (const name of ['raises', 'silent']) {
        await checkFails(Gmcp.Error, Gmcp.Error.TIMED_OUT, provider, name, 1);
        kept.at(-1).return_result(Gmcp.ToolResult.new_text('late'));
        kept.at(-1).return_error(new GLib.Error(Gmcp.Error, Gmcp.Error.FAILED, 'late'));
        await checkFails(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED, provider, name, 0, new Gio.Cancellable());
    }
    check(await call(provider, 'twice', 0) === 'once', 'the first answer counts');
    check(await call(provider, 'asks', 10) === 'yes', 'the time stands still while somebody is asked');
}

async function main() {
    await checkProvider(new BadProvider());

    let registry = Gmcp.ToolRegistry.new();
    registry.add_provider('bad', new BadProvider());
    await checkProvider(registry);

    registry = Gmcp.ToolRegistry.new();
    for (const name of names)
        registry.add_function(name, null, null, handle);
    await checkProvider(registry);
}

const loop = new GLib.MainLoop(null, false);
let status = 0;
main().catch(error => {
    printerr(error.message, error.stack);
    status = 1;
}).finally(() => loop.quit());
loop.run();
System.exit(status);

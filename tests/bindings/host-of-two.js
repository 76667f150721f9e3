// SPDX-License-Identifier: LGPL-2.1-or-later
// A host of two servers: host-of-two.js FILE

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.ToolProvider.prototype, 'load_async');
Gio._promisify(Gmcp.ToolProvider.prototype, 'call_tool_json_async');

// The user takes a moment.
function later(answer) {
    GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
        answer();
        return GLib.SOURCE_REMOVE;
    });
}

function answer(question) {
    if (!question.get_message().includes('Ada')) {
        question.decline();
        return;
    }
    try {
        question.accept_json('{"day": "Friday"}');
    } catch (error) {
        if (error.matches(Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT))
            print('not a day to choose');
    }
    question.accept_json('{"day": "Monday"}');
}

function watch(onProgress) {
    const options = new Gmcp.CallOptions();
    options.connect('progress', (_options, progress, total, message) => onProgress(progress, total, message));
    return options;
}

const [provider] = Gmcp.load_tool_providers('org.example.Host', Gio.File.new_for_commandline_arg(ARGV[0]));
provider.ask_first = ['tasks.create_task'];
provider.connect('call-requested', (_provider, permission) => {
    print(`call ${permission.get_tool().get_name()}? (${permission.get_rule()})`);
    later(() => permission.allow_once());
});
provider.connect('input-requested', (_provider, question) => {
    print(`${question.get_server_name()} asks: ${question.get_message()}`);
    later(() => answer(question));
});
await provider.load_async(null);
print(`${provider.get_tools().get_n_items()} tools`);

const call = (name, values, options = null, cancellable = null) =>
    provider.call_tool_json_async(name, JSON.stringify(values), options, cancellable);

const created = await call('tasks__create_task', {title: 'Water the plants'});
print(created.is_error() ? 'failed' : 'created');

const counting = watch((progress, total, message) => print(`${progress} of ${total}: ${message}`));
print((await call('recipes__count', {to: 2}, counting)).dup_text());

try {
    await call('recipes__refuse', {});
} catch (error) {
    print(error.code, error.message, Gmcp.RpcError.dup_data_json(error));
}

try {
    await call('recipes__hang', {}, new Gmcp.CallOptions({timeout_ms: 200}));
} catch (error) {
    if (error.matches(Gmcp.Error, Gmcp.Error.TIMED_OUT))
        print('no answer in time');
}

const cancellable = new Gio.Cancellable();
const waiting = watch((_progress, _total, message) => {
    print(message);
    cancellable.cancel();
});
try {
    await call('recipes__hang', {}, waiting, cancellable);
} catch (error) {
    if (error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))
        print('cancelled');
}

for (const guest of ['Ada', 'Bob'])
    print((await call('recipes__reserve', {guest})).dup_text());

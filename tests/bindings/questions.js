// SPDX-License-Identifier: LGPL-2.1-or-later
// A host that answers what servers ask: questions.js PYTHON SERVER

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';
import System from 'system';

Gio._promisify(Gmcp.ToolProvider.prototype, 'load_async');
Gio._promisify(Gmcp.ToolProvider.prototype, 'call_tool_json_async');

function assert(condition, what) {
    if (!condition) {
        printerr(`failed: ${what}`);
        System.exit(1);
    }
}

const [python, server] = ARGV;
const folder = GLib.dir_make_tmp('gmcp-questions-XXXXXX');
const config = GLib.build_filenamev([folder, 'mcp.json']);
GLib.file_set_contents(config, JSON.stringify({
    mcp_settings: { load_wait_seconds: 600 },
    mcpServers: { asking: { command: python, args: [server], allowSampling: true } },
}));

// The user takes a moment.
const later = () => new Promise(resolve => GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
    resolve();
    return GLib.SOURCE_REMOVE;
}));

async function answer(request) {
    assert(request.server_name === 'asking', 'the server is named');
    if (request instanceof Gmcp.Sampling) {
        request.accept_text('42', 'model', null);
        return;
    }
    if (request.get_mode() === Gmcp.ElicitationMode.URL) {
        assert(request.get_url() === 'http://shop.example/pay', 'the address is there');
        request.decline();
        return;
    }

    await later();
    const fields = request.get_fields();
    assert(fields.get_n_items() === 5, 'the fields are there');
    assert(fields.get_item(2).get_option_values()[1] === '#0f0', 'the options are there');
    assert(fields.get_item(1).read_text('20') === '20', 'what is typed can be read');
    request.accept_json(JSON.stringify({ name: 'Ada', color: '#0f0', many: ['y'] }));
}

const [provider] = Gmcp.load_tool_providers(null, Gio.File.new_for_path(config));
provider.connect('input-requested', (_provider, request) => {
    answer(request).catch(error => assert(false, error.message));
});
await provider.load_async(null);

async function call(tool) {
    const result = await provider.call_tool_json_async(`asking__${tool}`, null, null, null);
    return JSON.parse(result.dup_text());
}

const form = await call('form');
assert(form.action === 'accept' && form.content.name === 'Ada' && form.content.age === 30, 'the form is answered');
assert((await call('think')).content.text === '42', 'the model answers');
assert((await call('visit')).action === 'decline', 'the visit is declined');

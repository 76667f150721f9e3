// SPDX-License-Identifier: LGPL-2.1-or-later
// Resources, prompts, completion and log messages from GJS: features.js PYTHON SERVER
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';
import System from 'system';

for (const name of ['open', 'close', 'list_resources', 'list_resources_page', 'list_resource_templates', 'list_prompts',
    'read_resource', 'get_prompt', 'complete', 'set_log_level'])
    Gio._promisify(Gmcp.Client.prototype, `${name}_async`);

function check(condition, what) {
    if (!condition)
        throw new Error(`not so: ${what}`);
}

async function main() {
    const client = Gmcp.Client.new(Gmcp.StdioTransport.new(ARGV));
    const logged = [];
    client.connect('log-message', (_client, message) => logged.push([message.get_level(), message.dup_text()]));
    await client.open_async(null);
    await client.set_log_level_async(Gmcp.LogLevel.NOTICE, null, null);

    const resources = await client.list_resources_async(null);
    const text = resources.get_item(0);
    check(resources.get_n_items() === 4 && text.uri === 'mem:text' && text.size === 9, 'the resources');
    check(text.list_icons()[0].get_sizes()[0] === '48x48', 'the icon');
    check(text.dup_annotations().get_priority() === 0.5, 'the annotations');
    const [page, cursor] = await client.list_resources_page_async(null, null, null);
    check(page.length === 2 && cursor === '2', 'a page');

    const bytes = (await client.read_resource_async('mem:bytes', null, null)).get_contents(0).get_bytes();
    check(bytes.get_size() === 256 && bytes.toArray()[255] === 255, 'the bytes');
    const template = (await client.list_resource_templates_async(null)).get_item(0);
    check(template.expand_json('{"name": "a b"}') === 'mem:note/a%20b', 'the template');
    try {
        await client.read_resource_async('mem:nope', null, null);
        check(false, 'there is no such resource');
    } catch (error) {
        check(error.matches(Gmcp.rpc_error_quark(), -32002), error);
    }

    const prompts = await client.list_prompts_async(null);
    check(prompts.get_item(0).get_argument(0).is_required(), 'the argument');
    const prompt = await client.get_prompt_async('review', {code: 'x'}, null, null);
    check(prompt.get_message(1).get_content(0).get_text() === 'I looked', 'the prompt');
    const completion = await client.complete_async(Gmcp.CompletionKind.RESOURCE, 'mem:note/{name}', 'name', 't', null,
        null, null);
    check(completion.get_values()[0] === 'tuesday' && completion.has_more(), 'the completion');

    await client.read_resource_async('mem:note/x:error', null, null);
    check(logged.length === 1 && logged[0][0] === Gmcp.LogLevel.ERROR, 'the log message');
    await client.close_async(null);
}

const loop = GLib.MainLoop.new(null, false);
let status = 0;
main().catch(error => {
    printerr(error);
    status = 1;
}).finally(() => loop.quit());
loop.run();
System.exit(status);

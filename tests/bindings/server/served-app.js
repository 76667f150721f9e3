// SPDX-License-Identifier: LGPL-2.1-or-later
// A program that serves on a socket and over HTTP: what it says of itself, who calls, and what it is told of its mistakes.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.Client.prototype, 'open_async');
Gio._promisify(Gmcp.Client.prototype, 'close_async');
Gio._promisify(Gmcp.Client.prototype, 'call_tool_json_async');
Gio._promisify(Gmcp.SocketEndpoint.prototype, 'close_async');
Gio._promisify(Gmcp.HttpEndpoint.prototype, 'close_async');
Gio._promisify(Gmcp.TokenFile.prototype, 'add_async');
Gio._promisify(Gmcp.TokenFile.prototype, 'load_async');
Gio._promisify(Gmcp.ProgramConnection.prototype, 'load_async');

function assert(condition, what) {
    if (!condition)
        throw new Error(what);
}

// What fails fails with this error, and tells the way out.
async function assertFails(attempt, domain, code, words) {
    try {
        await attempt();
    } catch (error) {
        assert(error.matches?.(domain, code) && error.message.includes(words), `${error}`);
        return;
    }
    throw new Error(`nothing failed that says ${words}`);
}

const folder = GLib.dir_make_tmp('gmcp-served-XXXXXX');
const path = GLib.build_filenamev([folder, 'notes.sock']);

const [sockets, names] = Gmcp.take_activated_sockets();
assert(sockets.length === 0 && names.length === 0, 'nobody has opened a socket for this');

const server = new Gmcp.Server({
    name: 'notes', version: '1', title: 'Notes', description: 'Keeps notes', website_url: 'https://example.org/notes',
});
server.add_icon('data:image/png;base64,AAAA', 'image/png', 'dark');
server.add_icon('https://example.org/a.svg', null, null);
assert(server.add_extension('com.example/notes', '{"depth": 3}'), 'an extension');
await assertFails(() => server.add_extension('com.example/notes', null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'already');
await assertFails(() => server.set_state_key(new GLib.Bytes(new Uint8Array(31))), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, '32');
assert(server.set_state_key(new GLib.Bytes(new Uint8Array(32))), 'a key');
server.add_tool(Gmcp.Tool.new('who', 'Who calls', null), call => {
    const caller = call.get_caller();
    const before = caller.dup_state_json();
    assert(caller.set_state_json('{"a":1}') && caller.dup_state_json() === '{"a":1}', 'a state is kept');
    call.return_result(Gmcp.ToolResult.new_text(JSON.stringify([caller.get_user(), before, caller.get_client_info().get_name()])));
});

async function open(transport) {
    const client = Gmcp.Client.new(transport);
    client.set_client_info(Gmcp.Implementation.new('author', '2'));
    await client.open_async(null);
    return client;
}

async function askWho(client) {
    return JSON.parse((await client.call_tool_json_async('who', '{}', null, null)).dup_text());
}

const endpoint = Gmcp.SocketEndpoint.new(server);
endpoint.listen(path);
endpoint.listen_tcp(0);
await assertFails(() => endpoint.listen(path), Gio.IOErrorEnum, Gio.IOErrorEnum.ADDRESS_IN_USE, path);
const [local, port] = endpoint.list_addresses();
assert(local.get_path() === path && port.get_port() > 0, 'both addresses');

const known = await open(Gmcp.StreamTransport.new_for_address(local));
const about = known.get_server_info();
assert(about.get_title() === 'Notes' && about.get_description() === 'Keeps notes', about.dup_json());
assert(about.get_website_url() === 'https://example.org/notes', about.dup_json());
const icons = about.list_icons();
assert(icons.length === 2 && icons[0].get_theme() === 'dark' && icons[1].get_src() === 'https://example.org/a.svg', about.dup_json());
assert(known.get_server_capabilities().has('extensions/com.example~1notes'), 'the extension is told');
assert(`${await askWho(known)}` === `${[GLib.get_user_name(), null, 'author']}`, 'the system knows whose program it is');

const unknown = await open(Gmcp.StreamTransport.new_for_address(port));
assert((await askWho(unknown))[0] === null, 'TCP knows nobody');
assert(endpoint.get_n_clients() === 2, 'both are there');
const closed = endpoint.close_async(null);
await assertFails(() => endpoint.close_async(null), Gio.IOErrorEnum, Gio.IOErrorEnum.PENDING, 'closed');
assert(await closed && endpoint.get_n_clients() === 0, 'closed');
assert(!GLib.file_test(path, GLib.FileTest.EXISTS), 'the socket is gone');

// Tokens of a file.
const file = Gio.File.new_for_path(GLib.build_filenamev([folder, 'tokens']));
const tokens = Gmcp.TokenFile.new(file);
await assertFails(() => tokens.load_async(null), Gio.IOErrorEnum, Gio.IOErrorEnum.NOT_FOUND, 'no token is good');
await assertFails(() => tokens.add_async('ann lee', null, 0, null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'one word');
await assertFails(() => tokens.add_async('ann', null, 5, null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'future');
await assertFails(() => tokens.add_async('ann', ['a', 'b c'], 0, null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, '“b c”');
await assertFails(() => new Gmcp.TokenFile().add_async('ann', null, 0, null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'file');
assert(!file.query_exists(null), 'nothing was written');
const token = await tokens.add_async('ann', ['read'], 4000000000, null);
await tokens.load_async(null);

const web = Gmcp.HttpEndpoint.new(server);
web.connect('verify-token', (_, request) => {
    assert(request.is_open() && request.get_resource() === web.dup_uri(), 'what the token is for');
    tokens.verify(request);
});
web.listen(0);
const transport = Gmcp.HttpTransport.new(web.dup_uri());
transport.set_header('Authorization', `Bearer ${token}`);
assert((await askWho(await open(transport)))[0] === 'ann', 'whose token it is');
const wrong = Gmcp.HttpTransport.new(web.dup_uri());
wrong.set_header('Authorization', `Bearer ${token}0`);
await assertFails(() => open(wrong), Gmcp.AuthError, Gmcp.AuthError.SIGN_IN_REQUIRED, '401');
assert(await web.close_async(null), 'closed');

// Whose file it is has to be known.
const nowhere = Gio.File.new_for_path(GLib.build_filenamev([folder, 'some.json']));
await assertFails(() => Gmcp.ProgramConnection.new(null, nowhere).load_async(null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'name the program');
await assertFails(() => Gmcp.ProgramConnection.new('emacs-of-mine', nowhere).load_async(null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'emacs-of-mine');
await assertFails(() => new Gmcp.ProgramConnection().load_async(null), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'file');

// What a program has no server for, or no manager, is refused and not a crash.
await assertFails(() => new Gmcp.SocketEndpoint().listen(path), Gio.IOErrorEnum, Gio.IOErrorEnum.NOT_INITIALIZED, 'server');
await assertFails(() => new Gmcp.SharePoint().open(), Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT, 'manager');
for (const gateway of [new Gmcp.Gateway(), new Gmcp.Gateway({role: 'x', server_id: 'no id / at all', search: true})])
    assert(gateway.get_tools() !== null && gateway.get_manager() === null, 'a gateway to nothing');

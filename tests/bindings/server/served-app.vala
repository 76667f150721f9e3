// SPDX-License-Identifier: LGPL-2.1-or-later
// A program in Vala that serves on a socket and over HTTP, and keeps tokens: out parameters, arrays and closures of the binding.

async void serve (string folder) throws Error {
	string[] names;
	var sockets = Gmcp.take_activated_sockets (out names);
	assert (sockets.length == 0 && names.length == 0);

	var server = new Gmcp.Server ("notes", "1", null);
	server.add_icon ("https://example.org/a.svg", "image/svg+xml", null);
	server.add_tool (new Gmcp.Tool ("who", "Who calls", null), (call) => {
		call.return_result (new Gmcp.ToolResult.text (call.get_caller ().get_user () ?? "nobody"));
	});
	var endpoint = new Gmcp.SocketEndpoint (server);
	endpoint.allowed_users = { Environment.get_user_name () };
	endpoint.listen (Path.build_filename (folder, "notes.sock"));

	var addresses = endpoint.list_addresses ();
	var client = new Gmcp.Client (new Gmcp.StreamTransport.for_address (addresses[0]));
	yield client.open_async (null);
	var icons = client.get_server_info ().list_icons ();
	assert (icons.length == 1 && icons[0].get_src () == "https://example.org/a.svg");
	var answer = yield client.call_tool_json_async ("who", "{}", null, null);
	assert (answer.dup_text () == Environment.get_user_name ());
	yield client.close_async (null);
	yield endpoint.close_async (null);

	var tokens = new Gmcp.TokenFile (File.new_for_path (Path.build_filename (folder, "tokens")));
	var token = yield tokens.add_async ("ann", { "read" }, 0, null);
	try {
		yield tokens.add_async ("ann", { "re ad" }, 0, null);
		assert_not_reached ();
	} catch (Gmcp.Error error) {
		assert (error is Gmcp.Error.INVALID_ARGUMENT);
	}
	var web = new Gmcp.HttpEndpoint (server);
	web.verify_token.connect ((request) => tokens.verify (request));
	web.listen (0);
	var transport = new Gmcp.HttpTransport (web.dup_uri ());
	transport.set_header ("Authorization", "Bearer " + token);
	var user = new Gmcp.Client (transport);
	yield user.open_async (null);
	answer = yield user.call_tool_json_async ("who", "{}", null, null);
	assert (answer.dup_text () == "ann");
	yield user.close_async (null);
	yield web.close_async (null);

	var gateway = new Gmcp.Gateway (new Gmcp.Manager ());
	gateway.role = null;
	assert (gateway.get_tools ().get_n_items () == 0);
}

void main () {
	var loop = new MainLoop ();
	var ended = false;
	string folder;

	try {
		folder = DirUtils.make_tmp ("gmcp-served-XXXXXX");
	} catch (FileError error) {
		GLib.error ("%s", error.message);
	}
	serve.begin (folder, (source, result) => {
		try {
			serve.end (result);
			ended = true;
		} catch (Error error) {
			GLib.error ("%s", error.message);
		}
		loop.quit ();
	});
	loop.run ();
	assert (ended);
}

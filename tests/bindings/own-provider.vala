/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A tool provider of two functions, written in Vala, alone, in a registry and behind a server. */

class WordProvider : Object, Gmcp.ToolProvider {
	private ListStore tools = new ListStore (typeof (Gmcp.Tool));

	public WordProvider () throws Error {
		foreach (var name in new string[] { "count_words", "fail", "wait" })
			tools.append (new Gmcp.Tool (name, null, null));
	}

	public unowned ListModel get_tools () {
		return tools;
	}

	public void call_tool (Gmcp.ToolCall call) {
		switch (call.get_name ()) {
		case "count_words":
			var text = call.dup_string_argument ("text");
			call.return_result (new Gmcp.ToolResult.text ("%d words".printf (text.split (" ").length)));
			break;
		case "wait":
			answer_later.begin (call);
			break;
		default:
			call.return_rpc_error (-32050, "full", "{\"left\": 0}");
			break;
		}
	}

	private async void answer_later (Gmcp.ToolCall call) {
		Idle.add (answer_later.callback);
		yield;
		call.return_result (new Gmcp.ToolResult.text ("later"));
	}
}

async void check_provider (Gmcp.ToolProvider provider) throws Error {
	assert (yield provider.load_async (null));
	assert (provider.get_tools ().get_n_items () == 3);
	assert (provider.find_tool ("count_words").get_name () == "count_words");
	assert (provider.dup_instructions () == null);
	assert (provider.dup_tools_json (Gmcp.ToolsFormat.MCP).contains ("count_words"));

	var result = yield provider.call_tool_json_async ("count_words", "{\"text\": \"to be or not\"}", null, null);
	assert (result.dup_text () == "4 words");
	result = yield provider.call_tool_async ("wait", null, null, null);
	assert (result.dup_text () == "later");
	try {
		yield provider.call_tool_async ("fail", null, null, null);
		assert_not_reached ();
	} catch (Error error) {
		check_full (error);
	}
	try {
		provider.find_tool ("none");
		assert_not_reached ();
	} catch (Gmcp.Error.UNKNOWN_TOOL error) {
	}
	assert (yield provider.close_async (null));
}

void check_full (Error error) {
	assert (error.domain == Gmcp.RpcError.quark () && error.code == -32050);
	assert (Gmcp.RpcError.dup_data_json (error) == "{\"left\": 0}");
}

async void check_all () throws Error {
	yield check_provider (new WordProvider ());

	var registry = new Gmcp.ToolRegistry ();
	registry.add_provider ("words", new WordProvider ());
	yield check_provider (registry);
	registry.remove_provider ("words");
	assert (registry.get_tools ().get_n_items () == 0);

	Gmcp.Transport ours, theirs;
	Gmcp.memory_transport_new_pair (out ours, out theirs);
	var server = new Gmcp.Server ("words", "1", new WordProvider ());
	server.attach (theirs);
	var client = new Gmcp.Client (ours);
	yield client.open_async (null);
	var result = yield client.call_tool_json_async ("count_words", "{\"text\": \"to be\"}", null, null);
	assert (result.dup_text () == "2 words");
	try {
		yield client.call_tool_json_async ("fail", null, null, null);
		assert_not_reached ();
	} catch (Error error) {
		check_full (error);
	}
	yield client.close_async (null);
}

int main () {
	var status = 1;
	var loop = new MainLoop ();
	/* Nothing may be warned of. */
	Log.set_always_fatal (LogLevelFlags.LEVEL_WARNING | LogLevelFlags.LEVEL_CRITICAL);
	check_all.begin ((_, result) => {
		try {
			check_all.end (result);
			status = 0;
		} catch (Error error) {
			printerr ("%s\n", error.message);
		}
		loop.quit ();
	});
	loop.run ();
	return status;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers that fail, stay silent, answer late or answer twice, in Vala: each call ends, and nothing breaks. */

const string[] TOOL_NAMES = { "fails", "refuses", "silent", "twice", "asks" };

/* The call that was handled last. */
Gmcp.ToolCall? kept = null;

void handle (Gmcp.ToolCall call) {
	kept = call;
	switch (call.get_name ()) {
	case "fails":
		call.return_error (new IOError.NO_SPACE ("The disk is full."));
		break;
	case "refuses":
		call.return_rpc_error (-32050, "full", "{\"left\":0}");
		break;
	case "twice":
		call.return_result (new Gmcp.ToolResult.text ("once"));
		call.return_result (new Gmcp.ToolResult.text ("twice"));
		call.return_error (new IOError.FAILED ("twice"));
		break;
	case "asks":
		ask.begin (call);
		break;
	default:
		break;
	}
}

async void ask (Gmcp.ToolCall call) {
	call.pause_timeout ();
	Timeout.add (20, ask.callback);
	yield;
	call.resume_timeout ();
	call.return_result (new Gmcp.ToolResult.text ("yes"));
}

class BadProvider : Object, Gmcp.ToolProvider {
	private ListStore tools = new ListStore (typeof (Gmcp.Tool));

	public BadProvider () throws Error {
		foreach (unowned string name in TOOL_NAMES)
			tools.append (new Gmcp.Tool (name, null, null));
	}

	public unowned ListModel get_tools () {
		return tools;
	}

	public void call_tool (Gmcp.ToolCall call) {
		handle (call);
	}
}

void check_late_answers () {
	/* The handler is told that nobody waits any more. */
	assert (kept.get_cancellable ().is_cancelled ());
	kept.return_result (new Gmcp.ToolResult.text ("late"));
	kept.return_result (new Gmcp.ToolResult.text ("later"));
	kept.return_error (new IOError.FAILED ("late"));
}

async void check_silence (Gmcp.ToolProvider provider) throws Error {
	var hurried = new Gmcp.CallOptions ();
	hurried.timeout_ms = 1;
	try {
		yield provider.call_tool_json_async ("silent", null, hurried, null);
		assert_not_reached ();
	} catch (Gmcp.Error.TIMED_OUT error) {
		check_late_answers ();
	}

	var cancellable = new Cancellable ();
	Idle.add (() => {
		cancellable.cancel ();
		return Source.REMOVE;
	});
	try {
		yield provider.call_tool_json_async ("silent", null, null, cancellable);
		assert_not_reached ();
	} catch (IOError.CANCELLED error) {
		check_late_answers ();
	}
}

async void check_errors (Gmcp.ToolProvider provider) {
	try {
		yield provider.call_tool_json_async ("fails", null, null, null);
		assert_not_reached ();
	} catch (Error error) {
		assert (error is IOError.NO_SPACE && error.message == "The disk is full.");
	}
	try {
		yield provider.call_tool_json_async ("refuses", null, null, null);
		assert_not_reached ();
	} catch (Error error) {
		assert (error.domain == Gmcp.RpcError.quark () && error.code == -32050);
		assert (Gmcp.RpcError.dup_data_json (error) == "{\"left\":0}");
	}
}

async void check_provider (Gmcp.ToolProvider provider) throws Error {
	yield check_silence (provider);
	yield check_errors (provider);

	var result = yield provider.call_tool_json_async ("twice", null, null, null);
	assert (result.dup_text () == "once");

	/* The time of a question does not count. */
	var hurried = new Gmcp.CallOptions ();
	hurried.timeout_ms = 10;
	result = yield provider.call_tool_json_async ("asks", null, hurried, null);
	assert (result.dup_text () == "yes");
}

async void check_all () throws Error {
	yield check_provider (new BadProvider ());

	var registry = new Gmcp.ToolRegistry ();
	registry.add_provider ("bad", new BadProvider ());
	yield check_provider (registry);

	registry = new Gmcp.ToolRegistry ();
	foreach (unowned string name in TOOL_NAMES)
		registry.add_function (name, null, null, handle);
	yield check_provider (registry);
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

async void use_tools (string config_file) throws Error {
	var config = File.new_for_commandline_arg (config_file);
	var provider = Gmcp.load_tool_providers ("org.example.Host", config)[0];
	yield provider.load_async (null);

	// A tool that fails is a result.
	var result = yield provider.call_tool_async ("recipes__divide", Json.from_string ("{\"a\": 1, \"b\": 0}"), null, null);
	print ("%s %s\n", result.is_error ().to_string (), result.dup_text ()); // true MCP error: b is 0: give another one

	// Progress
	var watched = new Gmcp.CallOptions ();
	watched.progress.connect ((progress, total, message) => print ("%g of %g: %s\n", progress, total, message));
	// 1 of 2: step 1
	// 2 of 2: step 2
	result = yield provider.call_tool_async ("recipes__count", Json.from_string ("{\"to\": 2}"), watched, null);
	print ("%s\n", result.dup_text ()); // counted

	// Errors
	var hurried = new Gmcp.CallOptions ();
	hurried.timeout_ms = 200;
	foreach (unowned string name in new string[] { "hang", "refuse" }) {
		try {
			yield provider.call_tool_async ("recipes__" + name, null, hurried, null);
		} catch (Gmcp.Error.TIMED_OUT error) {
			print ("no answer in time\n"); // no answer in time
		} catch (Error error) {
			print ("%d %s\n", error.code, error.message); // -32001 recipes: Not today
		}
	}

	// Cancelling; the server is told.
	var cancellable = new Cancellable ();
	Idle.add (() => {
		cancellable.cancel ();
		return Source.REMOVE;
	});
	try {
		yield provider.call_tool_async ("recipes__hang", null, null, cancellable);
	} catch (IOError.CANCELLED error) {
		print ("cancelled\n"); // cancelled
	}
}

int main (string[] args) {
	var status = 0;
	var loop = new MainLoop ();
	use_tools.begin (args[1], (_, result) => {
		try {
			use_tools.end (result);
		} catch (Error error) {
			printerr ("%s\n", error.message);
			status = 1;
		}
		loop.quit ();
	});
	loop.run ();
	return status;
}

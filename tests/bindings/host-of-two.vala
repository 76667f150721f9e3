/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A host of two servers: host-of-two FILE */

async void answer (Gmcp.Elicitation question) {
	/* The user takes a moment. */
	Idle.add (answer.callback);
	yield;
	if (!question.get_message ().contains ("Ada")) {
		question.decline ();
		return;
	}
	try {
		question.accept_json ("{\"day\": \"Friday\"}");
	} catch (Error error) {
		if (error is Gmcp.Error.INVALID_ARGUMENT)
			print ("not a day to choose\n");
	}
	try {
		question.accept_json ("{\"day\": \"Monday\"}");
	} catch (Error error) {
		printerr ("%s\n", error.message);
	}
}

async void allow (Gmcp.CallPermission permission) {
	Idle.add (allow.callback);
	yield;
	permission.allow_once ();
}

async void use_tools (string config_file) throws Error {
	var config = File.new_for_commandline_arg (config_file);
	var provider = Gmcp.load_tool_providers ("org.example.Host", config)[0];
	provider.set ("ask-first", new string[] { "tasks.create_task", null });
	provider.call_requested.connect ((permission) => {
		print ("call %s? (%s)\n", permission.get_tool ().get_name (), permission.get_rule ());
		allow.begin (permission);
	});
	provider.input_requested.connect ((request) => {
		var question = (Gmcp.Elicitation) request;
		print ("%s asks: %s\n", question.get_server_name (), question.get_message ());
		answer.begin (question);
	});
	yield provider.load_async (null);
	print ("%u tools\n", provider.get_tools ().get_n_items ());

	var result = yield provider.call_tool_json_async ("tasks__create_task", "{\"title\": \"Water the plants\"}", null, null);
	print ("%s\n", result.is_error () ? "failed" : "created");

	var counting = new Gmcp.CallOptions ();
	counting.progress.connect ((progress, total, message) => print ("%g of %g: %s\n", progress, total, message));
	result = yield provider.call_tool_json_async ("recipes__count", "{\"to\": 2}", counting, null);
	print ("%s\n", result.dup_text ());

	try {
		yield provider.call_tool_json_async ("recipes__refuse", null, null, null);
	} catch (Error error) {
		print ("%d %s %s\n", error.code, error.message, Gmcp.RpcError.dup_data_json (error));
	}

	var hurried = new Gmcp.CallOptions ();
	hurried.timeout_ms = 200;
	try {
		yield provider.call_tool_json_async ("recipes__hang", null, hurried, null);
	} catch (Gmcp.Error.TIMED_OUT error) {
		print ("no answer in time\n");
	}

	var cancellable = new Cancellable ();
	var waiting = new Gmcp.CallOptions ();
	waiting.progress.connect ((progress, total, message) => {
		print ("%s\n", message);
		cancellable.cancel ();
	});
	try {
		yield provider.call_tool_json_async ("recipes__hang", null, waiting, cancellable);
	} catch (IOError.CANCELLED error) {
		print ("cancelled\n");
	}

	foreach (unowned string guest in new string[] { "Ada", "Bob" }) {
		result = yield provider.call_tool_json_async ("recipes__reserve", "{\"guest\": \"%s\"}".printf (guest), null, null);
		print ("%s\n", result.dup_text ());
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

// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of a provider with tools, resources and prompts of its own: in Vala what notes-server.py is in Python, and a
// template of texts and bytes beside that.

const string TEXT = "{\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}}, \"required\": [\"text\"]}";
const string FORM = "{\"type\": \"object\", \"properties\": {\"color\": {\"type\": \"string\"}}, \"required\": [\"color\"]}";

class Notes : Object, Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider {
	private ListStore tools = new ListStore (typeof (Gmcp.Tool));
	private ListStore resources = new ListStore (typeof (Gmcp.Resource));
	private ListStore templates = new ListStore (typeof (Gmcp.ResourceTemplate));
	private ListStore prompts = new ListStore (typeof (Gmcp.Prompt));
	private string note = "one";

	public Notes () throws Error {
		tools.append (new Gmcp.Tool ("count_words", "Counts the words of a text", TEXT));
		tools.append (new Gmcp.Tool ("write", "Writes the note", TEXT));
		tools.append (new Gmcp.Tool ("ask", "Asks for a color", null));
		tools.append (new Gmcp.Tool ("drop", "Ends without an answer", null));
		resources.append (new Gmcp.Resource ("note:1", "One", "text/plain"));
		templates.append (new Gmcp.ResourceTemplate ("note:{n}", "Notes", null));
		var arguments = new GenericArray<Gmcp.PromptArgument> ();
		arguments.add (new Gmcp.PromptArgument ("name", null, true));
		prompts.append (new Gmcp.Prompt ("greet", "Greets", arguments));
	}

	public unowned ListModel get_tools () {
		return tools;
	}

	public void call_tool (Gmcp.ToolCall call) {
		switch (call.get_name ()) {
		case "count_words":
			call.get_caller ().log (Gmcp.LogLevel.WARNING, "words", "counting");
			var words = call.dup_string_argument ("text").split (" ");
			call.return_result (new Gmcp.ToolResult.text ("%d words".printf (words.length)));
			break;
		case "write":
			note = call.dup_string_argument ("text");
			emit_resource_updated ("note:1");
			call.return_result (new Gmcp.ToolResult.text ("written"));
			break;
		case "ask":
			ask.begin (call);
			break;
		default:
			break;
		}
	}

	private async void ask (Gmcp.ToolCall call) {
		try {
			var question = new Gmcp.Elicitation ("Which color?", FORM);
			var answer = yield call.get_caller ().ask_async (question, null);
			call.return_result (new Gmcp.ToolResult.text (answer));
		} catch (Error error) {
			call.return_error (error);
		}
	}

	public unowned ListModel get_resources () {
		return resources;
	}

	public unowned ListModel get_templates () {
		return templates;
	}

	public void read (Gmcp.ResourceRequest request) {
		var uri = request.get_uri ();
		if (uri == "note:1") {
			request.set_ttl_ms (0);
			request.return_result (new Gmcp.ResourceResult.text (uri, "text/plain", note));
		} else if (uri == "note:monday") {
			request.set_ttl_ms (86400000);
			request.set_cache_scope (Gmcp.CacheScope.PUBLIC);
			request.return_result (new Gmcp.ResourceResult.text (uri, "text/plain", "Rest"));
		} else if (uri == "note:picture") {
			request.return_result (new Gmcp.ResourceResult.bytes (uri, "image/png", new Bytes ({ 0x89, 'P', 0, 0xff })));
		} else {
			request.return_error (new IOError.NOT_FOUND ("There is no %s", uri));
		}
	}

	public void subscribe (string uri) {
	}

	public void unsubscribe (string uri) {
	}

	public void complete_variable (Gmcp.CompletionRequest request) {
		return_matching (request, { "1", "monday", "picture" });
	}

	public unowned ListModel get_prompts () {
		return prompts;
	}

	public void get_prompt (Gmcp.PromptRequest request) {
		request.return_result (new Gmcp.PromptResult.text ("A greeting", "Greet %s".printf (request.get_argument ("name"))));
	}

	public void complete_argument (Gmcp.CompletionRequest request) {
		return_matching (request, { "ann", "anton" });
	}

	private static void return_matching (Gmcp.CompletionRequest request, string[] all) {
		string[] values = {};
		foreach (unowned var value in all)
			if (value.has_prefix (request.get_value ()))
				values += value;
		request.return_values (values);
	}
}

int main () {
	var loop = new MainLoop ();
	try {
		var server = new Gmcp.Server ("notes", "1.0", new Notes ());
		server.run_stdio_async.begin (null, (object, result) => loop.quit ());
		loop.run ();
	} catch (Error error) {
		printerr ("%s\n", error.message);
		return 1;
	}
	return 0;
}

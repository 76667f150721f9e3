/* SPDX-License-Identifier: LGPL-2.1-or-later */

async void use_tools (File? config_file) throws Error {
	var provider = Gmcp.load_tool_providers ("org.example.Host", config_file)[0];
	yield provider.load_async (null);
	var tools = provider.get_tools ();
	for (uint i = 0; i < tools.get_n_items (); i++)
		print ("%s\n", ((Gmcp.Tool) tools.get_item (i)).get_name ());

	var arguments = Json.from_string ("{\"title\": \"Water the plants\"}");
	var result = yield provider.call_tool_async ("tasks__create_task", arguments, null, null);
	print ("%s\n", result.dup_text ());
}

int main (string[] args) {
	var status = 0;
	var loop = new MainLoop ();
	use_tools.begin (args.length > 1 ? File.new_for_commandline_arg (args[1]) : null, (_, result) => {
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

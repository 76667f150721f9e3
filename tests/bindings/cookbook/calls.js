// SPDX-License-Identifier: LGPL-2.1-or-later

import Gio from 'gi://Gio';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.ToolProvider.prototype, 'load_async');
Gio._promisify(Gmcp.ToolProvider.prototype, 'call_tool_json_async');

const [provider] = Gmcp.load_tool_providers('org.example.Host', Gio.File.new_for_commandline_arg(ARGV[0]));
await provider.load_async(null);

// A tool that fails is a result.
const result = await provider.call_tool_json_async('recipes__divide', '{"a": 1, "b": 0}', null, null);
print(result.is_error(), result.dup_text()); // true MCP error: b is 0: give another one

// Progress
const watched = new Gmcp.CallOptions();
watched.connect('progress', (_options, progress, total, message) => print(`${progress} of ${total}: ${message}`));
print((await provider.call_tool_json_async('recipes__count', '{"to": 2}', watched, null)).dup_text());
// 1 of 2: step 1
// 2 of 2: step 2
// counted

// Errors
for (const name of ['refuse', 'hang', 'gone']) {
    try {
        await provider.call_tool_json_async(`recipes__${name}`, null, new Gmcp.CallOptions({timeout_ms: 200}), null);
    } catch (error) {
        if (error.matches(Gmcp.RpcError, -32001))
            print('refused:', error.message); // refused: recipes: Not today
        else if (error.matches(Gmcp.Error, Gmcp.Error.TIMED_OUT))
            print('no answer in time'); // no answer in time
        else
            print(error.message); // There is no tool called recipes__gone. Near to it: recipes__count, recipes__hang.
    }
}

// Cancelling; the server is told.
const cancellable = new Gio.Cancellable();
const call = provider.call_tool_json_async('recipes__hang', null, null, cancellable);
cancellable.cancel();
await call.catch(error => print(error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))); // true

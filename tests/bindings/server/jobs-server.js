// SPDX-License-Identifier: LGPL-2.1-or-later
// A server whose calls become tasks, over standard input and output.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.Caller.prototype, 'ask_async');

const FORM = '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}';
const waiting = [];

function work(call) {
    call.report_progress(1, 2, 'half');
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, 100, () => {
        if (!call.get_cancellable().is_cancelled())
            call.return_result(Gmcp.ToolResult.new_text('done'));
        return GLib.SOURCE_REMOVE;
    });
}

function steps(call) {
    const words = ['one', 'two'];
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, 50, () => {
        if (words.length > 0) {
            call.report_progress(3 - words.length, 3, words.shift());
            return GLib.SOURCE_CONTINUE;
        }
        call.return_result(Gmcp.ToolResult.new_text('done'));
        return GLib.SOURCE_REMOVE;
    });
}

async function greet(call) {
    try {
        const answer = await call.get_caller().ask_async(Gmcp.Elicitation.new('Your name?', FORM), null);
        call.return_result(Gmcp.ToolResult.new_text(answer));
    } catch (error) {
        call.return_error(error);
    }
}

const server = Gmcp.Server.new('jobs', '1.0', null);
server.task_poll_interval_ms = 20;
for (const [name, func, support] of [
    ['work', work, Gmcp.TaskSupport.OPTIONAL],
    ['steps', steps, Gmcp.TaskSupport.OPTIONAL],
    ['greet', call => void greet(call), Gmcp.TaskSupport.REQUIRED],
    ['wait', call => void waiting.push(call), Gmcp.TaskSupport.OPTIONAL],
]) {
    const builder = Gmcp.ToolBuilder.new(name);
    builder.set_task_support(support);
    server.add_tool(builder.build(), func);
}

const loop = GLib.MainLoop.new(null, false);
server.run_stdio_async(null, () => loop.quit());
loop.run();

# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server whose calls become tasks: jobs-server.py [--http] [FOLDER], where FOLDER keeps them."""
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp

FORM = '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}'


def work(call):
    call.report_progress(1, 2, 'half')

    def finish():
        if not call.get_cancellable().is_cancelled():
            call.return_result(Gmcp.ToolResult.new_text('done'))
        return GLib.SOURCE_REMOVE
    GLib.timeout_add(100, finish)


def steps(call):
    """Tells of each step when it is a task already."""
    words = ['one', 'two']

    def step():
        if words:
            call.report_progress(3 - len(words), 3, words.pop(0))
            return GLib.SOURCE_CONTINUE
        call.return_result(Gmcp.ToolResult.new_text('done'))
        return GLib.SOURCE_REMOVE
    GLib.timeout_add(50, step)


def greet(call):
    def on_answer(caller, result):
        try:
            answer = caller.ask_finish(result)
        except GLib.Error as error:
            return call.return_error(error)
        call.return_result(Gmcp.ToolResult.new_text(answer))
    call.get_caller().ask_async(Gmcp.Elicitation.new('Your name?', FORM), None, on_answer)


def wait(call):
    """For good, or until it is cancelled."""
    waiting.append(call)


def decide(call):
    """A task only where it is told so."""
    caller = call.get_caller()
    held = caller.hold_task()
    begun = held and '"long": true' in call.get_arguments_json() and caller.begin_task()
    call.return_result(Gmcp.ToolResult.new_text(f'{held} {begun}'))


waiting = []
words = [word for word in sys.argv[1:] if word != '--http']
folder = Gio.File.new_for_path(words[0]) if words else None
server = Gmcp.Server(name='jobs', version='1.0', task_folder=folder)
server.props.task_poll_interval_ms = 20
for name, function, support in (('work', work, Gmcp.TaskSupport.OPTIONAL), ('steps', steps, Gmcp.TaskSupport.OPTIONAL), ('greet', greet, Gmcp.TaskSupport.REQUIRED),
                                ('wait', wait, Gmcp.TaskSupport.OPTIONAL), ('decide', decide, Gmcp.TaskSupport.OPTIONAL)):
    builder = Gmcp.ToolBuilder.new(name)
    builder.set_task_support(support)
    tool = builder.build()
    assert tool.get_task_support() == support
    server.add_tool(tool, function)

loop = GLib.MainLoop()
if '--http' in sys.argv:
    endpoint = Gmcp.HttpEndpoint.new(server)
    endpoint.listen(0)
    print(endpoint.dup_uri(), flush=True)
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: loop.quit())
else:
    server.run_stdio_async(None, lambda server, result: loop.quit())
loop.run()

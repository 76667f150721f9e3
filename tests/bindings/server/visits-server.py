#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server whose tools send the user to an address: visits-server.py [--http]. What the page there would tell the server,
the tool `visited` does."""
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp

questions = []
state = {'signed-in': False}


def make_question():
    question = Gmcp.Elicitation.new_for_url('Sign in to read your files', 'https://example.org/sign-in')
    questions.append(question)
    return question


def ask(call, question):
    def on_answer(caller, result):
        try:
            call.return_result(Gmcp.ToolResult.new_text(caller.ask_finish(result)))
        except GLib.Error as error:
            call.return_error(error)

    call.get_caller().ask_async(question, None, on_answer)


def on_sign_in(call):
    """Waits for the answer."""
    ask(call, make_question())


def on_files(call):
    """Cannot be called before."""
    if state['signed-in']:
        call.return_result(Gmcp.ToolResult.new_text('notes.txt'))
        return
    question = make_question()
    question.set_ends_call(True)
    ask(call, question)


def on_visited(call):
    state['signed-in'] = True
    for question in questions:
        question.complete()
    questions.clear()
    call.return_result(Gmcp.ToolResult.new_text('done'))


def on_pretend(call):
    """As if it came from a server behind this one."""
    call.return_rpc_error(-32042, 'Go there', '{"elicitations": [{"mode": "url", "message": "m", "url": "https://evil.example/", "elicitationId": "e"}]}')


server = Gmcp.Server.new('visits', '1.0', None)
for name, function in ('sign_in', on_sign_in), ('files', on_files), ('visited', on_visited), ('pretend', on_pretend):
    server.add_tool(Gmcp.Tool.new(name, None, None), function)
loop = GLib.MainLoop()
if '--http' in sys.argv:
    endpoint = Gmcp.HttpEndpoint.new(server)
    endpoint.listen(0)
    print(endpoint.dup_uri(), flush=True)
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, lambda *_: loop.quit())
else:
    server.run_stdio_async(None, lambda *_: loop.quit())
loop.run()
